import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Home } from '../base/home.ts';
import { withLock } from '../base/lock.ts';
import { writeWholeFile } from '../base/write-file.ts';
import { hourMs } from '../dates/units.ts';
import { listBackups, nameOf } from '../store/backup-records.ts';
import { isRecent } from '../store/backup-rotation.ts';
import { Failure } from './live-files.ts';
import type { Look } from './reconciler.ts';
import { isDueAt } from './settle.ts';
import { outsidePath, readList, readOutsideState, writeOutsideState } from './state-file.ts';

/** A folder that gets each new backup, as a person chose it. */
const Folder = z.object({
  folder: z.string(),
  /** The folder without links. */
  real: z.string(),
  addedAt: z.string(),
  /** True if it was on another disk than the data directory. */
  isElsewhere: z.boolean(),
  /** The folder at which its disk was mounted; null for the disk of the system. */
  mount: z.string().nullable(),
});
export type BackupFolder = z.infer<typeof Folder>;

const Stored = z.object({ folders: z.array(Folder) });

/** Reads the folders in the order in which they were added. Throws `backup_folders_damaged`. */
export function readBackupFolders({ backupFolders }: Home): readonly BackupFolder[] {
  return readList(backupFolders, Stored, 'backup_folders_damaged')?.folders ?? [];
}

export function storeBackupFolders(home: Home, folders: readonly BackupFolder[]): void {
  writeWholeFile(home.backupFolders, [`${JSON.stringify({ folders })}\n`]);
}

const State = z.object({
  /** The name of the folder of this home in the chosen one; empty before the first look. */
  own: z.string(),
  /** The time of the last look; null before the first. */
  checkedAt: z.string().nullable(),
  /** False while the folder is not there, such as a stick. */
  isThere: z.boolean(),
  /** The newest backup that arrived, when it was made, and when it arrived. */
  arrived: z.object({ name: z.string(), createdAt: z.string(), at: z.string() }).nullable(),
  failure: Failure.nullable(),
  /**
   * The stamps of the home's backups, of the chosen folder and of the own one at the last look; null
   * for a folder that could not be read.
   */
  stamps: z.object({
    home: z.string(),
    chosen: z.string().nullable(),
    own: z.string().nullable(),
  }),
  /** The copies by their files, as they were when they were last read whole. */
  copies: z.record(
    z.string(),
    z.object({
      sha256: z.string(),
      size: z.number(),
      modifiedAt: z.number(),
      readAt: z.string(),
      /** False for one that is damaged. */
      isSound: z.boolean(),
    }),
  ),
  /** The time of the last daily reading. */
  readAt: z.string().nullable(),
});
export type FolderState = z.infer<typeof State>;

/** The state of a folder before the first look. */
export const unknownState: FolderState = {
  ...{ own: '', checkedAt: null, isThere: false, arrived: null, failure: null },
  ...{ stamps: { home: '', chosen: null, own: null }, copies: {}, readAt: null },
};

/** Returns the name of a file about a folder, which stays when the folder leaves the list. */
function fileNameOf({ real }: BackupFolder, ending: 'json' | 'lock'): string {
  return `backups-${hash('sha256', real).slice(0, 12)}.${ending}`;
}

export function readFolderState(home: Home, folder: BackupFolder): FolderState {
  return readOutsideState(home, fileNameOf(folder, 'json'), State) ?? unknownState;
}

export function storeFolderState(home: Home, folder: BackupFolder, state: FolderState): void {
  writeOutsideState(home, fileNameOf(folder, 'json'), state);
}

/** Runs `use` while no other program compares a folder; undefined if one does. */
export async function withFolderLock<T>(
  home: Home,
  folder: BackupFolder,
  options: Parameters<typeof withLock>[1],
  use: () => Promise<T>,
): Promise<T | undefined> {
  return (await withLock(outsidePath(home, fileNameOf(folder, 'lock')), options, use))?.result;
}

/** Returns a text that changes with each backup of the home. */
export function stampOfBackups({ backups }: Home): string {
  return String(statSync(backups, { throwIfNoEntry: false })?.mtimeMs ?? '');
}

/** Returns the names of the backups in a folder. */
export function listArrived({ copies }: FolderState): ReadonlySet<string> {
  const files = Object.entries(copies).filter(([, { isSound }]) => isSound);
  return new Set(files.map(([file]) => nameOf(file)));
}

/** Returns true if a backup of the home has not arrived. */
export function isFolderBehind(home: Home, state: FolderState): boolean {
  const arrived = listArrived(state);
  return listBackups(home).some(({ name }) => !arrived.has(name));
}

/** Returns the paths whose changes matter for a folder. */
export function watchedPaths(home: Home, folder: BackupFolder): readonly string[] {
  const { own } = readFolderState(home, folder);
  return own === '' ? [folder.real] : [folder.real, join(folder.real, own)];
}

/** Returns the folders to compare now. */
export function findDueFolders(
  home: Home,
  now: Date,
  { isWake, stampOf }: Look = { isWake: false, stampOf: () => undefined },
): readonly BackupFolder[] {
  const backups = stampOfBackups(home);
  return readBackupFolders(home).filter((folder) => {
    const { checkedAt, isThere, failure, stamps, own } = readFolderState(home, folder);
    const isAway = !isThere || failure !== null;
    const hasChanged = (path: string, stamp: string | null) =>
      stamp !== null && (stampOf(path) ?? stamp) !== stamp;
    if (checkedAt === null || stamps.home !== backups || (isAway && isWake)) return true;
    if (failure !== null && failure.nextAt !== null && isDueAt(failure.nextAt, now)) return true;
    // The person may use the chosen folder for other things, too.
    if (isAway && hasChanged(folder.real, stamps.chosen)) return true;
    return hasChanged(join(folder.real, own), stamps.own) || !isRecent(checkedAt, now, hourMs);
  });
}
