import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';
import { openClub } from './open-club.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** An entry of a calendar, as a program has read it. */
type Entry = { readonly name: string; readonly start: string; readonly status: string };

/** Reads the entries of a calendar; the times of a club in UTC. */
function entriesOf(calendar: string): readonly Entry[] {
  const unfolded = calendar.replaceAll('\r\n ', '');
  return [...unfolded.matchAll(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g)].map(([event]) => {
    const find = (name: string) => new RegExp(`^${name}[^:]*:(.*)\r$`, 'm').exec(event)?.[1] ?? '';
    // A day without a time begins at midnight.
    const start = `${find('DTSTART')}T0000`.replace(/^(....)(..)(..)T(..)(..).*/, '$1-$2-$3T$4:$5');
    return { name: find('SUMMARY'), start, status: find('STATUS') };
  });
}

/** Models of the programs of members: each returns the entries that it shows. */
const readers: Readonly<Record<string, (calendar: string) => readonly Entry[]>> = {
  'removes what is cancelled': (calendar) =>
    entriesOf(calendar).filter(({ status }) => status !== 'CANCELLED'),
  'ignores the status': entriesOf,
  'reads 1 MB and 1,000 events': (calendar) =>
    Buffer.byteLength(calendar) > 1e6 ? [] : entriesOf(calendar).slice(0, 1_000),
  'knows the whole standard': (calendar) =>
    entriesOf(calendar).map((entry) => ({
      ...entry,
      name: entry.status === 'CANCELLED' ? `Cancelled: ${entry.name}` : entry.name,
    })),
};

it.each(Array.from({ length: choose(4, 1) }, (_, run) => run + 1))(
  'a calendar sends nobody to a locked hall, whatever program reads it, seed %i',
  { tags: 'long' },
  async (seed) => {
    const { clock, perform, user, addEvent, folder, tick } = await openClub('UTC');
    const pick = createRandom(seed);
    const output = join(folder, 'dates.ics');
    await perform('publish add', { user, output });
    const copy = join(folder, 'copy.json');
    const list = async () => {
      await perform('export', { user, output: copy });
      const { events } = JSON.parse(readFileSync(copy, 'utf8'));
      return events as readonly StoredEvent[];
    };
    const someDate = () =>
      new Date(clock.now + (1 + pick(60)) * day + pick(24) * hour).toISOString();
    let number = 0;
    const edits = [
      () => {
        number += 1;
        return addEvent(`Event ${number}`, someDate());
      },
      (id: number) => perform('event edit', { user, id, changes: { date: someDate() } }),
      (id: number) =>
        perform('event cancel', { user, id, reason: pick(2) ? 'The hall is locked' : '' }),
      (id: number) => perform('event edit', { user, id, changes: { status: 'active' } }),
      (id: number) => perform('event remove', { user, id }),
    ];
    const seen = { off: 0, on: 0 };
    let backup = (await perform('backup', {})).output;
    for (let week = 0; week < choose(250, 12); week += 1) {
      clock.now += 7 * day;
      for (let step = 0; step < 4; step += 1) {
        clock.now += hour;
        const coming = (await list()).filter(({ date }) => Date.parse(date) > clock.now);
        const { id } = coming[pick(Math.max(1, coming.length))] ?? {};
        // An event is added more often than removed.
        const edit = id === undefined ? edits[0] : (edits[pick(edits.length + 3)] ?? edits[0]);
        await edit?.(id ?? 0);
      }
      if (pick(5) === 0) {
        const { history } = await perform('history', { user });
        const [last] = history;
        if (last !== undefined) await perform('undo', { id: last.id });
      }
      if (pick(10) === 0) await perform('restore', { file: backup });
      if (pick(10) === 0) backup = (await perform('backup', {})).output;
      await tick();
      const calendar = readFileSync(output, 'utf8');
      const isAhead = (date: string) => Date.parse(`${date.slice(0, 16)}Z`) > clock.now;
      const expected = (await list())
        .filter(({ date }) => isAhead(date))
        .map(({ name, date, status }) => [
          status === 'cancelled' ? `Cancelled: ${name}` : name,
          date.slice(0, 16),
        ]);
      for (const [name] of expected) seen[name?.startsWith('Cancelled') ? 'off' : 'on'] += 1;
      for (const [reader, read] of Object.entries(readers)) {
        const shown = read(calendar)
          .filter(({ start }) => isAhead(start))
          .map(({ name, start }) => [name, start]);
        expect(shown.toSorted(), reader).toEqual(expected.toSorted());
      }
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(choose(50, 5));
  },
);
