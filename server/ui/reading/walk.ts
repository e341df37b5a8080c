import type { Event } from '../../contract.ts';
import { type EventPage, readEventPage, shortestList } from './client.ts';

/** The events that match a search, or all, as far as they have been read. */
export type EventSet = {
  /** By date, ties by id, both ascending: without gaps between the first and the last. */
  readonly events: readonly Event[];
  readonly byId: ReadonlyMap<number, Event>;
  /** How many there are, read or not. */
  readonly total: number;
  /** Whether everything before the first, and after the last, has been read too. */
  readonly pastRead: boolean;
  readonly comingRead: boolean;
  /** When the events were last confirmed at the online service they mirror. */
  readonly asOf: string | null;
};

export type Walk = {
  readonly key: string;
  /** Words to search for; empty for all events. */
  readonly words: string;
  /** Where to begin, going both ways: a timestamp. */
  readonly start: string;
};

/** For how long a search rests after its first hits: the next letter mostly comes before. */
const restMs = 300;

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, restMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** One direction of a walk, and what it has read. */
type Way = { pages: EventPage[]; done: boolean };

type Pages = ReadonlyMap<string, EventPage>;

function firstPath({ words, start }: Walk, way: 'past' | 'coming'): string {
  const query = new URLSearchParams({ sort: 'date' });
  query.set('order', way === 'past' ? 'desc' : 'asc');
  query.set(way === 'past' ? 'to' : 'from', start);
  if (words !== '') query.set('q', words);
  return `/v1/events?${query}`;
}

/** Returns whether no event changed since `before`; false without a revision. */
function isUnchangedSince({ revision, asOf }: EventPage, before: EventPage | undefined): boolean {
  return revision !== null && revision === before?.revision && asOf === before.asOf;
}

function gather(past: Way, coming: Way): EventSet {
  const earlier = past.pages.flatMap(({ events }) => events).reverse();
  const later = coming.pages.flatMap(({ events }) => events);
  const both = earlier.concat(later);
  const byId = new Map(both.map((event) => [event.id, event]));
  const ends = [past.pages[0], coming.pages[0]];
  return {
    // An event that was moved while this was read may have been met twice.
    events: byId.size === both.length ? both : both.filter((event) => byId.get(event.id) === event),
    byId,
    total: ends.reduce((sum, page) => sum + (page?.total ?? 0), 0),
    pastRead: past.done,
    comingRead: coming.done,
    asOf: ends.find((page) => page?.asOf)?.asOf ?? null,
  };
}

/**
 * Reads events from a day on, both ways at once, and can do so again: with one request when the
 * club has not changed, and without the transfer of unchanged pages. If none has changed, the
 * outcome is the same object as before.
 */
export function createWalker(walk: Walk) {
  let known: Pages = new Map();
  let outcome: EventSet | undefined;
  let lastPoll: EventPage | undefined;

  async function follow(
    path: string,
    way: Way,
    pages: Map<string, EventPage>,
    signal: AbortSignal,
    onPage: () => void,
  ): Promise<void> {
    for (let next: string | null = path; next !== null; ) {
      const page: EventPage = await readEventPage(walk.key, next, known.get(next), signal);
      pages.set(next, page);
      way.pages.push(page);
      next = page.next;
      way.done = next === null;
      onPage();
      if (walk.words !== '' && way.pages.length === 1 && !way.done) await rest(signal);
    }
  }

  const isUnchanged = (pages: Pages) =>
    pages.size === known.size &&
    [...pages].every(([path, { events, asOf }]) => {
      const before = known.get(path);
      return before?.events === events && before.asOf === asOf;
    });

  /** Throws `ReadingError`; `publish` is told of what has been read so far, ever more seldom. */
  return async function read(
    signal: AbortSignal,
    publish: (soFar: EventSet) => void,
  ): Promise<EventSet> {
    // Before the walk, so that the next poll finds what changes during it.
    const poll = await readEventPage(walk.key, shortestList, lastPoll, signal);
    if (outcome !== undefined && isUnchangedSince(poll, lastPoll)) return outcome;
    const past: Way = { pages: [], done: false };
    const coming: Way = { pages: [], done: false };
    const pages = new Map<string, EventPage>();
    let publishAt = 1;
    const onPage = () => {
      if (pages.size < publishAt) return;
      publishAt = pages.size * 2;
      publish(gather(past, coming));
    };
    await Promise.all([
      follow(firstPath(walk, 'coming'), coming, pages, signal, onPage),
      follow(firstPath(walk, 'past'), past, pages, signal, onPage),
    ]);
    if (outcome === undefined || !isUnchanged(pages)) outcome = gather(past, coming);
    known = pages;
    lastPoll = poll;
    return outcome;
  };
}
