import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { _electron, type Page } from 'playwright-core';
import { pageOrigin } from '../../../electron/origin.ts';
import { keepOutput, type Runtime, type RuntimeOptions } from './runtime.ts';

const electronPackage = join(import.meta.dirname, '../../../node_modules/electron');

/**
 * Electron's program, where it is on this machine. The package is looked at and never imported: to
 * import it is to download the runtime.
 */
export function findElectron(): string | undefined {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const folder = override ?? join(electronPackage, 'dist');
  const note = join(electronPackage, 'path.txt');
  const name = existsSync(note) ? readFileSync(note, 'utf8') : 'electron';
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}

/** Which of the two desktop tests run under, in a sentence for whoever reads their output. */
export function runtimeNotice(): string {
  const found = findElectron();
  if (found !== undefined) return `Desktop tests run under Electron: ${found}`;
  return 'Desktop tests run under the stand-in for Electron, whose runtime is not on this machine.';
}

/** Starts the program under Electron's own runtime. */
export async function launchElectron(
  executablePath: string,
  { application, userData, args, env, locale }: RuntimeOptions,
): Promise<Runtime> {
  const recorder = join(import.meta.dirname, 'recorder.cjs');
  const startedAt = performance.now();
  const app = await _electron.launch({
    executablePath,
    args: [`--user-data-dir=${userData}`, `--lang=${locale}`, '-r', recorder, application, ...args],
    env: { ...env },
    cwd: userData,
  });
  const child = app.process();
  const output = keepOutput(child);
  const pages: Page[] = [];
  const keep = (page: Page) => {
    pages.push(page);
    page.on('close', () => void pages.splice(pages.indexOf(page), 1));
  };
  app.windows().forEach(keep);
  app.on('window', keep);
  return {
    kind: 'Electron',
    pageOrigin,
    pid: child.pid ?? 0,
    startedAt,
    ended: new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code));
    }),
    page: () => pages.at(-1),
    nextPage: () => app.waitForEvent('window'),
    evaluate: (run, ...arg) => app.evaluate(run as never, arg[0]) as never,
    ...output,
    kill: () => void child.kill('SIGKILL'),
    tellPaths: async () => undefined,
  };
}
