import { z } from 'zod';
import { findSource } from '../../db/mirror.ts';
import type { User } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import {
  deleteUser,
  insertUser,
  prepareUserReads,
  updateUserName,
  updateUserZone,
} from '../../db/users.ts';
import { explain, problem } from '../base/errors.ts';
import type { ProblemCode } from '../messages/message.ts';
import { backUpBeforeRemoval } from '../store/backup-files.ts';
import { withReader, withWriter } from '../store/store.ts';
import { tidyUpstreamKeys } from '../store/upstream-keys.ts';
import type { ActionTools } from './tools.ts';

const maxLength = 200;

type LineFlaw = 'missing' | 'empty' | 'tooLong' | 'hasControls';

/** Creates the schema of a short, single-line text, with the codes of its problems. */
export function lineOfText(codes: Readonly<Record<LineFlaw, ProblemCode>>) {
  return z
    .string({ error: codes.missing })
    .trim()
    .normalize('NFC')
    .min(1, { error: codes.empty })
    .max(maxLength, { error: codes.tooLong })
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: codes.hasControls });
}

export const UserName = lineOfText({
  missing: 'user_name_missing',
  empty: 'user_name_empty',
  tooLong: 'user_name_too_long',
  hasControls: 'user_name_has_controls',
});

/** Returns the id of a user. Throws `unavailable` if there is none. */
export function requireUser(db: Reader, name: string): number {
  const id = prepareUserReads(db).idByName(name);
  if (id !== undefined) return id;
  throw problem('user_unknown', { user: name });
}

/** Throws `user_mirrored` for a user whose events follow an online service. */
export function requireUnmirrored(db: Reader, userId: number): void {
  const source = findSource(db, userId);
  if (source === undefined) return;
  throw problem('user_mirrored', { user: source.user, url: source.baseUrl });
}

/**
 * Returns the time zone of a club, in which its dates and times are meant: the one that is stored,
 * or that of this computer until a writer could store one.
 */
export function zoneOfClub(
  db: Reader,
  userId: number,
  { systemTimeZone }: Pick<ActionTools, 'systemTimeZone'>,
): string {
  return prepareUserReads(db).zone(userId) || systemTimeZone();
}

/** Returns a zone in its stored form. Throws `time_zone_unknown`. */
async function readZone(text: string): Promise<string> {
  // Loaded on demand: most commands name no zone.
  const { readZoneName } = await import('./zone-name.ts');
  return readZoneName(text);
}

/** `zone` is an IANA or a Windows name; by default the zone of this computer. */
export const AddUser = z.strictObject({ name: UserName, zone: z.string().optional() });

export async function addUser(
  { name, zone: chosen }: z.infer<typeof AddUser>,
  tools: ActionTools,
): Promise<{ id: number; name: string; zone: string }> {
  const zone = chosen === undefined ? tools.systemTimeZone() : await readZone(chosen);
  const add = (db: Writer) => {
    const id = insertUser(db, name, tools.now().toISOString(), zone);
    if (id !== undefined) return { id, name, zone };
    throw problem('user_exists', { user: name });
  };
  return await withWriter(tools.home, add, tools);
}

export const ListUsers = z.strictObject({});

export function listUsers(
  _: z.infer<typeof ListUsers>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ users: User[] }> {
  return withReader(home, (db) => ({ users: prepareUserReads(db).all() }));
}

export const RenameUser = z.strictObject({ name: UserName, newName: UserName });

/** Renames a user, whose events, keys and calendars stay. Throws `user_exists` for a taken name. */
export function renameUser(
  { name, newName }: z.infer<typeof RenameUser>,
  tools: ActionTools,
): Promise<{ id: number; name: string; before: string }> {
  const rename = (db: Writer) => {
    const id = requireUser(db, name);
    if (updateUserName(db, id, newName)) return { id, name: newName, before: name };
    throw problem('user_exists', { user: newName });
  };
  return withWriter(tools.home, rename, tools);
}

export const SetUserZone = z.strictObject({ name: UserName, zone: z.string() });

/** Changes the time zone of a club. Its events stay at their moments. */
export async function setUserZone(
  { name, zone: chosen }: z.infer<typeof SetUserZone>,
  tools: ActionTools,
): Promise<{ id: number; name: string; zone: string; before: string }> {
  const zone = await readZone(chosen);
  const change = (db: Writer) => {
    const id = requireUser(db, name);
    const before = zoneOfClub(db, id, tools);
    updateUserZone(db, id, zone);
    return { id, name, zone, before };
  };
  return await withWriter(tools.home, change, tools);
}

export const RemoveUser = z.strictObject({ name: UserName });

/** Forgets the keys of removed services. The next start of a service does it after a failure. */
function forgetKeys(db: Reader, { home, warn }: ActionTools): void {
  try {
    tidyUpstreamKeys(home, db);
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined) throw error;
    warn?.(failure);
  }
}

/** Removes a user with all events and keys, also that of an online service, after a backup. */
export function removeUser(
  { name }: z.infer<typeof RemoveUser>,
  tools: ActionTools,
): Promise<{ name: string; events: number; keys: number }> {
  const remove = (db: Writer) => {
    const id = requireUser(db, name);
    backUpBeforeRemoval(tools.home, { ...tools, isNeeded: true });
    const removed = deleteUser(db, id);
    forgetKeys(db, tools);
    return { name, ...removed };
  };
  return withWriter(tools.home, remove, tools);
}
