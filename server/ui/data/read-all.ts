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

type Walk = {
  readonly key: string;
  /** Search words; empty for all events. */
  readonly words: string;
  /** Timestamp at which reading starts, in both directions. */
  readonly start: string;
};

/** Pause of a search after its first page, in milliseconds: the next letter often cancels it. */
const searchPauseMs = 300;

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, searchPauseMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Progress of a walk in one direction. */
type Progress = { pages: EventPage[]; done: boolean };

type Pages = ReadonlyMap<string, EventPage>;

function firstPath({ words, start }: Walk, direction: 'past' | 'coming'): string {
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
    pastRead: past.done,
    comingRead: coming.done,
    asOf: ends.find((page) => page?.asOf)?.asOf ?? null,
  };
}

/**
 * Creates a function that reads the events in both directions at once and can be called again.
 * Then an unchanged club costs one request, and unchanged pages are not transferred. If no page
 * has changed, the result is the same object as before.
 */
export function createWalker(walk: Walk) {
  let knownPages: Pages = new Map();
  let result: EventSet | undefined;
  let lastPoll: EventPage | undefined;

  async function follow(
    path: string,
    progress: Progress,
    pages: Map<string, EventPage>,
    signal: AbortSignal,
    onPage: () => void,
  ): Promise<void> {
    for (let next: string | null = path; next !== null; ) {
      const page: EventPage = await readEventPage(walk.key, next, knownPages.get(next), signal);
      pages.set(next, page);
      progress.pages.push(page);
      next = page.next;
      progress.done = next === null;
      onPage();
      if (walk.words !== '' && progress.pages.length === 1 && !progress.done) await pause(signal);
    }
  }

  const isUnchanged = (pages: Pages) =>
    pages.size === knownPages.size &&
    [...pages].every(([path, { events, asOf }]) => {
      const before = knownPages.get(path);
      return before?.events === events && before.asOf === asOf;
    });

  /** Throws `ReadingError`. Calls `publish` with the events so far, after 1, 2, 4, 8… pages. */
  return async function read(
    signal: AbortSignal,
    publish: (soFar: EventSet) => void,
  ): Promise<EventSet> {
    // Polls before the walk, so that the next poll detects changes made during it.
    const poll = await readEventPage(walk.key, shortestList, lastPoll, signal);
    if (result !== undefined && isUnchangedSince(poll, lastPoll)) return result;
    const past: Progress = { pages: [], done: false };
    const coming: Progress = { pages: [], done: false };
    const pages = new Map<string, EventPage>();
    let publishAt = 1;
    const onPage = () => {
      if (pages.size < publishAt) return;
      publishAt = pages.size * 2;
      publish(mergePages(past, coming));
    };
    await Promise.all([
      follow(firstPath(walk, 'coming'), coming, pages, signal, onPage),
      follow(firstPath(walk, 'past'), past, pages, signal, onPage),
    ]);
    if (result === undefined || !isUnchanged(pages)) result = mergePages(past, coming);
    knownPages = pages;
    lastPoll = poll;
    return result;
  };
}
