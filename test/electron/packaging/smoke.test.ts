// @module-tag long
import { beforeEach, describe, expect, it } from 'vitest';
import { checkCommandLine, checkWindow } from '../../../electron/packaging/smoke.ts';
import { requirePlace } from '../../support/place.ts';
import { writeShellScript } from '../../support/script.ts';

describe('the smoke tests', () => {
  beforeEach((context) => requirePlace(context, 'a Unix shell'));
  // That they pass for a whole command line is shown in smoke.long.test.ts.
  it.each([
    ['an empty line before the output', 'echo; exec "$RUN" "$@"', '--version'],
    ['a line of Chromium on stderr', 'echo "[1:1] ERROR: dbus" >&2; exec "$RUN" "$@"', '--version'],
    ['another exit status', '"$RUN" "$@"; exit 0', 'exprot'],
    ['arguments that are lost', 'exec "$RUN" "$1"', 'user add'],
    ['no program at all', 'exit 127', '--version'],
  ])('the smoke tests fail for %s', async (_, line, command) => {
    const running = checkCommandLine([writeShellScript('club-events', line)]);
    await expect(running).rejects.toThrow(new RegExp(`^${command}[^]*\nexpected: `));
  });

  it('the smoke tests pass for a program that serves without its window, and ends cleanly', async () => {
    await checkWindow(
      writeShellScript('program', '[ "$*" = --hidden ] || exit 2', 'exec "$RUN" serve --port 0'),
    );
  });

  it.each([
    ['ends at once', 'echo "Missing X server" >&2; exit 1', /the program ended.*Missing X server/s],
    [
      'does not close its service',
      '"$RUN" serve --port 0 & trap "kill -9 $!; exit 0" TERM; wait',
      'service.json is still there',
    ],
    ['ends with a failure', '"$RUN" serve --port 0 & trap "kill $!; exit 3" TERM; wait', 'with 3'],
  ])('the smoke tests fail for a program that %s', async (_, line, reason) => {
    await expect(checkWindow(writeShellScript('program', line))).rejects.toThrow(reason);
  });
});
