import { crc32 } from 'node:zlib';
import { z } from 'zod';
import {
  digestOfKey,
  insertKey,
  prepareKeyReads,
  revokeKey as writeRevocation,
} from '../../db/keys.ts';
import type { Key } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { asUsage, problem } from '../base/errors.ts';
import type { ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store/store.ts';
import { parseTimestamp } from './timestamp.ts';
import type { ActionTools } from './tools.ts';
import { lineOfText, requireUser, UserName, zoneOfClub } from './user-actions.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'ce_';
const randomLength = 30;
const checksumLength = 6;

/** Returns the CRC-32 of the random part in base62; it reveals a mistyped key. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let at = 0; at < checksumLength; at += 1) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/**
 * Creates a key (INTERFACE section 2, "Authentication"): `ce_`, 30 random base62 characters (178
 * bits) and a 6-character checksum. `randomInt` returns integers from 0 to below `limit`.
 */
export function makeKey(randomInt: (limit: number) => number): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]);
  return prefix + random.join('') + checksumOf(random.join(''));
}

/** Returns true for a text in the form of a key with a valid checksum. The key may be unknown. */
export function isWellFormedKey(text: string): boolean {
  const [, random, checksum] = /^ce_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

export const CreateKey = z.strictObject({
  user: UserName,
  label: lineOfText({
    missing: 'key_label_missing',
    empty: 'key_label_empty',
    tooLong: 'key_label_too_long',
    hasControls: 'key_label_has_controls',
  }).optional(),
  expires: z.string().optional(),
});

export type CreatedKey = {
  readonly id: number;
  readonly user: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** The zone of the club, in which a date alone ends. */
  readonly timeZone: string;
  /** The secret key, which is shown only here. */
  readonly key: string;
};

/** Parses the expiry of a key; a date alone means the end of that day in the time zone. */
export function parseExpiry(text: string, timeZone: string, now: Date): string {
  const dateAlone = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  const timestamp = parseTimestamp(dateAlone ? `${text.trim()}T23:59:59.999` : text, timeZone);
  if (timestamp === undefined) throw asUsage(problem('expiry_invalid', { text }));
  if (timestamp <= now.toISOString()) throw asUsage(problem('expiry_past', { text }));
  return timestamp;
}

export function createKey(
  { user, label, expires }: z.infer<typeof CreateKey>,
  tools: ActionTools,
): Promise<CreatedKey> {
  const now = tools.now();
  const createdAt = now.toISOString();
  const create = (db: Writer): CreatedKey => {
    const key = makeKey(tools.randomInt);
    const userId = requireUser(db, user);
    const timeZone = zoneOfClub(db, userId, tools);
    const expiresAt = expires === undefined ? null : parseExpiry(expires, timeZone, now);
    const attributes = { label: label ?? null, createdAt, expiresAt };
    const id = insertKey(db, { userId, digest: digestOfKey(key), ...attributes });
    return { id, user, ...attributes, timeZone, key };
  };
  return withWriter(tools.home, create, { ...tools, isForKeys: true });
}

export const ListKeys = z.strictObject({});

type ListedKey = Key & { readonly state: 'valid' | 'expired' | 'revoked' };

/** Returns the state of a key at a time. */
export function stateOfKey(
  { revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>,
  now: string,
): ListedKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';
}

export function listKeys(
  _: z.infer<typeof ListKeys>,
  { home, now, systemTimeZone }: ActionTools,
): Promise<{ keys: ListedKey[] }> {
  const timestamp = now().toISOString();
  return withReader(home, (db) => ({
    keys: prepareKeyReads(db)
      .all()
      .map((key) => ({
        ...key,
        zone: key.zone || systemTimeZone(),
        state: stateOfKey(key, timestamp),
      })),
  }));
}

export const RevokeKey = z.strictObject({
  id: z.int({ error: 'key_id_invalid' satisfies ProblemCode }),
});

/** Revokes a key; a key that is already revoked keeps its time of revocation. */
export function revokeKey(
  { id }: z.infer<typeof RevokeKey>,
  tools: ActionTools,
): Promise<{ id: number; revoked: boolean }> {
  const revoke = (db: Writer) => {
    if (prepareKeyReads(db).byId(id) === undefined) {
      throw problem('key_unknown', { id });
    }
    return { id, revoked: writeRevocation(db, id, tools.now().toISOString()) };
  };
  return withWriter(tools.home, revoke, { ...tools, isForKeys: true });
}
