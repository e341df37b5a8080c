import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AutoUpdater, app } from 'electron';
import type { AppUpdater } from 'electron-updater';

/**
 * Returns a function that loads the updater of this platform; undefined if the build has no update
 * server.
 */
export function findUpdater(): (() => Promise<AppUpdater>) | undefined {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) {
    return undefined;
  }
  return async () => {
    const { default: updaters } = await import('electron-updater');
    const { autoUpdater } = updaters;
    // Redirects are checked, too.
    autoUpdater.netSession.webRequest.onBeforeRequest(({ url }, respond) =>
      respond({ cancel: !url.startsWith('https:') }),
    );
    return autoUpdater;
  };
}

/** Returns a function that loads Squirrel, the updater of macOS; undefined on other systems. */
export function findNativeUpdater(): (() => Promise<AutoUpdater>) | undefined {
  if (process.platform !== 'darwin') return undefined;
  return async () => (await import('electron')).autoUpdater;
}
