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
  SafeStorage,
  Screen,
  Shell,
  ThemeEvents,
} from './electron/system.ts';
import type { Tray, TrayEvents } from './electron/tray.ts';
import type { UtilityProcess, UtilityProcessEvents } from './electron/utility-process.ts';
import type { WebContents, WebContentsEvents, WebFrameMain } from './electron/web-contents.ts';
import type { BrowserWindow, WindowEvents } from './electron/window.ts';

// Compares the fake with Electron's definitions at compile time.

/** Members of the fake for tests, which programs do not use. */
type OwnMembers =
  | 'begin'
  | 'openWindows'
  | 'windowStays'
  | 'windowIsGone'
  | 'sessionIsOver'
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
 * Names of members that Electron lacks or that are not assignable to Electron's; `never` if all
 * match. Functions are compared without `this`.
 */
type Drift<Own, Real> =
  | Exclude<keyof Own, keyof Real | keyof EventEmitter | OwnMembers>
  | { [Name in Shared<Own, Real>]: Own[Name] extends Real[Name] ? never : Name }[Shared<Own, Real>];

/** Names of events that Electron lacks or emits with other arguments. */
type EventDrift<Events extends Record<keyof Events, unknown[]>, Real> = {
  [Name in keyof Events]: Real extends {
    on(event: Name, listener: (...args: Events[Name]) => void): unknown;
  }
    ? never
    : Name;
}[keyof Events];

/** Compiles only for `never`; otherwise the error names the members. */
type Matches<Drifted extends never> = Drifted;

export type MatchingMembers = [
  Matches<Drift<App, Electron.App>>,
  Matches<Drift<CommandLine, Electron.CommandLine>>,
  Matches<Drift<CrashReporter, Electron.CrashReporter>>,
  Matches<Drift<Dialog, Electron.Dialog>>,
  Matches<Drift<DownloadItem, Electron.DownloadItem>>,
  Matches<Drift<IpcMain, Electron.IpcMain>>,
  Matches<Drift<Menu, Electron.Menu>>,
  Matches<Drift<MenuItem, Electron.MenuItem>>,
  Matches<Drift<Protocol, Electron.Protocol>>,
  Matches<Drift<Session, Electron.Session>>,
  Matches<Drift<Clipboard, Electron.Clipboard>>,
  Matches<Drift<NativeTheme, Electron.NativeTheme>>,
  Matches<Drift<Notification, Electron.Notification>>,
  Matches<Drift<PowerMonitor, Electron.PowerMonitor>>,
  Matches<Drift<SafeStorage, Electron.SafeStorage>>,
  Matches<Drift<Screen, Electron.Screen>>,
  Matches<Drift<Shell, Electron.Shell>>,
  Matches<Drift<Tray, Electron.Tray>>,
  Matches<Drift<UtilityProcess, Electron.UtilityProcess>>,
  Matches<Drift<WebContents, Electron.WebContents>>,
  Matches<Drift<WebFrameMain, Electron.WebFrameMain>>,
  Matches<Drift<BrowserWindow, Electron.BrowserWindow>>,
  Matches<Drift<typeof BrowserWindow, typeof Electron.BrowserWindow>>,
  Matches<Drift<typeof Menu, typeof Electron.Menu>>,
  Matches<Exclude<keyof typeof fakeElectron, keyof typeof Electron.CrossProcessExports>>,
];

export type MatchingEvents = [
  Matches<EventDrift<AppEvents, Electron.App>>,
  Matches<EventDrift<SessionEvents, Electron.Session>>,
  Matches<EventDrift<ThemeEvents, Electron.NativeTheme>>,
  Matches<EventDrift<PowerEvents, Electron.PowerMonitor>>,
  Matches<EventDrift<TrayEvents, Electron.Tray>>,
  Matches<EventDrift<UtilityProcessEvents, Electron.UtilityProcess>>,
  Matches<EventDrift<WebContentsEvents, Electron.WebContents>>,
  Matches<EventDrift<WindowEvents, Electron.BrowserWindow>>,
];
