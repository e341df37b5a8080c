import type { FailureCode, RefusalCode } from './state.ts';

/** An event in a question or a difference. */
export type NamedEvent = { readonly id: number; readonly name: string; readonly date: string };

/** A search for older events by their ids. */
export type SearchStatus = {
  readonly state: 'running' | 'interrupted' | 'stopped' | 'exhausted';
  readonly asked: number;
  readonly found: number;
  /** The number of ids that are left. */
  readonly left: number;
};

/** The expected cost of a search for older events. */
export type SearchEstimate = {
  /** The number of ids to ask for; a search ends early if a person stops it. */
  readonly requests: number;
  readonly seconds: number;
  /** The reason why a search would not end: ids of this service are too far apart. */
  readonly isTooSparse: boolean;
};

/** The state of a mirror, for people. Times are timestamps in UTC. */
export type MirrorStatus = {
  readonly source: number;
  readonly user: string;
  readonly url: string;
  /** The place of the key: the file of the command line, the system's store, or this run only. */
  readonly keyStore: 'file' | 'system' | 'run';
  /** True if a sync needs a key that this program does not have. */
  readonly isKeyMissing: boolean;
  /** True after the restore of a backup, until a person syncs. */
  readonly isPaused: boolean;
  readonly events: number;
  readonly coverage: {
    /** All events are known that were created after this timestamp; null if all are known. */
    readonly since: string | null;
    /** The number of known events that were created before. */
    readonly older: number;
    /** Periods of creation within the covered time whose events may be missing. */
    readonly holes: readonly { readonly from: string; readonly to: string }[];
  };
  /** The time of the last list; null before the first sync. */
  readonly asOf: string | null;
  /** The oldest confirmation of an event; null without events. */
  readonly oldestConfirmation: string | null;
  /** The number of upcoming events that were not confirmed within a day. */
  readonly unconfirmed: number;
  readonly succeededAt: string | null;
  readonly nextAt: string;
  readonly problem: {
    readonly code: FailureCode | RefusalCode;
    /** The first sync with this problem. */
    readonly since: string;
    readonly event: NamedEvent | null;
  } | null;
  /** A decision that only a person can make. */
  readonly question:
    | {
        readonly kind: 'removals';
        readonly reason: 'guard' | 'many_missing' | 'false_absences';
        /** At most 200 of them; `count` is the number of all. */
        readonly events: readonly NamedEvent[];
        readonly count: number;
      }
    | { readonly kind: 'reset'; readonly code: FailureCode | RefusalCode }
    | { readonly kind: 'skip'; readonly event: NamedEvent }
    | null;
  /** Members of the online service's events that are not part of the contract. */
  readonly unknownMembers: readonly string[];
  /** Invalid events that are kept at their last good version. */
  readonly skipped: readonly NamedEvent[];
  readonly wanted: number;
  readonly search: SearchStatus | null;
};

/** The result of a sync. */
export type SyncResult = {
  readonly status: MirrorStatus;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly requests: number;
  /** The number of its batch in the history, if anything changed. */
  readonly batch?: number;
};

/** A check before a trip without a connection. */
export type ReadyReport = {
  readonly user: string;
  readonly isReady: boolean;
  /** The number of upcoming events, and the date of the last one. */
  readonly upcoming: number;
  readonly until: string | null;
  /** The oldest confirmation of an upcoming event. */
  readonly confirmedAt: string | null;
  readonly checks: readonly {
    readonly name: 'sync' | 'confirmed' | 'unknown' | 'requests' | 'clock' | 'disk' | 'service';
    readonly isFine: boolean;
    /** The reason of a failed check, as a problem to word. */
    readonly problem?: import('../../messages/message.ts').PackedProblem;
  }[];
};
