import { eventStatuses } from '../../../db/model.ts';
import type { Event } from '../../contract.ts';
import { placeOf } from './clashes.ts';

/**
 * What is remembered of each event that was seen, by id, ascending: 21 bytes an event, so that
 * 100,000 of them are 2 MB. Of a place only a hash is kept.
 */
export type Snapshot = {
  readonly ids: Float64Array;
  /** The dates of the events, in milliseconds since 1970. */
  readonly times: Float64Array;
  readonly places: Uint32Array;
  /** Indexes of `eventStatuses`. */
  readonly statuses: Uint8Array;
};

/** Events as they were seen, and events that are to be forgotten; ids ascend. */
export type Amendment = { readonly seen: Snapshot; readonly gone: Float64Array };

export function allocateSnapshot(length: number): Snapshot {
  return {
    ids: new Float64Array(length),
    times: new Float64Array(length),
    places: new Uint32Array(length),
    statuses: new Uint8Array(length),
  };
}

/** FNV-1a, 32 bits: enough to tell a place from the one before. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** Writes an event as it is now to a place in a snapshot. */
export function writeEvent(snapshot: Snapshot, at: number, event: Event): void {
  snapshot.ids[at] = event.id;
  snapshot.times[at] = Date.parse(event.date);
  snapshot.places[at] = hashOf(placeOf(event));
  snapshot.statuses[at] = eventStatuses.indexOf(event.status);
}

/** Where the first id stands that is not below one, among ascending ones. */
function placeOfId(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where an id stands among ascending ones; -1 if it does not. */
export function indexOfId(ids: Float64Array, id: number): number {
  const place = placeOfId(ids, id);
  return ids[place] === id ? place : -1;
}

/** How an event differs from what was seen of it at a place in a snapshot. */
export function compareEvent(snapshot: Snapshot, at: number, event: Event) {
  const status = eventStatuses[snapshot.statuses[at] as number];
  return {
    isElsewhere: snapshot.places[at] !== hashOf(placeOf(event)),
    isAnotherTime: snapshot.times[at] !== Date.parse(event.date),
    hasAnotherStatus: status !== event.status,
    isCalledOff: event.status === 'cancelled' && status !== 'cancelled',
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

/** A snapshot with an amendment made to it; what lies between is copied as a whole. */
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
    // What is gone and seen at once is seen.
    if (touched[at - 1] === id) continue;
    const place = placeOfId(before.ids, id);
    if (place > done) append(partOf(before, done, place));
    done = before.ids[place] === id ? place + 1 : place;
    const index = indexOfId(seen.ids, id);
    if (index >= 0) append(partOf(seen, index, index + 1));
  }
  append(partOf(before, done, before.ids.length));
  return partOf(merged, 0, length);
}

const isAscending = (ids: Float64Array) =>
  ids.every((id, at) => at === 0 || id > (ids[at - 1] as number));

/** Reads what a database gave, which may be of an older page or of anyone. */
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
  // A time beyond what a date can be would break every format.
  if (times.some((time) => Number.isNaN(new Date(time).getTime()))) return undefined;
  return { ids, times, places, statuses };
}
