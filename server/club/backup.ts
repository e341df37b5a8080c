import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { StoreError } from '../../db/open.ts';
import { renewCopy, replaceStore, type StoreCounts } from '../../db/replace-database.ts';
import { hasLog } from '../../db/write-ahead-log.ts';
import { explain, fileError, Problem, problem } from '../base/errors.ts';
import {
  type Home,
  homeAt,
  requireDatabaseNotLost,
  requireOtherFile,
  requireOutsideHome,
} from '../base/home.ts';
import { renameFile, syncFolder } from '../base/write-file.ts';
import { dayMs } from '../dates/units.ts';
import type { ProblemCode } from '../messages/message.ts';
import { isRestored, suffixes, verifyCopy, withCopy } from '../store/backup-check.ts';
import {
  backUpBeforeRemoval,
  createBackup,
  failureOf,
  isBackupDue,
  readWrittenElsewhere,
  timeInName,
  writeBackup,
} from '../store/backup-files.ts';
import {
  type Backup,
  backupPath,
  compressedPath,
  findFile,
  listBackups,
  listNames,
  prepareBackups,
  readRecord,
  rememberProof,
  temporaryPath,
} from '../store/backup-records.ts';
import { compressBackups, isRecent } from '../store/backup-rotation.ts';
import { requireNoNodeAt, warnIfSynchronised, withReader } from '../store/store.ts';
import { listBackupFolders } from './backup-folder-actions.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './user-actions.ts';

export const CreateBackup = z
  .strictObject({
    /** A file to write instead of one in the folder of the backups. */
    output: z.string().min(1).optional(),
    /** The only user in the backup, which then is for another computer. */
    user: UserName.optional(),
  })
  .refine(({ output, user }) => user === undefined || output !== undefined, {
    error: 'backup_output_missing' satisfies ProblemCode,
  });

type BackupReport = Pick<Backup, 'createdAt' | 'bytes' | 'sha256' | 'counts'> & {
  /** The name of the backup in the list; null with `output`. */
  readonly name: string | null;
  /** The path of the file. */
  readonly output: string;
};

/** Throws `database_lost` or `database_missing` if there is nothing to back up. */
function requireDatabase(home: Home): void {
  requireDatabaseNotLost(home);
  if (!existsSync(home.database)) throw new StoreError('missing', home.database);
}

/** Makes a verified backup in the data directory, or in a file elsewhere, also of one user alone. */
export async function backUp(
  { output, user }: z.output<typeof CreateBackup>,
  { home, now }: ActionTools,
): Promise<BackupReport> {
  requireDatabase(home);
  if (output === undefined) {
    const { name, createdAt, bytes, sha256, counts } = createBackup(home, 'hand', now());
    return { name, createdAt, bytes, sha256, counts, output: backupPath(home, name) };
  }
  const path = resolve(output);
  requireOutsideHome(path, home);
  if (user !== undefined) requireNoNodeAt(home);
  const userId =
    user === undefined ? undefined : await withReader(home, (db) => requireUser(db, user));
  const { createdAt, bytes, sha256, counts } = writeBackup(home, path, now(), userId);
  return { name: null, createdAt, bytes, sha256, counts, output: path };
}

export const ListBackups = z.strictObject({});

type BackupList = {
  /** The backups, newest first. */
  readonly backups: readonly Omit<Backup, 'state' | 'digest' | 'digestSchema' | 'digests'>[];
  readonly elsewhere: Elsewhere;
};

/** The backups on other disks. */
type Elsewhere = {
  /** The last time at which one was written or arrived there; null if never. */
  readonly at: string | null;
  /** True if all backups are in a folder there. */
  readonly isComplete: boolean;
};

/** Returns what is known about the backups on other disks. */
export async function readElsewhere(tools: Pick<ActionTools, 'home'>): Promise<Elsewhere> {
  const { folders } = await listBackupFolders({}, tools).catch((error) => {
    // A damaged list has a sentence of its own.
    if (explain(error) === undefined) throw error;
    return { folders: [] };
  });
  const there = folders.filter(({ isElsewhere }) => isElsewhere);
  const times = [
    readWrittenElsewhere(tools.home) ?? [],
    there.flatMap(({ arrived }) => arrived?.at ?? []),
  ].flat();
  return {
    at: times.toSorted().at(-1) ?? null,
    isComplete: there.some(({ state }) => state === 'current'),
  };
}

export async function listAllBackups(
  _: z.output<typeof ListBackups>,
  { home }: ActionTools,
): Promise<BackupList> {
  const backups = listBackups(home).map(
    ({ state: _, digest: _digest, digestSchema: _schema, digests: _digests, ...backup }) => backup,
  );
  return { backups, elsewhere: await readElsewhere({ home }) };
}

export const BackUpDaily = z.strictObject({});

/** Makes the backup of the day if it is due. Throws `backup_failed` or `cancelled`. */
export async function makeDailyBackup(
  _: z.output<typeof BackUpDaily>,
  { home, now, onStep }: ActionTools,
): Promise<{ name: string | null }> {
  try {
    // First: what they take less is not missing when a new one makes older ones expire.
    await compressBackups(home, now(), onStep);
    if (!isBackupDue(home, now())) return { name: null };
    return { name: createBackup(home, 'daily', now(), onStep).name };
  } catch (error) {
    throw failureOf('backup_failed', error);
  }
}

/** Smallest removal of many events: more than this number, and more than this share of all. */
const largeRemoval = { number: 10, share: 0.2 };

/** Makes a backup before many events are removed. The removal can be undone, so it never fails. */
export function backUpBeforeLargeRemoval(
  { removed, total }: { readonly removed: number; readonly total: number },
  { home, now, warn }: ActionTools,
): void {
  if (removed <= largeRemoval.number || removed <= largeRemoval.share * total) return;
  backUpBeforeRemoval(home, { now, warn, isNeeded: false });
}

export const RestoreBackup = z
  .strictObject({
    /** A file, or the name of one in the folder of the backups. */
    file: z.string().min(1).optional(),
    /** A name from the list. */
    name: z.string().min(1).optional(),
    /** True to check the content alone, as if the file had no record. */
    withoutRecord: z.boolean().default(false),
  })
  .refine(({ file, name }) => (file === undefined) !== (name === undefined));

type RestoreReport = {
  /** The name of the restored file. */
  readonly restored: string;
  /** The time of the backup; null if its record is missing. */
  readonly createdAt: string | null;
  readonly counts: StoreCounts;
  /** The backup of the replaced database, whose restore undoes this; null if it was damaged. */
  readonly replaced: string | null;
  /** The name under which a damaged database is kept. */
  readonly damaged: string | null;
};

/** Returns the path of the backup to restore. Throws if there is none of that name. */
function findSource(home: Home, { file, name }: z.output<typeof RestoreBackup>): string {
  if (file === undefined) {
    const listed = listBackups(home).find((backup) => backup.name === name);
    if (listed === undefined) throw problem('backup_unknown', { name: name ?? '' });
    return findFile(home, listed.name);
  }
  // A backup without a record is in no list.
  const own = listNames(home).find((each) => [each, compressedPath(each)].includes(file));
  if (own !== undefined) return findFile(home, own);
  const path = resolve(file);
  requireOtherFile(path, home);
  return path;
}

/** Returns a name that no damaged database has. */
function nameDamaged(directory: string, now: Date): string {
  const time = timeInName(now.toISOString());
  for (let number = 1; ; number += 1) {
    const name = `events.damaged-${time}${number === 1 ? '' : `-${number}`}.sqlite`;
    if (!suffixes.some((suffix) => existsSync(join(directory, name + suffix)))) return name;
  }
}

/** Renames a database that cannot be read, with its log; returns the new name, if there is any. */
function quarantine({ database, directory }: Home, now: Date): string | null {
  // Neither an empty log nor the index of a log has anything to keep.
  const moved = ['', '-wal', '-journal'].filter((suffix) =>
    suffix === '-wal' ? hasLog(database) : existsSync(database + suffix),
  );
  const name = moved.length === 0 ? null : nameDamaged(directory, now);
  for (const suffix of moved) renameFile(database + suffix, join(directory, `${name}${suffix}`));
  // Last: on Windows, the renames have waited for readers, and a removal does not wait.
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
  return name;
}

const unreadable: ReadonlySet<string> = new Set(['missing', 'foreign', 'damaged', 'stale_log']);

/** Replaces the contents of the database, of which a backup is kept; undefined if it is damaged. */
async function replaceContents(
  copy: string,
  { home, now, onWait }: ActionTools,
): Promise<string | undefined> {
  const { database } = home;
  // SQLite would delete the log beside an empty file.
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  let replaced: string | undefined;
  const beforeReplacing = () => {
    replaced = createBackup(home, 'restore', now()).name;
  };
  try {
    await replaceStore(copy, database, { onWait, beforeReplacing });
    return replaced;
  } catch (error) {
    if (error instanceof StoreError && unreadable.has(error.problem)) return undefined;
    throw error;
  }
}

/** Puts a copy in the place of a missing or damaged database, which is kept under another name. */
function replaceFile(copy: string, { home, now }: ActionTools): string | null {
  renewCopy(copy);
  try {
    const damaged = quarantine(home, now());
    renameFile(copy, home.database);
    syncFolder(home.directory);
    return damaged;
  } catch (error) {
    const failure = fileError(error, home.database);
    const isOpen = failure instanceof Problem && failure.code === 'file_open_elsewhere';
    throw isOpen ? problem('database_open_elsewhere', { path: home.database }, error) : failure;
  }
}

/**
 * Replaces the database by a backup, after verifying it. The replaced database is kept as a backup,
 * or as a file if it is damaged. A running service answers from the restored events at once.
 */
export async function restoreBackup(
  request: z.output<typeof RestoreBackup>,
  tools: ActionTools,
): Promise<RestoreReport> {
  const { home, onStep } = tools;
  requireNoNodeAt(home);
  const path = findSource(home, request);
  const record = request.withoutRecord ? undefined : readRecord(path);
  const isNew = !existsSync(home.database);
  prepareBackups(home);
  const restore = async (copy: string): Promise<RestoreReport> => {
    const { counts } = await verifyCopy(copy, { path, record, onStep });
    const replaced = await replaceContents(copy, tools);
    const damaged = replaced === undefined ? replaceFile(copy, tools) : null;
    if (isNew) warnIfSynchronised(home, tools);
    const createdAt = record?.createdAt ?? null;
    return { restored: basename(path), createdAt, counts, replaced: replaced ?? null, damaged };
  };
  return withCopy(home, path, restore, onStep);
}

export const ProveBackup = z.strictObject({
  /** True to prove the newest backup although one was proven this week. */
  always: z.boolean().default(false),
});

/** Time after which the newest backup is proven again, in milliseconds. */
const proofEveryMs = 7 * dayMs;

/**
 * Proves the newest backup if none was proven for a week: restores it into a folder beside it, and
 * compares the users and events with its record. Throws `backup_unproven`, or as a restore does.
 */
export async function proveNewestBackup(
  { always }: z.output<typeof ProveBackup>,
  tools: ActionTools,
): Promise<{ name: string | null; events: number }> {
  const { home, now, onStep } = tools;
  const backups = listBackups(home);
  const [newest] = backups;
  const isProven = backups.some(({ provenAt }) => isRecent(provenAt ?? '', now(), proofEveryMs));
  if (newest === undefined || (isProven && !always)) return { name: null, events: 0 };
  const { name, counts } = newest;
  prepareBackups(home);
  const restored = homeAt(temporaryPath(home));
  try {
    await restoreBackup(
      { file: findFile(home, name), withoutRecord: false },
      { ...tools, home: restored },
    );
    if (!isRestored(restored.database, newest, onStep)) throw problem('backup_unproven', { name });
  } finally {
    rmSync(restored.directory, { recursive: true, force: true });
  }
  rememberProof(home, newest, now().toISOString());
  return { name, events: counts.events };
}
