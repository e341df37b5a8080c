import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from './home.ts';

const cli = join(import.meta.dirname, '../../server/cli/club-events.js');

/** Writes an executable script for a shell; `"$RUN"` in it is the command line of the sources. */
export function writeShellScript(name: string, ...lines: readonly string[]): string {
  const folder = makeTestFolder();
  const write = (file: string, ...text: readonly string[]) => {
    writeFileSync(join(folder, file), `#!/bin/sh\n${text.join('\n')}\n`, { mode: 0o755 });
    return join(folder, file);
  };
  const run = write('run', `exec "${process.execPath}" "${cli}" "$@"`);
  return write(name, `RUN="${run}"`, ...lines);
}
