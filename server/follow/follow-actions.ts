import { z } from 'zod';
import {
  addCalendar,
  type CalendarMemory,
  type CalendarRules,
  changeCalendar,
  emptyMemory,
  type FollowedCalendar,
  findCalendar,
  type LookedEvent,
  readCalendarEvents,
  readCalendars,
  removeCalendar,
} from '../../db/calendars.ts';
import { noteSourceValue } from '../../db/event-edit.ts';
import { prepareEventReads } from '../../db/event-rows.ts';
import { eventTypes, type StoredEvent } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { readSettings } from '../../db/settings.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, explain, type Problem, problem } from '../base/errors.ts';
import { EventNumber, editAs, prepareCancel } from '../club/event-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUnmirrored, requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { formatsOf } from '../dates/formats.ts';
import { minuteMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import type { MessageValues, ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store/store.ts';
import { parseWebUrl } from '../web/address.ts';
import {
  type FollowFailure,
  type FollowState,
  findAddress,
  readFollowStates,
  stateOf,
  storeAddress,
  storeFollowState,
  withCalendars,
} from './addresses.ts';
import { type CalendarContents, type CalendarEvent, findLink, readContents } from './contents.ts';
import {
  type Answer,
  type CalendarAddress,
  hostOf,
  parseCalendarAddress,
  placeOf,
  readAddress,
} from './download.ts';
import {
  firstSchedule,
  intervalOf,
  isDue,
  nowEvery,
  type Outcome,
  scheduleAfter,
} from './schedule.ts';
import {
  areMany,
  digestOf,
  type Marks,
  missingAfter,
  type Update,
  updateEvents,
} from './update.ts';

const Text = z.string().trim().normalize('NFC').max(1_000);
const Name = z.string().trim().normalize('NFC').min(1).max(200);

/** A text before names; a blank at its end stays. */
const Prefix = z.string().normalize('NFC').max(200);

const ruleFields = {
  onlyLook: z.boolean(),
  eventType: z.enum(eventTypes).nullable(),
  place: Text,
  prefix: Prefix,
  words: Text,
  without: Text,
};

/** The most events of a preview. */
const maxShown = 500;

/** An address of the web. The window asks before it is called, and gives files as tokens. */
const Address = z
  .string()
  .refine((text) => parseWebUrl(text) !== null, 'follow_address_invalid' satisfies ProblemCode);

export const FollowAdd = z.strictObject({
  user: UserName,
  address: Address.optional(),
  /** A file or a folder in the place of an address. */
  file: z.string().min(1).optional(),
  name: Name.optional(),
  onlyLook: ruleFields.onlyLook.default(false),
  eventType: ruleFields.eventType.default(null),
  place: ruleFields.place.default(''),
  prefix: ruleFields.prefix.default(''),
  words: ruleFields.words.default(''),
  without: ruleFields.without.default(''),
  dryRun: z.boolean().default(false),
});

/** A calendar as it was found at an address. */
type Found = {
  readonly user: string;
  readonly name: string;
  readonly host: string;
  /** The number of its events, without those that the words leave out. */
  readonly events: number;
  readonly leftOut: number;
  readonly unreadable: readonly string[];
  /** The first and the last day; null without events. */
  readonly first: string | null;
  readonly last: string | null;
  /** The interval at which it will be read, in minutes. */
  readonly everyMinutes: number;
  /** The first events to come, by date. */
  readonly shown: readonly LookedEvent[];
  readonly timeZone: string;
};

export type FollowAdded = Found & {
  /** The number of the calendar; absent after a dry run. */
  readonly id?: number;
  readonly added?: number;
  readonly changed?: number;
};

type Club = { readonly userId: number; readonly uidBase: string; readonly timeZone: string };

function readClub(db: Reader, user: string, tools: ActionTools): Club {
  const userId = requireUser(db, user);
  requireUnmirrored(db, userId);
  const uidBase = prepareUserReads(db).uidBase(userId);
  return { userId, uidBase, timeZone: zoneOfClub(db, userId, tools) };
}

/** Returns the calendar of the club that has the address already. */
function findSame(
  { home }: ActionTools,
  { uidBase }: Club,
  calendars: readonly FollowedCalendar[],
  address: string,
): FollowedCalendar | undefined {
  const keyOf = (text: string) => text.trim().replace(/^webcals?:/i, 'https:');
  return calendars.find(({ id }) => {
    const stored = findAddress(home, id, uidBase);
    return stored !== undefined && keyOf(stored) === keyOf(address);
  });
}

type Read = {
  readonly contents: CalendarContents;
  readonly marks: Marks;
};

/** Returns an address as it is stored: that of a file is whole, for programs in other folders. */
const textOf = (address: CalendarAddress, text: string): string =>
  address.kind === 'path' ? address.path : text.trim();

type Contents = Answer & { readonly kind: 'contents' };

/** Reads the contents of an answer. Throws the problem of what came, which is then no evidence. */
async function contentsOf(
  { bytes, marks }: Contents,
  place: string,
  rules: CalendarRules,
  clock: { readonly timeZone: string; readonly now: Date },
): Promise<Read> {
  return { contents: await readContents(bytes, place, rules, clock), marks };
}

/** Does the same for a person, who gets the address of the calendar that a page names. */
async function contentsFor(
  answer: Contents,
  place: string,
  rules: CalendarRules,
  clock: { readonly timeZone: string; readonly now: Date },
): Promise<Read> {
  try {
    return await contentsOf(answer, place, rules, clock);
  } catch (error) {
    const page = Buffer.from(answer.bytes.subarray(0, 500_000)).toString('utf8');
    const isPage = explain(error)?.code === 'follow_page';
    const link = isPage && answer.url && findLink(page, answer.url);
    if (link) throw problem('follow_page_links', { place, link: link.href }, error);
    throw error;
  }
}

function describe(
  { contents }: Read,
  { name, host, every }: { name: string | undefined; host: string; every: number },
  { user, timeZone, now }: { user: string; timeZone: string; now: Date },
): Found {
  const { events, leftOut, unreadable } = contents;
  const clock = zoneNamed(timeZone);
  const sorted = events
    .map(({ values }) => values)
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  const toCome = sorted.filter(({ date }) => Date.parse(date) >= now.getTime());
  const dayOf = (event: CalendarEvent['values'] | undefined) =>
    event ? clock.dayOf(event.date) : null;
  return {
    user,
    name: name ?? contents.name ?? host,
    host,
    events: events.length,
    leftOut,
    unreadable: unreadable.map((one) => one.name),
    first: dayOf(sorted[0]),
    last: dayOf(sorted.at(-1)),
    everyMinutes: every / minuteMs,
    shown: (toCome.length > 0 ? toCome : sorted).slice(0, maxShown),
    timeZone,
  };
}

const lookedOf = ({ contents }: Read): LookedEvent[] => contents.events.map(({ values }) => values);

/** Applies contents to a stored calendar, as one sync. */
function store(
  db: Writer,
  calendar: FollowedCalendar,
  read: Read,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Update {
  if (calendar.rules.onlyLook) {
    const contents = [digestOf(read.contents.events)];
    const unreadable = read.contents.unreadable.map(({ name }) => name);
    const modifiedAt = read.contents.modifiedAt ?? null;
    const memory = { ...emptyMemory, ...read.marks, modifiedAt, contents, unreadable };
    changeCalendar(db, { ...calendar, memory, looked: lookedOf(read) });
    return { added: 0, changed: 0, memory };
  }
  requireUnmirrored(db, calendar.userId);
  const update = updateEvents(db, calendar, read, { clock: zoneNamed(timeZone), now });
  changeCalendar(db, { ...calendar, memory: update.memory, looked: null });
  return update;
}

/**
 * Follows a calendar: shows what it found and, without `dryRun`, stores its events, and those of later
 * readings. Throws a problem, and stores nothing, for an address that is no calendar, is empty or is
 * followed already.
 */
export async function addFollowed(
  { user, address: given, file, name, dryRun, ...rules }: z.output<typeof FollowAdd>,
  tools: ActionTools,
): Promise<FollowAdded> {
  const text = given ?? file ?? '';
  const address = parseCalendarAddress(text);
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const { club, calendars } = await withReader(home, (db) => {
      const found = readClub(db, user, tools);
      return { club: found, calendars: readCalendars(db, found.userId) };
    });
    const same = findSame(tools, club, calendars, text);
    if (same) throw asUsage(problem('follow_already', { name: same.name, id: same.id }));
    const now = tools.now();
    const first = { memory: emptyMemory, schedule: firstSchedule };
    const answer = await readAddress(address, first, tools);
    if (answer.kind === 'failure') throw answer.failure;
    if (answer.kind === 'same') throw problem('follow_no_contents', { place: placeOf(address) });
    const host = placeOf(address);
    const clock = { timeZone: club.timeZone, now };
    const read = await contentsFor(answer, host, rules, clock);
    const { contents } = read;
    if (contents.events.length + contents.leftOut === 0)
      throw problem('follow_empty', { place: host });
    const every = intervalOf(hostOf(address), contents.asked);
    const found = describe(read, { name, host, every }, { user, ...clock });
    if (dryRun) return found;
    return await withWriter(
      home,
      (db) => {
        requireUnmirrored(db, club.userId);
        const row = { userId: club.userId, name: found.name, host, rules, memory: emptyMemory };
        const id = addCalendar(db, { ...row, looked: rules.onlyLook ? [] : null });
        try {
          storeAddress(home, id, { address: textOf(address, text), club: club.uidBase });
          const { added, changed } = store(db, { ...row, id, looked: null }, read, clock);
          storeFollowState(
            home,
            id,
            stateAfter(
              stateOf({}, id),
              { kind: 'good', asked: contents.asked },
              undefined,
              address,
              now,
            ),
          );
          return { ...found, id, added, changed };
        } catch (error) {
          removeCalendar(db, id);
          storeAddress(home, id, undefined);
          throw error;
        }
      },
      tools,
    );
  });
}

/** Returns the state of a calendar after a request. */
function stateAfter(
  before: FollowState,
  outcome: Outcome,
  failure: Problem | undefined,
  address: CalendarAddress,
  now: Date,
): FollowState {
  const schedule = scheduleAfter(before, outcome, { host: hostOf(address), now: now.getTime() });
  const { code, values } = failure ?? {};
  const since = before.failure?.since ?? now.toISOString();
  return {
    ...schedule,
    failure:
      failure === undefined
        ? null
        : { code: code as ProblemCode, values: values as MessageValues, since },
  };
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
  readonly events: number;
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

function listOne(
  db: Reader,
  calendar: FollowedCalendar,
  states: ReturnType<typeof readFollowStates>,
  tools: ActionTools,
): ListedCalendar {
  const { id, userId, name, host, rules, memory, looked } = calendar;
  const users = prepareUserReads(db);
  const state = stateOf(states, id);
  const hasAddress = findAddress(tools.home, id, users.uidBase(userId)) !== undefined;
  const lost: FollowFailure = {
    code: 'follow_address_lost',
    values: {},
    since: tools.now().toISOString(),
  };
  const failure = hasAddress ? state.failure : lost;
  const reads = prepareEventReads(db);
  const read = (event: number) => reads.byId(userId, event);
  const missing = memory.missing.flatMap(({ id: event, since, isAsked }): MissingQuestion[] => {
    const found = isAsked ? read(event) : undefined;
    if (found === undefined || found.status === 'cancelled') return [];
    return [
      {
        id: event,
        name: found.name,
        date: found.date,
        location: found.location,
        since: new Date(since).toISOString(),
      },
    ];
  });
  const values = memory.conflicts.flatMap(
    ({ id: event, field, theirs, since }): ValueQuestion[] => {
      const found = read(event);
      if (found === undefined) return [];
      const here = found[field] ?? null;
      return [
        {
          id: event,
          name: found.name,
          date: found.date,
          field,
          here,
          theirs,
          since: new Date(since).toISOString(),
        },
      ];
    },
  );
  const events = looked?.length ?? readCalendarEvents(db, calendar).length;
  const isAsking = missing.length + values.length > 0;
  const isWaiting = failure !== null && waiting.has(failure.code);
  return {
    ...{ id, user: readSettings(db, userId).name, name, host, rules, events },
    state: failure !== null ? (isWaiting ? 'waits' : 'trouble') : isAsking ? 'asks' : 'current',
    goodAt: timeOf(state.goodAt),
    nextAt: hasAddress ? timeOf(state.nextAt) : null,
    readableAt: timeOf(readableAt(state, tools.now().getTime())),
    failure,
    missing,
    isMany: areMany(missing.length, events),
    values,
    unreadable: memory.unreadable,
    timeZone: zoneOfClub(db, userId, tools),
  };
}

export const FollowList = z.strictObject({ user: UserName.optional() });

type Listed = { readonly calendars: readonly ListedCalendar[] };

/** Lists the followed calendars of a club, or of all clubs, with their questions. */
export function listFollowed(
  { user }: z.output<typeof FollowList>,
  tools: ActionTools,
): Promise<Listed> {
  const states = readFollowStates(tools.home);
  return withReader(tools.home, (db) => {
    const userId = user === undefined ? undefined : requireUser(db, user);
    const calendars = readCalendars(db, userId).map((one) => listOne(db, one, states, tools));
    return { calendars };
  });
}

/** Returns a calendar. Throws `follow_unknown`. */
function requireCalendar(db: Reader, id: number): FollowedCalendar {
  const found = findCalendar(db, id);
  if (found === undefined) throw problem('follow_unknown', { id });
  return found;
}

export const FollowNow = z.strictObject({ id: z.int().optional() });
export const FollowTick = z.strictObject({
  id: z.int(),
  /** True after sleep, or in another network. */
  isWake: z.boolean().default(false),
});

type Reading = {
  readonly id: number;
  readonly name: string;
  readonly added: number;
  readonly changed: number;
  readonly failure: FollowFailure | null;
};

/** Reads a calendar again, and stores what came of it. Call it under the lock. */
async function readAgain(calendar: FollowedCalendar, tools: ActionTools): Promise<Reading> {
  const { home } = tools;
  const { id, userId, name, host, rules, memory } = calendar;
  const none = { id, name, added: 0, changed: 0 };
  const { uidBase, timeZone } = await withReader(home, (db) => ({
    uidBase: prepareUserReads(db).uidBase(userId),
    timeZone: zoneOfClub(db, userId, tools),
  }));
  const text = findAddress(home, id, uidBase);
  const now = tools.now();
  if (text === undefined) {
    const failure = { code: 'follow_address_lost', values: {}, since: now.toISOString() } as const;
    return { ...none, failure };
  }
  const address = parseCalendarAddress(text);
  const before = stateOf(readFollowStates(home), id);
  const finish = (outcome: Outcome, failure?: Problem) => {
    const state = stateAfter(before, outcome, failure, address, now);
    storeFollowState(home, id, state);
    return state.failure;
  };
  const answer = await readAddress(address, { memory, schedule: before }, tools);
  if (answer.kind === 'failure')
    return { ...none, failure: finish(answer.outcome, answer.failure) };
  try {
    if (answer.kind === 'same') {
      await withWriter(home, (db) => confirm(db, calendar, answer.marks, now), tools);
      return { ...none, failure: finish({ kind: 'good', asked: before.asked }) };
    }
    const read = await contentsOf(answer, host, rules, { timeZone, now });
    const { events, leftOut } = read.contents;
    if (events.length + leftOut === 0) throw problem('follow_empty', { place: host });
    const { added, changed } = await withWriter(
      home,
      (db) => store(db, requireCalendar(db, id), read, { timeZone, now }),
      tools,
    );
    return {
      ...none,
      added,
      changed,
      failure: finish({ kind: 'good', asked: read.contents.asked }),
    };
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined || failure.code === 'cancelled') throw error;
    const outcome = failure.code === 'follow_pause' ? 'pause' : 'failed';
    return { ...none, failure: finish({ kind: outcome }, failure) };
  }
}

/** Notes that the last contents are good still: events that they lack are missing for longer. */
function confirm(db: Writer, calendar: FollowedCalendar, marks: Marks, now: Date): void {
  const { memory } = calendar;
  const ids = memory.missing.map(({ id }) => id);
  const missing = missingAfter(memory.missing, ids, now.getTime());
  const isAsked = missing.some((one, at) => one.isAsked !== memory.missing[at]?.isAsked);
  // Otherwise, nothing that anybody sees has changed.
  if (isAsked)
    changeCalendar(db, { ...calendar, memory: { ...memory, missing, asOf: marks.asOf } });
}

/** Returns the time from which a person can have a calendar read; null for now. */
function readableAt({ triedAt, nextAt, failure }: FollowState, now: number): number | null {
  // A pause that the service asked for holds for a person, too.
  if (failure?.code === 'follow_pause' && nextAt > now) return nextAt;
  const from = triedAt === null ? now : triedAt + nowEvery;
  // A last request in the future was made by a clock that was ahead.
  return from > now && from <= now + nowEvery ? from : null;
}

/** Reads calendars now, each at most every ten minutes. Throws `follow_too_soon` for the one that was chosen. */
export async function readNow(
  { id }: z.output<typeof FollowNow>,
  tools: ActionTools,
): Promise<{ readonly calendars: readonly Reading[] }> {
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const found = await withReader(home, (db) =>
      id === undefined ? readCalendars(db) : [requireCalendar(db, id)],
    );
    const states = readFollowStates(home);
    const now = tools.now().getTime();
    const calendars: Reading[] = [];
    for (const calendar of found) {
      const from = readableAt(stateOf(states, calendar.id), now);
      if (from === null) calendars.push(await readAgain(calendar, tools));
      else if (id !== undefined) {
        const count = Math.max(1, Math.ceil((from - now) / minuteMs));
        throw problem('follow_too_soon', { name: calendar.name, count });
      }
    }
    return { calendars };
  });
}

/** Reads a calendar that is due. */
export async function tickFollowed(
  { id, isWake }: z.output<typeof FollowTick>,
  tools: ActionTools,
): Promise<{ readonly read: number }> {
  return await withCalendars(tools, async () => {
    const calendar = await withReader(tools.home, (db) => findCalendar(db, id));
    const state = stateOf(readFollowStates(tools.home), id);
    const isLate = isWake || isDue(state, tools.now().getTime());
    if (calendar === undefined || !isLate) return { read: 0 };
    await readAgain(calendar, tools);
    return { read: 1 };
  });
}

export const FollowChange = z.strictObject({
  id: z.int(),
  address: Address.optional(),
  file: z.string().min(1).optional(),
  name: Name.optional(),
  eventType: ruleFields.eventType.optional(),
  place: ruleFields.place.optional(),
  prefix: ruleFields.prefix.optional(),
  words: ruleFields.words.optional(),
  without: ruleFields.without.optional(),
});

/**
 * Changes a calendar, and reads it; what is left out stays. Another address must be that of the same
 * calendar. Throws a problem, and changes nothing, if it cannot be read.
 */
export async function changeFollowed(
  { id, address: url, file, name, ...changes }: z.output<typeof FollowChange>,
  tools: ActionTools,
): Promise<ListedCalendar> {
  const given = url ?? file;
  const address = given === undefined ? undefined : parseCalendarAddress(given);
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const { calendar, uidBase, timeZone } = await withReader(home, (db) => {
      const found = requireCalendar(db, id);
      requireUnmirrored(db, found.userId);
      return {
        calendar: found,
        uidBase: prepareUserReads(db).uidBase(found.userId),
        timeZone: zoneOfClub(db, found.userId, tools),
      };
    });
    const text = given?.trim() ?? findAddress(home, id, uidBase);
    if (text === undefined) throw problem('follow_address_lost');
    const used = address ?? parseCalendarAddress(text);
    const kept = Object.entries(changes).filter(([, value]) => value !== undefined);
    const rules: CalendarRules = { ...calendar.rules, ...Object.fromEntries(kept) };
    const now = tools.now();
    // Whole contents: other rules need all of them.
    const before = { memory: emptyMemory, schedule: firstSchedule };
    const answer = await readAddress(used, before, tools);
    if (answer.kind === 'failure') throw answer.failure;
    if (answer.kind === 'same') throw problem('follow_no_contents', { place: calendar.host });
    const host = placeOf(used);
    const read = await contentsFor(answer, host, rules, { timeZone, now });
    const { events, leftOut, asked } = read.contents;
    if (events.length + leftOut === 0) throw problem('follow_empty', { place: host });
    return await withWriter(
      home,
      (db) => {
        const stored = requireCalendar(db, id);
        const next = { ...stored, name: name ?? stored.name, host, rules };
        store(db, next, read, { timeZone, now });
        storeAddress(home, id, { address: textOf(used, text), club: uidBase });
        const good = { kind: 'good', asked } as const;
        const state = stateAfter(stateOf({}, id), good, undefined, used, now);
        storeFollowState(home, id, state);
        return listOne(db, requireCalendar(db, id), { [id]: state }, tools);
      },
      tools,
    );
  });
}

export const FollowAnswer = z.strictObject({
  id: z.int(),
  /** Events that take place no more. */
  cancel: z.array(EventNumber).default([]),
  /** Events that take place all the same, or values as they are here. */
  keep: z.array(EventNumber).default([]),
  /** Events that get the values of the calendar. */
  take: z.array(EventNumber).default([]),
});

type Answered = {
  readonly user: string;
  readonly cancelled: number;
  readonly kept: number;
  readonly taken: number;
  readonly batch?: number;
};

/**
 * Answers the questions of a calendar about events, as one change with one undo. Throws
 * `follow_no_question` for an event without one.
 */
export async function answerFollowed(
  { id, cancel, keep, take }: z.output<typeof FollowAnswer>,
  tools: ActionTools,
): Promise<Answered> {
  if (cancel.length + keep.length + take.length === 0) throw asUsage(problem('follow_answer_none'));
  return await withCalendars(tools, async () => {
    const { calendar, user, timeZone } = await withReader(tools.home, (db) => {
      const found = requireCalendar(db, id);
      const { name } = readSettings(db, found.userId);
      return { calendar: found, user: name, timeZone: zoneOfClub(db, found.userId, tools) };
    });
    const { memory } = calendar;
    const missing = new Map(
      memory.missing.filter(({ isAsked }) => isAsked).map((one) => [one.id, one]),
    );
    const conflicts = Map.groupBy(memory.conflicts, (one) => one.id);
    for (const event of [...cancel, ...keep, ...take]) {
      const isOfValues = conflicts.has(event) && !cancel.includes(event);
      const isOfEvent = missing.has(event) && !take.includes(event);
      if (!isOfValues && !isOfEvent)
        throw problem('follow_no_question', { event, name: calendar.name });
    }
    const formats = formatsOf(zoneNamed(timeZone), 'en-GB');
    const result = await editAs({ user }, tools, (clock) => {
      const cancels = cancel.map((event) => {
        const since = new Date(missing.get(event)?.since ?? 0).toISOString();
        const day = formats.at('dayInYear', since);
        return prepareCancel({ id: event, reason: `No longer in the calendar since ${day}` })(
          clock,
        );
      });
      return (events) => {
        for (const cancelOne of cancels) cancelOne(events);
        for (const event of take) {
          for (const { field, theirs } of conflicts.get(event) ?? []) {
            const value = field === 'registrationOpen' ? theirs === 1 : theirs;
            events.change(event, { [field]: value });
          }
        }
        return { cancelled: cancel.length, kept: keep.length, taken: take.length };
      };
    });
    const answered = new Set([...cancel, ...keep, ...take]);
    const next: CalendarMemory = {
      ...memory,
      missing: memory.missing.filter((one) => !answered.has(one.id)),
      kept: [...new Set([...memory.kept, ...keep.filter((event) => missing.has(event))])],
      cancelled: [...memory.cancelled.filter((one) => !answered.has(one)), ...cancel],
      conflicts: memory.conflicts.filter((one) => !answered.has(one.id)),
    };
    const remember = (db: Writer) => {
      for (const one of keep.flatMap((event) => conflicts.get(event) ?? [])) {
        noteSourceValue(db, calendar.userId, { ...one, value: one.theirs });
      }
      changeCalendar(db, { ...requireCalendar(db, id), memory: next });
    };
    await withWriter(tools.home, remember, tools);
    const { cancelled, kept, taken, batch } = result;
    return { user, cancelled, kept, taken, ...(batch !== undefined && { batch }) };
  });
}

export const FollowRemove = z.strictObject({
  id: z.int(),
  /** `keep`: its events stay, as the club's own. `remove`: those to come go, and past ones stay. */
  events: z.enum(['keep', 'remove']).optional(),
});

type Removed = {
  readonly user: string;
  readonly name: string;
  readonly removed: number;
  readonly kept: number;
  readonly batch?: number;
};

/** Stops to follow a calendar. Throws `follow_events_choice` without an answer about its events. */
export async function removeFollowed(
  { id, events: choice }: z.output<typeof FollowRemove>,
  tools: ActionTools,
): Promise<Removed> {
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const now = tools.now().toISOString();
    const { calendar, user, ids } = await withReader(home, (db) => {
      const found = requireCalendar(db, id);
      const all = found.looked === null ? readCalendarEvents(db, found) : [];
      const { name } = readSettings(db, found.userId);
      return { calendar: found, user: name, ids: all };
    });
    if (choice === undefined && ids.length > 0) {
      throw asUsage(problem('follow_events_choice', { name: calendar.name, count: ids.length }));
    }
    const isRemoving = choice === 'remove' && ids.length > 0;
    const remove = () =>
      editAs(
        { user },
        tools,
        () => (events) => {
          const toCome = ids.filter((event) => (events.read(event)?.date ?? now) > now);
          for (const event of toCome) events.remove(event);
          return { removed: toCome.length };
        },
        ids.length,
      );
    const { removed, batch } = isRemoving ? await remove() : { removed: 0, batch: undefined };
    await withWriter(home, (db) => removeCalendar(db, id), tools);
    storeAddress(home, id, undefined);
    storeFollowState(home, id, undefined);
    const kept = ids.length - removed;
    return { user, name: calendar.name, removed, kept, ...(batch !== undefined && { batch }) };
  });
}
