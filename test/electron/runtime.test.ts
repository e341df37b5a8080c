import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { electronChromium, findBrowser } from '../support/browser.ts';
import { makeTestFolder } from '../support/home.ts';
import { requirePlace } from '../support/place.ts';
import { writeShellScript } from '../support/script.ts';
import { findElectron } from './driver/electron-runtime.ts';
import { keepOutput } from './driver/runtime.ts';

describe('the runtime of the desktop tests', () => {
  it('the runtime of the desktop tests is optional unless the environment requires it', () => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', makeTestFolder());
    vi.stubEnv('DESKTOP_RUNTIME', undefined);
    try {
      expect(findElectron()).toBeUndefined();
      vi.stubEnv('DESKTOP_RUNTIME', 'electron');
      expect(findElectron).toThrow(/^DESKTOP_RUNTIME asks for Electron, which is not at /);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('the runtime of the desktop tests contains the Chromium that they look for', () => {
    expect(manifest.devDependencies.electron.split('.')[0]).toBe(String(electronChromium.electron));
    const electron = findElectron();
    if (electron === undefined) return;
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const chromium = execFileSync(electron, ['-p', 'process.versions.chrome'], { env });
    expect(chromium.toString()).toMatch(new RegExp(`^${electronChromium.chromium}\\.`));
  });

  it('the browser of the tests is an installed one of that version', async (context) => {
    requirePlace(context, 'a Unix shell');
    const browser = (version: number) =>
      writeShellScript('chromium', `echo "Chromium ${version}.0.1.2 built on Debian"`);
    const { chromium } = electronChromium;
    const right = browser(chromium);
    const others = [
      join(makeTestFolder(), 'missing'),
      browser(chromium - 1),
      browser(chromium + 1),
    ];
    expect(await findBrowser([...others, right])).toBe(right);
  });

  it('removes lines of debuggers and Chromium from the output', async () => {
    const lines = [
      'Debugger listening on ws://127.0.0.1:37035/6a3c',
      'For help, see: https://nodejs.org/en/docs/inspector',
      '',
      'DevTools listening on ws://127.0.0.1:41339/devtools/browser/1',
      'Debugger attached.',
      '[4711:1122/041112.123456:ERROR:dbus/bus.cc(406)] Failed to connect to the bus',
      '[4711:4712:1122/041112.123456:WARNING:gpu.cc(1)] No GPU',
      'Club Events: [1] a fault of the program',
      'Waiting for the debugger to disconnect...',
    ];
    const write = `process.stderr.write(${JSON.stringify(`${lines.join('\n')}\n`)})`;
    const child = spawn(process.execPath, ['-e', write]);
    const output = keepOutput(child);
    await once(child, 'close');
    expect(output.stderr()).toBe('Club Events: [1] a fault of the program\n');
  });
});
