import type {
  Guard,
  Interval,
  ListProof,
  MirrorEntry,
  Operation,
  Registration,
  Suspect,
} from '../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { dayMs, hourMs, minuteMs } from '../../dates/units.ts';
import type { AnswerOrigin, Round, UpstreamVersion } from './state.ts';

/** Limits of the requests of a sync, and its times in ms. */
export const limits = {
  /** The longest list of INTERFACE section 2. */
  cap: 200,
  interval: 15 * minuteMs,
  longestBackOff: 6 * hourMs,
  longestRetryAfter: dayMs,
  atOnce: 4,
  /** Requests by id between two probes, and in a sync that nobody asked for. */
  ids: 100,
  pages: 5_000,
  wanted: 1_000,
} as const;

/** The greatest difference between the upstream's clock and its creation times. */
const clockTolerance = 5 * minuteMs;

/** Judges a 404, or a list, without a known event. `at` is the upstream's time, in ms. */
function judgeNotFound(
  suspect: Suspect | null,
  at: number,
  isAttended: boolean,
  { isDated, isCached, localTime }: AnswerOrigin,
): 'first' | 'waiting' | 'proven' {
  // The local clock may be wrong by more than the ten minutes.
  if (isCached || (!isAttended && !isDated)) return 'waiting';
  // Suspect since a time in the future: a clock was set back.
  if (suspect === null || suspect.since > at || suspect.localSince > localTime) {
    return 'first';
  }
  // The clock that jumped ahead counts too much.
  const waited = Math.min(at - suspect.since, localTime - suspect.localSince);
  return isAttended || waited >= 10 * minuteMs ? 'proven' : 'waiting';
}

/** Returns true if this many removals need the consent of a person. */
function exceedsGuard({ removed }: Guard, removals: number, known: number): boolean {
  const total = removed + removals;
  return total > 10 && total > 0.2 * (known + removed);
}

/** Returns true if a 404 has the shape of the one for an id that cannot exist. */
function isLearntNotFound(shape: string, learnt: string | null): boolean {
  return shape === learnt;
}

/** Returns what a list proves. */
function proveList(props: {
  /** The creation time of its last event that can be read. */
  readonly oldest: string;
  /** The creation time after which its entries are known; '' for all. */
  readonly readableTo: string;
  readonly entries: number;
  readonly isWhole: boolean;
  readonly asOf: number;
  readonly origin: AnswerOrigin;
}): ListProof {
  const { oldest, readableTo, entries, isWhole, asOf, origin } = props;
  const end = isWhole ? '' : oldest;
  const latest = new Date(asOf - clockTolerance).toISOString();
  const after = readableTo > end ? readableTo : end;
  // Creation times do not count: one event of 2099 would hide every later hole. Nor does the local
  // clock, which may be wrong.
  const until = origin.isDated && latest > after ? latest : after;
  return { after, until, oldest, entries };
}

/** Returns the union of earlier intervals, oldest first, and the proof of a new list. */
function addProof(proven: readonly Interval[], { after, until }: Interval): readonly Interval[] {
  const known = proven.filter((each) => each.after < each.until);
  const apart = known.filter((each) => each.until <= after);
  const joined = known.filter((each) => each.until > after);
  const earliest = joined.reduce((least, each) => (each.after < least ? each.after : least), after);
  const latest = joined.reduce((most, each) => (each.until > most ? each.until : most), until);
  return [...apart, { after: earliest, until: latest }];
}

/** Returns the `registrationOpen` of each operation after an answer of one of them. */
function rememberRegistration(
  registration: Registration,
  operation: Operation,
  sent: boolean | undefined,
): Registration {
  const other = operation === 'list' ? 'byId' : 'list';
  if (sent === undefined) return { ...registration, [operation]: null };
  // Both send the same value; one that leaves it out says nothing about the other.
  const isSentByOther = typeof registration[other] === 'boolean';
  return isSentByOther
    ? { ...registration, [operation]: sent, [other]: sent }
    : { ...registration, [operation]: sent };
}

/** Returns true if the upstream has events with this digest, and no others. */
function provesEvents(
  version: UpstreamVersion,
  digest: string,
  _knownRevision: string | null,
): boolean {
  // The same revision proves nothing: an upstream may count wrongly, or not at all.
  return version.digest === digest;
}

/** Returns true if an answer is at least as new as the stored values. */
function isNewer(asOf: number, entry: MirrorEntry | undefined): boolean {
  return entry === undefined || asOf >= entry.confirmedAt;
}

/** Returns true if an answer shows another event under a known id. */
function isReplaced(entry: MirrorEntry | undefined, event: StoredEvent): boolean {
  if (entry === undefined) return false;
  // A service may begin to leave out fractions of a second.
  return Math.abs(Date.parse(entry.event.createdAt) - Date.parse(event.createdAt)) >= 1_000;
}

/**
 * Returns the time since the last confirmation of an event, as a share of the longest one: it has to
 * be confirmed by its id from 1. Near events come again and again, but none keeps others waiting.
 */
function urgencyOf(
  { event, confirmedAt, registrationAt }: MirrorEntry,
  now: number,
  round: Round,
): number {
  if (round === 'wanted') return 0;
  const date = Date.parse(event.date);
  const isFuture = date >= now - dayMs;
  const isNear = isFuture && date < now + 30 * dayMs;
  const longest = isNear ? hourMs : isFuture ? dayMs : 30 * dayMs;
  const isAlwaysDue = isNear || round === 'all' || (isFuture && round === 'upcoming');
  const share = (now - Math.min(confirmedAt, registrationAt)) / longest;
  return isAlwaysDue ? Math.max(1, share) : share;
}

/** Returns the delay to the next sync, in ms; `interval` is that between two good syncs. */
function delayAfter(
  failures: number,
  retryAfter: number,
  random: number,
  interval: number = limits.interval,
): number {
  const { longestBackOff, longestRetryAfter } = limits;
  const longest = Math.max(interval, longestBackOff);
  const backOff = Math.min(interval * 2 ** Math.max(0, failures - 1), longest);
  // Never earlier than asked for: jitter only adds.
  return Math.max(backOff, Math.min(retryAfter, longestRetryAfter)) * (1 + 0.1 * random);
}

/**
 * The decisions of the planner. Those about 404s, guards and delays hold for every kind of
 * source. A test replaces some of them by mistakes.
 */
export const standardRules = {
  judgeNotFound,
  exceedsGuard,
  isLearntNotFound,
  proveList,
  addProof,
  rememberRegistration,
  provesEvents,
  isNewer,
  isReplaced,
  urgencyOf,
  delayAfter,
  /** Controls around requests by id. */
  usesProbes: true,
  /** A proof that a list without any known event is of the same account. */
  provesAccount: true,
  /** True for a source whose every answer is a part of one proven state, ordered by revisions. */
  isWholeState: false as boolean,
  limits: limits as { readonly [Name in keyof typeof limits]: number },
};

export type Rules = typeof standardRules;

/** Longest time in ms between two looks at a file in a folder of this computer. */
const fileInterval = 2 * minuteMs;

/** Returns the rules for a file: it is a whole state, so what it lacks is gone. */
export function rulesOfFile(rules: Rules, isOnThisComputer: boolean): Rules {
  return {
    ...rules,
    judgeNotFound: (suspect) => (suspect === null ? 'first' : 'proven'),
    isLearntNotFound: () => true,
    isReplaced: () => false,
    delayAfter(failures, retryAfter, random, interval = limits.interval) {
      // Nobody is troubled by a look at a file of one's own.
      if (isOnThisComputer) return Math.min(interval, fileInterval);
      return rules.delayAfter(failures, retryAfter, random, interval);
    },
    usesProbes: false,
    provesAccount: false,
    isWholeState: true,
    limits: { ...rules.limits, ids: Number.MAX_SAFE_INTEGER },
  };
}
