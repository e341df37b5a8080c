import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { labelOfSource } from '../../db/mirror-model.ts';
import { StoreError } from '../../db/open.ts';
import { explain, packProblem } from '../base/errors.ts';
import { readElsewhere } from '../club/backup.ts';
import { type FolderStatus, listBackupFolders } from '../club/backup-folder-actions.ts';
import { dayMs, minuteMs } from '../dates/units.ts';
import { problemMessage } from '../messages/message.ts';
import { ownFiles } from './files.ts';
import { type Case, type Finding, type Findings, ok, trouble, warning } from './finding.ts';

/** Tolerance for times that lie ahead of the clock. */
const toleranceMs = 10 * minuteMs;

/** A clock before this time was never set: the program is younger. */
const firstPossible = '2024-01-01T00:00:00.000Z';

/** Compares the clock with the times of the files and of the history. */
export async function probeClock({ home, now, store }: Case): Promise<Findings> {
  const date = now.toISOString();
  if (date < firstPossible) return [trouble('clock_unset', { date })];
  const latest = now.getTime() + toleranceMs;
  for (const path of await ownFiles(home)) {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined || stats.mtimeMs <= latest) continue;
    const newest = stats.mtime.toISOString();
    return [trouble('clock_behind_files', { date, newest, file: basename(path) })];
  }
  const newest = store instanceof StoreError ? null : store.newestChange;
  if (newest !== null && Date.parse(newest) > latest) {
    return [trouble('clock_behind_history', { date, newest })];
  }
  return [ok('clock_fine')];
}

/** Examines the database file and its pages. */
export async function probeDatabase({ home, store, backups }: Case): Promise<Findings> {
  const path = home.database;
  const size = (await stat(path).catch(() => undefined))?.size;
  const wal = (await stat(`${path}-wal`).catch(() => undefined))?.size ?? 0;
  if (!size && (backups.length > 0 || wal > 0)) {
    return [trouble(size === undefined ? 'database_gone' : 'database_empty', { path })];
  }
  if (!(store instanceof StoreError)) {
    const { damage, users, events } = store;
    if (damage !== undefined) return [trouble('pages_damaged', { path, damage })];
    return [ok('database_sound', { users, events })];
  }
  switch (store.problem) {
    case 'damaged':
      return [trouble('pages_damaged', { path, damage: store.reason })];
    case 'newer':
      return [trouble('database_newer', { path })];
    case 'missing':
    case 'interrupted':
      // A new installation without a club, and the journal, have findings of their own.
      return [];
    default: {
      const explained = explain(store);
      const reason = explained ? problemMessage(explained) : store.reason;
      return [trouble('database_unusable', { reason })];
    }
  }
}

/** Looks for the journal of an interrupted change. */
export async function probeJournal({ home }: Case): Promise<Findings> {
  const path = `${home.database}-journal`;
  const stats = await stat(path).catch(() => undefined);
  return stats === undefined || stats.size === 0 ? [] : [warning('journal_left', { path })];
}

/** Days after which a backup in the data directory, or on another disk, is old. */
const oldAfter = { here: 7, elsewhere: 30 };

const daysBetween = (earlier: string, later: Date) =>
  Math.floor((later.getTime() - Date.parse(earlier)) / dayMs);

/** Returns true for a time that is not ahead of the clock. */
const isPast = (time: string, now: Date) => Date.parse(time) <= now.getTime() + toleranceMs;

/** Examines the folders that get each new backup. */
export async function probeBackupFolders({ home, now }: Case): Promise<Findings> {
  const judge = ({ folder, state, arrived, addedAt, failure }: FolderStatus): Finding => {
    if (failure !== null) {
      const reason = problemMessage(failure.problem);
      return warning('backup_folder_failed', { folder, reason });
    }
    const days = daysBetween(arrived?.at ?? addedAt, now);
    if (state === 'current' || days < oldAfter.elsewhere)
      return ok('backup_folder_fine', { folder });
    return warning('backup_folder_old', { folder, days });
  };
  try {
    return (await listBackupFolders({}, { home })).folders.map(judge);
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined) throw error;
    return [trouble('not_examined', { reason: problemMessage(packProblem(explained)) })];
  }
}

/** Examines the newest backup and its age, once there is a club that needs one. */
export async function probeBackups({ home, backups, flaw, store, now }: Case): Promise<Findings> {
  const isNew = store instanceof StoreError ? store.problem === 'missing' : store.users === 0;
  const [newest] = backups;
  if (newest === undefined) return isNew ? [] : [warning('backup_none')];
  const isAhead = (time: string) => !isPast(time, now);
  const judge = (): Finding => {
    const { createdAt: date } = newest;
    const count = daysBetween(date, now);
    if (flaw !== undefined) {
      return trouble('backup_bad', { reason: problemMessage(packProblem(flaw)) });
    }
    if (isAhead(date)) return warning('backup_ahead', { date });
    return count < oldAfter.here ? ok('backup_recent', { date }) : warning('backup_old', { count });
  };
  const proofs = backups.flatMap(({ provenAt: date, counts }) =>
    date === undefined || isAhead(date)
      ? []
      : [ok('backup_proven', { date, count: counts.events })],
  );
  const { at, isComplete } = await readElsewhere({ home });
  const isElsewhere =
    isComplete || (at !== null && !isAhead(at) && daysBetween(at, now) < oldAfter.elsewhere);
  return [
    judge(),
    ...proofs.slice(0, 1),
    ...(isElsewhere ? [] : [warning('backup_not_elsewhere', { days: oldAfter.elsewhere })]),
  ];
}

/** Looks for clubs whose time zone this computer does not know. */
export function probeZones({ store }: Case): Findings {
  if (store instanceof StoreError) return [];
  return store.unknownZones.map((values) => warning('zone_unknown', values));
}

/** Looks for copies of online services whose syncs fail or wait. */
export function probeMirrors({ store }: Case): Findings {
  if (store instanceof StoreError) return [];
  return store.mirrors.map(
    ({ user, zone: timeZone, url: baseUrl, isPaused, question, problem, succeededAt }) => {
      const url = labelOfSource(baseUrl);
      const date = succeededAt === null ? '' : new Date(succeededAt).toISOString();
      if (isPaused) return warning('mirror_paused', { user });
      if (question !== null) return warning('mirror_waits', { user, url });
      if (problem === null) return ok('mirror_synced', { user, url, date, timeZone });
      const code = `sync_${problem.code}` as const;
      const reason = problemMessage({ code, values: { url, id: problem.id ?? '' } });
      return warning('mirror_failed', { user, url, date, timeZone, reason });
    },
  );
}
