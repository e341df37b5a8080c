import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWholeFile } from '../../server/base/write-file.ts';
import { dayMs } from '../../server/dates/units.ts';

/** The time for which a pasted text is kept, in milliseconds: an import may wait for a person. */
const maxAgeMs = 30 * dayMs;

/** Writes a pasted text to a new file below a folder, and removes earlier ones; returns its path. */
export function writePasted(
  folder: string,
  { name, text }: { name: string; text: string },
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const each of readdirSync(folder)) {
    const old = join(folder, each);
    if (Date.now() - statSync(old).mtimeMs > maxAgeMs) rmSync(old, { recursive: true });
  }
  const path = join(mkdtempSync(join(folder, 'text-')), name);
  // The mark leaves no doubt about the encoding of a short text.
  writeWholeFile(path, ['\ufeff', text]);
  return path;
}
