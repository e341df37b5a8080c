import type { Event } from '../../contract.ts';
import { type EventPage, readEventPage, shortestList } from '../base/client.ts';

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
  /** Time of the last confirmation by the mirrored online service; null without one. */
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

/** Progress in one direction; `next` is null once all its pages have been read. */
type Progress = { readonly pages: EventPage[]; next: string | null };

/** Pause of a search after its first page, in milliseconds: the next letter often cancels it. */
const searchPauseMs = 300;

function firstPath({ words, start }: Source, direction: 'past' | 'coming'): string {
  const query = new URLSearchParams({ sort: 'date' });
  query.set('order', direction === 'past' ? 'desc' : 'asc');
  query.set(direction === 'past' ? 'to' : 'from', start);
  if (words !== '') query.set('q', words);
  return `/v1/events?${query}`;
}

/** Checks that no event changed since `before`; returns false without a revision. */
function isUnchangedSince({ revision, asOf }: EventPage, before: EventPage | undefined): boolean {
  return revision !== null && revision === before?.revision && asOf === before.asOf;
}

function mergePages(past: Progress, coming: Progress): EventSet {
  const earlier = past.pages.flatMap(({ events }) => events).reverse();
  const later = coming.pages.flatMap(({ events }) => events);
  const both = earlier.concat(later);
  const byId = new Map(both.map((event) => [event.id, event]));
  const ends = [past.pages[0], coming.pages[0]];
  return {
    // An event whose date changed during the walk may occur twice.
    events: byId.size === both.length ? both : both.filter((event) => byId.get(event.id) === event),
    byId,
    total: ends.reduce((sum, page) => sum + (page?.total ?? 0), 0),
    pastRead: past.next === null,
    comingRead: coming.next === null,
    asOf: ends.find((page) => page?.asOf)?.asOf ?? null,
  };
}

function haveChanged(pages: Pages, before: Pages): boolean {
  if (pages.size !== before.size) return true;
  return [...pages].some(([path, { events, asOf }]) => {
    const known = before.get(path);
    return known?.events !== events || known.asOf !== asOf;
  });
}

/**
 * Reads the events in both directions at once. Yields the events so far after 1, 2, 4, 8… pages,
 * and all events at the end. Costs one request if the club is unchanged since `before`, whose
 * `set` is then yielded again. Throws `ReadingError`.
 */
export async function* readAll(
  source: Source,
  before: Walk,
  signal: AbortSignal,
): AsyncGenerator<Walk> {
  const began = performance.now();
  // Polls before the reading, so that the next poll detects changes made during it.
  const poll = await readEventPage(source.key, shortestList, before.poll, signal);
  const hasAll = before.set.pastRead && before.set.comingRead;
  if (hasAll && isUnchangedSince(poll, before.poll)) {
    yield { ...before, tookMs: performance.now() - began };
    return;
  }
  const pages = new Map<string, EventPage>();
  const past: Progress = { pages: [], next: firstPath(source, 'past') };
  const coming: Progress = { pages: [], next: firstPath(source, 'coming') };
  const walkWith = (set: EventSet) => ({ set, pages, poll, tookMs: performance.now() - began });

  async function readNext(progress: Progress, path: string): Promise<Progress> {
    if (source.words !== '' && progress.pages.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, searchPauseMs));
      signal.throwIfAborted();
    }
    const page = await readEventPage(source.key, path, before.pages.get(path), signal);
    pages.set(path, page);
    progress.pages.push(page);
    progress.next = page.next;
    return progress;
  }

  const pending = new Map<Progress, Promise<Progress>>();
  const readOn = (progress: Progress) => {
    if (progress.next === null) pending.delete(progress);
    else pending.set(progress, readNext(progress, progress.next));
  };
  readOn(coming);
  readOn(past);
  for (let yieldAt = 1; pending.size > 0; ) {
    const progress = await Promise.race(pending.values());
    if (pages.size >= yieldAt) {
      yieldAt = pages.size * 2;
      yield walkWith(mergePages(past, coming));
    }
    // Only after the yield: the consumer may stop there, and nobody would handle a rejection.
    readOn(progress);
  }
  const isUnchanged = hasAll && !haveChanged(pages, before.pages);
  yield walkWith(isUnchanged ? before.set : mergePages(past, coming));
}
