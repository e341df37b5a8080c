import type { ReceiptChange, Write } from '../../db/mirror-model.ts';
import { plan } from './planner/planner.ts';
import type { Rules } from './planner/rules.ts';
import {
  type Answer,
  type Input,
  isWrite,
  type MirrorState,
  type Request,
} from './planner/state.ts';

export type SyncTools = {
  /** Stores the writes of one or several plans in one transaction. */
  readonly store: (writes: readonly Write[]) => void;
  /** Sends a request. Rejects only after `signal` was aborted. */
  readonly send: (request: Request, signal: AbortSignal) => Promise<Answer>;
  /** Returns the local time, in ms. */
  readonly now: () => number;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  readonly rules?: Rules | undefined;
  /** Called after each answer, with the numbers of requests that were sent and that are queued. */
  readonly onStep?: ((sent: number, queued: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type SyncOutcome = {
  readonly state: MirrorState;
  readonly requests: number;
  /** The changes of all receipts, the last of each event. */
  readonly changes: readonly ReceiptChange[];
};

/** Time in ms for which confirmations may wait for the next transaction, which waits for the disk. */
const maxDelay = 250;

function queuedRequests({ run }: MirrorState): number {
  return (run?.queue.length ?? 0) + (run?.batch?.queue.length ?? 0);
}

/** Returns the change of an event by two changes that follow each other. */
function joinChanges(earlier: ReceiptChange | undefined, later: ReceiptChange): ReceiptChange {
  return earlier === undefined ? later : { ...later, before: earlier.before };
}

/**
 * Runs a sync to its end: passes each answer to the planner, which changes the state, stores its
 * writes, and sends its requests. Rejects if the storage fails or `signal` is aborted; then
 * everything stored so far is whole, the state is of no use, and the next sync begins again.
 */
export async function runSync(
  state: MirrorState,
  input: Input,
  { store, send, now, random, rules, onStep, signal }: SyncTools,
): Promise<SyncOutcome> {
  const ending = new AbortController();
  const signals = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  const pending = new Map<Request, Promise<Answer>>();
  const changes = new Map<number, ReceiptChange>();
  let requests = 0;
  let waiting: Write[] = [];
  let storedAt = Number.NEGATIVE_INFINITY;

  /** Plans and stores the consequences of an input. The first plan is stored before its request. */
  function step(next: Input): void {
    const actions = plan(state, next, { now: now(), random: random() }, rules);
    waiting.push(...actions.filter(isWrite));
    if (state.run === null || Math.abs(now() - storedAt) >= maxDelay) {
      if (waiting.length > 0) store(waiting);
      waiting = [];
      storedAt = now();
    }
    for (const action of actions) {
      if (action.kind !== 'receipt') continue;
      for (const change of action.changes) {
        changes.set(change.id, joinChanges(changes.get(change.id), change));
      }
    }
    for (const action of actions) {
      if (action.kind !== 'request') continue;
      requests += 1;
      pending.set(action.request, send(action.request, signals));
    }
  }

  try {
    step(input);
    while (state.run !== null && pending.size > 0) {
      const answer = await Promise.race(pending.values());
      pending.delete(answer.request);
      step(answer);
      onStep?.(requests, queuedRequests(state));
    }
    return { state, requests, changes: [...changes.values()] };
  } finally {
    ending.abort();
    // The requests that were not needed any more, such as those after a failure.
    await Promise.allSettled(pending.values());
  }
}
