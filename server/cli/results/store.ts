import type { ActionResult } from '../../actions/catalogue.ts';
import type { storeActions } from '../../actions/store.ts';
import { unpackProblem } from '../../base/errors.ts';
import type { FolderStatus } from '../../club/backup-folder-actions.ts';
import { thisMachine } from '../../club/tools.ts';
import { createLocalDates } from '../../dates/zone.ts';
import { teamChange } from '../../event/views.ts';
import {
  conclusionOf,
  displayText,
  findingMessage,
  message,
  type ProblemCode,
  problemMessage,
  remedyMessage,
} from '../../messages/message.ts';
import { nameClub, wordForTerminal } from '../output.ts';
import { keyCreated, keyRevoked, keysText, userRemoved } from './club.ts';
import {
  changesText,
  count,
  countsOf,
  datesOf,
  groupDigits,
  type LocalDate,
  loadWords,
  type OutputsOf,
  type Translate,
  table,
  valueText,
} from './text.ts';

type Batch = ActionResult<'history'>['history'][number];

/** Returns an edit in words, such as `Rovers v City: 14:00 → 15:00`. */
function editText(batch: Batch, timeZone: string, word: Translate): string {
  const { change, common, setting, added, changed, removed } = batch;
  const team = setting && teamChange(setting);
  if (team) return word(message(`clubs:${team}`, { team: setting.after ?? setting.before ?? '' }));
  if (setting !== null) {
    const isSwitch = setting.setting === 'assistantProposes';
    const wordValue = (value: string | null) =>
      isSwitch ? word(message(`clubs:${value === '1' ? 'on' : 'off'}`)) : (value ?? 'none');
    const [before, after] = [wordValue(setting.before), wordValue(setting.after)];
    return `${word(message(`clubs:${setting.setting}`))}: ${before} → ${after}`;
  }
  if (change === null) {
    return [
      count(added + changed + removed, 'event'),
      commonText(common, createLocalDates(timeZone)),
    ]
      .join(' ')
      .trim();
  }
  const { kind, name, date, fields } = change;
  if (kind !== 'changed') return `${name}: ${kind}`;
  return `${name}: ${changesText(fields, date, timeZone, (text) => text)}`;
}

/** Returns what a change did to several events, such as `moved to 14:00`. */
function commonText(common: Batch['common'], localDate: LocalDate): string {
  if (common === null) return '';
  const { kind, values, days, time } = common;
  if (kind === 'removed') return 'deleted';
  if (kind === 'added') return 'added';
  if (days !== undefined) {
    return `moved ${count(Math.abs(days), 'day')} ${days > 0 ? 'later' : 'earlier'}`;
  }
  if (time !== undefined) return `moved to ${localDate(time).split(', ')[1]}`;
  const texts = values.map(({ field, value }) => `${field} ${valueText(field, value, localDate)}`);
  return ['changed', ...(texts.length > 0 ? ['to', texts.join(', ')] : [])].join(' ');
}

/** Describes the proposals of an assistant that nobody answered in time. */
function unansweredText(
  { assistant, count: number, names, endedAt }: ActionResult<'history'>['unanswered'][number],
  timeZone: string,
): string {
  const when = createLocalDates(timeZone)(endedAt);
  return `${count(number, 'proposal')} of ${displayText(assistant)} (assistant) had no answer until ${when}: ${names.map(displayText).join(', ')}`;
}

type Contents = ActionResult<'backup'>['counts'];

function contentsText({ users, events }: Contents): string {
  return `${count(users, 'club')} and ${count(events, 'event')}`;
}

/** The number of problems of an area that are printed. */
const maxProblems = 3;

type CheckedPart = ActionResult<'check'>['areas'][number];

function problemsText({ problems }: CheckedPart): string {
  const shown = problems.slice(0, maxProblems);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? [`and ${groupDigits(rest)} more (--json lists all)`] : [];
  return [...shown, ...more].join('; ');
}

function areaText(part: CheckedPart, word: Translate): string {
  const state = part.isEmpty ? 'there is none yet' : 'in order';
  return `${word(message(`installation:${part.area}`))}: ${problemsText(part) || state}`;
}

/** Problems of the areas after the structure; the first damaged area decides. */
const damageCodes: Readonly<Partial<Record<string, ProblemCode>>> = {
  history: 'history_differs',
  backups: 'checked_backup_damaged',
};

/** Returns the problem of a damaged database or backup in words; undefined if all is in order. */
async function damageText({ database, areas }: ActionResult<'check'>) {
  const damaged = areas.filter(({ problems }) => problems.length > 0);
  const [first] = damaged;
  if (first === undefined) return undefined;
  const code = damageCodes[first.area] ?? 'damage_found';
  const word = await loadWords();
  const texts = damaged.map((part) => areaText(part, word));
  const damage = damaged.length === 1 ? problemsText(first) : texts.join('. ');
  return { code, detail: word(problemMessage({ code, values: { path: database, damage } })) };
}

type DoctorFinding = ActionResult<'doctor'>['findings'][number];

/** Returns a finding with its times as dates of its club, or else of this computer. */
function withDates(finding: DoctorFinding): DoctorFinding {
  const localDate = datesOf(String(finding.values['timeZone'] ?? ''));
  const dates = Object.entries(finding.values).map(([name, value]) => {
    const isDate = name === 'date' || name === 'newest';
    return [name, isDate ? localDate(String(value)) : value] as const;
  });
  return { ...finding, values: Object.fromEntries(dates) };
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const;

function failureText(failure: NonNullable<FolderStatus['failure']>, word: Translate): string {
  const localDate = createLocalDates(thisMachine.systemTimeZone());
  const next = failure.nextAt === null ? '' : ` The next try is at ${localDate(failure.nextAt)}.`;
  return `Not up to date since ${localDate(failure.since)}. ${word(problemMessage(failure.problem))}${next}`;
}

function stateText({ state, failure, folder }: FolderStatus, word: Translate): string {
  if (failure !== null) return failureText(failure, word);
  switch (state) {
    case 'waiting':
      return `Waits until ${folder} is there.`;
    case 'behind':
      return 'The last backup has not arrived yet. A running service copies it, or else the next backup.';
    default:
      return 'Up to date.';
  }
}

function folderText(folder: FolderStatus, word: Translate): string {
  const { path, backups, arrived, isElsewhere } = folder;
  const localDate = createLocalDates(thisMachine.systemTimeZone());
  const last =
    arrived === null
      ? ''
      : `, the last of ${localDate(arrived.createdAt)}, arrived ${localDate(arrived.at)}`;
  return [
    path,
    stateText(folder, word),
    `${count(backups, 'backup')}${last}.`,
    ...(isElsewhere ? [] : [word(message('backups:folderHere'))]),
  ].join('\n   ');
}

type PushedClubs = Extract<ActionResult<'hub push'>, { readonly clubs: object }>;
type PushResult = Exclude<ActionResult<'hub push'>, PushedClubs>;

/** The maximum number of events listed per kind; `--json` returns all. */
const maxEvents = 20;

function eventLines(
  events: PushResult['added'],
  heading: (events: string) => string,
): readonly string[] {
  if (events.length === 0) return [];
  const more = events.length - maxEvents;
  return [
    `${heading(count(events.length, 'event'))}:`,
    ...events.slice(0, maxEvents).map(({ id, name, date }) => `  ${id} ${name}, ${date}`),
    ...(more > 0 ? [`  and ${more} more; --json lists all`] : []),
  ];
}

const reasons: Readonly<Record<NonNullable<PushResult['conflict']>, (user: string) => string>> = {
  lost: (user) =>
    `The record has lost the last push of "${user}" from this home, after a failover or a restore. Nothing was pushed.`,
  changed: (user) =>
    `Another home has pushed "${user}" since the last push from this one. Nothing was pushed.`,
  renamed: (user) =>
    `The record has another name or time zone for "${user}" than this home has, and than it had after the last push. Nothing was pushed.`,
  removed: (user) => `The club "${user}" was removed from the record. Nothing was pushed.`,
  foreign: (user) =>
    `The record has a club "${user}" that was never pushed from this home. Nothing was pushed.`,
};

function pushText(result: PushResult): string {
  const { user, server, number, revision, keys, conflict, added, changed, removed } = result;
  if (conflict !== null) {
    const command = `club-events hub push --user NAME --onto ${revision}`;
    const { recordName, recordZone } = result;
    return [
      reasons[conflict](user),
      ...(recordName === undefined ? [] : [`In the record, its name is "${recordName}".`]),
      ...(recordZone === undefined ? [] : [`In the record, its time zone is ${recordZone}.`]),
      ...eventLines(added, (events) => `${events} only in this home`),
      ...eventLines(changed, (events) => `${events} with other values in the record`),
      ...eventLines(removed, (events) => `${events} only in the record`),
      nameClub(`To replace what the record has, run: ${command}`, user),
    ].join('\n');
  }
  if (number === null) return `The record at ${server} has all of "${user}" already.`;
  const counts = { added: added.length, changed: changed.length, removed: removed.length };
  const brought = keys === 0 ? 'its name, time zone and teams' : count(keys, 'key');
  return `Pushed "${user}" to ${server} as change ${number}: ${countsOf(counts, brought)}.`;
}

/** Words what became of a club in a push of all. */
async function stateOfPush({
  number,
  conflict,
  error,
}: PushedClubs['clubs'][number]): Promise<string> {
  if (conflict !== null) return `refused: ${conflict}`;
  if (error !== undefined) return await wordForTerminal(unpackProblem(error));
  return number === null ? 'nothing to do' : 'pushed';
}

async function pushedClubsText({ server, clubs, unchanged }: PushedClubs): Promise<string> {
  const done = clubs.filter(({ number }) => number !== null).length;
  const rows: string[][] = [];
  for (const club of clubs) {
    const { user, number, added, changed, removed, keys } = club;
    const counts = [added, changed, removed, keys].map(String);
    rows.push([user, number === null ? '' : `${number}`, ...counts, await stateOfPush(club)]);
  }
  const heading = ['CLUB', 'CHANGE', 'ADDED', 'CHANGED', 'REMOVED', 'KEYS', 'STATE'];
  return [
    `${count(done, 'club')} pushed to ${server}, ${groupDigits(unchanged)} unchanged.`,
    ...(rows.length === 0 ? [] : [table(heading, rows, '')]),
    ...(clubs.some(({ conflict }) => conflict !== null)
      ? ['"club-events hub push --user NAME" says more about a club that was refused.']
      : []),
  ].join('\n\n');
}

const roleNames: Readonly<Record<ActionResult<'hub status'>['servers'][number]['role'], string>> = {
  record: 'primary',
  replica: 'replica',
  former: 'former primary',
  away: 'does not answer',
};

/** Words a lag; short ones are those between two looks. */
const lagText = (ms: number, behind?: number) =>
  ms === 0
    ? 'none'
    : [...(behind ? [count(behind, 'change')] : []), `${(ms / 1_000).toFixed(1)} s`].join(', ');

export const storeOutputs: OutputsOf<typeof storeActions> = {
  history: {
    async toText({ history, user, timeZone }) {
      const word = await loadWords();
      return table(
        ['ID', 'WHEN', 'WHAT', 'ADDED', 'CHANGED', 'REMOVED', 'FROM'],
        history.map((batch) => {
          const { id, kind, createdAt, undoes, undoneBy, added, changed, removed, source } = batch;
          const what = undoes === null ? kind : `undo of ${undoes}`;
          const state = undoneBy === null ? what : `${what}, undone by ${undoneBy}`;
          const from = source === '' ? editText(batch, timeZone, word) : source;
          return [`${id}`, createdAt, state, `${added}`, `${changed}`, `${removed}`, from];
        }),
        `Nothing was changed for "${user}" yet.`,
      );
    },
    toNotes({ history, older, unanswered, timeZone }) {
      const all = history.length + older;
      const left =
        older === 0
          ? []
          : [`${count(older, 'older change')} not listed; "--limit ${all}" lists all.`];
      return [...left, ...unanswered.map((each) => unansweredText(each, timeZone))];
    },
  },
  undo: {
    toText({ undone, batch, removed, restored }) {
      const what = `${count(removed, 'event')} removed, ${groupDigits(restored)} restored`;
      return `Undid ${undone}: ${what}; "club-events undo ${batch}" redoes it.`;
    },
  },
  backup: { toText: ({ output, counts }) => `${output}: ${contentsText(counts)}, verified.` },
  'backup list': {
    toText: ({ backups }) =>
      table(
        ['NAME', 'MADE', 'REASON', 'CLUBS', 'EVENTS', 'BYTES', 'PROVEN'],
        backups.map(({ name, createdAt, reason, counts, storedBytes, provenAt }) => [
          name,
          createdAt,
          reason,
          `${counts.users}`,
          `${counts.events}`,
          `${storedBytes}`,
          provenAt === undefined
            ? 'not yet'
            : `${provenAt}, ${counts.events} of ${counts.events} events`,
        ]),
        'There is no backup yet; make one with "club-events backup".',
      ),
  },
  'backup folder add': {
    toText: ({ path, backups }) =>
      `${path}: ${count(backups, 'backup')}, verified. Each new one goes there as soon as the folder is there.`,
    async toNotes({ isElsewhere, failure }) {
      const word = await loadWords();
      const notes = isElsewhere ? [] : [word(message('backups:folderHere'))];
      return failure === null ? notes : [...notes, failureText(failure, word)];
    },
  },
  'backup folder list': {
    async toText({ folders }) {
      const none =
        'No folder gets the backups; choose one with "club-events backup folder add FOLDER".';
      const word = await loadWords();
      return folders.length === 0
        ? none
        : folders.map((each) => folderText(each, word)).join('\n\n');
    },
  },
  'backup folder remove': {
    toText: ({ folder, path }) => `${folder} gets no more backups. Those in ${path} stay.`,
  },
  restore: {
    toText: ({ restored, counts }) => `Restored ${restored}: ${contentsText(counts)}.`,
    toNotes({ replaced, damaged }) {
      if (replaced !== null) return [`"club-events restore ${replaced}" undoes this.`];
      return damaged === null ? [] : [`The damaged database is kept as ${damaged}.`];
    },
  },
  'hub init': {
    toText({ server, before, version }) {
      if (before === version) return `The record of the hub at ${server} is up to date.`;
      const done = before === 0 ? 'Created' : 'Migrated';
      return `${done} the record of the hub at ${server}.`;
    },
  },
  'hub push': {
    toText: (result) => ('clubs' in result ? pushedClubsText(result) : pushText(result)),
  },
  'hub remove': { toText: userRemoved },
  'hub key create': keyCreated('hub key revoke'),
  'hub key list': {
    toText: ({ keys }) =>
      keysText(
        keys,
        'The record has no key yet; make one with "club-events hub key create --user NAME".',
      ),
  },
  'hub key revoke': { toText: keyRevoked },
  'hub status': {
    toText({ servers, clubs, events, nodes }) {
      const number = (value: number | null, none: string) => (value === null ? none : `${value}`);
      const serverRows = servers.map((each) => [
        each.server,
        roleNames[each.role],
        number(each.number, ''),
        number(each.timeline, ''),
        each.role === 'replica' ? lagText(each.lagMs) : '',
      ]);
      const nodeRows = nodes.map((each) => [
        each.name,
        each.server,
        number(each.number, 'filling'),
        lagText(each.lagMs, each.behind),
        each.stuck.join(', '),
      ]);
      return [
        `${count(clubs, 'club')}, ${count(events, 'event')}.`,
        table(['SERVER', 'ROLE', 'NUMBER', 'TIMELINE', 'LAG'], serverRows, ''),
        table(['NODE', 'SERVER', 'NUMBER', 'LAG', 'NOT COPIED'], nodeRows, 'No node is connected.'),
      ].join('\n\n');
    },
    async toNotes({ servers }) {
      const failures = servers.flatMap(({ error }) => error ?? []);
      const former = servers.filter(({ role }) => role === 'former');
      return [
        ...(await Promise.all(failures.map((error) => wordForTerminal(unpackProblem(error))))),
        ...former.map(
          ({ server, timeline }) =>
            `${server} was replaced by a later primary (its timeline is ${timeline}): keys that were revoked since are valid there. Stop it, or make it a replica.`,
        ),
      ];
    },
  },
  check: {
    async toText({ areas, database, isInOrder }) {
      const word = await loadWords();
      const lines = areas.map((part) => areaText(part, word));
      return [...lines, ...(isInOrder ? [`${database} is in order.`] : [])].join('\n');
    },
    /** Returns the report for `--json`, with the error that a failed command has. */
    async toJson(report) {
      const error = await damageText(report);
      return error === undefined ? report : { ...report, error };
    },
    async toNotes(report) {
      const error = await damageText(report);
      return error === undefined ? [] : [error.detail];
    },
  },
  doctor: {
    /** Describes the findings under their questions, each trouble with its remedy, and a conclusion. */
    async toText({ findings }) {
      const word = await loadWords();
      const describe = (finding: DoctorFinding) => {
        const dated = withDates(finding);
        const remedy = remedyMessage(dated);
        const text = `${marks[dated.level]} ${word(findingMessage(dated))}`;
        return remedy === undefined ? text : `${text}\n  → ${word(remedy)}`;
      };
      const groups = (['connection', 'data'] as const).map((question) => {
        const lines = findings.filter((finding) => finding.question === question).map(describe);
        return [word(message(`installation:${question}`)), ...lines, ''];
      });
      return [...groups.flat(), word(conclusionOf(findings))].join('\n');
    },
    /** Returns the findings for `--json`, with their words. */
    async toJson({ findings }) {
      const word = await loadWords();
      return {
        findings: findings.map((finding) => {
          const { probe, question, level, code } = finding;
          const remedy = remedyMessage(finding);
          const text = {
            detail: word(findingMessage(finding)),
            remedy: remedy ? word(remedy) : null,
          };
          return { question, probe, level, code, ...text };
        }),
      };
    },
  },
};
