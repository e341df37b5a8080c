import { hash } from 'node:crypto';
import {
  type CalendarMemory,
  calendarPrefix,
  type FollowedCalendar,
  type MissingEvent,
  readCalendarIds,
  readRemovedEvents,
  type ValueConflict,
} from '../../db/calendars.ts';
import {
  beginEventImport,
  type EarlierEvent,
  type EventImport,
  isRecurrence,
} from '../../db/event-import.ts';
import { columnValue, type EventImage } from '../../db/event-rows.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { problem } from '../base/errors.ts';
import type { Clock } from '../dates/clock.ts';
import { hourMs } from '../dates/units.ts';
import {
  type Identifying,
  isOtherEvent,
  matchEvents,
  plainName,
  spelledName,
} from '../event/matching.ts';
import type { CalendarContents, CalendarEvent } from './contents.ts';

/** Time between two contents without an event until a person is asked, and until old ones count again. */
const proofAfter = 4 * hourMs;

/** Most contents whose digests are remembered: a cache may bring back any of them. */
const maxContents = 10;

/** Returns a digest of what a person sees of a calendar: many programs write new times and identifiers. */
export function digestOf(events: readonly CalendarEvent[]): string {
  const texts = events.map(({ values }) => JSON.stringify(Object.entries(values))).sort();
  return hash('sha256', texts.join('\n'), 'base64url');
}

/** The time for which contents are good: `Date` minus `Age` (RFC 9111), else that of the request. */
export type Marks = {
  readonly asOf: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

type Contents = Marks & { readonly digest: string; readonly modifiedAt: number | undefined };

/**
 * Returns true for contents that may be older than the last ones: they have an earlier change, or were
 * there before and name no later one.
 */
function mayBeOld(memory: CalendarMemory, contents: Contents): boolean {
  const { digest, modifiedAt, lastModified } = contents;
  const changes = [memory.modifiedAt, modifiedAt ?? null] as const;
  const answers = [memory.lastModified, lastModified].map((time) => Date.parse(time ?? ''));
  const [before, now] = changes.some((time) => time === null) ? answers : changes;
  const order = Number(now) - Number(before);
  return order < 0 || (memory.contents.includes(digest) && !(order > 0));
}

/**
 * Returns what is known after contents that a cache has brought back; undefined for new contents.
 * Those that are older by their time never count; those that may be count once they have stayed for
 * four hours.
 */
function memoryOfOld(
  memory: CalendarMemory,
  contents: Contents,
  now: number,
): CalendarMemory | undefined {
  const { digest, asOf } = contents;
  const [last] = memory.contents;
  if (last === undefined || last === digest) return undefined;
  if (memory.asOf !== null && asOf < memory.asOf) return memory;
  if (!mayBeOld(memory, contents)) return undefined;
  const waiting = memory.waiting?.digest === digest ? memory.waiting : { digest, since: now };
  return now - waiting.since >= proofAfter ? undefined : { ...memory, waiting };
}

/** Returns the events that are missing now, with those about which a person is asked. */
export function missingAfter(
  before: readonly MissingEvent[],
  absent: readonly number[],
  now: number,
): readonly MissingEvent[] {
  return absent.map((id) => {
    const known = before.find((one) => one.id === id);
    const since = known?.since ?? now;
    const isAsked = known?.isAsked === true || now - since >= proofAfter;
    return { id, since, isAsked, ...(known?.isKept && { isKept: true }) };
  });
}

/** The only link in a note, which some calendars have in the place of an identifier. */
const linkOf = (note: string | null): string | undefined => {
  const [link, ...others] = new Set(note?.match(/https?:\/\/[^\s<>"]+/g));
  return others.length === 0 ? link : undefined;
};

type Known = EarlierEvent & { readonly isCancelled: boolean; readonly plan: number | undefined };
type Coming = Identifying & { readonly event: CalendarEvent };

/** The events of contents, and those of the club that they are. */
type Pairs = {
  readonly pairs: ReadonlyMap<CalendarEvent, EarlierEvent>;
  /** Events that another calendar of the club has, too. */
  readonly shared: ReadonlySet<CalendarEvent>;
  /** The events of this calendar that are here. */
  readonly own: readonly Known[];
};

/** Returns true for an event of one of the calendars, which have these prefixes. */
const hasPrefix = ({ record }: EarlierEvent, prefixes: readonly string[]) =>
  prefixes.some((prefix) => record.sourceKey?.startsWith(prefix));

const momentOf = ({ name, date }: { readonly name: string; readonly date: string }) =>
  `${date} ${plainName(name)}`;

/** Returns true if half of the events that are here by name and start have the same key. */
function hasKeys(
  byKey: ReadonlyMap<string, Known>,
  byMoment: ReadonlyMap<string, Known>,
  events: readonly CalendarEvent[],
): boolean {
  let [shared, same] = [0, 0];
  for (const { key, values } of events) {
    const known = byMoment.get(momentOf(values));
    if (known === undefined) continue;
    shared += 1;
    if (byKey.get(key) === known) same += 1;
  }
  return same * 2 >= shared;
}

/** Finds the events of contents among those of the club: by their identifiers, then by the rules of a plan. */
function pairEvents(
  calendar: number,
  events: readonly CalendarEvent[],
  here: readonly EarlierEvent[],
  context: {
    readonly clock: Clock;
    readonly now: Date;
    /** The prefixes of the keys of the other calendars of the club. */
    readonly others: readonly string[];
    /** The text before the names of the calendar. */
    readonly prefix: string;
  },
): Pairs {
  const { others } = context;
  const prefix = calendarPrefix(calendar);
  const isOwn = (event: EarlierEvent) => hasPrefix(event, [prefix]);
  const known: Known[] = here.flatMap((one) => {
    const own = isOwn(one);
    // Its own calendar decides about it.
    if (hasPrefix(one, others)) return [];
    const { event } = one.record;
    return {
      ...one,
      isImported: own,
      isCancelled: event.status === 'cancelled',
      plan: own ? calendar : undefined,
      number: own ? linkOf(event.description) : undefined,
    };
  });
  const own = known.filter(isOwn);
  const byKey = new Map(own.map((one) => [one.record.sourceKey?.slice(prefix.length) ?? '', one]));
  // Those of an import, or of a calendar that is no longer followed.
  const kept = new Map(
    known
      .filter((one) => !isOwn(one))
      .map((one) => [one.record.sourceKey?.replace(/^calendar:\d+:/, '') ?? '', one]),
  );
  const coming: Coming[] = events.map((event) => {
    const { name, date, location, description } = event.values;
    return { name, date, place: location || undefined, number: linkOf(description), event };
  });
  const found = new Map<Coming, Known>();
  const byMoment = new Map(own.map((one) => [momentOf(one), one]));
  if (hasKeys(byKey, byMoment, events)) {
    const comingByKey = new Map(coming.map((one) => [one.event.key, one]));
    const isOther = ({ name, date }: Known, one: Coming) =>
      !isRecurrence(one.event.key) &&
      isOtherEvent({ names: [name, context.prefix + name], date }, one);
    /** Returns the event that is here as it comes, if its own key is free: keys may move up a list. */
    const asItComes = (one: Coming) => {
      const exact = byMoment.get(momentOf(one));
      const holder = comingByKey.get(exact?.record.sourceKey?.slice(prefix.length) ?? '');
      return exact && holder && !isOther(exact, holder) ? undefined : exact;
    };
    for (const one of coming) {
      const same = byKey.get(one.event.key) ?? kept.get(one.event.key);
      if (same === undefined || isOther(same, one)) continue;
      found.set(one, (same.date !== one.date && asItComes(one)) || same);
    }
  }
  const matched = matchEvents(known, coming, found, context);
  const pairs = [...found, ...matched.pairs].map(([one, same]) => [one.event, same] as const);
  const paired = new Map(pairs);
  const spelledMoment = ({ name, date }: { name: string; date: string }) =>
    `${date} ${spelledName(name)}`;
  const elsewhere = new Set(here.filter((one) => hasPrefix(one, others)).map(spelledMoment));
  const shared = events.filter(
    (event) => !paired.has(event) && elsewhere.has(spelledMoment(event.values)),
  );
  return { pairs: paired, shared: new Set(shared), own };
}

/** The changes that contents made in a club. */
export type Update = {
  readonly added: number;
  readonly changed: number;
  readonly memory: CalendarMemory;
  /** The number of the sync in the history; absent if nothing changed. */
  readonly batch?: number;
};

/** Number of events to come of which one must be there, or else it is another calendar. */
const minShared = 3;

/** Checks that contents are those of the calendar. Throws `follow_other_calendar`. */
function requireSame({ pairs, own }: Pairs, host: string, now: Date): void {
  const toCome = own.filter(({ date }) => Date.parse(date) > now.getTime());
  if (toCome.length >= minShared && pairs.size === 0) {
    throw problem('follow_other_calendar', { place: host });
  }
}

/** Applies an event of the contents, and returns it with the values that hands and calendar have. */
function applyEvent(
  batch: EventImport,
  { key, values }: CalendarEvent,
  same: EarlierEvent | undefined,
) {
  const origin = { key, sequence: 0, stamp: null };
  const { record } = batch.identify(values, origin);
  const isSame = record !== undefined && record.row === same?.record.row;
  const identity = { origin, record };
  return batch.apply(values, isSame ? identity : { ...identity, as: same?.record ?? null });
}

/** Returns true for an event that a person has removed, by its key and by its name or its moment. */
function isRemoved(
  { event: { name, date }, sourceKey }: EventImage,
  { key, values }: CalendarEvent,
  prefix: string,
): boolean {
  const isSame = name === values.name && date === values.date;
  return isSame || (sourceKey === prefix + key && !isOtherEvent({ names: [name], date }, values));
}

type NewContents = { readonly contents: CalendarContents; readonly marks: Marks };

/**
 * Brings the events of a club up to date with good contents of a calendar, as one sync. Nothing is
 * removed: an event to come that is missing becomes a question. Throws `follow_other_calendar`.
 */
export function updateEvents(
  db: Writer,
  calendar: FollowedCalendar,
  { contents, marks }: NewContents,
  { clock, now }: { readonly clock: Clock; readonly now: Date },
): Update {
  const { id, userId, name, host, memory } = calendar;
  const time = now.getTime();
  const digest = digestOf(contents.events);
  const { modifiedAt } = contents;
  const old = memoryOfOld(memory, { ...marks, digest, modifiedAt }, time);
  if (old !== undefined) return { added: 0, changed: 0, memory: old };
  const source = { userId, now: now.toISOString(), source: name, kind: 'sync' } as const;
  const batch = beginEventImport(db, source);
  try {
    batch.beginFile();
    // Those of other clubs find nothing.
    const others = readCalendarIds(db)
      .filter((one) => one !== id)
      .map(calendarPrefix);
    const context = { clock, now, others, prefix: calendar.rules.prefix };
    const paired = pairEvents(id, contents.events, batch.earlier(), context);
    requireSame(paired, host, now);
    const { pairs, shared, own } = paired;
    const prefix = calendarPrefix(id);
    const counts = { added: 0, changed: 0 };
    const conflicts: ValueConflict[] = [];
    const there = new Set<number>();
    const ownIds = new Set(own.map(({ record }) => record.event.id));
    const adopted = new Set(memory.adopted);
    const isNew = (event: CalendarEvent) => !shared.has(event) && !pairs.has(event);
    const removed = contents.events.some(isNew) ? readRemovedEvents(db, calendar) : [];
    for (const event of contents.events) {
      if (shared.has(event)) continue;
      // A person has removed it here, and can undo that.
      if (isNew(event) && removed.some((one) => isRemoved(one, event, prefix))) continue;
      const keyed = { ...event, key: prefix + event.key };
      const outcome = applyEvent(batch, keyed, pairs.get(event));
      if (outcome.kind === 'exhausted') throw problem('event_ids_exhausted');
      if (outcome.kind !== 'added' && outcome.kind !== 'changed' && outcome.kind !== 'unchanged') {
        throw new Error(`An event of a calendar was ${outcome.kind}.`);
      }
      there.add(outcome.event.id);
      if (outcome.kind !== 'unchanged') counts[outcome.kind] += 1;
      if (pairs.has(event) && !ownIds.has(outcome.event.id)) adopted.add(outcome.event.id);
      if (outcome.kind !== 'added') {
        conflicts.push(...conflictsOf(outcome, event, memory, time));
      }
    }
    const unreadable = contents.unreadable.flatMap(({ key }) => (key ? [prefix + key] : []));
    const momentOf = ({ name, date }: { name: string; date: string }) => `${date} ${name}`;
    const leftOut = new Set(
      contents.others.flatMap(({ key, values }) => [prefix + key, momentOf(values)]),
    );
    const absent = own
      .filter(({ record, name: known, date }) => {
        const event = batch.read(record.event.id);
        const isHere = event !== undefined && event.status !== 'cancelled';
        const key = record.sourceKey ?? '';
        return (
          isHere &&
          Date.parse(event.date) > time &&
          !there.has(event.id) &&
          !leftOut.has(key) &&
          !leftOut.has(momentOf({ name: known, date })) &&
          !unreadable.some((one) => key.startsWith(one))
        );
      })
      .map(({ record }) => record.event.id);
    // Until a person answers what the calendar says now.
    const cancelled = memory.cancelled.filter((one) => batch.read(one)?.status === 'cancelled');
    const batchNumber = batch.commit();
    return {
      ...counts,
      memory: {
        ...marks,
        modifiedAt: modifiedAt ?? memory.modifiedAt,
        contents: [...new Set([digest, ...memory.contents])].slice(0, maxContents),
        waiting: null,
        missing: missingAfter(memory.missing, absent, time),
        ...{ cancelled, conflicts, zone: clock.name },
        ...(adopted.size > 0 && { adopted: [...adopted] }),
        takenOut: memory.takenOut,
        unreadable: contents.unreadable.map((one) => one.name),
      },
      ...(batchNumber !== undefined && { batch: batchNumber }),
    };
  } catch (error) {
    batch.rollback();
    throw error;
  }
}

/** Returns the values in which an event differs from the calendar since a person edited it. */
function conflictsOf(
  outcome: {
    readonly event: StoredEvent;
    readonly kept?: readonly { readonly field: ValueConflict['field'] }[];
  },
  { values }: CalendarEvent,
  memory: CalendarMemory,
  now: number,
): ValueConflict[] {
  const { event, kept = [] } = outcome;
  const { id } = event;
  const fields = new Set(kept.map(({ field }) => field));
  // A question stays until it is answered, or until both say the same.
  for (const { id: of, field, theirs } of memory.conflicts) {
    const isStill = theirs === columnValue(values, field) && theirs !== columnValue(event, field);
    if (of === id && isStill) fields.add(field);
  }
  // The calendar has it again after a person cancelled it because it was missing.
  const isBack = memory.cancelled.includes(id) && event.status === 'cancelled';
  if (isBack && values.status !== 'cancelled') fields.add('status');
  return [...fields].map((field) => {
    const theirs = columnValue(values, field);
    const before = memory.conflicts.find((one) => one.id === id && one.field === field);
    const isSame = before?.theirs === theirs;
    return { id, field, theirs, since: isSame ? before.since : now };
  });
}
