import type { DayOff } from './days-off.ts';
import { type EventImage, followedPrefix, readImage } from './event-rows.ts';
import type { EditableField, EventType, StoredEvent } from './model.ts';
import { connection, inTransaction, type Reader, type Writer } from './open.ts';

/**
 * The uses of a followed calendar. Events to look at are seen and never in the interface, in files or
 * in messages; whole days are days off.
 */
export const calendarUses = ['events', 'look', 'daysOff'] as const;

export type CalendarUse = (typeof calendarUses)[number];

/** The rules for the events of a followed calendar. */
export type CalendarRules = {
  readonly use: CalendarUse;
  /** The type of events without one. */
  readonly eventType: EventType | null;
  /** The place of events without one. */
  readonly place: string;
  /** A text before each name. */
  readonly prefix: string;
  /** Only events with one of these words, and none with one of those; commas separate choices. */
  readonly words: string;
  readonly without: string;
};

/** An event that the calendar no longer has. Times are in milliseconds. */
export type MissingEvent = {
  readonly id: number;
  /** The time of the first good contents without it. */
  readonly since: number;
  /** True once later contents lack it, too, so that a person is asked. */
  readonly isAsked: boolean;
  /** True for one that a person keeps, until the calendar has it again. */
  readonly isKept?: boolean | undefined;
};

/** A value that was edited here and changed in the calendar. */
export type ValueConflict = {
  readonly id: number;
  readonly field: EditableField;
  /** The value of the calendar, as its column has it. */
  readonly theirs: string | number | null;
  readonly since: number;
};

/** Knowledge of the last good contents of a calendar. */
export type CalendarMemory = {
  /** The validators of a conditional request (RFC 9110 section 8.8). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The time for which the last contents are good, and their latest LAST-MODIFIED. */
  readonly asOf: number | null;
  readonly modifiedAt: number | null;
  /** The digests of the last contents, the present one first. */
  readonly contents: readonly string[];
  /** Contents that may be old, until they have stayed for a while; null for none. */
  readonly waiting: { readonly digest: string; readonly since: number } | null;
  readonly missing: readonly MissingEvent[];
  /** Missing events that a person cancelled, until the calendar has them again. */
  readonly cancelled: readonly number[];
  readonly conflicts: readonly ValueConflict[];
  /** The names of events that cannot be read now. */
  readonly unreadable: readonly string[];
  /** The zone in which the last contents were read. */
  readonly zone?: string | undefined;
  /** The events of the club that were here before the calendar had them, too. */
  readonly adopted?: readonly number[] | undefined;
  /** The last change that took its events out of the club, as the club then only looked at them. */
  readonly takenOut?: number | undefined;
  /** The address of an earlier version, until a service moves it into the file of addresses. */
  readonly address?: string | undefined;
};

export const emptyMemory: CalendarMemory = {
  ...{ etag: null, lastModified: null, asOf: null, modifiedAt: null, contents: [] },
  waiting: null,
  ...{ missing: [], cancelled: [], conflicts: [], unreadable: [] },
};

/** An event that a club only looks at. */
export type LookedEvent = Omit<StoredEvent, 'id' | 'createdAt' | 'registrationOpen'>;

/** A followed calendar, without its address. */
export type FollowedCalendar = {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly host: string;
  readonly rules: CalendarRules;
  readonly memory: CalendarMemory;
  /** The events to look at, or the days off; null for events that the club has. */
  readonly looked: readonly LookedEvent[] | null;
  readonly days: readonly DayOff[] | null;
};

/** The maximum number of calendars of all clubs. */
const maxCalendars = 1_000;

const columns = 'id, user_id AS userId, name, host, rules, memory, looked';

export const calendarReads = {
  ids: `SELECT id FROM calendars WHERE id > 0 ORDER BY id LIMIT ${maxCalendars}`,
  all: `SELECT ${columns} FROM calendars WHERE id > 0 ORDER BY id LIMIT ${maxCalendars}`,
  byUser: `SELECT ${columns} FROM calendars WHERE user_id = @userId ORDER BY id LIMIT ${maxCalendars}`,
  byId: `SELECT ${columns} FROM calendars WHERE id = @id LIMIT 1`,
  eventIds: `SELECT id FROM events WHERE user_id = @userId AND source_key > @after
    AND source_key < @before ORDER BY source_key LIMIT 1000000`,
  removed: `SELECT changes.before FROM batches JOIN changes ON changes.batch_id = batches.id
    WHERE batches.user_id = @userId AND batches.id > @since AND batches.removed > 0
      AND changes.after IS NULL
      AND changes.before ->> '$.sourceKey' > @after AND changes.before ->> '$.sourceKey' < @before
    ORDER BY batches.id DESC LIMIT 10000`,
} as const;

export const calendarWrites = {
  add: `INSERT INTO calendars (user_id, name, host, rules, memory, looked)
    VALUES (@userId, @name, @host, @rules, @memory, @looked)`,
  change: `UPDATE calendars SET name = @name, host = @host, rules = @rules, memory = @memory,
    looked = @looked WHERE id = @id`,
  remove: 'DELETE FROM calendars WHERE id = @id',
} as const;

type Row = Pick<FollowedCalendar, 'id' | 'userId' | 'name' | 'host'> &
  Readonly<Record<'rules' | 'memory', string>> & { readonly looked: string | null };

function toCalendar({ memory, looked, ...row }: Row): FollowedCalendar {
  const rules: CalendarRules = JSON.parse(row.rules);
  const kept = looked === null ? null : JSON.parse(looked);
  const isOfDays = rules.use === 'daysOff';
  return {
    ...{ ...row, rules, memory: JSON.parse(memory) },
    looked: isOfDays ? null : kept,
    days: isOfDays ? kept : null,
  };
}

function toRow({ rules, memory, looked, days, ...calendar }: Omit<FollowedCalendar, 'id'>) {
  const kept = looked ?? days;
  return {
    ...calendar,
    rules: JSON.stringify(rules),
    memory: JSON.stringify(memory),
    looked: kept && JSON.stringify(kept),
  };
}

/** Reads the calendars of a club, or of all clubs, in the order in which they were added. */
export function readCalendars(db: Reader, userId?: number): FollowedCalendar[] {
  const sqlite = connection(db);
  const rows =
    userId === undefined
      ? sqlite.prepare<[], Row>(calendarReads.all).all()
      : sqlite.prepare<object, Row>(calendarReads.byUser).all({ userId });
  return rows.map(toCalendar);
}

/** Reads the ids of the calendars of all clubs. */
export function readCalendarIds(db: Reader): number[] {
  return connection(db).prepare<[], number>(calendarReads.ids).pluck().all();
}

export function findCalendar(db: Reader, id: number): FollowedCalendar | undefined {
  const row = connection(db).prepare<object, Row>(calendarReads.byId).get({ id });
  return row && toCalendar(row);
}

/** Begins the source keys of the events of a calendar. */
export const calendarPrefix = (id: number): string => `${followedPrefix}${id}:`;

/** The range of the source keys of a calendar: ";" follows ":" in the order of SQLite. */
const keysOf = (id: number) => ({
  after: calendarPrefix(id),
  before: `${followedPrefix}${id};`,
});

/** Reads the ids of the events of a calendar. */
export function readCalendarEvents(
  db: Reader,
  { id, userId }: Pick<FollowedCalendar, 'id' | 'userId'>,
): number[] {
  const statement = connection(db).prepare<object, number>(calendarReads.eventIds).pluck();
  return statement.all({ userId, ...keysOf(id) });
}

/** Reads the last events of a calendar that people removed, newest first. */
export function readRemovedEvents(
  db: Reader,
  { id, userId, memory }: Pick<FollowedCalendar, 'id' | 'userId' | 'memory'>,
): EventImage[] {
  const statement = connection(db).prepare<object, string>(calendarReads.removed).pluck();
  const since = memory.takenOut ?? 0;
  return statement.all({ userId, since, ...keysOf(id) }).flatMap((text) => readImage(text) ?? []);
}

/** Reads the ids of the events that come from the calendars of a club. */
export const readFollowedEvents = (db: Reader, userId: number): number[] =>
  readCalendars(db, userId).flatMap((calendar) => readCalendarEvents(db, calendar));

/** Stores a new calendar; returns its id. */
export function addCalendar(db: Writer, calendar: Omit<FollowedCalendar, 'id'>): number {
  return inTransaction(db, (sqlite) =>
    Number(sqlite.prepare(calendarWrites.add).run(toRow(calendar)).lastInsertRowid),
  );
}

/** Stores a calendar in place of the one with its id, in the transaction of the caller. */
export function writeCalendar(db: Writer, { id, ...calendar }: FollowedCalendar): void {
  connection(db)
    .prepare(calendarWrites.change)
    .run({ ...toRow(calendar), id });
}

/** Stores a calendar in place of the one with its id. */
export function changeCalendar(db: Writer, calendar: FollowedCalendar): void {
  inTransaction(db, () => writeCalendar(db, calendar));
}

/** Removes a calendar; its events stay. */
export function removeCalendar(db: Writer, id: number): void {
  inTransaction(db, (sqlite) => sqlite.prepare(calendarWrites.remove).run({ id }));
}
