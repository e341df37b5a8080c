import { SqliteError } from 'better-sqlite3';
import type { SourcedEvent } from './event-list.ts';
import { type EventRow, eventColumns, eventOfRow } from './event-rows.ts';
import { eventStatuses, eventTypes } from './model.ts';
import { connection, type Reader } from './open.ts';

export const salvageReads = {
  // By row: an index may be damaged too.
  nextRow: `SELECT row, user_id AS userId, source_key AS sourceKey, ${eventColumns}
    FROM events NOT INDEXED WHERE row > +@row ORDER BY row LIMIT 1`,
  highestRow: 'SELECT max(row) FROM events LIMIT 1',
  lastRow: 'SELECT last_row FROM search_progress WHERE id = 1 LIMIT 1',
  countById: 'SELECT count(*) FROM events INDEXED BY events_by_id WHERE user_id = @userId LIMIT 1',
  countByDate:
    'SELECT count(*) FROM events INDEXED BY events_by_date WHERE user_id = @userId LIMIT 1',
  countBatches: 'SELECT total(added) - total(removed) FROM batches WHERE user_id = @userId LIMIT 1',
} as const;

type SalvagedRow = EventRow & {
  readonly row: number;
  readonly userId: number;
  readonly sourceKey: string | null;
};

/** Runs a read; returns undefined if it meets damage. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof SqliteError ? error.code : '';
    if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_IOERR')) return undefined;
    throw error;
  }
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns false for a row with values that no event can have. */
function isEvent(row: SalvagedRow): boolean {
  const { id, name, location, description, date, createdAt, status, eventType } = row;
  return (
    Number.isSafeInteger(id) &&
    [name, location, description ?? ''].every((text) => typeof text === 'string') &&
    [date, createdAt].every((text) => timestamp.test(text) && !Number.isNaN(Date.parse(text))) &&
    eventStatuses.includes(status) &&
    (eventType === null || eventTypes.includes(eventType))
  );
}

/** Bytes of the smallest event: its two dates, its id and the lengths of its columns. */
const smallestEvent = 64;

type Salvage = {
  /** Sorted by id. */
  readonly events: readonly SourcedEvent[];
  /** The number of events that cannot be read. */
  readonly lost: number;
};

/** Reads every event of a user that a damaged database still has, row by row. */
export function salvageEvents(db: Reader, userId: number): Salvage {
  const sqlite = connection(db);
  const readNumber = (sql: string) =>
    tryRead(() => sqlite.prepare<object, number | null>(sql).pluck().get({ userId })) ?? 0;
  const nextRow = sqlite.prepare<object, SalvagedRow>(salvageReads.nextRow);
  // The highest row may be on a damaged page; it was saved after the last change.
  const highestRow = Math.max(...[salvageReads.lastRow, salvageReads.highestRow].map(readNumber));
  // More steps cannot find more events. The highest row may be damaged, too.
  const [pages, pageSize] = (['page_count', 'page_size'] as const).map(
    (name) => tryRead(() => sqlite.pragma(name, { simple: true }) as number) ?? 0,
  );
  let steps = ((pages ?? 0) * (pageSize ?? 0)) / smallestEvent;
  const found = new Map<number, SourcedEvent>();
  for (let row = 0; row < highestRow; ) {
    const read = tryRead(() => nextRow.get({ row }) ?? 'end');
    if (read === 'end') break;
    if (read === undefined || read.row <= row || read.row > highestRow) {
      row += 1;
      steps -= 1;
      if (steps < 0) break;
      continue;
    }
    row = read.row;
    if (read.userId !== userId || !isEvent(read)) continue;
    const { row: _row, userId: _, sourceKey, ...columns } = read;
    found.set(read.id, { ...eventOfRow(columns), sourceKey });
  }
  const { countById, countByDate, countBatches } = salvageReads;
  const expected = Math.max(...[countById, countByDate, countBatches].map(readNumber));
  return {
    events: [...found.values()].sort((left, right) => left.id - right.id),
    lost: Math.max(expected - found.size, 0),
  };
}
