import type { ActionResult } from '../../actions/catalogue.ts';
import type { eventActions } from '../../actions/events.ts';
import { thisMachine } from '../../club/tools.ts';
import { createLocalDates, createLocalEnds, zoneNamed } from '../../dates/zone.ts';
import { noteOf } from '../../event/values.ts';
import { maxIgnored as maxReported } from '../../import/report.ts';
import type { TakenField } from '../../import/source.ts';
import { displayText } from '../../messages/message.ts';
import { nameClub } from '../output.ts';
import {
  changesText,
  count,
  groupDigits,
  loadWords,
  type OutputsOf,
  type Translate,
  table,
  undoNote,
  valueText,
} from './text.ts';

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

function storedText({ file, added, moved, changed, unchanged, skipped }: ImportedFile): string {
  const total = added + moved + changed + unchanged + skipped;
  if (total === 0) return `${file}: there are no events in it.`;
  if (total === unchanged) {
    return `${file}: nothing changed; ${count(total, 'event')} already there.`;
  }
  const parts = [`${count(added, 'event')} added`];
  if (moved > 0) parts.push(`${groupDigits(moved)} moved`);
  if (changed > 0) parts.push(`${groupDigits(changed)} changed`);
  if (unchanged > 0) parts.push(`${groupDigits(unchanged)} unchanged`);
  if (skipped > 0) parts.push(`${groupDigits(skipped)} skipped`);
  return `${file}: ${parts.join(', ')}.`;
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
  return `  ${place}: ${row.kind}: ${row.name}: ${text}`;
}

function rowsText({ rows }: ImportedFile, timeZone: string, word: Translate): string[] {
  if (rows.length === 0) return [];
  return (['skipped', 'kept', 'moved', 'changed', 'added'] as const).flatMap((kind) => {
    const rowsOfKind = rows.filter((row) => row.kind === kind);
    const rest = rowsOfKind.length - maxRows;
    const more = rest > 0 ? [`  … and ${groupDigits(rest)} more ${kind} (--json lists all).`] : [];
    return [...rowsOfKind.slice(0, maxRows).map((row) => rowText(row, timeZone, word)), ...more];
  });
}

/** Lists the events of the earlier version of a file that are no longer in it. */
function missingText({ missing, missingEvents }: ImportedFile, timeZone: string): string[] {
  const localDate = createLocalDates(timeZone);
  const listed = missingEvents.slice(0, maxRows);
  const rest = missing - listed.length;
  const lines = listed.map(
    ({ id, name, date }) =>
      `  no longer in the file: ${name}, ${localDate(date)} (event ${id}, stays)`,
  );
  return rest > 0 ? [...lines, `  … and ${groupDigits(rest)} more.`] : lines;
}

async function importText({ files, dryRun, timeZone }: ImportResult): Promise<string> {
  const word = await loadWords();
  const lines = files.flatMap((file) => [
    countsText(file),
    ...rowsText(file, timeZone, word),
    ...missingText(file, timeZone),
  ]);
  if (dryRun) lines.push('This was a dry run: nothing was changed.');
  return lines.join('\n');
}

/** Names the columns from which the fields of an event were read. */
function takenTexts(
  { taken }: ImportedFile,
  names: Readonly<Record<TakenField, string>>,
): string[] {
  return taken.map(({ sheet, fields }) => {
    // The names of the options, such as "location", are not those of the values.
    const parts = fields.map(
      ({ field, columns }) => `${names[field]} from "${displayText(columns.join('+'))}"`,
    );
    const text = parts.join(', ');
    const where = sheet === undefined || taken.length === 1 ? '' : `"${displayText(sheet)}": `;
    return `${where}${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  });
}

/** Lists the first columns that were not imported. */
function ignoredText(names: readonly string[]): string {
  const more = names.length - maxIgnored;
  // The report itself lists fifty at most.
  const rest = names.length >= maxReported ? 'many more' : `${more} more`;
  return names.slice(0, maxIgnored).join(', ') + (more > 0 ? ` and ${rest}` : '');
}

/** Returns notes on an import: remarks, unused columns and the command that undoes it. */
async function importNotes({ files, batch, kept, missing }: ImportResult): Promise<string[]> {
  const word = await loadWords();
  const { catalogues } = await import('../../messages/messages.ts');
  const notes = files.flatMap((imported) => {
    const { file, ignored } = imported;
    const lines = [
      ...takenTexts(imported, catalogues.en.field),
      ...imported.notes.map((note) => word(note)),
      ...(ignored.length > 0 ? [`not imported: ${ignoredText(ignored)} (see --map).`] : []),
    ];
    return lines.map((line) => `${file}: ${line}`);
  });
  if (kept > 0) notes.push('--overwrite-edits takes the values of the file instead of the edits.');
  if (missing > 0)
    notes.push('"club-events event cancel ID --user NAME" cancels an event that stays.');
  if (batch !== undefined) notes.push(undoNote(batch));
  return notes;
}

type EventResult = ActionResult<'event add' | 'event edit' | 'event cancel' | 'event remove'>;

/** Returns the known values of an event, one to a line. */
function eventText({ event, timeZone }: EventResult): string {
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

/** Describes which events were added, and the command that undoes it. */
function describeAdded({ event, series, batch }: AddResult): string {
  const added = series === undefined ? `event ${event.id}` : count(series.events.length, 'event');
  return `Added ${added}; ${undoNote(batch as number)}`;
}

/** Maximum number of dates that a note lists. */
const maxListed = 10;

/** Names the dates of a repetition that were left out as days off. */
function describeDaysOff({ series }: AddResult): readonly string[] {
  const { daysOff = [] } = series ?? {};
  if (daysOff.length === 0) return [];
  const listed = daysOff.slice(0, maxListed).map(({ day, name }) => `${day} (${name})`);
  const more = daysOff.length > maxListed ? [`${daysOff.length - maxListed} more`] : [];
  return [`Left out ${count(daysOff.length, 'day')} off: ${[...listed, ...more].join(', ')}.`];
}

/** Returns functions that describe an edit of one event and the command that undoes it. */
function describeEdit(done: string) {
  const describe = ({ event, batch }: EventResult) =>
    batch === undefined
      ? `Event ${event.id} has these values already; nothing changed.`
      : `${done} event ${event.id}; ${undoNote(batch)}`;
  return {
    toUnprinted: describe,
    toNotes: (result: EventResult) => [describe(result)],
  };
}

type SeasonResult = ActionResult<'season next'>;

/** The reasons for which events do not come again, in words. */
const seasonReasons: Readonly<Record<SeasonResult['leftOut'][number]['reason'], string>> = {
  fixture: 'a match, whose date the federation gives',
  once: 'took place once',
  group: 'not chosen',
  out: 'left out by hand',
  words: 'left out by --without',
  cancelled: 'was cancelled',
  here: 'is here already',
  'day off': 'a day off',
  clash: 'its place is taken',
};

/** Lists the new events, and those that do not come again with the reasons. */
function seasonText({ events, leftOut, dryRun, timeZone, ...season }: SeasonResult): string {
  const localDate = createLocalDates(timeZone);
  const { user, from, to, weeks } = season;
  const done = dryRun ? 'would be added' : 'added';
  const shown = events.slice(0, maxRows).map(({ name, date }) => `  ${localDate(date)}: ${name}`);
  const more = events.length - shown.length;
  const listed = (texts: readonly string[]) => {
    const rest = texts.length - maxListed;
    return `${texts.slice(0, maxListed).join('; ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  };
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)].flatMap(([reason, all]) => {
    const texts = all.map(
      ({ event, date, name }) =>
        `${event}, ${localDate(date)}${name === undefined ? '' : ` (${name})`}`,
    );
    return [`Left out, ${seasonReasons[reason]}: ${listed(texts)}.`];
  });
  const besideCancelled = events
    .filter(({ isBesideCancelled }) => isBesideCancelled)
    .map(({ name, date }) => `${name}, ${localDate(date)}`);
  return [
    `${user}, ${from} to ${to}, ${count(weeks, 'week')} later: ${count(events.length, 'event')} ${done}.`,
    ...shown,
    ...(more > 0 ? [`  … and ${groupDigits(more)} more (--json lists all).`] : []),
    ...reasons,
    ...(besideCancelled.length > 0
      ? [`On the day of a cancelled event of the same name: ${listed(besideCancelled)}.`]
      : []),
    ...(dryRun ? ['This was a dry run: nothing was changed.'] : []),
  ].join('\n');
}

type TeamResult = ActionResult<'team add' | 'team change' | 'team remove'>;

const quoteChoices = (text: string) =>
  text
    .split(',')
    .map((choice) => `"${choice.trim()}"`)
    .join(' or ');

/** Words the conditions of a team, such as `"U15" or "U 15" in the name, without "camp"`. */
function conditionsText({ words, without, place, eventType }: TeamResult['team']): string {
  return [
    `${quoteChoices(words)} in the name`,
    ...(without === '' ? [] : [`without ${quoteChoices(without)}`]),
    ...(place === '' ? [] : [`at ${quoteChoices(place)}`]),
    ...(eventType === null ? [] : [`of type ${eventType}`]),
  ].join(', ');
}

/** Counts the changes in a text for members; only the window marks them as told. */
function untoldNotes({
  changed,
  left,
}: ActionResult<'message week' | 'message changes'>): string[] {
  if (changed.length + left === 0) return [];
  const rest = left === 0 ? '' : `, ${groupDigits(left)} not`;
  return [
    `${count(changed.length, 'change')} that nobody was told of in this text${rest}; nothing was marked as told.`,
  ];
}

/** Returns the output of a change of a team. */
const teamChanged = (done: string) => ({
  toText: ({ team, events, batch }: TeamResult) =>
    batch === undefined
      ? `Nothing changed: "${team.name}" is so already.`
      : `${done} "${team.name}", ${count(events, 'event')}: ${conditionsText(team)}.`,
  toNotes: ({ batch }: TeamResult) => (batch === undefined ? [] : [undoNote(batch)]),
});

type ExportResult = ActionResult<'export'>;

function exportText({ output, events }: ExportResult): string | undefined {
  return output === null ? undefined : `${output}: ${count(events, 'event')}.`;
}

export const eventOutputs: OutputsOf<typeof eventActions> = {
  'season next': {
    toText: seasonText,
    toNotes: ({ batch }) => (batch === undefined ? [] : [undoNote(batch)]),
  },
  'event add': {
    /** Returns the values of an event that was added, or the id, date and name of each of several. */
    toText(result) {
      const { series, timeZone } = result;
      if (series === undefined) return eventText(result);
      const localDate = createLocalDates(timeZone);
      const rows = series.events.map(({ id, date, name }) => [String(id), localDate(date), name]);
      return table(['id', 'date', 'name'], rows, '');
    },
    toUnprinted: describeAdded,
    toNotes: (result) => [
      describeAdded(result),
      ...describeDaysOff(result),
      ...(result.series?.isCut
        ? ['A repetition lasts at most two years; later dates were left out.']
        : []),
    ],
  },
  'event edit': {
    toText: eventText,
    ...describeEdit('Changed'),
  },
  'event cancel': {
    toText: eventText,
    ...describeEdit('Cancelled'),
  },
  'event remove': {
    toText: eventText,
    ...describeEdit('Removed'),
  },
  import: {
    toText: importText,
    /** Returns an import for `--json`: its messages as sentences, those of skipped rows with a code. */
    async toJson({ files, ...rest }) {
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
    },
    toUnprinted: async (result) =>
      [await importText(result), ...(await importNotes(result))].join('\n'),
    toNotes: importNotes,
  },
  'team add': teamChanged('Added'),
  'team list': {
    toText({ user, teams, withoutTeam }) {
      const rows = teams.map(({ letters, name, events, ...team }) => [
        ...[name, letters, String(events), conditionsText({ name, letters, ...team })],
      ]);
      const none = nameClub(
        `"${user}" has no teams yet; add one with "club-events team add NAME --user NAME --words TEXT".`,
        user,
      );
      const rest = teams.length === 0 ? '' : `\n${count(withoutTeam, 'event')} of no team.`;
      return table(['NAME', 'MARK', 'EVENTS', 'CONDITIONS'], rows, none) + rest;
    },
  },
  'team change': teamChanged('Changed'),
  'team remove': teamChanged('Removed'),
  'message week': { toText: ({ text }) => text, toNotes: untoldNotes },
  'message changes': {
    toText: ({ text }) => text || 'Everybody knows everything.',
    toNotes: untoldNotes,
  },
  'days-off add': {
    toText(result) {
      const { id, name, holidays, until, kind } = result;
      const number = kind === 'address' ? `followed calendar ${id}` : `number ${id}`;
      return `Added ${count(holidays, 'holiday')} until ${until} as "${name}", ${number}.`;
    },
    /** Returns notes on the events of a calendar that are no days off. */
    toNotes: ({ timed, unreadable }) => [
      ...(timed > 0 ? [`Left out: ${count(timed, 'event')} with a time of day.`] : []),
      ...(unreadable > 0 ? [`Left out: ${count(unreadable, 'event')} that cannot be read.`] : []),
    ],
  },
  'days-off list': {
    /** Lists the holidays of a club that are not over, by calendar. */
    toText({ user, calendars }) {
      const today = thisMachine.now().toISOString().slice(0, 10);
      const rows = calendars.flatMap(({ id, kind, name, days }) =>
        days
          .filter(({ last }) => last >= today)
          .map((day) => [
            ...[kind === 'address' ? `follow ${id}` : String(id), name],
            ...[day.first, day.last, day.name],
          ]),
      );
      return table(['id', 'calendar', 'first', 'last', 'name'], rows, `"${user}" has no days off.`);
    },
  },
  'days-off remove': {
    toText: ({ removed }) =>
      `Removed "${removed.name}" with ${count(removed.days.length, 'holiday')}.`,
  },
  export: {
    toText: exportText,
    toUnprinted: exportText,
    toNotes({ output, events, lost }) {
      const total = output === null ? [`${count(events, 'event')}.`] : [];
      if (lost === undefined) return total;
      return [
        ...total,
        lost === 0 ? 'No event is lost.' : `${count(lost, 'event')} cannot be read.`,
      ];
    },
  },
};
