import { prepareEventListReads } from '../../db/event-list.ts';
import { findSource, readMirror } from '../../db/mirror.ts';
import { coveredSince } from '../../db/mirror-model.ts';
import type { Reader } from '../../db/open.ts';
import { prepareUserReads } from '../../db/users.ts';
import type { CopyFacts } from './club-copy.ts';

const timestamp = (ms: number) => new Date(ms).toISOString();

/**
 * Reads the facts about a club for a copy of its events. `asOf` is its present; a club that copies an
 * online service has the time of its last list instead.
 */
export function readCopyFacts(
  db: Reader,
  userId: number,
  {
    asOf,
    isFiltered,
    ...facts
  }: Pick<CopyFacts, 'club' | 'timeZone'> & {
    readonly asOf: Date;
    readonly isFiltered: boolean;
  },
): CopyFacts {
  const { revision } = prepareEventListReads(db).state(userId);
  const common = { ...facts, userId, uidBase: prepareUserReads(db).uidBase(userId), revision };
  const source = findSource(db, userId);
  if (source === undefined) return { ...common, complete: !isFiltered, asOf: asOf.toISOString() };
  const { source: state, entries } = readMirror(db, source.id);
  return {
    ...common,
    complete: !isFiltered && coveredSince(state.coverage) === '',
    asOf: state.listedAt === null ? asOf.toISOString() : timestamp(state.listedAt),
    confirmations: Object.fromEntries(
      [...entries].map(([id, { confirmedAt }]) => [String(id), timestamp(confirmedAt)]),
    ),
  };
}
