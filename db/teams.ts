import type { Database } from 'better-sqlite3';
import { connection, type Reader, type Writer } from './open.ts';
import { type Team, teamKey } from './team-filter.ts';
import { revisionWrites } from './users.ts';

/** A team with its number, and its place among the teams of the club. */
export type NumberedTeam = Team & { readonly id: number; readonly position: number };

/** A team with the number of the revision of its last change. */
export type StoredTeam = NumberedTeam & { readonly revision: number };

const columns = `id, name, letters, colour, words, without, place, event_type AS eventType, position`;

export const teamReads = {
  byUser: `SELECT ${columns}, revision FROM teams
    WHERE user_id = +@userId ORDER BY position, id LIMIT 1000`,
} as const;

/** Reads the teams of a club in their order. */
export function readTeams(db: Reader, userId: number): StoredTeam[] {
  return connection(db).prepare<object, StoredTeam>(teamReads.byUser).all({ userId });
}

/** Returns the team of a name, in any case and with or without accents. */
export function findTeam<One extends Team>(teams: readonly One[], name: string): One | undefined {
  const key = teamKey(name);
  return teams.find((team) => teamKey(team.name) === key);
}

/** Returns the team of a change in the history. */
export const teamOfText = (text: string | null): NumberedTeam | undefined =>
  text === null ? undefined : JSON.parse(text);

/** Returns a team as the history has it: the same values give the same text. */
export function textOfTeam(team: NumberedTeam): string {
  const { id, name, letters, colour, words, without, place, eventType, position } = team;
  const values = { id, name, letters, colour, words, without, place, eventType, position };
  return JSON.stringify(values);
}

export const teamWrites = {
  add: `INSERT INTO teams (user_id, id, name, letters, colour, words, without, place, event_type,
      position, revision)
    SELECT id, @id, @name, @letters, @colour, @words, @without, @place, @eventType, @position,
      revision
    FROM users WHERE id = @userId`,
  remove: 'DELETE FROM teams WHERE user_id = @userId AND id = @id',
} as const;

/** Returns true if a team is as a change left it. */
export function isTeamStill(
  db: Reader,
  userId: number,
  before: NumberedTeam | undefined,
  after: NumberedTeam | undefined,
): boolean {
  const found = readTeams(db, userId).find(({ id }) => id === (after ?? before)?.id);
  if (after === undefined || found === undefined) return after === found;
  return textOfTeam(found) === textOfTeam(after);
}

function replace(sqlite: Database, userId: number, id: number, team: NumberedTeam | undefined) {
  sqlite.prepare(teamWrites.remove).run({ id, userId });
  // First, as the team gets the new revision: a client that knows an older one reads all again.
  sqlite.prepare(revisionWrites.raise).run({ userId });
  if (team !== undefined) sqlite.prepare(teamWrites.add).run({ userId, ...team });
}

/**
 * Adds, changes or removes a team, in the transaction of the caller. Returns false for a name that
 * another team of the club has.
 */
export function putTeam(
  db: Writer,
  userId: number,
  before: NumberedTeam | undefined,
  after: NumberedTeam | undefined,
): boolean {
  const id = (after ?? before)?.id;
  if (id === undefined) return true;
  const others = readTeams(db, userId).filter((team) => team.id !== id);
  if (after !== undefined && findTeam(others, after.name) !== undefined) return false;
  replace(connection(db), userId, id, after);
  return true;
}
