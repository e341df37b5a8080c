import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const watcher = 'org.kde.StatusNotifierWatcher';
const object = '/StatusNotifierWatcher';
const bus = 'org.freedesktop.DBus';
const busObject = '/org/freedesktop/DBus';

/** A program that queries the session bus; not every desktop has both. */
type Query = {
  readonly program: string;
  /** Prints the properties of the watcher, which knows all icons. */
  readonly watcher: readonly string[];
  /** Prints the id of the process that has a name on the bus. */
  processOf(name: string): readonly string[];
};

const gdbusCall = (to: string, path: string, method: string, ...args: readonly string[]) =>
  ['call', '--session', '--dest', to, '--object-path', path, '--method', method].concat(args);

const queries: readonly Query[] = [
  {
    program: 'gdbus',
    watcher: gdbusCall(watcher, object, `${bus}.Properties.GetAll`, watcher),
    processOf: (name) => gdbusCall(bus, busObject, `${bus}.GetConnectionUnixProcessID`, name),
  },
  {
    program: 'busctl',
    watcher: ['--user', 'get-property', watcher, object, watcher].concat([
      'IsStatusNotifierHostRegistered',
      'RegisteredStatusNotifierItems',
    ]),
    processOf: (name) =>
      ['--user', 'call', bus, busObject, bus].concat(['GetConnectionUnixProcessID', 's', name]),
  },
];

/** Time limit in milliseconds; a bus that does not answer has no tray. */
const limit = 1_000;

async function print(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { timeout: limit });
  return stdout;
}

/** Returns the names on the bus that have an icon. A path may follow, which differs by the desktop. */
function namesOfItems(properties: string): readonly string[] {
  const texts = properties.matchAll(/['"]([^'"]+)['"]/g);
  const names = Array.from(texts, ([, text = '']) => /^[^/@]+/.exec(text)?.[0] ?? '');
  return names.filter((name) => name.includes('.'));
}

async function isShownBy({ program, watcher: ask, processOf }: Query): Promise<boolean> {
  const properties = await print(program, ask);
  if (!/\btrue\b/.test(properties)) return false;
  const owners = namesOfItems(properties).map((name) =>
    // A name may have left the bus meanwhile.
    print(program, processOf(name)).catch(() => ''),
  );
  // With the type of a number: `(uint32 4711,)` or `u 4711`.
  return (await Promise.all(owners)).some((text) => new RegExp(`\\b${process.pid}\\b`).test(text));
}

/**
 * Returns whether a Linux desktop shows the tray icon of this process. Electron does not report it:
 * without a tray, or if the tray refuses the icon, `new Tray` succeeds and shows nothing
 * (https://github.com/electron/electron/issues/5872).
 */
export async function isTrayIconShown(): Promise<boolean> {
  for (const query of queries) {
    try {
      return await isShownBy(query);
    } catch (error) {
      // Any other failure means that there is no tray.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  }
  return false;
}
