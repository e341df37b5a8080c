import { hash } from 'node:crypto';
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
  type TakenColumns,
  type TakenField,
  tableFields,
} from '../source.ts';
import {
  checkLayout,
  describeProblem,
  type MatchedColumns,
  matchColumns,
  nameOfColumn,
  placeOf,
} from './columns.ts';
import { joinedCell } from './date-column.ts';
import { rolesOf } from './field-names.ts';
import { distinctCells, findLayout, type TableLayout } from './header.ts';
import { findRounds, joinDateColumns, type RecognizedLayout } from './layouts.ts';
import { createRecordReader, type RecordReader } from './records.ts';
import { createRowNotes, displayTexts, isRemark, rangesOf } from './remarks.ts';
import { completeDates } from './sections.ts';
import { findCopies, findTeams } from './sheets.ts';
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
  /** The teams that the sheets are named after, with which the names of their events begin. */
  readonly teams: readonly string[];
  /** The refusal of sheets that may be copies of each other, until the user chooses one. */
  readonly failure: Problem | undefined;
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
  const copies = plans.length > 1 ? findCopies(read.flatMap(({ sheet }) => sheet ?? [])) : [];
  const teams = sheets.length > 1 ? teamsOf(plans) : [];
  const notes = [
    ...(alike.length > 0 ? [message('note:sheets_read', values)] : []),
    ...(unread.length > 0 ? [message('note:sheets_unread', values)] : []),
    ...different.map(({ table }) =>
      message('note:sheet_has_events', { sheet: displayText(table.sheet ?? '') }),
    ),
    ...(hidden.length > 0
      ? [message('note:hidden_sheets', { sheets: displaySheets(hidden) })]
      : []),
    ...(teams.length > 0
      ? [message('note:teams_of_sheets', { sheets: teams.map(displayValue) })]
      : []),
  ];
  const question = message('reason:sheets_alike', {
    sheets: copies.map(displayValue),
    read: displaySheets(read),
  });
  const failure = copies.length > 0 ? badSource(file.name, undefined, question) : undefined;
  return { plans, sheets, notes, teams, failure };
}

/** Returns the names of the sheets, if they are teams whose events would have the same names. */
function teamsOf(plans: readonly Plan[]): readonly string[] {
  const names = plans.map(({ layout, matched }) => {
    const name = matched.columns.find(({ field }) => field === 'name');
    const cells = layout.data.map((row) => name && joinedCell(name, row).trim().toLowerCase());
    return { isOpponent: name?.isOpponent === true, cells: new Set(cells) };
  });
  const areOpponents = names.every(({ isOpponent }) => isOpponent);
  const areRepeated = names.some(({ cells }, at) =>
    names.slice(at + 1).some((other) => !cells.isDisjointFrom(other.cells)),
  );
  const sheets = plans.flatMap(({ table }) => table.sheet ?? []);
  return areOpponents || areRepeated ? findTeams(sheets, areOpponents) : [];
}

/** Returns the fields of the columns that are imported. */
function fieldsOf({ matched }: Plan): ReadonlyMap<number, TakenField> {
  const { ends, movedTo, movedTime, cancelled, number } = matched;
  const others = [
    [ends.day, 'ends'],
    [ends.time, 'ends'],
    [movedTo, 'date'],
    [movedTime, 'time'],
    [cancelled, 'status'],
    [number, 'number'],
  ] as const;
  const own = matched.columns.flatMap(({ field, parts, otherwise = [], side = {} }) =>
    [...parts, ...otherwise, Object.values(side)].flat().map((at) => [at, field] as const),
  );
  return new Map(
    [...own, ...others].flatMap(([at, field]) => (at === undefined ? [] : [[at, field]])),
  );
}

/** Returns the columns by field, the most important fields first. */
function takenFields(plan: Plan): TakenColumns['fields'] {
  // The headings of these layouts are not in the file.
  if (plan.recognized !== undefined && plan.recognized.kind !== 'dateColumns') return [];
  const fields = fieldsOf(plan);
  const order = new Set<TakenField>(['name', 'date', 'time', 'location', ...tableFields, 'number']);
  return [...order].flatMap((field) => {
    const columns = [...fields].flatMap(([at, own]) =>
      own === field ? nameOfColumn(plan.layout, at) : [],
    );
    return columns.length > 0 ? [{ field, columns }] : [];
  });
}

/** Passes the columns that are imported to `taken`, and the names of the others to `ignore`. */
function reportColumns(plan: Plan, { ignore, taken }: SourceOptions, sheet?: string): void {
  const { layout, matched } = plan;
  const fields = takenFields(plan);
  if (fields.length > 0) taken?.({ sheet, fields });
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

/** Maximum number of rows that are compared with each other. */
const maxCompared = 10_000;

/** Collects the rows that are equal to one above; each is an event of its own. */
function createEqualNotes() {
  const known = new Set<string>();
  const rows: number[] = [];
  return {
    add(item: SourceItem): void {
      if ('problem' in item || item.row === undefined || known.size === maxCompared) return;
      const text = JSON.stringify([item.values, item.number]);
      // The texts of all rows would take as much memory as the file.
      const key = hash('sha1', text, 'base64url');
      if (known.has(key)) rows.push(item.row);
      known.add(key);
    },
    messages: () =>
      rows.length > 0
        ? [message('note:rows_equal', { count: rows.length, rows: rangesOf(rows) })]
        : [],
  };
}

/**
 * Reads the records of the tables of a file. Yields many records at a time and reads each table two
 * to four times. Throws `bad_input`, naming the row if there is one.
 */
async function* readTables(open: OpenTables, file: SourceFile, options: SourceOptions) {
  const { plans, notes, teams, failure } = await openPlans(open, file, options);
  if (failure !== undefined) throw failure;
  const [only, ...others] = plans;
  for (const note of notes) options.note(note);
  if (others.length === 0) {
    yield* readTable(only, options, { team: teams[0] });
    return;
  }

  const filter = createRepetitionFilter();
  for (const [at, plan] of plans.entries()) {
    const sheet = plan.table.sheet ?? '';
    for await (const records of readTable(plan, options, { sheet, team: teams[at] })) {
      yield records.filter((record) => filter.isNew(record, sheet));
    }
  }
  for (const note of filter.notes()) options.note(note);
}

/** The sheet of a table if several are read, and the team that it is named after. */
type SheetNames = { readonly sheet?: string | undefined; readonly team?: string | undefined };

function readerOf({ table, layout, matched }: Plan, options: SourceOptions, names: SheetNames) {
  const { sheet } = names;
  const file = sheet === undefined ? table.file : `${table.file}, ${displayText(sheet)}`;
  return createRecordReader({ ...table, file }, layout, matched, options, names);
}

async function* readTable(plan: Plan, options: SourceOptions, names: SheetNames) {
  const { table, layout, matched, recognized } = plan;
  const { sheet } = names;
  const [problem] = matched.problems;
  if (problem !== undefined) {
    const place = layout.header && placeOf(layout.header, sheet);
    // A list in rounds has no headings; its columns are named by their letters.
    const known = layout.names.filter((name) => /^[A-Z]{1,3}$/.test(name));
    const own = recognized?.kind === 'rounds' ? { ...layout, names: known } : layout;
    throw badSource(table.file, place, describeProblem(problem, own));
  }
  reportColumns(plan, options, sheet);
  const reader = readerOf(plan, options, names);
  const leftOut = createRowNotes();
  const equal = createEqualNotes();
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
        const item = reader.read(row);
        equal.add(item);
        records.push(item);
      }
    } finally {
      // Yield before an error too, so that the first bad row of the file is the one reported.
      yield records;
    }
  }
  const notes = [
    ...planNotes(plan),
    ...leftOut.messages('note:rows_left_out'),
    ...equal.messages(),
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

function describeColumns(plan: Plan, rows: readonly Row[]): PreviewColumn[] {
  const { layout } = plan;
  const fields = fieldsOf(plan);
  return layout.names.flatMap((name, index) => {
    if (index >= maxColumns && !fields.has(index)) return [];
    const samples = pickSamples(rows.map(({ cells }) => cells[index] ?? ''));
    if (name === '' && samples.length === 0 && !fields.has(index)) return [];
    const field = fields.get(index);
    const takenAs = field === undefined || field === 'number' ? null : field;
    return [{ name: nameOfColumn(layout, index), samples, takenAs }];
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
  names: SheetNames,
) {
  const { table, layout, matched } = plan;
  const problems: PreviewProblem[] = [...matched.problems];
  const reader = readerOf(plan, options, names);
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
  for (const note of inSheet(notes, names.sheet)) options.note(note);
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
  const { plans, sheets, notes, teams, failure: question } = await openPlans(open, file, options);
  for (const note of notes) options.note(note);
  const parts = [];
  for (const [at, plan] of plans.entries()) {
    const sheet = plans.length > 1 ? (plan.table.sheet ?? '') : undefined;
    parts.push(await previewTable(plan, options, maxRows, { sheet, team: teams[at] }));
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
  const failure = question ?? parts.find((part) => part.failure !== undefined)?.failure;
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
