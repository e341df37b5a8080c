import type { NumberCommands } from '../../db/club-settings.ts';
import type { ActionResult } from '../actions/catalogue.ts';
import { thisMachine } from '../club/tools.ts';
import type { Moment } from '../dates/end-line.ts';
import {
  createLocalDates,
  createLocalEnds,
  createLocalMoments,
  isSameZone,
  systemZone,
  zoneNamed,
} from '../dates/zone.ts';
import { type FieldChange, valuesOfFields } from '../event/changes.ts';
import { noteOf } from '../event/values.ts';
import { maxIgnored as maxReported } from '../import/report.ts';
import {
  conclusionOf,
  findingMessage,
  type Message,
  message,
  type ProblemCode,
  problemMessage,
  remedyMessage,
} from '../messages/message.ts';

/** Formats `6,831`, without Intl, which takes longer to load than most commands take to run. */
function groupDigits(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count, such as `1 event` or `6,831 events`. */
export function count(number: number, noun: string): string {
  return `${groupDigits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats rows in aligned columns under headings; returns `none` if there are no rows. */
export function table(
  headings: readonly string[],
  data: readonly string[][],
  none: string,
): string {
  if (data.length === 0) return none;
  // A name with a line break, as cells of workbooks have them, would look like another row.
  const rows = data.map((row) => row.map((cell) => cell.replace(/\r?\n/g, ' ')));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
}

export function userAdded({ name }: ActionResult<'user add'>): string {
  return `Added user "${name}".`;
}

export function userRemoved({
  name,
  events,
  keys,
}: ActionResult<'user remove' | 'hub remove'>): string {
  return `Removed user "${name}" with ${count(events, 'event')} and ${count(keys, 'key')}.`;
}

export function userRenamed({ name, before }: ActionResult<'user rename'>): string {
  return `Renamed user "${before}" to "${name}".`;
}

export function userZoneChanged(result: ActionResult<'user zone'>): string {
  const { name, zone, before, changed, example } = result;
  const moved = (number: number) => (number === 0 ? '' : `; ${count(number, 'event')} moved`);
  if (zone === before) return `The time zone of user "${name}" is ${zone} already.`;
  const text = `Changed the time zone of user "${name}" from ${before} to ${zone}${moved(changed)}.`;
  if (example === null) return text;
  // The moments stay, as scripts have read them.
  return `${text}\n"${example.name}", at ${example.before} before, is at ${example.after} now. To have the written times instead, change it back, then add "--times keep".`;
}

export async function userNumberChanged({
  name,
  setting,
  value,
  before,
}: ActionResult<keyof NumberCommands>): Promise<string> {
  const word = await loadWords();
  return `${word(message(`clubs:${setting}`))} of user "${name}": ${value} (before: ${before}).`;
}

export function keyRevoked({ id, revoked }: ActionResult<'key revoke' | 'hub key revoke'>): string {
  return revoked ? `Revoked key ${id}.` : `Key ${id} had been revoked before.`;
}

export function keyUnprinted({ id }: ActionResult<'key create'>): string {
  return `Key ${id} was created but could not be printed; run "club-events key revoke ${id}".`;
}

export function usersText({ users }: ActionResult<'user list'>): string {
  return table(
    ['NAME', 'ZONE', 'EVENTS', 'KEYS', 'CREATED'],
    users.map(({ name, zone, events, keys, createdAt }) => [
      name,
      zone,
      `${events}`,
      `${keys}`,
      createdAt,
    ]),
    'There is no user yet; add one with "club-events user add NAME".',
  );
}

export function keysText({ keys }: ActionResult<'key list'>): string {
  return table(
    ['ID', 'USER', 'STATE', 'CREATED', 'EXPIRES', 'LABEL'],
    keys.map(({ id, user, zone, state, createdAt, expiresAt, label, baseUrl }) => [
      `${id}`,
      user,
      state,
      createLocalMoments(zone)(createdAt),
      expiresAt === null ? 'never' : createLocalMoments(zone)(expiresAt),
      label ?? (baseUrl === null ? '' : `key of ${new URL(baseUrl).host}`),
    ]),
    'There is no key yet; make one with "club-events key create --user NAME".',
  );
}

type ImportResult = ActionResult<'import'>;
type ImportedFile = ImportResult['files'][number];
type ImportedRow = ImportedFile['rows'][number];

/** The maximum number of rows listed per kind; `--json` returns all. */
const maxRows = 20;
/** The maximum number of columns listed as not imported. */
const maxIgnored = 5;

function countsText(file: ImportedFile): string {
  const kept = file.kept === 0 ? '' : ` ${count(file.kept, 'event')} kept as edited by hand.`;
  return `${storedText(file)}${kept}`;
}

function storedText({ file, added, changed, unchanged, skipped }: ImportedFile): string {
  const total = added + changed + unchanged + skipped;
  if (total === 0) return `${file}: there are no events in it.`;
  if (total === unchanged) {
    return `${file}: nothing changed; ${count(total, 'event')} already there.`;
  }
  const parts = [`${count(added, 'event')} added`];
  if (changed > 0) parts.push(`${groupDigits(changed)} changed`);
  if (unchanged > 0) parts.push(`${groupDigits(unchanged)} unchanged`);
  if (skipped > 0) parts.push(`${groupDigits(skipped)} skipped`);
  return `${file}: ${parts.join(', ')}.`;
}

type LocalDate = (timestamp: string) => string;

/**
 * Returns a function that formats dates of a club's time zone, with the name of the zone if it is not
 * that of this computer. Without a zone, they are those of this computer.
 */
export function datesOf(timeZone: string): LocalDate {
  const here = systemZone(process.env['TZ']);
  if (timeZone === '') return systemDates();
  const localDate = createLocalDates(timeZone);
  return here !== undefined && isSameZone(timeZone, here)
    ? localDate
    : (timestamp) => `${localDate(timestamp)} (${timeZone})`;
}

/** Returns a function that formats dates of this computer. */
function systemDates(): LocalDate {
  return (timestamp) => createLocalDates(thisMachine.systemTimeZone())(timestamp);
}

export type Translate = (message: Message) => string;

/** Loads the messages on demand, because few commands have any. */
export async function loadWords(): Promise<Translate> {
  return (await import('../messages/messages.ts')).wordForCommandLine;
}

export function valueText(field: string, value: unknown, localDate: LocalDate): string {
  if (value === undefined) return '(not given)';
  const isDate = field === 'date' || field === 'createdAt';
  return isDate ? localDate(String(value)) : JSON.stringify(value);
}

function rowText(row: ImportedRow, timeZone: string, word: Translate): string {
  const localDate = createLocalDates(timeZone);
  const place = word(row.place);
  if (row.kind === 'skipped') return `  ${place}: skipped: ${word(row.reason)}`;
  if (row.kind === 'added') return `  ${place}: new: ${row.name}, ${localDate(row.date)}`;
  if (row.kind === 'kept') {
    const edits = row.edits.map(({ field, edited, fromFile }) => {
      const [own, other] = [edited, fromFile].map((value) => valueText(field, value, localDate));
      return `${field} ${own} (not ${other})`;
    });
    return `  ${place}: kept as edited by hand: ${row.name}: ${edits.join('; ')}`;
  }
  const changes = row.changes.map(({ field, from, to }) => ({ field, before: from, after: to }));
  const before = changes.find(({ field }) => field === 'date')?.before ?? row.date;
  const text = changesText(changes, String(before), timeZone);
  return `  ${place}: changed: ${row.name}: ${text}`;
}

/** Describes what changes of fields do to an event on the clock of its club; `date` is that before. */
export function changesText(
  changes: readonly FieldChange[],
  date: string,
  timeZone: string,
  moved = (text: string) => `date ${text}`,
): string {
  const localDate = createLocalDates(timeZone);
  const endText = (end: Moment | undefined) => (end ? createLocalEnds(timeZone)(end) : 'none');
  const texts = valuesOfFields(changes, date, zoneNamed(timeZone)).map((change) => {
    const { field, after } = change;
    if (field === 'reason') return `reason ${JSON.stringify(after)}`;
    const { before } = change;
    if (field === 'date')
      return moved(moveText(localDate(String(before)), localDate(String(after))));
    if (field === 'end') return `end ${moveText(endText(change.before), endText(change.after))}`;
    if (field === 'status' && after === 'cancelled') return 'cancelled';
    const [old, next] = [before, after].map((value) =>
      valueText(field, value ?? undefined, localDate),
    );
    return `${field} ${old} → ${next}`;
  });
  return texts.join('; ');
}

function rowsText({ rows }: ImportedFile, timeZone: string, word: Translate): string[] {
  if (rows.length === 0) return [];
  return (['skipped', 'kept', 'changed', 'added'] as const).flatMap((kind) => {
    const rowsOfKind = rows.filter((row) => row.kind === kind);
    const rest = rowsOfKind.length - maxRows;
    const more = rest > 0 ? [`  … and ${groupDigits(rest)} more ${kind} (--json lists all).`] : [];
    return [...rowsOfKind.slice(0, maxRows).map((row) => rowText(row, timeZone, word)), ...more];
  });
}

export async function importText({ files, dryRun, timeZone }: ImportResult): Promise<string> {
  const word = await loadWords();
  const lines = files.flatMap((file) => [countsText(file), ...rowsText(file, timeZone, word)]);
  if (dryRun) lines.push('This was a dry run: nothing was changed.');
  return lines.join('\n');
}

/** Returns an import for `--json`: its messages as sentences, those of skipped rows with a code. */
export async function importJson({ files, ...rest }: ImportResult): Promise<unknown> {
  const word = await loadWords();
  const rowJson = (row: ImportedRow) => {
    const place = word(row.place);
    if (row.kind !== 'skipped') return { ...row, place };
    const [, code] = row.reason.key.split(':');
    return { ...row, place, reason: word(row.reason), code };
  };
  const fileJson = ({ notes, rows, ...file }: ImportedFile) => ({
    ...file,
    notes: notes.map(word),
    rows: rows.map(rowJson),
  });
  return { ...rest, files: files.map(fileJson) };
}

/** Lists the first columns that were not imported. */
function ignoredText(names: readonly string[]): string {
  const more = names.length - maxIgnored;
  // The report itself lists fifty at most.
  const rest = names.length >= maxReported ? 'many more' : `${more} more`;
  return names.slice(0, maxIgnored).join(', ') + (more > 0 ? ` and ${rest}` : '');
}

/** Returns notes on an import: remarks, unused columns and the command that undoes it. */
export async function importNotes({ files, batch, kept }: ImportResult): Promise<string[]> {
  const word = await loadWords();
  const notes = files.flatMap(({ file, ignored, notes }) => [
    ...notes.map((note) => `${file}: ${word(note)}`),
    ...(ignored.length > 0 ? [`${file}: not imported: ${ignoredText(ignored)} (see --map).`] : []),
  ]);
  if (kept > 0) notes.push('--overwrite-edits takes the values of the file instead of the edits.');
  if (batch !== undefined) notes.push(undoNote(batch));
  return notes;
}

export function undoNote(batch: number): string {
  return `"club-events undo ${batch}" undoes this.`;
}

type EventResult = ActionResult<'event add' | 'event edit' | 'event cancel' | 'event remove'>;

/** Returns the known values of an event, one to a line. */
export function eventText({ event, timeZone }: EventResult): string {
  const localDate = createLocalDates(timeZone);
  const { date, createdAt, registrationOpen, ...rest } = event;
  const { end, text } = noteOf(event, zoneNamed(timeZone));
  const values = {
    ...rest,
    date: localDate(date),
    end: end === undefined ? null : createLocalEnds(timeZone)(end),
    description: text,
    registration: registrationOpen === undefined ? null : registrationOpen ? 'open' : 'closed',
    createdAt: localDate(createdAt),
  };
  const fields = ['id', 'name', 'date', 'end', 'location', 'description', 'status'] as const;
  return [...fields, 'eventType' as const, 'registration' as const, 'createdAt' as const]
    .filter((field) => values[field] !== null && values[field] !== '')
    .map((field) => `${field.padEnd('registration'.length)}  ${values[field]}`)
    .join('\n');
}

type AddResult = ActionResult<'event add'>;

/** Returns the values of an event that was added, or the id, date and name of each of several. */
export function addedText(result: AddResult): string {
  const { series, timeZone } = result;
  if (series === undefined) return eventText(result);
  const localDate = createLocalDates(timeZone);
  const rows = series.events.map(({ id, date, name }) => [String(id), localDate(date), name]);
  return table(['id', 'date', 'name'], rows, '');
}

/** Describes which events were added, and the command that undoes it. */
export function describeAdded({ event, series, batch }: AddResult): string {
  const added = series === undefined ? `event ${event.id}` : count(series.events.length, 'event');
  return `Added ${added}; ${undoNote(batch as number)}`;
}

/** Maximum number of dates that a note lists. */
const maxListed = 10;

/** Names the dates of a repetition that were left out as days off. */
export function describeDaysOff({ series }: AddResult): readonly string[] {
  const { daysOff = [] } = series ?? {};
  if (daysOff.length === 0) return [];
  const listed = daysOff.slice(0, maxListed).map(({ day, name }) => `${day} (${name})`);
  const more = daysOff.length > maxListed ? [`${daysOff.length - maxListed} more`] : [];
  return [`Left out ${count(daysOff.length, 'day')} off: ${[...listed, ...more].join(', ')}.`];
}

/** Returns functions that describe an edit of one event and the command that undoes it. */
export function describeEdit(done: string) {
  const describe = ({ event, batch }: EventResult) =>
    batch === undefined
      ? `Event ${event.id} has these values already; nothing changed.`
      : `${done} event ${event.id}; ${undoNote(batch)}`;
  return {
    toUnprinted: describe,
    toNotes: (result: EventResult) => [describe(result)],
  };
}

type ExportResult = ActionResult<'export'>;

export function exportText({ output, events }: ExportResult): string | undefined {
  return output === null ? undefined : `${output}: ${count(events, 'event')}.`;
}

export function exportNotes({ output, events, lost }: ExportResult): string[] {
  const total = output === null ? [`${count(events, 'event')}.`] : [];
  if (lost === undefined) return total;
  return [...total, lost === 0 ? 'No event is lost.' : `${count(lost, 'event')} cannot be read.`];
}

type Batch = ActionResult<'history'>['history'][number];

/** Returns an edit in words, such as `Rovers v City: 14:00 → 15:00`. */
function editText(batch: Batch, timeZone: string, word: Translate): string {
  const { change, common, setting, added, changed, removed } = batch;
  if (setting !== null) {
    const [before, after] = [setting.before ?? 'none', setting.after ?? 'none'];
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

/** Returns two dates, of which the second is shortened to its time on the same day. */
function moveText(before: string, after: string): string {
  const [day, time] = before.split(', ');
  const [newDay, newTime] = after.split(', ');
  return day === newDay && time && newTime ? `${time} → ${newTime}` : `${before} → ${after}`;
}

export async function historyText({
  history,
  user,
  timeZone,
}: ActionResult<'history'>): Promise<string> {
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
}

export function historyNotes({ history, older }: ActionResult<'history'>): string[] {
  if (older === 0) return [];
  const all = history.length + older;
  return [`${count(older, 'older change')} not listed; "--limit ${all}" lists all.`];
}

type Contents = ActionResult<'backup'>['counts'];

function contentsText({ users, events }: Contents): string {
  return `${count(users, 'user')} and ${count(events, 'event')}`;
}

export function backupText({ output, counts }: ActionResult<'backup'>): string {
  return `${output}: ${contentsText(counts)}, verified.`;
}

export function backupsText({ backups }: ActionResult<'backup list'>): string {
  return table(
    ['NAME', 'MADE', 'REASON', 'USERS', 'EVENTS', 'BYTES', 'PROVEN'],
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
  );
}

export function restoreText({ restored, counts }: ActionResult<'restore'>): string {
  return `Restored ${restored}: ${contentsText(counts)}.`;
}

export function restoreNotes({ replaced, damaged }: ActionResult<'restore'>): string[] {
  if (replaced !== null) return [`"club-events restore ${replaced}" undoes this.`];
  return damaged === null ? [] : [`The damaged database is kept as ${damaged}.`];
}

export function undoText({ undone, batch, removed, restored }: ActionResult<'undo'>): string {
  const what = `${count(removed, 'event')} removed, ${groupDigits(restored)} restored`;
  return `Undid ${undone}: ${what}; "club-events undo ${batch}" redoes it.`;
}

export function keyNotes({
  id,
  user,
  expiresAt,
  timeZone,
}: ActionResult<'key create' | 'hub key create'>): string[] {
  const until =
    expiresAt === null ? '' : `, valid until ${createLocalMoments(timeZone)(expiresAt)}`;
  return [`Key ${id} of "${user}"${until}. It is shown this once: keep it safe.`];
}

const areaNames: Readonly<Record<ActionResult<'check'>['areas'][number]['area'], string>> = {
  pages: 'Pages',
  references: 'References',
  schema: 'Schema',
  values: 'Values',
  search: 'Search index',
  history: 'History',
  backups: 'Backups',
};

/** The number of problems of an area that are printed. */
const maxProblems = 3;

type CheckedPart = ActionResult<'check'>['areas'][number];

function problemsText({ problems }: CheckedPart): string {
  const shown = problems.slice(0, maxProblems);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? [`and ${groupDigits(rest)} more (--json lists all)`] : [];
  return [...shown, ...more].join('; ');
}

function areaText(part: CheckedPart): string {
  const state = part.isEmpty ? 'there is none yet' : 'in order';
  return `${areaNames[part.area]}: ${problemsText(part) || state}`;
}

export function checkText({ areas, database, isInOrder }: ActionResult<'check'>): string {
  const lines = areas.map(areaText);
  return [...lines, ...(isInOrder ? [`${database} is in order.`] : [])].join('\n');
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
  const damage = damaged.length === 1 ? problemsText(first) : damaged.map(areaText).join('. ');
  const word = await loadWords();
  return { code, detail: word(problemMessage({ code, values: { path: database, damage } })) };
}

/** Returns the report for `--json`, with the error that a failed command has. */
export async function checkJson(report: ActionResult<'check'>): Promise<unknown> {
  const error = await damageText(report);
  return error === undefined ? report : { ...report, error };
}

export async function checkNotes(report: ActionResult<'check'>): Promise<string[]> {
  const error = await damageText(report);
  return error === undefined ? [] : [error.detail];
}

export function daysOffAdded(result: ActionResult<'days-off add'>): string {
  const { id, name, days } = result;
  const until = days.reduce((latest, { last }) => (last > latest ? last : latest), '');
  return `Added ${count(days.length, 'holiday')} until ${until} as "${name}", number ${id}.`;
}

/** Returns notes on the events of a calendar that are no days off. */
export function daysOffNotes({ timed, unreadable }: ActionResult<'days-off add'>): string[] {
  return [
    ...(timed > 0 ? [`Left out: ${count(timed, 'event')} with a time of day.`] : []),
    ...(unreadable > 0 ? [`Left out: ${count(unreadable, 'event')} that cannot be read.`] : []),
  ];
}

export function daysOffRemoved({ removed }: ActionResult<'days-off remove'>): string {
  return `Removed "${removed.name}" with ${count(removed.days.length, 'holiday')}.`;
}

/** Lists the holidays of a club that are not over, by calendar. */
export function daysOffText({ user, calendars }: ActionResult<'days-off list'>): string {
  const today = thisMachine.now().toISOString().slice(0, 10);
  const rows = calendars.flatMap(({ id, name, days }) =>
    days
      .filter(({ last }) => last >= today)
      .map((day) => [String(id), name, day.first, day.last, day.name]),
  );
  return table(['id', 'calendar', 'first', 'last', 'name'], rows, `"${user}" has no days off.`);
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

/** Describes the findings under their questions, each trouble with its remedy, and a conclusion. */
export async function doctorText({ findings }: ActionResult<'doctor'>): Promise<string> {
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
}

/** Returns the findings for `--json`, with their words. */
export async function doctorJson({ findings }: ActionResult<'doctor'>): Promise<unknown> {
  const word = await loadWords();
  return {
    findings: findings.map((finding) => {
      const { probe, question, level, code } = finding;
      const remedy = remedyMessage(finding);
      const text = { detail: word(findingMessage(finding)), remedy: remedy ? word(remedy) : null };
      return { question, probe, level, code, ...text };
    }),
  };
}
