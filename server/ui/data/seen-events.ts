import { eventStatuses } from '../../../db/model.ts';
import { placeOf } from '../../event/values.ts';
import type { Event } from '../../http/contract.ts';
import type { EventSet } from './read-all.ts';

/** The state of an event that was seen; `place` is a checksum, because no text is stored. */
type SeenEvent = Pick<Event, 'date' | 'status'> & { readonly place: number };

/** The seen events of a club by id. */
export type Snapshot = ReadonlyMap<number, SeenEvent>;

/** Events to store as seen, and ids of deleted events to remove. */
export type Amendment = { readonly seen: Snapshot; readonly gone: readonly number[] };

/** Returns the FNV-1a hash: 32 bits suffice to detect a change of location. */
function checksumOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The states of events, which are compared again after each change of another one. */
const states = new WeakMap<Event, SeenEvent>();

function seenEvent(event: Event): SeenEvent {
  const { date, status } = event;
  const state = states.get(event) ?? { date, status, place: checksumOf(placeOf(event)) };
  states.set(event, state);
  return state;
}

export function createSnapshot(events: readonly Event[]): Snapshot {
  return new Map(events.map((event) => [event.id, seenEvent(event)]));
}

export function amendSnapshot(before: Snapshot, { seen, gone }: Amendment): Snapshot {
  const amended = new Map(before);
  for (const id of gone) amended.delete(id);
  for (const [id, event] of seen) amended.set(id, event);
  return amended;
}

const version = 2;

/** Returns a snapshot in the form that the browser stores. */
export function packSnapshot(events: Snapshot): unknown {
  return { version, events };
}

/** Version 1: an array for each field. */
type Columns = {
  readonly ids: Float64Array;
  /** Dates in milliseconds since 1970. */
  readonly times: Float64Array;
  readonly places: Uint32Array;
  /** Indexes into `eventStatuses`. */
  readonly statuses: Uint8Array;
};

function upgrade({ ids, times, places, statuses }: Columns): Snapshot {
  return new Map(
    Array.from(ids, (id, at) => {
      const date = new Date(times[at] as number).toISOString();
      const status = eventStatuses[statuses[at] as number] as Event['status'];
      return [id, { date, status, place: places[at] as number }];
    }),
  );
}

/** Returns a stored snapshot; undefined for the form of an unknown version. */
export function unpackSnapshot(value: unknown): Snapshot | undefined {
  const stored = Object(value);
  if (stored.version === version && stored.events instanceof Map) return stored.events;
  return stored.statuses instanceof Uint8Array ? upgrade(stored) : undefined;
}

/** A change of an event since the last visit. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'cancelled' }
  /** Another date; `from` is the previous one, and the location may have changed, too. */
  | { readonly kind: 'moved'; readonly from: string; readonly isNewPlace: boolean }
  /** Another location on the same date. */
  | { readonly kind: 'relocated' };

type Comparison = {
  readonly changes: ReadonlyMap<number, Change>;
  /** Changes to store without showing them: other statuses and deleted events. */
  readonly quiet: Amendment | undefined;
};

function changeOf(before: SeenEvent | undefined, event: Event): Change | 'quiet' | undefined {
  if (before === undefined) return { kind: 'new' };
  const now = seenEvent(event);
  if (now.status === 'cancelled' && before.status !== 'cancelled') return { kind: 'cancelled' };
  const isNewPlace = now.place !== before.place;
  if (now.date !== before.date) return { kind: 'moved', from: before.date, isNewPlace };
  if (isNewPlace) return { kind: 'relocated' };
  return now.status === before.status ? undefined : 'quiet';
}

/** Compares all events of a club with a snapshot. */
export function compareEvents(before: Snapshot, { events, byId, total }: EventSet): Comparison {
  const changes = new Map<number, Change>();
  const quiet: Event[] = [];
  for (const event of events) {
    const change = changeOf(before.get(event.id), event);
    if (change === 'quiet') quiet.push(event);
    else if (change !== undefined) changes.set(event.id, change);
  }
  // An event whose date changed during the reading may be missing without being deleted.
  const isComplete = events.length === total;
  const gone = isComplete ? [...before.keys()].filter((id) => !byId.has(id)) : [];
  if (quiet.length === 0 && gone.length === 0) return { changes, quiet: undefined };
  return { changes, quiet: { seen: createSnapshot(quiet), gone } };
}
