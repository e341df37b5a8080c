import type { ActionResult } from '../actions/catalogue.ts';
import { thisMachine } from '../club/tools.ts';
import { dayMs, hourMs, minuteMs } from '../dates/units.ts';
import { type Message, type ProblemCode, problemMessage } from '../messages/message.ts';
import type { MirrorStatus, NamedEvent, ReadyReport, SyncResult } from '../mirror/status.ts';
import { count, datesOf, loadWords, type Translate } from './results.ts';

type LocalDate = (timestamp: string) => string;

function changesText({ added, changed, removed }: SyncResult): string {
  const parts = [
    ...(added > 0 ? [`${count(added, 'event')} added`] : []),
    ...(changed > 0 ? [`${count(changed, 'event')} changed`] : []),
    ...(removed > 0 ? [`${count(removed, 'event')} removed`] : []),
  ];
  return parts.length === 0 ? 'nothing new' : parts.join(', ');
}

function eventLine({ id, name, date }: NamedEvent, localDate: LocalDate): string {
  return name === '' ? `  ${id}` : `  ${id} ${name}, ${localDate(date)}`;
}

/** Describes the knowledge of events, such as "All events added since Mon 2 Mar 2026, 00:00". */
function coverageText({ coverage, events, kind }: MirrorStatus, localDate: LocalDate): string[] {
  const { since, older, holes } = coverage;
  const what = kind === 'file' ? 'file' : 'service';
  if (since === null) return [`All ${count(events, 'event')} of the ${what} are here.`];
  const others = older === 0 ? '' : `, and ${older} older ${older === 1 ? 'one' : 'ones'}`;
  return [
    `All events added since ${localDate(since)} are here${others}.`,
    ...holes.map(
      ({ from, to }) =>
        `Events added between ${localDate(from)} and ${localDate(to)} may be missing.`,
    ),
    'Older events may exist: look for them with "club-events mirror search-ids", or add their ids.',
  ];
}

const timeUnits = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/** Formats the time since a timestamp, such as `21 days ago`. */
function agoText(timestamp: string, now: Date): string {
  const ms = now.getTime() - Date.parse(timestamp);
  const [unit, length] = timeUnits.find(([, each]) => ms >= each) ?? ['minute', minuteMs];
  return `${count(Math.max(0, Math.floor(ms / length)), unit)} ago`;
}

/** Words the last good sync, and the problem since then. */
function problemText(
  { problem, succeededAt, url }: MirrorStatus,
  localDate: LocalDate,
  word: Translate,
): string | undefined {
  if (problem === null) return undefined;
  const code = `sync_${problem.code}` as ProblemCode;
  const values = { url, id: problem.event?.id ?? '' };
  const text = word(problemMessage({ code, values }));
  const last =
    succeededAt === null
      ? 'Never synced.'
      : `Last synced ${localDate(succeededAt)} (${agoText(succeededAt, thisMachine.now())}).`;
  return `${last} Now: ${text}`;
}

function questionText({ question, user }: MirrorStatus, localDate: LocalDate): string[] {
  switch (question?.kind) {
    case 'removals': {
      const isOne = question.count === 1;
      return [
        isOne
          ? 'An event is gone at the service and waits for you:'
          : `${count(question.count, 'event')} are gone at the service and wait for you:`,
        ...question.events.slice(0, 20).map((event) => eventLine(event, localDate)),
        `To remove ${isOne ? 'it' : 'them'}, run "club-events mirror sync --user ${JSON.stringify(user)} --confirm-removals".`,
      ];
    }
    case 'reset':
      return [
        'If this is the right service and account, run "club-events mirror sync --accept-reset".',
      ];
    case undefined:
      return [];
  }
}

/** Names the files beside a file that a sync program made of two versions of it. */
function conflictsText({ conflictCopies }: MirrorStatus): string[] {
  if (conflictCopies.length === 0) return [];
  return [
    `Not read, as a sync program made them of two versions of the file: ${conflictCopies.join(', ')}.`,
    'Only one computer should keep the file up to date; compare these with it, then delete them.',
  ];
}

/** Names events that cannot be read. */
function unreadableText({ unreadable }: MirrorStatus, localDate: LocalDate): string[] {
  if (unreadable.length === 0) return [];
  return [
    `${count(unreadable.length, 'event')} cannot be read at the service, so not updated here:`,
    ...unreadable.slice(0, 20).map((each) => eventLine(each, localDate)),
  ];
}

/** Returns the message about a key that a sync lacks. */
function keyProblem({ isKeyForeign, url }: MirrorStatus): Message {
  const code = isKeyForeign ? 'mirror_key_foreign' : 'mirror_key_missing';
  return problemMessage({ code, values: { url } });
}

function statusText(status: MirrorStatus, word: Translate): string {
  const localDate = datesOf(status.timeZone);
  const { user, url, asOf, nextAt, unknownMembers, wanted, isPaused } = status;
  const found = problemText(status, localDate, word);
  return [
    `${user}: ${url}`,
    asOf === null ? 'Never synced.' : `As of ${localDate(asOf)}.`,
    ...coverageText(status, localDate),
    ...(status.oldestConfirmation === null
      ? []
      : [`Every event was confirmed at ${localDate(status.oldestConfirmation)} or later.`]),
    ...(status.unconfirmed > 0
      ? [`${count(status.unconfirmed, 'upcoming event')} not confirmed within a day.`]
      : []),
    ...(found === undefined ? [] : [found]),
    ...(status.minutesAhead === 0
      ? []
      : [word(problemMessage({ code: 'ready_clock', values: { minutes: status.minutesAhead } }))]),
    ...questionText(status, localDate),
    ...conflictsText(status),
    ...(status.isKeyMissing ? [word(keyProblem(status))] : []),
    ...(isPaused
      ? ['Paused, as a backup was restored: go on with "club-events mirror sync".']
      : [`Next sync by a running service: ${localDate(nextAt)}.`]),
    ...(wanted > 0 ? [`${count(wanted, 'id')} to look up.`] : []),
    ...unreadableText(status, localDate),
    ...(unknownMembers.length > 0
      ? [`Members that scripts miss here: ${unknownMembers.join(', ')}.`]
      : []),
  ].join('\n');
}

export async function mirrorsText({ mirrors }: ActionResult<'mirror status'>): Promise<string> {
  if (mirrors.length === 0) {
    return 'No user is a copy of an online service; see "club-events mirror set --help".';
  }
  const word = await loadWords();
  return mirrors.map((status) => statusText(status, word)).join('\n\n');
}

export async function mirrorSet(result: ActionResult<'mirror set'>): Promise<string> {
  const { status } = result;
  const localDate = datesOf(status.timeZone);
  const isFile = status.kind === 'file' && status.asOf !== null;
  const lines = [
    ...coverageText(status, localDate),
    ...(isFile ? [`As of ${localDate(status.asOf)}.`] : []),
    ...unreadableText(status, localDate),
    ...conflictsText(status),
  ];
  return [`"${status.user}" is a copy of ${status.url}: ${changesText(result)}.`, ...lines].join(
    '\n',
  );
}

async function syncText(result: SyncResult): Promise<string> {
  const { status } = result;
  const word = await loadWords();
  const localDate = datesOf(status.timeZone);
  const found = problemText(status, localDate, word);
  return [
    `${status.user}: ${changesText(result)}.`,
    ...(found === undefined ? [] : [found]),
    ...questionText(status, localDate),
    ...conflictsText(status),
  ].join('\n');
}

export async function syncsText({ results }: ActionResult<'mirror sync'>): Promise<string> {
  if (results.length === 0) return await mirrorsText({ mirrors: [] });
  return (await Promise.all(results.map(syncText))).join('\n');
}

export function verificationText(result: ActionResult<'mirror verify'>): string {
  const { checked, differences, status } = result;
  const localDate = datesOf(status.timeZone);
  if (differences.length === 0) return `${count(checked, 'event')} compared: no difference.`;
  return [
    `${count(checked, 'event')} compared: ${count(differences.length, 'difference')}, corrected here.`,
    ...differences.map(({ event, kind }) => `${eventLine(event, localDate)}: ${kind}`),
  ].join('\n');
}

export function idsFoundText(result: ActionResult<'mirror add-ids'>): string {
  const { wanted, found } = result;
  return `${count(wanted, 'id')} looked up: ${count(found, 'event')} of this account.`;
}

/** Formats a time such as `2 min`. */
function durationText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

export function searchText(result: ActionResult<'mirror search-ids'>): string {
  const { estimate, asked, status, added } = result;
  if (asked > 0) {
    const left = status.idsLeft === 0 ? 'No id is left.' : `${count(status.idsLeft, 'id')} left.`;
    return `${count(asked, 'id')} asked for: ${count(added, 'event')} found. ${left}`;
  }
  if (status.coverage.since === null) return 'All events of the service are here.';
  if (estimate.requests === 0) return 'There is no id left to ask for.';
  if (estimate.isTooSparse) {
    return `A search would need ${count(estimate.requests, 'request')}: the ids of this service are too far apart. Add the ids that you know with "club-events mirror add-ids".`;
  }
  return [
    `A search needs about ${count(estimate.requests, 'request')}, ${durationText(estimate.seconds)}.`,
    'It asks the service for each id that is not known. Start it with --start; it can be ended and goes on later.',
  ].join('\n');
}

export function keyAdded({ url }: ActionResult<'mirror key add'>): string {
  return `The key of ${url} was added.`;
}

export function keyChanged({ url, isOldKeyClosed }: ActionResult<'mirror key change'>): string {
  const closed = ' The service refuses the old key, so it opens nothing here any more either.';
  return `The key of ${url} was changed.${isOldKeyClosed ? closed : ''}`;
}

const checkNames: Readonly<Record<string, string>> = {
  sync: 'Synced with the service',
  confirmed: 'Every upcoming event was confirmed one by one',
  unknown: 'Every id that was asked for was looked up',
  clock: 'The clock is right',
  disk: 'There is space on the disk',
  service: 'A service answers the key on this computer',
  backup: 'A backup was made, and restored as a test',
};

export async function readyText({ reports }: ActionResult<'mirror ready'>): Promise<string> {
  const word = await loadWords();
  return reports.map((report) => readyCard(report, word)).join('\n\n');
}

function readyCard(report: ReadyReport, word: Translate): string {
  const localDate = datesOf(report.timeZone);
  const { user, isReady, missingBefore, search, upcoming, until, confirmedAt, checks } = report;
  const missing =
    missingBefore && `; events added before ${localDate(missingBefore)} may be missing`;
  return [
    `${user}: ${isReady ? 'ready for the field' : 'NOT ready'}${missing ?? ''}`,
    `${count(upcoming, 'event')}${until === null ? '' : ` until ${localDate(until)}`}${
      confirmedAt === null ? '' : `, confirmed ${localDate(confirmedAt)}`
    }`,
    ...checks.map(({ name, problem }) =>
      problem === undefined
        ? `  ok  ${checkNames[name] ?? name}`
        : `  !!  ${word(problemMessage(problem))}`,
    ),
    ...(search === null
      ? []
      : [
          'Some of the missing events may be upcoming. To look for those near the newest ids first,',
          `run "club-events mirror search-ids --user ${JSON.stringify(user)} --upcoming --start": about`,
          `${count(search.requests, 'request')}, ${durationText(search.seconds)}.`,
        ]),
  ].join('\n');
}

export function mirrorRemoved({ user, url, events }: ActionResult<'mirror remove'>): string {
  return `"${user}" is no longer a copy of ${url}; its ${count(events, 'event')} stay.`;
}
