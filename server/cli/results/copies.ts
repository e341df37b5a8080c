import type { ActionResult } from '../../actions/catalogue.ts';
import type { copyActions } from '../../actions/copies.ts';
import { thisMachine } from '../../club/tools.ts';
import { dayMs, hourMs, minuteMs } from '../../dates/units.ts';
import { createLocalDates } from '../../dates/zone.ts';
import {
  displayText,
  type Message,
  message,
  type ProblemCode,
  problemMessage,
} from '../../messages/message.ts';
import type { MirrorStatus, NamedEvent, ReadyReport, SyncResult } from '../../mirror/status.ts';
import { nameClub } from '../output.ts';
import {
  changesText,
  count,
  countsOf,
  datesOf,
  type LocalDate,
  loadWords,
  type OutputsOf,
  type Translate,
  undoNote,
  valueText,
} from './text.ts';

function eventLine({ id, name, date }: NamedEvent, localDate: LocalDate): string {
  return name === '' ? `  ${id}` : `  ${id} ${name}, ${localDate(date)}`;
}

/** Describes the knowledge of events, such as "All events added since Mon 2 Mar 2026, 00:00". */
function coverageText(
  { coverage, events, kind, user }: MirrorStatus,
  localDate: LocalDate,
): string[] {
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
    nameClub(
      'Older events may exist: look for them with "club-events mirror search-ids --user NAME", or add their ids.',
      user,
    ),
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
        nameClub(
          `To remove ${isOne ? 'it' : 'them'}, run "club-events mirror sync --user NAME --confirm-removals".`,
          user,
        ),
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

async function mirrorsText({ mirrors }: ActionResult<'mirror status'>): Promise<string> {
  if (mirrors.length === 0) {
    return 'No club is a copy of an online service; see "club-events mirror set --help".';
  }
  const word = await loadWords();
  return mirrors.map((status) => statusText(status, word)).join('\n\n');
}

async function syncText(result: SyncResult): Promise<string> {
  const { status } = result;
  const word = await loadWords();
  const localDate = datesOf(status.timeZone);
  const found = problemText(status, localDate, word);
  return [
    `${status.user}: ${countsOf(result, 'nothing new')}.`,
    ...(found === undefined ? [] : [found]),
    ...questionText(status, localDate),
    ...conflictsText(status),
  ].join('\n');
}

/** Formats a time such as `2 min`. */
function durationText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
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
        ? `  ok  ${word(message(`sync:check_${name}`))}`
        : `  !!  ${word(problemMessage(problem))}`,
    ),
    ...(search === null
      ? []
      : [
          'Some of the missing events may be upcoming. To look for those near the newest ids first,',
          nameClub(
            'run "club-events mirror search-ids --user NAME --upcoming --start": about',
            user,
          ),
          `${count(search.requests, 'request')}, ${durationText(search.seconds)}.`,
        ]),
  ].join('\n');
}

type Proposal =
  | ActionResult<'proposal list'>['proposals'][number]
  | ActionResult<'proposal review'>['proposals'][number];

/** Describes a proposal, such as `Rovers v City (25): date 14:00 → 15:00`. */
function whatText({ kind, event, changes }: Proposal, timeZone: string): string {
  const localDate = createLocalDates(timeZone);
  const { id, name, date } = event;
  const text = (field: string) => (value: unknown) =>
    valueText(field, value ?? undefined, localDate);
  const title = id === null ? name : `${name} (${id})`;
  switch (kind) {
    case 'remove':
      return `${title}, ${localDate(date)}: remove`;
    case 'add': {
      const values = changes
        .filter(({ field, after }) => field !== 'name' && field !== 'date' && (after ?? '') !== '')
        .map(({ field, after }) => `, ${field} ${text(field)(after)}`);
      return `new: ${title}, ${localDate(date)}${values.join('')}`;
    }
    case 'change': {
      return `${title}, ${localDate(date)}: ${changesText(changes, date, timeZone)}`;
    }
  }
}

function proposedText({ proposal, timeZone }: ActionResult<'proposal add'>): string {
  return `Proposed, not sent yet: ${proposal.id}  ${whatText(proposal, timeZone)}`;
}

const stateKeys = {
  unsent: 'notSentYet',
  sent: 'sent',
  withdrawn: 'withdrawnSent',
  accepted: 'accepted',
  acceptedAnyway: 'acceptedAnyway',
  refused: 'refused',
} as const;

async function proposalsText({
  proposals,
  timeZone,
  failure,
}: ActionResult<'proposal list' | 'proposal send'>): Promise<string> {
  const word = await loadWords();
  const lines = proposals.map((proposal) => {
    const { id, state, reason, otherClub } = proposal;
    const why = reason === '' ? '' : `: ${JSON.stringify(reason)}`;
    const club = otherClub === null ? '' : `for ${JSON.stringify(otherClub)}, not for this club; `;
    const now =
      state === 'waiting'
        ? 'to be sent as soon as the folder of the file is there'
        : word(message(`proposals:${stateKeys[state]}`));
    return `${id}  ${whatText(proposal, timeZone)}\n    ${club}${now}${why}`;
  });
  const none = lines.length === 0 ? ['There are no proposals.'] : [];
  const problems = failure === null ? [] : [word(problemMessage(failure))];
  return [...lines, ...none, ...problems].join('\n');
}

/** Describes the event as the sender saw it, where it is another one now. */
function seenText(
  { sender, since }: ActionResult<'proposal review'>['proposals'][number],
  timeZone: string,
): string {
  if (since.length === 0) return '';
  const localDate = createLocalDates(timeZone);
  const values = since.map(
    ({ field, before }) => `${field} ${valueText(field, before ?? undefined, localDate)}`,
  );
  return `\n    ${sender} saw: ${values.join('; ')}`;
}

/** Describes what a person must know before the answer. */
function decisionText(
  { state, changes, current }: ActionResult<'proposal review'>['proposals'][number],
  timeZone: string,
): string {
  const localDate = createLocalDates(timeZone);
  switch (state) {
    case 'open':
      return '';
    case 'done':
      return '\n    It is so already.';
    case 'gone':
      return '\n    Needs a decision: the event is not there any more; it would be added again.';
    case 'conflict': {
      const values = changes
        .filter(({ field, before }) => (current?.[field] ?? null) !== (before ?? null))
        .map(
          ({ field }) =>
            `${field} is now ${valueText(field, current?.[field] ?? undefined, localDate)}`,
        );
      const now = values.length === 0 ? 'the event has changed since' : values.join('; ');
      return `\n    Needs a decision: ${now}, or another proposal differs.`;
    }
  }
}

/** Describes the reasons to look at a proposal of an assistant before it is accepted. */
function warningsText(
  { warnings }: ActionResult<'proposal review'>['proposals'][number],
  timeZone: string,
  word: Translate,
): string {
  const localDate = createLocalDates(timeZone);
  const wordOf = (warning: (typeof warnings)[number]): Message => {
    switch (warning.kind) {
      case 'clash': {
        const { name, until } = warning;
        return message('proposals:warnClash', { name: displayText(name), time: localDate(until) });
      }
      case 'followed':
        return message('proposals:warnFollowed', { calendar: displayText(warning.calendar) });
      case 'past':
        return message('proposals:warnPast');
      case 'cancels':
        return message('proposals:warnCancels');
      case 'hides':
        return message('proposals:warnHides');
      case 'link':
        return message('proposals:warnLink');
    }
  };
  return warnings.map((each) => `\n    Needs a decision: ${word(wordOf(each))}`).join('');
}

export const copyOutputs: OutputsOf<typeof copyActions> = {
  'mirror set': {
    async toText(result) {
      const { status } = result;
      const localDate = datesOf(status.timeZone);
      const isFile = status.kind === 'file' && status.asOf !== null;
      const lines = [
        ...coverageText(status, localDate),
        ...(isFile ? [`As of ${localDate(status.asOf)}.`] : []),
        ...unreadableText(status, localDate),
        ...conflictsText(status),
      ];
      return [
        `"${status.user}" is a copy of ${status.url}: ${countsOf(result, 'nothing new')}.`,
        ...lines,
      ].join('\n');
    },
  },
  'mirror sync': {
    async toText({ results }) {
      if (results.length === 0) return await mirrorsText({ mirrors: [] });
      return (await Promise.all(results.map(syncText))).join('\n');
    },
  },
  'mirror status': { toText: mirrorsText },
  'mirror verify': {
    toText(result) {
      const { checked, differences, status } = result;
      const localDate = datesOf(status.timeZone);
      if (differences.length === 0) return `${count(checked, 'event')} compared: no difference.`;
      return [
        `${count(checked, 'event')} compared: ${count(differences.length, 'difference')}, corrected here.`,
        ...differences.map(({ event, kind }) => `${eventLine(event, localDate)}: ${kind}`),
      ].join('\n');
    },
  },
  'mirror add-ids': {
    toText(result) {
      const { wanted, found } = result;
      return `${count(wanted, 'id')} looked up: ${count(found, 'event')} of this account.`;
    },
  },
  'mirror search-ids': {
    toText(result) {
      const { estimate, asked, status, added } = result;
      if (asked > 0) {
        const left =
          status.idsLeft === 0 ? 'No id is left.' : `${count(status.idsLeft, 'id')} left.`;
        return `${count(asked, 'id')} asked for: ${count(added, 'event')} found. ${left}`;
      }
      if (status.coverage.since === null) return 'All events of the service are here.';
      if (estimate.requests === 0) return 'There is no id left to ask for.';
      if (estimate.isTooSparse) {
        const known = 'Add the ids that you know with "club-events mirror add-ids ID --user NAME".';
        return `A search would need ${count(estimate.requests, 'request')}: the ids of this service are too far apart. ${nameClub(known, status.user)}`;
      }
      return [
        `A search needs about ${count(estimate.requests, 'request')}, ${durationText(estimate.seconds)}.`,
        'It asks the service for each id that is not known. Start it with --start; it can be ended and goes on later.',
      ].join('\n');
    },
  },
  'mirror key add': { toText: ({ url }) => `The key of ${url} was added.` },
  'mirror key change': {
    toText({ url, isOldKeyClosed }) {
      const closed = ' The service refuses the old key, so it opens nothing here any more either.';
      return `The key of ${url} was changed.${isOldKeyClosed ? closed : ''}`;
    },
  },
  'mirror ready': {
    async toText({ reports }) {
      const word = await loadWords();
      return reports.map((report) => readyCard(report, word)).join('\n\n');
    },
  },
  'mirror remove': {
    toText: ({ user, url, events }) =>
      `"${user}" is no longer a copy of ${url}; its ${count(events, 'event')} stay.`,
  },
  'proposal add': { toText: proposedText },
  'proposal edit': { toText: proposedText },
  'proposal cancel': { toText: proposedText },
  'proposal remove': { toText: proposedText },
  'proposal withdraw': {
    toText({ proposal, timeZone }) {
      const isSent = proposal.state === 'withdrawn' && proposal.sentAt !== null;
      const text = `the proposal ${proposal.id}: ${whatText(proposal, timeZone)}`;
      return isSent ? `Withdrew ${text}` : `Removed ${text}`;
    },
  },
  'proposal list': { toText: proposalsText },
  'proposal send': { toText: proposalsText },
  'proposal review': {
    async toText({ proposals, areMany, unreadable, timeZone }) {
      const word = await loadWords();
      const localDate = createLocalDates(timeZone);
      const lines = proposals.map((proposal) => {
        const { id, isAssistant, sentAt, note } = proposal;
        const sender = isAssistant ? `${proposal.sender} (assistant)` : proposal.sender;
        const from = `    From ${sender}, ${localDate(sentAt)}${note === null ? '' : `: ${JSON.stringify(note)}`}`;
        const what = whatText(proposal, timeZone);
        return `${id}  ${what}\n${from}${seenText(proposal, timeZone)}${decisionText(proposal, timeZone)}${warningsText(proposal, timeZone, word)}`;
      });
      const none = lines.length === 0 ? [word(message('proposals:noneWaits'))] : [];
      const made = proposals.filter(({ isAssistant }) => isAssistant).length;
      return [
        ...(areMany ? [word(message('proposals:manyAtOnce', { shown: made }))] : []),
        ...lines,
        ...none,
        ...unreadable.map((each) => word(problemMessage(each.problem))),
      ].join('\n');
    },
  },
  'proposal answer': {
    toText({ accepted, refused, open, batch }) {
      const undo = batch === undefined ? '' : ` ${undoNote(batch)}`;
      const waiting = open === 0 ? '' : ` ${count(open, 'proposal')} still open.`;
      return `Accepted ${accepted}, refused ${refused}.${waiting}${undo}`;
    },
  },
};
