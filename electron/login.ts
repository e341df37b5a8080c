import { app } from 'electron';
import { autostartFile, mendAutostart, setAutostart } from './autostart.ts';
import { hiddenArgument } from './opening.ts';

/** The command that starts this program as it was started now, without its window. */
function startCommand(): readonly string[] {
  // An AppImage runs from a folder that goes with it; this names the file itself.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const application = app.isPackaged ? [] : [app.getAppPath()];
  return [program, ...application, hiddenArgument];
}

function linuxFile(): string {
  return autostartFile(app.getPath('appData'));
}

/** Has the program started at login, or not any more. Throws a sentence when that cannot be set. */
export function setStartAtLogin(wanted: boolean): void {
  if (process.platform === 'linux') {
    setAutostart(linuxFile(), wanted ? startCommand() : undefined);
  } else {
    const [path = process.execPath, ...args] = startCommand();
    app.setLoginItemSettings({ openAtLogin: wanted, path, args });
  }
}

/** Keeps the start at login working when the program has moved, as by an update. */
export function mendStartAtLogin(): void {
  if (process.platform === 'linux') mendAutostart(linuxFile(), startCommand());
}

/** Whether macOS started the program at login; elsewhere its arguments say so. */
export function wasStartedAtLogin(): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}
