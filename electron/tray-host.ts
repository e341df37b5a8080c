import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const name = 'org.kde.StatusNotifierWatcher';
const object = '/StatusNotifierWatcher';
const property = 'IsStatusNotifierHostRegistered';

/** Programs that ask the session bus; not every desktop has both. */
const questions: readonly (readonly [program: string, args: readonly string[]])[] = [
  [
    'gdbus',
    ['call', '--session', '--dest', name, '--object-path', object].concat([
      '--method',
      'org.freedesktop.DBus.Properties.Get',
      name,
      property,
    ]),
  ],
  ['busctl', ['--user', 'get-property', name, object, name, property]],
];

/** In milliseconds; a bus that does not answer has no tray. */
const limit = 1_000;

/**
 * Asks a Linux desktop whether it shows icons in a tray. Electron cannot tell: where there is no
 * tray, `new Tray` succeeds and shows nothing (https://github.com/electron/electron/issues/5872).
 */
export async function askForTray(): Promise<boolean> {
  for (const [program, args] of questions) {
    try {
      const { stdout } = await promisify(execFile)(program, [...args], { timeout: limit });
      return /\btrue\b/.test(stdout);
    } catch (error) {
      // Any other failure is the answer of a bus without a tray.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  }
  return false;
}
