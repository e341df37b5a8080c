import { z } from 'zod';
import { isDamaged } from '../../db/check.ts';
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
  if (!(await hasDamage(home))) return { database: path };
  const [newest] = listBackups(home);
  if (newest === undefined) throw problem('damage_stops', { path });
  throw problem('damage_stops_backup', { path, backup: Date.parse(newest.createdAt) });
}

async function hasDamage(home: Home): Promise<boolean> {
  try {
    return await withReader(home, isDamaged);
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'damaged') return true;
    throw error;
  }
}
