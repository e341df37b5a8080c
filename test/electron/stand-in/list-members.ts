import { join } from 'node:path';
import process from 'node:process';
import { DownloadItem } from './double/download-item.ts';
import * as double from './double/electron.ts';
import { UtilityProcess } from './double/utility-process.ts';
import { WebContents, WebFrameMain } from './double/web-contents.ts';

/** Every member that an object of the double has, and its class. */
function membersOf(object: object): string[] {
  const names = new Set(Object.getOwnPropertyNames(object));
  let prototype = Object.getPrototypeOf(object);
  while (prototype !== null && prototype !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...names];
}

const { app, BrowserWindow, Menu, MenuItem, Notification, Tray, session } = double;
const window = new BrowserWindow();
const objects: Readonly<Record<string, readonly object[]>> = {
  App: [app],
  BaseWindow: [window, BrowserWindow],
  BrowserWindow: [window, BrowserWindow],
  Clipboard: [double.clipboard],
  CommandLine: [app.commandLine],
  CrashReporter: [double.crashReporter],
  Dialog: [double.dialog],
  DownloadItem: [new DownloadItem('', '')],
  IpcMain: [double.ipcMain],
  Menu: [new Menu(), Menu],
  MenuItem: [new MenuItem({})],
  NativeTheme: [double.nativeTheme],
  Notification: [new Notification(), Notification],
  PowerMonitor: [double.powerMonitor],
  Protocol: [double.protocol],
  Screen: [double.screen],
  Session: [session.defaultSession, session],
  Shell: [double.shell],
  Tray: [new Tray('')],
  UtilityProcess: [new UtilityProcess(join(import.meta.dirname, 'parent-port.ts')), UtilityProcess],
  WebContents: [new WebContents(2, {})],
  WebFrameMain: [new WebFrameMain('', null)],
};

// The process of the test wants to know, which can make none of these itself.
const lists = Object.entries(objects).map(([name, all]) => [name, all.flatMap(membersOf)]);
process.stdout.write(JSON.stringify(Object.fromEntries(lists)));
process.exit(0);
