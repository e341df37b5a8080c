import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { OnStep } from '../../db/open.ts';
import { explain, fileError } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { removeTemporary, renameFile, syncFolder } from '../base/write-file.ts';
import { addDays, type Day, daysIntoWeek, monthOf, writeDay } from '../dates/days.ts';
import { dayMs } from '../dates/units.ts';
import { isSameContent, withSteps } from './backup-check.ts';
import {
  type Backup,
  backupPath,
  compressedPath,
  listBackups,
  prepareBackups,
  recordPath,
  temporaryPath,
  writeRecord,
} from './backup-records.ts';

/** Returns true for a time in the last `ms` milliseconds: one ahead of the clock is not recent. */
export function isRecent(time: string, now: Date, ms: number): boolean {
  const age = now.getTime() - Date.parse(time);
  return age >= 0 && age < ms;
}

/** Returns the calendar day of a time on this computer, such as `2026-11-22`. */
export function dayOf(time: Date): Day {
  return writeDay(time.getFullYear(), time.getMonth() + 1, time.getDate());
}

/** Returns the Monday of the week of a day. */
const mondayOf = (day: Day) => addDays(day, -daysIntoWeek(day, 1));

/** The newest backup of each of the last days, weeks and months that have one is retained. */
const periods = [
  { periodOf: (day: Day) => day, count: 7 },
  { periodOf: mondayOf, count: 4 },
  { periodOf: monthOf, count: 12 },
] as const;

/** Automatic backups that are not made daily are retained as long as this, and up to this number. */
const protection = { ms: 7 * dayMs, count: 20 };

/** Number of a person's own backups that are retained, however old. */
const ownCount = 10;

/** Bytes of all automatic backups, also as copies of the newest one, above which the oldest expire. */
const space = { bytes: 1_000_000_000, copies: 10 };

/** Returns the backups to delete; `backups` has the newest first, which is never one of them. */
export function chooseExpired(backups: readonly Backup[], now: Date): Backup[] {
  const retained = new Set<Backup>();
  const keepNewest = (group: readonly Backup[]) => {
    for (const { periodOf, count } of periods) {
      const seen = new Set<string>();
      for (const backup of group) {
        const period = periodOf(dayOf(new Date(backup.createdAt)));
        if (seen.has(period) || seen.size === count) continue;
        seen.add(period);
        retained.add(backup);
      }
    }
  };
  const isOwn = ({ reason }: Backup) => reason === 'hand';
  const isDaily = ({ reason }: Backup) => reason === 'daily';
  keepNewest(backups);
  // Another backup of the same day, such as that of a restore, does not replace the daily one.
  keepNewest(backups.filter(isDaily));
  const isProtected = (backup: Backup) =>
    !isDaily(backup) && !isOwn(backup) && isRecent(backup.createdAt, now, protection.ms);
  for (const backup of backups.filter(isProtected).slice(0, protection.count)) retained.add(backup);
  for (const backup of backups.filter(isOwn).slice(0, ownCount)) retained.add(backup);
  const [newest, ...older] = backups;
  const limit = Math.max(space.bytes, space.copies * (newest?.bytes ?? 0));
  const isAutomatic = (backup: Backup) => !isOwn(backup);
  let total = [...retained].filter(isAutomatic).reduce((sum, each) => sum + each.storedBytes, 0);
  for (const backup of older.filter(isAutomatic).toReversed()) {
    if (total <= limit) break;
    if (retained.delete(backup)) total -= backup.storedBytes;
  }
  return backups.filter((backup) => !retained.has(backup));
}

/** Deletes the backups that have expired. */
export function rotate(home: Home, now: Date): void {
  for (const { name } of chooseExpired(listBackups(home), now)) {
    const path = backupPath(home, name);
    const files = [path, compressedPath(path)];
    // The records last: without one, a file would never be deleted.
    for (const file of [...files, ...files.map(recordPath)]) rmSync(file, { force: true });
  }
}

/** Age in milliseconds from which a backup is compressed. The newest one never is. */
const compressedAfterMs = dayMs;

/** Compresses the backups that are older than a day, which then take a tenth of the space. */
export async function compressBackups(home: Home, now: Date, onStep?: OnStep): Promise<void> {
  const [, ...older] = listBackups(home);
  const due = older.filter(
    ({ name, createdAt }) =>
      !isRecent(createdAt, now, compressedAfterMs) && existsSync(backupPath(home, name)),
  );
  if (due.length > 0) prepareBackups(home);
  for (const backup of due) {
    try {
      await compress(home, backup, onStep);
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined || failure.code === 'cancelled') throw error;
      // It stays as it is, and the next call tries again: a new backup must not fail for it.
    }
  }
}

/** Replaces the file of a backup by a compressed one, after reading that as a restore does. */
async function compress(
  home: Home,
  { name, storedBytes: _, ...record }: Backup,
  onStep?: OnStep,
): Promise<void> {
  const path = backupPath(home, name);
  const temporary = temporaryPath(home);
  try {
    await pipeline(
      createReadStream(path),
      withSteps(onStep),
      createGzip(),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    );
    // A file that is not as recorded stays as it is, for a person to look at.
    if (!(await isSameContent(temporary, record, onStep))) return;
    renameFile(temporary, compressedPath(path));
    writeRecord(compressedPath(path), record);
    syncFolder(home.backups);
    for (const file of [path, recordPath(path)]) rmSync(file, { force: true });
  } catch (error) {
    throw fileError(error, path);
  } finally {
    removeTemporary(temporary);
  }
}
