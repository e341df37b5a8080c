import { orderOf } from '../../../dates/dates.ts';
import { Problem, packProblem } from '../../../errors.ts';
import { type Message, type MessageValue, message } from '../../../messages/message.ts';
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
  badSource,
  displayText,
  displayValue,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
} from '../source.ts';
import {
  checkLayout,
  describeProblem,
  type MatchedColumns,
  matchColumns,
  nameOfColumn,
  placeOf,
} from './columns.ts';
import { rolesOf } from './field-names.ts';
import { findLayout, type TableLayout } from './header.ts';
import { findRounds, joinDateColumns, type RecognizedLayout } from './layouts.ts';
import { findPlanner } from './planner.ts';
import { createRecordReader, type RecordReader } from './records.ts';
import { createRowNotes } from './remarks.ts';
import { completeDates } from './sections.ts';
import type { OpenTables, Row, Table } from './table.ts';

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
  /** The layout that was rewritten as the table, if it was not an ordinary one. */
  readonly recognized?: RecognizedLayout | undefined;
};

type TablePlan = Omit<Plan, 'sheets' | 'hidden'>;

/** Plans a table, as an ordinary one unless its layout is one that only clubs have. */
async function planTable(original: Table, options: SourceOptions): Promise<TablePlan> {
  const head = await takeFirst(original.rows(), headRows);
  const { items, failure } = head;
  const planAs = async (recognized: RecognizedLayout): Promise<TablePlan> => {
    const { table } = recognized;
    const rewritten = await takeFirst(table.rows(), headRows);
    return { ...(await planOrdinary(table, rewritten, options)), recognized };
  };
  const isWhole = items.length < headRows && failure === undefined;
  const isOpen = options.layout !== 'table' && items.every(({ problem }) => problem === undefined);
  const planner = isOpen && isWhole ? findPlanner(original, items, options.map) : undefined;
  const found = planner ?? (isOpen ? joinDateColumns(original, items, options.map) : undefined);
  if (found !== undefined) return planAs(found);
  const plan = await planOrdinary(original, head, options);
  const isMissing = plan.matched.problems.some(({ kind }) => kind === 'missing');
  const isNamed = new Set(plan.layout.names.flatMap((name) => rolesOf(name)[0] ?? [])).size > 1;
  if (!isOpen || !isWhole || (isNamed && !isMissing)) return plan;
  const rounds = findRounds(original, items, options.map);
  return rounds === undefined ? plan : planAs(rounds);
}

async function planOrdinary(
  original: Table,
  head: Head<Row>,
  options: SourceOptions,
): Promise<TablePlan> {
  const written = findLayout(head.items, options.map);
  const table = completeDates(original, written) ?? original;
  const isSame = table === original;
  const { items, failure } = isSame ? head : await takeFirst(table.rows(), headRows);
  const layout = isSame ? written : findLayout(items, options.map);
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
  const taken = new Set(
    matched.columns.flatMap(({ parts, otherwise = [] }) => [...parts, ...otherwise].flat()),
  );
  for (const [index, name] of layout.names.entries()) {
    if (!taken.has(index) && name !== '') ignore(name);
  }
}

/** Returns the messages about the rows above the table, its sheet and its columns. */
function planNotes({ table, sheets, hidden, layout, matched, recognized }: Plan): Message[] {
  const above = createRowNotes();
  for (const row of layout.titles) above.add(row);
  const sheet =
    sheets.length > 1 && table.sheet !== null
      ? [message('note:sheet', { sheet: displayText(table.sheet), count: sheets.length - 1 })]
      : [];
  const unread =
    hidden.length > 0 ? [message('note:hidden_sheets', { sheets: displaySheets(hidden) })] : [];
  return [
    ...(recognized?.notes ?? []),
    ...sheet,
    ...unread,
    ...above.messages('note:rows_above'),
    ...matched.notes,
  ];
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
  // The events of a planner are in the order of their dates.
  const firstRow = Math.min(...layout.data.map(({ row }) => row));
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
  return layout.names.flatMap((name, index) => {
    if (index >= maxColumns && !fields.has(index)) return [];
    const samples = pickSamples(rows.map(({ cells }) => cells[index] ?? ''));
    if (name === '' && samples.length === 0 && !fields.has(index)) return [];
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
  const { table, sheets, layout, matched, recognized } = plan;
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
      layout: recognized?.kind ?? null,
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
