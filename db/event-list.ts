import {
  type EventChanges,
  parseRevision,
  prepareEventChanges,
  prepareIsRecorded,
  type Revision,
} from './event-changes.ts';
import { beforeEveryId, type EventRow, eventColumns, eventOfRow } from './event-rows.ts';
import type { EventStatus, FilterType, StoredEvent } from './model.ts';
import { connection, type Reader } from './open.ts';
import { type Matches, prepareSearch } from './search.ts';
import { filterKey, type TeamFilter, teamMatcher } from './team-filter.ts';
import type { StoredTeam } from './teams.ts';
import { type EventsState, prepareEventsState } from './users.ts';

/** Conditions for listed events; null means any. */
type EventFilter = {
  readonly statuses: readonly EventStatus[] | null;
  readonly eventTypes: readonly FilterType[] | null;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** Folded words, each of which begins a word of the event's texts. */
  readonly words: readonly string[];
  /** The team whose events are meant. */
  readonly team: TeamFilter | null;
};

/** Texts that sort before and after every timestamp. */
export const beforeEveryDate = '';
export const afterEveryDate = ':';

type EventSort = 'createdAt' | 'date';

/** The place of an event in a list: its value of the sorted member, and its id. */
export type Position = { readonly at: string; readonly id: number };

export type EventQuery = EventFilter & {
  readonly sort: EventSort;
  readonly descending: boolean;
  readonly limit: number;
  /** Start after this position (exclusive). */
  readonly after?: Position;
};

// Here and in the other reads of requests, compared parameters and limits have a plus before them.
// Without it, SQLite plans the statement again after each binding (sqlite3_prepare_v2 with
// SQLITE_ENABLE_STAT4), which takes four times as long as reading a short page.
const condition = `date >= +@from AND date < +@to
  AND (@statuses IS NULL OR status IN (SELECT value FROM json_each(@statuses)))
  AND (@eventTypes IS NULL
    OR ifnull(event_type, 'none') IN (SELECT value FROM json_each(@eventTypes)))
  AND (@bitmap IS NULL OR (row >= +@firstRow AND substr(@bitmap, row - @firstRow + 1, 1) = x'01'))
  AND (@team IS NULL OR in_team(@team, name, location, event_type))`;

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
  slice: `SELECT ${eventColumns} FROM events INDEXED BY events_by_id WHERE user_id = +@userId
    AND id > +@after ORDER BY id LIMIT +@limit`,
  sourceKeys: `SELECT id, source_key AS sourceKey FROM events INDEXED BY events_by_id
    WHERE user_id = +@userId AND id IN (SELECT value FROM json_each(@ids)) LIMIT +@limit`,
  countAll: `SELECT count(*) FROM ${byDate} LIMIT 1`,
  countMatching: `SELECT count(*) FROM ${byDate} AND ${condition} LIMIT 1`,
} as const;

/** Returns the position before the first event of a page. */
function startOf({ sort, descending, from, to, after }: EventQuery): Position {
  if (after !== undefined) return after;
  const [first, end] = sort === 'date' ? [from, to] : [beforeEveryDate, afterEveryDate];
  return { at: descending ? end : first, id: beforeEveryId };
}

function parametersOf(filter: EventFilter, matches: Matches | undefined) {
  const { from, to, statuses, eventTypes, team } = filter;
  return {
    from,
    to,
    team: team && filterKey(team),
    statuses: statuses && JSON.stringify(statuses),
    eventTypes: eventTypes && JSON.stringify(eventTypes),
    bitmap: matches?.bitmap ?? null,
    firstRow: matches?.firstRow ?? null,
  };
}

/** Returns true if no condition but a search limits the events. */
function isUnfiltered({ statuses, eventTypes, from, to, team }: EventFilter): boolean {
  const isAlways = from === beforeEveryDate && to === afterEveryDate;
  return statuses === null && eventTypes === null && team === null && isAlways;
}

export type EventPage = Pick<EventsState, 'revision' | 'digest'> & {
  readonly events: readonly StoredEvent[];
  /** The number of all matching events, on this page or not. */
  readonly total: number;
  /** The position of the last event, if more follow. */
  readonly next?: Position;
};

export type ChangesPage = EventChanges & Pick<EventsState, 'revision' | 'digest'>;

export type EventListReads = {
  /**
   * Reads a page of a user's events and the number of all that match, in one snapshot. `counts`
   * remembers such numbers until the database changes.
   */
  page(userId: number, query: EventQuery, counts?: Counts): EventPage;
  /**
   * Reads changes after a revision; undefined if they are not recorded, or not all of them. For a
   * team, its other events count as removed, as one of them may have left it; undefined before its
   * last change.
   */
  changes(
    userId: number,
    since: Revision,
    limit: number,
    team?: StoredTeam,
  ): ChangesPage | undefined;
  state(userId: number): EventsState;
  /** Reads events by id, after an id. */
  slice(userId: number, after: number, limit: number): StoredEvent[];
  /** Adds to events their keys in sources without ids. */
  withSourceKeys(userId: number, events: readonly StoredEvent[]): SourcedEvent[];
};

/** Numbers of matching events, by user and filter. */
type Counts = {
  get(key: string): number | undefined;
  set(key: string, count: number): unknown;
};

export function prepareEventListReads(db: Reader): EventListReads {
  const sqlite = connection(db);
  const preparePage = (sql: string) => sqlite.prepare<object, EventRow>(sql);
  const prepareCount = (sql: string) => sqlite.prepare<object, number>(sql).pluck();
  const pages = {
    createdAt: {
      descending: preparePage(eventListReads.newestCreated),
      ascending: preparePage(eventListReads.oldestCreated),
    },
    date: {
      descending: preparePage(eventListReads.latest),
      ascending: preparePage(eventListReads.soonest),
    },
  };
  const slice = preparePage(eventListReads.slice);
  const sourceKeys = sqlite.prepare<object, Pick<SourcedEvent, 'id' | 'sourceKey'>>(
    eventListReads.sourceKeys,
  );
  const countAll = prepareCount(eventListReads.countAll);
  const matchCount = prepareCount(eventListReads.countMatching);
  const search = prepareSearch(db);
  const readState = prepareEventsState(db);
  const readChanges = prepareEventChanges(db);
  const isRecorded = prepareIsRecorded(db);

  /** Counts once for all pages of a list: a count may take ten times as long as a page. */
  function countMatching(userId: number, filter: EventFilter, counts: Counts, matches?: Matches) {
    const { statuses, eventTypes, from, to, words, team } = filter;
    const ofTeam = team && filterKey(team);
    const key = JSON.stringify([userId, statuses, eventTypes, from, to, words, ofTeam]);
    const count =
      counts.get(key) ?? matchCount.get({ userId, ...parametersOf(filter, matches) }) ?? 0;
    counts.set(key, count);
    return count;
  }

  function countMatches(
    userId: number,
    filter: EventFilter,
    { count }: EventsState,
    counts: Counts,
    matches?: Matches,
  ) {
    if (!isUnfiltered(filter)) return countMatching(userId, filter, counts, matches);
    return matches?.count ?? count ?? countAll.get({ userId }) ?? 0;
  }

  function readPage(userId: number, query: EventQuery, counts: Counts = new Map()): EventPage {
    const { sort, limit, words, after } = query;
    const matches = words.length === 0 ? undefined : search(userId, words);
    const parameters = { userId, ...parametersOf(query, matches) };
    const statement = pages[sort][query.descending ? 'descending' : 'ascending'];
    // One more than requested, to know whether another page follows.
    const rows = statement.all({ ...parameters, ...startOf(query), limit: limit + 1 });
    const hasNext = rows.length > limit;
    const isWhole = after === undefined && !hasNext;
    const state = readState(userId);
    const total = isWhole ? rows.length : countMatches(userId, query, state, counts, matches);
    const events = rows.slice(0, limit).map(eventOfRow);
    const page = { events, total, revision: state.revision, digest: state.digest };
    const last = events.at(-1);
    if (!hasNext || last === undefined) return page;
    return { ...page, next: { at: last[sort], id: last.id } };
  }

  function readChangesPage(userId: number, since: Revision, limit: number, team?: StoredTeam) {
    const { revision, digest } = readState(userId);
    if (!isRecorded(userId, since, parseRevision(revision) as Revision)) return undefined;
    const state = { revision, digest };
    if (team === undefined) return { ...readChanges(userId, since, limit), ...state };
    if (since.number < team.revision) return undefined;
    const { events, removed, ...page } = readChanges(userId, since, limit);
    const groups = Map.groupBy(events, teamMatcher(team));
    const others = groups.get(false)?.map(({ id }) => id) ?? [];
    const own = groups.get(true) ?? [];
    return { ...page, ...state, events: own, removed: [...removed, ...others] };
  }
  function withSourceKeys(userId: number, events: readonly StoredEvent[]): SourcedEvent[] {
    const ids = JSON.stringify(events.map(({ id }) => id));
    const rows = sourceKeys.all({ userId, ids, limit: events.length });
    const keys = new Map(rows.map(({ id, sourceKey }) => [id, sourceKey]));
    return events.map((event) => ({ ...event, sourceKey: keys.get(event.id) ?? null }));
  }
  return {
    withSourceKeys,
    page: sqlite.transaction(readPage),
    changes: sqlite.transaction(readChangesPage),
    state: readState,
    slice: (userId, after, limit) => slice.all({ userId, after, limit }).map(eventOfRow),
  };
}

export const eventIterations = {
  byId: `SELECT source_key AS sourceKey, ${eventColumns} FROM events
    WHERE user_id = @userId ORDER BY id`,
} as const;

/** An event with its key in a source without ids; null if the source gave an id. */
export type SourcedEvent = StoredEvent & { readonly sourceKey: string | null };

/**
 * Iterates over all events of a user by id, in bounded memory. They are those of one moment, as
 * SQLite keeps a statement in a read transaction until it ends.
 */
export function* eachEvent(db: Reader, userId: number): Generator<SourcedEvent> {
  const statement = connection(db).prepare<object, EventRow & { sourceKey: string | null }>(
    eventIterations.byId,
  );
  for (const { sourceKey, ...row } of statement.iterate({ userId })) {
    yield { ...eventOfRow(row), sourceKey };
  }
}
