import { eventStatuses, eventTypes } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { afterEveryDate, beforeEveryDate, type EventFilter } from './filter.ts';
import { prepareLazily } from './lazily.ts';
import { createMemo } from './memo.ts';
import { beforeEveryId, readAll } from './pages.ts';
import type { Matches } from './search.ts';
import { readVersion } from './version.ts';

const eventsAtOnce = 1_000_000;

/** A type and a state are one number, a kind, which is told together with the row. */
const typeNames = ['none', ...eventTypes] as const;
const kindBits = 5;
const kindCount = 2 ** kindBits;
const numberOf = (column: string, names: readonly string[]) =>
  `CASE ${column} ${names.map((name, at) => `WHEN '${name}' THEN ${at}`).join(' ')} END`;

export const filterReads = {
  kinds: `SELECT row << ${kindBits} | (${numberOf('status', eventStatuses)} * ${typeNames.length}
      + ifnull(${numberOf('event_type', typeNames)}, 0)) AS value
    FROM events INDEXED BY events_by_date WHERE user_id = +@userId AND (date, id) > (+@date, +@id)
    ORDER BY date, id LIMIT ${eventsAtOnce}`,
  place: 'SELECT date, id FROM events WHERE row = +@row LIMIT 1',
} as const;

/** Which events pass: how many of all the user's events, and in which rows. */
export type Passing = {
  readonly count: number;
  readonly all: number;
  readonly rows: () => readonly number[];
};

type Place = { readonly date: string; readonly id: number };

/** The events of a user in the order of their dates: the row and the kind of each. */
type Roll = { readonly rows: Float64Array; readonly kinds: Uint8Array };

/** How many rolls are remembered, and of how many bytes: those of 3.5 million events. */
const rollsKept = 1_000;
const bytesKept = 32_000_000;

/** No shift, as a row may have more bits than JavaScript shifts. */
const rowOf = (value: number) => Math.floor(value / kindCount);

function createRoll(values: readonly number[]): Roll {
  const rows = new Float64Array(values.length);
  const kinds = new Uint8Array(values.length);
  for (const [at, value] of values.entries()) {
    kinds[at] = value & (kindCount - 1);
    rows[at] = rowOf(value);
  }
  return { rows, kinds };
}

/** For each kind whether it is wanted: 1 if so. */
function wantedKinds({ statuses, eventTypes: types }: EventFilter): Uint8Array {
  const wanted = new Uint8Array(kindCount);
  for (const [state, status] of eventStatuses.entries()) {
    for (const [type, name] of typeNames.entries()) {
      const isWanted = (statuses?.includes(status) ?? true) && (types?.includes(name) ?? true);
      wanted[state * typeNames.length + type] = Number(isWanted);
    }
  }
  return wanted;
}

/**
 * A function that finds the events of a user that pass a filter and, unless null, are among the
 * matches of a search. The first time after a change it takes as long as SQLite's own `count`,
 * which goes by the strings of each event; from then on, a hundredth of that.
 */
export function prepareFilter(db: Reader) {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const rolls = createMemo<Roll>(readVersion(sqlite), {
    most: rollsKept,
    size: { most: bytesKept, of: (roll) => roll.rows.byteLength + roll.kinds.byteLength },
  });
  const beforeAll: Place = { date: beforeEveryDate, id: beforeEveryId };
  const placeOf = (row: number) => prepare<Place>(filterReads.place).get({ row }) ?? beforeAll;

  function readRoll(userId: number): Roll {
    const kinds = prepare<number>(filterReads.kinds).pluck();
    const values = readAll(
      beforeAll,
      (after) => kinds.all({ userId, ...after }),
      (value) => placeOf(rowOf(value)),
      eventsAtOnce,
    );
    return createRoll(values);
  }

  /** How many events are before a date. */
  function countBefore({ rows }: Roll, date: string): number {
    if (date === afterEveryDate) return rows.length;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (placeOf(rows[middle] as number).date < date) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return (userId: number, filter: EventFilter, matches: Matches | null): Passing => {
    const roll = rolls.recall(String(userId), () => readRoll(userId));
    const wanted = wantedKinds(filter);
    const [start, end] = [countBefore(roll, filter.from), countBefore(roll, filter.to)];
    const passes = (at: number): boolean => {
      if (wanted[roll.kinds[at] as number] === 0) return false;
      return matches === null || matches.marks[(roll.rows[at] as number) - matches.firstRow] === 1;
    };
    let count = 0;
    for (let at = start; at < end; at += 1) if (passes(at)) count += 1;
    return {
      count,
      all: roll.rows.length,
      rows: () => Array.from(roll.rows.slice(start, end)).filter((_, at) => passes(start + at)),
    };
  };
}
