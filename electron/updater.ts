import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
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
    guardUpdater(updater, ({ protocol }) => protocol === 'https:');
    return updater;
  };
}
