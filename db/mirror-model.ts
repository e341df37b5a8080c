import type { StoredEvent } from './model.ts';

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
  | 'not_running'
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
  /** An `Events-Revision` of the upstream, whose earlier changes are all known; null without one. */
  readonly revision: string | null;
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

/** Creates the state of a mirror before its first sync. */
export function createSource(baseUrl: string, now: number): Source {
  return {
    baseUrl,
    coverage: { horizon: '9999', holes: [], oldestListed: '9999', cap: 200, backdates: false },
    listed: [],
    listedAt: null,
    isListDated: false,
    unconditionalAt: null,
    walkedAt: null,
    etag: null,
    revision: null,
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
export function isRegistrationSent({ list, byId }: Registration): boolean {
  return typeof list === 'boolean' || typeof byId === 'boolean';
}

/** Returns true if an answer of this operation confirms the `registrationOpen` of an event. */
export function confirmsRegistration(registration: Registration, operation: Operation): boolean {
  return !isRegistrationSent(registration) || typeof registration[operation] === 'boolean';
}

/** Returns the suspicion that remains after an answer showed the event. */
export function suspicionAfter(suspicion: Suspicion | null, asOf: number): Suspicion | null {
  return suspicion === null || asOf >= suspicion.since ? null : suspicion;
}

/** Returns an item after an answer of an operation confirmed its values. */
export function confirmItem(item: Item, at: number, operation: Operation): Item {
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

/** Returns true if an operation sends the `registrationOpen` that an event is stored with. */
export function showsRegistration(registration: Registration, operation: Operation): boolean {
  // The event may have a value from the time before both operations left it out.
  return registration[operation] !== null && isRegistrationSent(registration);
}

/** Returns an event as an operation of the upstream sends it. */
export function eventOf(
  { event, registration }: Pick<Item, 'event' | 'registration'>,
  operation: Operation,
): StoredEvent {
  if (showsRegistration(registration, operation)) return event;
  const { registrationOpen: _, ...rest } = event;
  return rest;
}

/** Returns the upstream's time at which an operation sent an event as it would now, in ms. */
export function confirmedBy(
  item: Pick<Item, 'confirmedAt' | 'registrationAt' | 'registration'>,
  operation: Operation,
): number {
  const { confirmedAt, registrationAt, registration } = item;
  const isShown = showsRegistration(registration, operation);
  return isShown ? Math.min(confirmedAt, registrationAt) : confirmedAt;
}
