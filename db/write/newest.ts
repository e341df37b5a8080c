import type Database from 'better-sqlite3';
import { newestKept } from '../model.ts';
import { newestNoted, newestOfAll } from '../read/newest.ts';

export const newestWrites = {
  enter: `UPDATE events SET newest = 1 WHERE newest = 0 AND row IN (
    SELECT row ${newestOfAll} LIMIT ${newestKept})`,
  leave: `UPDATE events SET newest = 0 WHERE row IN (
    SELECT row ${newestNoted} LIMIT -1 OFFSET ${newestKept})`,
} as const;

/** Marks the newest events of a user. Every transaction that changes them must call it. */
export function keepNewest(sqlite: Database.Database, userId: number): void {
  sqlite.prepare(newestWrites.enter).run({ userId });
  sqlite.prepare(newestWrites.leave).run({ userId });
}
