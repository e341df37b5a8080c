import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '../../support/home.ts';

/** Writes a file for the running test and returns its path. */
export function writeTestFile(name: string, content: string | Uint8Array): string {
  const path = join(makeTestFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Writes a table of so many events, each with a number of its own. */
export function writeLargeFile(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `${at + 1},Event ${at + 1},2026-05-01T18:00:00Z,Hall ${at % 50}`,
  );
  return writeTestFile('large.csv', ['id,name,date,location', ...rows].join('\n'));
}
