import { describe, expect, it } from 'vitest';
import { editEvents } from '../../../db/event-edit.ts';
import type { ActionInput } from '../../../server/actions/bridge.ts';
import type { ActionName, ActionResult } from '../../../server/actions/catalogue.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { Problem, packProblem } from '../../../server/base/errors.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { wordProblem } from '../../../server/messages/messages.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { storedEvents } from '../../support/events.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { writeTestFile } from '../import/files.ts';

const user = 'Chess';
const timeZone = 'Europe/Berlin';
/** A Sunday. */
const now = new Date('2026-11-22T12:00:00Z');

async function makeClub(events = [makeEvent(1), makeEvent(2)]) {
  const home = makeTestHome();
  const { userId } = await addMember(home, user, events);
  const tools = {
    ...thisMachine,
    home,
    now: () => now,
    systemTimeZone: () => timeZone,
    write: async () => undefined,
    onProgress: () => undefined,
  };
  function perform<Name extends ActionName>(name: Name, args: ActionInput<Name>) {
    return catalogue[name].perform(args, tools) as Promise<ActionResult<Name>>;
  }
  const add = (event: ActionInput<'event add'>['event']) => perform('event add', { user, event });
  const edit = (id: number, changes: ActionInput<'event edit'>['changes'], expected?: object) =>
    perform('event edit', { user, id, changes, ...(expected && { expected }) });
  const change = (
    ids: number[],
    change: ActionInput<'events change'>['change'],
    continues?: number,
  ) => perform('events change', { user, ids, change, ...(continues && { continues }) });
  const history = async () => (await perform('history', { user })).history;
  const readAll = () => withReader(home, (db) => storedEvents(db, userId));
  return { home, perform, add, edit, change, history, readAll };
}

async function problemOf(action: Promise<unknown>): Promise<Problem> {
  const error = await action.then(
    () => new Error('It did not fail.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Problem) return error;
  throw error;
}

async function sentenceOf(action: Promise<unknown>): Promise<string> {
  return wordProblem(packProblem(await problemOf(action)), 'en');
}

describe('event add', () => {
  it('adds an event with all values, in the history and with undo', async () => {
    const { perform, add, history } = await makeClub();
    const event = {
      name: ' Rovers v City ',
      date: '2027-05-01T15:00',
      location: 'Hall',
      description: 'Bring water',
      status: 'draft',
      eventType: 'regional',
      registrationOpen: true,
    } as const;
    const stored = {
      id: 3,
      ...event,
      name: 'Rovers v City',
      date: '2027-05-01T13:00:00.000Z',
      createdAt: now.toISOString(),
    };
    const added = await add(event);
    expect(added).toEqual({ user, event: stored, batch: 2, timeZone });
    expect(Object.keys(added.event).slice(-2)).toEqual(['registrationOpen', 'createdAt']);
    expect((await history())[0]).toMatchObject({
      ...{ id: 2, kind: 'edit', added: 1 },
      change: { kind: 'added', id: 3, name: 'Rovers v City' },
    });
    expect(await perform('undo', { id: 2 })).toMatchObject({ removed: 1 });
  });

  it.each([
    ['2027-05-01', '2027-04-30T22:00:00.000Z'],
    ['2027-05-01T15:00Z', '2027-05-01T15:00:00.000Z'],
    ['Sa. 1.5.2027, 15 Uhr', '2027-05-01T13:00:00.000Z'],
    ['1er mai 2027 à 20h30', '2027-05-01T18:30:00.000Z'],
    ['1 mei 15.00 uur', '2027-05-01T13:00:00.000Z'],
    ['22.11. 18:00', '2026-11-22T17:00:00.000Z'],
    ['21 November', '2027-11-20T23:00:00.000Z'],
    ['29 Feb', '2028-02-28T23:00:00.000Z'],
    ['5/31/2027', '2027-05-30T22:00:00.000Z'],
    ['Sat 1/5/2027', '2027-04-30T22:00:00.000Z'],
    ['Easter Monday 2028', '2028-04-16T22:00:00.000Z'],
    ['Ostermontag 2030, 11 Uhr', '2030-04-22T09:00:00.000Z'],
    ['Ascension Day', '2027-05-05T22:00:00.000Z'],
  ])('understands the date %s', async (date, expected) => {
    const { add } = await makeClub();
    expect((await add({ name: 'Run', date })).event.date).toBe(expected);
  });

  it.each([
    [
      'a text that is no date',
      { date: 'soon' },
      'event_date_invalid',
      /^“soon” was not understood as a date/,
    ],
    ['an empty date', { date: '' }, 'event_date_invalid', /not understood as a date/],
    [
      'a day that never exists',
      { date: '31.11.' },
      'event_date_invalid',
      /^“31\.11\.” does not exist: November has only 30/,
    ],
    [
      'a day that this year lacks',
      { date: '30.2.2027' },
      'event_date_invalid',
      /February 2027 has only 28 days/,
    ],
    ['an early year', { date: '2.5.0026' }, 'event_date_invalid', /years before 1900/],
    [
      'an ambiguous date',
      { date: '5/4/2027' },
      'event_date_invalid',
      /could begin with the day or the month/,
    ],
    [
      'a wrong weekday',
      { date: 'Sun 1 May 2027' },
      'event_date_invalid',
      /another weekday than that of 2027-05-01/,
    ],
    ['an empty name', { name: ' ' }, 'event_name_empty', /^Enter a name/],
    [
      'a long place',
      { location: 'x'.repeat(20_001) },
      'event_value_invalid',
      /^The place is longer than 20000/,
    ],
    [
      'a NUL character',
      { description: 'a\0' },
      'event_value_invalid',
      /^The note has a NUL character/,
    ],
    ['an unknown status', { status: 'on' }, 'event_status_unknown', /^The status is Draft/],
    ['an unknown type', { eventType: 'fun' }, 'event_type_unknown', /^The type is National/],
    [
      'a field that is not for people',
      { createdAt: '2026-01-01' },
      'arguments_invalid',
      /not valid/,
    ],
  ])('refuses %s and stores nothing', async (_, values, code, sentence) => {
    const { add, history } = await makeClub();
    const event = { name: 'Run', date: '2027-05-01', ...values } as { name: string; date: string };
    expect(await problemOf(add(event))).toMatchObject({ code });
    expect(await sentenceOf(add(event))).toMatch(sentence);
    expect(await history()).toHaveLength(1);
  });

  it('refuses an event when no id is left', async () => {
    const { add } = await makeClub([makeEvent(Number.MAX_SAFE_INTEGER)]);
    const problem = await problemOf(add({ name: 'Run', date: '2027-05-01' }));
    expect(problem.code).toBe('event_ids_exhausted');
  });
});

describe('event edit', () => {
  it('writes only changed fields and returns the event before and after', async () => {
    const { edit, history } = await makeClub();
    const { event, before, batch } = await edit(1, { date: '2026-05-01T21:00', location: ' ' });
    expect(before).toEqual(makeEvent(1));
    expect(event).toEqual(makeEvent(1, { date: '2026-05-01T19:00:00.000Z', location: '' }));
    expect((await history())[0]).toMatchObject({
      id: batch,
      change: {
        fields: [
          { field: 'date', before: before.date, after: event.date },
          { field: 'location', before: 'Clubhouse', after: '' },
        ],
      },
    });
  });

  it('returns no batch if nothing changed', async () => {
    const { edit, history } = await makeClub();
    const result = await edit(1, {
      date: '2026-05-01T20:00',
      description: '  ',
      eventType: 'club',
    });
    expect(result).toEqual({ user, event: makeEvent(1), before: makeEvent(1), timeZone });
    expect(await edit(1, {})).not.toHaveProperty('batch');
    expect(await history()).toHaveLength(1);
  });

  it('sets the registration back to not given', async () => {
    const { edit, perform } = await makeClub([makeEvent(1, { registrationOpen: true })]);
    const { event, before, batch } = await edit(1, { registrationOpen: null });
    expect(before.registrationOpen).toBe(true);
    expect(event).toEqual(makeEvent(1));
    expect(await edit(1, { registrationOpen: null })).not.toHaveProperty('batch');
    expect(batch).toBe(2);
    await perform('undo', { id: 2 });
    expect((await edit(1, {})).event.registrationOpen).toBe(true);
    await perform('undo', { id: 3 });
    expect((await edit(1, {})).event).toEqual(makeEvent(1));
    const stale = edit(1, { registrationOpen: true }, { ...makeEvent(1), registrationOpen: false });
    expect((await problemOf(stale)).code).toBe('event_changed_meanwhile');
  });

  it('refuses to overwrite a value that somebody else changed meanwhile', async () => {
    const { edit } = await makeClub();
    const expected = makeEvent(1);
    const { event } = await edit(1, { location: 'Hall', registrationOpen: true });
    const problem = await problemOf(
      edit(1, { location: 'Pool', registrationOpen: false, status: 'draft' }, expected),
    );
    expect(problem).toMatchObject({
      code: 'event_changed_meanwhile',
      values: { id: 1, name: 'Event 1', current: JSON.stringify(event) },
    });
    expect(wordProblem(packProblem(problem), 'en')).toMatch(
      /^“Event 1” has changed in the meantime: place, registration\. Nothing was saved\./,
    );
    expect((await edit(1, {})).event).toEqual(event);
  });

  it('accepts fields that nobody else changed, and values that are there already', async () => {
    const { edit } = await makeClub();
    const expected = makeEvent(1);
    await edit(1, { location: 'Hall' });
    const { event } = await edit(1, { location: 'Hall', status: 'draft' }, expected);
    expect(event).toEqual(makeEvent(1, { location: 'Hall', status: 'draft' }));
    const partly = await edit(1, { location: 'Pool' }, { status: 'draft' });
    expect(partly.event.location).toBe('Pool');
  });

  it('refuses the events of others, and bad ids', async () => {
    const { edit, perform } = await makeClub();
    expect(await sentenceOf(edit(9, { name: 'x' }))).toBe('This event no longer exists.');
    expect((await problemOf(edit(1.5, { name: 'x' }))).code).toBe('event_id_invalid');
    const stranger = perform('event cancel', { user: 'Go', id: 1 });
    expect((await problemOf(stranger)).code).toBe('user_unknown');
  });
});

describe('the end of an event', () => {
  const first = { name: 'Dance', date: '2026-07-03 20:00' };
  const addWith = async (end: string, more: object = {}, language = 'en') => {
    const { perform } = await makeClub([]);
    const args = { user, event: { ...first, ...more }, end, language };
    return (await perform('event add', args)).event.description;
  };

  it.each([
    ['22:00', 'en', 'Until 22:00'],
    ['10 pm', 'de', 'Bis 22:00 Uhr'],
    ['So 5. Juli', 'de', 'Bis So 5. Juli'],
    ['4 July 02:00', 'en', 'Until 02:00'],
    ['2026-07-05T12:00', 'nl', 'Tot zo 5 juli, 12:00 uur'],
    ['2026-07-05T10:00:00Z', 'fr-CH', 'Jusqu’au dim. 5 juillet à 12:00'],
    ['', 'en', null],
  ])('is the first line of the note: %j in %s', async (end, language, line) => {
    expect(await addWith(end, {}, language)).toBe(line);
    const note = [line, 'Bring a mug.'].filter(Boolean).join('\n');
    expect(await addWith(end, { description: 'Bring a mug.' }, language)).toBe(note);
    expect(await addWith(end, { description: 'Until 23:00\nBring a mug.' }, language)).toBe(note);
  });

  it.each([
    ['19:00', 'The end, 2026-07-03 19:00, is before the start, 2026-07-03 20:00; nothing'],
    ['2 July 2026', 'The end, 2026-07-02, is before the start'],
    ['late', '“late” is not understood as an end'],
    ['31 June', '“31 June” is not understood as an end'],
  ])('is refused as %j', async (end, sentence) => {
    expect(await sentenceOf(addWith(end))).toContain(sentence);
  });

  it('changes, moves with its event, and goes', async () => {
    const { perform, edit, change } = await makeClub([]);
    const { event } = await perform('event add', { user, event: first, end: 'Sun 5 July 12:00' });
    const { id } = event;
    const note = async (result: Promise<{ event: { description: string | null } }>) =>
      (await result).event.description;
    expect(await note(edit(id, { date: '2026-07-10 21:00' }))).toBe('Until Sun 12 July, 13:00');
    await change([id], { kind: 'move', days: -7 });
    const kept = edit(id, { description: 'Until Sun 5 July, 13:00\nBring a mug.' });
    expect(await note(kept)).toBe('Until Sun 5 July, 13:00\nBring a mug.');
    const cleared = perform('event edit', { user, id, changes: {}, end: '' });
    expect(await note(cleared)).toBe('Bring a mug.');
    const before = perform('event edit', { user, id, changes: {}, end: '20:00' });
    expect((await problemOf(before)).code).toBe('event_end_before_start');
  });

  it('is that of each date of a repetition', async () => {
    const { perform } = await makeClub([]);
    const { series } = await perform('event add', {
      user,
      event: { name: 'Camp', date: 'Fri 3 July 2026 18:00' },
      end: 'Sun 5 July 12:00',
      repeat: 'every 2 weeks, 2 times',
    });
    expect(series?.events.map(({ description }) => description)).toEqual([
      'Until Sun 5 July, 12:00',
      'Until Sun 19 July, 12:00',
    ]);
  });
});

describe('events that belong together', () => {
  const series = async () => {
    const club = await makeClub();
    const { perform } = club;
    const added = await perform('event add', {
      user,
      event: { name: 'Training', date: 'Tue 1 Dec 2026 19:00' },
      end: '20:30',
      days: ['2026-12-08', '2026-12-01', '2026-12-15'],
    });
    const ids = added.series?.events.map(({ id }) => id) ?? [];
    const together = async (id: number) => (await perform('events together', { user, id })).ids;
    return { ...club, ids, together };
  };

  it('are found by each of them, as far as they are there', async () => {
    const { perform, ids, together, history } = await series();
    expect(ids).toEqual([3, 4, 5]);
    expect(await together(4)).toEqual(ids);
    expect(await together(1)).toEqual([]);
    expect(await together(99)).toEqual([]);
    await perform('event remove', { user, id: 3 });
    expect(await together(5)).toEqual([4, 5]);
    const [removal] = await history();
    await perform('undo', { id: removal?.id as number });
    expect(await together(5)).toEqual(ids);
    const other = await perform('event add', { user, event: { name: 'X', date: '2027-01-01' } });
    expect(await together(other.event.id)).toEqual([]);
  });

  it('are only those of one name after a season was added as one change', async () => {
    const { perform, ids, together } = await series();
    await perform('event add', {
      user,
      event: { name: 'Gala', date: '2026-12-05' },
      days: ['2026-12-05', '2026-12-06'],
    });
    const copied = await perform('events copy', { user, ids: [...ids, 6, 7], days: 364 });
    const names = copied.events.map(({ name }) => name);
    expect(names).toEqual(['Training', 'Training', 'Training', 'Gala', 'Gala']);
    const [first, , , gala] = copied.events;
    expect(await together(first?.id as number)).toEqual([8, 9, 10]);
    expect(await together(gala?.id as number)).toEqual([11, 12]);
  });

  it('get another time on their own days, with their length or a new end', async () => {
    const { change, edit, ids } = await series();
    await edit(4, { date: '2026-12-08 18:00' });
    expect(await change(ids, { kind: 'time', time: '19:30' })).toMatchObject({ changed: 3 });
    const [, moved, other] = ids.map((id) => edit(id, {}));
    expect((await moved)?.event).toMatchObject({
      date: '2026-12-08T18:30:00.000Z',
      description: 'Until 21:00',
    });
    expect((await other)?.event.date).toBe('2026-12-15T18:30:00.000Z');
    await change(ids, { kind: 'shift', minutes: -30 });
    expect((await edit(5, {})).event).toMatchObject({
      date: '2026-12-15T18:00:00.000Z',
      description: 'Until 20:30',
    });
    const late = problemOf(change(ids, { kind: 'shift', minutes: 300 }));
    expect((await late).code).toBe('time_leaves_day');
    await change(ids, { kind: 'time', time: '19:00', end: '22:00', language: 'de' });
    expect((await edit(3, {})).event.description).toBe('Bis 22:00 Uhr');
    const before = change(ids, { kind: 'time', time: '19:00', end: '18:00' });
    expect((await problemOf(before)).code).toBe('event_end_before_start');
  });

  it('move to a weekday of their own weeks', async () => {
    const { change, edit, ids } = await series();
    const days = async () =>
      Promise.all(ids.map(async (id) => (await edit(id, {})).event.date.slice(5, 10)));
    await change(ids, { kind: 'weekday', weekday: 4 });
    expect(await days()).toEqual(['12-03', '12-10', '12-17']);
    await change(ids, { kind: 'weekday', weekday: 0 });
    expect(await days()).toEqual(['12-06', '12-13', '12-20']);
    await change(ids, { kind: 'weekday', weekday: 1 });
    expect(await days()).toEqual(['11-30', '12-07', '12-14']);
  });

  it('know which were then changed alone, unless that was undone', async () => {
    const { perform, change, edit, ids } = await series();
    const edited = async () => (await perform('events together', { user, id: 3 })).edited;
    await change(ids, { kind: 'time', time: '19:30' });
    expect(await edited()).toEqual([]);
    const { batch } = await edit(4, { location: 'Clubhouse' });
    expect(await edited()).toEqual([4]);
    const undo = await perform('undo', { id: batch as number });
    expect(await edited()).toEqual([]);
    await perform('undo', { id: undo.batch as number });
    expect(await edited()).toEqual([4]);
  });

  it('tell the moves of one, oldest first, without what was undone', async () => {
    const { perform, change, edit } = await series();
    const moves = async () => (await perform('events together', { user, id: 3 })).moves;
    expect(await moves()).toEqual([]);
    const { event } = await edit(3, {});
    await change([2, 3], { kind: 'move', days: 1 });
    await edit(3, { location: 'Clubhouse' });
    const { batch } = await edit(3, { date: '2027-03-01T19:00' });
    const [first, second] = await moves();
    expect(first).toMatchObject({ from: event.date, kind: 'edit', source: '' });
    expect(second).toMatchObject({ from: first?.to, to: '2027-03-01T18:00:00.000Z' });
    const undo = await perform('undo', { id: batch as number });
    expect(await moves()).toHaveLength(1);
    await perform('undo', { id: undo.batch as number });
    expect(await moves()).toHaveLength(2);
    // A change of the zone of the club is no move, and people read the same time as before.
    await perform('user zone', { name: user, zone: 'Asia/Tokyo', times: 'keep' });
    const [same, ...others] = await moves();
    expect(others).toHaveLength(1);
    const clock = (date: string, timeZone: string) =>
      new Date(date).toLocaleString('sv', { timeZone });
    expect(clock(String(same?.from), 'Asia/Tokyo')).toBe(clock(event.date, 'Europe/Berlin'));
  });

  it('are cancelled with a reason, the first line of the note below the end', async () => {
    const { perform, change, edit } = await series();
    await edit(4, { description: 'Until 20:30\nBring a mug.' });
    await change([3, 4], { kind: 'cancel', reason: '  No hall\nthis week ' });
    const note = async (id: number) => (await edit(id, {})).event.description;
    expect(await note(3)).toBe('Until 20:30\nNo hall this week');
    expect(await note(4)).toBe('Until 20:30\nNo hall this week\nBring a mug.');
    const again = await perform('event cancel', { user, id: 4, reason: 'No hall this week' });
    expect(again.batch).toBeUndefined();
    await perform('event cancel', { user, id: 1, reason: 'Ill' });
    expect((await edit(1, {})).event).toMatchObject({ status: 'cancelled', description: 'Ill' });
  });

  it('lose the reason when they take place after all, but no line that was there before', async () => {
    const { perform, change, edit } = await series();
    await edit(2, { description: 'Until 20:30\nNo hall' });
    await edit(4, { description: 'Until 20:30\nBring a mug.' });
    await change([2, 3, 4], { kind: 'cancel', reason: 'No hall' });
    const note = async (id: number) => (await edit(id, {})).event.description;
    await change([2, 3], { kind: 'set', values: { status: 'active' } });
    expect(await note(2)).toBe('Until 20:30\nNo hall');
    expect(await note(3)).toBe('Until 20:30');
    // Also with another date and note in the same edit.
    const { event } = await edit(4, {
      status: 'active',
      date: '2026-12-06T19:00',
      description: 'Until 20:30\nNo hall\nBring two mugs.',
    });
    expect(event).toMatchObject({
      status: 'active',
      description: 'Until 20:30\nBring two mugs.',
    });
    const undo = await perform('undo', {
      id: (await perform('history', { user })).history[0]?.id as number,
    });
    expect(undo).toMatchObject({ restored: 1 });
    expect(await note(4)).toBe('Until 20:30\nNo hall\nBring a mug.');
  });
});

describe('event cancel and event remove', () => {
  it('cancels once', async () => {
    const { perform } = await makeClub();
    const cancelled = { event: { status: 'cancelled' }, before: { status: 'active' } };
    expect(await perform('event cancel', { user, id: 1 })).toMatchObject({
      ...cancelled,
      batch: 2,
    });
    expect(await perform('event cancel', { user, id: 1 })).not.toHaveProperty('batch');
  });

  it('removes once, and returns with an undo', async () => {
    const { perform } = await makeClub();
    const removed = await perform('event remove', { user, id: 1 });
    expect(removed).toEqual({ user, event: makeEvent(1), batch: 2, timeZone });
    const again = perform('event remove', { user, id: 1 });
    expect((await problemOf(again)).code).toBe('event_unknown');
    expect(await perform('undo', { id: 2 })).toMatchObject({ restored: 1 });
    expect(await perform('event remove', { user, id: 1 })).toMatchObject({ event: makeEvent(1) });
  });
});

describe('events copy', () => {
  it('adds events that keep their distance, without status, registration and reason', async () => {
    const { perform, readAll, history } = await makeClub();
    const edit = (id: number, changes: object, end: string) =>
      perform('event edit', { user, id, changes, end });
    await edit(1, { date: '2026-10-23 18:00', location: 'Hall', registrationOpen: true }, '20:00');
    await edit(2, { date: '2026-10-24', description: 'Bring soap' }, 'Sun 25 Oct 2026');
    await perform('event cancel', { user, id: 2, reason: 'Hall flooded' });
    const before = await readAll();
    const { events, batch } = await perform('events copy', { user, ids: [1, 2], days: 7 });
    expect(events).toMatchObject([
      // The clocks have changed between the two.
      { date: '2026-10-30T17:00:00.000Z', location: 'Hall', description: 'Until 20:00' },
      { date: '2026-10-30T23:00:00.000Z', description: 'Until Sun 1 November\nBring soap' },
    ]);
    expect(events.map(({ status }) => status)).toEqual(['active', 'active']);
    expect(events[0]).not.toHaveProperty('registrationOpen');
    expect((await readAll()).slice(0, 2)).toEqual(before);
    expect((await history())[0]).toMatchObject({ id: batch, added: 2, changed: 0 });
    await perform('undo', { id: batch as number });
    expect(await readAll()).toEqual(before);
  });

  it('copies nothing if one event is unknown, or the copies were more than two years away', async () => {
    const { perform, readAll } = await makeClub();
    const before = await readAll();
    await expect(perform('events copy', { user, ids: [1, 99], days: 7 })).rejects.toMatchObject({
      code: 'event_unknown',
    });
    await expect(perform('events copy', { user, ids: [1], days: 732 })).rejects.toMatchObject({
      code: 'arguments_invalid',
    });
    expect(await readAll()).toEqual(before);
  });
});

describe('events change', () => {
  const dates = async (club: Awaited<ReturnType<typeof makeClub>>, ...ids: number[]) =>
    Promise.all(ids.map(async (id) => (await club.edit(id, {})).event.date));

  it('changes several events in one batch, which an undo reverts', async () => {
    const club = await makeClub([
      makeEvent(1),
      makeEvent(2, { status: 'cancelled' }),
      makeEvent(3),
    ]);
    expect(await club.change([1, 2, 3, 3], { kind: 'cancel' })).toEqual({
      ...{ user, timeZone, changed: 2, unchanged: 1, batch: 2 },
    });
    expect((await club.history())[0]).toMatchObject({ kind: 'edit', changed: 2, change: null });
    const values = { location: 'Hall', eventType: null, status: 'active' } as const;
    expect(await club.change([1, 3], { kind: 'set', values })).toMatchObject({ changed: 2 });
    expect((await club.edit(1, {})).event).toEqual(makeEvent(1, values));
    await club.perform('undo', { id: 3 });
    await club.perform('undo', { id: 2 });
    expect((await club.edit(3, {})).event).toEqual(makeEvent(3));
    expect(await club.change([1, 2], { kind: 'remove' })).toMatchObject({ changed: 2 });
    expect((await problemOf(club.edit(2, {}))).code).toBe('event_unknown');
  });

  it('records in the history what all events have in common', async () => {
    const club = await makeClub([
      makeEvent(1, { date: '2026-10-20T17:00:00.000Z', location: 'Hall' }),
      makeEvent(2, { date: '2026-10-27T16:00:00.000Z' }),
      makeEvent(3, { date: '2026-11-03T19:00:00.000Z', eventType: null }),
    ]);
    const commonOf = async (...change: Parameters<typeof club.change>) => {
      await club.change(...change);
      const [newest] = await club.history();
      return newest?.common;
    };
    // Over the end of summer time, too.
    expect(await commonOf([1, 2, 3], { kind: 'move', days: 7 })).toEqual({
      ...{ kind: 'changed', values: [], days: 7 },
    });
    const values = { location: 'Hall', eventType: 'club' } as const;
    expect(await commonOf([1, 2, 3], { kind: 'set', values })).toMatchObject({
      kind: 'changed',
      values: expect.arrayContaining([
        { field: 'location', value: 'Hall' },
        { field: 'eventType', value: 'club' },
      ]),
    });
    const dates = { 1: '2026-10-27T13:00:00.000Z', 2: '2026-11-03T13:00:00.000Z' };
    await withWriter(club.home, (db) =>
      editEvents(db, { userId: 1, now: now.toISOString() }, (events) => {
        for (const [id, date] of Object.entries(dates)) events.change(Number(id), { date });
      }),
    );
    expect((await club.history())[0]?.common).toEqual({
      ...{ kind: 'changed', values: [], time: dates[1] },
    });
    expect(await commonOf([1, 2], { kind: 'remove' })).toEqual({ kind: 'removed', values: [] });
    expect(await commonOf([3], { kind: 'cancel' })).toBeNull();
  });

  it('moves by days at the same local time, over changes of the clock', async () => {
    const club = await makeClub([
      makeEvent(1, { date: '2026-10-20T17:00:00.000Z' }),
      makeEvent(2, { date: '2026-03-28T01:30:00.000Z' }),
    ]);
    await club.change([1], { kind: 'move', days: 7 });
    await club.change([2], { kind: 'move', days: 1 });
    expect(await dates(club, 1, 2)).toEqual([
      '2026-10-27T18:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ]);
    expect(await club.change([1, 2], { kind: 'move', days: 0 })).toMatchObject({ unchanged: 2 });
    await club.change([1], { kind: 'move', days: -7 });
    expect(await dates(club, 1)).toEqual(['2026-10-20T17:00:00.000Z']);
  });

  it('merges moves of one event into one change, only while that is the newest', async () => {
    const club = await makeClub([
      makeEvent(1, { date: '2026-12-12T14:00:00.000Z' }),
      makeEvent(2, { date: '2026-12-12T14:00:00.000Z' }),
    ]);
    const move = { kind: 'move', days: 1 } as const;
    const { batch } = await club.change([1], move);
    expect(await club.change([1], move, batch)).toMatchObject({ batch, changed: 1 });
    expect(await club.change([1], move, batch)).toMatchObject({ batch, changed: 1 });
    expect((await club.history())[0]).toMatchObject({
      ...{ id: batch, changed: 1 },
      change: {
        fields: [
          {
            field: 'date',
            before: '2026-12-12T14:00:00.000Z',
            after: '2026-12-15T14:00:00.000Z',
          },
        ],
      },
    });
    // Not into a change of another event, an older one or one of several events.
    const other = await club.change([2], move, batch);
    expect(other.batch).not.toBe(batch);
    const later = await club.change([1], move, batch);
    expect(later.batch).not.toBe(batch);
    const both = await club.change([1, 2], move, later.batch);
    expect(both.batch).not.toBe(later.batch);
    expect((await club.change([1], move, both.batch)).batch).not.toBe(both.batch);
    expect(await club.history()).toHaveLength(6);
    for (const { id } of (await club.history()).slice(0, -1)) await club.perform('undo', { id });
    expect(await dates(club, 1, 2)).toEqual(Array(2).fill('2026-12-12T14:00:00.000Z'));
  });

  it('changes all events or none', async () => {
    const club = await makeClub([makeEvent(1), makeEvent(2, { date: '9999-12-31T00:00:00.000Z' })]);
    const move = club.change([1, 2], { kind: 'move', days: 30 });
    expect((await problemOf(move)).code).toBe('event_moved_too_far');
    const sunday = club.change([1, 2], { kind: 'weekday', weekday: 0 });
    expect((await problemOf(sunday)).code).toBe('event_moved_too_far');
    const unknown = club.change([1, 9], { kind: 'remove' });
    expect(await problemOf(unknown)).toMatchObject({ code: 'event_unknown', values: { id: 9 } });
    expect(await dates(club, 1)).toEqual([makeEvent(1).date]);
    expect(await club.history()).toHaveLength(1);
  });
});

describe('an import after an edit', () => {
  const csv = (rows: string) => writeTestFile('season.csv', `id,name,date,location\n${rows}`);
  const first = '1,Run,2026-05-01T18:00,Hall\n2,Swim,2026-05-02,Pool\n';

  async function importedClub() {
    const club = await makeClub([]);
    const importFile = (rows: string, more: object = {}) =>
      club.perform('import', { user, files: [csv(rows)], details: true, ...more });
    await importFile(first);
    await club.edit(1, { date: '2026-05-01T19:00' });
    await club.edit(2, { location: 'Lake' });
    return { ...club, importFile };
  }

  it('leaves edits alone if the file is unchanged, and reports nothing', async () => {
    const { importFile } = await importedClub();
    const report = await importFile(first);
    expect(report).toMatchObject({ added: 0, changed: 0, unchanged: 2, kept: 0 });
    expect(report.files[0]?.rows).toEqual([]);
    expect(report).not.toHaveProperty('batch');
  });

  it('leaves a registration alone that was set back to not given', async () => {
    const club = await makeClub([]);
    const rows = 'id,name,date,registrationOpen\n1,Run,2026-05-01T18:00,true\n';
    const files = [writeTestFile('open.csv', rows)];
    await club.perform('import', { user, files });
    await club.edit(1, { registrationOpen: null });
    expect(await club.perform('import', { user, files })).toMatchObject({ changed: 0 });
    expect((await club.edit(1, {})).event).not.toHaveProperty('registrationOpen');
  });

  const second = '1,Run,2026-05-01T20:00,Park\n2,Swim,2026-05-02,Sea\n';
  const keptRows = [
    {
      kind: 'kept',
      id: 1,
      name: 'Run',
      date: '2026-05-01T17:00:00.000Z',
      location: 'Park',
      edits: [
        {
          field: 'date',
          edited: '2026-05-01T17:00:00.000Z',
          fromFile: '2026-05-01T18:00:00.000Z',
        },
      ],
    },
    { kind: 'changed', name: 'Run' },
    { kind: 'kept', id: 2, edits: [{ field: 'location', edited: 'Lake', fromFile: 'Sea' }] },
  ];

  it.each([[true], [false]])('reports kept edits with --dry-run %s', async (dryRun) => {
    const { importFile } = await importedClub();
    const report = await importFile(second, { dryRun });
    expect(report).toMatchObject({ changed: 1, unchanged: 1, kept: 2 });
    expect(report.files[0]?.rows).toMatchObject(keptRows);
    const cut = await importFile(second, { dryRun, maxRows: 1, details: false });
    const listed = cut.files[0]?.rows.filter(({ kind }) => kind === 'kept');
    expect(listed).toMatchObject([{ id: 1 }]);
    expect(cut.kept).toBe(2);
  });

  it('takes the values of the file for all events, or for chosen ones', async () => {
    const { importFile, edit } = await importedClub();
    const chosen = await importFile(second, { overwrite: [2] });
    expect(chosen).toMatchObject({ changed: 2, kept: 1 });
    expect((await edit(2, {})).event.location).toBe('Sea');
    const all = await importFile(second, { overwriteEdits: true });
    expect(all).toMatchObject({ moved: 1, unchanged: 1, kept: 0 });
    expect((await edit(1, {})).event.date).toBe('2026-05-01T18:00:00.000Z');
  });
});
