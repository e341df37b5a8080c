import type { User } from '../model.ts';
import { connection, type Reader } from '../open.ts';
import { eachRow, pageSize } from './pages.ts';

export const userReads = {
  idByName: 'SELECT id FROM users WHERE name = @name LIMIT 1',
  byId: 'SELECT id FROM users WHERE id = @id LIMIT 1',
  uidBase: 'SELECT uid_base AS uidBase FROM users WHERE id = @id LIMIT 1',
  page: `SELECT id, name, created_at AS createdAt,
      (SELECT count(*) FROM events WHERE events.user_id = users.id) AS events,
      (SELECT count(*) FROM keys WHERE keys.user_id = users.id) AS keys
    FROM users WHERE name > @after ORDER BY name LIMIT ${pageSize}`,
} as const;

export type UserReads = {
  idByName(name: string): number | undefined;
  exists(id: number): boolean;
  /** Returns the part of calendar UIDs that is unique to this user. */
  uidBase(id: number): string;
  all(): User[];
};

export function prepareUserReads(db: Reader): UserReads {
  const sqlite = connection(db);
  const idByName = sqlite.prepare<{ name: string }, { id: number }>(userReads.idByName);
  const byId = sqlite.prepare<{ id: number }, { id: number }>(userReads.byId);
  const uidBase = sqlite.prepare<{ id: number }, { uidBase: string }>(userReads.uidBase);
  const page = sqlite.prepare<{ after: string }, User>(userReads.page);
  return {
    idByName: (name) => idByName.get({ name })?.id,
    exists: (id) => byId.get({ id }) !== undefined,
    uidBase: (id) => uidBase.get({ id })?.uidBase ?? '',
    // No user has an empty name, so it is a cursor before all of them.
    all: () => [
      ...eachRow(
        '',
        (after) => page.all({ after }),
        (user) => user.name,
      ),
    ],
  };
}
