import { z } from 'zod';
import { editEvents } from '../../db/event-edit.ts';
import { eachEvent } from '../../db/event-list.ts';
import { filterTypes } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { choicesOf, type Team, teamColours, teamMatcher } from '../../db/team-filter.ts';
import { findTeam, type NumberedTeam, readTeams, textOfTeam } from '../../db/teams.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, problem } from '../base/errors.ts';
import { lettersOf } from '../event/views.ts';
import { message, type ProblemCode } from '../messages/message.ts';
import { addressOf, readPublishedFiles } from '../outside/live-files.ts';
import { withReader, withWriter } from '../store/store.ts';
import type { ActionTools } from './tools.ts';
import { requireOwnSettings, requireUser, UserName } from './user-actions.ts';

const maxTeams = 100;
const maxName = 40;
const maxText = 1_000;

const invalidName = 'team_name_invalid' satisfies ProblemCode;

/** The name of a team: one short line with a letter or a digit. */
const NewName = z
  .string({ error: invalidName })
  .trim()
  .normalize('NFC')
  .max(maxName, { error: invalidName })
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text) && choicesOf(text).length > 0,
    invalidName,
  );

/** Words of a filter; commas separate choices. */
const Words = z
  .string()
  .trim()
  .normalize('NFC')
  .max(maxText, { error: 'team_words_too_long' satisfies ProblemCode });

const fields = {
  words: Words,
  without: Words,
  place: Words,
  eventType: z.enum(filterTypes).nullable(),
  letters: z
    .string()
    .trim()
    .normalize('NFC')
    .regex(/^.{1,3}$/u),
  colour: z.literal(teamColours),
};

export const AddTeam = z.strictObject({
  user: UserName,
  name: NewName,
  ...{ ...fields, without: Words.default(''), place: Words.default('') },
  eventType: fields.eventType.default(null),
  /** The mark; by default from the name, in a colour that no other team has. */
  letters: fields.letters.optional(),
  colour: fields.colour.optional(),
});

type ChangedTeam = {
  readonly user: string;
  /** The team after the change; the removed one. */
  readonly team: Team;
  /** The number of its events. */
  readonly events: number;
  /** The number of the change in the history; absent if nothing changed. */
  readonly batch?: number;
};

const countEvents = (db: Reader, userId: number, team: Team): number =>
  Array.from(eachEvent(db, userId)).filter(teamMatcher(team)).length;

/** Returns a team without what only the store needs. */
const shown = ({ name, letters, colour, words, without, place, eventType }: Team): Team => ({
  ...{ name, letters, colour, words, without, place, eventType },
});

/** Returns a team of a club. Throws `team_unknown`, which names its teams. */
export function requireTeam(db: Reader, userId: number, user: string, name: string) {
  const teams = readTeams(db, userId);
  const team = findTeam(teams, name);
  if (team !== undefined) return team;
  const names = teams.map((one) => message('value:text', { text: one.name }));
  throw teams.length === 0
    ? problem('teams_none', { user, team: name })
    : problem('team_unknown', { user, team: name, names });
}

/** Stores a team as one change of the history. Throws `team_words_missing` or `team_exists`. */
function storeTeam(
  db: Writer,
  { userId, user }: { readonly userId: number; readonly user: string },
  before: NumberedTeam | undefined,
  after: NumberedTeam | undefined,
  { now }: Pick<ActionTools, 'now'>,
): ChangedTeam {
  if (after !== undefined && choicesOf(after.words).length === 0) {
    throw asUsage(problem('team_words_missing', { team: after.name }));
  }
  const [old, next] = [before, after].map((team) => (team ? textOfTeam(team) : null));
  const change = { setting: 'team', before: old ?? null, after: next ?? null } as const;
  const edit = { userId, now: now().toISOString() };
  const { result, batch } = editEvents(db, edit, ({ set }) => set(change));
  if (!result) throw problem('team_exists', { user, team: after?.name ?? '' });
  const team = shown((after ?? before) as NumberedTeam);
  const events = countEvents(db, userId, team);
  return { user, team, events, ...(batch !== undefined && { batch }) };
}

/** Returns the colour that the fewest teams have. */
function freeColour(teams: readonly Team[]): number {
  const uses = (colour: number) => teams.filter((team) => team.colour === colour).length;
  return teamColours.reduce<number>((best, one) => (uses(one) < uses(best) ? one : best), 1);
}

/** The ids of teams, from 1: random ones, so that a file of a team never means another one. */
const idLimit = 2 ** 32;

export function addTeam(
  { user, letters, colour, ...filter }: z.output<typeof AddTeam>,
  tools: ActionTools,
): Promise<ChangedTeam> {
  const add = (db: Writer) => {
    const userId = requireUser(db, user);
    requireOwnSettings(db, userId);
    const teams = readTeams(db, userId);
    if (teams.length >= maxTeams) throw problem('teams_too_many', { limit: maxTeams });
    const mark = {
      letters: letters ?? lettersOf(filter.name),
      colour: colour ?? freeColour(teams),
    };
    const position = Math.max(0, ...teams.map((team) => team.position)) + 1;
    const team = { ...filter, ...mark, id: tools.randomInt(idLimit) + 1, position };
    return storeTeam(db, { userId, user }, undefined, team, tools);
  };
  return withWriter(tools.home, add, tools);
}

export const ListTeams = z.strictObject({ user: UserName });

/** Lists the teams of a club, each with the number of its events. */
export function listTeams(
  { user }: z.output<typeof ListTeams>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ user: string; teams: (Team & { readonly events: number })[]; withoutTeam: number }> {
  return withReader(home, (db) => {
    const userId = requireUser(db, user);
    const teams = readTeams(db, userId).map((team) => ({ team, isIn: teamMatcher(team) }));
    const counts = new Map(teams.map(({ team }) => [team, 0]));
    let withoutTeam = 0;
    for (const event of teams.length === 0 ? [] : eachEvent(db, userId)) {
      const found = teams.filter(({ isIn }) => isIn(event));
      if (found.length === 0) withoutTeam += 1;
      for (const { team } of found) counts.set(team, (counts.get(team) ?? 0) + 1);
    }
    const listed = teams.map(({ team }) => ({ ...shown(team), events: counts.get(team) ?? 0 }));
    return { user, teams: listed, withoutTeam };
  });
}

export const ChangeTeam = z.strictObject({
  user: UserName,
  name: z.string(),
  newName: NewName.optional(),
  words: fields.words.optional(),
  without: fields.without.optional(),
  place: fields.place.optional(),
  eventType: fields.eventType.optional(),
  letters: fields.letters.optional(),
  colour: fields.colour.optional(),
});

/** Changes a team; what is left out stays. The letters follow a new name unless they were chosen. */
export function changeTeam(
  { user, name, newName, ...changes }: z.output<typeof ChangeTeam>,
  tools: ActionTools,
): Promise<ChangedTeam> {
  const change = (db: Writer) => {
    const userId = requireUser(db, user);
    requireOwnSettings(db, userId);
    const { revision: _, ...before } = requireTeam(db, userId, user, name);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const isOwnMark = before.letters !== lettersOf(before.name);
    const after: NumberedTeam = {
      ...before,
      ...(newName !== undefined && { name: newName }),
      ...(newName !== undefined && !isOwnMark && { letters: lettersOf(newName) }),
      ...Object.fromEntries(given),
    };
    return storeTeam(db, { userId, user }, before, after, tools);
  };
  return withWriter(tools.home, change, tools);
}

export const RemoveTeam = z.strictObject({ user: UserName, name: z.string() });

/** Removes a team. Throws `team_used` while a file that is kept up to date has its events. */
export function removeTeam(
  { user, name }: z.output<typeof RemoveTeam>,
  tools: ActionTools,
): Promise<ChangedTeam> {
  const remove = (db: Writer) => {
    const userId = requireUser(db, user);
    requireOwnSettings(db, userId);
    const { revision: _, ...team } = requireTeam(db, userId, user, name);
    const club = prepareUserReads(db).uidBase(userId);
    const file = readPublishedFiles(tools.home).find(
      (one) => one.club === club && one.team === team.id,
    );
    if (file !== undefined) {
      throw problem('team_used', { team: team.name, file: addressOf(file.target), id: file.id });
    }
    return storeTeam(db, { userId, user }, team, undefined, tools);
  };
  return withWriter(tools.home, remove, tools);
}
