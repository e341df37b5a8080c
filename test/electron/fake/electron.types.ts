import type { EventEmitter } from 'node:events';
import type { App, AppEvents } from './electron/app.ts';
import type { CommandLine } from './electron/command-line.ts';
import type { Dialog } from './electron/dialog.ts';
import type { DownloadItem } from './electron/download-item.ts';
import type * as fakeElectron from './electron/electron.ts';
import type { IpcMain } from './electron/ipc.ts';
import type { Menu, MenuItem } from './electron/menu.ts';
import type { Protocol } from './electron/protocol.ts';
import type { Session, SessionEvents } from './electron/session.ts';
import type {
  Clipboard,
  CrashReporter,
  NativeTheme,
  Notification,
  PowerEvents,
  PowerMonitor,
  Screen,
  Shell,
  ThemeEvents,
} from './electron/system.ts';
import type { Tray, TrayEvents } from './electron/tray.ts';
import type { UtilityProcess, UtilityProcessEvents } from './electron/utility-process.ts';
import type { WebContents, WebContentsEvents, WebFrameMain } from './electron/web-contents.ts';
import type { BrowserWindow, WindowEvents } from './electron/window.ts';

// The fake held against Electron's own definitions: what is wrong here does not compile.

/** Members of the fake that the fake or a test uses, and no program. */
type OwnMembers =
  | 'begin'
  | 'openWindows'
  | 'windowStays'
  | 'windowIsGone'
  | 'ownSession'
  | 'ownContents'
  | 'happened'
  | 'mayNavigate'
  | 'mayOpen'
  | 'frameOf'
  | 'destroy'
  | 'getLastWebPreferences'
  | 'isGranted'
  | 'beginDownload'
  | 'image'
  | 'savePath'
  | 'menu'
  | 'toolTip';

type Shared<Own, Real> = Exclude<keyof Own & keyof Real, keyof EventEmitter | 'prototype'>;

/**
 * What has a member that Electron's has not, or one that cannot be used as Electron's; never where
 * all is well. Functions are compared by what they take and give, whatever window is `this`.
 */
type Drift<Own, Real> =
  | Exclude<keyof Own, keyof Real | keyof EventEmitter | OwnMembers>
  | { [Name in Shared<Own, Real>]: Own[Name] extends Real[Name] ? never : Name }[Shared<Own, Real>];

/** The events that Electron does not have, or gives other arguments with. */
type EventDrift<Events extends Record<keyof Events, unknown[]>, Real> = {
  [Name in keyof Events]: Real extends {
    on(event: Name, listener: (...args: Events[Name]) => void): unknown;
  }
    ? never
    : Name;
}[keyof Events];

/** Compiles only when nothing drifted; else the error names what did. */
type Holds<Drifted extends never> = Drifted;

export type Held = [
  Holds<Drift<App, Electron.App>>,
  Holds<Drift<CommandLine, Electron.CommandLine>>,
  Holds<Drift<CrashReporter, Electron.CrashReporter>>,
  Holds<Drift<Dialog, Electron.Dialog>>,
  Holds<Drift<DownloadItem, Electron.DownloadItem>>,
  Holds<Drift<IpcMain, Electron.IpcMain>>,
  Holds<Drift<Menu, Electron.Menu>>,
  Holds<Drift<MenuItem, Electron.MenuItem>>,
  Holds<Drift<Protocol, Electron.Protocol>>,
  Holds<Drift<Session, Electron.Session>>,
  Holds<Drift<Clipboard, Electron.Clipboard>>,
  Holds<Drift<NativeTheme, Electron.NativeTheme>>,
  Holds<Drift<Notification, Electron.Notification>>,
  Holds<Drift<PowerMonitor, Electron.PowerMonitor>>,
  Holds<Drift<Screen, Electron.Screen>>,
  Holds<Drift<Shell, Electron.Shell>>,
  Holds<Drift<Tray, Electron.Tray>>,
  Holds<Drift<UtilityProcess, Electron.UtilityProcess>>,
  Holds<Drift<WebContents, Electron.WebContents>>,
  Holds<Drift<WebFrameMain, Electron.WebFrameMain>>,
  Holds<Drift<BrowserWindow, Electron.BrowserWindow>>,
  Holds<Drift<typeof BrowserWindow, typeof Electron.BrowserWindow>>,
  Holds<Drift<typeof Menu, typeof Electron.Menu>>,
  Holds<Exclude<keyof typeof fakeElectron, keyof typeof Electron.CrossProcessExports>>,
];

export type HeldEvents = [
  Holds<EventDrift<AppEvents, Electron.App>>,
  Holds<EventDrift<SessionEvents, Electron.Session>>,
  Holds<EventDrift<ThemeEvents, Electron.NativeTheme>>,
  Holds<EventDrift<PowerEvents, Electron.PowerMonitor>>,
  Holds<EventDrift<TrayEvents, Electron.Tray>>,
  Holds<EventDrift<UtilityProcessEvents, Electron.UtilityProcess>>,
  Holds<EventDrift<WebContentsEvents, Electron.WebContents>>,
  Holds<EventDrift<WindowEvents, Electron.BrowserWindow>>,
];
