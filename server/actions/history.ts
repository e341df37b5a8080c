import { z } from 'zod';
import { readHistory, type UndoConflict, undoBatch } from '../../db/history.ts';
import type { Batch } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { ClubEventsError, type Sentence } from '../errors.ts';
import { withReader, withWriter } from '../store.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './users.ts';
import { wording } from './wording.ts';

export const ListHistory = z.strictObject({ user: UserName });

/** Lists the changes made by each import and each undo, newest first. */
export function listHistory(
  { user }: z.infer<typeof ListHistory>,
  { home }: ActionTools,
): Promise<{ user: string; history: Batch[] }> {
  return withReader(home, (db) => ({ user, history: readHistory(db, requireUser(db, user)) }));
}

export const UndoBatch = z.strictObject({
  id: z.int({ error: 'The id of an import is a whole number.' }),
});

type UndoReport = {
  readonly undone: number;
  /** The number of the undo in the history; an undo can itself be undone. */
  readonly batch: number;
  readonly removed: number;
  readonly restored: number;
};

function describeConflicts(id: number, conflicts: number, first: UndoConflict): Sentence {
  const what =
    {
      removed: 'it was removed since',
      'added again': 'it was added again since',
    }[first.laterChange as string] ?? `its ${first.laterChange} was changed since`;
  const count = conflicts === 1 ? 'one event' : `${conflicts} events`;
  const example = `${first.id} ("${first.name}"): ${what}`;
  const why = `as ${count} changed later, such as ${example}`;
  return (audience) =>
    `Import ${id} cannot be taken back, ${why}; ${wording[audience].undoLaterFirst}.`;
}

/**
 * Undoes one import exactly. Throws `unavailable` for an unknown import, one already undone, or one
 * whose undo would lose a later change of the same fields.
 */
export function undoImport(
  { id }: z.infer<typeof UndoBatch>,
  { home, now, onWait }: ActionTools,
): Promise<UndoReport> {
  const undo = (db: Writer): UndoReport => {
    const outcome = undoBatch(db, id, now().toISOString());
    switch (outcome.kind) {
      case 'undone': {
        const { batch, removed, restored } = outcome;
        return { undone: id, batch, removed, restored };
      }
      case 'missing':
        throw unavailable((audience) => wording[audience].unknownImport(id));
      case 'undone before':
        throw unavailable((audience) => wording[audience].undoneBefore(id, outcome.by));
      case 'conflict':
        throw unavailable(describeConflicts(id, outcome.conflicts, outcome.first));
    }
  };
  return withWriter(home, undo, { onWait });
}

function unavailable(sentence: Sentence): ClubEventsError {
  return new ClubEventsError('unavailable', sentence);
}
