import { expect, it } from 'vitest';
import { prepareChromium } from '../../electron/system/chromium.ts';
import { facts } from '../../server/messages/facts.ts';

/** Returns the calls that prepare Chromium on a platform. */
function callsOn(
  platform: NodeJS.Platform,
  isPackaged = true,
  inspector?: string,
): readonly unknown[] {
  const calls: unknown[] = [];
  const app = {
    isPackaged,
    name: 'Club Events',
    setAppUserModelId: (id: string) => void calls.push(['setAppUserModelId', id]),
    setPath: (...path: [string, string]) => void calls.push(['setPath', ...path]),
    commandLine: { removeSwitch: (name: string) => void calls.push(['removeSwitch', name]) },
  };
  prepareChromium(app, { platform, env: { LOCALAPPDATA: '/local' } }, inspector);
  return calls;
}

it('removes the switches for remote debugging in a package', () => {
  const switches = [
    ['removeSwitch', 'remote-debugging-port'],
    ['removeSwitch', 'remote-debugging-pipe'],
  ];
  expect(callsOn('linux')).toEqual(switches);
  expect(callsOn('darwin', false)).toEqual([]);
  expect(callsOn('linux', true, 'ws://127.0.0.1:9229/')).toEqual([]);
});

it('sets the application id and a local cache folder on Windows', () => {
  expect(callsOn('win32', false)).toEqual([
    ['setAppUserModelId', facts.applicationId],
    ['setPath', 'sessionData', '/local/Club Events'],
  ]);
});
