import type { StoredEvent } from '../../../db/model.ts';

/** The two operations of an online service (INTERFACE section 2). */
export type Operation = 'list' | 'byId';

/**
 * The `registrationOpen` that each operation sent for an event: null if the operation left it out,
 * absent if it never sent this event.
 */
export type Registration = Partial<Readonly<Record<Operation, boolean | null>>>;

/** A first proof that an event is gone. */
export type Suspicion = {
  /** The upstream's time of the proof, in ms. */
  readonly since: number;
  readonly by: Operation;
};

/** An event of the mirror. */
export type Item = {
  readonly event: StoredEvent;
  /** The upstream's time at which it had these values, apart from `registrationOpen`, in ms. */
  readonly confirmedAt: number;
  /** The upstream's time at which it had this `registrationOpen`: a list may leave it out. */
  readonly registrationAt: number;
  readonly registration: Registration;
  readonly suspicion: Suspicion | null;
};

/** Creation times without complete knowledge, both inclusive. */
export type Hole = { readonly from: string; readonly to: string };

/** Knowledge of the events of the upstream. */
export type Coverage = {
  /** All events created after this timestamp are known, except in holes; '' for all events. */
  readonly horizon: string;
  /** Oldest first, without overlaps. */
  readonly holes: readonly Hole[];
  /** The creation time of the oldest event on the last list; '' if that list was complete. */
  readonly oldestListed: string;
  /** A list with fewer events is complete. */
  readonly cap: number;
  /** True after the upstream showed an event with a creation time before its real one. */
  readonly backdates: boolean;
};

/** Removals since a person last answered, or for 30 days. */
export type Guard = { readonly since: number; readonly removed: number };

export type FailureCode =
  | 'unreachable'
  | 'timeout'
  | 'not_trusted'
  | 'redirected'
  | 'not_json'
  | 'too_large'
  | 'truncated'
  | 'key_refused'
  | 'forbidden'
  | 'too_many_requests'
  | 'server_failed'
  | 'unexpected_status';

/** Reasons for the end of a sync, found in valid answers. */
export type RefusalCode =
  | 'event_invalid'
  | 'event_replaced'
  | 'list_repeats'
  | 'list_shuffled'
  | 'list_empty'
  | 'link_elsewhere'
  | 'answer_outdated'
  | 'other_account'
  | 'upstream_restored'
  | 'by_id_broken'
  | 'wrong_answer';

export type MirrorProblem = {
  readonly code: FailureCode | RefusalCode;
  /** The local time of the first sync with this problem, in ms. */
  readonly since: number;
  /** The event, if the problem is about one. */
  readonly id?: number;
};

/** A decision that only a person can make. */
export type Question =
  | {
      readonly kind: 'removals';
      readonly reason: 'guard' | 'many_missing' | 'false_absences';
      readonly ids: readonly number[];
    }
  | { readonly kind: 'reset'; readonly code: MirrorProblem['code'] }
  | { readonly kind: 'skip'; readonly id: number };

/** The stored state of one source, apart from its items. */
export type Source = {
  readonly baseUrl: string;
  readonly coverage: Coverage;
  /** The ids of the last list in its order; with `Link`, those of its first page. */
  readonly listed: readonly number[];
  /** The upstream's time of the last list or 304, in ms; null before the first. */
  readonly listedAt: number | null;
  /** The upstream's time of the last list that was sent in full, not as a 304. */
  readonly unconditionalAt: number | null;
  /** False if `unconditionalAt` comes from the local clock, which proves nothing. */
  readonly isListDated: boolean;
  /** The upstream's time of the last walk through all pages. */
  readonly walkedAt: number | null;
  readonly etag: string | null;
  /** True after a 304 for a list that had changed. */
  readonly etagLies: boolean;
  /** The shape of a real 404; null if it has to be learnt. */
  readonly absenceShape: string | null;
  readonly guard: Guard;
  /** The upstream's time of the last 404 that a later answer disproved. */
  readonly falseAbsenceAt: number | null;
  /** The last answers by id about events that nothing made suspect; true for a 404. */
  readonly recentAbsences: readonly boolean[];
  /** The upstream's clock minus the local clock, in ms. */
  readonly clockOffset: number;
  /** Ids to look up: by hand, or missed by a local script. */
  readonly wanted: readonly number[];
  /** Invalid events that a person chose to skip; they keep their last valid version. */
  readonly skipped: readonly number[];
  /** Ignored members of the upstream's events. */
  readonly unknownMembers: readonly string[];
  readonly attemptedAt: number | null;
  readonly succeededAt: number | null;
  /** The local time of the next sync, in ms. */
  readonly nextAt: number;
  /** The local time before which the upstream asked for no request (`Retry-After`). */
  readonly quietUntil: number;
  readonly failures: number;
  readonly problem: MirrorProblem | null;
  readonly question: Question | null;
};

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

/** A page of a list. */
export type Page = {
  readonly events: readonly StoredEvent[];
  /** Ids of events that do not conform to the contract. */
  readonly invalid: readonly number[];
  readonly unknownMembers: readonly string[];
  /** The address of the next page (`Link`), or null. */
  readonly next: string | null;
  readonly etag: string | null;
  /** The upstream's time of this page, in ms. */
  readonly asOf: number;
  readonly origin: AnswerOrigin;
};

export type Request =
  | { readonly run: number; readonly operation: 'list'; readonly etag: string | null }
  | { readonly run: number; readonly operation: 'page'; readonly url: string }
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
  | { readonly kind: 'unchanged'; readonly request: Request; readonly timing: Timing }
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
  | Answer;

/** The change of an event in a receipt; `before` is null for a new event. */
export type ReceiptChange = {
  readonly id: number;
  readonly before: StoredEvent | null;
  readonly after: StoredEvent | null;
};

/** A write. All writes of one plan are one transaction. */
export type Write =
  | { readonly kind: 'store'; readonly item: Item }
  | {
      readonly kind: 'confirm';
      readonly ids: readonly number[];
      readonly at: number;
      readonly operation: Operation;
    }
  | { readonly kind: 'suspect'; readonly id: number; readonly suspicion: Suspicion }
  | { readonly kind: 'remove'; readonly id: number; readonly at: number }
  | { readonly kind: 'absent'; readonly id: number; readonly at: number }
  | { readonly kind: 'source'; readonly values: Partial<Source> }
  | { readonly kind: 'receipt'; readonly run: number; readonly changes: readonly ReceiptChange[] };

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
  const coverage = {
    horizon: '9999',
    holes: [],
    oldestListed: '9999',
    cap: 200,
    backdates: false,
  };
  return {
    source: {
      baseUrl,
      coverage,
      listed: [],
      listedAt: null,
      isListDated: false,
      unconditionalAt: null,
      walkedAt: null,
      etag: null,
      etagLies: false,
      absenceShape: null,
      guard: { since: now, removed: 0 },
      falseAbsenceAt: null,
      recentAbsences: [],
      clockOffset: 0,
      wanted: [],
      skipped: [],
      unknownMembers: [],
      attemptedAt: null,
      succeededAt: null,
      nextAt: now,
      quietUntil: 0,
      failures: 0,
      problem: null,
      question: null,
    },
    items: new Map(),
    absent: new Map(),
    run: null,
  };
}

/** Returns the start of complete knowledge: '' for all events. */
export function coveredSince({ horizon, holes }: Coverage): string {
  return holes.at(-1)?.to ?? horizon;
}

/** Returns true if an event with this creation time would be known. */
export function isCovered({ horizon, holes }: Coverage, createdAt: string): boolean {
  return createdAt > horizon && !holes.some(({ from, to }) => createdAt >= from && createdAt <= to);
}

/** Returns true if an operation sends the `registrationOpen` of an event. */
export function isRegistrationSent(registration: Registration): boolean {
  return Object.values(registration).some((value) => typeof value === 'boolean');
}

/** Returns true if an answer of this operation confirms the `registrationOpen` of an event. */
export function confirmsRegistration(registration: Registration, operation: Operation): boolean {
  return !isRegistrationSent(registration) || typeof registration[operation] === 'boolean';
}

/** Returns the suspicion that remains after an answer showed the event. */
export function suspicionAfter(suspicion: Suspicion | null, asOf: number): Suspicion | null {
  return suspicion === null || asOf >= suspicion.since ? null : suspicion;
}

function confirmItem(item: Item, at: number, operation: Operation): Item {
  const registrationAt = confirmsRegistration(item.registration, operation)
    ? at
    : item.registrationAt;
  return {
    ...item,
    confirmedAt: at,
    registrationAt,
    suspicion: suspicionAfter(item.suspicion, at),
  };
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

/** Returns an event as an operation of the upstream sends it. */
export function eventOf({ event, registration }: Item, operation: Operation): StoredEvent {
  // The event may have a value from the time before both operations left it out.
  const isSent = registration[operation] !== null && isRegistrationSent(registration);
  if (isSent) return event;
  const { registrationOpen: _, ...rest } = event;
  return rest;
}
