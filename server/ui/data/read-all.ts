import { eventFields } from '../../../db/model.ts';
import { carryPlaces } from '../../event/places.ts';
import type { Event } from '../../http/contract.ts';
import {
  type EventChanges,
  type EventPage,
  readChanges,
  readEventPage,
  shortestList,
} from '../base/client.ts';
import { replaceEvents } from './event-queries.ts';

/** The events of a search, or of the whole club, that have been read so far. */
export type EventSet = {
  /** Sorted by date, then id, ascending; without gaps between the first and the last. */
  readonly events: readonly Event[];
  readonly byId: ReadonlyMap<number, Event>;
  /** Number of matching events, read or not. */
  readonly total: number;
  /** True once all events before the first (past) or after the last (coming) have been read. */
  readonly pastRead: boolean;
  readonly comingRead: boolean;
  /**
   * Time of the last list of the mirrored online service; null without one. Older events were
   * confirmed earlier, one by one.
   */
  readonly asOf: string | null;
};

/** A list of events to read: a search, or all events of a club. */
type Source = {
  readonly key: string;
  /** Search words; empty for all events. */
  readonly words: string;
  /** Timestamp at which reading starts, in both directions. */
  readonly start: string;
};

/** The events read so far, and what the next reading needs to transfer only changes. */
export type Walk = {
  readonly set: EventSet;
  /** The pages of `set` by path. */
  readonly pages: Pages;
  /** Answer to the poll before the reading; undefined before the first one. */
  readonly poll: EventPage | undefined;
  readonly tookMs: number;
};

type Pages = ReadonlyMap<string, EventPage>;

/** The walk before the first reading. */
export const nothingRead: Walk = {
  set: { events: [], byId: new Map(), total: 0, pastRead: false, comingRead: false, asOf: null },
  pages: new Map(),
  poll: undefined,
  tookMs: 0,
};

/** Pages of one list, read one after the other; `next` is null after the last one. */
type Chain = { readonly pages: EventPage[]; next: string | null };

type Direction = 'past' | 'coming';

/**
 * The reading in one direction. `near` begins at the start; with many events, `far` begins at the
 * other end, and they meet.
 */
type Side = { readonly direction: Direction; readonly near: Chain; readonly far: Chain };

/** Number of events in one direction from which two chains are faster. */
const manyEvents = 2_000;

/** Pause of a search after its first page, in milliseconds: the next letter often cancels it. */
const searchPauseMs = 300;

function createSide({ words, start }: Source, direction: Direction): Side {
  const chainIn = (order: 'asc' | 'desc'): Chain => {
    const query = new URLSearchParams({ sort: 'date', order });
    query.set(direction === 'past' ? 'to' : 'from', start);
    if (words !== '') query.set('q', words);
    return { pages: [], next: `/v1/events?${query}` };
  };
  const [near, far] =
    direction === 'past' ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  return { direction, near: chainIn(near), far: chainIn(far) };
}

const eventsOf = ({ pages }: Chain) => pages.flatMap(({ events }) => events);

/** Checks that an event of a side is further from the start than another one. */
function isFurther({ direction }: Side, event: Event, other: Event): boolean {
  const [one, two] = direction === 'coming' ? [other, event] : [event, other];
  return one.date < two.date || (one.date === two.date && one.id < two.id);
}

/** Checks that all events of a side have been read. */
function isRead(side: Side): boolean {
  if (side.near.next === null || side.far.next === null) return true;
  const nearEnd = side.near.pages.at(-1)?.events.at(-1);
  const farEnd = side.far.pages.at(-1)?.events.at(-1);
  return nearEnd !== undefined && farEnd !== undefined && !isFurther(side, farEnd, nearEnd);
}

/** Returns the events of a side from the start on, without gaps. */
function readEventsOf(side: Side): readonly Event[] {
  const events = eventsOf(side.near);
  const last = events.at(-1);
  if (last === undefined || !isRead(side)) return events;
  const further = eventsOf(side.far).filter((event) => isFurther(side, event, last));
  return events.concat(further.reverse());
}

/** Checks that no event changed since `before`; returns false without a revision. */
function isUnchangedSince({ revision, asOf }: EventPage, before: EventPage | undefined): boolean {
  return revision !== null && revision === before?.revision && asOf === before.asOf;
}

function mergePages(past: Side, coming: Side, { asOf }: EventPage): EventSet {
  const both = readEventsOf(past).toReversed().concat(readEventsOf(coming));
  const byId = new Map(both.map((event) => [event.id, event]));
  const ends = [past.near.pages[0], coming.near.pages[0]];
  return {
    // An event whose date changed during the walk may occur twice.
    events: byId.size === both.length ? both : both.filter((event) => byId.get(event.id) === event),
    byId,
    // A copy of an online service counts its events only if it has them all.
    total: Math.max(
      byId.size,
      ends.reduce((sum, page) => sum + (page?.total ?? 0), 0),
    ),
    pastRead: isRead(past),
    comingRead: isRead(coming),
    asOf,
  };
}

const isSame = (one: Event | undefined, other: Event): boolean =>
  one !== undefined && eventFields.every((field) => one[field] === other[field]);

/**
 * Returns a set that was read completely, with what changed since then; the same if nothing did. Few
 * events change: the others are neither sorted nor looked at.
 */
export function withChanges(
  set: EventSet,
  changes: EventChanges,
  asOf: EventSet['asOf'],
): EventSet {
  const changed = changes.events.filter((event) => !isSame(set.byId.get(event.id), event));
  const removed = changes.removed.filter((id) => set.byId.has(id));
  const ids = new Set([...removed, ...changed.map(({ id }) => id)]);
  if (ids.size === 0) return set.asOf === asOf ? set : { ...set, asOf };
  const outdated = [...ids].flatMap((id) => set.byId.get(id) ?? []);
  const events = replaceEvents(set.events, outdated, changed);
  const byId = new Map(set.byId);
  for (const id of ids) byId.delete(id);
  for (const event of changed) byId.set(event.id, event);
  carryPlaces([set.events, outdated], [events, changed]);
  return { ...set, events, byId, total: events.length, asOf };
}

function haveChanged(pages: Pages, before: Pages): boolean {
  if (pages.size !== before.size) return true;
  return [...pages].some(([path, { events }]) => before.get(path)?.events !== events);
}

/**
 * Reads the events in both directions at once. Yields the events so far after 1, 2, 8, 32… pages,
 * and all events at the end. Costs one request if the club is unchanged since `before`, whose
 * `set` is then yielded again, and two if few events changed. Throws `ReadingError`.
 */
export async function* readAll(
  source: Source,
  before: Walk,
  signal: AbortSignal,
): AsyncGenerator<Walk> {
  const began = performance.now();
  const pages = new Map<string, EventPage>();
  const past = createSide(source, 'past');
  const coming = createSide(source, 'coming');

  async function read(chain: Chain, path: string): Promise<EventPage> {
    const page = await readEventPage(source.key, path, before.pages.get(path), signal);
    pages.set(path, page);
    chain.pages.push(page);
    chain.next = page.next;
    return page;
  }

  // Polls before the reading, so that the next poll detects changes made during it. The first page of
  // a first reading has the same headers.
  const firstPath = before.poll === undefined ? coming.near.next : null;
  const poll =
    firstPath === null
      ? await readEventPage(source.key, shortestList, before.poll, signal)
      : await read(coming.near, firstPath);
  const hasAll = before.set.pastRead && before.set.comingRead;
  if (hasAll && isUnchangedSince(poll, before.poll)) {
    yield { ...before, tookMs: performance.now() - began };
    return;
  }
  const since = before.poll?.revision;
  if (hasAll && since && source.words === '') {
    const changes = await readChanges(source.key, since, signal);
    if (changes !== undefined) {
      const set = withChanges(before.set, changes, poll.asOf);
      yield { ...before, set, poll, tookMs: performance.now() - began };
      return;
    }
  }
  const walkWith = (set: EventSet) => ({ set, pages, poll, tookMs: performance.now() - began });

  async function readNext(side: Side, chain: Chain, path: string) {
    if (source.words !== '' && chain.pages.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, searchPauseMs));
      signal.throwIfAborted();
    }
    await read(chain, path);
    return { side, chain };
  }

  const pending = new Map<Chain, ReturnType<typeof readNext>>();
  const readOn = (side: Side, chain: Chain) => {
    if (chain.next === null || isRead(side)) pending.delete(chain);
    else pending.set(chain, readNext(side, chain, chain.next));
  };
  if (pages.size > 0) yield walkWith(mergePages(past, coming, poll));
  readOn(coming, coming.near);
  readOn(past, past.near);
  for (let yieldAt = pages.size + 1; pending.size > 0; ) {
    const { side, chain } = await Promise.race(pending.values());
    if (pages.size >= yieldAt) {
      // The second page is usually that of the other direction, without which the total is wrong.
      yieldAt = pages.size === 1 ? 2 : pages.size * 4;
      yield walkWith(mergePages(past, coming, poll));
    }
    // Only after the yield: the consumer may stop there, and nobody would handle a rejection.
    readOn(side, chain);
    // Not before the second page, because a search pauses after the first one.
    const [, second, third] = side.near.pages;
    const isSecond = chain === side.near && third === undefined;
    if (isSecond && second !== undefined && second.total > manyEvents) readOn(side, side.far);
  }
  const isUnchanged = hasAll && before.set.asOf === poll.asOf && !haveChanged(pages, before.pages);
  yield walkWith(isUnchanged ? before.set : mergePages(past, coming, poll));
}
