import { isDeepStrictEqual } from 'node:util';
import { clubNumberNames, mapNumbers } from '../../db/club-settings.ts';
import { isStoredDaysOff, putDaysOff, readDaysOff, removeDaysOff } from '../../db/days-off.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { findSource, readMirror } from '../../db/mirror.ts';
import { aheadOf, coveredSince } from '../../db/mirror-model.ts';
import { inTransaction, type Reader, type Writer } from '../../db/open.ts';
import { applySetting, readSettings } from '../../db/settings.ts';
import { type NumberedTeam, putTeam, readTeams, textOfTeam } from '../../db/teams.ts';
import { prepareUserReads } from '../../db/users.ts';
import type { CopyFacts, CopyHead } from './club-copy.ts';

const timestamp = (ms: number) => new Date(ms).toISOString();

/**
 * Reads the facts about a club for a copy of its events. `asOf` is its present; a club that copies an
 * online service has the time of its last list instead.
 */
export function readCopyFacts(
  db: Reader,
  userId: number,
  {
    asOf,
    isFiltered,
    ...facts
  }: Pick<CopyFacts, 'club' | 'timeZone'> & {
    readonly asOf: Date;
    readonly isFiltered: boolean;
  },
): CopyFacts {
  const { revision } = prepareEventListReads(db).state(userId);
  const settings = readSettings(db, userId);
  const common = {
    ...{ ...facts, userId, uidBase: prepareUserReads(db).uidBase(userId), revision },
    ...mapNumbers((name) => settings[name]),
    daysOff: daysOffOf(db, userId),
    teams: teamsOf(db, userId),
  };
  const source = findSource(db, userId);
  if (source === undefined) return { ...common, complete: !isFiltered, asOf: asOf.toISOString() };
  const { source: state, entries } = readMirror(db, source.id);
  const ahead = aheadOf(source, state);
  return {
    ...common,
    complete: !isFiltered && coveredSince(state.coverage) === '',
    asOf: state.listedAt === null ? asOf.toISOString() : timestamp(state.listedAt - ahead),
    confirmations: Object.fromEntries(
      [...entries].map(([id, { confirmedAt, registrationAt }]) => [
        String(id),
        timestamp(Math.min(confirmedAt, registrationAt) - ahead),
      ]),
    ),
  };
}

/** Returns the time at which all events of a copy were so: the oldest confirmation of one. */
export function timeOfEvents({ asOf, confirmations = {} }: CopyFacts): Date {
  // Timestamps have the order of their texts.
  const oldest = Object.values(confirmations).reduce((a, b) => (a < b ? a : b), asOf);
  return new Date(oldest);
}

const daysOffOf = (db: Reader, userId: number) =>
  readDaysOff(db, userId).map(({ name, days }) => ({ name, days }));

const teamsOf = (db: Reader, userId: number): NumberedTeam[] =>
  readTeams(db, userId).map(({ revision: _, ...team }) => team);

/** Gives a club the teams of a copy; those that are the same stay, with their revisions. */
function takeTeams(db: Writer, userId: number, teams: readonly NumberedTeam[]): void {
  const [present, wanted] = [teamsOf(db, userId), teams].map(
    (list) => new Map(list.map((team) => [textOfTeam(team), team])),
  );
  for (const [text, team] of present ?? []) {
    if (!wanted?.has(text)) putTeam(db, userId, team, undefined);
  }
  for (const [text, team] of wanted ?? []) {
    if (!present?.has(text)) putTeam(db, userId, undefined, team);
  }
}

/** Gives the club that follows a copy its settings. */
export function takeCopyFacts(
  db: Writer,
  userId: number,
  { club, timeZone, daysOff, teams, asOf, ...head }: CopyHead,
): void {
  // A made-up file could have any name.
  const name = /^\P{Cc}{1,200}$/u.test(club) ? club : '';
  const facts = { ...head, name, zone: timeZone };
  inTransaction(db, () => {
    const present = readSettings(db, userId);
    for (const setting of ['name', 'zone', ...clubNumberNames] as const) {
      const [before, after] = [String(present[setting]), String(facts[setting] ?? '')];
      // Another club of this computer may have the name: then this one keeps its own.
      if (after !== '' && after !== before) applySetting(db, userId, { setting, before, after });
    }
    if (teams !== undefined) takeTeams(db, userId, teams);
    if (daysOff === undefined || isDeepStrictEqual(daysOff, daysOffOf(db, userId))) return;
    for (const { id } of readDaysOff(db, userId).filter(isStoredDaysOff)) {
      removeDaysOff(db, userId, id);
    }
    for (const [index, calendar] of daysOff.entries()) {
      putDaysOff(db, userId, { ...calendar, kind: 'file', source: `${index + 1}`, readAt: asOf });
    }
  });
}
