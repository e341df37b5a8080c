import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const name = 'org.kde.StatusNotifierWatcher';
const object = '/StatusNotifierWatcher';
const property = 'IsStatusNotifierHostRegistered';

/** Commands that query the session bus; not every desktop has both. */
const queries: readonly (readonly [program: string, args: readonly string[]])[] = [
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

/** Time limit in milliseconds; a bus that does not answer has no tray. */
const limit = 1_000;

/**
 * Returns whether a Linux desktop shows icons in a tray. Electron does not report it: without a
 * tray, `new Tray` succeeds and shows nothing (https://github.com/electron/electron/issues/5872).
 */
export async function hasTrayHost(): Promise<boolean> {
  for (const [program, args] of queries) {
    try {
      const { stdout } = await promisify(execFile)(program, [...args], { timeout: limit });
      return /\btrue\b/.test(stdout);
    } catch (error) {
      // Any other failure means that there is no tray.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  }
  return false;
}
