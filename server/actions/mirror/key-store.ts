import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { acquireLock } from '../../../db/lock.ts';
import { type MirrorSource, readSources } from '../../../db/mirror.ts';
import type { Reader } from '../../../db/open.ts';
import { fileError, problem } from '../../errors.ts';
import type { Home } from '../../home.ts';
import { writeWholeFile } from '../../write-file.ts';
import type { ActionTools, UpstreamKey } from '../tools.ts';

type StoredKeys = Readonly<Record<string, UpstreamKey | string>>;

/** The key of each source, by its id; without an address if an earlier version stored it. */
const StoredKeys: z.ZodType<StoredKeys> = z.record(
  z.string().regex(/^\d+$/),
  z.union([z.strictObject({ url: z.string(), key: z.string() }), z.string()]),
);

/** Returns the text of the file; undefined if there is none. */
function readText({ upstreamKeys: path }: Home): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
  try {
    // Windows has no such mode: there the folder of the account protects the file.
    const isPrivate = process.platform === 'win32' || (fstatSync(file).mode & 0o077) === 0;
    if (!isPrivate) throw problem('upstream_keys_open', { path });
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileError(error, path);
  } finally {
    closeSync(file);
  }
}

function readAll(home: Home): StoredKeys {
  const text = readText(home);
  if (text === undefined) return {};
  try {
    return StoredKeys.parse(JSON.parse(text));
  } catch {
    // Without the cause, which could quote a key.
    throw problem('upstream_keys_damaged', { path: home.upstreamKeys });
  }
}

function writeAll(home: Home, keys: StoredKeys): void {
  const { upstreamKeys: path } = home;
  if (Object.keys(keys).length > 0) {
    writeWholeFile(path, [`${JSON.stringify(keys)}\n`]);
    return;
  }
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw fileError(error, path);
  }
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

/** Returns a key that an earlier version stored with its address; with none if that is unsure. */
function addAddress(key: string, { baseUrl, paused }: MirrorSource): UpstreamKey {
  // Only a restore changes the address of a source, and it pauses the source.
  return { url: paused === null ? baseUrl : '', key };
}

function takeSyncLock({ syncLock }: Home): (() => void) | undefined {
  try {
    return acquireLock(syncLock);
  } catch (error) {
    throw fileError(error, syncLock);
  }
}

/**
 * Removes the keys of sources that do not exist any more, and gives an address to those that an
 * earlier version stored. Does nothing while another program syncs, which may store a key.
 */
export function tidyUpstreamKeys(home: Home, db: Reader): void {
  // Without keys, no lock file appears.
  if (!existsSync(home.upstreamKeys)) return;
  const release = takeSyncLock(home);
  if (release === undefined) return;
  try {
    const stored = readAll(home);
    const sources = readSources(db);
    const tidy = Object.fromEntries(
      Object.entries(stored).flatMap(([id, key]) => {
        const source = sources.find((each) => String(each.id) === id);
        if (source === undefined) return [];
        return [[id, typeof key === 'string' ? addAddress(key, source) : key]];
      }),
    );
    if (!isDeepStrictEqual(tidy, stored)) writeAll(home, tidy);
  } finally {
    release();
  }
}

/**
 * `elsewhere`: another program has it. `foreign`: it was stored for another address than that of the
 * source, which a restored file may have changed; it must not be sent there.
 */
export type KeyState = 'here' | 'missing' | 'elsewhere' | 'foreign';

type KeyTools = Pick<ActionTools, 'home' | 'upstreamKeys'>;

/**
 * Returns the key of a source with its address, if this program has it. Throws `upstream_keys_open`
 * if other accounts may read the file, `upstream_keys_damaged`, or `unavailable`.
 */
export function findUpstreamKey(
  source: MirrorSource,
  { home, upstreamKeys }: KeyTools,
): UpstreamKey | undefined {
  // The command line may have replaced a key that the window still has in memory.
  if (source.keyStore !== 'file') return upstreamKeys?.get(source.id);
  const stored = readAll(home)[source.id];
  return typeof stored === 'string' ? addAddress(stored, source) : stored;
}

/** Returns the state of the key of a source, for this program. */
export function keyState(source: MirrorSource, tools: KeyTools): KeyState {
  const key = findUpstreamKey(source, tools);
  if (key !== undefined) return key.url === source.baseUrl ? 'here' : 'foreign';
  return source.keyStore !== 'file' && tools.upstreamKeys === undefined ? 'elsewhere' : 'missing';
}

/**
 * Returns the key of a source. Throws `mirror_key_elsewhere` or `mirror_key_missing` if this program
 * does not have it, and `mirror_key_foreign` for the key of another address.
 */
export function requireUpstreamKey(source: MirrorSource, tools: KeyTools): UpstreamKey {
  const key = findUpstreamKey(source, tools);
  if (key?.url === source.baseUrl) return key;
  const state = keyState(source, tools) as Exclude<KeyState, 'here'>;
  throw problem(`mirror_key_${state}`, { url: source.baseUrl });
}
