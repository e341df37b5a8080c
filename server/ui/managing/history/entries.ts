import type { ActionResult } from '../../../bridge.ts';

type Batch = ActionResult<'history'>['history'][number];

/** The kind of a batch: an import, its undo, or its redo (the undo of an undo). */
export type Deed = 'import' | 'takeBack' | 'bringBack';

/** A batch of the history with its relation to the others; times are ISO timestamps. */
export type Entry = Batch & {
  readonly deed: Deed;
  /** The time of the import itself, also for its undo and redo. */
  readonly importedAt: string;
  /** The time of the undo, if the batch was undone. */
  readonly undoneAt: string | undefined;
};

/** Returns an entry for each batch, in the same order; batches must come newest first. */
export function readEntries(history: readonly Batch[]): Entry[] {
  const timeById = new Map(history.map(({ id, createdAt }) => [id, createdAt]));
  const entryById = new Map<number, Entry>();
  const oldestFirst = history.toReversed().map((batch) => {
    const target = batch.undoes === null ? undefined : entryById.get(batch.undoes);
    const undoDeed = target?.deed === 'takeBack' ? 'bringBack' : 'takeBack';
    const entry: Entry = {
      ...batch,
      deed: batch.undoes === null ? 'import' : undoDeed,
      importedAt: target?.importedAt ?? batch.createdAt,
      undoneAt: batch.undoneBy === null ? undefined : timeById.get(batch.undoneBy),
    };
    entryById.set(batch.id, entry);
    return entry;
  });
  return oldestFirst.toReversed();
}
