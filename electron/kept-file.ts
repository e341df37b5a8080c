import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';

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

/** Writes such a file whole or not at all, whatever happens to the power. */
export function writeKeptFile(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  try {
    const file = openSync(draft, 'w', 0o600);
    try {
      writeSync(file, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
