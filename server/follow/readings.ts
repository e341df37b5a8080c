import { z } from 'zod';
import {
  addCalendar,
  type CalendarRules,
  changeCalendar,
  emptyMemory,
  type FollowedCalendar,
  findCalendar,
  type LookedEvent,
  readCalendarEvents,
  readCalendars,
  removeCalendar,
  writeCalendar,
} from '../../db/calendars.ts';
import { editEvents } from '../../db/event-edit.ts';
import { eventTypes } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, explain, type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { backUpBeforeLargeRemoval } from '../club/backup.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUnmirrored, requireUser, UserName } from '../club/user-actions.ts';
import { lastHoliday } from '../dates/days.ts';
import { minuteMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import type { MessageValues, ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store/store.ts';
import { parseWebUrl } from '../web/address.ts';
import {
  addressIn,
  type FollowFailure,
  type FollowState,
  newState,
  readAddresses,
  readFollowStates,
  stateOf,
  storeAddress,
  storeFollowState,
  withCalendars,
} from './addresses.ts';
import { type CalendarContents, findLink, type ReadingClock, readContents } from './contents.ts';
import {
  type Answer,
  type CalendarAddress,
  hostOf,
  parseCalendarAddress,
  placeOf,
  readAddress,
  readStoredAddress,
} from './download.ts';
import {
  type Club,
  clubOf,
  type ListedCalendar,
  listOne,
  readableAt,
  requireCalendar,
} from './listed.ts';
import { intervalOf, isDue, type Outcome, scheduleAfter } from './schedule.ts';
import { type Marks, missingAfter, type Update, updateEvents } from './update.ts';

const Text = z
  .string()
  .trim()
  .normalize('NFC')
  .max(1_000)
  .regex(/^\P{Cc}*$/u);
const Name = z
  .string()
  .trim()
  .normalize('NFC')
  .max(200)
  .regex(/^\P{Cc}+$/u);

/** A text before names; a blank at its end stays. */
const Prefix = z
  .string()
  .normalize('NFC')
  .max(200)
  .regex(/^\P{Cc}*$/u);

const ruleFields = {
  eventType: z.enum(eventTypes).nullable(),
  place: Text,
  prefix: Prefix,
  words: Text,
  without: Text,
};

/** The most events of a preview. */
const maxShown = 500;

/** An address of the web. The window asks before it is called, and gives files as tokens. */
export const Address = z
  .string()
  .refine((text) => parseWebUrl(text) !== null, 'follow_address_invalid' satisfies ProblemCode);

export const FollowAdd = z.strictObject({
  user: UserName,
  address: Address.optional(),
  /** A file or a folder in the place of an address. */
  file: z.string().min(1).optional(),
  name: Name.optional(),
  onlyLook: z.boolean().default(false),
  /** Its whole days are days off. */
  daysOff: z.boolean().default(false),
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

/** Returns the calendar of the club that has the address already. */
function findSame(
  { home }: ActionTools,
  { uidBase }: Club,
  calendars: readonly FollowedCalendar[],
  address: string,
): FollowedCalendar | undefined {
  const keyOf = (text: string) => {
    const url = parseWebUrl(text);
    // The same calendar is often at both, and a name and a password change nothing about it.
    return url === null ? text.trim() : url.host + url.pathname + url.search;
  };
  const addresses = readAddresses(home);
  return calendars.find((calendar) => {
    const stored = addressIn(addresses, calendar, uidBase);
    return stored !== undefined && keyOf(stored) === keyOf(address);
  });
}

type Read = { readonly contents: CalendarContents; readonly marks: Marks };
type Contents = Answer & { readonly kind: 'contents' };
/** Reads the contents of an answer. Throws the problem of what came, which is then no evidence. */
async function contentsOf(
  { bytes, marks }: Contents,
  place: string,
  rules: CalendarRules,
  clock: ReadingClock,
): Promise<Read> {
  const contents = await readContents(bytes, place, rules, clock);
  const { events, days, leftOut } = contents;
  if ((days ?? events).length + leftOut === 0) throw problem('follow_empty', { place });
  return { contents, marks };
}

/** Problems of a calendar that is followed, with those of one of which nothing is here yet. */
const firstCodes: Readonly<Partial<Record<string, ProblemCode>>> = {
  follow_login: 'follow_login_first',
  follow_pause: 'follow_pause_first',
};

/** Returns the problem of an address that a person enters. */
function asFirst(error: unknown): unknown {
  const failure = explain(error);
  const code = failure && firstCodes[failure.code];
  return code === undefined ? error : problem(code, failure?.values ?? {}, error);
}

/**
 * Reads whole contents for a person, without a condition. Throws a problem, which has the address of
 * the calendar that a page names.
 */
async function readWhole(
  address: CalendarAddress,
  rules: CalendarRules,
  clock: ReadingClock,
  tools: ActionTools,
): Promise<Read> {
  const place = placeOf(address);
  const answer = await readAddress(address, { memory: emptyMemory, schedule: newState }, tools);
  if (answer.kind === 'failure') throw asFirst(answer.failure);
  if (answer.kind === 'same') throw problem('follow_no_contents', { place });
  try {
    return await contentsOf(answer, place, rules, clock);
  } catch (error) {
    const page = Buffer.from(answer.bytes.subarray(0, 500_000)).toString('utf8');
    const isPage = explain(error)?.code === 'follow_page';
    const link = isPage && answer.url && findLink(page, answer.url);
    if (link) throw problem('follow_page_links', { place, link: link.href }, error);
    throw asFirst(error);
  }
}

/** Returns the name of a calendar without one: its host, with a number if another one has it. */
function nameByHost(host: string, calendars: readonly FollowedCalendar[]): string {
  const taken = new Set(calendars.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? host : `${host} (${number})`;
    if (!taken.has(name)) return name;
  }
}

function describe(
  { contents }: Read,
  { name, host, every }: { name: string; host: string; every: number },
  { user, timeZone, now }: { user: string; timeZone: string; now: Date },
): Found {
  const { events, days, leftOut, unreadable } = contents;
  const clock = zoneNamed(timeZone);
  const sorted = events
    .map(({ values }) => values)
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  const toCome = sorted.filter(({ date }) => Date.parse(date) >= now.getTime());
  const period =
    days ?? sorted.map(({ date }) => ({ first: clock.dayOf(date), last: clock.dayOf(date) }));
  return {
    user,
    name,
    host,
    events: period.length,
    leftOut,
    unreadable: unreadable.map((one) => one.name),
    first: period[0]?.first ?? null,
    last: lastHoliday(period) ?? null,
    everyMinutes: every / minuteMs,
    shown: (toCome.length > 0 ? toCome : sorted).slice(0, maxShown),
    timeZone,
  };
}

/** Returns a calendar whose events are not those of the club, with its contents. */
function withContents(
  calendar: FollowedCalendar,
  { contents, marks }: Read,
  timeZone: string,
): FollowedCalendar {
  const { events, days } = contents;
  const unreadable = contents.unreadable.map(({ name }) => name);
  const { takenOut } = calendar.memory;
  const memory = { ...emptyMemory, ...marks, zone: timeZone, unreadable, takenOut };
  const looked = days === null ? events.map(({ values }) => values) : null;
  return { ...calendar, memory, looked, days };
}

/** Applies contents to a stored calendar, as one sync. */
function store(
  db: Writer,
  calendar: FollowedCalendar,
  read: Read,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Update {
  if (calendar.rules.use !== 'events') {
    const next = withContents(calendar, read, timeZone);
    changeCalendar(db, next);
    return { added: 0, changed: 0, memory: next.memory };
  }
  requireUnmirrored(db, calendar.userId);
  const update = updateEvents(db, calendar, read, { clock: zoneNamed(timeZone), now });
  changeCalendar(db, { ...calendar, memory: update.memory });
  return update;
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
    club: before.club,
    failure:
      failure === undefined
        ? null
        : { code: code as ProblemCode, values: values as MessageValues, since },
  };
}

/** Stores the state of the requests for a calendar that was just read. */
function storeRead(
  home: Home,
  id: number,
  { uidBase: club }: Club,
  { address, asked }: { readonly address: CalendarAddress; readonly asked: number | undefined },
  now: Date,
): FollowState {
  const state = stateAfter({ ...newState, club }, { kind: 'good', asked }, undefined, address, now);
  storeFollowState(home, id, state);
  return state;
}

/** The text of an address for the file of addresses; that of a file is whole, for other folders. */
const storedText = (address: CalendarAddress, text: string) =>
  address.kind === 'path' ? address.path : text.trim();

/**
 * Checks that a club is still there, as a restore may have come while an address was asked. Throws
 * `follow_changed_meanwhile`.
 */
function requireClub(db: Writer, { userId, uidBase }: Club): void {
  if (prepareUserReads(db).idByUidBase(uidBase) === userId) return;
  throw problem('follow_changed_meanwhile');
}

/** Returns a calendar of a club as it is now. Throws `follow_changed_meanwhile`, or `follow_unknown`. */
function requireStill(db: Writer, id: number, club: Club): FollowedCalendar {
  requireClub(db, club);
  const calendar = requireCalendar(db, id);
  if (calendar.userId === club.userId) return calendar;
  throw problem('follow_changed_meanwhile');
}

/**
 * Follows a calendar: shows what it found and, without `dryRun`, stores its events, and those of later
 * readings. Throws a problem, and stores nothing, for an address that is no calendar, is empty or is
 * followed already.
 */
export async function addFollowed(
  {
    user,
    address: given,
    file,
    name,
    onlyLook,
    daysOff,
    dryRun,
    ...texts
  }: z.output<typeof FollowAdd>,
  tools: ActionTools,
): Promise<FollowAdded> {
  const use = daysOff ? 'daysOff' : onlyLook ? 'look' : 'events';
  const rules: CalendarRules = { use, ...texts };
  const text = given ?? file ?? '';
  const address = parseCalendarAddress(text);
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const { club, calendars } = await withReader(home, (db) => {
      const userId = requireUser(db, user);
      requireUnmirrored(db, userId);
      return { club: clubOf(db, userId, tools), calendars: readCalendars(db, userId) };
    });
    const same = findSame(tools, club, calendars, text);
    if (same) throw asUsage(problem('follow_already', { name: same.name, id: same.id }));
    const clock = { timeZone: club.timeZone, now: tools.now() };
    const read = await readWhole(address, rules, clock, tools);
    const { asked } = read.contents;
    const host = placeOf(address);
    const every = intervalOf(hostOf(address), asked);
    const ownName = name ?? read.contents.name ?? nameByHost(host, calendars);
    const found = describe(read, { name: ownName, host, every }, { user, ...clock });
    if (dryRun) return found;
    const add = (db: Writer) => {
      requireClub(db, club);
      requireUnmirrored(db, club.userId);
      const row = { userId: club.userId, name: found.name, host, rules, memory: emptyMemory };
      const calendar = { ...row, looked: null, days: null };
      const id = addCalendar(db, calendar);
      try {
        // First, so that a calendar whose addition was ended is read again.
        storeAddress(home, id, { address: storedText(address, text), club: club.uidBase });
        const { added, changed } = store(db, { ...calendar, id }, read, clock);
        storeRead(home, id, club, { address, asked }, clock.now);
        return { ...found, id, added, changed };
      } catch (error) {
        removeCalendar(db, id);
        storeAddress(home, id, undefined);
        throw error;
      }
    };
    return await withWriter(home, add, tools);
  });
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
  const club = await withReader(home, (db) => clubOf(db, userId, tools));
  const { uidBase, timeZone } = club;
  const text = addressIn(readAddresses(home), calendar, uidBase);
  const now = tools.now();
  if (text === undefined) {
    const failure = { code: 'follow_address_lost', values: {}, since: now.toISOString() } as const;
    return { ...none, failure };
  }
  if (memory.address !== undefined) {
    storeAddress(home, id, { address: text, club: uidBase });
    const { address: _, ...rest } = memory;
    await withWriter(home, (db) => changeCalendar(db, { ...calendar, memory: rest }), tools);
  }
  const address = readStoredAddress(text);
  const before = { ...stateOf(readFollowStates(home), id, uidBase), club: uidBase };
  const finish = (outcome: Outcome, failure?: Problem) => {
    const state = stateAfter(before, outcome, failure, address, now);
    storeFollowState(home, id, state);
    return state.failure;
  };
  // Times without a zone mean others in another zone, also in a calendar that has not changed.
  const isInZone = memory.zone === timeZone;
  const known = isInZone ? memory : { ...memory, etag: null, lastModified: null };
  const answer = await readAddress(address, { memory: known, schedule: before }, tools);
  if (answer.kind === 'failure') {
    return { ...none, failure: finish(answer.outcome, answer.failure) };
  }
  try {
    if (answer.kind === 'same') {
      const confirm = (db: Writer) =>
        confirmContents(db, requireStill(db, id, club), answer.marks, now);
      await withWriter(home, confirm, tools);
      return { ...none, failure: finish({ kind: 'good', asked: before.asked }) };
    }
    const clock = { timeZone, now };
    const read = await contentsOf(answer, host, rules, clock);
    const take = (db: Writer) => store(db, requireStill(db, id, club), read, clock);
    const { added, changed } = await withWriter(home, take, tools);
    const { asked } = read.contents;
    return { ...none, added, changed, failure: finish({ kind: 'good', asked }) };
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined || failure.code === 'cancelled') throw error;
    const outcome = failure.code === 'follow_pause' ? 'pause' : 'failed';
    return { ...none, failure: finish({ kind: outcome }, failure) };
  }
}

/** Notes that the last contents are good still: events that they lack are missing for longer. */
function confirmContents(db: Writer, calendar: FollowedCalendar, marks: Marks, now: Date): void {
  const { memory } = calendar;
  const ids = memory.missing.map(({ id }) => id);
  const missing = missingAfter(memory.missing, ids, now.getTime());
  const isAsked = missing.some((one, at) => one.isAsked !== memory.missing[at]?.isAsked);
  // Otherwise, nothing that anybody sees has changed.
  if (isAsked)
    changeCalendar(db, { ...calendar, memory: { ...memory, missing, asOf: marks.asOf } });
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

/**
 * Takes the events to come of a calendar out of its club, which only looks at them from now on; events
 * that were here before stay. It is one step with the new state of the calendar: taken out alone, the
 * events would seem to be removed by a person.
 */
function takeOut(
  db: Writer,
  { userId, memory, ...calendar }: FollowedCalendar,
  next: FollowedCalendar,
  tools: ActionTools,
): void {
  const now = tools.now().toISOString();
  const adopted = new Set(memory.adopted);
  const ids = readCalendarEvents(db, { ...calendar, userId }).filter((id) => !adopted.has(id));
  const total = prepareUserReads(db).countEvents(userId);
  backUpBeforeLargeRemoval({ removed: ids.length, total }, tools);
  editEvents(db, { userId, now }, (events) => {
    for (const id of ids) if ((events.read(id)?.date ?? now) > now) events.remove(id);
    writeCalendar(db, { ...next, memory: { ...next.memory, takenOut: events.batch() } });
  });
}

export const FollowChange = z
  .strictObject({
    ...{ address: Address, file: z.string().min(1), name: Name, ...ruleFields },
    /** True to take its events out of the club and only look at them, false to take them in again. */
    onlyLook: z.boolean(),
  })
  .partial()
  .extend({ id: z.int() });

/**
 * Changes a calendar, and reads it; what is left out stays. Another address must be that of the same
 * calendar. Throws a problem, and changes nothing, if it cannot be read.
 */
export async function changeFollowed(
  { id, address: url, file, name, onlyLook, ...changes }: z.output<typeof FollowChange>,
  tools: ActionTools,
): Promise<ListedCalendar> {
  if (url !== undefined && file !== undefined) throw asUsage(problem('follow_two_places'));
  const given = url ?? file;
  const parsed = given === undefined ? undefined : parseCalendarAddress(given);
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const { calendar, club } = await withReader(home, (db) => {
      const found = requireCalendar(db, id);
      requireUnmirrored(db, found.userId);
      return { calendar: found, club: clubOf(db, found.userId, tools) };
    });
    const text = given ?? addressIn(readAddresses(home), calendar, club.uidBase);
    if (text === undefined) throw problem('follow_address_lost');
    const address = parsed ?? readStoredAddress(text);
    const kept = Object.entries(changes).filter(([, value]) => value !== undefined);
    const { use } = calendar.rules;
    if (use === 'daysOff' && onlyLook !== undefined)
      throw asUsage(problem('follow_days_off', { name: calendar.name }));
    const rules: CalendarRules = {
      ...{ ...calendar.rules, ...Object.fromEntries(kept) },
      use: onlyLook === undefined ? use : onlyLook ? 'look' : 'events',
    };
    const clock = { timeZone: club.timeZone, now: tools.now() };
    const read = await readWhole(address, rules, clock, tools);
    const change = (db: Writer) => {
      const stored = requireStill(db, id, club);
      // A person's rules count at once: what they give again is not the old answer of a cache.
      const memory = { ...stored.memory, contents: [], waiting: null };
      const host = placeOf(address);
      const looked = rules.use === 'events' ? null : stored.looked;
      const next = { ...stored, name: name ?? stored.name, host, rules, memory, looked };
      if (stored.rules.use === 'events' && rules.use === 'look')
        takeOut(db, stored, withContents(next, read, clock.timeZone), tools);
      else store(db, next, read, clock);
      const { asked } = read.contents;
      storeAddress(home, id, { address: storedText(address, text), club: club.uidBase });
      const state = storeRead(home, id, club, { address, asked }, clock.now);
      const known = { addresses: readAddresses(home), states: { [id]: state } };
      return listOne(db, requireCalendar(db, id), known, tools);
    };
    return await withWriter(home, change, tools);
  });
}
