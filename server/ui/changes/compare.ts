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

/** How long the thread is held at a time, in milliseconds: a frame has 16. */
const sliceMs = 8;

/** Does a step for each number below a count, leaving the thread to others every few of them. */
async function inSlices(count: number, step: (at: number) => void): Promise<void> {
  const pace = createPace(sliceMs);
  for (let at = 0; at < count; at += 1) {
    step(at);
    const turn = at % stride === 0 ? pace() : undefined;
    if (turn !== undefined) await turn;
  }
}

/** What has happened to an event since it was last looked at. */
export type Change =
  | { readonly kind: 'new' }
  | { readonly kind: 'cancelled' }
  /** To another time, place or both; null is for what stayed. */
  | {
      readonly kind: 'moved';
      readonly from: { readonly date: string | null; readonly place: boolean };
    };

export type Comparison = {
  readonly changes: ReadonlyMap<number, Change>;
  /** What is to be remembered without a word: other states, and events that are gone. */
  readonly quiet: Amendment | undefined;
};

function changeAt(base: Snapshot, at: number, event: Event): Change | 'quiet' | undefined {
  if (at < 0) return { kind: 'new' };
  const difference = compareEvent(base, at, event);
  if (difference.isCalledOff) return { kind: 'cancelled' };
  if (difference.isAnotherTime || difference.isElsewhere) {
    const date = difference.isAnotherTime ? new Date(base.times[at] as number).toISOString() : null;
    return { kind: 'moved', from: { date, place: difference.isElsewhere } };
  }
  return difference.hasAnotherStatus ? 'quiet' : undefined;
}

/** Takes events down as they are now. */
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

/** Compares all events of a club with what was seen of them. */
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
  // An event that was moved while pages were read may be missing from them without being gone.
  const isComplete = set.events.length === set.total;
  const gone =
    isComplete && known < base.ids.length ? await findGone(base, set) : new Float64Array();
  if (quiet.size === 0 && gone.length === 0) return { changes, quiet: undefined };
  return { changes, quiet: { seen: await takeDown(quiet), gone } };
}
