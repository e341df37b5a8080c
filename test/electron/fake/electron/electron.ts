import { dirname } from 'node:path';
import process from 'node:process';
import { runInThisContext } from 'node:vm';
import { options, setVersions } from '../versions.ts';
import { app } from './app.ts';
import { answerChromium } from './chromium.ts';
import { Protocol } from './protocol.ts';
import {
  Clipboard,
  CrashReporter,
  NativeTheme,
  PowerMonitor,
  SafeStorage,
  Screen,
  Shell,
} from './system.ts';
import { UtilityProcess } from './utility-process.ts';

/**
 * A fake for the module `electron`, whose runtime is not on every machine. The application runs
 * unchanged in a process of Node; its windows are pages of a real Chromium in the process of the
 * tests, which is asked and asks over the channel between the two.
 */
// biome-ignore-start lint/performance/noBarrelFile: to the application this is one module
export { app } from './app.ts';
export { dialog } from './dialog.ts';
export { ipcMain } from './ipc.ts';
export { Menu, MenuItem } from './menu.ts';
export { session } from './session.ts';
export { Notification } from './system.ts';
export { Tray } from './tray.ts';
export { BrowserWindow, BrowserWindow as BaseWindow } from './window.ts';
// biome-ignore-end lint/performance/noBarrelFile: to the application this is one module

export const clipboard = new Clipboard();
export const crashReporter = new CrashReporter();
export const nativeTheme = new NativeTheme();
export const protocol = new Protocol(() => app.isReady());
export const powerMonitor = new PowerMonitor();
export const safeStorage = new SafeStorage();
export const screen = new Screen();
export const shell = new Shell();
export const utilityProcess: Pick<typeof Electron.UtilityProcess, 'fork'> = {
  fork(...given) {
    if (app.isReady()) return UtilityProcess.fork(...given);
    throw new TypeError('utilityProcess cannot be created before app is ready.');
  },
};

setVersions();
Object.defineProperty(process, 'resourcesPath', { value: dirname(options.appPath) });

answerChromium('evaluate', async ({ source, arg }) => {
  // As Playwright does it under Electron: in the global scope, with the module as first argument.
  const run = runInThisContext(`(${source})`) as (module: unknown, arg: unknown) => unknown;
  return run(await import('./electron.ts'), arg);
});
