import { z } from 'zod';
import { findDamage } from '../../db/check.ts';
import { StoreError } from '../../db/open.ts';
import { listBackups } from '../backups.ts';
import { problem } from '../errors.ts';
import type { Home } from '../home.ts';
import { withReader } from '../store.ts';
import type { ActionTools } from './tools.ts';

export const FindDamage = z.strictObject({});

/** Throws `damage_stops` with the newest backup if the database is damaged. */
export async function requireSound(
  _: z.infer<typeof FindDamage>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ database: string }> {
  const path = home.database;
  if (!(await isDamaged(home))) return { database: path };
  const [newest] = listBackups(home);
  if (newest === undefined) throw problem('damage_stops', { path });
  throw problem('damage_stops_backup', { path, backup: Date.parse(newest.createdAt) });
}

async function isDamaged(home: Home): Promise<boolean> {
  try {
    return await withReader(home, (db) => findDamage(db).length > 0);
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'damaged') return true;
    throw error;
  }
}
