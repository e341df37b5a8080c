import { z } from 'zod';
import {
  type CalendarMemory,
  type CalendarRules,
  type FollowedCalendar,
  findCalendar,
  type LookedEvent,
  readCalendarEvents,
  readCalendars,
} from '../../db/calendars.ts';
import { columnValue, prepareEventReads } from '../../db/event-rows.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Reader } from '../../db/open.ts';
import { readSettings } from '../../db/settings.ts';
import { prepareUserReads } from '../../db/users.ts';
import { problem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { lastHoliday } from '../dates/days.ts';
import { withReader } from '../store/store.ts';
import {
  type Addresses,
  addressIn,
  type FollowFailure,
  type FollowState,
  readAddresses,
  readFollowStates,
  stateOf,
} from './addresses.ts';
import { nowEvery } from './schedule.ts';

/** The facts of a club that its calendars need. */
export type Club = {
  readonly userId: number;
  readonly user: string;
  /** The name of the club in keys, which no other club has. */
  readonly uidBase: string;
  readonly timeZone: string;
};

export function clubOf(db: Reader, userId: number, tools: ActionTools): Club {
  const uidBase = prepareUserReads(db).uidBase(userId);
  const user = readSettings(db, userId).name;
  return { userId, user, uidBase, timeZone: zoneOfClub(db, userId, tools) };
}

/** Returns a calendar. Throws `follow_unknown`. */
export function requireCalendar(db: Reader, id: number): FollowedCalendar {
  const found = findCalendar(db, id);
  if (found === undefined) throw problem('follow_unknown', { id });
  return found;
}

/** A question about an event that the calendar no longer has. */
type MissingQuestion = Pick<StoredEvent, 'id' | 'name' | 'date' | 'location'> & {
  readonly since: string;
};

/** A question about a value that was edited here and changed in the calendar. */
type ValueQuestion = Pick<StoredEvent, 'id' | 'name' | 'date'> & {
  readonly field: CalendarMemory['conflicts'][number]['field'];
  readonly here: string | number | boolean | null;
  readonly theirs: string | number | null;
  readonly since: string;
};

export type ListedCalendar = {
  readonly id: number;
  readonly user: string;
  readonly name: string;
  readonly host: string;
  readonly rules: CalendarRules;
  /** The number of its events, or of its holidays. */
  readonly events: number;
  /** The last day of its holidays; null for events. */
  readonly until: string | null;
  /** `waits` for a pause that the service asked for, or while this computer has no connection. */
  readonly state: 'current' | 'asks' | 'trouble' | 'waits';
  readonly goodAt: string | null;
  readonly nextAt: string | null;
  /** The time from which a person can have it read; null for now. */
  readonly readableAt: string | null;
  readonly failure: FollowFailure | null;
  readonly missing: readonly MissingQuestion[];
  /** True if so many are missing that they are one question. */
  readonly isMany: boolean;
  readonly values: readonly ValueQuestion[];
  readonly unreadable: readonly string[];
  readonly timeZone: string;
};

/** Failures that need no person: the next try may succeed. */
const waiting: ReadonlySet<string> = new Set([
  'follow_pause',
  'web_unreachable',
  'web_not_running',
  'web_timeout',
]);

const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** From this number, and this share, missing events are one question. */
const manyMissing = { count: 10, share: 1 / 5 };

const areMany = (missing: number, events: number): boolean =>
  missing > manyMissing.count && missing > events * manyMissing.share;

/** Returns the time from which a person can have a calendar read; null for now. */
export function readableAt({ triedAt, nextAt, failure }: FollowState, now: number): number | null {
  // A pause that the service asked for holds for a person, too.
  if (failure?.code === 'follow_pause' && nextAt > now) return nextAt;
  const from = triedAt === null ? now : triedAt + nowEvery;
  // A last request in the future was made by a clock that was ahead.
  return from > now && from <= now + nowEvery ? from : null;
}

/** The events about which the calendar asks, each with what it asks. */
function findQuestions(db: Reader, { userId, memory }: FollowedCalendar) {
  const reads = prepareEventReads(db);
  const since = (ms: number) => new Date(ms).toISOString();
  const missing = memory.missing.flatMap((one): MissingQuestion[] => {
    const event = one.isAsked && !one.isKept ? reads.byId(userId, one.id) : undefined;
    if (event === undefined || event.status === 'cancelled') return [];
    const { id, name, date, location } = event;
    return [{ id, name, date, location, since: since(one.since) }];
  });
  const values = memory.conflicts.flatMap(({ field, theirs, ...one }): ValueQuestion[] => {
    const event = reads.byId(userId, one.id);
    // A person may have given it the value of the calendar meanwhile.
    if (event === undefined || columnValue(event, field) === theirs) return [];
    const { id, name, date } = event;
    return [{ id, name, date, field, here: event[field] ?? null, theirs, since: since(one.since) }];
  });
  return { missing, values };
}

/** The stored addresses and the states of their requests. */
type Known = {
  readonly addresses: Addresses;
  readonly states: Readonly<Record<string, FollowState>>;
};

/** Returns a calendar as the lists have it, with its questions. */
export function listOne(
  db: Reader,
  calendar: FollowedCalendar,
  { addresses, states }: Known,
  tools: ActionTools,
): ListedCalendar {
  const { id, userId, name, host, rules, memory, looked, days } = calendar;
  const { user, uidBase, timeZone } = clubOf(db, userId, tools);
  const now = tools.now();
  const state = stateOf(states, id, uidBase);
  const hasAddress = addressIn(addresses, calendar, uidBase) !== undefined;
  const lost = { code: 'follow_address_lost', values: {}, since: now.toISOString() } as const;
  const failure = hasAddress ? state.failure : lost;
  const { missing, values } = findQuestions(db, calendar);
  const events = (looked ?? days ?? readCalendarEvents(db, calendar)).length;
  const isAsking = missing.length + values.length > 0;
  const isWaiting = failure !== null && waiting.has(failure.code);
  return {
    ...{ id, user, name, host, rules, events },
    until: (days && lastHoliday(days)) ?? null,
    state: failure !== null ? (isWaiting ? 'waits' : 'trouble') : isAsking ? 'asks' : 'current',
    goodAt: timeOf(state.goodAt),
    nextAt: hasAddress ? timeOf(state.nextAt) : null,
    readableAt: timeOf(readableAt(state, now.getTime())),
    ...{ failure, missing, values, timeZone },
    isMany: areMany(missing.length, events),
    unreadable: memory.unreadable,
  };
}

export const FollowLooked = z.strictObject({ user: UserName });

/** The events of a calendar that a club only looks at. */
export type LookedCalendar = {
  readonly id: number;
  readonly name: string;
  readonly events: readonly LookedEvent[];
};

/** Lists the events that a club only looks at, by calendar. */
export function listLooked(
  { user }: z.output<typeof FollowLooked>,
  { home }: ActionTools,
): Promise<{ readonly calendars: readonly LookedCalendar[] }> {
  return withReader(home, (db) => {
    const calendars = readCalendars(db, requireUser(db, user));
    return {
      calendars: calendars.flatMap(({ id, name, looked }) =>
        looked === null ? [] : [{ id, name, events: looked }],
      ),
    };
  });
}

export const FollowList = z.strictObject({ user: UserName.optional() });

/** Lists the followed calendars of a club, or of all clubs, with their questions. */
export function listFollowed(
  { user }: z.output<typeof FollowList>,
  tools: ActionTools,
): Promise<{ readonly calendars: readonly ListedCalendar[] }> {
  const { home } = tools;
  return withReader(home, (db) => {
    const known = { addresses: readAddresses(home), states: readFollowStates(home) };
    const userId = user === undefined ? undefined : requireUser(db, user);
    return { calendars: readCalendars(db, userId).map((one) => listOne(db, one, known, tools)) };
  });
}
