import { connection, inTransaction, type Reader, type Writer } from './open.ts';

/** A holiday: its first and its last day as `YYYY-MM-DD`. */
export type DayOff = { readonly first: string; readonly last: string; readonly name: string };

/** A calendar of days off. */
export type DaysOffCalendar = {
  readonly kind: 'public' | 'file' | 'address';
  readonly name: string;
  /** The code of a region, such as `DE-BY`, the name of a file, or a URL. */
  readonly source: string;
  /** The time at which the days were read. */
  readonly readAt: string;
  /** The days, by their first one. */
  readonly days: readonly DayOff[];
};

export type StoredDaysOff = DaysOffCalendar & { readonly id: number; readonly userId: number };

const columns = 'id, user_id AS userId, kind, name, source, read_at AS readAt, days';

export const daysOffReads = {
  byUser: `SELECT ${columns} FROM days_off WHERE user_id = @userId LIMIT 100`,
  // The public holidays of one region, and a file or an address once.
  bySource: `SELECT ${columns} FROM days_off WHERE user_id = @userId AND kind = @kind
    AND (kind = 'public' OR source = @source) LIMIT 1`,
  addresses: `SELECT ${columns} FROM days_off WHERE id > 0 AND kind = 'address'
    AND read_at <= @before LIMIT 1000`,
} as const;

type Row = Omit<StoredDaysOff, 'days'> & { readonly days: string };

const toCalendar = ({ days, ...row }: Row): StoredDaysOff => ({ ...row, days: JSON.parse(days) });

/** Reads the calendars of a club in the order in which they were added. */
export function readDaysOff(db: Reader, userId: number): StoredDaysOff[] {
  const statement = connection(db).prepare<object, Row>(daysOffReads.byUser);
  return statement.all({ userId }).map(toCalendar);
}

type Source = Pick<DaysOffCalendar, 'kind' | 'source'>;

/** Returns the calendar that one with this source would replace. */
export function findDaysOff(
  db: Reader,
  userId: number,
  { kind, source }: Source,
): StoredDaysOff | undefined {
  const statement = connection(db).prepare<object, Row>(daysOffReads.bySource);
  const row = statement.get({ userId, kind, source });
  return row && toCalendar(row);
}

/** Returns true for two calendars of the same source. */
export const isSameCalendar = (one: Source, other: Source | undefined): boolean =>
  one.kind === other?.kind && one.source === other.source;

/** Reads the calendars of all clubs that come from an address and were last read by a time. */
export function readAddresses(db: Reader, before: string): StoredDaysOff[] {
  const statement = connection(db).prepare<object, Row>(daysOffReads.addresses);
  return statement.all({ before }).map(toCalendar);
}

export const daysOffWrites = {
  add: `INSERT INTO days_off (user_id, kind, name, source, read_at, days)
    VALUES (@userId, @kind, @name, @source, @readAt, @days)`,
  // The public holidays of one region, and a file or an address once.
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

/** Stores the days that were read again from an address. */
export function refreshDaysOff(
  db: Writer,
  { id, days, readAt }: Pick<StoredDaysOff, 'id' | 'days' | 'readAt'>,
): void {
  const row = { id, readAt, days: JSON.stringify(days) };
  inTransaction(db, (sqlite) => sqlite.prepare(daysOffWrites.refresh).run(row));
}
