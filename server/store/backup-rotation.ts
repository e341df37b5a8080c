import { rmSync } from 'node:fs';
import type { Home } from '../base/home.ts';
import { type Backup, backupPath, listBackups, recordPath } from './backup-records.ts';

/** Returns true for a time in the last `ms` milliseconds: one ahead of the clock is not recent. */
export function isRecent(time: string, now: Date, ms: number): boolean {
  const age = now.getTime() - Date.parse(time);
  return age >= 0 && age < ms;
}

/** Returns the calendar day of a time on this computer, such as `2026-11-22`. */
export function dayOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the Monday of the week of a time. */
function weekOf(time: Date): string {
  const sinceMonday = (time.getDay() + 6) % 7;
  return dayOf(new Date(time.getFullYear(), time.getMonth(), time.getDate() - sinceMonday));
}

const monthOf = (time: Date) => dayOf(time).slice(0, 7);

/** The newest backup of each of the last days, weeks and months that have one is kept. */
const periods = [
  { periodOf: dayOf, count: 7 },
  { periodOf: weekOf, count: 4 },
  { periodOf: monthOf, count: 12 },
] as const;

/** Automatic backups that are not made daily are kept as long as this, and up to this number. */
const protection = { ms: 7 * 24 * 60 * 60 * 1_000, count: 20 };

/** Number of a person's own backups that are kept, however old. */
const ownCount = 10;

/** Size in bytes, and in copies of the newest backup, above which automatic backups are deleted. */
const space = { bytes: 1_000_000_000, copies: 10 };

/** Returns the backups to delete; `backups` has the newest first, which is never one of them. */
export function chooseExpired(backups: readonly Backup[], now: Date): Backup[] {
  const kept = new Set<Backup>();
  const keepNewest = (group: readonly Backup[]) => {
    for (const { periodOf, count } of periods) {
      const seen = new Set<string>();
      for (const backup of group) {
        const period = periodOf(new Date(backup.createdAt));
        if (seen.has(period) || seen.size === count) continue;
        seen.add(period);
        kept.add(backup);
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
  for (const backup of backups.filter(isProtected).slice(0, protection.count)) kept.add(backup);
  for (const backup of backups.filter(isOwn).slice(0, ownCount)) kept.add(backup);
  const [newest, ...older] = backups;
  const limit = Math.max(space.bytes, space.copies * (newest?.bytes ?? 0));
  let total = [...kept].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const backup of older.toReversed()) {
    if (total <= limit) break;
    if (!isOwn(backup) && kept.delete(backup)) total -= backup.bytes;
  }
  return backups.filter((backup) => !kept.has(backup));
}

/** Deletes the backups that have expired. */
export function rotate(home: Home, now: Date): void {
  for (const { name } of chooseExpired(listBackups(home), now)) {
    const path = backupPath(home, name);
    // The record last: without one, the file would never be deleted.
    rmSync(path, { force: true });
    rmSync(recordPath(path), { force: true });
  }
}
