import { connection, inTransaction, type Reader, type Writer } from './open.ts';

/** A holiday: its first and its last day as `YYYY-MM-DD`. */
export type DayOff = { readonly first: string; readonly last: string; readonly name: string };

/** A calendar of days off. */
export type DaysOffCalendar = {
  readonly kind: 'public' | 'file';
  readonly name: string;
  /** The code of a region, such as `DE-BY`, or the name of a file. */
  readonly source: string;
  /** The time at which the days were read. */
  readonly readAt: string;
  /** The days, by their first one. */
  readonly days: readonly DayOff[];
};

export type StoredDaysOff = DaysOffCalendar & { readonly id: number; readonly userId: number };

/** Days off with those of followed calendars: `address`, with the host as the source. */
export type AnyDaysOff = Omit<StoredDaysOff, 'kind'> & {
  readonly kind: DaysOffCalendar['kind'] | 'address';
};

const columns = 'id, user_id AS userId, kind, name, source, read_at AS readAt, days';

const readTime = `strftime('%Y-%m-%dT%H:%M:%fZ', memory ->> '$.asOf' / 1000.0, 'unixepoch')`;

export const daysOffReads = {
  byUser: `SELECT ${columns} FROM days_off WHERE user_id = @userId UNION ALL
    SELECT id, user_id, 'address', name, host, coalesce(${readTime}, ''), looked FROM calendars
    WHERE user_id = @userId AND rules ->> '$.use' = 'daysOff' LIMIT 200`,
  // The public holidays of one region, and a file once.
  bySource: `SELECT ${columns} FROM days_off WHERE user_id = @userId AND kind = @kind
    AND (kind = 'public' OR source = @source) LIMIT 1`,
} as const;

type Row<Calendar> = Omit<Calendar, 'days'> & { readonly days: string };

const withDays = <Rest extends object>({ days, ...row }: Rest & { readonly days: string }) => ({
  ...row,
  days: JSON.parse(days) as readonly DayOff[],
});

/** Reads the calendars of a club in the order in which they were added, those that it follows last. */
export function readDaysOff(db: Reader, userId: number): AnyDaysOff[] {
  const statement = connection(db).prepare<object, Row<AnyDaysOff>>(daysOffReads.byUser);
  return statement.all({ userId }).map((row) => withDays(row));
}

/** Returns true for a calendar whose days are stored; those of a followed one go with it. */
export const isStoredDaysOff = (calendar: AnyDaysOff): calendar is StoredDaysOff =>
  calendar.kind !== 'address';

type Source = Pick<DaysOffCalendar, 'kind' | 'source'>;

/** Returns the calendar that one with this source would replace. */
export function findDaysOff(
  db: Reader,
  userId: number,
  { kind, source }: Source,
): StoredDaysOff | undefined {
  const statement = connection(db).prepare<object, Row<StoredDaysOff>>(daysOffReads.bySource);
  const row = statement.get({ userId, kind, source });
  return row && withDays(row);
}

/** Returns true for two calendars of the same source. */
export const isSameCalendar = (one: Source, other: Source | undefined): boolean =>
  one.kind === other?.kind && one.source === other.source;

export const daysOffWrites = {
  add: `INSERT INTO days_off (user_id, kind, name, source, read_at, days)
    VALUES (@userId, @kind, @name, @source, @readAt, @days)`,
  // The public holidays of one region, and a file once.
  replace: `DELETE FROM days_off WHERE user_id = @userId AND kind = @kind
    AND (kind = 'public' OR source = @source)`,
  remove: 'DELETE FROM days_off WHERE id = @id AND user_id = @userId',
  refresh: 'UPDATE days_off SET read_at = @readAt, days = @days WHERE id = @id',
} as const;

/** Stores a calendar in place of an earlier one with its source, in the transaction of the caller. */
export function putDaysOff(
  db: Writer,
  userId: number,
  { days, kind, name, source, readAt }: DaysOffCalendar,
): void {
  const sqlite = connection(db);
  sqlite.prepare(daysOffWrites.replace).run({ userId, kind, source });
  const row = { userId, kind, name, source, readAt, days: JSON.stringify(days) };
  sqlite.prepare(daysOffWrites.add).run(row);
}

/** Removes a calendar of a club, in the transaction of the caller. */
export function removeDaysOff(db: Writer, userId: number, id: number): void {
  connection(db).prepare(daysOffWrites.remove).run({ userId, id });
}

/** Stores days that were read again. */
export function refreshDaysOff(
  db: Writer,
  { id, days, readAt }: Pick<StoredDaysOff, 'id' | 'days' | 'readAt'>,
): void {
  const row = { id, readAt, days: JSON.stringify(days) };
  inTransaction(db, (sqlite) => sqlite.prepare(daysOffWrites.refresh).run(row));
}
