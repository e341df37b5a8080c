import type { EventStatus, EventType, StoredEvent } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { countEvents } from './event-count.ts';
import { type EventRow, eventColumns, eventOfRow } from './events.ts';
import { prepareLazily } from './lazily.ts';
import { createMemo } from './memo.ts';
import { beforeEveryId } from './pages.ts';
import { type Matches, prepareSearchReads } from './search.ts';
import { readVersion } from './version.ts';

/** What a listed event has to be like; null for "whatever". */
export type EventFilter = {
  readonly statuses: readonly EventStatus[] | null;
  readonly eventTypes: readonly (EventType | 'none')[] | null;
  /** The first moment, and the first one after. */
  readonly from: string;
  readonly to: string;
  /** Sorted; each begins a word of the event's texts. */
  readonly words: readonly string[];
};

/** Texts that come before and after every timestamp. */
export const beforeEveryDate = '';
export const afterEveryDate = ':';

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
  all: countEvents,
  matching: `SELECT count(*) AS total FROM ${byDate} AND ${condition} LIMIT 1`,
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
};

type Count = { readonly total: number };

/** How many counts are remembered: those of the filters in use. */
const countsKept = 1_000;

export type EventListReads = {
  /** A page of a user's events and the number of all that match, of one moment. */
  page(userId: number, query: EventQuery): EventPage;
};

export function prepareEventListReads(db: Reader): EventListReads {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const search = prepareSearchReads(db);
  const counts = createMemo<number>(readVersion(sqlite), { most: countsKept });

  function count(userId: number, filter: EventFilter, matches: Matches | null): number {
    const unbound = isUnbound(filter);
    if (unbound && matches !== null) return matches.count;
    const { statuses, eventTypes, from, to, words } = filter;
    const key = JSON.stringify([userId, statuses, eventTypes, from, to, words]);
    return counts.recall(key, () => {
      const statement = prepare<Count>(unbound ? eventListReads.all : eventListReads.matching);
      const parameters = unbound ? {} : parametersOf(filter, matches);
      return statement.get({ userId, ...parameters })?.total ?? 0;
    });
  }

  function readPage(userId: number, query: EventQuery): EventPage {
    const { sort, descending, limit, words } = query;
    const matches = words.length === 0 ? null : search.find(userId, words);
    const statement = pages[sort][descending ? 'descending' : 'ascending'];
    const rows = prepare<EventRow>(eventListReads[statement]).all({
      userId,
      ...startOf(query),
      ...parametersOf(query, matches),
      limit: limit + 1,
    });
    const events = rows.slice(0, limit).map(eventOfRow);
    const isWhole = query.after === undefined && rows.length <= limit;
    const total = isWhole ? rows.length : count(userId, query, matches);
    const last = events.at(-1);
    if (rows.length <= limit || last === undefined) return { events, total };
    return { events, total, next: { at: last[sort], id: last.id } };
  }
  return { page: sqlite.transaction(readPage) };
}
