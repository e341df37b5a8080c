import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '../../../support/home.ts';

/** Writes a file for the running test, and tells where it is. */
export function writeTestFile(name: string, content: string | Uint8Array): string {
  const path = join(makeTestFolder(), name);
  writeFileSync(path, content);
  return path;
}
