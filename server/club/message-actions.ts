import { z } from 'zod';
import { type AnnouncedState, readAnnounced, storeAnnounced } from '../../db/announced-states.ts';
import { parseRevision } from '../../db/event-changes.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { readChangesSince, readFirstBatch, readLastBatch } from '../../db/history.ts';
import type { StoredEvent } from '../../db/model.ts';
import { inSnapshot, type Reader, type Writer } from '../../db/open.ts';
import { Announced } from '../../db/stored-json.ts';
import { dayMs } from '../dates/units.ts';
import { withReader, withWriter } from '../store/store.ts';
import { readClubChanges } from './changes.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName, zoneOfClub } from './user-actions.ts';

export const ReadAnnounced = z.strictObject({ user: UserName });

type AnnouncedReport = {
  readonly user: string;
  readonly announced: AnnouncedState;
  /** False before the first message: then `announced` is what members can be taken to know. */
  readonly isStored: boolean;
  /** False after a restore: members may have been announced more since `announced`. */
  readonly isCurrent: boolean;
  /** The place in the history that members know after a message now. */
  readonly now: Pick<AnnouncedState, 'epoch' | 'batch'>;
  /** The events that changed since, as members know them; null for one that they do not know. */
  readonly before: readonly { readonly id: number; readonly event: StoredEvent | null }[];
};

/** Days of the history that a first message can tell. */
const daysBeforeFirst = 14;

/**
 * Returns what members can be taken to know before the first message: everything that was there after
 * the first import, or two weeks ago. What was added within a day of that import belongs to it.
 */
function assumeAnnounced(db: Reader, userId: number, epoch: string, now: Date): AnnouncedState {
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
  announced: AnnouncedState,
  timeZone: string,
): AnnouncedReport['before'] {
  const places = new Map(announced.others.map(({ id, batch }) => [id, batch]));
  const from = announced.others.reduce(
    (least, { batch }) => Math.min(least, batch),
    announced.batch,
  );
  const before = new Map<number, StoredEvent | null>();
  for (const change of readClubChanges(db, userId, { batch: from }, timeZone)) {
    const { id, batch } = change;
    const isAnnounced = batch <= (places.get(id) ?? announced.batch);
    if (!isAnnounced && !before.has(id)) before.set(id, change.before);
  }
  return Array.from(before, ([id, event]) => ({ id, event }));
}

/** Returns what the members of a club were told, and what was different then. */
export function readAnnouncedState(
  { user }: z.output<typeof ReadAnnounced>,
  tools: Pick<ActionTools, 'home' | 'now' | 'systemTimeZone'>,
): Promise<AnnouncedReport> {
  const read = (db: Reader): AnnouncedReport => {
    const userId = requireUser(db, user);
    const { epoch = '' } = parseRevision(prepareEventListReads(db).state(userId).revision) ?? {};
    const stored = readAnnounced(db, userId);
    const announced = stored ?? assumeAnnounced(db, userId, epoch, tools.now());
    return {
      user,
      announced,
      isStored: stored !== undefined,
      isCurrent: announced.epoch === epoch,
      now: { epoch, batch: readLastBatch(db, userId)?.id ?? 0 },
      before: eventsBefore(db, userId, announced, zoneOfClub(db, userId, tools)),
    };
  };
  return withReader(tools.home, (db) => inSnapshot(db, () => read(db)));
}

export const StoreAnnounced = z.strictObject({ user: UserName, announced: Announced.nullable() });

/** Stores what the members of a club were told; null forgets it. */
export function storeAnnouncedState(
  { user, announced }: z.output<typeof StoreAnnounced>,
  tools: ActionTools,
): Promise<{ user: string }> {
  const store = (db: Writer) => {
    storeAnnounced(db, requireUser(db, user), announced ?? undefined);
    return { user };
  };
  return withWriter(tools.home, store, tools);
}
