import { z } from 'zod';
import { findHistoryProblems, isDamaged } from '../../db/check.ts';
import { type OnStep, StoreError } from '../../db/open.ts';
import { problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { findFlaw } from '../store/backup-check.ts';
import { listBackups } from '../store/backup-records.ts';
import { forgetCheck, readFileState, rememberCheck } from '../store/checked-file.ts';
import { withReader } from '../store/store.ts';
import type { ActionTools } from './tools.ts';

export const FindDamage = z.strictObject({});

/**
 * Throws `damage_stops` with the newest good backup if the database is damaged, and `history_differs` if
 * its events do not fit the history. Another program may have changed them.
 */
export async function requireSound(
  _: z.infer<typeof FindDamage>,
  { home, onStep }: Pick<ActionTools, 'home' | 'onStep'>,
): Promise<{ database: string }> {
  const path = home.database;
  const state = readFileState(home);
  const history = await readHistoryProblems(home, onStep);
  if (history !== undefined) {
    if (state !== undefined) rememberCheck(home, state, { isUnchanged: true });
    if (history.length === 0) return { database: path };
    throw problem('history_differs', { path, damage: history.join('; ') });
  }
  forgetCheck(home);
  for (const { name, createdAt } of listBackups(home)) {
    onStep?.();
    if ((await findFlaw(home, name)) !== undefined) continue;
    throw problem('damage_stops_backup', { path, backup: Date.parse(createdAt) });
  }
  throw problem('damage_stops', { path });
}

/** Returns undefined for a damaged database, whose history cannot be trusted. */
async function readHistoryProblems(home: Home, onStep?: OnStep): Promise<string[] | undefined> {
  try {
    return await withReader(home, (db) => {
      if (isDamaged(db, onStep)) return undefined;
      onStep?.();
      return findHistoryProblems(db);
    });
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'damaged') return undefined;
    throw error;
  }
}
