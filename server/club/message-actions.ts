import { z } from 'zod';
import { parseRevision } from '../../db/event-changes.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { readChangesSince, readFirstBatch, readLastBatch } from '../../db/history.ts';
import type { StoredEvent } from '../../db/model.ts';
import { inSnapshot, type Reader, type Writer } from '../../db/open.ts';
import { Told } from '../../db/stored-json.ts';
import { readTold, storeTold, type ToldState } from '../../db/told-states.ts';
import { dayMs } from '../dates/units.ts';
import { withReader, withWriter } from '../store/store.ts';
import { readClubChanges } from './changes.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName, zoneOfClub } from './user-actions.ts';

export const ReadTold = z.strictObject({ user: UserName });

type ToldReport = {
  readonly user: string;
  readonly told: ToldState;
  /** False before the first message: then `told` is what members can be taken to know. */
  readonly isStored: boolean;
  /** False after a restore: members may have been told more since `told`. */
  readonly isCurrent: boolean;
  /** The place in the history that members know after a message now. */
  readonly now: Pick<ToldState, 'epoch' | 'batch'>;
  /** The events that changed since, as members know them; null for one that they do not know. */
  readonly before: readonly { readonly id: number; readonly event: StoredEvent | null }[];
};

/** Days of the history that a first message can tell. */
const daysBeforeFirst = 14;

/**
 * Returns what members can be taken to know before the first message: everything that was there after
 * the first import, or two weeks ago. What was added within a day of that import belongs to it.
 */
function assumeTold(db: Reader, userId: number, epoch: string, now: Date): ToldState {
  const first = readFirstBatch(db, userId);
  const time = new Date(now.getTime() - daysBeforeFirst * dayMs).toISOString();
  const last = readLastBatch(db, userId, time);
  const none = { at: now.toISOString(), language: null, epoch, batch: 0, others: [] };
  if (first === undefined) return none;
  if (last !== undefined && last.id >= first.id) return { ...none, at: time, batch: last.id };
  const dayAfter = new Date(Date.parse(first.at) + dayMs).toISOString();
  const others = readChangesSince(db, userId, { batch: first.id })
    .filter(({ before, at }) => before === null && at <= dayAfter)
    .map(({ id, batch }) => ({ id, batch }));
  return { ...none, at: first.at, batch: first.id, others };
}

/** Returns the events that changed since members were told of them, as they were then. */
function eventsBefore(
  db: Reader,
  userId: number,
  told: ToldState,
  timeZone: string,
): ToldReport['before'] {
  const places = new Map(told.others.map(({ id, batch }) => [id, batch]));
  const from = told.others.reduce((least, { batch }) => Math.min(least, batch), told.batch);
  const before = new Map<number, StoredEvent | null>();
  for (const change of readClubChanges(db, userId, { batch: from }, timeZone)) {
    const { id, batch } = change;
    const isTold = batch <= (places.get(id) ?? told.batch);
    if (!isTold && !before.has(id)) before.set(id, change.before);
  }
  return Array.from(before, ([id, event]) => ({ id, event }));
}

/** Returns what the members of a club were told, and what was different then. */
export function readToldState(
  { user }: z.output<typeof ReadTold>,
  tools: Pick<ActionTools, 'home' | 'now' | 'systemTimeZone'>,
): Promise<ToldReport> {
  const read = (db: Reader): ToldReport => {
    const userId = requireUser(db, user);
    const { epoch = '' } = parseRevision(prepareEventListReads(db).state(userId).revision) ?? {};
    const stored = readTold(db, userId);
    const told = stored ?? assumeTold(db, userId, epoch, tools.now());
    return {
      user,
      told,
      isStored: stored !== undefined,
      isCurrent: told.epoch === epoch,
      now: { epoch, batch: readLastBatch(db, userId)?.id ?? 0 },
      before: eventsBefore(db, userId, told, zoneOfClub(db, userId, tools)),
    };
  };
  return withReader(tools.home, (db) => inSnapshot(db, () => read(db)));
}

export const StoreTold = z.strictObject({ user: UserName, told: Told.nullable() });

/** Stores what the members of a club were told; null forgets it. */
export function storeToldState(
  { user, told }: z.output<typeof StoreTold>,
  tools: ActionTools,
): Promise<{ user: string }> {
  const store = (db: Writer) => {
    storeTold(db, requireUser(db, user), told ?? undefined);
    return { user };
  };
  return withWriter(tools.home, store, tools);
}
