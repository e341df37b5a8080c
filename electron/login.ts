import { spawn } from 'node:child_process';
import { app } from 'electron';
import { ClubEventsError } from '../server/errors.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { findAppImage } from './app-image.ts';
import { autostartFile, isAutostarted, mendAutostart, setAutostart } from './autostart.ts';
import { hiddenArgument } from './opening.ts';
import { settingsTexts } from './settings-texts.ts';

/** The command that starts this program as it was started now, without its window. */
function startCommand(): readonly string[] {
  // An AppImage runs from a folder that goes with it; this names the file itself.
  const program = findAppImage() ?? process.execPath;
  const application = app.isPackaged ? [] : [app.getAppPath()];
  return [program, ...application, hiddenArgument];
}

function linuxFile(): string {
  return autostartFile(app.getPath('appData'));
}

function loginItem(): { readonly path: string; readonly args: string[] } {
  const [path = process.execPath, ...args] = startCommand();
  return { path, args };
}

/** Whether the system will start the program at login, which the user can change there, too. */
export function startsAtLogin(): boolean {
  if (process.platform === 'linux') return isAutostarted(linuxFile());
  const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(loginItem());
  // Off in the Task Manager of Windows, the entry is there all the same.
  return openAtLogin && (process.platform !== 'win32' || executableWillLaunchAtLogin);
}

/** Turns the start at login on or off. Throws a sentence when the system does not follow. */
export function setStartAtLogin(wanted: boolean, language: Language): void {
  if (process.platform === 'linux') setAutostart(linuxFile(), wanted ? startCommand() : undefined);
  else app.setLoginItemSettings({ openAtLogin: wanted, ...loginItem() });
  // macOS only logs that it refused, or waits for the user's approval.
  if (startsAtLogin() === wanted) return;
  throw new ClubEventsError('unavailable', settingsTexts[language].loginRefused);
}

/** Keeps the start at login working when the program has moved, as by an update. Throws a sentence. */
export function mendStartAtLogin(): void {
  if (process.platform === 'linux') mendAutostart(linuxFile(), startCommand());
}

/** Whether macOS started the program at login; elsewhere its arguments say so. */
export function wasStartedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Ends the program and starts it again. */
export function restartProgram(report: (error: unknown) => void): void {
  const appImage = findAppImage();
  // Electron would start the program from the AppImage's mount, which goes with this process.
  if (appImage === undefined) app.relaunch();
  else spawn(appImage, [], { detached: true, stdio: 'ignore' }).on('error', report).unref();
  app.quit();
}
