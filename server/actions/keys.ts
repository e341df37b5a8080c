import { z } from 'zod';
import type { Key } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { prepareKeyReads } from '../../db/read/keys.ts';
import { insertKey, revokeKey as writeRevocation } from '../../db/write/keys.ts';
import { ClubEventsError } from '../errors.ts';
import { digestOfKey } from '../key-digest.ts';
import { withReader, withWriter } from '../store.ts';
import { parseTimestamp } from './import/timestamp.ts';
import { makeKey } from './key-format.ts';
import { lineOfText } from './line-of-text.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './users.ts';
import { wording } from './wording.ts';

export const CreateKey = z.strictObject({
  user: UserName,
  label: lineOfText('The label').optional(),
  expires: z.string().optional(),
});

export type CreatedKey = {
  readonly id: number;
  readonly user: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** False if the key has already expired. */
  readonly valid: boolean;
  /** The secret key, which is shown only here. */
  readonly key: string;
};

/** Parses the expiry of a key; a date without a time means the end of that day. */
function parseExpiry(text: string, timeZone: string): string {
  const dateAlone = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  const timestamp = parseTimestamp(dateAlone ? `${text.trim()}T23:59:59.999` : text, timeZone);
  if (timestamp !== undefined) return timestamp;
  const remedy = 'write it like 2026-12-31 (valid on that day) or 2026-12-31T18:00:00Z';
  const flaw = `"${text}" is not a date that exists; ${remedy}.`;
  throw new ClubEventsError('wrong_usage', (audience) => wording[audience].expiry(flaw));
}

export function createKey(
  { user, label, expires }: z.infer<typeof CreateKey>,
  { home, now, randomInt, systemTimeZone, onWait }: ActionTools,
): Promise<CreatedKey> {
  const expiresAt = expires === undefined ? null : parseExpiry(expires, systemTimeZone());
  const createdAt = now().toISOString();
  const create = (db: Writer): CreatedKey => {
    const key = makeKey(randomInt);
    const userId = requireUser(db, user);
    const attributes = { label: label ?? null, createdAt, expiresAt };
    const id = insertKey(db, { userId, digest: digestOfKey(key), ...attributes });
    const valid = expiresAt === null || expiresAt > createdAt;
    return { id, user, ...attributes, valid, key };
  };
  return withWriter(home, create, { onWait });
}

export const ListKeys = z.strictObject({});

export type ListedKey = Key & { readonly state: 'valid' | 'expired' | 'revoked' };

function stateOf({ revokedAt, expiresAt }: Key, now: string): ListedKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';
}

export function listKeys(
  _: z.infer<typeof ListKeys>,
  { home, now }: ActionTools,
): Promise<{ keys: ListedKey[] }> {
  const timestamp = now().toISOString();
  return withReader(home, (db) => ({
    keys: prepareKeyReads(db)
      .all()
      .map((key) => ({ ...key, state: stateOf(key, timestamp) })),
  }));
}

export const RevokeKey = z.strictObject({
  id: z.int({ error: 'The id of a key is a whole number.' }),
});

/** Revokes a key; a key that is already revoked keeps its time of revocation. */
export function revokeKey(
  { id }: z.infer<typeof RevokeKey>,
  { home, now, onWait }: ActionTools,
): Promise<{ id: number; revoked: boolean }> {
  const revoke = (db: Writer) => {
    if (prepareKeyReads(db).byId(id) === undefined) {
      throw new ClubEventsError('unavailable', (audience) => wording[audience].unknownKey(id));
    }
    return { id, revoked: writeRevocation(db, id, now().toISOString()) };
  };
  return withWriter(home, revoke, { onWait });
}
