import { eventStatuses } from '../../../db/model.ts';
import type { Event } from '../../contract.ts';
import { placeOf } from './clashes.ts';

/**
 * The seen state of events, ordered by ascending id: 21 bytes an event, so that 100,000 events
 * take 2 MB. `places` are hashes of the locations.
 */
export type Snapshot = {
  readonly ids: Float64Array;
  /** Dates of the events in milliseconds since 1970. */
  readonly times: Float64Array;
  readonly places: Uint32Array;
  /** Indexes into `eventStatuses`. */
  readonly statuses: Uint8Array;
};

/** Events to store as seen, and ids of events to remove; ids ascend. */
export type Amendment = { readonly seen: Snapshot; readonly gone: Float64Array };

export function allocateSnapshot(length: number): Snapshot {
  return {
    ids: new Float64Array(length),
    times: new Float64Array(length),
    places: new Uint32Array(length),
    statuses: new Uint8Array(length),
  };
}

/** Returns the FNV-1a hash: 32 bits suffice to detect a change of location. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

export function writeEvent(snapshot: Snapshot, at: number, event: Event): void {
  snapshot.ids[at] = event.id;
  snapshot.times[at] = Date.parse(event.date);
  snapshot.places[at] = hashOf(placeOf(event));
  snapshot.statuses[at] = eventStatuses.indexOf(event.status);
}

/** Returns the index of the first id that is not below `id`; `ids` ascend. */
function lowerBound(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of an id among ascending ids, or -1. */
export function indexOfId(ids: Float64Array, id: number): number {
  const position = lowerBound(ids, id);
  return ids[position] === id ? position : -1;
}

export function compareEvent(snapshot: Snapshot, at: number, event: Event) {
  const status = eventStatuses[snapshot.statuses[at] as number];
  return {
    hasNewLocation: snapshot.places[at] !== hashOf(placeOf(event)),
    hasNewTime: snapshot.times[at] !== Date.parse(event.date),
    hasNewStatus: status !== event.status,
    isNewlyCancelled: event.status === 'cancelled' && status !== 'cancelled',
  };
}

function partOf(snapshot: Snapshot, from: number, to: number): Snapshot {
  return {
    ids: snapshot.ids.subarray(from, to),
    times: snapshot.times.subarray(from, to),
    places: snapshot.places.subarray(from, to),
    statuses: snapshot.statuses.subarray(from, to),
  };
}

function copy(from: Snapshot, to: Snapshot, at: number): void {
  to.ids.set(from.ids, at);
  to.times.set(from.times, at);
  to.places.set(from.places, at);
  to.statuses.set(from.statuses, at);
}

/** Returns a snapshot with an amendment applied; the runs between its ids are copied as a whole. */
export function amendSnapshot(before: Snapshot, { seen, gone }: Amendment): Snapshot {
  const touched = new Float64Array(seen.ids.length + gone.length);
  touched.set(seen.ids);
  touched.set(gone, seen.ids.length);
  touched.sort();
  const merged = allocateSnapshot(before.ids.length + seen.ids.length);
  let [length, done] = [0, 0];
  const append = (events: Snapshot) => {
    copy(events, merged, length);
    length += events.ids.length;
  };
  for (const [at, id] of touched.entries()) {
    // An id in both `seen` and `gone` counts as seen.
    if (touched[at - 1] === id) continue;
    const position = lowerBound(before.ids, id);
    if (position > done) append(partOf(before, done, position));
    done = before.ids[position] === id ? position + 1 : position;
    const index = indexOfId(seen.ids, id);
    if (index >= 0) append(partOf(seen, index, index + 1));
  }
  append(partOf(before, done, before.ids.length));
  return partOf(merged, 0, length);
}

const isAscending = (ids: Float64Array) =>
  ids.every((id, at) => at === 0 || id > (ids[at - 1] as number));

/** Validates a value from the database, which another version of the page may have written. */
export function parseSnapshot(value: unknown): Snapshot | undefined {
  const { ids, times, places, statuses }: Partial<Record<keyof Snapshot, unknown>> = Object(value);
  if (!(ids instanceof Float64Array && times instanceof Float64Array)) return undefined;
  if (!(places instanceof Uint32Array && statuses instanceof Uint8Array)) return undefined;
  const { length } = ids;
  if (times.length !== length || places.length !== length || statuses.length !== length) {
    return undefined;
  }
  if (!isAscending(ids) || statuses.some((status) => status >= eventStatuses.length)) {
    return undefined;
  }
  // A time outside the range of `Date` would make the formats throw.
  if (times.some((time) => Number.isNaN(new Date(time).getTime()))) return undefined;
  return { ids, times, places, statuses };
}
