import type { StoredEvent } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { countEvents } from './event-count.ts';
import { type EventRow, eventColumns, eventOfRow } from './events.ts';
import { afterEveryDate, beforeEveryDate, type EventFilter } from './filter.ts';
import { type FilterResult, prepareFilter } from './filtering.ts';
import { prepareLazily } from './lazily.ts';
import { beforeEveryId } from './pages.ts';
import { prepareRevision } from './revision.ts';
import { type Matches, prepareSearchReads, rowsOf } from './search.ts';

export type EventSort = 'createdAt' | 'date';

/** The position of an event in a list: its sort value (a timestamp) and its id. */
export type Position = { readonly at: string; readonly id: number };

export type EventQuery = EventFilter & {
  readonly sort: EventSort;
  readonly descending: boolean;
  readonly limit: number;
  /** Start after this position (exclusive). */
  readonly after?: Position;
};

// In all statements of requests, compared parameters and limits have a unary plus. Without it,
// SQLite replans a statement after each binding (sqlite3_prepare_v2 on SQLITE_ENABLE_STAT4), which
// takes four times as long as reading a short page.
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
  // Checks the user as well: another program may have moved the row to another user.
  one: `SELECT ${eventColumns} FROM events WHERE row = +@row AND user_id = +@userId LIMIT 1`,
  all: countEvents,
} as const;

const pages = {
  createdAt: { descending: 'newestCreated', ascending: 'oldestCreated' },
  date: { descending: 'latest', ascending: 'soonest' },
} as const;

/** Returns the start of a list, exclusive: `after`, or the start or end of the requested period. */
function startOf({ sort, descending, from, to, after }: EventQuery): Position {
  if (after !== undefined) return after;
  const [first, end] = sort === 'date' ? [from, to] : [beforeEveryDate, afterEveryDate];
  return { at: descending ? end : first, id: beforeEveryId };
}

/** Compares positions by list order; negative if `left` comes before `right`. */
function comparePositions(left: Position, right: Position, descending: boolean): number {
  const [first, second] = descending ? [right, left] : [left, right];
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

/** Returns true if a filter restricts neither status, type nor date. */
function isUnrestricted({ statuses, eventTypes, from, to }: EventFilter): boolean {
  const isAnyDate = from === beforeEveryDate && to === afterEveryDate;
  return statuses === null && eventTypes === null && isAnyDate;
}

export type EventPage = {
  readonly events: readonly StoredEvent[];
  /** The number of matching events on all pages. */
  readonly total: number;
  /** The position of the last event, if more events follow. */
  readonly next?: Position;
  /** The revision of all events of the user. */
  readonly revision: string;
};

type Count = { readonly total: number };

export type EventListReads = {
  /** Reads a page of a user's events and the number of all matches, in one transaction. */
  page(userId: number, query: EventQuery): EventPage;
};

/** Returns true if reading `count` events by row is faster than scanning an index of `all`. */
type IsFew = (count: number, all: number) => boolean;

// Skipping an event of an index takes a twentieth of the time of reading one.
const isFewByDefault: IsFew = (count, all) => count <= 500 && count * 20 <= all;

/** Prepares the lists of events; tests pass their own `isFew`. */
export function prepareEventListReads(db: Reader, isFew: IsFew = isFewByDefault): EventListReads {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const search = prepareSearchReads(db);
  const filter = prepareFilter(db);
  const readRevision = prepareRevision(sqlite);

  function countAll(userId: number): number {
    return prepare<Count>(eventListReads.all).get({ userId })?.total ?? 0;
  }

  /** Finds a user's matching events; undefined if the query restricts nothing. */
  function find(
    userId: number,
    query: EventQuery,
    matches: Matches | null,
  ): FilterResult | undefined {
    if (!isUnrestricted(query)) return filter(userId, query, matches);
    if (matches === null) return undefined;
    return { count: matches.count, all: countAll(userId), rows: () => rowsOf(matches) };
  }

  /** Scans an index for the events of the page plus one. */
  function scan(userId: number, query: EventQuery, matches: Matches | null): EventRow[] {
    const statement = pages[query.sort][query.descending ? 'descending' : 'ascending'];
    return prepare<EventRow>(eventListReads[statement]).all({
      userId,
      ...startOf(query),
      ...parametersOf(query, matches),
      limit: query.limit + 1,
    });
  }

  /** Reads the matching rows and returns the events of the page plus one. */
  function readByRow(userId: number, rows: readonly number[], query: EventQuery): EventRow[] {
    const { sort, descending, after, limit } = query;
    const one = prepare<EventRow>(eventListReads.one);
    return rows
      .flatMap((row) => {
        const event = one.get({ row, userId });
        return event === undefined ? [] : [{ event, position: { at: event[sort], id: event.id } }];
      })
      .filter(
        ({ position }) => after === undefined || comparePositions(after, position, descending) < 0,
      )
      .sort((left, right) => comparePositions(left.position, right.position, descending))
      .slice(0, limit + 1)
      .map(({ event }) => event);
  }

  function readPage(userId: number, query: EventQuery): EventPage {
    const { sort, limit, words } = query;
    const matches = words.length === 0 ? null : search.find(userId, words);
    const found = find(userId, query, matches);
    const hasFewMatches = found !== undefined && isFew(found.count, found.all);
    const rows = hasFewMatches
      ? readByRow(userId, found.rows(), query)
      : scan(userId, query, matches);
    const events = rows.slice(0, limit).map(eventOfRow);
    const isComplete = query.after === undefined && rows.length <= limit;
    const total = isComplete ? rows.length : (found?.count ?? countAll(userId));
    const page = { events, total, revision: readRevision(userId) };
    const last = events.at(-1);
    if (rows.length <= limit || last === undefined) return page;
    return { ...page, next: { at: last[sort], id: last.id } };
  }
  return { page: sqlite.transaction(readPage) };
}
