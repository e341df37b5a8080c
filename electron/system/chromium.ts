import { isAbsolute, join } from 'node:path';
import type { App } from 'electron';
import { facts } from '../../server/messages/facts.ts';

type Chromium = Pick<App, 'isPackaged' | 'name' | 'setAppUserModelId' | 'setPath'> & {
  readonly commandLine: Pick<Electron.CommandLine, 'removeSwitch'>;
};

/**
 * Sets the application ID, folders and switches that Chromium reads at its start. `inspector` is
 * the address of Node's inspector, which only a package for tests can open.
 */
export function prepareChromium(
  app: Chromium,
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>,
  inspector: string | undefined,
): void {
  if (app.isPackaged && inspector === undefined) {
    // Either one would let any program of this user read the page and its keys.
    app.commandLine.removeSwitch('remote-debugging-port');
    app.commandLine.removeSwitch('remote-debugging-pipe');
  }
  if (platform !== 'win32') return;
  // Must match the installer's shortcuts, or windows get a second taskbar button.
  app.setAppUserModelId(facts.applicationId);
  const local = env['LOCALAPPDATA'] ?? '';
  // Otherwise Chromium's caches would roam with the user's profile.
  if (isAbsolute(local)) app.setPath('sessionData', join(local, app.name));
}
