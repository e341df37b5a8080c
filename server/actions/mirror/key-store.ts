import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { fileError, problem } from '../../errors.ts';
import type { Home } from '../../home.ts';
import { writeWholeFile } from '../../write-file.ts';

/** The keys of each source, by its id. */
const StoredKeys = z.record(z.string().regex(/^\d+$/), z.array(z.string()));
type StoredKeys = Readonly<Record<string, readonly string[]>>;

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

/**
 * Returns the keys of a source in the order in which they were added. Throws `upstream_keys_open`
 * if other accounts may read the file, `upstream_keys_damaged`, or `unavailable`.
 */
export function readUpstreamKeys(home: Home, sourceId: number): readonly string[] {
  return readAll(home)[sourceId] ?? [];
}

/** Adds a key of a source, unless it is stored already. Call it under the lock of the home. */
export function addUpstreamKey(home: Home, sourceId: number, key: string): void {
  const all = readAll(home);
  const keys = all[sourceId] ?? [];
  if (!keys.includes(key)) writeAll(home, { ...all, [sourceId]: [...keys, key] });
}

/** Removes all keys of a source, and the file with the last one. Call it under the lock of the home. */
export function removeUpstreamKeys(home: Home, sourceId: number): void {
  const { [sourceId]: _, ...rest } = readAll(home);
  writeAll(home, rest);
}
