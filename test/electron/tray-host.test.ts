import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hasTrayHost } from '../../electron/system/tray-host.ts';
import { makeTestFolder } from '../support/home.ts';
import { requirePlace } from '../support/place.ts';

/** Puts these programs, and no others, on the path. */
function usePrograms(programs: Readonly<Record<string, string>>): void {
  const folder = join(makeTestFolder(), 'bin');
  mkdirSync(folder);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const { PATH } = process.env;
  process.env['PATH'] = folder;
  onTestFinished(() => {
    process.env['PATH'] = PATH;
  });
}

describe('the tray host of a Linux desktop', () => {
  beforeEach((context) => requirePlace(context, 'a fake tray'));

  it.each([
    ['(<true>,)', true],
    ['(<false>,)', false],
  ])(
    'the tray host of a Linux desktop is there when the session bus says %s',
    async (answer, expected) => {
      usePrograms({ gdbus: `echo '${answer}'`, busctl: 'echo b true' });
      expect(await hasTrayHost()).toBe(expected);
    },
  );

  it('the tray host of a Linux desktop is queried with busctl if gdbus is missing', async () => {
    usePrograms({ busctl: 'echo b true' });
    expect(await hasTrayHost()).toBe(true);
  });

  it('the tray host of a Linux desktop is missing if no command answers', async () => {
    usePrograms({});
    expect(await hasTrayHost()).toBe(false);
    usePrograms({ gdbus: 'echo "no such name" >&2; exit 1', busctl: 'echo b true' });
    expect(await hasTrayHost()).toBe(false);
    usePrograms({ gdbus: 'exec /bin/sleep 600' });
    expect(await hasTrayHost()).toBe(false);
  });
});
