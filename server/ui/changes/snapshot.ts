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

/** Where an id stands among ascending ones; -1 if it does not. */
export function indexOfId(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
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

function copyEvent(from: Snapshot, at: number, to: Snapshot, target: number): void {
  to.ids[target] = from.ids[at] as number;
  to.times[target] = from.times[at] as number;
  to.places[target] = from.places[at] as number;
  to.statuses[target] = from.statuses[at] as number;
}

/** A snapshot with an amendment made to it, in one pass over both. */
export function amendSnapshot(before: Snapshot, { seen, gone }: Amendment): Snapshot {
  const merged = allocateSnapshot(before.ids.length + seen.ids.length);
  let [length, old, young, lost] = [0, 0, 0, 0];
  while (old < before.ids.length || young < seen.ids.length) {
    const oldId = before.ids[old] ?? Number.POSITIVE_INFINITY;
    const youngId = seen.ids[young] ?? Number.POSITIVE_INFINITY;
    if (youngId <= oldId) {
      copyEvent(seen, young, merged, length);
      young += 1;
      length += 1;
      if (youngId === oldId) old += 1;
      continue;
    }
    while ((gone[lost] ?? Number.POSITIVE_INFINITY) < oldId) lost += 1;
    if (gone[lost] !== oldId) {
      copyEvent(before, old, merged, length);
      length += 1;
    }
    old += 1;
  }
  return {
    ids: merged.ids.slice(0, length),
    times: merged.times.slice(0, length),
    places: merged.places.slice(0, length),
    statuses: merged.statuses.slice(0, length),
  };
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
