import type { Event } from '../../contract.ts';
import type { EventSet } from '../reading/walk.ts';
import { createPace, stride } from '../time/pace.ts';
import {
  type Amendment,
  allocateSnapshot,
  compareEvent,
  indexOfId,
  type Snapshot,
  writeEvent,
} from './snapshot.ts';

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
