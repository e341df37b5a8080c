import { z } from 'zod';
import { type Receipt, readReceipts } from '../../../db/receipts.ts';
import { withReader } from '../../store.ts';
import type { ActionTools } from '../tools.ts';
import { requireUser, UserName } from '../users.ts';

export const ListReceipts = z.strictObject({ user: UserName });

/** Limits of a list that a person reads; the history counts every change. */
const limits = { receipts: 5, changes: 6 };

/** Lists the changes of the last syncs, newest first. */
export function listReceipts(
  { user }: z.infer<typeof ListReceipts>,
  { home }: ActionTools,
): Promise<{ receipts: readonly Receipt[] }> {
  return withReader(home, (db) => ({ receipts: readReceipts(db, requireUser(db, user), limits) }));
}
