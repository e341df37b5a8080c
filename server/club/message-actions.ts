import { z } from 'zod';
import { type AnnouncedState, readAnnounced, storeAnnounced } from '../../db/announced-states.ts';
import { parseRevision } from '../../db/event-changes.ts';
import { eachEvent, prepareEventListReads } from '../../db/event-list.ts';
import { readChangesSince, readFirstBatch, readLastBatch } from '../../db/history.ts';
import type { StoredEvent } from '../../db/model.ts';
import { inSnapshot, type Reader, type Writer } from '../../db/open.ts';
import { Announced } from '../../db/stored-json.ts';
import { teamMatcher } from '../../db/team-filter.ts';
import { readTeams } from '../../db/teams.ts';
import { prepareUserReads } from '../../db/users.ts';
import { explain } from '../base/errors.ts';
import type { Day } from '../dates/days.ts';
import { dayMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import { listUnannounced, type UnannouncedChange } from '../event/announced.ts';
import { linkFor } from '../event/page-link.ts';
import type { Wording } from '../event/times.ts';
import { changesIn, listWeek, type Week } from '../event/week.ts';
import { writeChanges, writeWeek } from '../event/write-message.ts';
import type { ProblemCode } from '../messages/message.ts';
import { readPublishedFiles } from '../outside/live-files.ts';
import { withReader, withWriter } from '../store/store.ts';
import { readClubChanges } from './changes.ts';
import { requireTeam } from './team-actions.ts';
import { type ActionTools, isLanguageTag } from './tools.ts';
import { requireUser, UserName, zoneOfClub } from './user-actions.ts';

export const ReadAnnounced = z.strictObject({ user: UserName });

type AnnouncedReport = {
  readonly user: string;
  readonly announced: AnnouncedState;
  /** False before the first message: then `announced` is what members can be taken to know. */
  readonly isStored: boolean;
  /** False after a restore: members may have been announced more since `announced`. */
  readonly isCurrent: boolean;
  /** The place in the history that members know after a message now. */
  readonly now: Pick<AnnouncedState, 'epoch' | 'batch'>;
  /** The events that changed since, as members know them; null for one that they do not know. */
  readonly before: readonly { readonly id: number; readonly event: StoredEvent | null }[];
};

/** Days of the history that a first message can tell. */
const daysBeforeFirst = 14;

/**
 * Returns what members can be taken to know before the first message: everything that was there after
 * the first import, or two weeks ago. What was added within a day of that import belongs to it.
 */
function assumeAnnounced(db: Reader, userId: number, epoch: string, now: Date): AnnouncedState {
  const first = readFirstBatch(db, userId);
  const time = new Date(now.getTime() - daysBeforeFirst * dayMs).toISOString();
  const last = readLastBatch(db, userId, time);
  const none = { at: now.toISOString(), language: null, epoch, batch: 0, others: [] };
  if (first === undefined) return none;
  if (last !== undefined && last.id >= first.id) return { ...none, at: time, batch: last.id };
  const dayAfter = new Date(Date.parse(first.at) + dayMs).toISOString();
  const others = readChangesSince(db, userId, { batch: first.id })
    .filter(({ before, at }) => before === null && at <= dayAfter)
    .map(({ id, batch }) => ({ id, batch }));
  return { ...none, at: first.at, batch: first.id, others };
}

/** Returns the events that changed since members were told of them, as they were then. */
function eventsBefore(
  db: Reader,
  userId: number,
  announced: AnnouncedState,
  timeZone: string,
): AnnouncedReport['before'] {
  const places = new Map(announced.others.map(({ id, batch }) => [id, batch]));
  const from = announced.others.reduce(
    (least, { batch }) => Math.min(least, batch),
    announced.batch,
  );
  const before = new Map<number, StoredEvent | null>();
  for (const change of readClubChanges(db, userId, { batch: from }, timeZone)) {
    const { id, batch } = change;
    const isAnnounced = batch <= (places.get(id) ?? announced.batch);
    if (!isAnnounced && !before.has(id)) before.set(id, change.before);
  }
  return Array.from(before, ([id, event]) => ({ id, event }));
}

type ReadTools = Pick<ActionTools, 'home' | 'now' | 'systemTimeZone'>;

function readReport(db: Reader, user: string, tools: ReadTools): AnnouncedReport {
  const userId = requireUser(db, user);
  const { epoch = '' } = parseRevision(prepareEventListReads(db).state(userId).revision) ?? {};
  const stored = readAnnounced(db, userId);
  const announced = stored ?? assumeAnnounced(db, userId, epoch, tools.now());
  return {
    user,
    announced,
    isStored: stored !== undefined,
    isCurrent: announced.epoch === epoch,
    now: { epoch, batch: readLastBatch(db, userId)?.id ?? 0 },
    before: eventsBefore(db, userId, announced, zoneOfClub(db, userId, tools)),
  };
}

/** Returns what the members of a club were told, and what was different then. */
export function readAnnouncedState(
  { user }: z.output<typeof ReadAnnounced>,
  tools: ReadTools,
): Promise<AnnouncedReport> {
  return withReader(tools.home, (db) => inSnapshot(db, () => readReport(db, user, tools)));
}

export const StoreAnnounced = z.strictObject({ user: UserName, announced: Announced.nullable() });

/** Stores what the members of a club were told; null forgets it. */
export function storeAnnouncedState(
  { user, announced }: z.output<typeof StoreAnnounced>,
  tools: ActionTools,
): Promise<{ user: string }> {
  const store = (db: Writer) => {
    storeAnnounced(db, requireUser(db, user), announced ?? undefined);
    return { user };
  };
  return withWriter(tools.home, store, tools);
}

/** The longest time ahead that a message tells of, in days. */
const maxDays = 366;

const Days = z
  .int({ error: 'message_days_invalid' satisfies ProblemCode })
  .min(1, { error: 'message_days_invalid' satisfies ProblemCode })
  .max(maxDays, { error: 'message_days_invalid' satisfies ProblemCode });

const choice = {
  user: UserName,
  /** The name of a team; empty for all events. */
  team: z.string().default(''),
  /** Default: that of the last message, or English. */
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.').optional(),
};

export const WriteWeek = z.strictObject({ ...choice, days: Days.default(7) });

/** Without days, the changes of all events to come. */
export const WriteChanges = z.strictObject({ ...choice, days: Days.optional() });

/** A message for the members. Nothing is marked as told. */
type Letter = {
  readonly user: string;
  /** The language tag of the text. */
  readonly language: string;
  /** The days of the events, both inclusive; null for all that are to come. */
  readonly days: { readonly first: Day; readonly last: Day } | null;
  readonly text: string;
  /** The events that the text tells of, by date. */
  readonly events: readonly StoredEvent[];
  /** Ids of those that changed, of which nobody was told. */
  readonly changed: readonly number[];
  /** The number of changes of which the text does not tell. */
  readonly left: number;
  /** The address of the page for members at the end; null without one. */
  readonly link: string | null;
};

type LetterRequest = z.output<typeof WriteChanges>;

/** The state of a club from which a message is written. */
type LetterClub = {
  readonly week: Week;
  readonly changes: readonly UnannouncedChange[];
  readonly isChosen: (event: StoredEvent) => boolean;
  readonly wording: Wording;
  readonly names: Parameters<typeof writeWeek>[2];
};

/** Returns the address of the page for members of a club and a team; null without one. */
function findLink(db: Reader, userId: number, team: string, { home }: ReadTools): string | null {
  const club = prepareUserReads(db).uidBase(userId);
  const teams = new Map(readTeams(db, userId).map(({ id, name }) => [id, name]));
  const files = readPublishedFiles(home).filter((file) => file.club === club);
  const linked = files.map((file) => ({
    ...file,
    team: file.team === null ? null : (teams.get(file.team) ?? ''),
    isBroken: (file.addressCheck?.failure ?? null) !== null,
  }));
  return linkFor(linked, team);
}

/** Returns the zone of this computer; `otherwise` if it is not known. */
function zoneHere({ systemTimeZone }: ReadTools, otherwise: string): string {
  try {
    return systemTimeZone();
  } catch (error) {
    if (explain(error)?.code !== 'time_zone_unset') throw error;
    return otherwise;
  }
}

function readLetterClub(db: Reader, request: LetterRequest, tools: ReadTools): LetterClub {
  const { user, days = maxDays } = request;
  const userId = requireUser(db, user);
  const { before, announced } = readReport(db, user, tools);
  const clock = zoneNamed(zoneOfClub(db, userId, tools));
  const now = tools.now();
  const events = new Map(
    Array.from(eachEvent(db, userId), ({ sourceKey: _, ...event }) => [event.id, event]),
  );
  const changes = listUnannounced(clock, before, events, now);
  const team = request.team === '' ? undefined : requireTeam(db, userId, user, request.team);
  const isChosen = team === undefined ? () => true : teamMatcher(team);
  const tag = request.language ?? announced.language ?? 'en';
  const name = team?.name ?? '';
  return {
    week: listWeek(clock, events.values(), changes, { days, now, isChosen }),
    changes,
    isChosen,
    // English is British where nobody says otherwise, as in files.
    wording: { clock, tag: tag === 'en' ? 'en-GB' : tag, here: zoneHere(tools, clock.name) },
    names: { club: user, team: name, link: findLink(db, userId, name, tools) },
  };
}

const readClub = (request: LetterRequest, tools: ReadTools): Promise<LetterClub> =>
  withReader(tools.home, (db) => inSnapshot(db, () => readLetterClub(db, request, tools)));

function letterOf(
  { user }: LetterRequest,
  { wording, names, changes }: LetterClub,
  told: Pick<Letter, 'days' | 'text' | 'events' | 'changed'>,
): Letter {
  const left = changes.length - told.changed.length;
  return { user, language: wording.tag, ...told, left, link: names.link };
}

/** Writes what is on in the days ahead, as a text for members. */
export async function writeWeekMessage(
  request: z.output<typeof WriteWeek>,
  tools: ReadTools,
): Promise<Letter> {
  const club = await readClub(request, tools);
  const { week, wording, names } = club;
  return letterOf(request, club, {
    days: { first: week.first, last: week.last },
    text: writeWeek(wording, week, names),
    events: week.items.map(({ event }) => event),
    changed: changesIn(week.items).map(({ event }) => event.id),
  });
}

/** Writes the changes of which nobody was told, as a text for members. */
export async function writeChangesMessage(
  request: LetterRequest,
  tools: ReadTools,
): Promise<Letter> {
  const club = await readClub(request, tools);
  const { week, wording, names, isChosen } = club;
  const within = new Set(changesIn(week.items));
  const changes = club.changes.filter((change) =>
    request.days === undefined
      ? [change.event, change.before ?? change.event].some(isChosen)
      : within.has(change),
  );
  const { first, last } = week;
  return letterOf(request, club, {
    days: request.days === undefined ? null : { first, last },
    text: changes.length === 0 ? '' : writeChanges(wording, changes, { ...names, today: first }),
    events: changes.map(({ event }) => event),
    changed: changes.map(({ event }) => event.id),
  });
}
