import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AutoUpdater, app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { guardUpdater, prepareUpdater } from './update-guard.ts';

/**
 * How to get the updater of this platform, which is loaded only when it is needed; undefined where
 * the build names no place to look for updates.
 */
export function findUpdater(): (() => Promise<AppUpdater>) | undefined {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) {
    return undefined;
  }
  return async () => {
    const { default: updaters } = await import('electron-updater');
    const updater = prepareUpdater(updaters.autoUpdater);
    // Otherwise macOS would see the download only once the program has ended, and could refuse it.
    updater.autoInstallOnAppQuit = process.platform === 'darwin';
    guardUpdater(updater, ({ protocol }) => protocol === 'https:');
    return updater;
  };
}

/** How to get the updater of macOS itself, Squirrel; undefined elsewhere. */
export function findNativeUpdater(): (() => Promise<AutoUpdater>) | undefined {
  if (process.platform !== 'darwin') return undefined;
  return async () => (await import('electron')).autoUpdater;
}
