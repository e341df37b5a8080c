import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isTrayIconShown } from '../../electron/system/tray-host.ts';
import { makeTestFolder } from '../support/home.ts';
import { requirePlace } from '../support/place.ts';
import { startSessionBus, startWatcher } from '../support/session-bus.ts';

/** Puts these programs, and no others, on the path; a link to a program, or a script. */
function usePrograms(programs: Readonly<Record<string, string>>): void {
  const folder = join(makeTestFolder(), 'bin');
  mkdirSync(folder);
  for (const [name, program] of Object.entries(programs)) {
    if (program.startsWith('/')) symlinkSync(program, join(folder, name));
    else writeFileSync(join(folder, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  }
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('the tray icon on a Linux desktop', () => {
  beforeEach((context) => requirePlace(context, 'a fake tray'));

  it('is not shown if no command answers', async () => {
    usePrograms({});
    expect(await isTrayIconShown()).toBe(false);
    usePrograms({ gdbus: 'echo "no such name" >&2; exit 1', busctl: 'echo b true' });
    expect(await isTrayIconShown()).toBe(false);
    usePrograms({ gdbus: 'exec /bin/sleep 600' });
    expect(await isTrayIconShown()).toBe(false);
  });

  type Items = readonly ((name: string) => string)[];
  const own = (name: string) => name;
  const foreign = () => 'org.freedesktop.DBus';
  const cases: readonly (readonly [title: string, host: boolean, items: Items, shown: boolean])[] =
    [
      ['is shown if the tray has it', true, [own], true],
      ['is shown among others, by its name and path', true, [foreign, (name) => `${name}/I`], true],
      ['is shown if its name and path are joined by @', true, [(name) => `${name}@/I`], true],
      ['is not shown if the tray refused it', true, [], false],
      ['is not shown if the tray has those of other programs', true, [foreign], false],
      ['is not shown if nobody displays the tray', false, [own], false],
      ['is not shown if it has left the bus', true, [() => ':9.9/I'], false],
    ];

  describe.each(['gdbus', 'busctl'] as const)('by %s', (program) => {
    beforeEach((context) => requirePlace(context, 'a session bus', program));

    it.each(cases)('%s', async (_title, hasHost, items, isShown) => {
      const address = await startSessionBus();
      await startWatcher(address, {
        hasHost,
        itemsOf: (name) => items.map((item) => item(name)),
      });
      usePrograms({ [program]: `/usr/bin/${program}` });
      vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', address);
      expect(await isTrayIconShown()).toBe(isShown);
    });

    it('is not shown on a desktop without a tray', async () => {
      const address = await startSessionBus();
      usePrograms({ [program]: `/usr/bin/${program}` });
      vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', address);
      expect(await isTrayIconShown()).toBe(false);
    });
  });
});
