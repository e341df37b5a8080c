import {
  confirmItem,
  createSource,
  type FailureCode,
  type Item,
  type MirrorProblem,
  type Question,
  type Source,
  type Write,
} from '../../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../../db/model.ts';

/** Confirmations of a sync: those that are due, all upcoming events, or all events. */
export type Round = 'due' | 'upcoming' | 'all';

/** The origin of an answer and of its time. */
export type AnswerOrigin = {
  /** False if the answer has no `Date`, so that its time comes from the local clock. */
  readonly isDated: boolean;
  /** True for an answer of a cache (`Age`), which tells of the past. */
  readonly isCached: boolean;
};

/** A 404 for an id. */
export type Absence = {
  readonly id: number;
  /** The upstream's time, in ms. */
  readonly at: number;
  readonly origin: AnswerOrigin;
  readonly shape: string;
};

/** A group of requests by id between two positive controls. */
export type Batch = {
  /** An event on the list of this sync; null if the list is empty. */
  readonly control: number | null;
  readonly phase: 'before' | 'between' | 'after';
  /** The local time of the first control. */
  readonly startedAt: number;
  readonly queue: readonly number[];
  readonly inFlight: readonly number[];
  readonly absences: readonly Absence[];
};

/** A sync in progress. It exists in memory only: an interrupted sync starts again. */
export type Run = {
  readonly id: number;
  readonly isAttended: boolean;
  readonly confirmsRemovals: boolean;
  readonly acceptsReset: boolean;
  readonly round: Round;
  readonly pages: readonly Page[];
  /** The changes since the known revision, which replace the pages after the first. */
  readonly changes: readonly Changes[];
  /** True if the first page came as a 304. */
  readonly isUnchanged: boolean;
  /** True after changes that no digest proved: the list has to be read to its end. */
  readonly mustWalk: boolean;
  /** True if a digest proved all known events. */
  readonly isProven: boolean;
  /** Events whose existence proves that the list is of the same account. */
  readonly probes: readonly number[];
  /** Ids to ask for after the current batch. */
  readonly queue: readonly number[];
  /** Ids that were asked for a second time, as a person waits. */
  readonly secondLooks: readonly number[];
  readonly batch: Batch | null;
  readonly brokenControls: number;
  /** The id of the calibration, which cannot exist. */
  readonly impossibleId: number | null;
  /** Known events that a complete list lacked. */
  readonly absentFromList: readonly number[];
  /** The number of events on the list of this sync. */
  readonly listLength: number;
  /** True if so much changed that the next sync follows early. */
  readonly isBusy: boolean;
  /** Removals that wait for a person. */
  readonly held: readonly number[];
};

export type MirrorState = {
  readonly source: Source;
  readonly items: ReadonlyMap<number, Item>;
  /** Ids that the upstream does not have, with its time of the proof. */
  readonly absent: ReadonlyMap<number, number>;
  readonly run: Run | null;
};

/** The state of all events of the upstream, from the headers of a list. */
export type UpstreamVersion = {
  /** `Events-Revision`: an epoch, a dot and a number. */
  readonly revision: string;
  /** `Events-Digest`, as hexadecimal digits. */
  readonly digest: string;
};

/** A page of a list. */
export type Page = {
  readonly events: readonly StoredEvent[];
  /** Ids of events that do not conform to the contract. */
  readonly invalid: readonly number[];
  readonly unknownMembers: readonly string[];
  /** The address of the next page (`Link`), or null. */
  readonly next: string | null;
  readonly etag: string | null;
  /** Null if the upstream does not send it. */
  readonly version: UpstreamVersion | null;
  /** The upstream's time of this page, in ms. */
  readonly asOf: number;
  readonly origin: AnswerOrigin;
};

/** A page of the changes after a revision. */
export type Changes = Pick<
  Page,
  'events' | 'unknownMembers' | 'next' | 'version' | 'asOf' | 'origin'
> & { readonly removed: readonly number[] };

export type Request =
  | { readonly run: number; readonly operation: 'list'; readonly etag: string | null }
  | { readonly run: number; readonly operation: 'page'; readonly url: string }
  | {
      readonly run: number;
      readonly operation: 'changes';
      readonly since: string;
      /** The address of the next page; null for the first. */
      readonly url: string | null;
    }
  | { readonly run: number; readonly operation: 'byId'; readonly id: number };

/** The time headers of an answer. */
export type Timing = {
  /** `Date` in ms; null if the upstream does not send it. */
  readonly date: number | null;
  /** `Age` in ms. */
  readonly age: number;
};

/** The answer to a request, as the transport read it. */
export type Answer =
  | {
      readonly kind: 'page';
      readonly request: Request;
      readonly timing: Timing;
      readonly page: Omit<Page, 'asOf' | 'origin'>;
    }
  | {
      readonly kind: 'unchanged';
      readonly request: Request;
      readonly timing: Timing;
      readonly version: UpstreamVersion | null;
    }
  | {
      readonly kind: 'changes';
      readonly request: Request;
      readonly timing: Timing;
      readonly changes: Omit<Changes, 'asOf' | 'origin'>;
    }
  /** No changes after the requested revision: it is too old, or the answer is malformed. */
  | { readonly kind: 'gone'; readonly request: Request; readonly timing: Timing }
  | {
      readonly kind: 'event';
      readonly request: Request;
      readonly timing: Timing;
      /** Null if the event does not conform to the contract. */
      readonly event: StoredEvent | null;
      readonly unknownMembers: readonly string[];
    }
  | {
      readonly kind: 'absence';
      readonly request: Request;
      readonly timing: Timing;
      /** The status, media type and members of the answer. */
      readonly shape: string;
    }
  | {
      readonly kind: 'failure';
      readonly request: Request;
      readonly code: FailureCode;
      /** `Retry-After` in ms. */
      readonly retryAfter: number | null;
    };

/** An event of the outside: from the scheduler, a person, a local script or the transport. */
export type Input =
  /** `isWake` is true at the start, after sleep, and when the network returns. */
  | { readonly kind: 'tick'; readonly isWake?: boolean }
  | {
      readonly kind: 'sync';
      readonly round: Round;
      readonly confirmsRemovals?: boolean;
      readonly acceptsReset?: boolean;
    }
  | { readonly kind: 'skip'; readonly id: number }
  | { readonly kind: 'want'; readonly ids: readonly number[] }
  /** Every id that the upstream may have given out is known or proven absent. */
  | { readonly kind: 'exhausted' }
  | Answer;

export type Action =
  | Write
  /** Replaces the sync in progress; null ends it. */
  | { readonly kind: 'run'; readonly run: Run | null }
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'stop'; readonly problem: MirrorProblem }
  | { readonly kind: 'wait'; readonly until: number };

/** The local clock, and a random number in [0, 1) for jitter. */
export type Clock = { readonly now: number; readonly random: number };

export function createState(baseUrl: string, now: number): MirrorState {
  return { source: createSource(baseUrl, now), items: new Map(), absent: new Map(), run: null };
}

/** Tables that a caller of `applyActions` has already copied. */
export type Copied = { items: boolean; absent: boolean };

/**
 * Returns the state after the actions of a plan, as the storage writes it. Tables of `state` that
 * `copied` marks are changed in place.
 */
export function applyActions(
  state: MirrorState,
  actions: readonly Action[],
  copied: Copied = { items: false, absent: false },
): MirrorState {
  let { source, items, absent, run } = state;
  const changedItems = (): Map<number, Item> => {
    if (!copied.items) items = new Map(items);
    copied.items = true;
    return items as Map<number, Item>;
  };
  const changedAbsent = (): Map<number, number> => {
    if (!copied.absent) absent = new Map(absent);
    copied.absent = true;
    return absent as Map<number, number>;
  };
  for (const action of actions) {
    switch (action.kind) {
      case 'store':
        changedItems().set(action.item.event.id, action.item);
        if (absent.has(action.item.event.id)) changedAbsent().delete(action.item.event.id);
        break;
      case 'confirm':
        for (const id of action.ids) {
          const item = items.get(id);
          if (item !== undefined)
            changedItems().set(id, confirmItem(item, action.at, action.operation));
        }
        break;
      case 'suspect': {
        const item = items.get(action.id);
        if (item !== undefined) {
          changedItems().set(action.id, { ...item, suspicion: action.suspicion });
        }
        break;
      }
      case 'remove':
        changedItems().delete(action.id);
        changedAbsent().set(action.id, action.at);
        break;
      case 'absent':
        changedAbsent().set(action.id, action.at);
        break;
      case 'source':
        source = { ...source, ...action.values };
        break;
      case 'run':
        run = action.run;
        break;
      default:
        break;
    }
  }
  return { source, items, absent, run };
}
