import { basename, join } from 'node:path';

/** The start of this program on this computer: the file to run, and its first arguments. */
export type Program = { readonly command: string; readonly args: readonly string[] };

/** The command line of this version, for Node.js. */
const script = join(import.meta.dirname, '../cli/club-events.js');

/**
 * Finds the program for a start by another one. The launcher of a package names itself in the
 * environment; an AppImage runs from a temporary folder, so its own file is named instead.
 */
export function findInstalled(
  env: NodeJS.ProcessEnv,
  execPath: string = process.execPath,
): Program {
  const launcher = env['APPIMAGE'] ?? env['CLUB_EVENTS_LAUNCHER'];
  if (launcher !== undefined) return { command: launcher, args: [] };
  // The window of a checkout runs in Electron.
  if (process.versions['electron'] !== undefined) return { command: 'node', args: [script] };
  return findOwn(execPath);
}

/**
 * Finds the program for a child of this process. Electron's own program does not run as Node.js in a
 * package, whose launcher does.
 */
export function findForChild(env: NodeJS.ProcessEnv): Program {
  const launcher = env['CLUB_EVENTS_LAUNCHER'];
  const isElectron = process.versions['electron'] !== undefined;
  if (isElectron && launcher !== undefined) return { command: launcher, args: [] };
  return isElectron ? { command: process.execPath, args: [script] } : findOwn(process.execPath);
}

function findOwn(execPath: string): Program {
  // On Windows, the console program of a package contains Node.js.
  const isNode = /^node(\.exe)?$/i.test(basename(execPath));
  return { command: execPath, args: isNode ? [script] : [] };
}
