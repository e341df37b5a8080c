import { looksLikeDate, orderOf, readSerial } from '../../../dates/dates.ts';
import { Problem, packProblem } from '../../../errors.ts';
import { type Message, type MessageValue, message } from '../../../messages/message.ts';
import { unescapeCell } from '../../csv-cell.ts';
import {
  dependOnZone,
  type FormatPreview,
  type FormatReader,
  type Head,
  type PreviewColumn,
  type PreviewProblem,
  pickSamples,
  previewRows,
  shorten,
  takeFirst,
} from '../preview.ts';
import {
  type BadRecord,
  badSource,
  type Correction,
  displayText,
  displayValue,
  type EventField,
  RecordError,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from '../source.ts';
import {
  checkLayout,
  describeProblem,
  type FieldColumns,
  type MatchedColumns,
  matchColumns,
  nameOfColumn,
  placeOf,
} from './columns.ts';
import { createDateColumn, type DateColumn, joinedCell } from './date-column.ts';
import {
  isBoolean,
  isStatus,
  isType,
  readBoolean,
  readStatus,
  readType,
  rolesOf,
} from './field-names.ts';
import { distinctCells, findLayout, type TableLayout } from './header.ts';
import { createRowNotes, createUnfitNotes, isRemark } from './remarks.ts';
import type { OpenTables, Row, Table } from './table.ts';

/** Parses an integer if no digit is lost; the schema refuses any other cell. */
function integer(cell: string): unknown {
  const text = cell.trim();
  const value = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : text;
}

type DateField = 'date' | 'createdAt';
type TextField = 'name' | 'location' | 'description';

/** Parsers of cells by field; undefined means that the cell has no value. */
const readCell: Readonly<
  Record<Exclude<EventField, DateField | TextField>, (cell: string) => unknown>
> = {
  id: (cell) => (cell.trim() === '' ? undefined : integer(cell)),
  status: (cell) => (cell.trim() === '' ? undefined : readStatus(cell)),
  eventType: (cell) => (cell.trim() === '' ? null : readType(cell)),
  registrationOpen: (cell) => (cell.trim() === '' ? undefined : readBoolean(cell)),
};

/** Tests of cells by field, for columns that nobody chose. */
const isValue: Readonly<Record<keyof typeof readCell, (cell: string) => boolean>> = {
  id: () => true,
  status: isStatus,
  eventType: isType,
  registrationOpen: isBoolean,
};

/** Removes empty texts, repetitions, and texts that another one contains. */
function withoutRepetitions(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts.map((text) => text.trim()))];
  return distinct.filter(
    (text) => text !== '' && !distinct.some((other) => other !== text && other.includes(text)),
  );
}

/** Returns the texts of the parts of a value. */
function readParts(parts: FieldColumns['parts'], cellAt: (index: number) => string): string[] {
  const texts = parts.map((indexes) => withoutRepetitions(indexes.map(cellAt)).join(' '));
  return withoutRepetitions(texts);
}

/** Reads a text field. A note of several columns names those that are not notes themselves. */
function readText(
  { field, parts }: FieldColumns,
  layout: TableLayout,
  cellAt: (index: number) => string,
): string | null {
  const [index = 0, second] = parts[0] ?? [];
  if (parts.length === 1 && second === undefined) return cellAt(index);
  switch (field) {
    case 'description': {
      const lines = parts.map(([at = 0]) => {
        const [text, name] = [cellAt(at), nameOfColumn(layout, at)];
        return text === '' || rolesOf(name).includes('description') ? text : `${name}: ${text}`;
      });
      return lines.filter((line) => line !== '').join('\n');
    }
    case 'location':
      return readParts(parts, cellAt).join(', ');
    default:
      return readParts(parts, cellAt).join(' – ');
  }
}

type ReadField = { readonly field: EventField; readonly read: (row: Row) => unknown };

type RecordReader = {
  readonly dates: readonly DateColumn[];
  /** Returns a bad record for a row that is broken or does not match the header in length. */
  check(row: Row): BadRecord | undefined;
  /** Returns a row with corrected cells; the other functions expect such rows. */
  prepare(row: Row): Row;
  /** Returns true for a title, a total or a remark among the events. */
  isRemark(row: Row): boolean;
  /** Returns messages about cells that were left out or read in an unusual way. */
  notes(): readonly Message[];
  /** Returns the record of a checked row, once the order of its dates is known. */
  read(row: Row): SourceItem;
};

function readValues(row: Row, fields: readonly ReadField[]): SourceRecord['values'] {
  const values: Partial<Record<EventField, unknown>> = {};
  for (const { field, read } of fields) {
    const value = read(row);
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** Describes a row that does not match the header in length; surplus cells may be empty. */
function findWidthProblem({ cells }: Row, width: number): Message | undefined {
  if (cells.length === width) return undefined;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return undefined;
  return message('reason:row_width', { cells: cells.length, width });
}

/** Creates the function that finds rows without an event. */
function createRemarkTest(
  layout: TableLayout,
  columns: readonly FieldColumns[],
  isText: boolean,
): (row: Row) => boolean {
  const date = columns.find(({ field }) => field === 'date');
  const name = columns.find(({ field }) => field === 'name');
  const header = layout.header?.cells.join('\n');
  const width = isText ? (layout.header?.cells.length ?? 0) : 0;
  let lastRow = layout.header?.row ?? 0;
  return (row) => {
    const isAfterGap = row.row > lastRow + 1;
    lastRow = row.row;
    // Nothing is known about a row before its date and name are.
    if (date === undefined || name === undefined) return false;
    const dateCell = joinedCell(date, row).trim();
    // Fast path: nearly every row has a date, which begins with a digit.
    if (/^\d{1,4}[./-]\d\d?[./-]\d/.test(dateCell) || looksLikeDate(dateCell)) return false;
    if (row.cells.join('\n') === header) return true;
    const texts = distinctCells(row);
    // Spreadsheets fill up short rows; another one may have been cut off.
    if (row.cells.length < width) return texts.length === 1 && isRemark(texts[0] ?? '');
    const isNameless = joinedCell(name, row).trim() === '';
    if (isNameless && (dateCell === '' || texts.length === 1)) return true;
    if (texts.length === 1 && isAfterGap) return true;
    // Beside a total or a month, there is no other text in the column of names.
    const ownName = joinedCell(name, row).trim();
    return isRemark(texts[0] ?? '') && (ownName === texts[0] || /^[\d.,]*$/.test(ownName));
  };
}

/** Creates the reader of the matched columns. */
function createRecordReader(
  table: Table,
  layout: TableLayout,
  columns: readonly FieldColumns[],
  options: SourceOptions,
): RecordReader {
  const isText = table.sheet === null;
  // In an export, each blank belongs to the event; people type them by mistake.
  const isExport = (['id', 'createdAt'] as const).every((field) =>
    columns.some((column) => column.field === field),
  );
  const toText = (cell: string) => {
    if (isExport) return unescapeCell(cell);
    return isText ? unescapeCell(cell.trim()) : cell.trim();
  };
  const width = layout.header?.cells.length;
  const time = columns.find(({ field }) => field === 'time');
  const dates: DateColumn[] = [];
  const unfit = createUnfitNotes();
  const repeated = createRowNotes();
  const readerOf = (column: FieldColumns): ReadField[] => {
    const { field } = column;
    switch (field) {
      case 'time':
        return [];
      case 'date':
      case 'createdAt': {
        const times = field === 'date' ? time : undefined;
        const date = createDateColumn(table, layout, { ...column, field }, times, options);
        dates.push(date);
        if (!column.isLenient) return [{ field, read: date.read }];
        const read = (row: Row) => {
          const cell = date.cell(row);
          if (cell.trim() === '' || looksLikeDate(cell) || readSerial(cell)) return date.read(row);
          return void unfit.add(column.label, row.row, cell);
        };
        return [{ field, read }];
      }
      case 'name':
      case 'location':
        return [
          {
            field,
            read: ({ cells }) => readText(column, layout, (at) => toText(cells[at] ?? '')),
          },
        ];
      case 'description':
        return [
          {
            field,
            // An empty cell means no description; an escaped empty text is one.
            read: (row) =>
              joinedCell(column, row) === ''
                ? null
                : readText(column, layout, (at) => toText(row.cells[at] ?? '')),
          },
        ];
      default:
        return [
          {
            field,
            read: (row) => {
              const cell = toText(joinedCell(column, row));
              if (column.isLenient && cell.trim() !== '' && !isValue[field](cell)) {
                return void unfit.add(column.label, row.row, cell);
              }
              return readCell[field](cell);
            },
          },
        ];
    }
  };
  const fields = columns.flatMap(readerOf);
  const labels = Object.fromEntries(columns.map(({ field, label }) => [field, label]));
  const rawCells = (row: Row) =>
    Object.fromEntries(columns.map((column) => [column.field, joinedCell(column, row)]));
  const correct = createCorrector(columns, options.corrections ?? []);
  const fillDate = createDateFiller(columns, repeated.add);
  return {
    dates,
    prepare: (row) => fillDate(correct(row)),
    notes: () => [
      ...repeated.messages('note:dates_repeated'),
      ...unfit.messages(),
      ...dates.flatMap((date) => date.notes()),
    ],
    isRemark: createRemarkTest(layout, columns, isText),
    check: (row) => {
      const problem =
        row.problem ?? (isText && width !== undefined ? findWidthProblem(row, width) : undefined);
      return problem === undefined ? undefined : { place: placeOf(row), problem };
    },
    read: (row) => {
      const place = placeOf(row);
      try {
        return { place, values: readValues(row, fields), labels, row: row.row };
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        const { problem } = error;
        if (time === undefined) return { place, problem };
        const field = message('place:field_at', { place, field: time.label });
        const cells = { row: row.row, cells: rawCells(row) };
        return { place: field, problem, row: cells, field: 'time' };
      }
    },
  };
}

/**
 * Creates the function that gives a row without a date, but with a time and a name, the date of the
 * row above, as in lists that write each day only once.
 */
function createDateFiller(
  columns: readonly FieldColumns[],
  note: (row: Row) => void,
): (row: Row) => Row {
  const [date, time, name] = (['date', 'time', 'name'] as const).map((wanted) =>
    columns.find(({ field }) => field === wanted),
  );
  const [index, second] = date?.parts.flat() ?? [];
  let above: { readonly row: number; readonly cell: string } | undefined;
  return (row) => {
    if (index === undefined || second !== undefined) return row;
    const cell = row.cells[index]?.trim() ?? '';
    if (cell !== '') {
      above = { row: row.row, cell };
      return row;
    }
    const isSameDay = [time, name].every((one) => one && joinedCell(one, row).trim() !== '');
    if (above?.row !== row.row - 1 || !isSameDay) return row;
    above = { row: row.row, cell: above.cell };
    note(row);
    return { ...row, cells: row.cells.with(index, above.cell) };
  };
}

/** Creates the function that replaces the cells of a row that the user has corrected. */
function createCorrector(
  columns: readonly FieldColumns[],
  corrections: readonly Correction[],
): (row: Row) => Row {
  const byRow = new Map<number, Correction[]>();
  for (const one of corrections) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
  return (row) => {
    const own = byRow.get(row.row);
    if (own === undefined) return row;
    const cells = [...row.cells];
    for (const { field, text } of own) {
      const indexes = columns.find((column) => column.field === field)?.parts.flat() ?? [];
      for (const [at, index] of indexes.entries()) cells[index] = at === 0 ? text : '';
    }
    return { ...row, cells };
  };
}

export function emptyFile(file: string): Error {
  return badSource(file, undefined, message('reason:file_empty'));
}

/** Number of rows from which the header and the columns are judged. */
const headRows = 1_000;

/** A table and the meaning of its columns. */
type Plan = {
  readonly table: Table;
  /** The visible sheets. */
  readonly sheets: readonly string[];
  /** The hidden sheets that nobody asked for. */
  readonly hidden: readonly Table[];
  readonly layout: TableLayout;
  readonly matched: MatchedColumns;
  /** The error within the first rows, if there is one. */
  readonly failure: Problem | undefined;
  /** True if `layout` has all rows of the table. */
  readonly isWhole: boolean;
};

async function planTable(
  table: Table,
  options: SourceOptions,
): Promise<Omit<Plan, 'sheets' | 'hidden'>> {
  const { items, failure } = await takeFirst(table.rows(), headRows);
  const layout = findLayout(items, options.map);
  const isWhole = items.length < headRows && failure === undefined;
  return { table, layout, matched: matchColumns(layout, options.map), failure, isWhole };
}

/** Maximum number of sheets in a message. */
const maxSheets = 20;

function displaySheets(tables: readonly Table[]): MessageValue[] {
  const names = tables.flatMap(({ sheet }) => (sheet === null ? [] : [displayValue(sheet)]));
  return names.length > maxSheets ? [...names.slice(0, maxSheets), '…'] : names;
}

/** Finds a sheet by its name, also with other capitals. Throws `bad_input` if there is none. */
function requireSheet(file: string, tables: readonly Table[], wanted: string): Table {
  const plain = (name: string | null) => name?.trim().toLowerCase();
  const found =
    tables.find(({ sheet }) => sheet === wanted) ??
    tables.find(({ sheet }) => plain(sheet) === plain(wanted));
  if (found !== undefined) return found;
  const visible = tables.filter(({ isHidden }) => !isHidden);
  const values = { sheet: displayValue(wanted), sheets: displaySheets(visible) };
  const hasSheets = tables.some(({ sheet }) => sheet !== null);
  const reason = hasSheets ? message('reason:sheet_missing', values) : message('reason:no_sheets');
  throw badSource(file, undefined, reason);
}

/** Opens a file and chooses its table: the sheet that the user named, else the first with events. */
async function openPlan(open: OpenTables, file: SourceFile, options: SourceOptions): Promise<Plan> {
  const all = await open(file, options);
  const visible = all.filter(({ isHidden }) => !isHidden);
  const sheets = visible.flatMap(({ sheet }) => sheet ?? []);
  const tables =
    options.sheet === undefined ? visible : [requireSheet(file.name, all, options.sheet)];
  const hidden = options.sheet === undefined ? all.filter(({ isHidden }) => isHidden) : [];
  let best: Plan | undefined;
  for (const table of tables) {
    const plan = { ...(await planTable(table, options)), sheets, hidden };
    const isEmpty = plan.layout.header === undefined && plan.layout.data.length === 0;
    if (isEmpty) continue;
    best ??= plan;
    if (plan.matched.problems.every(({ kind }) => kind !== 'missing')) {
      best = plan;
      break;
    }
  }
  if (best === undefined) throw emptyFile(file.name);
  checkLayout(file.name, best.layout);
  return best;
}

/** Passes the names of the columns that are not imported to `ignore`. */
function reportIgnored({ layout, matched }: Plan, { ignore }: SourceOptions): void {
  const taken = new Set(matched.columns.flatMap(({ parts }) => parts.flat()));
  for (const [index, name] of layout.names.entries()) {
    if (!taken.has(index) && name !== '') ignore(name);
  }
}

/** Returns the messages about the rows above the table, its sheet and its columns. */
function planNotes({ table, sheets, hidden, layout, matched }: Plan): Message[] {
  const above = createRowNotes();
  for (const row of layout.titles) above.add(row);
  const sheet =
    sheets.length > 1 && table.sheet !== null
      ? [message('note:sheet', { sheet: displayText(table.sheet), count: sheets.length - 1 })]
      : [];
  const unread =
    hidden.length > 0 ? [message('note:hidden_sheets', { sheets: displaySheets(hidden) })] : [];
  return [...sheet, ...unread, ...above.messages('note:rows_above'), ...matched.notes];
}

/**
 * Reads the records of a table. Yields many records at a time and reads the table two to four
 * times. Throws `bad_input`, naming the row if there is one.
 */
async function* readTable(open: OpenTables, file: SourceFile, options: SourceOptions) {
  const plan = await openPlan(open, file, options);
  const { table, layout, matched } = plan;
  const [problem] = matched.problems;
  if (problem !== undefined) {
    const place = layout.header && placeOf(layout.header);
    throw badSource(file.name, place, describeProblem(problem, layout));
  }
  reportIgnored(plan, options);
  const reader = createRecordReader(table, layout, matched.columns, options);
  const leftOut = createRowNotes();
  const firstRow = layout.data[0]?.row ?? Number.POSITIVE_INFINITY;
  for await (const rows of table.rows()) {
    const records: SourceItem[] = [];
    try {
      for (const original of rows) {
        if (original.row < firstRow) continue;
        const row = reader.prepare(original);
        if (row.problem === undefined && reader.isRemark(row)) {
          leftOut.add(row);
          continue;
        }
        const bad = reader.check(row);
        if (bad !== undefined) {
          records.push(bad);
          continue;
        }
        for (const date of reader.dates) {
          const gap = date.findGap(row);
          if (gap !== undefined) await date.require(row, gap);
        }
        records.push(reader.read(row));
      }
    } finally {
      // Yield before an error too, so that the first bad row of the file is the one reported.
      yield records;
    }
  }
  const notes = [
    ...planNotes(plan),
    ...leftOut.messages('note:rows_left_out'),
    ...table.notes(),
    ...reader.notes(),
  ];
  for (const note of notes) options.note(note);
}

/** Maximum number of columns shown, besides imported ones; nobody looks through more. */
const maxColumns = 300;

function describeColumns({ layout, matched }: Plan, rows: readonly Row[]): PreviewColumn[] {
  const fields = new Map(
    matched.columns.flatMap(({ field, parts }) =>
      parts.flat().map((index) => [index, field] as const),
    ),
  );
  return layout.names.flatMap((_, index) => {
    if (index >= maxColumns && !fields.has(index)) return [];
    const samples = pickSamples(rows.map(({ cells }) => cells[index] ?? ''));
    return [{ name: nameOfColumn(layout, index), samples, takenAs: fields.get(index) ?? null }];
  });
}

/** Infers the order of day and month where it is unknown; reads no further than needed. */
async function decideDates(
  { dates }: RecordReader,
  row: Row,
  problems: PreviewProblem[],
): Promise<void> {
  for (const date of dates) {
    const { field } = date.columns;
    let gap = date.findGap(row);
    const kind = gap === 'order' ? 'dateOrder' : 'year';
    if (problems.some((one) => one.kind === kind && one.field === field)) continue;
    if (gap === 'order') {
      await date.decide('first row');
      gap = date.order() === undefined ? gap : date.findGap(row);
    }
    if (gap === undefined) continue;
    const place = placeOf(row);
    const found = gap === 'order' ? 'dateOrder' : 'year';
    problems.push({ kind: found, field, place, cell: shorten(date.cell(row)) });
  }
}

/** Reads a row; dates about which something is unknown stay as written. */
function readRow(reader: RecordReader, row: Row): SourceItem {
  const record = reader.read(row);
  if ('problem' in record) return record;
  const open = reader.dates.filter((date) => date.findGap(row) !== undefined);
  const cells = open.map((date) => [date.columns.field, date.cell(row)] as const);
  return { ...record, values: { ...record.values, ...Object.fromEntries(cells) } };
}

async function readRecords(
  reader: RecordReader,
  rows: readonly Row[],
  problems: PreviewProblem[],
): Promise<Head<SourceItem>> {
  const items: SourceItem[] = [];
  try {
    for (const row of rows) {
      const bad = reader.check(row);
      if (bad === undefined) await decideDates(reader, row, problems);
      items.push(bad ?? readRow(reader, row));
    }
    return { items, failure: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { items, failure: error };
  }
}

/**
 * Previews the first rows of a table. It is read beyond its head only to infer the order of day and
 * month.
 */
async function previewTable(
  open: OpenTables,
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  const plan = await openPlan(open, file, options);
  const { table, sheets, layout, matched } = plan;
  const problems: PreviewProblem[] = [...matched.problems];
  const reader = createRecordReader(table, layout, matched.columns, options);
  const leftOut = createRowNotes();
  const events = layout.data.map(reader.prepare).filter((row) => {
    const isEvent = row.problem !== undefined || !reader.isRemark(row);
    if (!isEvent) leftOut.add(row);
    return isEvent;
  });
  const rows = events.slice(0, maxRows);
  const records = await readRecords(reader, rows, problems);
  const { timeZone } = options;
  // An error behind the shown rows does not hide them.
  const failure = records.failure ?? (events.length < maxRows ? plan.failure : undefined);
  const cells = reader.dates.flatMap((date) => rows.map((row) => date.cell(row)));
  const notes = [
    ...planNotes(plan),
    ...leftOut.messages('note:rows_left_out'),
    ...(plan.isWhole ? table.notes() : []),
    ...reader.notes(),
  ];
  for (const note of notes) options.note(note);
  return {
    table: {
      sheets,
      sheet: table.sheet,
      firstRow: events[0]?.row ?? null,
      count: plan.isWhole ? events.length : null,
    },
    columns: describeColumns(plan, rows),
    problems,
    dates: {
      haveSlashes: cells.some((cell) => orderOf(cell) !== undefined),
      order: reader.dates.map((date) => date.order()).find((order) => order !== undefined) ?? null,
      areLocal: dependOnZone(records.items, timeZone),
    },
    rows: previewRows(records.items, timeZone, problems),
    failure: failure === undefined ? null : packProblem(failure),
  };
}

/** Creates the reader of a format whose files are tables. */
export function createTableReader(open: OpenTables): FormatReader {
  return {
    read: (file, options) => readTable(open, file, options),
    preview: (file, options, maxRows) => previewTable(open, file, options, maxRows),
  };
}
