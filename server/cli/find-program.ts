import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { commandProblem } from '../base/errors.ts';

type System = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
};

/** Returns the paths where `spawn` looks for a program. */
function placesOf(program: string, { env = {}, platform }: System): readonly string[] {
  const isWindows = platform === 'win32';
  const hasFolder = (isWindows ? /[\\/:]/ : /\//).test(program);
  const path = (env['PATH'] ?? '/usr/bin:/bin').replaceAll('"', '').split(delimiter);
  const folders = hasFolder ? ['.'] : [...(isWindows ? ['.'] : []), ...path];
  const endings = isWindows ? ['', '.com', '.exe'] : [''];
  return folders.flatMap((folder) => endings.map((ending) => resolve(folder, program + ending)));
}

/** Returns the code of the error if a file cannot be executed. */
function refusalOf(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

/**
 * Throws a problem if a program cannot be started: `watch_command_unknown` if it is not there, and
 * `watch_command_batch` for a batch file of Windows, which needs its interpreter.
 */
export function requireProgram(
  program: string,
  { env = process.env, platform = process.platform }: System = {},
): void {
  if (platform === 'win32' && /\.(bat|cmd)[. ]*$/i.test(program)) {
    throw commandProblem('watch_command_batch', { program });
  }
  const refusals = placesOf(program, { env, platform }).map(refusalOf);
  if (refusals.includes(undefined)) return;
  const reason = refusals.includes('EACCES') ? 'EACCES' : 'ENOENT';
  throw commandProblem('watch_command_unknown', { program, reason });
}
