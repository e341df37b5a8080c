import { Problem, packProblem } from '../../base/errors.ts';
import { looksLikeDate, orderOf } from '../../dates/dates.ts';
import {
  displayText,
  displayValue,
  type Message,
  type MessageValue,
  message,
} from '../../messages/message.ts';
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
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type TableField,
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
import { distinctCells, findLayout, type TableLayout } from './header.ts';
import { findRounds, joinDateColumns, type RecognizedLayout } from './layouts.ts';
import { createRecordReader, type RecordReader } from './records.ts';
import { createRowNotes, displayTexts, isRemark } from './remarks.ts';
import { completeDates } from './sections.ts';
import type { OpenTables, Row, Table } from './table.ts';
import { findPlanner } from './year-planner.ts';

function emptyFile(file: string): Error {
  return badSource(file, undefined, message('reason:file_empty'));
}

/** Number of rows from which the header and the columns are judged. */
const headRows = 1_000;

/** A table and the meaning of its columns. */
type Plan = {
  readonly table: Table;
  readonly layout: TableLayout;
  readonly matched: MatchedColumns;
  /** The error within the first rows, if there is one. */
  readonly failure: Problem | undefined;
  /** True if `layout` has all rows of the table. */
  readonly isWhole: boolean;
  /** The layout that was rewritten as the table, if it was not an ordinary one. */
  readonly recognized?: RecognizedLayout | undefined;
};

/** Plans a table, as an ordinary one unless its layout is one that only clubs have. */
async function planTable(original: Table, options: SourceOptions): Promise<Plan> {
  const head = await takeFirst(original.rows(), headRows);
  const { items, failure } = head;
  const planAs = async (recognized: RecognizedLayout): Promise<Plan> => {
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
): Promise<Plan> {
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

/** The plans of the tables that are read, and the messages about the sheets of the file. */
type Plans = {
  readonly plans: readonly [Plan, ...Plan[]];
  readonly sheets: readonly string[];
  readonly notes: readonly Message[];
};

/** Returns true for a table with a row that has a date, and with columns for all required fields. */
function hasEvents({ layout, matched }: Plan): boolean {
  const isWhole = matched.problems.every(({ kind }) => kind !== 'missing');
  return isWhole && layout.data.some(({ cells }) => cells.some(looksLikeDate));
}

/** Returns the headings of a table in alphabetical order; sheets with the same ones are one season. */
function headingsOf({ layout: { header, names } }: Plan): string {
  const own = names.filter((name) => name !== '').map((name) => name.toLowerCase());
  return header === undefined ? '' : own.sort().join('\n');
}

/** Plans another sheet than the one that is read; a damaged one has no events. */
async function planOther(table: Table, options: SourceOptions): Promise<Plan[]> {
  try {
    const plan = await planTable(table, options);
    return hasEvents(plan) ? [plan] : [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [];
  }
}

/**
 * Opens a file and chooses its tables: the sheet that the user named, else the first with events and
 * all that have the same headings.
 */
async function openPlans(
  open: OpenTables,
  file: SourceFile,
  options: SourceOptions,
): Promise<Plans> {
  const all = await open(file, options);
  const isChosen = options.sheet !== undefined;
  const visible = all.filter(({ isHidden }) => !isHidden);
  const sheets = visible.flatMap(({ sheet }) => sheet ?? []);
  const tables = isChosen ? [requireSheet(file.name, all, options.sheet ?? '')] : visible;
  let first: Plan | undefined;
  for (const table of tables) {
    const plan = await planTable(table, options);
    if (plan.layout.header === undefined && plan.layout.data.length === 0) continue;
    first ??= plan;
    if (plan.matched.problems.every(({ kind }) => kind !== 'missing')) {
      first = plan;
      break;
    }
  }
  if (first === undefined) throw emptyFile(file.name);
  checkLayout(file.name, first.layout);
  const rest = tables.slice(tables.findIndex(({ sheet }) => sheet === first.table.sheet) + 1);
  const others: Plan[] = [];
  for (const table of rest.slice(0, maxSheets)) others.push(...(await planOther(table, options)));
  const headings = headingsOf(first);
  const alike = headings === '' ? [] : others.filter((one) => headingsOf(one) === headings);
  const plans = [first, ...alike] as const;
  const read = plans.map(({ table }) => table);
  const unread = visible.filter(({ sheet }) => !read.some((one) => one.sheet === sheet));
  const hidden = isChosen ? [] : all.filter(({ isHidden }) => isHidden);
  const values = { count: plans.length, read: displaySheets(read), unread: displaySheets(unread) };
  const different = others.filter((one) => !alike.includes(one));
  const notes = [
    ...(alike.length > 0 ? [message('note:sheets_read', values)] : []),
    ...(unread.length > 0 ? [message('note:sheets_unread', values)] : []),
    ...different.map(({ table }) =>
      message('note:sheet_has_events', { sheet: displayText(table.sheet ?? '') }),
    ),
    ...(hidden.length > 0
      ? [message('note:hidden_sheets', { sheets: displaySheets(hidden) })]
      : []),
  ];
  return { plans, sheets, notes };
}

/** Passes the names of the columns that are not imported to `ignore`. */
function reportIgnored({ layout, matched }: Plan, { ignore }: SourceOptions): void {
  for (const [index, name] of layout.names.entries()) {
    if (!matched.reported.has(index) && name !== '') ignore(name);
  }
}

/** Returns the messages about the rows above a table and about its columns. */
function planNotes({ layout, matched, recognized }: Plan): Message[] {
  const above = createRowNotes();
  for (const row of layout.titles) above.add(row);
  return [...(recognized?.notes ?? []), ...above.messages('note:rows_above'), ...matched.notes];
}

/** Names the sheet in the messages about it, if several sheets are read. */
function inSheet(notes: readonly Message[], sheet: string | undefined): readonly Message[] {
  if (sheet === undefined) return notes;
  return notes.map((note) => message('note:in_sheet', { sheet: displayText(sheet), note }));
}

/** Creates the filter of events that are in another sheet too, such as that of all teams. */
function createRepetitionFilter() {
  const sheets = new Map<string, string>();
  const names: string[] = [];
  return {
    isNew(record: SourceItem, sheet: string): boolean {
      if ('problem' in record) return true;
      const { id, name, date, location } = record.values;
      const key = JSON.stringify([id, name, date, location]);
      const first = sheets.get(key) ?? sheet;
      sheets.set(key, first);
      if (first !== sheet) names.push(`${name}, ${String(date).slice(0, 10)}`);
      return first === sheet;
    },
    notes: () => {
      const values = { count: names.length, texts: displayTexts(names) };
      return names.length > 0 ? [message('note:rows_in_other_sheets', values)] : [];
    },
  };
}

/**
 * Reads the records of the tables of a file. Yields many records at a time and reads each table two
 * to four times. Throws `bad_input`, naming the row if there is one.
 */
async function* readTables(open: OpenTables, file: SourceFile, options: SourceOptions) {
  const { plans, notes } = await openPlans(open, file, options);
  const [only, ...others] = plans;
  for (const note of notes) options.note(note);
  if (others.length === 0) {
    yield* readTable(only, options, undefined);
    return;
  }
  const filter = createRepetitionFilter();
  for (const plan of plans) {
    const sheet = plan.table.sheet ?? '';
    for await (const records of readTable(plan, options, sheet)) {
      yield records.filter((record) => filter.isNew(record, sheet));
    }
  }
  for (const note of filter.notes()) options.note(note);
}

/** Returns the reader of a table; `sheet` is its sheet if several are read. */
function readerOf({ table, layout, matched }: Plan, options: SourceOptions, sheet?: string) {
  const file = sheet === undefined ? table.file : `${table.file}, ${displayText(sheet)}`;
  return createRecordReader({ ...table, file }, layout, matched, options, sheet);
}

async function* readTable(plan: Plan, options: SourceOptions, sheet: string | undefined) {
  const { table, layout, matched, recognized } = plan;
  const [problem] = matched.problems;
  if (problem !== undefined) {
    const place = layout.header && placeOf(layout.header, sheet);
    // The first two columns of a list in rounds are not in the file.
    const names = layout.names.slice(2).filter((name) => name !== '');
    const own = recognized?.kind === 'rounds' ? { ...layout, names } : layout;
    throw badSource(table.file, place, describeProblem(problem, own));
  }
  reportIgnored(plan, options);
  const reader = readerOf(plan, options, sheet);
  const leftOut = createRowNotes();
  // The events of a planner are in the order of their dates.
  const firstRow = Math.min(...layout.data.map(({ row }) => row));
  for await (const rows of table.rows()) {
    const records: SourceItem[] = [];
    try {
      for (const original of rows) {
        if (original.row < firstRow) continue;
        const row = reader.prepare(original);
        const remark = row.problem === undefined ? reader.findRemark(row) : undefined;
        if (remark !== undefined) {
          leftOut.add(row, remark);
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
  for (const note of inSheet(notes, sheet)) options.note(note);
}

/** Maximum number of titles in a preview. */
const maxTitles = 5;
const maxTitleLength = 200;

function listTitles({ titles }: TableLayout): string[] {
  return titles
    .flatMap(distinctCells)
    .filter((text) => !isRemark(text) && !looksLikeDate(text))
    .slice(0, maxTitles)
    .map((text) => shorten(text, maxTitleLength));
}

/** Maximum number of columns shown, besides imported ones; nobody looks through more. */
const maxColumns = 300;

function describeColumns({ layout, matched }: Plan, rows: readonly Row[]): PreviewColumn[] {
  const { day, time } = matched.ends;
  const fields = new Map<number | undefined, TableField>([
    [day, 'description'],
    [time, 'description'],
    [matched.movedTo, 'date'],
    [matched.cancelled, 'status'],
    ...matched.columns.flatMap(({ field, parts }) =>
      parts.flat().map((index) => [index, field] as const),
    ),
  ]);
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
  plan: Plan,
  options: SourceOptions,
  maxRows: number,
  sheet: string | undefined,
) {
  const { table, layout, matched } = plan;
  const problems: PreviewProblem[] = [...matched.problems];
  const reader = readerOf(plan, options, sheet);
  const leftOut = createRowNotes();
  const events = layout.data.map(reader.prepare).filter((row) => {
    const remark = row.problem === undefined ? reader.findRemark(row) : undefined;
    if (remark !== undefined) leftOut.add(row, remark);
    return remark === undefined;
  });
  const rows = events.slice(0, maxRows);
  const records = await readRecords(reader, rows, problems);
  // An error behind the shown rows does not hide them.
  const failure = records.failure ?? (events.length < maxRows ? plan.failure : undefined);
  const cells = reader.dates.flatMap((date) => rows.map((row) => date.cell(row)));
  const notes = [
    ...planNotes(plan),
    ...leftOut.messages('note:rows_left_out'),
    ...(plan.isWhole ? table.notes() : []),
    ...reader.notes(),
  ];
  for (const note of inSheet(notes, sheet)) options.note(note);
  return {
    firstRow: events[0]?.row ?? null,
    count: plan.isWhole ? events.length : null,
    columns: describeColumns(plan, rows),
    problems,
    haveSlashes: cells.some((cell) => orderOf(cell) !== undefined),
    order: reader.dates.map((date) => date.order()).find((order) => order !== undefined) ?? null,
    items: records.items,
    failure,
  };
}

/** Previews the tables of a file; a question about several of them is asked once. */
async function previewTables(
  open: OpenTables,
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  const { plans, sheets, notes } = await openPlans(open, file, options);
  for (const note of notes) options.note(note);
  const parts = [];
  for (const plan of plans) {
    const sheet = plans.length > 1 ? (plan.table.sheet ?? '') : undefined;
    parts.push(await previewTable(plan, options, maxRows, sheet));
  }
  const { timeZone } = options;
  const [first] = plans;
  const items = parts.flatMap((part) => part.items).slice(0, maxRows);
  const found = parts.flatMap((part) => part.problems);
  const problems = found.filter(
    ({ kind, field }, at) =>
      found.findIndex((one) => one.kind === kind && one.field === field) === at,
  );
  const counts = parts.map(({ count }) => count);
  const failure = parts.find((part) => part.failure !== undefined)?.failure;
  return {
    titles: listTitles(first.layout),
    table: {
      sheets,
      sheet: first.table.sheet,
      readSheets: plans.flatMap(({ table }) => table.sheet ?? []),
      layout: first.recognized?.kind ?? null,
      firstRow: parts[0]?.firstRow ?? null,
      count: counts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    },
    columns: parts[0]?.columns ?? [],
    problems,
    dates: {
      haveSlashes: parts.some(({ haveSlashes }) => haveSlashes),
      order: parts.map(({ order }) => order).find((order) => order !== null) ?? null,
      areLocal: dependOnZone(items, timeZone),
    },
    rows: previewRows(items, timeZone, problems),
    failure: failure === undefined ? null : packProblem(failure),
  };
}

/** Creates the reader of a format whose files are tables. */
export function createTableReader(open: OpenTables): FormatReader {
  return {
    read: (file, options) => readTables(open, file, options),
    preview: (file, options, maxRows) => previewTables(open, file, options, maxRows),
  };
}
