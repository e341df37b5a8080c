import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { fileError, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
import type { ProblemCode } from '../messages/message.ts';

/** Returns the path of a file about things outside the database, in a folder that exists. */
export function outsidePath({ outside }: Home, name: string): string {
  try {
    mkdirSync(outside, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileError(error, outside);
  }
  return join(outside, name);
}

/** Reads a file of the data directory; undefined if there is none. Throws the problem of the file. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
}

/**
 * Reads what a person chose for things outside; undefined without a file. Throws a problem with the
 * code `damaged` for one of another shape: nobody else knows the choices.
 */
export function readList<T>(
  path: string,
  schema: z.ZodType<T>,
  damaged: ProblemCode,
): T | undefined {
  const text = readIfThere(path)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw problem(damaged, { path }, error);
  }
}

/**
 * Reads what this computer remembers about things outside; undefined if it remembers nothing, or if
 * the file is damaged. A look at the things themselves then finds most of it again.
 */
export function readOutsideState<T>({ outside }: Home, name: string, schema: z.ZodType<T>) {
  const text = readIfThere(join(outside, name))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Stores what this computer remembers; removes the file if that is undefined. */
export function writeOutsideState(home: Home, name: string, value: unknown): void {
  const path = outsidePath(home, name);
  if (value !== undefined) writeWholeFile(path, [`${JSON.stringify(value)}\n`]);
  else rmSync(path, { force: true });
}

/** Lists the names of these files. */
export function listOutsideStates({ outside }: Home): readonly string[] {
  return existsSync(outside) ? readdirSync(outside) : [];
}
