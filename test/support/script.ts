import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from './home.ts';

const cli = join(import.meta.dirname, '../../server/cli.js');

/** Writes an executable script for a shell; `$RUN` in it is the command line of the sources. */
export function writeShellScript(name: string, ...lines: readonly string[]): string {
  const path = join(makeTestFolder(), name);
  const run = `RUN="${process.execPath} ${cli}"`;
  writeFileSync(path, `#!/bin/sh\n${run}\n${lines.join('\n')}\n`, { mode: 0o755 });
  return path;
}
