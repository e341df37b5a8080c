import { join } from 'node:path';
import process from 'node:process';
import { DownloadItem } from './electron/download-item.ts';
import * as fakeElectron from './electron/electron.ts';
import { UtilityProcess } from './electron/utility-process.ts';
import { WebContents, WebFrameMain } from './electron/web-contents.ts';

/** Every member that an object of the fake has, and its class. */
function membersOf(object: object): string[] {
  const names = new Set(Object.getOwnPropertyNames(object));
  let prototype = Object.getPrototypeOf(object);
  while (prototype !== null && prototype !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...names];
}

const { app, BrowserWindow, Menu, MenuItem, Notification, Tray, session } = fakeElectron;
const window = new BrowserWindow();
const objects: Readonly<Record<string, readonly object[]>> = {
  App: [app],
  BaseWindow: [window, BrowserWindow],
  BrowserWindow: [window, BrowserWindow],
  Clipboard: [fakeElectron.clipboard],
  CommandLine: [app.commandLine],
  CrashReporter: [fakeElectron.crashReporter],
  Dialog: [fakeElectron.dialog],
  DownloadItem: [new DownloadItem('', '')],
  IpcMain: [fakeElectron.ipcMain],
  Menu: [new Menu(), Menu],
  MenuItem: [new MenuItem({})],
  NativeTheme: [fakeElectron.nativeTheme],
  Notification: [new Notification(), Notification],
  PowerMonitor: [fakeElectron.powerMonitor],
  Protocol: [fakeElectron.protocol],
  SafeStorage: [fakeElectron.safeStorage],
  Screen: [fakeElectron.screen],
  Session: [session.defaultSession, session],
  Shell: [fakeElectron.shell],
  Tray: [new Tray('')],
  UtilityProcess: [new UtilityProcess(join(import.meta.dirname, 'parent-port.ts')), UtilityProcess],
  WebContents: [new WebContents(2, {})],
  WebFrameMain: [new WebFrameMain('', null)],
};

// The process of the test wants to know, which can make none of these itself.
const lists = Object.entries(objects).map(([name, all]) => [name, all.flatMap(membersOf)]);
process.stdout.write(JSON.stringify(Object.fromEntries(lists)));
process.exit(0);
