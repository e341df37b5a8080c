import { type EventField, eventFields } from '../../../db/model.ts';
import { findDate, looksLikeDate, parseDate, readSerial } from '../../dates/dates.ts';
import { withoutZone } from '../../dates/time-zones.ts';
import { isEndOfDay, isNoTime, looksLikeTime, readTimeNumber } from '../../dates/times.ts';
import { tokenize } from '../../dates/tokens.ts';
import { partOf, weekdays } from '../../dates/vocabulary.ts';
import { namesTeam } from '../../event/views.ts';
import {
  argumentText,
  displayText,
  displayValue,
  type Message,
  type MessageKey,
  type MessageValue,
  message,
} from '../../messages/message.ts';
import {
  badSource,
  type ColumnProblem,
  type FieldMap,
  requiredFields,
  type TableField,
  tableFields,
} from '../source.ts';
import {
  type ColumnRole,
  isBoolean,
  isSide,
  isStatus,
  isType,
  readMark,
  rolesOf,
  rolesOfKnown,
} from './field-names.ts';
import { columnLetters, distinctCells, type TableLayout } from './header.ts';
import { markThatCancels } from './remarks.ts';
import type { Row } from './table.ts';

/** The columns that say where a match takes place: one of words, or one or two of marks. */
export type SideColumns = {
  readonly word?: number | undefined;
  readonly home?: number | undefined;
  readonly away?: number | undefined;
};

/** The columns of a field. */
export type FieldColumns = {
  readonly field: TableField;
  /** The parts of the value; the cells of a part are joined by a blank. */
  readonly parts: readonly (readonly number[])[];
  /** The parts of the value in rows where the first ones are empty. */
  readonly otherwise?: readonly (readonly number[])[];
  /** True for the name of a match of two teams. */
  readonly isFixture?: boolean;
  /** True for the name of a match that has only the opponent. */
  readonly isOpponent?: boolean;
  /** The column of the own team, which a list may write once for several matches. */
  readonly ownTeam?: number;
  /** The columns that say whether the match with an opponent is at home. */
  readonly side?: SideColumns;
  /** Name for messages. */
  readonly label: Message;
  /** True if cells that do not fit are left out, because nobody chose the column for the field. */
  readonly isLenient: boolean;
};

/** The columns of the last day of an event and of the time at which it ends. */
export type EndColumns = { readonly day?: number | undefined; readonly time?: number | undefined };

/** The columns matched to fields, and the problems; the first problem is the one to report. */
export type MatchedColumns = {
  readonly columns: readonly FieldColumns[];
  readonly problems: readonly ColumnProblem[];
  readonly ends: EndColumns;
  /** The column of the new dates of moved events. */
  readonly movedTo: number | undefined;
  /** The column of their new times. */
  readonly movedTime: number | undefined;
  /** The column that marks cancelled events. */
  readonly cancelled: number | undefined;
  /** The column of weekdays beside the dates. */
  readonly weekday: number | undefined;
  /** The column of the zones of the times. */
  readonly zone: number | undefined;
  /** The column of the numbers by which the file names its events. */
  readonly number: number | undefined;
  /** Messages about columns whose values do not fit their names, or whose meaning is not certain. */
  readonly notes: readonly Message[];
  /** The columns that are imported or have a message. */
  readonly reported: ReadonlySet<number>;
};

/** Maximum number of columns of a spreadsheet. */
const maxColumns = 16_384;
const maxNames = 20;
/** Columns whose names are compared with all known ones. */
const maxNamed = 1_000;
/** Columns and rows that are judged by their cells. */
const judged = { columns: 300, rows: 200 };

/** Returns the heading of a column, or its letters without one. */
export function nameOfColumn({ names }: TableLayout, index: number): string {
  return names[index] || columnLetters(index);
}

/** Returns what `--map` takes for a column: its letters if another one has its heading. */
function choiceOf(layout: TableLayout, index: number): string {
  const name = nameOfColumn(layout, index);
  return layout.names.indexOf(name) === layout.names.lastIndexOf(name)
    ? name
    : columnLetters(index);
}

function displayNames(header: readonly string[]): MessageValue {
  const names = header.slice(0, maxNames).map(displayValue);
  return header.length > maxNames ? [...names, '…'] : names;
}

function isNumber(cell: string): boolean {
  return /^-?\d+(?:[.,]\d+)?$/.test(cell);
}

/** Returns true for a date, or for a number that is one in a spreadsheet, of 1954 to 2119. */
function isDateOrSerial(cell: string): boolean {
  return looksLikeDate(cell) || (/^[2-7]\d{4}(?:[.,]\d+)?$/.test(cell) && !!readSerial(cell));
}

/** Returns the numbers of a weekday, from 0 for Sunday; undefined for any other text. */
export function readWeekday(cell: string): readonly number[] | undefined {
  return weekdays.get(cell.trim().toLowerCase().replace(/\.$/, ''));
}

/** A time before five, with hours and minutes. */
const earlyForm = /^0?[0-4][:.h][0-5]\d(?::\d\d)?(?: ?(?:h|std\.?|uhr|min\.?))?$/i;

/** A person such as "Uta Muster", "Dr. Jan van der Berg" or "Muster, Uta". */
const personForm =
  /^(?:(?:Dr|Prof|Frau|Herr|Mrs?|Ms|Mme|M)\.? )*\p{Lu}[\p{L}.'’-]*,?(?: (?:van|von|de|den|der|del|di|du|le|la|zu|ten|ter))*(?: \p{Lu}[\p{L}.'’-]*){1,2}$/u;

/** Judges columns by their first cells. */
function createJudge({ data }: TableLayout) {
  const rows = data.slice(0, judged.rows);
  const cellsOf = (index: number) => rows.flatMap(({ cells }) => cells[index]?.trim() || []);

  /** Returns true if at least half of the cells pass a test, or if there are none. */
  function are(index: number, test: (cell: string) => boolean): boolean {
    const cells = cellsOf(index);
    return cells.filter(test).length * 2 >= cells.length;
  }
  /** Returns true if a cell passes a test, or if there are none. */
  const haveSome = (index: number, test: (cell: string) => boolean) => {
    const cells = cellsOf(index);
    return cells.length === 0 || cells.some(test);
  };
  const areDates = (index: number) => are(index, looksLikeDate);
  const isTime = (cell: string) => looksLikeTime(cell) || looksLikeTime(withoutZone(cell));
  const areTimes = (index: number) =>
    cellsOf(index).some(isTime) && are(index, (cell) => isTime(cell) || isNoTime(cell));
  /** Prices have a dot too. */
  const areSureTimes = (index: number) =>
    areTimes(index) && cellsOf(index).some((cell) => /[:\p{L}]/u.test(cell));
  const isText = (cell: string) => !looksLikeDate(cell) && !looksLikeTime(cell) && !isNumber(cell);
  const areTexts = (index: number) => {
    const cells = cellsOf(index);
    return cells.filter(isText).length * 2 > cells.length || cells.length === 0;
  };
  const areMarks = (index: number) => are(index, (cell) => readMark(cell) !== undefined);
  /** Names are no numbers, crosses or single letters; "U9" is one. */
  const areNames = (index: number) => {
    const isName = (cell: string) =>
      /\p{L}[\p{L}\d]|\d\p{L}|[^\p{ASCII}\p{P}\p{S}]/u.test(cell) && readMark(cell) === undefined;
    return areTexts(index) && are(index, isName);
  };
  /** Returns the columns of names, or all without one. */
  const namesFirst = (indexes: readonly number[]) => {
    const names = indexes.filter(areNames);
    return names.length > 0 ? names : indexes;
  };
  const areNoNumbers = (index: number) => are(index, (cell) => !isNumber(cell));
  const fits: Readonly<Partial<Record<ColumnRole, (index: number) => boolean>>> = {
    id: (index) => are(index, (cell) => /^'?-?\d+$/.test(cell)),
    date: (index) => are(index, isDateOrSerial),
    createdAt: (index) => are(index, isDateOrSerial),
    time: (index) => cellsOf(index).length === 0 || areTimes(index),
    status: (index) => haveSome(index, isStatus),
    eventType: (index) => haveSome(index, isType),
    registrationOpen: (index) => haveSome(index, isBoolean),
    location: areNoNumbers,
    venue: areNoNumbers,
    meetingPoint: areTexts,
    name: (index) => are(index, isText),
    topic: (index) => are(index, isText),
    home: areTexts,
    guest: areTexts,
    opponent: areTexts,
    host: areTexts,
    team: areTexts,
    movedTo: (index) => haveSome(index, looksLikeDate),
    side: (index) => are(index, isSide),
  };
  return {
    cellsOf,
    isEmpty: (index: number) => cellsOf(index).length === 0,
    hasGaps: (index: number) => cellsOf(index).length < rows.length,
    fits: (role: ColumnRole, index: number) => fits[role]?.(index) ?? true,
    areDates,
    areWritten: (index: number) =>
      cellsOf(index).length > 0 &&
      are(index, (cell) => /\b\d\d?([./-])\d\d?\1\d{2,4}\b/.test(cell)),
    haveDates: (index: number) => cellsOf(index).length > 0 && are(index, isDateOrSerial),
    areMoments: (index: number) =>
      are(index, (cell) => parseDate(cell, undefined)?.time !== undefined),
    areDaysOfMonth: (index: number) =>
      cellsOf(index).length > 0 && cellsOf(index).every((cell) => /^\d\d?$/.test(cell)),
    areTimes,
    /** Returns true for times at which an event ends; beside times, 22.30 may be stored as 22.3. */
    areEnds: (index: number, isBesideTimes: boolean) => {
      const isNumber = (cell: string) => isBesideTimes && readTimeNumber(cell) !== undefined;
      const isEnd = (cell: string) => isTime(cell) || isEndOfDay(cell) || isNumber(cell);
      return cellsOf(index).some(isEnd) && are(index, (cell) => isEnd(cell) || isNoTime(cell));
    },
    areSureTimes,
    /** Returns true for times that all are between midnight and five, as durations are. */
    areEarly: (index: number) =>
      cellsOf(index).some((cell) => !/^0?0[:.h]00/.test(cell)) &&
      cellsOf(index).every((cell) => isNoTime(cell) || earlyForm.test(cell)),
    areTexts,
    areNames,
    namesFirst,
    areMarks: (index: number) => cellsOf(index).length > 0 && areMarks(index),
    areSides: (index: number) => cellsOf(index).length > 0 && cellsOf(index).every(isSide),
    /** Returns true for cells that nearly all are a first name and a surname. */
    arePersons: (index: number) =>
      cellsOf(index).filter((cell) => personForm.test(cell)).length > cellsOf(index).length * 0.8,
    /** Returns true if two columns have a value in common, as the teams of a league do. */
    share: (one: number, other: number) => {
      const values = new Set(cellsOf(one).map((cell) => cell.toLowerCase()));
      return cellsOf(other).some((cell) => values.has(cell.toLowerCase()));
    },
    areWeekdays: (index: number) =>
      cellsOf(index).length > 0 && are(index, (cell) => readWeekday(cell) !== undefined),
    /** Returns the column of teams that mostly have the name of their club, among several columns. */
    findTeams(indexes: readonly number[]): number | undefined {
      const haveClub = (team: number, club: number) => {
        const own = rows.filter(({ cells }) => cells[club]?.trim());
        const full = own.filter(({ cells }) => cells[team]?.includes(cells[club]?.trim() ?? ''));
        const isWhole = own.every(({ cells }) => cells[team]?.trim());
        return team !== club && isWhole && full.length > 0 && full.length * 2 >= own.length;
      };
      return indexes.findLast((team) => indexes.some((club) => haveClub(team, club)));
    },
    /** Returns the number of different cells; names differ more than other texts. */
    variety: (index: number) => new Set(cellsOf(index)).size,
    areUnique: (index: number) => new Set(cellsOf(index)).size === cellsOf(index).length,
    /** Returns true if the columns have the same days, or the same times, in all rows. */
    agree: (one: number, other: number) =>
      rows.every(({ cells }) => {
        const [a, b] = [cells[one]?.trim() ?? '', cells[other]?.trim() ?? ''];
        return a === b || a === '' || b === '' || a.startsWith(b) || b.startsWith(a);
      }),
  };
}

/** Fields that are left out if their cells do not fit. */
const optionalFields = [
  'createdAt',
  'id',
  'status',
  'eventType',
  'registrationOpen',
] as const satisfies readonly EventField[];

/** Returns the words of a heading, of which all parts of the day are one, as are all teams. */
function kindsOf(heading: string): ReadonlySet<string> {
  const words = tokenize(heading).flatMap(({ kind, text }) => (kind === 'word' ? [text] : []));
  return new Set([
    ...words.filter((word) => word.length > 2),
    ...(words.some((word) => partOf(word.replace(/s$/, ''))) ? ['part of a day'] : []),
    ...(namesTeam(heading) ? ['team'] : []),
  ]);
}

/** The state of a match: the columns still free, and the results. */
class Matching {
  readonly layout: TableLayout;
  readonly judge: ReturnType<typeof createJudge>;
  readonly columns: FieldColumns[] = [];
  readonly problems: ColumnProblem[] = [];
  readonly notes: Message[] = [];
  readonly #roles: readonly (readonly ColumnRole[])[];
  /** The columns that are imported or have a message. */
  readonly reported = new Set<number>();
  readonly #settled = new Set<TableField>();

  constructor(layout: TableLayout) {
    this.layout = layout;
    this.judge = createJudge(layout);
    this.#roles = layout.names.map((name, index) =>
      name === '' || (index >= maxNamed && name.toLowerCase() !== 'name') ? [] : rolesOf(name),
    );
  }

  isOpen(field: TableField): boolean {
    return !this.#settled.has(field);
  }

  hasColumns(field: TableField): boolean {
    return this.columns.some((one) => one.field === field);
  }

  settle(field: TableField): void {
    this.#settled.add(field);
  }

  refuse(problem: ColumnProblem): void {
    this.settle(problem.field);
    this.problems.push(problem);
  }

  take(
    field: TableField,
    parts: readonly (readonly number[])[],
    isLenient = false,
    more: Pick<FieldColumns, 'otherwise' | 'isFixture' | 'isOpponent' | 'ownTeam' | 'side'> = {},
  ): void {
    const indexes = parts.flat();
    const sides = Object.values(more.side ?? {}).flatMap((at) => at ?? []);
    this.report(...indexes, ...(more.otherwise ?? []).flat(), ...sides);
    this.settle(field);
    const name = displayText(indexes.map((index) => nameOfColumn(this.layout, index)).join('+'));
    const label =
      name === field || field === 'time' || field === 'ends'
        ? message('place:field', { field: name })
        : message('place:column', { name, field: message(`field:${field}`) });
    this.columns.push({ field, parts, label, isLenient, ...more });
  }

  report(...indexes: readonly number[]): void {
    for (const index of indexes) this.reported.add(index);
  }

  /** Returns the free columns whose names may mean one of the roles, fitting or not. */
  named(...roles: readonly ColumnRole[]): number[] {
    return this.#roles.flatMap((own, index) =>
      !this.reported.has(index) && own.some((role) => roles.includes(role)) ? [index] : [],
    );
  }

  /** Returns true if the name of a column may mean the role. */
  has(role: ColumnRole, index: number): boolean {
    return this.#roles[index]?.includes(role) ?? false;
  }

  /** Returns true if the name of a column is known and has no other roles. */
  isOnly(index: number, ...roles: readonly ColumnRole[]): boolean {
    const known = rolesOfKnown(this.layout.names[index] ?? '');
    return known?.every((own) => roles.includes(own)) ?? false;
  }

  /** Returns the free columns whose names mean one of the roles and whose cells fit it. */
  find(...roles: readonly ColumnRole[]): number[] {
    return this.#roles.flatMap((own, index) => {
      if (this.reported.has(index)) return [];
      const fitting = own.some((role) => roles.includes(role) && this.judge.fits(role, index));
      return fitting ? [index] : [];
    });
  }

  isExact(index: number): boolean {
    return rolesOfKnown(this.layout.names[index] ?? '') !== undefined;
  }

  /** Returns the columns of a field whose names are in the lists, else all; a new value stays. */
  exactFirst(indexes: readonly number[]): readonly number[] {
    const isNew = (at: number) => /^(?:neu|new|nouv|nieuw)/i.test(this.layout.names[at] ?? '');
    const exact = indexes.filter((at) => this.isExact(at) || isNew(at));
    return exact.some((at) => this.isExact(at)) ? exact : indexes;
  }

  /** Returns the free columns, with at most one known role, whose cells pass a test. */
  guess(test: (index: number) => boolean, role?: ColumnRole): number[] {
    return this.#roles.slice(0, judged.columns).flatMap((own, index) => {
      const isFree = !this.reported.has(index) && !this.judge.isEmpty(index);
      const isCandidate = isFree && own.every((one) => one === role);
      return isCandidate && test(index) ? [index] : [];
    });
  }

  /** Returns true for headings that differ in a number only: "Uhrzeit 1" and "Uhrzeit 2". */
  areNumbered(one: number, other: number): boolean {
    const [own, others] = [one, other].map((at) => this.layout.names[at]?.replace(/[\d\s.]/g, ''));
    return own !== '' && own === others;
  }

  /** Returns true for headings of one kind: "Halle 1" and "Halle 2", parts of the day, or teams. */
  areAlike(one: number, other: number): boolean {
    const kindsAt = (index: number) => kindsOf(this.layout.names[index] ?? '');
    return !kindsAt(one).isDisjointFrom(kindsAt(other));
  }

  /** Returns true if a heading is a contact of persons. */
  hasContacts(): boolean {
    const contact = /\b(?:e-?mail|telefon|tel|phone|téléphone|telefoon|handy|mobile?)\b/i;
    return this.layout.names.some((name) => contact.test(name));
  }

  /** Takes the first column of a role, unless the second one contradicts it. */
  takeOnly(field: TableField, found: readonly number[]): void {
    const [first, second] = found;
    if (first === undefined) return;
    if (second === undefined || this.judge.agree(first, second)) {
      this.take(
        field,
        [[first]],
        isOptional(field) && field !== 'id',
        this.#otherwise(field, first),
      );
      return;
    }
    this.ask(field, first, second);
  }

  /** Refuses two columns for one field, in the order of the file. */
  ask(field: TableField, ...pair: readonly [number, number]): void {
    this.refuse({ kind: 'ambiguous', field, columns: this.#choicesOf(pair) });
  }

  /** Refuses two columns that may be the teams of a match, which are its name together. */
  askMatch(...pair: readonly [number, number]): void {
    const columns = this.#choicesOf(pair);
    this.refuse({ kind: 'ambiguous', field: 'name', columns, isMatch: true });
  }

  #choicesOf(pair: readonly [number, number]): [string, string] {
    const columns = pair.toSorted((one, other) => one - other);
    return columns.map((index) => choiceOf(this.layout, index)) as [string, string];
  }

  /** Returns the columns that name a match, as schedules of teams do not name their matches. */
  #otherwise(field: TableField, index: number): Pick<FieldColumns, 'otherwise' | 'side'> {
    const [opponent] = field === 'name' && this.judge.hasGaps(index) ? this.find('opponent') : [];
    if (opponent === undefined) return {};
    const otherwise = [...this.find('team').slice(0, 1), opponent].map((at) => [at]);
    return { otherwise, ...findSide(this) };
  }

  /** Takes a column that was found by its cells alone, and notes it. */
  takeGuess(field: TableField, index: number): void {
    this.take(field, [[index]]);
    this.noteGuess('note:column_guessed', index, field);
  }

  noteGuess(key: MessageKey, index: number, field: TableField = 'name'): void {
    const column = displayText(nameOfColumn(this.layout, index));
    this.notes.push(message(key, { column, field: message(`field:${field}`) }));
  }
}

/** Finds a column by its heading, or by its letters if no heading is like it. */
function findByName(
  field: TableField,
  name: string,
  { names }: TableLayout,
): { readonly index: number } | ColumnProblem {
  const wanted = name.trim();
  const index = names.indexOf(wanted);
  if (wanted !== '' && index !== -1) {
    const isRepeated = names.indexOf(wanted, index + 1) !== -1;
    return isRepeated ? { kind: 'repeated', field, name } : { index };
  }
  const letters = names.findIndex((_, at) => columnLetters(at) === wanted.toUpperCase());
  return letters === -1 ? { kind: 'unknown', field, name } : { index: letters };
}

/** Takes the columns that the user chose. */
function assignMapped(matching: Matching, map: FieldMap): void {
  const { layout } = matching;
  for (const field of tableFields) {
    const chosen = map[field];
    if (chosen === undefined) continue;
    matching.settle(field);
    if (chosen === null) continue;
    const whole = typeof chosen === 'string' ? [chosen] : chosen;
    const isOne = whole.length > 1 || 'index' in findByName(field, whole[0] ?? '', layout);
    const names = isOne ? whole : whole.flatMap((name) => name.split('+'));
    const found = names.map((name) => findByName(field, name, layout));
    const indexes = found.flatMap((one) => ('index' in one ? [one.index] : []));
    const problem = found.find((one) => 'kind' in one);
    if (problem !== undefined && 'kind' in problem) {
      const isSplit = names.length > whole.length && indexes.length === 0;
      matching.refuse(isSplit ? { kind: 'unknown', field, name: String(whole[0]) } : problem);
    } else {
      matching.take(
        field,
        indexes.map((index) => [index]),
      );
    }
  }
}

/** Names that only files made for this service have; their values are never left out. */
const ownNames = ['eventType', 'registrationOpen', 'createdAt'];

/** Takes the columns that have the names of fields, as in an export. */
function assignByName(matching: Matching): void {
  const isOwn = matching.layout.names.some((name) => ownNames.includes(name));
  const names = matching.layout.names.map((name) => name.toLowerCase());
  // Another program may have several columns for a place or a note.
  const fields = eventFields.filter((one) => isOwn || !['location', 'description'].includes(one));
  for (const field of fields.filter((one) => matching.isOpen(one))) {
    const name = field.toLowerCase();
    const index = names.indexOf(name);
    if (index === -1) continue;
    if (names.indexOf(name, index + 1) !== -1) {
      matching.refuse({ kind: 'repeated', field, name: field });
    } else if (!isOwn && field === 'name') {
      // Beside a word for events, it may be a person.
    } else if (isOwn || !isOptional(field) || matching.judge.fits(field, index)) {
      matching.take(field, [[index]], !isOwn && isOptional(field) && field !== 'id');
    }
  }
}

function isOptional(field: TableField): field is (typeof optionalFields)[number] {
  return optionalFields.some((one) => one === field);
}

/** Takes the date and the time of day, which may share a name such as "Beginn". */
function takeDates(matching: Matching): void {
  const { judge } = matching;
  if (matching.isOpen('date')) {
    const found = matching.exactFirst(matching.find('date'));
    const [rival] = matching.guess((at) => judge.areDates(at) && !judge.areWeekdays(at));
    const [part] = found;
    const isPart = part !== undefined && !matching.isExact(part);
    if (isPart && rival !== undefined && !judge.agree(part, rival))
      matching.ask('date', part, rival);
  }
  if (matching.isOpen('date')) {
    const found = matching.exactFirst(matching.find('date'));
    // Of a day and a moment on that day, the moment says more.
    const byLength = found.toSorted((one, other) => lengthOf(other) - lengthOf(one));
    matching.takeOnly('date', judge.isEmpty(found[0] ?? 0) ? found : byLength);
  }
  if (matching.isOpen('date')) {
    const [only, second] = matching.guess(judge.areDates, 'time');
    if (only !== undefined && second === undefined) matching.takeGuess('date', only);
    else if (only !== undefined && second !== undefined && matching.areNumbered(only, second))
      matching.takeOnly('date', [only, second]);
  }
  if (matching.isOpen('date')) {
    matching.takeOnly(
      'date',
      // A day of the month is not a date, though spreadsheets store dates as numbers.
      matching.named('date').filter((at) => !judge.areTimes(at) && !judge.areDaysOfMonth(at)),
    );
  }
  if (matching.isOpen('date')) {
    // Dates in other words are refused with their cells.
    matching.takeOnly('date', matching.guess(judge.areWritten));
  }
  if (matching.isOpen('time')) {
    const found = matching.exactFirst(matching.find('time')).filter((at) => !leftOut(at));
    // A column that can be nothing else is the time even if its cells are wrong, so that they are
    // reported rather than lost.
    const roles: ColumnRole[] = matching.hasColumns('date') ? ['date', 'time'] : ['time'];
    const plain = () =>
      matching.named('time').filter((at) => matching.isOnly(at, ...roles) && !judge.areDates(at));
    matching.takeOnly('time', found.length > 0 ? found : plain());
    const [time] = found;
    if (time !== undefined && judge.areEarly(time)) matching.noteGuess('note:times_early', time);
  }
  const [date] = matching.columns.find(({ field }) => field === 'date')?.parts.flat() ?? [];
  if (matching.isOpen('time') && (date === undefined || !judge.areMoments(date))) {
    // Of a start and an end, the start comes first.
    const [first, second] = [
      ...matching.guess(judge.areSureTimes).filter((at) => !leftOut(at)),
      // French "à" may also be an end, and is the start beside the time of a meeting.
      ...matching
        .find('arrival')
        .filter(judge.areTimes)
        .toSorted((one, other) => mayEnd(other) - mayEnd(one)),
    ];
    if (first !== undefined && second !== undefined && matching.areNumbered(first, second))
      matching.takeOnly('time', [first, second]);
    else if (first !== undefined) matching.takeGuess('time', first);
  }

  /** Leaves out a column of durations, unless its name is plainly that of the time. */
  function leftOut(index: number): boolean {
    const isDuration = !matching.isExact(index) && judge.areEarly(index);
    if (isDuration) {
      matching.report(index);
      matching.noteGuess('note:times_left_out', index);
    }
    return isDuration;
  }

  function mayEnd(index: number): number {
    return Number(matching.has('ends', index));
  }

  function lengthOf(index: number): number {
    return Math.max(0, ...judge.cellsOf(index).map((cell) => cell.length));
  }
}

/** Takes the optional fields, and notes the columns whose cells do not fit their names. */
function takeOptional(matching: Matching): void {
  for (const field of optionalFields.filter((one) => matching.isOpen(one))) {
    const found = matching.find(field);
    matching.takeOnly(field, found);
    const [unfit] = found.length > 0 ? [] : matching.named(field);
    if (unfit === undefined) continue;
    matching.settle(field);
    matching.report(unfit);
    const [cell = ''] = matching.judge.cellsOf(unfit);
    const column = displayText(nameOfColumn(matching.layout, unfit));
    const values = { column, field: message(`field:${field}`), value: displayValue(cell) };
    matching.notes.push(message('note:column_left_out', values));
  }
}

/** Returns the free columns of a role that do not say only "home" or "away". */
function findTeams(matching: Matching, ...roles: readonly ColumnRole[]): readonly number[] {
  const { areMarks, areSides } = matching.judge;
  return matching.find(...roles).filter((index) => !areSides(index) && !areMarks(index));
}

/**
 * Returns the one column of the teams of a side, or that of their clubs and that of the teams within
 * them. Two columns that differ are refused, because one of them would be a wrong opponent.
 */
function takeTeams(matching: Matching, indexes: readonly number[]): readonly number[] {
  const { judge, layout } = matching;
  const [first = 0, second] = indexes;
  const teams = judge.findTeams(indexes);
  if (teams !== undefined) return [teams];
  if (second === undefined) return [first];
  const columns = [first, second].map((index) => nameOfColumn(layout, index));
  const clubs = columns.filter((name) => /verein|club|vereniging/i.test(name));
  // Of a club and its team, the longer text has both.
  if (clubs.length === 1 || judge.agree(first, second)) return [first, second];
  matching.ask('name', first, second);
  return [];
}

/** Finds the columns that say whether a match is at home, by words or by marks. */
function findSide(matching: Matching): Pick<FieldColumns, 'side'> {
  const { judge } = matching;
  const [word] = [
    ...matching.find('side'),
    ...matching.named('home', 'guest', 'location', 'venue', 'town').filter(judge.areSides),
  ];
  const [home, away] = (['home', 'guest'] as const).map((role) =>
    matching.named(role).find(judge.areMarks),
  );
  if (word !== undefined) return { side: { word } };
  return home === undefined && away === undefined ? {} : { side: { home, away } };
}

/** Names that persons have too. */
const bareName = /^\P{L}*(?:name|nom|naam)\P{L}*$/iu;
const firstName = /vorname|first ?name|prénom|voornaam/i;

/**
 * Returns the columns of names: those with a word for events, else "Name". Asks if that may be a
 * column of persons, or the name beside one of kinds.
 */
function findNames(
  matching: Matching,
  named: readonly number[],
  topics: readonly number[],
  teams: readonly number[],
): readonly number[] {
  const { judge, layout } = matching;
  const bare = named.find((at) => bareName.test(layout.names[at] ?? ''));
  const events = named.filter((at) => at !== bare);
  if (bare === undefined || layout.names.some((name) => firstName.test(name))) return events;
  const arePersons = judge.arePersons(bare);
  const isOfMatch = teams.length > 0 && judge.findTeams([bare, ...teams]) !== bare;
  if (arePersons && events.length + topics.length === 0 && isOfMatch) return [];
  const isVaried = (at: number, times = 2) => judge.variety(at) * times >= judge.variety(bare);
  const unknown = arePersons ? matching.guess(judge.areNames).filter((at) => isVaried(at)) : [];
  // Kinds of events are no rivals of names that all differ.
  const kinds = arePersons ? topics : topics.filter((at) => isVaried(at, 4));
  const [rival] = [...events, ...kinds, ...unknown];
  if (rival === undefined) return arePersons && matching.hasContacts() ? [] : [bare];
  const isClear = arePersons ? !unknown.includes(rival) : events.includes(rival);
  if (isClear && isVaried(rival) && (arePersons || !matching.hasContacts())) return events;
  matching.ask('name', bare, rival);
  return [];
}

/** Takes an opponent, after the own team if a column has it. */
function takeOpponent(matching: Matching, opponent: number, own: readonly number[]): void {
  const [team] = [...matching.find('team'), ...own];
  const side = findSide(matching);
  if (team === undefined) matching.take('name', [[opponent]], false, { ...side, isOpponent: true });
  else {
    const more = { ...side, isFixture: true, ownTeam: team };
    matching.take('name', [[team], [opponent]], false, more);
  }
}

/** Takes the name: a column of names, home and guest, an opponent, a topic, or the only texts. */
function takeName(matching: Matching): void {
  const { judge } = matching;
  if (!matching.isOpen('name')) return;
  const [own, guest] = [findTeams(matching, 'home'), findTeams(matching, 'guest')];
  const home = own.length > 0 ? own : findTeams(matching, 'host').slice(0, 1);
  const [opponent] = findTeams(matching, 'opponent');
  const teams = [home.length > 0 ? guest : [], opponent ?? []].flat();
  const filled = matching.find('name', 'topic').filter((at) => !judge.isEmpty(at));
  const candidates = judge.namesFirst([...filled, ...teams]);
  const topics = candidates.filter((at) => matching.has('topic', at));
  const exact = topics.filter((at) => matching.isExact(at));
  const titles = candidates.filter((at) => matching.has('name', at));
  const named = findNames(matching, titles, exact, teams);
  if (!matching.isOpen('name')) return;
  const isVaried = (index: number) => judge.variety(index) * 4 >= judge.cellsOf(index).length;
  if (home.length > 0 && guest.length > 0 && !named.some(isVaried)) {
    const sides = [home, guest].map((indexes) => takeTeams(matching, indexes));
    if (!matching.isOpen('name')) return;
    if (own.length === 0) matching.noteGuess('note:host_is_home', home[0] ?? 0);
    matching.take('name', sides, false, { isFixture: true });
  } else if (named.length > 0) {
    matching.takeOnly('name', named);
  } else if (opponent !== undefined && exact.length === 0) {
    takeOpponent(matching, opponent, own);
  } else if (topics.length > 0) {
    takeTopic(matching, exact, topics);
  } else {
    guessName(matching, [...own, ...guest]);
  }
}

/** Returns the columns of texts with unknown headings, the most varied first. */
function guessTexts(matching: Matching): readonly number[] {
  const { areTexts, namesFirst, variety } = matching.judge;
  const texts = namesFirst(matching.guess(areTexts, 'team'));
  return texts.toSorted((one, other) => variety(other) - variety(one));
}

/** Takes the topic that differs most from row to row; asks if another column may be the name. */
function takeTopic(matching: Matching, exact: readonly number[], topics: readonly number[]): void {
  const { variety } = matching.judge;
  const all = exact.length > 0 ? exact : topics;
  const [topic = 0, second] = all.toSorted((one, other) => variety(other) - variety(one));
  const [text] = exact.length > 0 ? [] : guessTexts(matching);
  const isPart = text !== undefined && variety(text) > variety(topic);
  const rival = isPart ? text : second;
  const isRival = rival !== undefined && variety(rival) * 2 > variety(topic);
  matching.takeOnly('name', isRival ? [topic, rival] : [topic]);
}

/** Takes the only column of texts; asks if it is one of the two `teams` of a match, or of several alike. */
function guessName(matching: Matching, teams: readonly number[]): void {
  const { judge, layout } = matching;
  const [most, next] = guessTexts(matching);
  const varietyOf = (index: number | undefined) => (index === undefined ? 0 : judge.variety(index));
  if (most !== undefined) {
    const others = guessTexts(matching).filter((at) => at !== most);
    const [half] = [...teams, ...others.filter((at) => judge.share(at, most))];
    if (half !== undefined) {
      matching.askMatch(most, half);
      return;
    }
    const alike = others.find((at) => matching.areAlike(at, most));
    if (alike !== undefined && matching.hasColumns('date')) {
      matching.ask('name', most, alike);
      return;
    }
  }
  const [description] = matching.find('description');
  const [empty] = matching.named('name', 'topic').filter(judge.isEmpty);
  const isClear = layout.header !== undefined && varietyOf(next) < varietyOf(most);
  if (description !== undefined && varietyOf(description) > varietyOf(most)) {
    matching.takeGuess('name', description);
  } else if (most !== undefined && (next === undefined || isClear)) {
    matching.takeGuess('name', most);
  } else if (most === undefined && empty !== undefined) {
    matching.take('name', [[empty]]);
  }
}

/** Takes the columns of the place in the order of an address: venue, street, postcode and town. */
function takePlace(matching: Matching): void {
  if (!matching.isOpen('location')) return;
  const [venues, streets, postcodes] = [
    matching.find('venue'),
    matching.find('street'),
    matching.named('postcode'),
  ];
  // Beside a venue or a postcode, "Ort" and "plaats" are the town.
  const hasAddress = venues.length > 0 || postcodes.length > 0;
  const onlyTowns = matching.find('town').filter((at) => !matching.has('location', at));
  const towns = onlyTowns.length > 0 || !hasAddress ? onlyTowns : matching.find('town');
  // In a workbook of this program, a number is the name of a place.
  const isExport = matching.hasColumns('createdAt') && matching.hasColumns('registrationOpen');
  const named = isExport ? matching.named('location') : matching.find('location');
  const places = named.filter((at) => !towns.includes(at));
  const single = (indexes: readonly number[]) => indexes.map((index) => [index]);
  const cities = [...postcodes, ...towns];
  const town = cities.length === 0 ? [] : [cities];
  const halls = [...venues, ...places].sort((one, other) => one - other);
  const parts = [...single(halls), ...single(streets), ...town];
  const [meetingPoint] = matching.find('meetingPoint');
  // The new place of an event that was moved stands for the old one.
  const [moved] = matching.find('movedPlace').filter((at) => !matching.judge.isEmpty(at));
  if (moved !== undefined) {
    const otherwise = parts.length > 0 ? { otherwise: parts } : {};
    matching.take('location', [[moved]], false, otherwise);
  } else if (parts.flat().length > postcodes.length) matching.take('location', parts);
  else if (meetingPoint !== undefined) matching.take('location', [[meetingPoint]]);
}

function takeDescription(matching: Matching): void {
  const texts = matching.find('description');
  if (!matching.isOpen('description') || texts.length === 0) return;
  matching.take(
    'description',
    texts.map((index) => [index]),
  );
}

/**
 * Takes the columns of ends: those that the user chose, else those that have such names. Columns that
 * the user chose for the note are all that it gets, unless there are some for the end as well.
 */
function takeEnds(matching: Matching, map: FieldMap): EndColumns {
  const { judge } = matching;
  const chosen = matching.columns.find(({ field }) => field === 'ends')?.parts.flat();
  const named = () => matching.find('ends').filter((at) => !judge.isEmpty(at));
  const isOpen = matching.isOpen('ends') && map.description === undefined;
  const found = chosen ?? (isOpen ? named() : []);
  const [day, time] = [
    found.find(judge.areDates),
    found.find((at) => judge.areEnds(at, matching.hasColumns('time'))),
  ];
  // A chosen column without dates and times gets a message about its cells.
  const ends = { day: day ?? (time === undefined ? chosen?.[0] : undefined), time };
  matching.report(...Object.values(ends).flatMap((at) => at ?? []));
  return ends;
}

/** Finds the column of new dates, unless the user chose the dates. */
function findMoved(matching: Matching, map: FieldMap): number | undefined {
  const [index] = map.date === undefined ? matching.find('movedTo') : [];
  if (index !== undefined) matching.report(index);
  return index;
}

/** Finds the column of marks such as "x" below "Abgesagt", if any, unless the user chose the status. */
function findCancelled(matching: Matching, map: FieldMap): number | undefined {
  const { judge, layout, reported } = matching;
  // Below "Abgesagt am" is the day on which that was said.
  const isMark = (cell: string, name: string) =>
    isBoolean(cell) || (markThatCancels(name) === true && looksLikeDate(cell));
  const areMarks = (index: number, name: string) =>
    judge.cellsOf(index).every((cell) => isMark(cell, name));
  const index = layout.names.findIndex(
    (name, at) =>
      at < maxNamed &&
      markThatCancels(name) !== undefined &&
      !reported.has(at) &&
      areMarks(at, name),
  );
  if (index === -1 || map.status !== undefined) return undefined;
  matching.report(index);
  return index;
}

/** Finds the column of the numbers of events, each of which is another one. */
function findNumber(matching: Matching): number | undefined {
  const { judge } = matching;
  const index = matching
    .find('matchNumber')
    .find((at) => !judge.isEmpty(at) && judge.areUnique(at));
  if (index !== undefined) matching.report(index);
  return index;
}

/** Returns true if the headings of rounds are days until which their matches may be played. */
function haveDeadlines({ header, titles, data }: TableLayout): boolean {
  return [...titles, ...(header ? [header] : []), ...data].some((row) => {
    const [text = '', other] = distinctCells(row);
    return other === undefined && findDate(text)?.isDeadline === true;
  });
}

/** Matches columns with fields: mapped ones, then names of fields, then other names and cells. */
export function matchColumns(layout: TableLayout, map: FieldMap): MatchedColumns {
  const matching = new Matching(layout);
  assignMapped(matching, map);
  const cancelled = findCancelled(matching, map);
  assignByName(matching);
  takeDates(matching);
  takeOptional(matching);
  takeName(matching);
  takePlace(matching);
  takeDescription(matching);
  const { columns, problems, notes, reported } = matching;
  const [ends, movedTo] = [takeEnds(matching, map), findMoved(matching, map)];
  const number = findNumber(matching);
  const [movedTime] = map.time === undefined ? matching.find('movedTime') : [];
  if (movedTime !== undefined) matching.report(movedTime);
  const [weekday] = matching.guess(matching.judge.areWeekdays, 'date');
  const [zone] = matching.find('zone');
  if (zone !== undefined) matching.report(zone);
  const roles = new Set(layout.names.flatMap((name) => rolesOf(name)[0] ?? []));
  const above = layout.titles.flatMap(({ cells }) => cells.filter(looksLikeDate));
  const dates = layout.names.filter((_, index) => matching.judge.haveDates(index)).length;
  const areWritten = layout.names.some((_, index) => matching.judge.areWritten(index));
  // A calendar has dates in all columns, and a table on its side has them in a row.
  const isNotInRows =
    dates > 3 ||
    (dates === 0 &&
      !areWritten &&
      (above.length > 1 || (roles.size < 2 && layout.names.length > 1)));
  const rowsReason = isNotInRows ? ('notInRows' as const) : undefined;
  for (const field of requiredFields) {
    const isKnown =
      columns.some((one) => one.field === field) || problems.some((one) => one.field === field);
    if (isKnown) continue;
    if (field !== 'date' || !haveDeadlines(layout)) {
      problems.push({ kind: 'missing', field, reason: rowsReason });
    } else problems.unshift({ kind: 'missing', field, reason: 'deadlines' });
  }
  const found = { ends, movedTo, movedTime, cancelled, weekday, zone, number };
  return { columns, problems, ...found, notes, reported };
}

export function describeProblem(problem: ColumnProblem, layout: TableLayout): Message {
  // Each is compared with all others, and one more than are shown says that there are more.
  const names = layout.names.slice(0, maxNames + 1).map((_, index) => choiceOf(layout, index));
  const field = message(`field:${problem.field}`);
  switch (problem.kind) {
    case 'unknown': {
      const name = displayText(problem.name);
      return message('reason:column_unknown', { name, field, columns: displayNames(names) });
    }
    case 'repeated': {
      const wanted = problem.name.trim().toLowerCase();
      const columns = layout.names.flatMap((name, at) =>
        name.toLowerCase() === wanted ? columnLetters(at) : [],
      );
      const values = { name: displayText(problem.name), field, columns: displayNames(columns) };
      return message('reason:column_repeated', values);
    }
    case 'ambiguous': {
      const columns = displayNames(problem.columns);
      if (!problem.isMatch) return message('reason:columns_ambiguous', { columns, field });
      const both = argumentText(`name=${problem.columns.join('+')}`, 'name=COLUMN+COLUMN');
      return message('reason:columns_of_match', { columns, field, both });
    }
    case 'missing':
      if (problem.reason === 'notInRows') return message('reason:events_not_in_rows');
      if (problem.reason === 'deadlines') return message('reason:only_deadlines');
      return message('reason:column_missing', { field, columns: displayNames(names) });
  }
}

/** Throws `bad_input` for a broken header, or for more columns than a spreadsheet can have. */
export function checkLayout(file: string, { titles, header, names }: TableLayout): void {
  const broken = [...titles, ...(header ? [header] : [])].find((row) => row.problem !== undefined);
  if (broken?.problem !== undefined) throw badSource(file, placeOf(broken), broken.problem);
  if (names.length <= maxColumns) return;
  const values = { columns: names.length, limit: maxColumns };
  const place = header && placeOf(header);
  throw badSource(file, place, message('reason:too_many_columns', values));
}

/** Returns the place of a row; `sheet` is its sheet if several are read. */
export function placeOf({ row, cell }: Row, sheet?: string): Message {
  if (cell !== undefined) return message('place:cell', { cell });
  if (sheet === undefined) return message('place:row', { row });
  return message('place:sheet_row', { row, sheet: displayText(sheet) });
}
