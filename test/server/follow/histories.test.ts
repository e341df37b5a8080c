import { expect, it } from 'vitest';
import {
  addCalendar,
  changeCalendar,
  emptyMemory,
  type FollowedCalendar,
  findCalendar,
} from '../../../db/calendars.ts';
import { eachEvent } from '../../../db/event-list.ts';
import type { StoredEvent } from '../../../db/model.ts';
import type { Writer } from '../../../db/open.ts';
import { explain } from '../../../server/base/errors.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { readContents } from '../../../server/follow/contents.ts';
import { digestOf, updateEvents } from '../../../server/follow/update.ts';
import { withWriter } from '../../../server/store/store.ts';
import { addMember, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { type Feed, feeds, startOf, type TrueEvent, writeFeed, zone } from './feeds.ts';

const hour = 60 * 60 * 1_000;
const day = 24 * 60;

const rules = {
  ...{ eventType: null, place: '', prefix: '', words: '', without: '' },
  use: 'events' as const,
};

/** The season of a club: matches, a weekly training, and what happens once. */
function seasonOf(random: Random): TrueEvent[] {
  const place = () => ['Ground', 'Town hall', 'Hall 2'][random(3)] ?? '';
  const match = (at: number) => ({
    name: `Rovers – ${['City', 'United', 'Albion', 'Town', 'Wanderers'][at % 5]} ${'I'.repeat(1 + Math.floor(at / 5))}`,
    start: (7 + at * 7 + random(2)) * day + (13 + random(5)) * 60,
    place: place(),
  });
  const training = (at: number) => ({
    ...{ name: 'Training', start: (5 + at * 7) * day + 18 * 60, place: 'Hall 2' },
  });
  const once = ['Christmas party', 'General meeting', 'Camp'].map((name, at) => ({
    ...{ name, start: (20 + at * 17) * day + 19 * 60, place: place() },
  }));
  return [
    ...Array.from({ length: 12 }, (_, at) => match(at)),
    ...Array.from({ length: 10 }, (_, at) => training(at)),
    ...once,
  ].map((event, at) => ({ id: at + 1, isCancelled: false, ...event }));
}

type Tally = { moves: number; kept: number };

/** Lives 60 downloads of a calendar, and checks the club after each. */
async function live(db: Writer, feed: Feed, userId: number, random: Random): Promise<Tally> {
  const clock = zoneNamed(zone);
  let now = Date.UTC(2036, 9, 28);
  let events = seasonOf(random);
  let lastId = events.length;
  const changedAt = new Map<number, number>();
  const bodies: { readonly text: string; readonly asOf: number }[] = [];
  const row = {
    userId,
    name: 'Fixtures',
    host: 'service',
    rules,
    memory: emptyMemory,
    looked: null,
    days: null,
  };
  const id = addCalendar(db, row);
  const tally: Tally = { moves: 0, kept: 0 };
  const stored = () => new Map([...eachEvent(db, userId)].map((event) => [event.id, event]));
  const momentOf = (event: Pick<StoredEvent, 'name' | 'date'>) => `${event.date} ${event.name}`;

  /** Changes the calendar as people do. Returns a match that moved. */
  function change(): TrueEvent | undefined {
    const upcoming = events.filter((event) => startOf(event).getTime() > now + 24 * hour);
    const event = upcoming[random(Math.max(1, upcoming.length))];
    if (event === undefined) return undefined;
    const set = (values: Partial<TrueEvent>) => {
      changedAt.set(event.id, now);
      events = events.map((one) => (one === event ? { ...one, ...values } : one));
    };
    const kind = random(8);
    if (kind <= 2) {
      // Not onto another event of the name.
      const start = event.start + (1 + random(12)) * day + random(3) * 30;
      if (event.name === 'Training' || events.some((one) => one.start === start)) return undefined;
      set({ start });
      return event;
    }
    if (kind === 3) set({ isCancelled: true });
    else if (kind === 4) set({ isCancelled: false });
    else if (kind === 5) set({ place: `Hall ${random(9)}` });
    else if (kind === 6) events = events.filter((one) => one !== event);
    else {
      lastId += 1;
      const start = (30 + random(60)) * day + 10 * 60 + lastId;
      events = [
        ...events,
        { id: lastId, name: `Extra ${lastId}`, start, place: '', isCancelled: false },
      ];
      changedAt.set(lastId, now);
    }
    return undefined;
  }

  for (let download = 0; download < 60; download += 1) {
    now += (1 + random(11)) * hour;
    const moved = download > 0 && random(5) < 2 ? change() : undefined;
    const before = stored();
    const trouble = download === 0 ? 9 : random(16);
    const whole = writeFeed(feed, events, { random, now, changedAt });
    const old = bodies[random(Math.max(1, bodies.length))];
    const text =
      trouble === 0
        ? whole.slice(0, Math.floor(whole.length * 0.7))
        : trouble === 1
          ? '<html><body><form><input type="password"></form>'
          : trouble === 2
            ? ''
            : trouble <= 4 && old
              ? old.text
              : whole;
    const asOf = trouble === 3 && old ? old.asOf : now;
    const calendar = findCalendar(db, id) as FollowedCalendar;
    let digest: string;
    try {
      const context = { timeZone: zone, now: new Date(now) };
      const contents = await readContents(Buffer.from(text), 'service', rules, context);
      digest = digestOf(contents.events);
      const marks = { asOf, etag: null, lastModified: null };
      const update = updateEvents(db, calendar, { contents, marks }, { clock, now: new Date(now) });
      changeCalendar(db, { ...calendar, memory: update.memory });
    } catch (error) {
      expect(explain(error)?.code, `${feed.name} ${trouble}`).toMatch(/^follow_/);
      digest = '';
    }
    const after = stored();
    const { memory } = findCalendar(db, id) as FollowedCalendar;
    expect(after.size).toBeGreaterThanOrEqual(before.size);
    if (trouble <= 2) expect(after).toEqual(before);
    const isTaken = trouble > 4 && memory.contents[0] === digest;
    if (!isTaken) continue;
    bodies.push({ text: whole, asOf: now });
    const shown = events.filter((event) => startOf(event).getTime() > now);
    const here = [...after.values()].filter(({ date }) => Date.parse(date) > now);
    const byMoment = Map.groupBy(here, momentOf);
    const missing = new Set(memory.missing.map((one) => one.id));
    // Each event of the calendar is here once, with its values.
    const found = shown.map((event) => {
      const moment = momentOf({ name: event.name, date: startOf(event).toISOString() });
      const same = (byMoment.get(moment) ?? []).filter((one) => !missing.has(one.id));
      expect(same, `${feed.name}, download ${download}: ${moment}`).toHaveLength(1);
      expect(same[0]).toMatchObject({
        location: event.place,
        status: event.isCancelled ? 'cancelled' : 'active',
      });
      return same[0]?.id;
    });
    // All others wait for an answer, or were cancelled by the calendar before they left it.
    for (const one of here) {
      const isKnown = found.includes(one.id) || missing.has(one.id);
      if (!isKnown) expect(before.get(one.id)?.status, momentOf(one)).toBe('cancelled');
    }
    const earlier =
      moved &&
      [...before.values()].find(
        (one) =>
          momentOf(one) === momentOf({ name: moved.name, date: startOf(moved).toISOString() }),
      );
    if (earlier === undefined || moved === undefined) continue;
    const moment = events.find((event) => event.id === moved.id);
    if (moment === undefined || earlier.status === 'cancelled') continue;
    tally.moves += 1;
    if (after.get(earlier.id)?.date === startOf(moment).toISOString()) tally.kept += 1;
  }
  return tally;
}

it('a calendar of each service keeps a club as its people do, whatever comes between', async () => {
  const seeds = choose(40, 1, 400);
  const lived = choose(
    feeds,
    feeds.filter((_, at) => at % 5 === 1),
  );
  const tallies = new Map<string, Tally>();
  for (const feed of lived) {
    const sum = { moves: 0, kept: 0 };
    for (let seed = 1; seed <= seeds; seed += 1) {
      const home = makeTestHome();
      await addMember(home, 'Rovers', []);
      const { moves, kept } = await withWriter(home, (db) => live(db, feed, 1, createRandom(seed)));
      sum.moves += moves;
      sum.kept += kept;
    }
    tallies.set(feed.name, sum);
  }
  const shareOf = (list: readonly Tally[]) =>
    list.reduce((total, { kept }) => total + kept, 0) /
    list.reduce((total, { moves }) => total + moves, 0);
  const unreliable = lived.filter(({ uid }) => uid !== 'stable').map(({ name }) => name);
  const of = (names: readonly string[]) => names.flatMap((name) => tallies.get(name) ?? []);
  const others = lived.map(({ name }) => name).filter((name) => !unreliable.includes(name));
  expect(shareOf(of(others))).toBe(1);
  expect(shareOf(of(unreliable))).toBeGreaterThanOrEqual(0.99);
});
