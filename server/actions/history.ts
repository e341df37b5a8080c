import { z } from 'zod';
import {
  countBatches,
  historyLimit,
  readAddedEvents,
  readHistory,
  type UndoConflict,
  undoBatch,
} from '../../db/history.ts';
import type { Batch } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { problem } from '../errors.ts';
import { type Message, message, type ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store.ts';
import { backUpBeforeLargeRemoval } from './backup.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './users.ts';

export const ListHistory = z.strictObject({
  user: UserName,
  /** Most changes to list. */
  limit: z.int().min(1).max(1_000_000).default(historyLimit),
});

type HistoryReport = {
  readonly user: string;
  readonly history: readonly Batch[];
  /** The number of older changes, which are not listed. */
  readonly older: number;
};

/** Lists the newest changes made by each import, edit, sync and undo, newest first. */
export function listHistory(
  { user, limit }: z.output<typeof ListHistory>,
  { home }: ActionTools,
): Promise<HistoryReport> {
  return withReader(home, (db) => {
    const id = requireUser(db, user);
    const history = readHistory(db, id, limit);
    return { user, history, older: Math.max(countBatches(db, id) - history.length, 0) };
  });
}

export const UndoBatch = z.strictObject({
  id: z.int({ error: 'import_id_invalid' satisfies ProblemCode }),
});

type UndoReport = {
  readonly undone: number;
  /** The number of the undo in the history; an undo can itself be undone. */
  readonly batch: number;
  readonly removed: number;
  readonly restored: number;
};

/** Returns the reason why an event prevents an undo. */
function describeConflict({ laterChange }: UndoConflict): Message {
  if (laterChange === 'removed') return message('undoConflict:removed');
  if (laterChange === 'added again') return message('undoConflict:added_again');
  return message('undoConflict:changed', { field: message(`field:${laterChange}`) });
}

/**
 * Undoes one import exactly, after a backup if that removes many events. Throws `unavailable` for an
 * unknown import, one already undone, or one whose undo would lose a later change of the same fields.
 * Throws `sync_not_undoable` for a sync, and `user_mirrored` for a user with a mirror.
 */
export function undoImport(
  { id }: z.infer<typeof UndoBatch>,
  tools: ActionTools,
): Promise<UndoReport> {
  const undo = (db: Writer): UndoReport => {
    backUpBeforeLargeRemoval(readAddedEvents(db, id), tools);
    const outcome = undoBatch(db, id, tools.now().toISOString());
    switch (outcome.kind) {
      case 'undone': {
        const { batch, removed, restored } = outcome;
        return { undone: id, batch, removed, restored };
      }
      case 'missing':
        throw problem('import_unknown', { id });
      case 'undone before':
        throw problem('import_undone_before', { id, by: outcome.by });
      case 'sync':
        throw problem('sync_not_undoable', { id, source: outcome.source });
      case 'mirrored':
        throw problem('user_mirrored', { user: outcome.user, url: outcome.baseUrl });
      case 'conflict':
        throw problem('undo_conflict', {
          id,
          count: outcome.conflicts,
          event: outcome.first.id,
          name: outcome.first.name,
          reason: describeConflict(outcome.first),
        });
    }
  };
  return withWriter(tools.home, undo, tools);
}
