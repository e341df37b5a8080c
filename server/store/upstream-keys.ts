import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { acquireLock } from '../../db/lock.ts';
import { type MirrorSource, readSources } from '../../db/mirror.ts';
import { keyStores } from '../../db/model.ts';
import type { Reader } from '../../db/open.ts';
import { fileError, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { removeTemporary } from '../base/write-file.ts';
import { privateTemporary, readPrivateFile, writePrivateFile } from './private-file.ts';

/** The place of a key or password for elsewhere. */
export const KeyStore = z.enum(keyStores).default('file');

/** The key of an online service, and the only base URL to which it may be sent. */
export type UpstreamKey = { readonly url: string; readonly key: string };

/** The key of each source, by its id. Those of an earlier version have no address. */
const StoredKeys = z.record(
  z.string().regex(/^\d+$/),
  z.union([
    z.strictObject({ url: z.string(), key: z.string() }),
    z.string().transform((key) => ({ url: '', key })),
  ]),
);
type StoredKeys = Readonly<Record<string, UpstreamKey>>;

function readAll(home: Home): StoredKeys {
  const text = readPrivateFile(home.upstreamKeys, 'upstream_keys_open');
  if (text === undefined) return {};
  try {
    return StoredKeys.parse(JSON.parse(text));
  } catch {
    // Without the cause, which could quote a key.
    throw problem('upstream_keys_damaged', { path: home.upstreamKeys });
  }
}

function writeAll(home: Home, keys: StoredKeys): void {
  writePrivateFile(home.upstreamKeys, keys);
}

/** Stores the key of a source in place of its last one. Call it under the lock of syncs. */
export function storeUpstreamKey(home: Home, sourceId: number, key: UpstreamKey): void {
  writeAll(home, { ...readAll(home), [sourceId]: key });
}

/** Removes the key of a source, and the file with the last one. Call it under the lock of syncs. */
export function removeUpstreamKey(home: Home, sourceId: number): void {
  const { [sourceId]: _, ...rest } = readAll(home);
  writeAll(home, rest);
}

/** Returns true if a key was stored for the address of a source. */
function isFor({ url }: UpstreamKey, { baseUrl, paused }: MirrorSource): boolean {
  // Only a restore changes the address of a source, and it pauses the source.
  return url === baseUrl || (url === '' && paused === null);
}

function takeSyncLock({ syncLock }: Home): (() => void) | undefined {
  try {
    return acquireLock(syncLock);
  } catch (error) {
    throw fileError(error, syncLock);
  }
}

/**
 * Removes the keys of sources that do not exist any more and what a killed writer left, and gives an address to those that an
 * earlier version stored. Does nothing while another program syncs, which may store a key.
 */
export function tidyUpstreamKeys(home: Home, db: Reader): void {
  const leftover = privateTemporary(home.upstreamKeys);
  // Without keys, no lock file appears.
  if (!existsSync(home.upstreamKeys) && !existsSync(leftover)) return;
  const release = takeSyncLock(home);
  if (release === undefined) return;
  try {
    removeTemporary(leftover);
    const stored = readAll(home);
    const live = readSources(db).flatMap((source) => {
      const key = stored[source.id];
      if (key === undefined) return [];
      return [[source.id, isFor(key, source) ? { ...key, url: source.baseUrl } : key] as const];
    });
    const tidy: StoredKeys = Object.fromEntries(live);
    if (!isDeepStrictEqual(tidy, stored)) writeAll(home, tidy);
  } finally {
    release();
  }
}

type KeyTools = {
  readonly home: Home;
  /** Keys that this program has in memory, by the id of the source. */
  readonly upstreamKeys?: ReadonlyMap<number, UpstreamKey> | undefined;
};

/**
 * `elsewhere`: another program has the key. `foreign`: it was stored for another address than that of
 * the source, which a restored file may have changed.
 */
export type NoKey = 'missing' | 'elsewhere' | 'foreign';

/**
 * Returns the key of a source, or the reason why there is none to send. Throws `upstream_keys_open`
 * if other accounts may read the file, `upstream_keys_damaged`, or `unavailable`.
 */
export function findUpstreamKey(source: MirrorSource, tools: KeyTools): UpstreamKey | NoKey {
  const { id, baseUrl, keyStore } = source;
  const { home, upstreamKeys } = tools;
  const isInFile = keyStore === 'file';
  // The command line may have replaced a key that the window still has in memory.
  const stored = isInFile ? readAll(home)[id] : upstreamKeys?.get(id);
  if (stored !== undefined) return isFor(stored, source) ? { ...stored, url: baseUrl } : 'foreign';
  return isInFile || upstreamKeys !== undefined ? 'missing' : 'elsewhere';
}

/** The URL of a source, with its key unless it is a file. */
export type SourceAccess = { readonly url: string; readonly key: string | null };

/** Returns the access to a source. Throws as `requireUpstreamKey` does. */
export function requireAccess(source: MirrorSource, tools: KeyTools): SourceAccess {
  if (source.kind === 'file') return { url: source.baseUrl, key: null };
  return requireUpstreamKey(source, tools);
}

/** Returns the key of a source. Throws `mirror_key_missing`, `_elsewhere` or `_foreign` without one. */
export function requireUpstreamKey(source: MirrorSource, tools: KeyTools): UpstreamKey {
  const key = findUpstreamKey(source, tools);
  if (typeof key === 'object') return key;
  throw problem(`mirror_key_${key}`, { url: source.baseUrl });
}
