import { z } from 'zod';
import { findDamage } from '../../db/check.ts';
import { problem } from '../errors.ts';
import { withReader } from '../store.ts';
import type { ActionTools } from './tools.ts';

export const Check = z.strictObject({});

/**
 * Verifies the database with its schema and search words. Throws `unavailable` if it is damaged.
 */
export function checkStore(
  _: z.infer<typeof Check>,
  { home }: ActionTools,
): Promise<{ database: string }> {
  return withReader(home, (db) => {
    const damage = findDamage(db);
    if (damage.length === 0) return { database: home.database };
    throw problem('damage_found', { path: home.database, damage: damage.join('; ') });
  });
}
