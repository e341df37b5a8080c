import { readFileSync, statSync } from 'node:fs';
import { writeWholeFile } from '../server/write-file.ts';

/** Far more than any of them needs: what is longer is not ours. In bytes. */
const longest = 100_000;

/**
 * Reads a small JSON file that the program keeps for itself; undefined when there is none. Throws
 * when it cannot be read or is no JSON.
 */
export function readKeptFile(path: string): unknown {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.size > longest) throw new Error(`${path} is too long.`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Writes such a file whole or not at all. Throws `unavailable` naming it. */
export function writeKeptFile(path: string, value: unknown): void {
  writeWholeFile(path, [`${JSON.stringify(value, null, 2)}\n`]);
}
