import type { StoredEvent } from './model.ts';

/** The two operations of an online service (INTERFACE section 2). */
export type Operation = 'list' | 'byId';

/**
 * The `registrationOpen` that each operation sent for an event: null if the operation left it out,
 * absent if it never sent this event.
 */
export type Registration = Partial<Readonly<Record<Operation, boolean | null>>>;

/** A first proof that an event is gone. */
export type Suspect = {
  /** The upstream's time of the proof, in ms. */
  readonly since: number;
  /** Its local time, in ms: either clock may jump before the second proof. */
  readonly localSince: number;
  readonly by: Operation;
};

/** An event of the mirror. */
export type MirrorEntry = {
  readonly event: StoredEvent;
  /** The upstream's time at which it had these values, apart from `registrationOpen`, in ms. */
  readonly confirmedAt: number;
  /** The upstream's time at which it had this `registrationOpen`: a list may leave it out. */
  readonly registrationAt: number;
  readonly registration: Registration;
  readonly suspect: Suspect | null;
};

/** Creation times whose events are all known: later than `after`, and before `until`. */
export type Interval = { readonly after: string; readonly until: string };

/** The proof of a list: every event of these creation times is on it. */
export type ListProof = Interval & {
  /** The creation time of its oldest event; '' for an empty list. */
  readonly oldest: string;
  /** The number of its entries, with those that cannot be read. */
  readonly entries: number;
};

/** Knowledge of the events of the upstream: the union of what its lists proved. */
export type Coverage = {
  /** Oldest first, without overlaps. The last one has no end until the next list. */
  readonly proven: readonly Interval[];
  /** The proof of the last list; null before the first. */
  readonly last: ListProof | null;
  /** A list with fewer entries is complete. */
  readonly cap: number;
  /** True after the upstream showed an event with a creation time before its real one. */
  readonly backdates: boolean;
};

/** Removals since a person last answered, or for 30 days. */
export type Guard = { readonly since: number; readonly removed: number };

export const failureCodes = [
  'unreachable',
  'not_running',
  'timeout',
  'not_trusted',
  'redirected',
  'not_json',
  'too_large',
  'truncated',
  'key_refused',
  'forbidden',
  'too_many_requests',
  'server_failed',
  'unexpected_status',
  'file_missing',
  'file_folder_missing',
  'file_unreadable',
  'file_password',
  'file_elsewhere',
  'file_calendar',
  'file_damaged',
  'file_filtered',
  'file_silent',
  'file_moved',
  'file_gone',
  'file_too_large',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Reasons for the end of a sync, found in valid answers. */
export const refusalCodes = [
  'event_replaced',
  'list_repeats',
  'list_shuffled',
  'list_empty',
  'link_elsewhere',
  'answer_outdated',
  'other_account',
  'upstream_restored',
  'by_id_broken',
  'digest_differs',
  'wrong_answer',
  'file_older',
  'file_jumped',
  'file_other_club',
  'file_other_history',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

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
      readonly reason: 'guard' | 'false_absences';
      readonly ids: readonly number[];
    }
  | { readonly kind: 'reset'; readonly code: MirrorProblem['code'] };

/** The stored state of one source, apart from its entries. */
export type Source = {
  readonly baseUrl: string;
  readonly coverage: Coverage;
  /** The ids of the last list in its order; with `Link`, those of its first page. */
  readonly listed: readonly number[];
  /** The upstream's time of the last list, in ms; null before the first. */
  readonly listedAt: number | null;
  /** The ETag of the last list, if the upstream sends `Events-Revision`. */
  readonly etag: string | null;
  /** An `Events-Revision` of the upstream, whose earlier changes are all known; null without one. */
  readonly revision: string | null;
  /** The shape of a real 404; null until a 404 has been observed. */
  readonly absenceShape: string | null;
  readonly guard: Guard;
  /** The upstream's time of the last 404 that a later answer disproved. */
  readonly falseAbsenceAt: number | null;
  /** The upstream's clock minus the local clock, in ms. */
  readonly clockOffset: number;
  /** The time in ms by which the clock of the upstream was ahead of that of this computer. */
  readonly ahead: number;
  /** Ids to look up: by hand, or missed by a local script. */
  readonly wanted: readonly number[];
  /** Events of the upstream that cannot be read; they keep their last good version. */
  readonly unreadable: readonly number[];
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
  /** The club of a file, by the random part of its UIDs; null for a service. */
  readonly club: string | null;
  /** Names of files beside a file that a sync program made of two versions of it. */
  readonly conflictCopies: readonly string[];
};

/** The change of an event in a receipt; `before` is null for a new event. */
export type ReceiptChange = {
  readonly id: number;
  readonly before: StoredEvent | null;
  readonly after: StoredEvent | null;
};

/** A write. All writes of one plan are one transaction. */
export type Write =
  | { readonly kind: 'store'; readonly entry: MirrorEntry }
  | {
      readonly kind: 'confirm';
      readonly ids: readonly number[];
      readonly at: number;
      readonly operation: Operation;
    }
  | { readonly kind: 'suspect'; readonly id: number; readonly suspect: Suspect | null }
  | { readonly kind: 'remove'; readonly id: number; readonly at: number }
  | { readonly kind: 'not_found'; readonly id: number; readonly at: number }
  | { readonly kind: 'source'; readonly values: Partial<Source> }
  | { readonly kind: 'receipt'; readonly run: number; readonly changes: readonly ReceiptChange[] };

/** Creates the state of a mirror before its first sync. */
export function createSource(baseUrl: string, now: number): Source {
  return {
    baseUrl,
    coverage: { proven: [], last: null, cap: 200, backdates: false },
    listed: [],
    listedAt: null,
    etag: null,
    revision: null,
    absenceShape: null,
    guard: { since: now, removed: 0 },
    falseAbsenceAt: null,
    clockOffset: 0,
    ahead: 0,
    wanted: [],
    unreadable: [],
    unknownMembers: [],
    attemptedAt: null,
    succeededAt: null,
    nextAt: now,
    quietUntil: 0,
    failures: 0,
    problem: null,
    question: null,
    club: null,
    conflictCopies: [],
  };
}

/** Returns the time in ms by which stored times are ahead of the clock here: a file's were corrected. */
export function aheadOf({ kind }: { readonly kind: 'service' | 'file' }, source: Source): number {
  return kind === 'file' ? 0 : source.ahead;
}

/** Returns the short name of a service or file: its host, or the name of the file. */
export function nameOfSource(baseUrl: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  if (protocol !== 'file:') return host;
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    // Not written by this program.
    return name;
  }
}

/** Returns the address of a service, or the short name of a file, whose address may be a secret link. */
export function labelOfSource(baseUrl: string): string {
  return baseUrl.endsWith('/') ? baseUrl : nameOfSource(baseUrl);
}

/** The creation time after which nothing can be created. */
export const latestTimestamp = '9999-12-31T23:59:59.999Z';

/** Returns the start of complete knowledge: '' for all events. */
export function coveredSince({ proven }: Coverage): string {
  return proven.at(-1)?.after ?? latestTimestamp;
}

/** Returns the intervals between those that are proven, whose events may be missing. */
export function holesOf({ proven }: Coverage): readonly { from: string; to: string }[] {
  return proven
    .slice(1)
    .map(({ after }, index) => ({ from: proven[index]?.until ?? '', to: after }));
}

/** Returns true if an event with this creation time was on a list, if it existed then. */
export function isProven({ proven }: Coverage, createdAt: string): boolean {
  return proven.some(({ after, until }) => createdAt > after && createdAt < until);
}

/** Returns true if an operation sends the `registrationOpen` of an event. */
function isRegistrationSent({ list, byId }: Registration): boolean {
  return typeof list === 'boolean' || typeof byId === 'boolean';
}

/** Returns true if an answer of this operation confirms the `registrationOpen` of an event. */
export function confirmsRegistration(registration: Registration, operation: Operation): boolean {
  return !isRegistrationSent(registration) || typeof registration[operation] === 'boolean';
}

/** Returns the proof that an event is suspect, if it is newer than an answer that showed the event. */
export function suspectAfter(suspect: Suspect | null, asOf: number): Suspect | null {
  return suspect === null || asOf >= suspect.since ? null : suspect;
}

/** Returns an entry after an answer of an operation confirmed its values. */
export function confirmEntry(entry: MirrorEntry, at: number, operation: Operation): MirrorEntry {
  const registrationAt = confirmsRegistration(entry.registration, operation)
    ? at
    : entry.registrationAt;
  return {
    ...entry,
    confirmedAt: at,
    registrationAt,
    suspect: suspectAfter(entry.suspect, at),
  };
}

/** Returns true if an operation sends the `registrationOpen` that an event is stored with. */
export function showsRegistration(registration: Registration, operation: Operation): boolean {
  // The event may have a value from the time before both operations left it out.
  return registration[operation] !== null && isRegistrationSent(registration);
}

/** Returns an event as an operation of the upstream sends it. */
export function eventOf(
  { event, registration }: Pick<MirrorEntry, 'event' | 'registration'>,
  operation: Operation,
): StoredEvent {
  if (showsRegistration(registration, operation)) return event;
  const { registrationOpen: _, ...rest } = event;
  return rest;
}

/** Returns the upstream's time at which an operation sent an event as it would now, in ms. */
export function confirmedBy(
  entry: Pick<MirrorEntry, 'confirmedAt' | 'registrationAt' | 'registration'>,
  operation: Operation,
): number {
  const { confirmedAt, registrationAt, registration } = entry;
  const isShown = showsRegistration(registration, operation);
  return isShown ? Math.min(confirmedAt, registrationAt) : confirmedAt;
}
