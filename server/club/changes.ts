import {
  type DatedChange,
  type EventHistoryEntry,
  readChangesSince,
  readEventHistory,
  readZoneChanges,
} from '../../db/history.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Reader } from '../../db/open.ts';
import { zoneNamed } from '../dates/zone.ts';

/** The beginning of changes: those after a batch of the history, or from a time on. */
type Since = Parameters<typeof readChangesSince>[2];

/**
 * Prepares changes to compare what people read then with what they read now: each event has the day
 * and the time that the clock of the club showed at that time, as a moment of its present zone. A
 * change of the zone is no change of an event.
 */
function asRead<Change extends DatedChange>(
  db: Reader,
  userId: number,
  changes: readonly Change[],
  timeZone: string,
): readonly Change[] {
  const zones = readZoneChanges(db, userId);
  if (zones.length === 0) return changes;
  const present = zoneNamed(timeZone);
  /** Returns the zone of the club before a batch, or after it. */
  const zoneOf = (batch: number, isBefore: boolean) =>
    zones.find((change) => change.batch > batch || (isBefore && change.batch === batch))?.before ??
    timeZone;
  const move = (event: StoredEvent | null, zone: string): StoredEvent | null => {
    if (event === null || zone === timeZone) return event;
    const instant = present.instantOf(zoneNamed(zone).momentIn(event.date));
    return { ...event, date: new Date(instant).toISOString() };
  };
  const ofZone = new Set(zones.map(({ batch }) => batch));
  const ofEvents = changes.filter(({ batch }) => !ofZone.has(batch));
  return ofEvents.map((change) => ({
    ...change,
    before: move(change.before, zoneOf(change.batch, true)),
    after: move(change.after, zoneOf(change.batch, false)),
  }));
}

/** Reads the changes of a club since a place in its history, oldest first, as people read them. */
export function readClubChanges(
  db: Reader,
  userId: number,
  since: Since,
  timeZone: string,
): readonly DatedChange[] {
  return asRead(db, userId, readChangesSince(db, userId, since), timeZone);
}

/** Reads the changes of an event that were not undone, oldest first, as people read them. */
export function readEventChanges(
  db: Reader,
  userId: number,
  eventId: number,
  timeZone: string,
): readonly EventHistoryEntry[] {
  return asRead(db, userId, readEventHistory(db, userId, eventId), timeZone);
}

/** A move of an event to another day or time: when and by what it was made, and both moments. */
export type EventMove = Pick<EventHistoryEntry, 'at' | 'kind' | 'source'> & {
  readonly from: string;
  readonly to: string;
};

/** Reads the moves of an event, oldest first. What was undone does not count. */
export function readMoves(
  db: Reader,
  userId: number,
  eventId: number,
  timeZone: string,
): readonly EventMove[] {
  return readEventChanges(db, userId, eventId, timeZone).flatMap(
    ({ at, kind, source, before, after }) =>
      before && after && before.date !== after.date
        ? [{ at, kind, source, from: before.date, to: after.date }]
        : [],
  );
}
