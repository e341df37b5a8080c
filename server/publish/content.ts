import { isDamaged } from '../../db/check.ts';
import { mapNumbers } from '../../db/club-settings.ts';
import { readDaysOff } from '../../db/days-off.ts';
import {
  afterEveryDate,
  beforeEveryDate,
  type EventQuery,
  prepareEventListReads,
  type SourcedEvent,
} from '../../db/event-list.ts';
import { wordsOf } from '../../db/fold.ts';
import { findSource } from '../../db/mirror.ts';
import { prepareMirrorReads } from '../../db/mirror-view.ts';
import { inSnapshot, type Reader, StoreError } from '../../db/open.ts';
import { countAnswers, readAnswers } from '../../db/proposals.ts';
import { readSettings } from '../../db/settings.ts';
import type { Team } from '../../db/team-filter.ts';
import { readTeams } from '../../db/teams.ts';
import { prepareUserReads } from '../../db/users.ts';
import { explain, problem } from '../base/errors.ts';
import { readClubChanges, readEventChanges } from '../club/changes.ts';
import type { ActionTools } from '../club/tools.ts';
import { zoneOfClub } from '../club/user-actions.ts';
import { type CopyFacts, writeCopy } from '../copy/club-copy.ts';
import { readCopyFacts } from '../copy/facts.ts';
import { seasonBefore, seasonOf } from '../dates/days.ts';
import { hourMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import { localOptions } from '../export/export.ts';
import { writeHtml } from '../export/html.ts';
import { type MembersForm, writeIcs } from '../export/ics.ts';
import { createMembersForm } from '../export/members.ts';
import type { LiveAddresses } from '../export/members-side.ts';
import {
  type Changes,
  type PublishedFile,
  readChanges,
  readContents,
  readPublishedFiles,
  type Written,
} from '../outside/live-files.ts';
import { digestOfBytes } from '../outside/targets.ts';
import { withReader } from '../store/store.ts';
import { addFarewell } from './farewell.ts';
import { findCancellations, findMemory, findNews, newsSince } from './news.ts';

/** The choice of events of a file. */
export type Filter = Pick<PublishedFile, 'search' | 'types' | 'drafts' | 'team' | 'since'>;

/** The club of a file as it is now. */
type Club = {
  readonly userId: number;
  readonly name: string;
  readonly zone: string;
  /** Minutes that an event without an end lasts. */
  readonly usualLength: number;
  /** Changes with the events and the settings of the club on which a file depends. */
  readonly revision: string;
};

/** Finds a club by its UIDs. Throws `publish_club_gone`. */
export function readClub(db: Reader, uidBase: string, tools: ActionTools): Club {
  const users = prepareUserReads(db);
  const user = users.all().find(({ id }) => users.uidBase(id) === uidBase);
  if (user === undefined) throw problem('publish_club_gone');
  const zone = zoneOfClub(db, user.id, tools);
  const { revision } = prepareEventListReads(db).state(user.id);
  // A refusal changes the file, but no event.
  const answers = countAnswers(db, user.id);
  const daysOff = readDaysOff(db, user.id);
  // A copy of a file says another time when the file does.
  const time =
    findSource(db, user.id)?.kind === 'file' && prepareMirrorReads(db).ofUser(user.id)?.listedAt;
  // In this order, as files of earlier versions have it: an upgrade makes none of them out of date.
  const { usualLength, ...others } = mapNumbers((name) => user[name]);
  const facts = JSON.stringify([...Object.values(others), daysOff, time]);
  const digest = digestOfBytes(Buffer.from(facts)).slice(0, 16);
  return {
    userId: user.id,
    name: user.name,
    zone,
    usualLength,
    revision: [
      ...[revision, zone, usualLength, digest, user.name],
      ...(answers > 0 ? [answers] : []),
    ].join(' '),
  };
}

/** Returns true for a file that leaves out events of its club, or will when it gets some. */
function isPart(file: Filter): boolean {
  return isChosen(file) || !file.drafts || file.since !== 'all';
}

/** Returns a team by its number. Throws `publish_team_gone`. */
function requireTeamOf(db: Reader, userId: number, id: number): Team {
  const team = readTeams(db, userId).find((one) => one.id === id);
  if (team !== undefined) return team;
  throw problem('publish_team_gone');
}

/**
 * Returns the first time of the events of a file. `season` is the season before the present one: what
 * members may still look up, and not so much that a calendar program stops reading.
 */
function firstTime(db: Reader, userId: number, since: Filter['since'], tools: ActionTools): string {
  if (since === 'all') return beforeEveryDate;
  const clock = zoneNamed(zoneOfClub(db, userId, tools));
  if (since !== 'season') return clock.startOf(since);
  const { seasonStart } = readSettings(db, userId);
  const present = seasonOf(clock.dayOf(tools.now()), seasonStart);
  return clock.startOf(seasonBefore(present, seasonStart).first);
}

/** Number of events that are read at a time. */
const pageLength = 1_000;

/**
 * Reads the events of a file, soonest first, or in the order of the service for a copy. Throws
 * `publish_team_gone` for a team that is not there any more.
 */
export function readEvents(
  db: Reader,
  userId: number,
  file: Filter,
  isCopy: boolean,
  tools: ActionTools,
): SourcedEvent[] {
  const lists = prepareEventListReads(db);
  const events: SourcedEvent[] = [];
  const query: EventQuery = {
    statuses: file.drafts ? null : ['active', 'completed', 'cancelled'],
    eventTypes: file.types.length === 0 ? null : file.types,
    from: firstTime(db, userId, file.since, tools),
    to: afterEveryDate,
    words: wordsOf(file.search),
    team: file.team === null ? null : requireTeamOf(db, userId, file.team),
    sort: isCopy ? 'createdAt' : 'date',
    descending: isCopy,
    limit: pageLength,
  };
  for (let after: EventQuery['after'] | null; after !== null; ) {
    const page = lists.page(userId, after === undefined ? query : { ...query, after });
    events.push(...lists.withSourceKeys(userId, page.events));
    after = page.next ?? null;
  }
  return events;
}

/** Seconds since 1970. */
const secondsOf = (date: Date) => Math.floor(date.getTime() / 1_000);

/**
 * Returns the time of the last change of each event, or of what members see instead of its values: that
 * of the writing which first has it.
 */
function dateChanges(
  events: readonly SourcedEvent[],
  forMembers: (event: SourcedEvent) => MembersForm,
  known: Changes,
  now: Date,
): Changes {
  const changes = events.map((event): [string, [string, number]] => {
    const { isOff, ...shown } = forMembers(event);
    const isSame = shown.name === event.name && shown.description === event.description;
    const text = JSON.stringify(isSame ? event : { ...event, shown });
    const digest = digestOfBytes(Buffer.from(text)).slice(0, 16);
    const [before, changedAt = 0] = known[event.id] ?? [];
    // A clock that was set back must not lower a time that a program has seen.
    const at = before === digest ? changedAt : Math.max(secondsOf(now), changedAt + 1);
    return [String(event.id), [digest, at]];
  });
  return Object.fromEntries(changes);
}

export type Content = Pick<Written, 'revision' | 'asOf' | 'events'> & {
  readonly bytes: Uint8Array;
  /** The changes of the events in a calendar. */
  readonly changes: Changes;
};

/** Hours after which a file names a new time, so that readers know that it is not old. */
const asOfHours = 20;

/** Returns the time that a file names: it stays while the club does, so that the file does too. */
function asOfFile({ asOf, revision }: Written, now: Date, current: string): Date {
  const before = new Date(asOf ?? 0);
  const isFresh = Math.abs(now.getTime() - before.getTime()) < asOfHours * hourMs;
  return isFresh && revision === current ? before : now;
}

/** Returns true for a file whose choice leaves out events of any time: then a team may have others. */
const isChosen = ({ search, types, team }: Filter): boolean =>
  wordsOf(search).length > 0 || types.length > 0 || team !== null;

/**
 * Returns the addresses for a page: its own, that of the calendar that has its events, else of one that
 * has all, and those of the calendars of the teams.
 */
function liveOf(page: PublishedFile, { home }: ActionTools): LiveAddresses {
  const { club, search, types, team, address } = page;
  const calendars = readPublishedFiles(home).filter(
    (file) => file.club === club && file.format === 'ics' && file.address !== null,
  );
  const same = calendars.find(
    (file) => file.search === search && file.types.join() === types.join() && file.team === team,
  );
  const all = calendars.find((file) => !isChosen(file));
  const ofTeams = calendars.filter((file) => isChosen(file) && !isChosen({ ...file, team: null }));
  return {
    page: address,
    calendar: (same ?? all)?.address ?? null,
    teamCalendars: new Map(ofTeams.map((file) => [file.team ?? 0, file.address ?? ''])),
  };
}

/** Reads the news of the events of a file, with how often those that moved did so before. */
function readNews(
  db: Reader,
  userId: number,
  events: readonly SourcedEvent[],
  asOf: Date,
  timeZone: string,
) {
  const history = readClubChanges(db, userId, { time: newsSince(asOf) }, timeZone);
  const clock = zoneNamed(timeZone);
  const news = [...findNews(events, history, asOf, clock)].map(([id, one]) => {
    if (one.before === null) return [id, one] as const;
    const memory = findMemory(readEventChanges(db, userId, id, timeZone), clock);
    return [id, { ...one, memory }] as const;
  });
  return { news: new Map(news), cancellations: findCancellations(events, history, asOf) };
}

/**
 * Composes a file from the events of one moment, or its last word. Throws `publish_club_gone` for a
 * calendar, which has no place for one.
 */
export async function composeContent(file: PublishedFile, tools: ActionTools): Promise<Content> {
  if (file.farewell !== null) return await composeFarewell(file, file.farewell, tools);
  try {
    return await composeEvents(file, tools);
  } catch (error) {
    const isGone = explain(error)?.code === 'publish_club_gone';
    if (!isGone || file.format === 'ics') throw error;
    return await composeFarewell(file, { kind: 'gone', to: '' }, tools);
  }
}

function composeEvents(file: PublishedFile, tools: ActionTools): Promise<Content> {
  return withReader(tools.home, async (db) => {
    // A damaged index would leave out events.
    if (isDamaged(db)) throw new StoreError('damaged', tools.home.database);
    const isCopy = file.format === 'json';
    const now = tools.now();
    const { club, events, asOf, copy, answers, news } = inSnapshot(db, () => {
      const found = readClub(db, file.club, tools);
      const time = asOfFile(file.written, now, found.revision);
      const facts = {
        club: found.name,
        timeZone: found.zone,
        asOf: time,
        isFiltered: isPart(file),
      };
      const read = readEvents(db, found.userId, file, isCopy, tools);
      return {
        club: found,
        events: read,
        asOf: time,
        // A copy has none.
        news: isCopy ? undefined : readNews(db, found.userId, read, time, found.zone),
        copy: readCopyFacts(db, found.userId, facts),
        // Not in a page, which members read.
        answers: isCopy ? readAnswers(db, found.userId) : [],
      };
    });
    const { name, zone: timeZone, usualLength, revision } = club;
    const common = { uidBase: file.club, timeZone, now: asOf };

    async function write(): Promise<{ pieces: Iterable<string>; changes?: Changes }> {
      switch (file.format) {
        case 'json': {
          const list = events.map(({ sourceKey, ...event }) => event);
          return { pieces: [writeCopy(list, { ...copy, answers })] };
        }
        case 'html': {
          const local = await localOptions(file, timeZone);
          const live = liveOf(file, tools);
          const page = { ...common, usualLength, club: name, copy, live, isChosen: isChosen(file) };
          return { pieces: writeHtml(events, { ...local, ...page, ...news }) };
        }
        case 'ics': {
          const local = await localOptions(file, timeZone);
          const forMembers = createMembersForm({ ...local, usualLength, now, news: news?.news });
          const changes = dateChanges(events, forMembers, readChanges(tools.home, file.id), now);
          const changedAt = ({ id }: { readonly id: number }) =>
            new Date((changes[id]?.[1] ?? 0) * 1_000);
          // A cancelled event leaves the calendar when nobody would come any more.
          const shown = events.filter(
            (event) => event.status !== 'cancelled' || forMembers(event).isOff,
          );
          const calendar = { ...common, calendarName: name, changedAt, forMembers };
          return {
            pieces: writeIcs(shown, { ...calendar, subscription: { usualLength } }),
            changes,
          };
        }
      }
    }
    const { pieces, changes = {} } = await write();
    const bytes = Buffer.from([...pieces].join(''));
    return { bytes, revision, asOf: asOf.toISOString(), changes, events: events.length };
  });
}

/** Composes the last state of a file that is kept up to date no more. */
async function composeFarewell(
  file: PublishedFile,
  farewell: NonNullable<CopyFacts['farewell']>,
  { home }: ActionTools,
): Promise<Content> {
  const [last] = readContents(home, file.id);
  if (last === undefined) throw problem('publish_club_gone');
  const { asOf, events } = file.written;
  const bytes = await addFarewell(last, farewell, file);
  return { bytes, asOf, events, revision: farewell.kind, changes: {} };
}
