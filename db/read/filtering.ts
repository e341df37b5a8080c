import { eventStatuses, eventTypes } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { afterEveryDate, beforeEveryDate, type EventFilter } from './filter.ts';
import { prepareLazily } from './lazily.ts';
import { createMemo } from './memo.ts';
import { beforeEveryId, readAll } from './pages.ts';
import type { Matches } from './search.ts';
import { readVersion } from './version.ts';

const eventsPerQuery = 1_000_000;

// Status and type are encoded as one number, the kind, which a query returns together with the row.
const typeNames = ['none', ...eventTypes] as const;
const kindBits = 5;
const kindCount = 2 ** kindBits;
const numberOf = (column: string, names: readonly string[]) =>
  `CASE ${column} ${names.map((name, index) => `WHEN '${name}' THEN ${index}`).join(' ')} END`;

export const filterReads = {
  kinds: `SELECT row << ${kindBits} | (${numberOf('status', eventStatuses)} * ${typeNames.length}
      + ifnull(${numberOf('event_type', typeNames)}, 0)) AS value
    FROM events INDEXED BY events_by_date WHERE user_id = +@userId AND (date, id) > (+@date, +@id)
    ORDER BY date, id LIMIT ${eventsPerQuery}`,
  place: 'SELECT date, id FROM events WHERE row = +@row LIMIT 1',
} as const;

export type FilterResult = {
  /** The number of matching events. */
  readonly count: number;
  /** The number of all events of the user. */
  readonly all: number;
  readonly rows: () => readonly number[];
};

type DatePosition = { readonly date: string; readonly id: number };

/** The row and kind of each event of a user, ordered by date. */
type EventIndex = { readonly rows: Float64Array; readonly kinds: Uint8Array };

/** Cache limits: 1,000 users and 32 MB, enough for 3.5 million events. */
const maxIndexes = 1_000;
const maxIndexBytes = 32_000_000;

// Divides, as JavaScript shifts only 32 bits and a row may have more.
const rowOf = (value: number) => Math.floor(value / kindCount);

function createIndex(values: readonly number[]): EventIndex {
  const rows = new Float64Array(values.length);
  const kinds = new Uint8Array(values.length);
  for (const [index, value] of values.entries()) {
    kinds[index] = value & (kindCount - 1);
    rows[index] = rowOf(value);
  }
  return { rows, kinds };
}

/** Returns an array with 1 at each kind that the filter selects and 0 elsewhere. */
function selectKinds({ statuses, eventTypes: types }: EventFilter): Uint8Array {
  const selected = new Uint8Array(kindCount);
  for (const [state, status] of eventStatuses.entries()) {
    for (const [type, name] of typeNames.entries()) {
      const isSelected = (statuses?.includes(status) ?? true) && (types?.includes(name) ?? true);
      selected[state * typeNames.length + type] = Number(isSelected);
    }
  }
  return selected;
}

/**
 * Prepares a function that finds a user's events by a filter and, unless null, the matches of a
 * search. The first call after a change builds an index, which takes as long as SQLite's `count`;
 * later calls take a hundredth of that.
 */
export function prepareFilter(db: Reader) {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const indexes = createMemo<EventIndex>(readVersion(sqlite), {
    most: maxIndexes,
    size: { most: maxIndexBytes, of: (index) => index.rows.byteLength + index.kinds.byteLength },
  });
  const firstPosition: DatePosition = { date: beforeEveryDate, id: beforeEveryId };
  const positionOf = (row: number) =>
    prepare<DatePosition>(filterReads.place).get({ row }) ?? firstPosition;

  function readIndex(userId: number): EventIndex {
    const kinds = prepare<number>(filterReads.kinds).pluck();
    const values = readAll(
      firstPosition,
      (after) => kinds.all({ userId, ...after }),
      (value) => positionOf(rowOf(value)),
      eventsPerQuery,
    );
    return createIndex(values);
  }

  /** Returns the number of events before a date, by binary search. */
  function countBefore({ rows }: EventIndex, date: string): number {
    if (date === afterEveryDate) return rows.length;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (positionOf(rows[middle] as number).date < date) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return (userId: number, filter: EventFilter, matches: Matches | null): FilterResult => {
    const index = indexes.recall(String(userId), () => readIndex(userId));
    const selected = selectKinds(filter);
    const [start, end] = [countBefore(index, filter.from), countBefore(index, filter.to)];
    const isMatch = (at: number): boolean => {
      if (selected[index.kinds[at] as number] === 0) return false;
      return matches === null || matches.marks[(index.rows[at] as number) - matches.firstRow] === 1;
    };
    let count = 0;
    for (let at = start; at < end; at += 1) if (isMatch(at)) count += 1;
    return {
      count,
      all: index.rows.length,
      rows: () => Array.from(index.rows.slice(start, end)).filter((_, at) => isMatch(start + at)),
    };
  };
}
