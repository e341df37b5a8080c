import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { problem } from '../base/errors.ts';
import { requireOutsideHome } from '../base/home.ts';
import { withLock } from '../base/lock.ts';
import type { PackedProblem } from '../messages/message.ts';
import {
  type BackupFolder,
  type FolderState,
  findDueFolders,
  isFolderBehind,
  listArrived,
  readBackupFolders,
  readFolderState,
  storeBackupFolders,
  storeFolderState,
  withFolderLock,
} from '../outside/backup-folders.ts';
import { callOutside } from '../outside/outside-files.ts';
import { settleFolder } from '../outside/settle-backups.ts';
import { outsidePath } from '../outside/state-file.ts';
import type { ActionTools } from './tools.ts';

/** The state of a folder for people. */
export type FolderStatus = {
  /** The folder as it was chosen. */
  readonly folder: string;
  /** The folder in it that has the backups of this data directory. */
  readonly path: string;
  /** False on the disk of the data directory. */
  readonly isElsewhere: boolean;
  readonly addedAt: string;
  /** `behind`: a backup has not arrived yet. `waiting`: the same, as the folder is not there. */
  readonly state: 'current' | 'behind' | 'waiting' | 'failed';
  /** The number of backups in the folder when it was last there. */
  readonly backups: number;
  /** When the newest backup in the folder arrived, and when it was made; null before the first. */
  readonly arrived: { readonly at: string; readonly createdAt: string } | null;
  readonly failure: {
    readonly problem: PackedProblem;
    readonly since: string;
    readonly nextAt: string | null;
  } | null;
};

function describeFolder(
  folder: BackupFolder,
  state: FolderState,
  { home }: Pick<ActionTools, 'home'>,
): FolderStatus {
  const { own, isThere, arrived, failure } = state;
  const missing = isThere ? 'behind' : 'waiting';
  const reached = isFolderBehind(home, state) ? missing : 'current';
  return {
    folder: folder.folder,
    path: join(folder.folder, own),
    isElsewhere: folder.isElsewhere,
    addedAt: folder.addedAt,
    state: failure === null ? reached : 'failed',
    backups: listArrived(state).size,
    arrived: arrived && { at: arrived.at, createdAt: arrived.createdAt },
    failure: failure && {
      problem: { code: failure.code, values: failure.values },
      since: failure.since,
      nextAt: failure.nextAt,
    },
  };
}

export const ListBackupFolders = z.strictObject({});

/** Lists the folders that get each new backup. */
export async function listBackupFolders(
  _: z.output<typeof ListBackupFolders>,
  tools: Pick<ActionTools, 'home'>,
): Promise<{ folders: FolderStatus[] }> {
  const { home } = tools;
  const folders = readBackupFolders(home);
  return {
    folders: folders.map((each) => describeFolder(each, readFolderState(home, each), tools)),
  };
}

/** Runs `use` while no other program changes the list of folders. Throws `backup_folder_busy`. */
async function withFolders<T>({ home, onWait }: ActionTools, use: () => Promise<T>): Promise<T> {
  const path = outsidePath(home, 'backups.lock');
  const done = await withLock(path, { waits: true, onWait }, use);
  if (done === undefined) throw problem('backup_folder_busy');
  return done.result;
}

type SettleTools = ActionTools & { readonly timeout?: number | undefined };

/** Compares a folder; undefined if another program does so, and `waits` is false or it takes long. */
function settle(folder: BackupFolder, tools: SettleTools, waits: boolean) {
  const { home, onWait } = tools;
  return withFolderLock(home, folder, { waits, onWait }, () =>
    settleFolder(folder, readFolderState(home, folder), tools, (state) =>
      storeFolderState(home, folder, state),
    ),
  );
}

export const AddBackupFolder = z.strictObject({
  /** The folder; in the window, its token. */
  path: z.string().min(1),
});

/** Copies the backups to a folder, which then gets each new one. Stores nothing if none can be copied. */
export function addBackupFolder(
  { path }: z.output<typeof AddBackupFolder>,
  tools: ActionTools,
): Promise<FolderStatus> {
  const { home, now } = tools;
  const folder = resolve(path);
  return withFolders(tools, async () => {
    // First, as it is the only one that does not wait forever for a disk that hangs.
    const { real, disk, mount } = await callOutside(tools, 'look', { folder, name: '.' });
    requireOutsideHome(join(real, 'Club Events backups'), home);
    const others = readBackupFolders(home);
    if (others.some((each) => each.real === real)) throw problem('backup_folder_known', { folder });
    const isElsewhere = disk !== String(statSync(home.directory, { bigint: true }).dev);
    const added = { folder, real, addedAt: now().toISOString(), isElsewhere, mount };
    const state = await settle(added, tools, true);
    if (state === undefined) throw problem('backup_folder_busy');
    const { failure } = state;
    const isUseless = failure !== null && listArrived(state).size === 0;
    if (isUseless) throw problem(failure.code, failure.values);
    storeBackupFolders(home, [...others, added]);
    return describeFolder(added, state, tools);
  });
}

export const RemoveBackupFolder = z.strictObject({
  /** A folder of the list, which is not read. */
  folder: z.string().min(1),
});

/** Takes a folder off the list. The backups in it stay. */
export function removeBackupFolder(
  { folder }: z.output<typeof RemoveBackupFolder>,
  tools: ActionTools,
): Promise<{ folder: string; path: string }> {
  const { home } = tools;
  return withFolders(tools, async () => {
    const all = readBackupFolders(home);
    const names = [folder, resolve(folder)];
    const removed = all.find((each) => names.includes(each.folder) || names.includes(each.real));
    if (removed === undefined) throw problem('backup_folder_unknown', { folder });
    storeBackupFolders(
      home,
      all.filter((each) => each !== removed),
    );
    const { path } = describeFolder(removed, readFolderState(home, removed), tools);
    return { folder: removed.folder, path };
  });
}

export const TickBackupFolders = z.strictObject({
  /** The only folder, by its path without links, which may not be due; by default, all that are due. */
  folder: z.string().optional(),
  /** Milliseconds after which a folder that gives no sign of life does not answer. */
  timeout: z.number().optional(),
});

/**
 * Brings the folders that are due up to date. Does nothing for a folder that another program compares.
 * Failures are stored, and passed to `warn`.
 */
export async function tickBackupFolders(
  { folder: only, timeout }: z.output<typeof TickBackupFolders>,
  tools: ActionTools,
): Promise<{ folders: number }> {
  const { home, now, warn } = tools;
  const due =
    only === undefined
      ? findDueFolders(home, now())
      : readBackupFolders(home).filter(({ real }) => real === only);
  const run = async (folder: BackupFolder) => {
    const state = await settle(folder, { ...tools, timeout }, false);
    const failure = state?.failure ?? null;
    if (failure !== null) warn?.(problem(failure.code, failure.values));
  };
  // At the same time, so that a folder that does not answer delays no other.
  await Promise.all(due.map(run));
  return { folders: due.length };
}
