import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import { descriptionAt } from '../../../server/club/event-values.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import {
  endingSeason,
  findFixtures,
  noChoices,
  type PastEvent,
  planNextSeason,
  type SeasonChoices,
} from '../../../server/event/season.ts';
import { intervalOf, lastDayOf, overlap, placeOf } from '../../../server/event/values.ts';
import { withReader } from '../../../server/store/store.ts';
import { storedEvents } from '../../support/events.ts';
import { addMember, createdAt, makeEvent, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { openMirror } from '../../support/mirror.ts';
import { createRandom } from '../../support/random.ts';
import {
  holidays,
  season,
  seasonZone,
  writeSeason,
  writtenSeasons,
} from '../../support/seasons.ts';

const timeZone = 'Europe/Berlin';

function makeStored(id: number, name: string, when: string, more: Partial<StoredEvent> = {}) {
  const clock = zoneNamed(timeZone);
  const [day = '', time = ''] = when.split(' ');
  const date = new Date(clock.instantOf({ day, time })).toISOString();
  const rest = { location: '', description: null, status: 'active', eventType: null } as const;
  return { id, name, ...rest, ...more, createdAt, date } as StoredEvent;
}

const request = {
  clock: zoneNamed(timeZone),
  ...{ from: '2026-08-01', to: '2027-07-31', weeks: 52, usualLength: 120 },
  without: [] as readonly string[],
  holidayOn: (day: string) =>
    day >= '2027-12-20' && day <= '2028-01-03' ? 'Christmas holidays' : undefined,
  fixtures: new Set<number>() as ReadonlySet<number>,
  choices: noChoices as SeasonChoices,
  describe: (event: PastEvent, date: string) => descriptionAt(event, date, timeZone),
};

const weekly = (name: string, days: readonly string[], more: Partial<StoredEvent> = {}, from = 1) =>
  days.map((day, at) => makeStored(from + at, name, day, more));

function plan(events: readonly StoredEvent[], more: Partial<typeof request> = {}) {
  const own = { ...request, ...more };
  const { rows, groups } = planNextSeason(events, own);
  const next = rows.filter(({ reason }) => reason === undefined);
  const momentOf = (date: string) => {
    const { day, time } = own.clock.momentIn(date);
    return `${day} ${time}`.trim();
  };
  return {
    next: next.map(({ event, date }) => `${momentOf(date)} ${event.name}`),
    leftOut: rows.flatMap(({ event, reason }) => (reason ? [`${event.name}: ${reason}`] : [])),
    groups: groups.map(({ name, count, isTaken }) => `${name}: ${count}${isTaken ? '' : ' off'}`),
    rows,
    descriptions: next.map(({ description }) => description),
  };
}

describe('the next season', () => {
  it('has the events 52 weeks later, on the same weekday at the same local time', () => {
    const days = ['2026-10-20 19:00', '2026-10-27 19:00', '2027-03-30 19:00'];
    expect(plan(weekly('Training', days)).next).toEqual([
      '2027-10-19 19:00 Training',
      '2027-10-26 19:00 Training',
      '2028-03-28 19:00 Training',
    ]);
    expect(plan(weekly('Training', days), { weeks: 53 }).next[0]).toBe('2027-10-26 19:00 Training');
  });

  it('moves ends along, and keeps the other lines of a note', () => {
    const description = 'Bis Mo 15. März\nSchlafsack';
    const camps = weekly('Lager', ['2027-03-13', '2027-05-15'], { description });
    expect(plan(camps).descriptions[0]).toBe('Bis Mo 13. März\nSchlafsack');
  });

  it('has no match, no event that took place once, no cancelled one, and none of the words', () => {
    const events = [
      ...weekly('TV A – TV B', ['2026-10-03 15:00', '2027-03-06 15:00']),
      makeStored(11, 'Jubilee', '2027-05-01 18:00'),
      ...weekly('Yoga', ['2026-10-05 18:00'], { status: 'cancelled' }, 21),
      ...weekly('Yoga', ['2026-10-12 18:00'], {}, 22),
      ...weekly('Summer Camp', ['2027-07-03', '2027-07-10'], {}, 31),
    ];
    expect(plan(events, { without: [' camp', ''] })).toMatchObject({
      next: ['2027-10-11 18:00 Yoga'],
      leftOut: [
        'TV A – TV B: fixture',
        'Yoga: cancelled',
        'TV A – TV B: fixture',
        'Jubilee: once',
        'Summer Camp: words',
        'Summer Camp: words',
      ],
    });
  });

  it('leaves out days off, taken places, and what is here already', () => {
    const hall = { location: 'Hall' };
    const events = [
      ...weekly('Yoga', ['2026-12-21 18:00', '2026-12-14 18:00', '2027-01-11 18:00'], hall),
      ...weekly('Choir', ['2026-12-14 19:30', '2027-01-11 20:00'], { location: ' hall' }, 11),
      makeStored(21, 'yoga', '2028-01-10 17:00'),
    ];
    expect(plan(events)).toMatchObject({
      next: ['2027-12-13 18:00 Yoga', '2028-01-10 20:00 Choir'],
      leftOut: ['Choir: clash', 'Yoga: day off', 'Yoga: here'],
    });
  });

  it('leaves out an event of several days that runs into a day off', () => {
    const camp = (day: string, description: string) =>
      weekly('Camp', [day, '2027-05-15'], { description });
    const into = camp('2026-12-19', 'Until Tue 22 December');
    expect(plan(into)).toMatchObject({ leftOut: ['Camp: day off'] });
    expect(plan(into).rows[0]?.dayOff).toBe('Christmas holidays');
    const before = camp('2026-12-19', 'Until Sun 20 December');
    expect(plan(before).leftOut).toEqual([]);
  });

  it('does not take a cancelled namesake for an event that is here, and says so', () => {
    const events = [
      ...weekly('Yoga', ['2026-10-06 18:00', '2026-10-13 18:00']),
      makeStored(11, 'Yoga', '2027-10-05 18:00', { status: 'cancelled' }),
      makeStored(12, 'Yoga', '2027-10-12 20:00'),
    ];
    const { next, leftOut, rows } = plan(events);
    expect({ next, leftOut }).toEqual({
      next: ['2027-10-05 18:00 Yoga'],
      leftOut: ['Yoga: here'],
    });
    expect(rows.map(({ isBesideCancelled }) => isBesideCancelled)).toEqual([true, false]);
  });

  it('takes for fixtures what came with a plan of matches, but not what came with others', () => {
    const league = [
      ...Array.from({ length: 18 }, (_, at) => makeStored(at + 1, `A v ${at}`, '2026-10-03 15:00')),
      ...weekly('Cup round', ['2026-11-07 15:00', '2026-12-05 15:00'], {}, 19),
    ];
    const of = (ids: readonly number[], number: number) =>
      ids.map((id) => [id, number] as const satisfies readonly unknown[]);
    const ids = league.map(({ id }) => id);
    expect(
      plan(league, { fixtures: new Set(findFixtures(league, new Map(of(ids, 7)), [])) }),
    ).toMatchObject({
      groups: ['Cup round: 20 off'],
      next: [],
    });
    // A club that keeps everything in one workbook.
    const training = weekly('Yoga', ['2026-10-06 18:00', '2026-10-13 18:00', '2026-10-20'], {}, 31);
    const all = [...league, ...training];
    const imports = new Map(of([...ids, 31, 32, 33], 7));
    const fixtures = new Set(findFixtures(all, imports, []));
    expect(plan(all, { fixtures }).groups).toEqual(['Yoga: 3', 'Cup round: 2', 'A v 0: 18 off']);
  });

  it('groups by names, with those that differ in a number, come every year, or took place once', () => {
    const events = [
      ...weekly('Board', ['2026-10-05 19:00', '2027-03-01 19:00']),
      ...weekly(
        'U15 training',
        ['2026-10-06 18:00', '2026-10-08 18:00', '2026-10-13 18:00'],
        {},
        11,
      ),
      makeStored(21, 'Round 1', '2026-11-07 14:00'),
      makeStored(22, 'Round 2', '2026-11-14 14:00'),
      makeStored(23, 'Summer fair 2027', '2027-06-19 14:00'),
      makeStored(24, 'Summer fair 2026', '2026-06-20 14:00'),
      makeStored(25, 'Jubilee', '2027-05-01 18:00'),
      makeStored(26, 'A v B', '2027-05-02 18:00'),
    ];
    expect(plan(events).groups).toEqual([
      'U15 training: 3',
      'Board: 2',
      'Round 1: 2',
      'Summer fair 2027: 1',
      'Jubilee: 1 off',
      'A v B: 1 off',
    ]);
    const groups = { once: true, fixture: true, 'name board': false };
    const chosen = plan(events, { choices: { ...noChoices, groups } });
    expect(chosen.leftOut).toEqual(['Board: group', 'Board: group']);
    expect(chosen.next).toContain('2028-04-29 18:00 Jubilee');
  });

  it('follows the choices of a person, and asks about a clash until it has an answer', () => {
    const hall = { location: 'Hall' };
    const events = [
      ...weekly('Yoga', ['2026-12-14 18:00', '2026-12-21 18:00', '2027-01-11 18:00'], hall),
      ...weekly('Choir', ['2026-12-14 19:30', '2027-01-11 20:00'], hall, 11),
      makeStored(21, 'Blood donation', '2027-12-20 17:00', hall),
    ];
    const choose = (more: Partial<SeasonChoices>) =>
      plan(events, { choices: { ...noChoices, ...more } });
    const clashesOf = ({ rows }: ReturnType<typeof plan>) =>
      rows.flatMap(({ event, clash }) => (clash ? [[event.id, clash.name, clash.isNew]] : []));
    expect(clashesOf(choose({}))).toEqual([[11, 'Yoga', true]]);
    // The day off that is put back has a clash of its own.
    expect(choose({ back: [2] }).leftOut).toEqual(['Choir: clash', 'Yoga: clash']);
    expect(clashesOf(choose({ back: [2], both: [2, 11] }))).toEqual([
      [11, 'Yoga', true],
      [2, 'Blood donation', false],
    ]);
    expect(choose({ back: [2], both: [2, 11] }).leftOut).toEqual([]);
    expect(choose({ out: [11] }).leftOut).toEqual(['Choir: out', 'Yoga: day off']);
    // Without the event that was in its way, there is nothing to ask.
    expect(clashesOf(choose({ out: [1] }))).toEqual([]);
  });

  it('follows the season that ends or has ended', () => {
    expect(endingSeason('2027-06-10', 8)).toEqual({ first: '2026-08-01', end: '2027-08-01' });
    expect(endingSeason('2027-09-10', 8)).toEqual({ first: '2026-08-01', end: '2027-08-01' });
  });
});

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'UTC',
];
const parts = { dateStyle: 'short', timeStyle: 'short' } as const;
const formats = new Map(
  zones.map((zone) => [zone, new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: zone })]),
);

/** Returns the local day and time of a timestamp, by another way than the clock's. */
function localOf(date: string, zone: string) {
  const [day = '', time = ''] = formats.get(zone)?.format(new Date(date)).split(' ') ?? [];
  return { day, time, number: Date.parse(`${day}T00:00Z`) / 86_400_000 };
}

it('keeps the promises of the next season in random seasons', () => {
  const reached = {
    events: 0,
    'day off': 0,
    clash: 0,
    here: 0,
    fixture: 0,
    once: 0,
    group: 0,
    out: 0,
    words: 0,
    cancelled: 0,
  };
  for (let seed = 1; seed <= choose(2_000, 40); seed += 1) {
    const random = createRandom(seed);
    const zone = zones[random(zones.length)] ?? 'UTC';
    const clock = zoneNamed(zone);
    const names = ['Yoga', 'Choir', 'Board', 'A v B', 'TV A – TV B', 'Camp', `Party ${seed}`];
    const events = Array.from({ length: 120 }, (_, id): StoredEvent => {
      const number = Date.parse('2026-08-01') / 86_400_000 + random(id % 9 === 0 ? 730 : 365);
      const day = new Date(number * 86_400_000).toISOString().slice(0, 10);
      const time = random(5) === 0 ? '' : `${String(random(24)).padStart(2, '0')}:30`;
      const more = {
        name: names[random(id % 40 === 0 ? 7 : 6)] ?? '',
        location: ['', 'Hall', 'hall ', 'Pool'][random(4)] ?? '',
        status: random(12) === 0 ? ('cancelled' as const) : ('active' as const),
        description: random(3) === 0 ? 'Until 23:45' : null,
      };
      const date = new Date(clock.instantOf({ day, time })).toISOString();
      return { id, eventType: null, createdAt, date, ...more };
    });
    const off = { first: '2027-10-04', last: '2027-10-17' };
    const holidayOn = (day: string) =>
      day >= off.first && day <= off.last ? 'Holidays' : undefined;
    const weeks = 52 + random(2);
    const pick = (most: number) =>
      Array.from({ length: random(most) }, () => random(120)).filter((id) => id % 3 > 0);
    const groups = random(3) === 0 ? { 'name choir': false } : {};
    const choices = { groups, out: pick(6), back: pick(12), both: pick(9) };
    const own = { ...request, clock, weeks, without: ['camp'], holidayOn, choices };
    const { rows } = planNextSeason(events, own);
    const next = rows.filter(({ reason }) => reason === undefined);
    const past = events.filter(({ date }) => {
      const { day } = localOf(date, zone);
      return day >= own.from && day <= own.to;
    });
    const ids = rows.map(({ event }) => event.id);
    expect(
      ids.toSorted((a, b) => a - b),
      `seed ${seed}`,
    ).toEqual(past.map(({ id }) => id));
    for (const { reason = 'events' } of rows) reached[reason] += 1;
    for (const { event, date } of next) {
      const [before, after] = [localOf(event.date, zone), localOf(date, zone)];
      expect(after.number - before.number, `seed ${seed}`).toBe(weeks * 7);
      // A time that the clocks skip is an hour later, or half an hour on Lord Howe Island.
      if (after.time !== before.time) {
        expect(['00:30', '01:30', '02:30', '00:00'], `seed ${seed}`).toContain(before.time);
      }
      const isOff = after.day >= off.first && after.day <= off.last;
      expect(isOff && !choices.back.includes(event.id), `seed ${seed}`).toBe(false);
      expect(choices.out, `seed ${seed}`).not.toContain(event.id);
      expect(event.status).toBe('active');
      expect(/ v | – |camp/i.test(event.name)).toBe(false);
    }
    const added = next.map(({ event, date, description }, at) => ({
      ...{ ...event, id: 1_000 + at, date, description },
    }));
    const timed = [...events.filter(({ status }) => status !== 'cancelled'), ...added].flatMap(
      (one) => {
        const { time } = localOf(one.date, zone);
        const from = Date.parse(one.date);
        const place = one.location.trim().toLowerCase();
        if (place === '' || time === '00:00') return [];
        const isLong = one.description !== null && time < '23:45';
        const until = isLong ? localOf(one.date, zone).day : undefined;
        const to =
          until === undefined ? from + 7_200_000 : clock.instantOf({ day: until, time: '23:45' });
        return [{ id: one.id, place, from, to }];
      },
    );
    const answered = new Set(
      next.flatMap(({ event }, at) => (choices.both.includes(event.id) ? [1_000 + at] : [])),
    );
    for (const one of timed.filter(({ id }) => id >= 1_000 && !answered.has(id))) {
      const clash = timed.find(
        (other) =>
          other !== one &&
          !answered.has(other.id) &&
          other.place === one.place &&
          one.from < other.to &&
          other.from < one.to,
      );
      expect(clash, `seed ${seed}`).toBeUndefined();
    }
    // What lands on the last day of 365 is an event of that season.
    const again = planNextSeason([...events, ...added], own).rows;
    const isTwice = ({ event, reason }: (typeof again)[number]) =>
      event.id < 1_000 && reason === undefined;
    expect(again.filter(isTwice), `seed ${seed}`).toEqual([]);
  }
  for (const [reason, times] of Object.entries(reached)) expect(times, reason).toBeGreaterThan(0);
});

it.each(choose(writtenSeasons, writtenSeasons.slice(0, 3)))(
  'puts nothing of $name on a day off or twice into a hall',
  (written) => {
    const events = writeSeason(written).map((event) => event as StoredEvent);
    const holidayOn = (day: string) =>
      holidays.find(({ first, last }) => first <= day && day <= last)?.name;
    const own = { ...request, clock: zoneNamed(seasonZone), holidayOn };
    const days = { from: season.first, to: season.last };
    const { rows, groups } = planNextSeason(events, { ...own, ...days });
    const next = rows.flatMap(({ event, reason, ...more }) =>
      reason === undefined ? [{ ...event, ...more }] : [],
    );
    expect(next.length).toBeGreaterThan(90);
    expect(groups.filter(({ isTaken }) => isTaken).length).toBeGreaterThan(2);
    for (const event of next) {
      const last = lastDayOf(event, own.clock);
      for (const off of holidays) {
        expect(own.clock.dayOf(event.date) <= off.last && off.first <= last).toBe(false);
      }
      const time = intervalOf(event, 120, own.clock);
      const others = [...events, ...next].filter(
        (other) =>
          (other.id !== event.id || other.date !== event.date) &&
          placeOf(other) === placeOf(event) &&
          overlap(time, intervalOf(other, 120, own.clock)),
      );
      expect(others.map(({ name }) => name)).toEqual([]);
    }
  },
);

const storedEventsIn = (home: Home, userId: number) =>
  withReader(home, (db) => storedEvents(db, userId));

describe('season next', () => {
  async function openClub() {
    const home = makeTestHome();
    const days = ['2026-10-06', '2026-10-13', '2026-10-20'];
    const events = days.map((day, at) =>
      makeEvent(at + 1, {
        ...{ name: 'Yoga', location: 'Hall', date: `${day}T16:00:00.000Z` },
        ...{ description: 'Until 19:30', registrationOpen: true, eventType: 'club' },
      }),
    );
    const { userId } = await addMember(home, 'Chess', events);
    const tools = {
      ...thisMachine,
      home,
      now: () => new Date('2027-06-10T08:00:00Z'),
      systemTimeZone: () => timeZone,
      write: async () => undefined,
      onProgress: () => undefined,
    };
    return { home, userId, tools };
  }

  it('adds the events as one change with one undo, and none of them twice', async () => {
    const { home, userId, tools } = await openClub();
    const action = catalogue['season next'];
    const preview = await action.perform({ user: 'Chess', dryRun: true }, tools);
    expect(preview).toMatchObject({ from: '2026-07-01', to: '2027-06-30', leftOut: [] });
    expect(preview.batch).toBeUndefined();
    const { events, batch } = await action.perform({ user: 'Chess' }, tools);
    expect(events.map(({ date }) => date)).toEqual(preview.events.map(({ date }) => date));
    const added = (await storedEventsIn(home, userId)).slice(3);
    expect(added[0]).toMatchObject({
      ...{ name: 'Yoga', location: 'Hall', date: '2027-10-05T16:00:00.000Z', status: 'active' },
      ...{ description: 'Until 19:30', eventType: 'club' },
    });
    expect(added[0]).not.toHaveProperty('registrationOpen');
    const again = await action.perform({ user: 'Chess' }, tools);
    expect(again.events).toEqual([]);
    await catalogue.undo.perform({ id: batch }, tools);
    expect(await storedEventsIn(home, userId)).toHaveLength(3);
  });

  it('refuses a club that follows another computer, and changes nothing', async () => {
    const days = ['2026-10-06', '2026-10-13'];
    const events = days.map(
      (day, at) =>
        makeEvent(at + 1, { name: 'Yoga', date: `${day}T16:00:00.000Z`, createdAt }) as StoredEvent,
    );
    const { perform, stored, connection } = await openMirror({ events });
    await perform('mirror set', connection);
    const before = await stored();
    expect(before.size).toBe(2);
    for (const dryRun of [true, false]) {
      const days = { from: '2026-08-01', to: '2027-07-31' };
      await expect(perform('season next', { ...days, dryRun })).rejects.toMatchObject({
        code: 'user_mirrored',
      });
    }
    expect(await stored()).toEqual(before);
  });

  it('refuses days without events, and texts that are no days', async () => {
    const { tools } = await openClub();
    const { perform } = catalogue['season next'];
    await expect(
      perform({ user: 'Chess', from: '2020-01-01', to: '2020-12-31' }, tools),
    ).rejects.toMatchObject({ code: 'season_empty' });
    await expect(perform({ user: 'Chess', from: 'August' }, tools)).rejects.toMatchObject({
      code: 'import_bound_invalid',
    });
    await expect(perform({ user: 'Nobody' }, tools)).rejects.toMatchObject({
      code: 'user_unknown',
    });
  });
});
