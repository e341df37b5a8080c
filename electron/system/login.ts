import { spawn } from 'node:child_process';
import { app } from 'electron';
import { problem } from '../../server/base/errors.ts';
import { findStarts } from '../../server/base/program.ts';
import { autostartFile, isAutostarted, repairAutostart, setAutostart } from './autostart.ts';
import { hiddenArgument } from './opening.ts';

/** Returns the command that starts this program without its window. */
function startCommand(): readonly string[] {
  const application = app.isPackaged ? [] : [app.getAppPath()];
  return [findStarts().window, ...application, hiddenArgument];
}

function linuxFile(): string {
  return autostartFile(app.getPath('appData'));
}

function loginItem(): { readonly path: string; readonly args: string[] } {
  const [path = process.execPath, ...args] = startCommand();
  return { path, args };
}

/** Returns whether the system starts the program at login. The user can change this there, too. */
export function startsAtLogin(): boolean {
  if (process.platform === 'linux') return isAutostarted(linuxFile());
  const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(loginItem());
  // The entry remains if the user disables it in the Task Manager of Windows.
  return openAtLogin && (process.platform !== 'win32' || executableWillLaunchAtLogin);
}

/** Enables or disables the start at login. Throws `unavailable` if the system refuses. */
export function setStartAtLogin(wanted: boolean): void {
  if (process.platform === 'linux') setAutostart(linuxFile(), wanted ? startCommand() : undefined);
  else app.setLoginItemSettings({ openAtLogin: wanted, ...loginItem() });
  // macOS only logs a refusal, or waits for the user's approval.
  if (startsAtLogin() === wanted) return;
  throw problem('login_refused');
}

/** Updates the autostart entry on Linux if the program has moved. Throws `unavailable`. */
export function repairStartAtLogin(): void {
  if (process.platform === 'linux') repairAutostart(linuxFile(), startCommand());
}

/** Returns whether macOS started the program at login; other systems pass `--hidden`. */
export function wasStartedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

export function restartProgram(report: (error: unknown) => void): void {
  const { appImage } = findStarts();
  // Electron would use the mount of the AppImage, which ends with this process.
  if (appImage === undefined) app.relaunch();
  else spawn(appImage, [], { detached: true, stdio: 'ignore' }).on('error', report).unref();
  app.quit();
}
