import { eventStatuses } from '../../../db/model.ts';
import type { Event } from '../../contract.ts';
import { createPace, stride } from '../base/browser.ts';
import { placeOf } from './events.ts';
import type { EventSet } from './read-all.ts';

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

/** Length of a time slice in milliseconds; a frame has 16. */
const sliceMs = 8;

/** Calls `step` for each index below `count` and yields to the browser between time slices. */
async function inSlices(count: number, step: (at: number) => void): Promise<void> {
  const pace = createPace(sliceMs);
  for (let at = 0; at < count; at += 1) {
    step(at);
    const pause = at % stride === 0 ? pace() : undefined;
    if (pause !== undefined) await pause;
  }
}

/** A change of an event since the last look. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'cancelled' }
  /** `date` is the previous time, null if unchanged; `place` is true if the location changed. */
  | {
      readonly kind: 'moved';
      readonly from: { readonly date: string | null; readonly place: boolean };
    };

export type Comparison = {
  readonly changes: ReadonlyMap<number, Change>;
  /** Changes to store without showing them: other statuses and deleted events. */
  readonly quiet: Amendment | undefined;
};

function changeAt(base: Snapshot, at: number, event: Event): Change | 'quiet' | undefined {
  if (at < 0) return { kind: 'new' };
  const difference = compareEvent(base, at, event);
  if (difference.isNewlyCancelled) return { kind: 'cancelled' };
  if (difference.hasNewTime || difference.hasNewLocation) {
    const date = difference.hasNewTime ? new Date(base.times[at] as number).toISOString() : null;
    return { kind: 'moved', from: { date, place: difference.hasNewLocation } };
  }
  return difference.hasNewStatus ? 'quiet' : undefined;
}

/** Creates a snapshot of events. */
export async function takeDown(byId: ReadonlyMap<number, Event>): Promise<Snapshot> {
  // Sorting numbers alone is far faster than sorting events.
  const ids = Float64Array.from([...byId.keys()]).sort();
  const snapshot = allocateSnapshot(ids.length);
  await inSlices(ids.length, (at) => {
    writeEvent(snapshot, at, byId.get(ids[at] as number) as Event);
  });
  return snapshot;
}

async function findGone(base: Snapshot, { byId }: EventSet): Promise<Float64Array> {
  const gone: number[] = [];
  await inSlices(base.ids.length, (at) => {
    const id = base.ids[at] as number;
    if (!byId.has(id)) gone.push(id);
  });
  return Float64Array.from(gone);
}

/** Compares all events of a club with a snapshot of what was seen. */
export async function compareEvents(base: Snapshot, set: EventSet): Promise<Comparison> {
  const changes = new Map<number, Change>();
  const quiet = new Map<number, Event>();
  let known = 0;
  await inSlices(set.events.length, (index) => {
    const event = set.events[index] as Event;
    const at = indexOfId(base.ids, event.id);
    if (at >= 0) known += 1;
    const change = changeAt(base, at, event);
    if (change === 'quiet') quiet.set(event.id, event);
    else if (change !== undefined) changes.set(event.id, change);
  });
  // An event whose date changed during the reading may be missing without being deleted.
  const isComplete = set.events.length === set.total;
  const gone =
    isComplete && known < base.ids.length ? await findGone(base, set) : new Float64Array();
  if (quiet.size === 0 && gone.length === 0) return { changes, quiet: undefined };
  return { changes, quiet: { seen: await takeDown(quiet), gone } };
}
