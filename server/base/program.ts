import { basename, join } from 'node:path';
import process from 'node:process';

/** A file to run, and its first arguments. */
export type Program = { readonly command: string; readonly args: readonly string[] };

/** The start of a process, as far as it knows. */
export type Started = Pick<NodeJS.Process, 'env' | 'execPath'> & {
  readonly versions: Readonly<Record<string, string | undefined>>;
};

/** The ways to start this program on this computer. */
export type Starts = {
  /** The AppImage that the program runs from. Its other files are in a mount that ends with it. */
  readonly appImage: string | undefined;
  /** The file for later starts of the window. */
  readonly window: string;
  /** The command line for later starts by another program. */
  readonly commandLine: Program;
  /** The command line for a child of this process. */
  readonly child: Program;
};

/** The command line of this version, for Node.js. */
const script = join(import.meta.dirname, '../cli/club-events.js');

/** Finds out how to start this program. The launcher of a package names itself in the environment. */
export function findStarts({ env, execPath, versions }: Started = process): Starts {
  const { APPIMAGE, APPDIR, CLUB_EVENTS_LAUNCHER: launcher } = env;
  // The variables of another AppImage, such as a terminal, are inherited.
  const isInside = Boolean(APPDIR) && execPath.startsWith(`${APPDIR}/`);
  const appImage = isInside ? APPIMAGE : undefined;
  const isElectron = versions['electron'] !== undefined;
  // On Windows, the console program of a package contains Node.js.
  const isNode = /^node(\.exe)?$/i.test(basename(execPath));
  const own = { command: execPath, args: isElectron || isNode ? [script] : [] };
  const file = appImage ?? launcher;
  return {
    appImage,
    window: appImage ?? execPath,
    // The window of a checkout runs in Electron, which another program would not start as Node.js.
    commandLine:
      file === undefined
        ? { ...own, command: isElectron ? 'node' : execPath }
        : { command: file, args: [] },
    // Electron's own program does not run as Node.js in a package, whose launcher does.
    child: isElectron && launcher !== undefined ? { command: launcher, args: [] } : own,
  };
}
