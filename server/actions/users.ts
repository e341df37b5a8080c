import { z } from 'zod';
import type { User } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { deleteUser, insertUser, prepareUserReads } from '../../db/users.ts';
import { ClubEventsError } from '../errors.ts';
import { withReader, withWriter } from '../store.ts';
import type { ActionTools } from './tools.ts';
import { wording } from './wording.ts';

const maxLength = 200;

/** Creates the schema of a short, single-line text; `what` names it in messages. */
export function lineOfText(what: string) {
  return z
    .string({ error: `${what} is missing.` })
    .trim()
    .min(1, `${what} may not be empty.`)
    .max(maxLength, `${what} may have at most ${maxLength} characters.`)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      error: `${what} may not have control characters.`,
    });
}

export const UserName = lineOfText('The name of a user');

/** Returns the id of a user. Throws `unavailable` if there is none. */
export function requireUser(db: Reader, name: string): number {
  const id = prepareUserReads(db).idByName(name);
  if (id !== undefined) return id;
  throw new ClubEventsError('unavailable', (audience) => wording[audience].unknownUser(name));
}

export const AddUser = z.strictObject({ name: UserName });

export function addUser(
  { name }: z.infer<typeof AddUser>,
  { home, now, onWait }: ActionTools,
): Promise<{ id: number; name: string }> {
  const add = (db: Writer) => {
    const id = insertUser(db, name, now().toISOString());
    if (id !== undefined) return { id, name };
    throw new ClubEventsError('unavailable', (audience) => wording[audience].knownUser(name));
  };
  return withWriter(home, add, { onWait });
}

export const ListUsers = z.strictObject({});

export function listUsers(
  _: z.infer<typeof ListUsers>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ users: User[] }> {
  return withReader(home, (db) => ({ users: prepareUserReads(db).all() }));
}

export const RemoveUser = z.strictObject({ name: UserName });

/** Removes a user with all events and keys. */
export function removeUser(
  { name }: z.infer<typeof RemoveUser>,
  { home, onWait }: ActionTools,
): Promise<{ name: string; events: number; keys: number }> {
  const remove = (db: Writer) => ({ name, ...deleteUser(db, requireUser(db, name)) });
  return withWriter(home, remove, { onWait });
}
