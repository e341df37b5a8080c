import { readFileSync, statSync } from 'node:fs';
import { writeWholeFile } from '../../server/base/write-file.ts';

/** Size limit in bytes, far above what the program writes. */
const maxBytes = 100_000;

/**
 * Reads a small JSON file of the program; undefined if it does not exist. Throws if it cannot be
 * read, is too long or is not JSON.
 */
export function readJsonFile(path: string): unknown {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.size > maxBytes) throw new Error(`${path} is too long.`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Writes a JSON file atomically. Throws `unavailable` naming it. */
export function writeJsonFile(path: string, value: unknown): void {
  writeWholeFile(path, [`${JSON.stringify(value, null, 2)}\n`]);
}
