import { describe, expect, it } from 'vitest';
import {
  type ActionName,
  type ActionResult,
  catalogue,
} from '../../../server/actions/catalogue.ts';
import { type ActionTools, thisMachine } from '../../../server/club/tools.ts';
import { dayMs } from '../../../server/dates/units.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { listUnannounced } from '../../../server/event/announced.ts';
import type { Event } from '../../../server/http/contract.ts';
import { type StoredAnnounced, stateAfter, stateWith } from '../../../server/ui/data/announced.ts';
import { createdAt, makeEvent, makeTestHome } from '../../support/home.ts';

const clock = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);

describe('the changes that nobody was told of', () => {
  const now = new Date('2031-11-01T00:00:00Z');
  const event = (id: number, more: Partial<Event> = {}): Event =>
    ({ ...makeEvent(id, { date: '2031-12-01T18:00:00.000Z' }), createdAt, ...more }) as Event;
  const mapOf = (events: readonly Event[]) => new Map(events.map((each) => [each.id, each]));
  const kinds = (before: readonly Event[], after: readonly Event[]) => {
    const [old, next] = [mapOf(before), mapOf(after)];
    const ids = new Set([...old.keys(), ...next.keys()]);
    const known = Array.from(ids, (id) => ({ id, event: old.get(id) ?? null }));
    return listUnannounced(clock, known, next, now).map((each) => `${each.kind} ${each.event.id}`);
  };

  it('are those of events to come, each once and against the oldest state', () => {
    const past = '2031-10-20T18:00:00.000Z';
    expect(kinds([event(1)], [event(1), event(2)])).toEqual(['new 2']);
    expect(kinds([event(1)], [])).toEqual(['removed 1']);
    expect(kinds([event(1)], [event(1, { status: 'cancelled' })])).toEqual(['cancelled 1']);
    expect(kinds([event(1)], [event(1, { name: 'Other' })])).toEqual(['changed 1']);
    expect(kinds([event(1)], [event(1, { location: 'Hall' })])).toEqual(['moved 1']);
    expect(kinds([event(1, { date: past })], [event(1, { date: past, name: 'Other' })])).toEqual(
      [],
    );
    // An event that was to come and is now in the past is one that members would wait for.
    expect(kinds([event(1)], [event(1, { date: past })])).toEqual(['moved 1']);
    expect(kinds([event(1)], [event(1, { registrationOpen: false, eventType: null })])).toEqual([]);
    const noted = (description: string) => event(1, { description });
    expect(kinds([event(1)], [noted('Bring shoes')])).toEqual(['changed 1']);
    expect(kinds([noted('Shoes\nBus at 8')], [noted('Shoes\nBus at 9')])).toEqual(['changed 1']);
    expect(kinds([noted('Until 21:00')], [noted('Until 22:00')])).toEqual(['moved 1']);
    // The same end in the words of another person.
    expect(kinds([noted('Until 21:00')], [noted('Bis 21:00 Uhr')])).toEqual([]);
  });

  it('are never those of drafts, and a draft that is announced is new', () => {
    const draft = event(1, { status: 'draft' });
    expect(kinds([], [draft])).toEqual([]);
    expect(kinds([draft], [])).toEqual([]);
    expect(kinds([draft], [event(1)])).toEqual(['new 1']);
    expect(kinds([event(1, { status: 'cancelled' })], [event(1)])).toEqual(['again 1']);
  });
});

const user = 'Rovers';

/** Opens a new club, and returns what members do not know. */
async function openHistory() {
  const home = makeTestHome();
  let at = Date.parse('2026-11-01T08:00:00Z');
  const tools = { ...thisMachine, home, now: () => new Date(at) } as ActionTools;
  const run = <Name extends ActionName>(name: Name, args: object) =>
    catalogue[name].perform(args, tools) as Promise<ActionResult<Name>>;
  await run('user add', { name: user });
  const read = () => run('message read', { user });
  return {
    run,
    read,
    wait(days: number) {
      at += days * dayMs;
    },
    async add(name: string) {
      const added = await run('event add', { user, event: { name, date: '2031-12-01' } });
      return added.event.id;
    },
    edit: (id: number, changes: object) => run('event edit', { user, id, changes }),
    unknown: async () =>
      (await read()).before.map(({ id, event }) => [id, event?.location ?? null]),
    store: (announced: StoredAnnounced) => run('message store', { user, announced }),
  };
}

describe('what members were told', () => {
  it('begins with the first day of a club, and goes back two weeks at most', async () => {
    const { wait, add, edit, unknown } = await openHistory();
    const [one, two] = [await add('One'), await add('Two')];
    expect(await unknown()).toEqual([]);
    await edit(two, { location: 'Hall' });
    wait(2);
    const three = await add('Three');
    expect(await unknown()).toEqual([
      [two, ''],
      [three, null],
    ]);
    wait(13);
    await edit(one, { location: 'Gym' });
    expect(await unknown()).toEqual([
      [three, null],
      [one, ''],
    ]);
  });

  it('is a place in the history, for each event that was left out or told singly', async () => {
    const { wait, add, edit, read, unknown, store } = await openHistory();
    const [one, two] = [await add('One'), await add('Two')];
    wait(2);
    for (const id of [one, two]) await edit(id, { location: 'Hall' });
    await store(stateAfter(await read(), { language: 'de', unannounced: new Set([two]) }));
    expect(await unknown()).toEqual([[two, '']]);
    await edit(two, { location: 'Gym' });
    expect(await unknown()).toEqual([[two, '']]);
    await store(stateWith(await read(), [two]));
    expect(await unknown()).toEqual([]);
    expect((await read()).announced).toMatchObject({ language: 'de', others: [{ id: two }] });
    await edit(two, { location: 'Hall' });
    expect(await unknown()).toEqual([[two, 'Gym']]);
    await store(stateAfter(await read(), { language: 'de', unannounced: new Set() }));
    expect(await read()).toMatchObject({ before: [], announced: { others: [] } });
  });

  it('is no part of a change that goes on after the message', async () => {
    const { run, add, wait, read, unknown, store } = await openHistory();
    const id = await add('One');
    wait(2);
    const move = (continues?: number) =>
      run('events change', { user, ids: [id], change: { kind: 'move', days: 1 }, continues });
    const { batch } = await move();
    expect((await move(batch)).batch).toBe(batch);
    await store(stateWith(await read(), [id]));
    const { batch: next } = await move(batch);
    expect(next).toBeGreaterThan(batch as number);
    expect(await unknown()).toEqual([[id, '']]);
  });

  it('is uncertain after a restore', async () => {
    const { run, add, read, edit, store, wait } = await openHistory();
    const tell = async () =>
      store(stateAfter(await read(), { language: 'de', unannounced: new Set() }));
    const restoreNewest = async () => {
      const { backups } = await run('backup list', {});
      await run('restore', { file: backups[0]?.name });
    };
    const id = await add('One');
    wait(2);
    await run('backup', {});
    await edit(id, { location: 'Hall' });
    await tell();
    await restoreNewest();
    expect(await read()).toMatchObject({ isStored: false, before: [] });
    await tell();
    wait(1);
    await run('backup', {});
    await restoreNewest();
    expect(await read()).toMatchObject({ isStored: true, isCurrent: false, before: [] });
    await tell();
    expect(await read()).toMatchObject({ isCurrent: true });
  });
});
