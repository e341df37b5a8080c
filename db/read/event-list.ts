import type { StoredEvent } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { countEvents } from './event-count.ts';
import { type EventRow, eventColumns, eventOfRow } from './events.ts';
import { afterEveryDate, beforeEveryDate, type EventFilter } from './filter.ts';
import { type Passing, prepareFilter } from './filtering.ts';
import { prepareLazily } from './lazily.ts';
import { beforeEveryId } from './pages.ts';
import { prepareRevision } from './revision.ts';
import { type Matches, prepareSearchReads, rowsOf } from './search.ts';

export type EventSort = 'createdAt' | 'date';

/** Where an event stands in a list: what it is sorted by, and its id. */
export type Position = { readonly at: string; readonly id: number };

export type EventQuery = EventFilter & {
  readonly sort: EventSort;
  readonly descending: boolean;
  readonly limit: number;
  /** The last event that is not wanted any more. */
  readonly after?: Position;
};

// Here and in the other reads of requests, a parameter that is compared or is a limit has a plus
// before it. SQLite plans a statement anew after each binding of one without (sqlite3_prepare_v2 on
// SQLITE_ENABLE_STAT4), which takes four times as long as to read a short page.
const condition = `date >= +@from AND date < +@to
  AND (@marks IS NULL OR (row >= +@firstRow AND substr(@marks, row - @firstRow + 1, 1) = x'01'))
  AND (@statuses IS NULL OR instr(@statuses, status))
  AND (@eventTypes IS NULL OR instr(@eventTypes, ' ' || ifnull(event_type, 'none') || ' '))`;

const byCreation = 'events INDEXED BY events_by_creation WHERE user_id = +@userId';
const byDate = 'events INDEXED BY events_by_date WHERE user_id = +@userId';

export const eventListReads = {
  newestCreated: `SELECT ${eventColumns} FROM ${byCreation}
    AND (created_at, id) < (+@at, +@id) AND ${condition}
    ORDER BY created_at DESC, id DESC LIMIT +@limit`,
  oldestCreated: `SELECT ${eventColumns} FROM ${byCreation}
    AND (created_at, id) > (+@at, +@id) AND ${condition}
    ORDER BY created_at, id LIMIT +@limit`,
  latest: `SELECT ${eventColumns} FROM ${byDate}
    AND (date, id) < (+@at, +@id) AND ${condition.replace('date <', '+date <')}
    ORDER BY date DESC, id DESC LIMIT +@limit`,
  soonest: `SELECT ${eventColumns} FROM ${byDate}
    AND (date, id) > (+@at, +@id) AND ${condition.replace('date >=', '+date >=')}
    ORDER BY date, id LIMIT +@limit`,
  // Another program may have given a row that was searched to another user.
  one: `SELECT ${eventColumns} FROM events WHERE row = +@row AND user_id = +@userId LIMIT 1`,
  all: countEvents,
} as const;

const pages = {
  createdAt: { descending: 'newestCreated', ascending: 'oldestCreated' },
  date: { descending: 'latest', ascending: 'soonest' },
} as const;

/** Where a list starts: after an event, or at the end of the time that is asked for. */
function startOf({ sort, descending, from, to, after }: EventQuery): Position {
  if (after !== undefined) return after;
  const [first, end] = sort === 'date' ? [from, to] : [beforeEveryDate, afterEveryDate];
  return { at: descending ? end : first, id: beforeEveryId };
}

/** The order of a list: below zero when `one` comes before `other`. */
function compare(one: Position, other: Position, descending: boolean): number {
  const [first, second] = descending ? [other, one] : [one, other];
  if (first.at !== second.at) return first.at < second.at ? -1 : 1;
  return first.id - second.id;
}

function parametersOf(filter: EventFilter, matches: Matches | null) {
  const { from, to, statuses, eventTypes } = filter;
  return {
    from,
    to,
    statuses: statuses?.join(' ') ?? null,
    eventTypes: eventTypes === null ? null : ` ${eventTypes.join(' ')} `,
    marks: matches?.marks ?? null,
    firstRow: matches?.firstRow ?? null,
  };
}

function isUnbound({ statuses, eventTypes, from, to }: EventFilter): boolean {
  const always = from === beforeEveryDate && to === afterEveryDate;
  return statuses === null && eventTypes === null && always;
}

export type EventPage = {
  readonly events: readonly StoredEvent[];
  /** How many events match, on this page or not. */
  readonly total: number;
  /** The position of the last event, when there are more. */
  readonly next?: Position;
  /** The revision of all the user's events. */
  readonly revision: string;
};

type Count = { readonly total: number };

export type EventListReads = {
  /** A page of a user's events and the number of all that match, of one moment. */
  page(userId: number, query: EventQuery): EventPage;
};

/**
 * Whether so many of all events are better read one by one than looked for along an index, where
 * passing over an event takes a twentieth of the time of reading one.
 */
type AreFew = (count: number, all: number) => boolean;

const areFew: AreFew = (count, all) => count <= 500 && count * 20 <= all;

/** Prepares the lists of events; tests say themselves what is few. */
export function prepareEventListReads(db: Reader, isFew: AreFew = areFew): EventListReads {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const search = prepareSearchReads(db);
  const filter = prepareFilter(db);
  const revisionOf = prepareRevision(sqlite);

  function countAll(userId: number): number {
    return prepare<Count>(eventListReads.all).get({ userId })?.total ?? 0;
  }

  /** What of a user's events matches; undefined where all do. */
  function find(userId: number, query: EventQuery, matches: Matches | null): Passing | undefined {
    if (!isUnbound(query)) return filter(userId, query, matches);
    if (matches === null) return undefined;
    return { count: matches.count, all: countAll(userId), rows: () => rowsOf(matches) };
  }

  /** Looks for the events along an index, as far as the page needs; and one more. */
  function scan(userId: number, query: EventQuery, matches: Matches | null): EventRow[] {
    const statement = pages[query.sort][query.descending ? 'descending' : 'ascending'];
    return prepare<EventRow>(eventListReads[statement]).all({
      userId,
      ...startOf(query),
      ...parametersOf(query, matches),
      limit: query.limit + 1,
    });
  }

  /** Reads the events that are known to match, and takes those of the page; and one more. */
  function pick(userId: number, rows: readonly number[], query: EventQuery): EventRow[] {
    const { sort, descending, after, limit } = query;
    const one = prepare<EventRow>(eventListReads.one);
    return rows
      .flatMap((row) => {
        const event = one.get({ row, userId });
        return event === undefined ? [] : [{ event, place: { at: event[sort], id: event.id } }];
      })
      .filter(({ place }) => after === undefined || compare(after, place, descending) < 0)
      .sort((first, second) => compare(first.place, second.place, descending))
      .slice(0, limit + 1)
      .map(({ event }) => event);
  }

  function readPage(userId: number, query: EventQuery): EventPage {
    const { sort, limit, words } = query;
    const matches = words.length === 0 ? null : search.find(userId, words);
    const found = find(userId, query, matches);
    const isPicked = found !== undefined && isFew(found.count, found.all);
    const rows = isPicked ? pick(userId, found.rows(), query) : scan(userId, query, matches);
    const events = rows.slice(0, limit).map(eventOfRow);
    const isWhole = query.after === undefined && rows.length <= limit;
    const total = isWhole ? rows.length : (found?.count ?? countAll(userId));
    const page = { events, total, revision: revisionOf(userId) };
    const last = events.at(-1);
    if (rows.length <= limit || last === undefined) return page;
    return { ...page, next: { at: last[sort], id: last.id } };
  }
  return { page: sqlite.transaction(readPage) };
}
