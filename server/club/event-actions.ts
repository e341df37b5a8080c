import { z } from 'zod';
import { readFollowedEvents } from '../../db/calendars.ts';
import { type DayOff, readDaysOff } from '../../db/days-off.ts';
import { type EventEdit, editEvents, type NewEvent } from '../../db/event-edit.ts';
import { readEarlierImports } from '../../db/event-import.ts';
import { eachEvent } from '../../db/event-list.ts';
import type { EventValues } from '../../db/event-rows.ts';
import { type EarlierEdit, readAddedTogether } from '../../db/history.ts';
import { editableFields, eventMembers, type StoredEvent } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { readSettings, type SettingValues } from '../../db/settings.ts';
import { prepareUserReads } from '../../db/users.ts';
import { problem } from '../base/errors.ts';
import type { DateMove } from '../dates/moves.ts';
import { zoneNamed } from '../dates/zone.ts';
import { maxReason, type Noted, reasonOf, withoutReason, withReason } from '../event/values.ts';
import { message, type ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store/store.ts';
import { backUpBeforeLargeRemoval } from './backup.ts';
import { type EventMove, readMoves } from './changes.ts';
import {
  descriptionAt,
  EventInput,
  moveByDays,
  moveEvent,
  readValues,
  TimeZone,
  withWrittenEnd,
} from './event-values.ts';
import { datesOf, type LeftOut, planSeries, type Series } from './series.ts';
import { type ActionTools, isLanguageTag } from './tools.ts';
import { requireUnmirrored, requireUser, UserName, zoneOfClub } from './user-actions.ts';

export const EventNumber = z.int({ error: 'event_id_invalid' satisfies ProblemCode });

/** The result of an edit of one event. */
type EventResult = {
  readonly user: string;
  readonly event: StoredEvent;
  /** The number of the edit in the history; absent if nothing changed. */
  readonly batch?: number;
  /** The zone in which the dates of the edit were read. */
  readonly timeZone: string;
};

type EditClock = {
  readonly timeZone: string;
  readonly now: Date;
  /** Reads the days off of the club. */
  readonly readDaysOff: () => readonly DayOff[];
  readonly readSettings: () => SettingValues;
  /** Reads all events of the club, by id. */
  readonly readEvents: () => readonly StoredEvent[];
  /** Reads the imports of one file, by the ids of the events that they added. */
  readonly readImports: () => ReadonlyMap<number, number>;
  /** Returns the events that come from followed calendars. */
  readonly readFollowed: () => readonly number[];
};
/** Reads values before a change; the result then changes events in one transaction. */
export type PrepareEdit<T> = (clock: EditClock) => (events: EventEdit) => T;
type EditRequest = {
  readonly user: string;
  readonly timeZone?: string | undefined;
  readonly earlier?: EarlierEdit | undefined;
};

export function readEditClock(
  db: Reader,
  userId: number,
  timeZone: string | undefined,
  tools: Pick<ActionTools, 'now' | 'systemTimeZone'>,
): EditClock {
  return {
    timeZone: timeZone ?? zoneOfClub(db, userId, tools),
    now: tools.now(),
    readDaysOff() {
      const calendars = Map.groupBy(readDaysOff(db, userId), ({ kind }) => kind === 'public');
      // A public holiday names a day inside school holidays.
      return [true, false].flatMap((isPublic) =>
        (calendars.get(isPublic) ?? []).flatMap(({ days }) => days),
      );
    },
    readSettings: () => readSettings(db, userId),
    readEvents: () => [...eachEvent(db, userId)],
    readImports: () => readEarlierImports(db, userId),
    readFollowed: () => readFollowedEvents(db, userId),
  };
}

/**
 * Edits events of a user in one transaction and one batch of the history. Makes a backup first if
 * the number of `removed` events is large.
 */
export function editAs<T extends object>(
  { user, timeZone: chosen, earlier }: EditRequest,
  tools: ActionTools,
  prepare: PrepareEdit<T>,
  removed = 0,
): Promise<T & Omit<EventResult, 'event'>> {
  const run = (db: Writer) => {
    const userId = requireUser(db, user);
    const clock = readEditClock(db, userId, chosen, tools);
    const edit = prepare(clock);
    const total = prepareUserReads(db).countEvents(userId);
    backUpBeforeLargeRemoval({ removed, total }, tools);
    const request = { userId, now: clock.now.toISOString(), continues: earlier };
    const { result, batch } = editEvents(db, request, (events) => {
      // Within the transaction: the mirror may be new.
      requireUnmirrored(db, userId);
      return edit(events);
    });
    return { user, ...result, ...(batch !== undefined && { batch }), timeZone: clock.timeZone };
  };
  return withWriter(tools.home, run, tools);
}

/** Returns an event. Throws `event_unknown` if the user has none with this id. */
function requireEvent(events: EventEdit, id: number): StoredEvent {
  const event = events.read(id);
  if (event !== undefined) return event;
  throw problem('event_unknown', { id });
}

/** A day for each of two years. */
const maxSeries = 732;

/** The end of an event, the first line of its note. */
export const EndInput = {
  /** A time or a day, as people write it; empty for none. */
  end: z.string().optional(),
  /** The language of that line. */
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.').optional(),
};

export const AddEvent = z.strictObject({
  user: UserName,
  event: EventInput,
  /** A repetition in words, such as "every Tue until 30 June except holidays". */
  repeat: z.string().optional(),
  /** Days of the repetition that are left out, as people write them. */
  except: z.array(z.string()).default([]),
  /** The days of a repetition that a person has seen; they replace `repeat`. */
  days: z.array(z.iso.date()).min(1).max(maxSeries).optional(),
  ...EndInput,
  timeZone: TimeZone.optional(),
});

type AddResult = EventResult & {
  /** The events of a repetition, the first among them. */
  readonly series?: {
    readonly events: readonly StoredEvent[];
    /** The dates that were left out as days off. */
    readonly daysOff: readonly LeftOut[];
    /** True if the repetition would go on after two years. */
    readonly isCut: boolean;
  };
};

/** Returns the dates of events that are added together; undefined for a single event. */
function seriesOf(
  { repeat, except, days }: Pick<z.output<typeof AddEvent>, 'repeat' | 'except' | 'days'>,
  first: string,
  { timeZone, readDaysOff }: EditClock,
): Series | undefined {
  if (days !== undefined) {
    const dates = datesOf([...new Set(days)].toSorted(), first, timeZone);
    return { dates, daysOff: [], isCut: false };
  }
  if (repeat === undefined) return undefined;
  return planSeries({ repeat, except, first, timeZone, readDaysOff });
}

type Added = Pick<AddResult, 'event' | 'series'>;

export function prepareAdd({
  event,
  repeat,
  except,
  days,
  end,
  language,
}: Omit<z.output<typeof AddEvent>, 'user' | 'timeZone'>): PrepareEdit<Added> {
  return (clock) => {
    const values = readValues(event, clock) as NewEvent;
    const { timeZone } = clock;
    const start = { date: values.date, description: values.description ?? null };
    const description =
      end === undefined ? start.description : withWrittenEnd(start, { text: end, language }, clock);
    const first = { ...start, description };
    const series = seriesOf({ repeat, except, days }, values.date, clock);
    return (edit) => {
      const events = (series?.dates ?? [values.date]).map((date) => {
        return addTo(edit, { ...values, date, description: descriptionAt(first, date, timeZone) });
      });
      const event = events[0] as StoredEvent;
      const { daysOff = [], isCut = false } = series ?? {};
      return { event, ...(series && { series: { events, daysOff, isCut } }) };
    };
  };
}

/** Adds one event by hand, or the ordinary events of a repetition as one change. */
export function addEvent(
  { user, timeZone, ...request }: z.output<typeof AddEvent>,
  tools: ActionTools,
): Promise<AddResult> {
  return editAs({ user, timeZone }, tools, prepareAdd(request));
}

/** The values of an event as a person knows it. */
export const KnownEvent = z.partialRecord(
  z.enum(['id', ...eventMembers]),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

export const EditEvent = z.strictObject({
  user: UserName,
  id: EventNumber,
  changes: EventInput.partial(),
  ...EndInput,
  /** The event before the edit, as the user knows it. */
  expected: KnownEvent.optional(),
  timeZone: TimeZone.optional(),
});

type Expected = z.output<typeof EditEvent>['expected'];

/** Throws `event_changed_meanwhile` if a field that is to change is not as the user knows it. */
function requireExpected(current: StoredEvent, changes: EventValues, expected: Expected): void {
  if (expected === undefined) return;
  const fields = editableFields.filter(
    (field) =>
      field in changes &&
      changes[field] !== current[field] &&
      // Only registration may be unknown, and then is absent.
      (field in expected || field === 'registrationOpen') &&
      expected[field] !== current[field],
  );
  if (fields.length === 0) return;
  const { id, name } = current;
  throw problem('event_changed_meanwhile', {
    id,
    name,
    fields: fields.map((field) => message(`field:${field}`)),
    current: JSON.stringify(current),
  });
}

type EditResult = EventResult & { readonly before: StoredEvent };

function changeEvent(
  events: EventEdit,
  id: number,
  changes: EventValues,
  expected?: Expected,
): { event: StoredEvent; before: StoredEvent } {
  const before = requireEvent(events, id);
  requireExpected(before, changes, expected);
  return { event: events.change(id, changes) ?? before, before };
}

type Edited = Pick<EditResult, 'event' | 'before'>;

/** Returns a description without the reason of a cancellation that is reversed. */
function withoutOldReason(
  events: EventEdit,
  before: StoredEvent,
  after: Noted,
  { timeZone }: EditClock,
): string | null {
  const { description } = after;
  const isReversed = before.status === 'cancelled' && after.status !== 'cancelled';
  // A note that has the same line may be older than the cancellation: only the history knows.
  const last = isReversed && description !== null ? events.cancellation(before.id) : undefined;
  if (last === undefined) return description;
  const zone = zoneNamed(timeZone);
  return withoutReason(after, reasonOf(last.before, last.after, zone), zone);
}

export function prepareChange({
  id,
  changes,
  expected,
  end,
  language,
}: Omit<z.output<typeof EditEvent>, 'user' | 'timeZone'>): PrepareEdit<Edited> {
  return (clock) => {
    const values = readValues(changes, clock);
    return (events) => {
      const before = requireEvent(events, id);
      const { date = before.date, status = before.status } = values;
      const { description: note = descriptionAt(before, date, clock.timeZone) } = values;
      const after = { date, status, description: note };
      const event = { ...after, description: withoutOldReason(events, before, after, clock) };
      const description =
        end === undefined
          ? event.description
          : withWrittenEnd(event, { text: end, language }, clock);
      const isChanged = 'description' in values || description !== before.description;
      return changeEvent(events, id, { ...values, ...(isChanged && { description }) }, expected);
    };
  };
}

/**
 * Changes fields of an event. Without a new note, its end moves with its date. Throws
 * `event_changed_meanwhile`, with the current event as JSON, if one of these fields is not as
 * expected.
 */
export function editEvent(
  { user, timeZone, ...request }: z.output<typeof EditEvent>,
  tools: ActionTools,
): Promise<EditResult> {
  return editAs({ user, timeZone }, tools, prepareChange(request));
}

/** The reason for a cancellation, one line; empty for none. */
const Reason = z.string().max(maxReason).default('');

export const CancelEvent = z.strictObject({ user: UserName, id: EventNumber, reason: Reason });

/** Returns the values of a cancelled event. */
function cancelled(event: StoredEvent, reason: string, clock: EditClock) {
  const note = withReason(event, reason, zoneNamed(clock.timeZone));
  const isChanged = note !== event.description;
  return {
    ...(isChanged && readValues({ description: note }, clock)),
    status: 'cancelled',
  } as const;
}

export function prepareCancel({
  id,
  reason,
}: Omit<z.output<typeof CancelEvent>, 'user'>): PrepareEdit<Edited> {
  return (clock) => (events) =>
    changeEvent(events, id, cancelled(requireEvent(events, id), reason, clock));
}

export function cancelEvent(
  { user, ...request }: z.output<typeof CancelEvent>,
  tools: ActionTools,
): Promise<EditResult> {
  return editAs({ user }, tools, prepareCancel(request));
}

export const RemoveEvent = z.strictObject({ user: UserName, id: EventNumber });

export function prepareRemove(id: number): PrepareEdit<Pick<EventResult, 'event'>> {
  return () => (events) => {
    const event = requireEvent(events, id);
    events.remove(id);
    return { event };
  };
}

export function removeEvent(
  { id, user }: z.output<typeof RemoveEvent>,
  tools: ActionTools,
): Promise<EventResult> {
  return editAs({ user }, tools, prepareRemove(id));
}

export const EventsTogether = z.strictObject({ user: UserName, id: EventNumber });

type Together = {
  readonly user: string;
  /** The events that are still there; empty if it was added alone. */
  readonly ids: readonly number[];
  /** Those that were then changed one by one. */
  readonly edited: readonly number[];
  readonly moves: readonly EventMove[];
};

/** Lists the events that were added together with one, and the moves of that one. */
export function listTogether(
  { user, id }: z.output<typeof EventsTogether>,
  tools: ActionTools,
): Promise<Together> {
  return withReader(tools.home, (db) => {
    const userId = requireUser(db, user);
    const found = readAddedTogether(db, userId, id);
    const events = found.length > 1 ? found : [];
    const edited = events.filter(({ isEdited }) => isEdited);
    return {
      user,
      ids: events.map((one) => one.id),
      edited: edited.map((one) => one.id),
      moves: readMoves(db, userId, id, zoneOfClub(db, userId, tools)),
    };
  });
}

/** Two years, after which an event is another one. */
const maxCopyDays = 731;

export const CopyEvents = z.strictObject({
  user: UserName,
  ids: z.array(EventNumber).min(1).max(1_000_000),
  /** Days from an event to its copy, at the same local time. */
  days: z.int().min(-maxCopyDays).max(maxCopyDays),
});

type CopyResult = Omit<EventResult, 'event'> & {
  /** The copies, in the order of the ids. */
  readonly events: readonly StoredEvent[];
};

/** The values that an event takes along to another date: neither its status nor its registration. */
export function valuesOn(
  { name, location, eventType }: Pick<StoredEvent, 'name' | 'location' | 'eventType'>,
  { date, description }: Pick<StoredEvent, 'date' | 'description'>,
): NewEvent {
  return { name, date, location, description, eventType };
}

/** Adds an event. Throws `event_ids_exhausted`. */
export function addTo(events: EventEdit, values: NewEvent): StoredEvent {
  const added = events.add(values);
  if (added === undefined) throw problem('event_ids_exhausted');
  return added;
}

/** Adds copies of events some days later or earlier, which keep their distances, as one change. */
export function copyEvents(
  { user, ids, days }: z.output<typeof CopyEvents>,
  tools: ActionTools,
): Promise<CopyResult> {
  return editAs({ user }, tools, (clock) => (events) => ({
    events: [...new Set(ids)].map((id) => {
      const event = requireEvent(events, id);
      const date = moveByDays(event.date, days, clock.timeZone);
      const moved = descriptionAt(event, date, clock.timeZone);
      const copy = { date, status: 'active', description: moved } as const;
      const description = withoutOldReason(events, event, copy, clock);
      return addTo(events, valuesOn(event, { date, description }));
    }),
  }));
}

/** About a hundred years. */
const maxDays = 36_525;
/** A day, less a minute. */
const maxMinutes = 1_439;

export const ChangeEvents = z.strictObject({
  user: UserName,
  ids: z.array(EventNumber).min(1).max(1_000_000),
  change: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('cancel'), reason: Reason }),
    z.strictObject({ kind: z.literal('remove') }),
    z.strictObject({ kind: z.literal('move'), days: z.int().min(-maxDays).max(maxDays) }),
    /** Another day of the same week, from 0 for Sunday; weeks begin on Monday. */
    z.strictObject({ kind: z.literal('weekday'), weekday: z.int().min(0).max(6) }),
    /** Later or earlier on the same day; events without a time stay as they are. */
    z.strictObject({ kind: z.literal('shift'), minutes: z.int().min(-maxMinutes).max(maxMinutes) }),
    z.strictObject({
      kind: z.literal('time'),
      /** `HH:MM`, on the day of each event; without it, the events begin when they do. */
      time: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
        .optional(),
      /** The end on the same day, as people write it; without it, the end moves as far. */
      end: z.string().optional(),
      language: EndInput.language,
    }),
    z.strictObject({
      kind: z.literal('set'),
      values: EventInput.pick({ location: true, eventType: true, status: true }),
    }),
  ]),
  /** The batch of an earlier move of the same event, which then includes this one. */
  continues: z.int().optional(),
  timeZone: TimeZone.optional(),
});

type ChangeResult = Omit<EventResult, 'event'> & {
  readonly changed: number;
  readonly unchanged: number;
};

type Change = z.output<typeof ChangeEvents>['change'];

/** Returns the date to which a change moves an event. Throws `time_leaves_day`. */
function movedDate({ date, name }: StoredEvent, change: Change, timeZone: string): string {
  const { kind } = change;
  if (kind === 'cancel' || kind === 'remove' || kind === 'set') return date;
  if (kind === 'time' && change.time === undefined) return date;
  const moved = moveEvent(date, change as DateMove, timeZone);
  if (moved !== undefined) return moved;
  throw problem('time_leaves_day', { name, day: zoneNamed(timeZone).momentIn(date).day });
}

/** Changes several events in the same way, all or none. */
export function changeEvents(
  { ids, change, continues, ...request }: z.output<typeof ChangeEvents>,
  tools: ActionTools,
): Promise<ChangeResult> {
  const distinct = [...new Set(ids)];
  const prepare = (clock: EditClock) => {
    const values: EventValues = change.kind === 'set' ? readValues(change.values, clock) : {};
    /** Returns true if the event changed. */
    const apply = (events: EventEdit, id: number): boolean => {
      const event = requireEvent(events, id);
      if (change.kind === 'remove') {
        events.remove(id);
        return true;
      }
      if (change.kind === 'set') {
        const after = { ...event, ...values };
        const description = withoutOldReason(events, event, after, clock);
        return events.change(id, { ...values, description }) !== undefined;
      }
      if (change.kind === 'cancel') {
        return events.change(id, cancelled(event, change.reason, clock)) !== undefined;
      }
      const date = movedDate(event, change, clock.timeZone);
      const moved = { date, description: descriptionAt(event, date, clock.timeZone) };
      const description =
        change.kind !== 'time' || change.end === undefined
          ? moved.description
          : withWrittenEnd(moved, { text: change.end, language: change.language }, clock);
      return events.change(id, { date, description }) !== undefined;
    };
    return (events: EventEdit) => {
      const changed = distinct.filter((id) => apply(events, id)).length;
      return { changed, unchanged: distinct.length - changed };
    };
  };
  const [eventId, ...others] = distinct;
  const isSame = continues !== undefined && eventId !== undefined && others.length === 0;
  const earlier = isSame ? { batch: continues, eventId } : undefined;
  const removed = change.kind === 'remove' ? distinct.length : 0;
  return editAs({ ...request, earlier }, tools, prepare, removed);
}
