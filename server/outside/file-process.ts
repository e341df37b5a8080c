import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  type FSWatcher,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  watch,
  writeSync,
} from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { fileError, Problem, problem } from '../base/errors.ts';
import {
  removeTemporary,
  renameFile,
  syncFolder,
  temporaryBeside,
  temporaryName,
  writeWholeFile,
} from '../base/write-file.ts';
import { hourMs } from '../dates/units.ts';
import type { ProblemCode } from '../messages/message.ts';

// A child process for files outside the data directory: a folder on a network disk may hang, and a
// process that waits for it can be killed. A thread that waits would keep its whole program alive.

/** A name in a folder that a person chose. */
export type FolderEntry = {
  readonly folder: string;
  readonly name: string;
  /** The folder without links when it was chosen; a link that leads elsewhere since is refused. */
  readonly real?: string | undefined;
};

/** The state of an entry of a folder; a link is not followed. */
export type Found = {
  readonly kind: 'none' | 'file' | 'folder' | 'link' | 'special';
  readonly size: number;
  /** Differs after each change of the file: inode, size and time. */
  readonly stamp: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
};

/** The functions of the process, each with its arguments and its value. */
export type FileCalls = {
  /** Returns the folder without links, too, and the file to which a link leads. */
  look(entry: FolderEntry): {
    readonly found: Found;
    readonly real: string;
    /** The number of the disk of the folder. */
    readonly disk: string;
    /** The folder at which the disk is mounted; null for that of the system. */
    readonly mount: string | null;
    readonly link?: string;
  };
  /** Creates a folder for this account alone. */
  makeFolder(entry: FolderEntry): void;
  /** The names in the folder that contain a text. */
  list(entry: FolderEntry): readonly (Found & { readonly name: string })[];
  /** The bytes as base64; at most `limit` of them. */
  read(
    entry: FolderEntry,
    limit: number,
  ): { readonly found: Found; readonly bytes: string } | undefined;
  /** Writes bytes in base64, unless the present file has another stamp than `expected`. */
  write(entry: FolderEntry, bytes: string, expected: string, umask: number): Found;
  /**
   * Copies a file of the data directory and reads the copy again. Changes nothing if the file, or the
   * copy, has not the SHA-256.
   */
  copy(entry: FolderEntry, from: string, sha256: string): Found;
  digest(entry: FolderEntry): { readonly found: Found; readonly sha256: string } | undefined;
  remove(entry: FolderEntry, expected: string): void;
};

export type FileCall = {
  readonly [Name in keyof FileCalls]: {
    readonly name: Name;
    readonly args: Parameters<FileCalls[Name]>;
  };
}[keyof FileCalls];

export type FileAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly code: ProblemCode; readonly reason: string }
  /** An internal error, with its stack trace. */
  | { readonly kind: 'fault'; readonly trace: string }
  /** Sent by a long call while it goes on. */
  | { readonly kind: 'progress' };

/** A report of the process that watches: the stamp of a path, which is empty without a file. */
export type WatchReport = { readonly path: string; readonly stamp: string } | 'alive';

const nothing: Found = { kind: 'none', size: 0, stamp: '', modifiedAt: 0 };

function kindOf(stats: BigIntStats): Found['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'special';
}

function describe(stats: BigIntStats): Found {
  const { dev, ino, size, mtimeNs } = stats;
  return {
    kind: kindOf(stats),
    size: Number(size),
    stamp: `${dev}:${ino}:${size}:${mtimeNs}`,
    modifiedAt: Number(mtimeNs / 1_000_000n),
  };
}

/** Returns the folder at which the disk of a folder is mounted; null for that of the system. */
function findMount(folder: string): string | null {
  const parent = dirname(folder);
  if (parent === folder) return null;
  return diskOf(parent) === diskOf(folder) ? findMount(parent) : folder;
}

/** Returns the number of the disk of a file or folder. */
function diskOf(path: string): string {
  return String(statSync(path, { bigint: true }).dev);
}

function find(name: string): Found {
  const stats = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? nothing : describe(stats);
}

/** Returns an ordinary file or nothing. Throws `place_not_a_file` or `file_is_folder` for others. */
function findFile(name: string): Found {
  const found = find(name);
  if (found.kind === 'folder') throw problem('file_is_folder', { path: name });
  if (found.kind === 'link' || found.kind === 'special') {
    throw problem('place_not_a_file', { path: name });
  }
  return found;
}

/** A folder in which no disk is prevented from being removed. */
const elsewhere = parse(process.execPath).root;

/**
 * Runs `use` in the folder of an entry. All names are relative to the folder that was entered, so
 * nobody can put a link in the place of a folder on the way during the work.
 */
function within<T>({ folder, real }: FolderEntry, use: (real: string) => T): T {
  try {
    try {
      process.chdir(folder);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw ['ENOENT', 'ENOTDIR'].includes(code)
        ? problem('publish_folder_gone', { folder })
        : error;
    }
    const entered = realpathSync.native('.');
    if (real !== undefined && real !== entered) throw problem('place_folder_moved', { folder });
    return use(entered);
  } finally {
    process.chdir(elsewhere);
  }
}

/** Opens an ordinary file for reading. A FIFO does not wait, and a link is not followed. */
function openFile(name: string): number | undefined {
  if (findFile(name).kind === 'none') return undefined;
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw problem('place_not_a_file', { path: name });
}

function send(message: FileAnswer | WatchReport): void {
  process.send?.(message);
}

const pieceLength = 1024 * 1024;

/** Bytes of a copy after which they are written to the disk. */
const syncedLength = 8 * pieceLength;

/** Reads a file in pieces, passes each to `use`, and returns the SHA-256 of all. */
function readPieces(file: number, use: (piece: Uint8Array) => void = () => undefined): string {
  const digest = createHash('sha256');
  const buffer = Buffer.alloc(pieceLength);
  for (;;) {
    const length = readSync(file, buffer);
    if (length === 0) return digest.digest('hex');
    const piece = buffer.subarray(0, length);
    digest.update(piece);
    use(piece);
    send({ kind: 'progress' });
  }
}

function digestOfFile(name: string): ReturnType<FileCalls['digest']> {
  const file = openFile(name);
  if (file === undefined) return undefined;
  try {
    return { sha256: readPieces(file), found: describe(fstatSync(file, { bigint: true })) };
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
}

/** Age in milliseconds from which a temporary file belongs to nobody. */
const abandonedMs = hourMs;

/** Deletes the temporary files of writings that were killed, here or on another computer. */
function removeLeftovers(): void {
  const names = readdirSync('.').filter((name) => temporaryName.test(name));
  const isAbandoned = (name: string) => Date.now() - find(name).modifiedAt > abandonedMs;
  removeTemporary(...names.filter(isAbandoned));
}

const calls: FileCalls = {
  look: (entry) =>
    within(entry, (real) => {
      const found = find(entry.name);
      const isLink = found.kind === 'link' && existsSync(entry.name);
      const link = isLink && { link: realpathSync.native(entry.name) };
      return { found, real, disk: diskOf('.'), mount: findMount(real), ...link };
    }),
  makeFolder: (entry) => within(entry, () => mkdirSync(entry.name, { mode: 0o700 })),
  list: (entry) =>
    within(entry, () =>
      readdirSync('.')
        .filter((name) => name.includes(entry.name))
        .map((name) => ({ ...find(name), name })),
    ),
  read: (entry, limit) =>
    within(entry, () => {
      const file = openFile(entry.name);
      if (file === undefined) return undefined;
      try {
        const stats = fstatSync(file, { bigint: true });
        if (stats.size > limit) throw problem('place_too_large', { path: entry.name });
        return { found: describe(stats), bytes: readFileSync(file).toString('base64') };
      } finally {
        closeSync(file);
      }
    }),
  write: (entry, bytes, expected, umask) =>
    within(entry, () => {
      const { name } = entry;
      if (findFile(name).stamp !== expected) throw problem('place_in_use', { path: entry.name });
      removeLeftovers();
      writeWholeFile(name, [Buffer.from(bytes, 'base64')], { umask, replacesLinks: true });
      return find(name);
    }),
  copy: (entry, from, sha256) => {
    const source = openSync(from, 'r');
    try {
      return within(entry, () => {
        const { name } = entry;
        findFile(name);
        removeLeftovers();
        const temporary = temporaryBeside(name);
        try {
          const copy = openSync(temporary, 'wx', 0o600);
          try {
            let unsynced = 0;
            const copied = readPieces(source, (piece) => {
              writeAll(copy, piece);
              unsynced += piece.length;
              if (unsynced < syncedLength) return;
              // At the end alone, a slow disk would be silent for too long.
              fdatasyncSync(copy);
              unsynced = 0;
            });
            if (copied !== sha256) throw problem('backup_altered', { path: entry.name });
            fsyncSync(copy);
          } finally {
            closeSync(copy);
          }
          // Read again: some disks accept what they do not keep.
          if (digestOfFile(temporary)?.sha256 !== sha256)
            throw problem('disk_failed', { path: entry.name });
          renameFile(temporary, name);
          syncFolder('.');
          return find(name);
        } catch (error) {
          removeTemporary(temporary);
          throw error;
        }
      });
    } finally {
      closeSync(source);
    }
  },
  digest: (entry) => within(entry, () => digestOfFile(entry.name)),
  remove: (entry, expected) =>
    within(entry, () => {
      const { kind, stamp } = findFile(entry.name);
      if (kind === 'none') return;
      if (stamp !== expected) throw problem('place_in_use', { path: entry.name });
      rmSync(entry.name);
    }),
};

function answer({ name, args }: FileCall): void {
  try {
    // The compiler cannot relate the arguments to the name.
    const call = calls[name] as (...all: readonly unknown[]) => unknown;
    send({ kind: 'value', value: call(...args) });
  } catch (error) {
    const failure = fileError(error, args[0].name);
    if (failure instanceof Problem) {
      const { code, values } = failure;
      send({ kind: 'problem', code: code as ProblemCode, reason: String(values['reason'] ?? '') });
    } else {
      send({ kind: 'fault', trace: (failure as Error).stack ?? '' });
    }
  }
}

/** Interval in milliseconds of looks at the watched paths, for disks that report no changes. */
const lookEvery = 15_000;

/** Pause in milliseconds after a report, in which a program may still write the file. */
const settleMs = 100;

/** Reports the stamps of paths when they change. Each look is asynchronous: one may hang. */
function watchPaths(): (paths: readonly string[]) => void {
  const stamps = new Map<string, string>();
  const looking = new Set<string>();
  const watchers = new Map<string, FSWatcher | undefined>();
  let watched: readonly string[] = [];

  async function look(path: string): Promise<void> {
    if (looking.has(path)) return;
    looking.add(path);
    try {
      const stamp = describe(await lstat(path, { bigint: true })).stamp;
      report(path, stamp);
      watchFolder(dirname(path));
    } catch {
      // Gone, or not to be read: the program reports why when it uses the file.
      report(path, '');
    } finally {
      looking.delete(path);
    }
  }

  function report(path: string, stamp: string): void {
    if (stamps.get(path) === stamp) return;
    stamps.set(path, stamp);
    send({ path, stamp });
  }

  /** Watches a folder that has just answered. */
  function watchFolder(folder: string): void {
    if (watchers.has(folder)) return;
    watchers.set(folder, undefined);
    let timer: NodeJS.Timeout | undefined;
    const lookSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const path of watched) if (dirname(path) === folder) void look(path);
      }, settleMs);
    };
    try {
      const watcher = watch(folder, lookSoon);
      watchers.set(folder, watcher);
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
    } catch {
      // The looks at intervals are enough.
    }
  }

  function lookAtAll(): void {
    send('alive');
    for (const path of watched) void look(path);
  }

  setInterval(lookAtAll, lookEvery);
  return (paths) => {
    watched = paths;
    for (const path of stamps.keys()) if (!paths.includes(path)) stamps.delete(path);
    for (const [folder, watcher] of watchers) {
      if (paths.some((path) => dirname(path) === folder)) continue;
      watcher?.close();
      watchers.delete(folder);
    }
    lookAtAll();
  };
}

if (process.argv.includes('watch')) process.on('message', watchPaths());
else process.on('message', answer);
// The program has ended.
process.on('disconnect', () => process.exit());
