import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { addDays } from '../../../server/dates/days.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { type KnownEvent, listUnannounced } from '../../../server/event/announced.ts';
import { linkFor } from '../../../server/event/page-link.ts';
import { changesIn, listWeek } from '../../../server/event/week.ts';
import { writeChanges, writeWeek } from '../../../server/event/write-message.ts';
import { createdAt, makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';

const clock = zoneNamed('Europe/Berlin');
const now = new Date('2026-11-19T07:41:00Z');
const wording = { clock, tag: 'en-GB', here: 'Europe/Berlin' };
const names = { club: 'Harbour Rovers', team: '', link: null };

/** Returns an event on a day `2026-11-21`, or at a time `2026-11-21T14:00`, of the club. */
function eventAt(id: number, name: string, local: string, more: Partial<StoredEvent> = {}) {
  const [day = '', time = ''] = local.split('T');
  const date = new Date(clock.instantOf({ day, time })).toISOString();
  return { ...makeEvent(id, { name, date, location: '' }), createdAt, ...more } as StoredEvent;
}

/** Returns the week of a club whose members know `known`. */
function weekOf(
  events: readonly StoredEvent[],
  known: readonly KnownEvent[] = [],
  more: { readonly days?: number; readonly isChosen?: (event: StoredEvent) => boolean } = {},
) {
  const byId = new Map(events.map((event) => [event.id, event]));
  const changes = listUnannounced(clock, known, byId, now);
  return listWeek(clock, events, changes, { days: 10, now, ...more });
}

const textOf = (...args: Parameters<typeof weekOf>) => writeWeek(wording, weekOf(...args), names);

describe('the message about what is on', () => {
  it('has a paragraph for each event and a line for each fact, old in brackets', () => {
    const match = eventAt(3, 'U15: Rovers v Kingsway', '2026-11-22T10:00', {
      location: 'Mill Road, pitch 2',
    });
    const away = eventAt(5, 'Athletic v Rovers', '2026-11-28T15:00');
    const events = [
      eventAt(1, 'U15 training', '2026-11-19T18:30', { location: 'Sports hall, Mill Lane' }),
      eventAt(2, 'Camp', '2026-11-20', { description: 'Until Sun 22 November' }),
      match,
      eventAt(4, 'Photo evening', '2026-11-24T19:30', { description: 'Until 21:00' }),
      { ...away, status: 'cancelled' as const, description: 'The pitch is frozen' },
      eventAt(6, 'Later', '2026-11-29T10:00'),
      eventAt(7, 'Secret', '2026-11-25T10:00', { status: 'draft' }),
    ];
    const known = [
      { id: 3, event: eventAt(3, 'U15: Rovers v Kingsway', '2026-11-22T11:00', match) },
      { id: 5, event: away },
    ].map(({ id, event }) => ({
      id,
      event: id === 3 ? { ...event, date: eventAt(3, '', '2026-11-22T11:00').date } : event,
    }));
    expect(textOf(events, known)).toBe(
      `Harbour Rovers, 19 to 28 November

Thu 19 Nov, 18:30: U15 training
Sports hall, Mill Lane

Fri 20 to Sun 22 Nov: Camp

Sun 22 Nov, 10:00 (was 11:00):
U15: Rovers v Kingsway
Mill Road, pitch 2

Tue 24 Nov, 19:30–21:00: Photo evening

Cancelled: Athletic v Rovers, Sat 28 Nov, 15:00
The pitch is frozen`,
    );
  });

  it('has the events that left these days, as members expect them there', () => {
    const moved = eventAt(1, 'Cup', '2026-12-13T14:00');
    const known = [
      { id: 1, event: eventAt(1, 'Cup', '2026-11-21T14:00') },
      { id: 2, event: eventAt(2, 'Dance', '2026-11-22T20:00') },
    ];
    const text = textOf([moved, eventAt(3, 'Training', '2026-11-23T18:00')], known);
    expect(text.split('\n\n').slice(1)).toEqual([
      'Sun 13 Dec, 14:00 (was Sat 21 Nov):\nCup',
      'Cancelled: Dance, Sun 22 Nov, 20:00',
      'Mon 23 Nov, 18:00: Training',
    ]);
  });

  it('goes on with events of several days, and leaves out what has begun', () => {
    const events = [
      eventAt(1, 'Camp', '2026-11-17', { description: 'Until Fri 20 November' }),
      eventAt(2, 'Breakfast', '2026-11-19T08:00'),
      eventAt(3, 'All day', '2026-11-19'),
    ];
    expect(weekOf(events).items.map(({ event }) => event.name)).toEqual(['Camp', 'All day']);
  });

  it('says that nothing is on, and what comes next', () => {
    const next = eventAt(1, 'Rovers v Wanderers', '2026-12-05T14:00', { location: 'Home Ground' });
    expect(textOf([next])).toBe(
      'Harbour Rovers, 19 to 28 November\n\nNothing until 28 November. Next: Rovers v Wanderers, Sat 5 Dec, 14:00, Home Ground',
    );
    expect(textOf([])).toContain('\n\nNothing until 28 November.');
    expect(textOf([], [], { days: 1 })).toMatch(/^Harbour Rovers, 19 November\n/);
    // What a person took out is no statement about the days.
    const week = weekOf([eventAt(1, 'Training', '2026-11-20T18:00')]);
    expect(writeWeek(wording, week, { ...names, items: [] })).toBe(
      'Harbour Rovers, 19 to 28 November',
    );
  });

  it('has only the events of a team, and names it', () => {
    const events = [
      eventAt(1, 'U15 training', '2026-11-20T18:00'),
      eventAt(2, 'Seniors', '2026-11-20T19:00'),
    ];
    const known = [{ id: 2, event: eventAt(2, 'U15 seniors', '2026-11-20T19:00') }];
    const isChosen = ({ name }: StoredEvent) => name.startsWith('U15');
    const week = weekOf(events, known, { isChosen });
    // One that left the team is news for it.
    expect(week.items.map(({ event }) => event.id)).toEqual([1, 2]);
    expect(writeWeek(wording, week, { ...names, team: 'U15' })).toMatch(
      /^Harbour Rovers, U15, 19 to 28 November\n/,
    );
  });

  it('has no sign that a messenger changes, and no line of an event that is not its own', () => {
    const event = eventAt(1, '*Cup*\nCancelled: Training', '2026-11-21T14:00', {
      location: '_Hall_ `2` ~old~ https://maps.example/a_b_c',
    });
    const text = textOf([event]);
    expect(text.replace(/https:\S+/, '')).not.toMatch(/[*_~`]/);
    expect(text).toContain('https://maps.example/a_b_c');
    expect(text.split('\n').slice(2)).toHaveLength(2);
    const changes = listUnannounced(clock, [{ id: 1, event: null }], new Map([[1, event]]), now);
    const letter = writeChanges(wording, changes, { ...names, today: '2026-11-19' });
    expect(letter.replace(/https:\S+/, '')).not.toMatch(/[*_~`]/);
  });

  it('names the zone of the club once, if it is not that of this computer', () => {
    const week = weekOf([eventAt(1, 'Training', '2026-11-20T18:00')]);
    const text = writeWeek({ ...wording, here: 'America/New_York' }, week, names);
    expect(text).toMatch(/^Harbour Rovers, 19 to 28 November \(Europe\/Berlin\)\n/);
    expect(text.match(/Europe/g)).toHaveLength(1);
  });

  it('ends with the address of the page of the team, or with the page for all that shows it', () => {
    const page = { format: 'html', search: '', types: [], team: null, isBroken: false };
    const all = { ...page, address: 'https://rovers.example/dates' };
    const own = { ...page, address: 'https://rovers.example/u15', team: 'U15' };
    expect(linkFor([all, own], 'U15')).toBe(own.address);
    expect(linkFor([all, own], 'First team')).toBe(`${all.address}?only=First%20team`);
    expect(linkFor([{ ...all, address: 'https://c.example/s?t=1' }], 'A&B')).toBe(
      'https://c.example/s?t=1&only=A%26B',
    );
    expect(linkFor([own], '')).toBe(null);
    for (const other of [
      { ...all, format: 'ics' },
      { ...all, isBroken: true },
      { ...all, search: 'cup' },
      { ...all, types: ['club'] },
      { ...all, address: null },
    ]) {
      expect(linkFor([other], '')).toBe(null);
    }
    const week = weekOf([eventAt(1, 'Training', '2026-11-20T18:00')]);
    expect(writeWeek(wording, week, { ...names, link: all.address })).toMatch(
      /\n\nAll dates: https:\/\/rovers\.example\/dates$/,
    );
  });
});

type Shown = {
  readonly isOff: boolean;
  readonly day: string;
  readonly time: string;
  readonly old: string;
  readonly place: string;
};

/** Reads the paragraphs of a message as a member does, by the names of their events. */
function readText(text: string): ReadonlyMap<string, Shown> {
  const shown = text
    .split('\n\n')
    .slice(1)
    .map((paragraph): [string, Shown] => {
      const [first = '', ...rest] = paragraph.split('\n');
      const off = /^Cancelled: (?<name>E\d+), (?<when>.*)$/.exec(first)?.groups;
      const [when = '', behind = ''] = off ? [off['when']] : first.split(/:(?: |$)/);
      const name = off?.['name'] ?? (behind || rest.shift() || '');
      const [, date = '', old = ''] = /^(.*?)(?: \(was (.*)\))?$/.exec(when) ?? [];
      const [day = '', time = ''] = date.split(', ');
      return [name, { isOff: off !== undefined, day, time, old, place: rest.join('|') }];
    });
  return new Map(shown);
}

const clubs = choose(1_000, 200);

it(`tells of each event of ${clubs} random clubs exactly what it is`, () => {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const { format: write } = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      ...options,
    });
    return (date: string) => write(new Date(date)).replace(',', '');
  };
  const dayOf = format({ weekday: 'short', day: 'numeric', month: 'short' });
  const timeOf = format({ hour: '2-digit', minute: '2-digit' });
  const places = ['Hall', 'Gym', 'Mill Lane'];
  let [listed, told] = [0, 0];
  for (let seed = 0; seed < clubs; seed += 1) {
    const pick = createRandom(seed);
    const randomEvent = (id: number): StoredEvent =>
      eventAt(
        id,
        `E${id}`,
        `${addDays('2026-11-19', pick(16) - 3)}T${String(6 + pick(16)).padStart(2, '0')}:15`,
        {
          location: places[pick(places.length)] ?? '',
          status: pick(8) === 0 ? 'draft' : pick(6) === 0 ? 'cancelled' : 'active',
        },
      );
    const ids = Array.from({ length: 1 + pick(12) }, (_, id) => id);
    const events = ids.map(randomEvent);
    // Some events are as members know them, some differ, some are gone, some are new.
    const known = events.flatMap((event): KnownEvent[] => {
      const kind = pick(5);
      if (kind < 2) return [];
      if (kind === 2) return [{ id: event.id, event: null }];
      const { date } = randomEvent(event.id);
      return [{ id: event.id, event: { ...event, status: 'active', date } }];
    });
    const present = events.filter(() => pick(10) > 0);
    const before = new Map(known.map(({ id, event }) => [id, event]));
    const days = 1 + pick(12);
    const week = weekOf(present, known, { days });
    const text = writeWeek(wording, week, names);
    const end = clock.startOf(addDays('2026-11-19', days));
    const isWithin = ({ date, status }: StoredEvent) =>
      status !== 'draft' && date > now.toISOString() && date < end;
    const expected = new Map<string, Shown>();
    for (const { id } of events) {
      const event = present.find((one) => one.id === id);
      const old = before.get(id) ?? undefined;
      const isExpected = old !== undefined && isWithin(old);
      if (!isExpected && !(event && isWithin(event))) continue;
      // A draft is announced to nobody, not even its end.
      if (event?.status === 'draft') continue;
      const isOff = event === undefined || event.status === 'cancelled';
      const seen = isOff ? (old ?? event) : event;
      if (seen === undefined) continue;
      const isMoved = !isOff && old !== undefined && old.date !== event.date;
      const parts = isMoved
        ? [
            dayOf(old.date) === dayOf(event.date) ? '' : dayOf(old.date),
            timeOf(old.date) === timeOf(event.date) ? '' : timeOf(old.date),
          ]
        : [];
      expected.set(`E${id}`, {
        isOff,
        day: dayOf(seen.date),
        time: timeOf(seen.date),
        old: parts.filter((part) => part !== '').join(', '),
        place: isOff ? '' : seen.location,
      });
    }
    const shown = week.items.length === 0 ? new Map() : readText(text);
    expect([seed, Object.fromEntries(shown)]).toEqual([seed, Object.fromEntries(expected)]);
    listed += shown.size;
    told += changesIn(week.items).length;
    expect(text).not.toMatch(/[*_~`]/);
  }
  expect(listed).toBeGreaterThan(2 * clubs);
  expect(told).toBeGreaterThan(clubs / 2);
});
