import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';
import { minute, openLaptop } from '../../support/second-laptop.ts';

/** A version of the file, and the events of the club when it was written. */
type Version = { readonly bytes: Buffer; readonly events: ReadonlyMap<number, StoredEvent> };

const steps = choose(1_000, 100);

// Several runs, as each has a limited time.
it.each(Array.from({ length: choose(10, 1) }, (_, run) => run + 1))(
  `keeps every event of the newest version that arrived, over ${steps} random steps, run %i`,
  async (run) => {
    const random = createRandom(20_261_118 + run);
    const integer = (least: number, most: number) => least + random(most - least + 1);
    const pick = <T>(values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];
    const first = await openLaptop(Array.from({ length: 30 }, (_, index) => makeEvent(index + 1)));
    const second = await openLaptop();
    const written = join(makeTestFolder(), 'rovers.json');
    const arrived = join(makeTestFolder(), 'rovers.json');
    await first.perform('publish add', { output: written });
    const versions: Version[] = [];
    const noteVersion = async () => {
      const bytes = readFileSync(written);
      if (versions.at(-1)?.bytes.equals(bytes)) return;
      versions.push({ bytes, events: await first.stored() });
    };
    await noteVersion();
    writeFileSync(arrived, readFileSync(written));
    await second.perform('mirror set', { file: arrived });
    /** The newest version that the second computer has read. */
    let taken = 0;
    let lastArrived = 0;
    const seen = { old: 0, damaged: 0, conflicts: 0, late: 0 };

    const change = async () => {
      const ids = [...(await first.stored()).keys()];
      const id = ids[integer(0, ids.length - 1)] ?? 0;
      const name = `Event ${integer(0, 1e6)}`;
      const kind = ids.length < 20 ? 'add' : pick(['add', 'edit', 'edit', 'remove']);
      if (kind === 'add')
        await first.perform('event add', { event: { name, date: '2026-12-24T19:00' } });
      else if (kind === 'edit') await first.perform('event edit', { id, changes: { name } });
      else await first.perform('event remove', { id });
    };
    const writeFile = async () => {
      await first.perform('publish tick');
      await noteVersion();
    };
    const beside = (name: string) => join(dirname(arrived), name);
    const sync = async () => {
      second.clock.now += 5 * minute;
      const { results } = await second.perform('mirror sync');
      const { question } = results[0]?.status ?? {};
      expect(question?.kind ?? 'removals').toBe('removals');
      if (question) await second.perform('mirror sync', { confirmRemovals: true });
    };
    /** The sync program brings a version: the next ones late, or an old one again. */
    const deliver = async () => {
      const isOld = integer(0, 4) === 0;
      const last = versions.length - 1;
      const index = isOld ? integer(0, last) : integer(Math.min(lastArrived, last), last);
      const bytes = versions[index]?.bytes ?? Buffer.of();
      const isDamaged = integer(0, 9) === 0;
      if (isDamaged) {
        writeFileSync(arrived, bytes.subarray(0, integer(0, bytes.length - 1)));
        seen.damaged += 1;
      } else {
        writeFileSync(arrived, bytes);
        lastArrived = Math.max(lastArrived, index);
        if (index < taken) seen.old += 1;
        else if (index < last) seen.late += 1;
        taken = Math.max(taken, index);
      }
      await sync();
      expect(await second.stored()).toEqual(versions[taken]?.events);
    };
    const conflict = async () => {
      const name = pick([
        'rovers (conflicted copy 2026-11-19).json',
        'rovers.sync-conflict-1.json',
      ]);
      const any = versions[integer(0, versions.length - 1)];
      if (integer(0, 1) === 0) rmSync(beside(name), { force: true });
      else writeFileSync(beside(name), any?.bytes ?? '');
      seen.conflicts += 1;
      await sync();
    };
    const moveClock = async () => {
      first.clock.now += integer(-60, 24 * 60) * minute;
    };
    for (let step = 0; step < steps; step += 1) {
      await pick([change, change, writeFile, writeFile, deliver, deliver, conflict, moveClock])();
    }
    await writeFile();
    taken = versions.length - 1;
    writeFileSync(arrived, versions.at(-1)?.bytes ?? '');
    await sync();
    expect(await second.stored()).toEqual(await first.stored());
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
);
