import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { fileError, problem } from '../../errors.ts';
import type { Home } from '../../home.ts';
import { writeWholeFile } from '../../write-file.ts';

/** The key of each source, by its id. */
const StoredKeys = z.record(z.string().regex(/^\d+$/), z.string());
type StoredKeys = Readonly<Record<string, string>>;

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
 * Returns the key of a source, if there is one. Throws `upstream_keys_open` if other accounts may
 * read the file, `upstream_keys_damaged`, or `unavailable`.
 */
export function readUpstreamKey(home: Home, sourceId: number): string | undefined {
  return readAll(home)[sourceId];
}

/** Stores the key of a source in place of its last one. Call it under the lock of the home. */
export function storeUpstreamKey(home: Home, sourceId: number, key: string): void {
  writeAll(home, { ...readAll(home), [sourceId]: key });
}

/** Removes the key of a source, and the file with the last one. Call it under the lock of the home. */
export function removeUpstreamKey(home: Home, sourceId: number): void {
  const { [sourceId]: _, ...rest } = readAll(home);
  writeAll(home, rest);
}
