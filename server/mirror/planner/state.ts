import {
  confirmEntry,
  createSource,
  type FailureCode,
  type MirrorEntry,
  type MirrorProblem,
  type Question,
  type Source,
  type Write,
} from '../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../db/model.ts';

/** Confirmations of a sync: those that are due, all upcoming or all events, or wanted ids only. */
export type Round = 'due' | 'upcoming' | 'all' | 'wanted';

/** The origin of an answer and of its time. */
export type AnswerOrigin = {
  /** False if the answer has no `Date`, so that its time comes from the local clock. */
  readonly isDated: boolean;
  /** True for an answer of a cache (`Age`), which may be stale. */
  readonly isCached: boolean;
  /** The same time by the local clock, in ms. */
  readonly localTime: number;
};

/** A 404 for an id. */
export type NotFound = {
  readonly id: number;
  /** The upstream's time, in ms. */
  readonly at: number;
  readonly origin: AnswerOrigin;
  readonly shape: string;
};

/** A known event with two proofs that it is gone, and the upstream's time of the second, in ms. */
type ProvenNotFound = Pick<NotFound, 'id' | 'at'>;

/** A known event, or one on the list, whose existence proves the account of a list. */
type Probe = {
  readonly id: number;
  /** The event on the list; null for a known event. */
  readonly listed: StoredEvent | null;
};

/** A group of requests by id between two probes. */
export type Batch = {
  /** An event on the list of this sync; null if the list is empty. */
  readonly probe: number | null;
  readonly phase: 'before' | 'between' | 'after';
  readonly queue: readonly number[];
  readonly inFlight: readonly number[];
  readonly notFound: readonly NotFound[];
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
  /** True after changes that no digest proved: the list has to be read to its end. */
  readonly mustWalk: boolean;
  /** True if a digest proved all known events. */
  readonly isProven: boolean;
  /** The digest of all events that came with each page of the list; null without one. */
  readonly digest: string | null;
  /** Requests that prove that the list is of the same account; the first one was sent. */
  readonly probes: readonly Probe[];
  /** Ids to ask for after the current batch. */
  readonly queue: readonly number[];
  /** Ids that were asked for a second time, as a person waits. */
  readonly secondLooks: readonly number[];
  readonly batch: Batch | null;
  /** Events with two proofs that they are gone. */
  readonly proven: readonly ProvenNotFound[];
  /** The id of the calibration, which cannot exist. */
  readonly impossibleId: number | null;
  /** Known events that a complete list lacked. */
  readonly missingFromList: readonly number[];
  /** Events that this list changed. */
  readonly changed: ReadonlySet<number>;
  /** Events on the list of this sync that cannot be read. */
  readonly unreadable: readonly number[];
  /** True if so much changed that the next sync follows early. */
  readonly isBusy: boolean;
  /** Removals that wait for a person. */
  readonly held: readonly number[];
};

/** The state of a mirror. Only the planner changes it. */
export type MirrorState = {
  source: Source;
  readonly entries: Map<number, MirrorEntry>;
  /** Ids that the upstream does not have, with its time of the proof. */
  readonly notFound: Map<number, number>;
  run: Run | null;
};

/** The state of all events of the upstream, from the headers of a list. */
export type UpstreamVersion = {
  /** `Events-Revision`: an epoch, a dot and a number. */
  readonly revision: string;
  /** `Events-Digest`, as hexadecimal digits. */
  readonly digest: string;
  /** The club of a file, by the random part of its UIDs. */
  readonly club?: string;
  /** The number of events in a file. */
  readonly events?: number;
};

/** An entry of a list that cannot be read. */
export type Unreadable = {
  readonly id: number;
  /** Null if this cannot be read either. */
  readonly createdAt: string | null;
};

/** A page of a list. */
export type Page = {
  readonly events: readonly StoredEvent[];
  readonly unreadable: readonly Unreadable[];
  readonly unknownMembers: readonly string[];
  /** The address of the next page (`Link`), or null. */
  readonly next: string | null;
  readonly etag: string | null;
  /** Null if the upstream does not send it. */
  readonly version: UpstreamVersion | null;
  /** Times of an earlier confirmation than that of the page, by the id of the event, in ms. */
  readonly confirmations?: ReadonlyMap<number, number>;
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
  /** The time of the content itself, which a file names, in ms. */
  readonly asOf?: number;
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
      /** Null if the event cannot be read. */
      readonly event: StoredEvent | null;
      readonly unknownMembers: readonly string[];
    }
  | {
      readonly kind: 'not_found';
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
  /**
   * `isWake` is true at the start, after sleep, and when the network returns; `isChanged` when the
   * file of a source has changed.
   */
  | { readonly kind: 'tick'; readonly isWake?: boolean; readonly isChanged?: boolean }
  | {
      readonly kind: 'sync';
      readonly round: Round;
      readonly confirmsRemovals?: boolean;
      readonly acceptsReset?: boolean;
    }
  | { readonly kind: 'want'; readonly ids: readonly number[] }
  /** Every id that the upstream may have given out is known or proven not found. */
  | { readonly kind: 'exhausted' }
  | Answer;

export type Action =
  | Write
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'stop'; readonly problem: MirrorProblem }
  | { readonly kind: 'wait'; readonly until: number };

/** Returns true for an action that the storage has to write. */
export function isWrite(action: Action): action is Write {
  return !['request', 'ask', 'stop', 'wait'].includes(action.kind);
}

/** The local clock, and a random number in [0, 1) for jitter. */
export type Clock = { readonly now: number; readonly random: number };

export function createState(baseUrl: string, now: number): MirrorState {
  return { source: createSource(baseUrl, now), entries: new Map(), notFound: new Map(), run: null };
}

/** Changes the state as the storage changes its tables. */
export function applyWrite(state: MirrorState, write: Write): void {
  const { entries, notFound } = state;
  switch (write.kind) {
    case 'store':
      entries.set(write.entry.event.id, write.entry);
      notFound.delete(write.entry.event.id);
      break;
    case 'confirm':
      for (const id of write.ids) {
        const entry = entries.get(id);
        if (entry !== undefined) entries.set(id, confirmEntry(entry, write.at, write.operation));
      }
      break;
    case 'suspect': {
      const entry = entries.get(write.id);
      if (entry !== undefined) entries.set(write.id, { ...entry, suspect: write.suspect });
      break;
    }
    case 'remove':
      entries.delete(write.id);
      notFound.set(write.id, write.at);
      break;
    case 'not_found':
      notFound.set(write.id, write.at);
      break;
    case 'source':
      state.source = { ...state.source, ...write.values };
      break;
    case 'receipt':
      break;
  }
}
