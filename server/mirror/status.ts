import type { MirrorSource, SourceKind, StoredMirror } from '../../db/mirror.ts';
import {
  aheadOf,
  coveredSince,
  type FailureCode,
  holesOf,
  type MirrorEntry,
  nameOfSource,
  type Question,
  type RefusalCode,
} from '../../db/mirror-model.ts';
import type { KeyStore } from '../../db/model.ts';
import { dayMs, minuteMs } from '../dates/units.ts';
import type { PackedProblem } from '../messages/message.ts';
import { pathOfFile } from '../outside/outside-files.ts';
import { pathForProposals } from '../proposals/proposals-file.ts';
import type { NoKey, UpstreamKey } from '../store/upstream-keys.ts';
import { countIdsLeft, type SearchEstimate } from './planner/search.ts';

/** An event in a question or a difference. */
export type NamedEvent = { readonly id: number; readonly name: string; readonly date: string };

/** The state of a mirror, for people. Times are timestamps in UTC. */
export type MirrorStatus = {
  readonly source: number;
  readonly userId: number;
  readonly user: string;
  /** The time zone of the club, in which its times are shown. */
  readonly timeZone: string;
  /** A file of another computer has no key and is a whole state. */
  readonly kind: SourceKind;
  /** The base URL of a service; the path or address of a file. */
  readonly url: string;
  /** The host of a service, or the name of a file. */
  readonly name: string;
  /** Files beside a file that a sync program made of two versions of it. */
  readonly conflictCopies: readonly string[];
  /** The place of the key: the file of the command line, the system's store, or this run only. */
  readonly keyStore: KeyStore;
  /** True for a file beside which this computer can write proposals. */
  readonly takesProposals: boolean;
  /** True if a sync needs a key that this program does not have. */
  readonly isKeyMissing: boolean;
  /** True if the key was stored for another address, to which alone it is sent. */
  readonly isKeyForeign: boolean;
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
  /** Minutes by which the clock of the service or of the other computer was ahead; 0 below five. */
  readonly minutesAhead: number;
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
        readonly reason: 'guard' | 'false_absences';
        /** At most 200 of them; `count` is the number of all. */
        readonly events: readonly NamedEvent[];
        readonly count: number;
      }
    | { readonly kind: 'reset'; readonly code: FailureCode | RefusalCode }
    | null;
  /** Members of the online service's events that are not part of the contract. */
  readonly unknownMembers: readonly string[];
  /** Events of the service that cannot be read; they keep their last good version. */
  readonly unreadable: readonly NamedEvent[];
  readonly wanted: number;
  /** The number of ids that a search for older events has still to ask for; 0 if all are known. */
  readonly idsLeft: number;
};

/** The result of a sync. */
export type SyncResult = {
  readonly status: MirrorStatus;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly requests: number;
};

/** A check before a trip without a connection. */
export type ReadyReport = {
  readonly user: string;
  readonly timeZone: string;
  readonly isReady: boolean;
  /** Events created before this timestamp may be missing, also upcoming ones; null if none are. */
  readonly missingBefore: string | null;
  /** The cost of a search for upcoming events among them; null without a need. */
  readonly search: Pick<SearchEstimate, 'requests' | 'seconds'> | null;
  /** The number of upcoming events, and the date of the last one. */
  readonly upcoming: number;
  readonly until: string | null;
  /** The oldest confirmation of an upcoming event. */
  readonly confirmedAt: string | null;
  readonly checks: readonly {
    readonly name: 'sync' | 'confirmed' | 'unknown' | 'backup' | 'clock' | 'disk' | 'service';
    readonly isFine: boolean;
    /** The reason of a failed check, as a problem to word. */
    readonly problem?: PackedProblem;
  }[];
};

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the state of a mirror for people. */
export function describeMirror(
  { id, userId, user, kind, baseUrl, keyStore, paused }: MirrorSource,
  { source, entries, notFound }: StoredMirror,
  {
    now,
    key,
    timeZone,
  }: {
    readonly now: Date;
    readonly key: UpstreamKey | NoKey | undefined;
    readonly timeZone: string;
  },
): MirrorStatus {
  const { coverage, problem, question } = source;
  const since = coveredSince(coverage);
  const ahead = aheadOf({ kind }, source);
  const all = [...entries.values()];
  const here = now.getTime() + source.clockOffset;
  const isUnconfirmed = ({ event, confirmedAt }: MirrorEntry) =>
    Date.parse(event.date) >= here && here - confirmedAt > dayMs;
  const nameOf = (eventId: number): NamedEvent => {
    const { name = '', date = '' } = entries.get(eventId)?.event ?? {};
    return { id: eventId, name, date };
  };
  const oldest = all.reduce<number>(
    (earliest, { confirmedAt, registrationAt }) => Math.min(earliest, confirmedAt, registrationAt),
    Number.POSITIVE_INFINITY,
  );
  return {
    source: id,
    ...{ userId, user },
    timeZone,
    kind,
    url: pathOfFile(baseUrl) ?? baseUrl,
    name: nameOfSource(baseUrl),
    conflictCopies: source.conflictCopies,
    takesProposals: kind === 'file' && pathForProposals(baseUrl) !== undefined,
    keyStore,
    isKeyMissing: key === 'missing' || key === 'foreign',
    isKeyForeign: key === 'foreign',
    isPaused: paused !== null,
    events: entries.size,
    coverage: {
      since: since === '' ? null : since,
      older: since === '' ? 0 : all.filter(({ event }) => event.createdAt < since).length,
      holes: holesOf(coverage),
    },
    asOf: source.listedAt === null ? null : timestamp(source.listedAt - ahead),
    oldestConfirmation: all.length === 0 ? null : timestamp(oldest - ahead),
    unconfirmed: all.filter(isUnconfirmed).length,
    minutesAhead: source.ahead < 5 * minuteMs ? 0 : Math.round(source.ahead / minuteMs),
    succeededAt: source.succeededAt === null ? null : timestamp(source.succeededAt),
    nextAt: timestamp(source.nextAt),
    problem: problem && {
      code: problem.code,
      since: timestamp(problem.since),
      event: problem.id === undefined ? null : nameOf(problem.id),
    },
    question: describeQuestion(question, nameOf),
    unknownMembers: source.unknownMembers,
    unreadable: source.unreadable.map(nameOf),
    wanted: source.wanted.length,
    idsLeft: since === '' ? 0 : countIdsLeft({ entries, notFound, source }),
  };
}

/** Most events of a question that are named. */
const maxNamed = 200;

function describeQuestion(
  question: Question | null,
  nameOf: (id: number) => NamedEvent,
): MirrorStatus['question'] {
  switch (question?.kind) {
    case 'removals': {
      const { kind, reason, ids } = question;
      return { kind, reason, events: ids.slice(0, maxNamed).map(nameOf), count: ids.length };
    }
    case 'reset':
      return question;
    case undefined:
      return null;
  }
}
