import type { ActionResult } from '../../../bridge.ts';

type Batch = ActionResult<'history'>['history'][number];

/** What a batch did: the taking back of a taking back brings an import back. */
export type Deed = 'import' | 'takeBack' | 'bringBack';

/** A batch of the history, with how it belongs to the others. */
export type Entry = Batch & {
  readonly deed: Deed;
  /** When the import took place that all of this is about. */
  readonly importedAt: string;
  /** When the batch was taken back, if it was. */
  readonly undoneAt: string | undefined;
};

/** The history as a list to read, in the order in which it comes: the last batch first. */
export function readEntries(history: readonly Batch[]): Entry[] {
  const whenById = new Map(history.map(({ id, createdAt }) => [id, createdAt]));
  const known = new Map<number, Entry>();
  const oldestFirst = history.toReversed().map((batch) => {
    const target = batch.undoes === null ? undefined : known.get(batch.undoes);
    const undoing = target?.deed === 'takeBack' ? 'bringBack' : 'takeBack';
    const entry: Entry = {
      ...batch,
      deed: batch.undoes === null ? 'import' : undoing,
      importedAt: target?.importedAt ?? batch.createdAt,
      undoneAt: batch.undoneBy === null ? undefined : whenById.get(batch.undoneBy),
    };
    known.set(batch.id, entry);
    return entry;
  });
  return oldestFirst.toReversed();
}
