import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileError, problem } from '../base/errors.ts';
import { syncFolder, writeWholeFile } from '../base/write-file.ts';
import type { ProblemCode } from '../messages/message.ts';

/**
 * Returns the text of a file with secrets; undefined if there is none. Throws the problem `open` if
 * other accounts may read it, or `unavailable`.
 */
export function readPrivateFile(path: string, open: ProblemCode): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
  try {
    // Windows has no such mode: there the folder of the account protects the file.
    const isPrivate = process.platform === 'win32' || (fstatSync(file).mode & 0o077) === 0;
    if (!isPrivate) throw problem(open, { path });
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileError(error, path);
  } finally {
    closeSync(file);
  }
}

/** Returns the path of the temporary file of secrets, which the next writer finds after a kill. */
export const privateTemporary = (path: string): string => `${path}.tmp`;

/**
 * Writes secrets by name as a file that only the owner may read; removes it with the last one. Call it
 * under the lock of the file.
 */
export function writePrivateFile(path: string, secrets: Readonly<Record<string, unknown>>): void {
  const temporary = privateTemporary(path);
  try {
    rmSync(temporary, { force: true });
    if (Object.keys(secrets).length > 0) {
      writeWholeFile(path, [`${JSON.stringify(secrets)}\n`], { temporary });
      return;
    }
    rmSync(path, { force: true });
    syncFolder(dirname(path));
  } catch (error) {
    throw fileError(error, path);
  }
}
