import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  addCalendar,
  type CalendarMemory,
  changeCalendar,
  emptyMemory,
  type FollowedCalendar,
  findCalendar,
} from '../../../db/calendars.ts';
import { eachEvent } from '../../../db/event-list.ts';
import type { StoredEvent } from '../../../db/model.ts';
import type { Writer } from '../../../db/open.ts';
import { type ActionName, catalogue } from '../../../server/actions/catalogue.ts';
import { explain } from '../../../server/base/errors.ts';
import type { Home } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { readContents } from '../../../server/follow/contents.ts';
import { digestOf, updateEvents } from '../../../server/follow/update.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { addMember, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { serveCalendar } from './calendar-server.ts';
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

/** A calendar that a club follows. */
type Followed = {
  /** Reads what its address answers, a text that is good for a time. Returns the digest of a calendar. */
  readonly read: (text: string, asOf: number, now: number) => Promise<string | undefined>;
  /** Returns the events of the club, and what is known of the calendar. */
  readonly look: () => Promise<{ events: readonly StoredEvent[]; memory: CalendarMemory }>;
};

/** Follows a calendar in a database, without a download. */
function followIn(db: Writer, userId: number, feed: string): Followed {
  const clock = zoneNamed(zone);
  const row = { userId, name: 'Fixtures', host: 'service', rules, looked: null, days: null };
  const id = addCalendar(db, { ...row, memory: emptyMemory });
  const find = () => findCalendar(db, id) as FollowedCalendar;
  return {
    async read(text, asOf, time) {
      const now = new Date(time);
      try {
        const contents = await readContents(Buffer.from(text), 'service', rules, {
          ...{ timeZone: zone, now },
        });
        const marks = { asOf, etag: null, lastModified: null };
        const { memory } = updateEvents(db, find(), { contents, marks }, { clock, now });
        changeCalendar(db, { ...find(), memory });
        return digestOf(contents.events);
      } catch (error) {
        expect(explain(error)?.code, feed).toMatch(/^follow_/);
        return undefined;
      }
    },
    look: async () => ({ events: [...eachEvent(db, userId)], memory: find().memory }),
  };
}

/** Returns the digest of a calendar; undefined for anything else. */
async function digestIn(text: string, now: number): Promise<string | undefined> {
  const context = { timeZone: zone, now: new Date(now) };
  try {
    return digestOf((await readContents(Buffer.from(text), 'service', rules, context)).events);
  } catch (error) {
    expect(explain(error)?.code).toMatch(/^follow_/);
    return undefined;
  }
}

/** Follows a calendar over HTTP, with the answers of a server that knows what it gave last. */
async function followOverHttp(home: Home, user: string): Promise<Followed> {
  const served = { text: '', asOf: 0 };
  const { address } = await serveCalendar(({ headers }) => {
    const etag = `"${hash('sha1', served.text, 'hex')}"`;
    const date = new Date(served.asOf).toUTCString();
    const isSame = headers['if-none-match'] === etag;
    return {
      headers: { etag, date },
      ...(isSame ? { status: 304 } : { body: served.text }),
    };
  });
  let isAdded = false;
  return {
    async read(text, asOf, now) {
      Object.assign(served, { text, asOf });
      const act = async (name: ActionName, args: object) => {
        const tools = {
          ...{ ...thisMachine, home, now: () => new Date(now), onProgress: () => undefined },
          write: () => Promise.reject(new Error('Nothing is written.')),
        };
        await catalogue[name].perform(args, tools);
      };
      if (isAdded) await act('follow tick', { id: 1, isWake: true });
      else await act('follow add', { user, address });
      isAdded = true;
      return await digestIn(text, now);
    },
    look: () =>
      withReader(home, (db) => ({
        events: [...eachEvent(db, 1)],
        memory: (findCalendar(db, 1) as FollowedCalendar).memory,
      })),
  };
}

/** Lives 60 downloads of a calendar, and checks the club after each. */
async function live({ read, look }: Followed, feed: Feed, random: Random): Promise<Tally> {
  let now = Date.UTC(2036, 9, 28);
  let events = seasonOf(random);
  let lastId = events.length;
  const changedAt = new Map<number, number>();
  const bodies: { readonly text: string; readonly asOf: number }[] = [];
  const tally: Tally = { moves: 0, kept: 0 };
  const byId = (events: readonly StoredEvent[]) =>
    new Map(events.map((event) => [event.id, event]));
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
    const before = byId(download === 0 ? [] : (await look()).events);
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
    const digest = await read(text, asOf, now);
    const { events: stored, memory } = await look();
    const after = byId(stored);
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
  const seeds = choose(10, 1, 400);
  const lived = choose(
    feeds,
    feeds.filter((_, at) => at === 0 || at === 8),
  );
  const tallies = new Map<string, Tally>();
  for (const feed of lived) {
    const sum = { moves: 0, kept: 0 };
    for (let seed = 1; seed <= seeds; seed += 1) {
      const home = makeTestHome();
      await addMember(home, 'Rovers', []);
      const { moves, kept } = await withWriter(home, (db) =>
        live(followIn(db, 1, feed.name), feed, createRandom(seed)),
      );
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

it('lives the same over HTTP', { tags: 'long' }, async () => {
  const lived = choose(feeds.slice(0, 3), feeds.slice(0, 1), feeds);
  const sum = { moves: 0, kept: 0 };
  for (const [at, feed] of lived.entries()) {
    const home = makeTestHome();
    await addMember(home, 'Rovers', []);
    const followed = await followOverHttp(home, 'Rovers');
    const { moves, kept } = await live(followed, feed, createRandom(1_000 + at));
    sum.moves += moves;
    sum.kept += kept;
  }
  expect(sum.kept / sum.moves).toBeGreaterThanOrEqual(0.99);
});
