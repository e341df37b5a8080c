import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOf } from '../../../db/event-hash.ts';
import { type EditableField, eventStatuses, eventTypes } from '../../../db/model.ts';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';
import { day, type Laptop, minute, openLaptop } from '../../support/second-laptop.ts';

const zones = ['Europe/Berlin', 'America/New_York'] as const;

/** The members that a person gives; the club itself gives the id and the time of creation. */
const values: Readonly<Record<EditableField, readonly unknown[]>> = {
  name: ['Match', 'Ärztetag </script>', 'x'],
  date: ['2026-12-05T14:00', '2027-03-28T02:30', '2026-11-30'],
  location: ['Hall', '', 'Füchse-Halle'],
  description: [null, 'Until 22:00\nBring cake', 'Note'],
  status: eventStatuses,
  eventType: [null, ...eventTypes],
  registrationOpen: [true, false, null],
};
const fields = Object.keys(values) as EditableField[];

const hour = 60 * minute;

/** A club, its copy, and the copy of the copy, each of which keeps a JSON file and a page. */
async function openChain(seed: number) {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const club = await openLaptop(Array.from({ length: 12 }, (_, index) => makeEvent(index + 1)));
  const chain: readonly Laptop[] = [club, await openLaptop(), await openLaptop()];
  // The computers themselves are elsewhere.
  for (const [index, { tools }] of chain.entries()) {
    Object.assign(tools, { systemTimeZone: () => (index === 1 ? 'Asia/Tokyo' : 'UTC') });
  }
  const folder = makeTestFolder();
  const fileOf = (index: number, ending = 'json') => join(folder, `${index}.${ending}`);
  /** The time of the last file that each computer has read; the club has the present. */
  const asOf = ['', '', ''];
  let name = 'Rovers';

  /** Publishes on a computer, after it has read the file before it. */
  const passOne = async (index: number) => {
    const laptop = chain[index] as Laptop;
    const before = index === 0 ? undefined : readCopyBytes(readFileSync(fileOf(index - 1)))?.head;
    if (before !== undefined) {
      await laptop.perform('mirror tick', { isWake: false, minutes: 15, missed: [] });
      asOf[index] = before.asOf;
    }
    await laptop.perform('publish tick');
  };
  const wait = (ms: number) => {
    for (const { clock } of chain) clock.now += ms;
  };
  const userOf = async ({ perform }: Laptop) => (await perform('user list')).users[0];

  /** Compares a computer with the file that it follows, and what it gives out with itself. */
  const check = async (index: number) => {
    const laptop = chain[index] as Laptop;
    const user = await userOf(laptop);
    const events = [...(await laptop.stored()).values()];
    const head = readCopyBytes(readFileSync(fileOf(index)))?.head;
    expect(head?.digest).toBe(digestOf(events));
    expect(head).toMatchObject({ club: user?.name, timeZone: user?.zone, complete: true });
    const page = readFileSync(fileOf(index, 'html'), 'utf8');
    const [, shown = ''] = / data-as-of="([^"]+)"/.exec(page) ?? [];
    expect(Date.parse(shown)).toBeLessThanOrEqual(laptop.clock.now);
    if (index === 0) return;
    const [status] = (await laptop.perform('mirror status', { user: undefined })).mirrors;
    expect(status).toMatchObject({ problem: null, question: null, asOf: asOf[index] });
    expect(head?.asOf).toBe(asOf[index]);
    expect(shown).toBe(asOf[index]);
    expect(page).toContain(`data-zone="${user?.zone}"`);
    expect(status?.oldestConfirmation).toBe(asOf[index]);
  };

  /** Lets everything arrive: all computers have the same events and facts. */
  const arrive = async () => {
    wait(5 * minute);
    for (const index of chain.keys()) await passOne(index);
    const stored = await club.stored();
    const { id: _, keys: __, createdAt: ___, ...facts } = (await userOf(club)) ?? {};
    const daysOff = (await club.perform('days-off list', { user: name })).calendars;
    for (const [index, laptop] of chain.entries()) {
      expect(await laptop.stored()).toEqual(stored);
      expect(await userOf(laptop)).toMatchObject(facts);
      const { calendars } = await laptop.perform('days-off list', { user: name });
      expect(calendars.map(({ days }) => days)).toEqual(daysOff.map(({ days }) => days));
      await check(index);
    }
  };

  const edit = async () => {
    wait(minute);
    // The same few again and again, so that values come and go.
    const id = pick([...(await club.stored()).keys()].slice(0, 3));
    const changes = Object.fromEntries(
      [pick(fields), pick(fields), 'registrationOpen' as const].map((field) => [
        field,
        pick(values[field]),
      ]),
    );
    await club.perform('event edit', { user: name, id, changes });
  };
  const undo = async () => {
    const { history } = await club.perform('history', { user: name });
    const edited = history.find(({ kind }) => kind === 'edit');
    if (edited === undefined) return;
    await club.perform('undo', { id: edited.id }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: expect.stringMatching(/undo/) });
    });
    name = (await userOf(club))?.name ?? '';
  };
  const add = () =>
    club.perform('event add', { user: name, event: { name: 'New', date: '2027-01-09' } });
  const remove = async () => {
    const ids = [...(await club.stored()).keys()];
    if (ids.length > 8) await club.perform('event remove', { user: name, id: pick(ids) });
  };
  const set = async () => {
    wait(minute);
    const first = `2026-12-2${random(10)}`;
    const source = pick(['a.ics', 'b.ics']);
    const calendar = { kind: 'file', name: source, source, readAt: '2026-11-19T08:00:00Z' };
    const days = [{ first, last: first, name: 'Free' }];
    const newName = `Rovers ${random(1_000)}`;
    const settings = [
      () =>
        club.perform('user zone', { name, zone: pick(zones), times: pick(['keep', 'convert']) }),
      () => club.perform('user length', { name, value: 60 + random(60) }),
      () => club.perform('user season', { name, value: 1 + random(12) }),
      () => club.perform('days-off put', { user: name, calendar: { ...calendar, days } }),
      async () => {
        await club.perform('user rename', { name, newName });
        name = newName;
      },
    ];
    await pick(settings)();
  };
  /** The file of one computer is away for weeks: those behind it keep its time and say it. */
  const isolate = async () => {
    await arrive();
    const index = random(2);
    const path = fileOf(index);
    const known = [...asOf];
    renameSync(path, `${path}.away`);
    for (let count = 0; count < 3; count += 1) {
      wait(7 * day);
      await edit();
      for (const laptop of chain.slice(index + 1)) {
        await laptop.perform('mirror tick', { isWake: false, minutes: 15, missed: [] });
        await laptop.perform('publish tick');
      }
      for (const [behind, laptop] of chain.entries()) {
        if (behind <= index) continue;
        const [status] = (await laptop.perform('mirror status', { user: undefined })).mirrors;
        expect(status?.asOf).toBe(known[behind]);
        const page = readFileSync(fileOf(behind, 'html'), 'utf8');
        expect(page).toContain(`data-as-of="${known[behind]}"`);
      }
    }
    renameSync(`${path}.away`, path);
    await arrive();
  };

  for (const [index, laptop] of chain.entries()) {
    if (index > 0) await laptop.perform('mirror set', { file: fileOf(index - 1) });
    for (const ending of ['json', 'html']) {
      await laptop.perform('publish add', { output: fileOf(index, ending) });
    }
    asOf[index] = index === 0 ? '' : new Date(club.clock.now).toISOString();
  }
  const often = [edit, edit, edit, undo, set, add, remove, () => passOne(random(3))];
  return {
    step: async () => {
      if (random(4) === 0) wait(random(20) * hour);
      await pick(often)();
    },
    arrive,
    isolate,
  };
}

// Short: each member is given and taken away a few times, with one time without a connection.
it.each(Array.from({ length: choose(4, 1, 20) }, (_, run) => 20_261_128 + run))(
  'a copy and its copy have the events, the facts and the time of the club, seed %i',
  { tags: 'long' },
  async (seed) => {
    const { step, arrive, isolate } = await openChain(seed);
    await arrive();
    for (let round = 0; round < choose(6, 3); round += 1) {
      for (let count = 0; count < choose(25, 12); count += 1) await step();
      await arrive();
      if (round % 2 === 1) await isolate();
    }
  },
);
