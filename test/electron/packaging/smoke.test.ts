import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCommandLine, checkWindow } from '../../../electron/packaging/smoke.ts';
import { makeTestFolder } from '../../support/home.ts';

const cli = join(import.meta.dirname, '../../../server/cli.js');

/** Writes an executable script for a shell; `$RUN` in it is the command line of the sources. */
function writeScript(name: string, ...lines: readonly string[]): string {
  const path = join(makeTestFolder(), name);
  const run = `RUN="${process.execPath} ${cli}"`;
  writeFileSync(path, `#!/bin/sh\n${run}\n${lines.join('\n')}\n`, { mode: 0o755 });
  return path;
}

describe.skipIf(process.platform === 'win32')('the smoke tests (scripts of a Unix shell)', () => {
  it('pass for the command line of the sources', async () => {
    await checkCommandLine([writeScript('club-events', 'exec $RUN "$@"')]);
  });

  it.each([
    ['an empty line before the output', 'echo; exec $RUN "$@"'],
    ['a line of Chromium on stderr', 'echo "[1:1] ERROR: dbus" >&2; exec $RUN "$@"'],
    ['another exit status', '$RUN "$@"; exit 0'],
    ['arguments that are lost', 'exec $RUN "$1"'],
    ['no program at all', 'exit 127'],
  ])('fail for %s', async (_, line) => {
    const running = checkCommandLine([writeScript('club-events', line)]);
    await expect(running).rejects.toThrow('expected: ');
  });

  it('pass for a program that serves without its window, and ends cleanly', async () => {
    await checkWindow(
      writeScript('program', '[ "$*" = --hidden ] || exit 2', 'exec $RUN serve --port 0'),
    );
  });

  it.each([
    ['ends at once', 'echo "Missing X server" >&2; exit 1', /the program ended.*Missing X server/s],
    [
      'does not close its service',
      '$RUN serve --port 0 & trap "kill -9 $!; exit 0" TERM; wait',
      'service.json is still there',
    ],
    ['ends with a failure', '$RUN serve --port 0 & trap "kill $!; exit 3" TERM; wait', 'with 3'],
  ])('fail for a program that %s', async (_, line, reason) => {
    await expect(checkWindow(writeScript('program', line))).rejects.toThrow(reason);
  });
});
