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
  type FieldMap,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type TableField,
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
import { divideTable } from './divide.ts';
import { rolesOf } from './field-names.ts';
import { distinctCells, findLayout, type TableLayout } from './header.ts';
import { findRounds, joinDateColumns, type RecognizedLayout } from './layouts.ts';
import { createRecordReader, type RecordReader } from './records.ts';
import { createLeftOutNotes, createRowNotes, displayTexts, isRemark, rangesOf } from './remarks.ts';
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
  /** The text above a table that stands beside others, if each of them has one. */
  readonly title?: string | undefined;
  /** The layout that was rewritten as the table, if it was not an ordinary one. */
  readonly recognized?: RecognizedLayout | undefined;
  /** The choices for this table: those of the file without columns that only other tables have. */
  readonly map: FieldMap;
};

/** Plans a sheet: as one table, unless its layout is one that only clubs have, or as several. */
async function planSheet(original: Table, options: SourceOptions): Promise<readonly Plan[]> {
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
  if (planner !== undefined) return [await planAs(planner)];
  const parts = isOpen && isWhole ? divideTable(original, items) : [];
  if (parts.length > 0) {
    const values = { count: parts.length, cells: parts.map(({ start }) => start) };
    const notes = [message('note:tables_divided', values)];
    const plans = await planTogether(parts, options, async ({ table, title }, own) => {
      const rows = await takeFirst(table.rows(), headRows);
      const recognized = { kind: 'tables', table, notes } as const;
      return { ...(await planOrdinary(table, rows, own)), recognized, title };
    });
    const areTables = plans.every((plan) => plan.matched.problems.length === 0 && hasEvents(plan));
    const areTeams = plans.every(({ title }) => title !== undefined) && teamsOf(plans).length > 0;
    if (areTables && (areTeams || parts.every(({ isSection }) => !isSection))) return plans;
  }
  const found = isOpen ? joinDateColumns(original, items, options.map) : undefined;
  if (found !== undefined) return [await planAs(found)];
  const plan = await planOrdinary(original, head, options);
  const isMissing = plan.matched.problems.some(({ kind }) => kind === 'missing');
  const isNamed = new Set(plan.layout.names.flatMap((name) => rolesOf(name)[0] ?? [])).size > 1;
  if (!isOpen || !isWhole || (isNamed && !isMissing)) return [plan];
  const rounds = findRounds(original, items, options.map);
  return [rounds === undefined ? plan : await planAs(rounds)];
}

/**
 * Plans tables that are read in one pass. A column that the user chose for a field may be missing in
 * some of them, whose own column it is then.
 */
async function planTogether<Table, P extends Plan | readonly Plan[]>(
  tables: readonly Table[],
  options: SourceOptions,
  planOf: (table: Table, options: SourceOptions) => Promise<P>,
): Promise<readonly P[]> {
  const unknownIn = (planned: P) =>
    [planned]
      .flat()
      .flatMap(({ matched }: Plan) =>
        matched.problems.flatMap((one) => (one.kind === 'unknown' ? one.field : [])),
      );
  const plans: P[] = [];
  for (const table of tables) plans.push(await planOf(table, options));
  const isNowhere = (field: TableField) => plans.every((plan) => unknownIn(plan).includes(field));
  const again = plans.map(async (plan, at) => {
    const elsewhere = unknownIn(plan).filter((field) => !isNowhere(field));
    const table = tables[at];
    if (elsewhere.length === 0 || table === undefined) return plan;
    const entries = Object.entries(options.map);
    const own = entries.filter(([field]) => !elsewhere.some((one) => one === field));
    return planOf(table, { ...options, map: Object.fromEntries(own) });
  });
  return Promise.all(again);
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
  const { map } = options;
  return { table, layout, matched: matchColumns(layout, map), failure, isWhole, map };
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
  /** The sheets with events under other headings, which are not read. */
  readonly otherSheets: readonly string[];
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

/** Returns the headings of a sheet in alphabetical order; sheets with the same ones are one season. */
function headingsOf(plans: readonly Plan[]): string {
  const all = plans.map(({ layout: { header, names } }) => {
    const own = names.filter((name) => name !== '').map((name) => name.toLowerCase());
    return header === undefined ? '' : own.sort().join('\n');
  });
  return all.join('\n');
}

/** Plans another sheet than the one that is read; a damaged one has no events. */
async function planOther(table: Table, options: SourceOptions): Promise<(readonly Plan[])[]> {
  try {
    const plans = await planSheet(table, options);
    return plans.every(hasEvents) ? [plans] : [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [];
  }
}

/** Returns the first sheet whose columns are complete, else the first with content. */
async function planFirst(
  tables: readonly Table[],
  options: SourceOptions,
): Promise<readonly Plan[] | undefined> {
  let first: readonly Plan[] | undefined;
  for (const table of tables) {
    const plans = await planSheet(table, options);
    const isEmpty = plans.every(
      ({ layout }) => layout.header === undefined && layout.data.length === 0,
    );
    if (isEmpty) continue;
    first ??= plans;
    const isMissing = plans.some((one) => one.matched.problems.some((p) => p.kind === 'missing'));
    if (!isMissing) return plans;
  }
  return first;
}

/** Returns the sheets that are read, and those with events under other headings. */
async function chooseSheets(tables: readonly Table[], options: SourceOptions) {
  if (options.sheet !== undefined) {
    return { read: await planTogether(tables, options, planSheet), different: [] };
  }
  const first = await planFirst(tables, options);
  if (first === undefined) return { read: [], different: [] };
  const rest = tables.slice(tables.findIndex(({ sheet }) => sheet === first[0]?.table.sheet) + 1);
  const others: (readonly Plan[])[] = [];
  for (const table of rest.slice(0, maxSheets)) others.push(...(await planOther(table, options)));
  const headings = headingsOf(first);
  const isAlike = (plans: readonly Plan[]) => headings !== '' && headingsOf(plans) === headings;
  return {
    read: [first, ...others.filter(isAlike)],
    different: others.filter((plans) => !isAlike(plans)),
  };
}

/**
 * Opens a file and chooses its tables: the sheets that the user named, else the first with events
 * and all that have the same headings.
 */
async function openPlans(
  open: OpenTables,
  file: SourceFile,
  options: SourceOptions,
): Promise<Plans> {
  const all = await open(file, options);
  const visible = all.filter(({ isHidden }) => !isHidden);
  const chosen = options.sheet?.map((name) => requireSheet(file.name, all, name));
  const tables = chosen === undefined ? visible : [...new Set(chosen)];
  const { read, different } = await chooseSheets(tables, options);
  const [first, ...others] = read.flat();
  if (first === undefined) throw emptyFile(file.name);
  checkLayout(file.name, first.layout);
  const sheets = read.flatMap((plans) => plans[0]?.table ?? []);
  const names = sheets.flatMap(({ sheet }) => sheet ?? []);
  const unread = visible.filter(({ sheet }) => !sheets.some((one) => one.sheet === sheet));
  const hidden = chosen === undefined ? all.filter(({ isHidden }) => isHidden) : [];
  const values = { count: read.length, read: displaySheets(sheets), unread: displaySheets(unread) };
  const copies = chosen === undefined && names.length > 1 ? findCopies(names) : [];
  const areSheets = visible.length > 1 && read.every(({ length }) => length === 1);
  const areTitled = read.flat().every(({ title }) => title !== undefined);
  const teams = areSheets || areTitled ? teamsOf(read.flat()) : [];
  const otherSheets = different.flatMap((plans) => plans[0]?.table.sheet ?? []);
  const notes = [
    ...(read.length > 1 && chosen === undefined ? [message('note:sheets_read', values)] : []),
    ...(unread.length > 0 ? [message('note:sheets_unread', values)] : []),
    ...otherSheets.map((sheet) =>
      message('note:sheet_has_events', {
        sheet: displayText(sheet),
        sheets: [...names, sheet].map(displayValue),
      }),
    ),
    ...(hidden.length > 0
      ? [message('note:hidden_sheets', { sheets: displaySheets(hidden) })]
      : []),
    ...(teams.length > 0
      ? [
          areTitled
            ? message('note:teams_of_tables', { titles: teams.map(displayValue) })
            : message('note:teams_of_sheets', { sheets: teams.map(displayValue) }),
        ]
      : []),
  ];
  const question = message('reason:sheets_alike', {
    sheets: copies.map(displayValue),
    read: displaySheets(sheets),
  });
  return {
    plans: [first, ...others],
    sheets: visible.flatMap(({ sheet }) => sheet ?? []),
    otherSheets,
    notes,
    teams,
    failure: copies.length > 0 ? badSource(file.name, undefined, question) : undefined,
  };
}

/** Returns the titles of tables or the names of sheets, if they are teams whose events would have the same names. */
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
  const titles = plans.flatMap(({ title }) => title ?? []);
  const sheets = plans.flatMap(({ table }) => table.sheet ?? []);
  if (!areOpponents && !areRepeated) return [];
  // Another title above a table, such as "Cup", is no team.
  return titles.length > 0 ? findTeams(titles, false) : findTeams(sheets, areOpponents);
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
  if (plan.recognized?.kind === 'planner' || plan.recognized?.kind === 'rounds') return [];
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

/** Returns the messages about the rows above a table, but for that of its team, and about its columns. */
function planNotes({ layout, matched, recognized }: Plan, team: string | undefined): Message[] {
  const above = createRowNotes();
  const isTeam = (row: Row) => team !== undefined && distinctCells(row).join() === team;
  for (const row of layout.titles) if (!isTeam(row)) above.add(row);
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

/** Collects the rows whose events are equal to one above; each is an event of its own. */
function createEqualNotes() {
  const known = new Set<string>();
  const found = { 'note:rows_equal': [] as number[], 'note:rows_alike': [] as number[] };
  // The texts of all rows would take as much memory as the file.
  const keyOf = (value: unknown) => hash('sha1', JSON.stringify(value), 'base64url');
  return {
    add(item: SourceItem, { cells }: Row): void {
      if ('problem' in item || item.row === undefined || known.size >= maxCompared * 2) return;
      const [event, whole] = [keyOf([item.values, item.number]), keyOf(cells.slice(0, maxColumns))];
      if (known.has(event))
        found[known.has(whole) ? 'note:rows_equal' : 'note:rows_alike'].push(item.row);
      known.add(event).add(whole);
    },
    messages: () =>
      (['note:rows_equal', 'note:rows_alike'] as const).flatMap((key) => {
        const values = { count: found[key].length, rows: rangesOf(found[key]) };
        return values.count > 0 ? [message(key, values)] : [];
      }),
  };
}

/**
 * Reads the records of the tables of a file. Yields many records at a time and reads each table two
 * to four times. Throws `bad_input`, naming the row if there is one.
 */
async function* readTables(open: OpenTables, file: SourceFile, options: SourceOptions) {
  const { plans, notes, teams, failure } = await openPlans(open, file, options);
  if (failure !== undefined) throw failure;
  const tell = onceEach(options);
  for (const note of notes) tell.note(note);
  const filter = createRepetitionFilter();
  for (const [at, plan] of plans.entries()) {
    const sheet = sheetOf(plan, plans);
    for await (const records of readTable(plan, tell, { sheet, team: teams[at] })) {
      yield plans.length === 1
        ? records
        : records.filter((record) => filter.isNew(record, sheet ?? ''));
    }
  }
  for (const note of filter.notes()) tell.note(note);
}

/** Returns the sheet of a table, if several are read. */
function sheetOf({ table }: Plan, plans: readonly Plan[]): string | undefined {
  const sheets = new Set(plans.map((plan) => plan.table.sheet));
  return sheets.size > 1 ? (table.sheet ?? '') : undefined;
}

/** Returns the options of a file with functions that pass on a message or columns only once. */
function onceEach(options: SourceOptions): SourceOptions {
  const isNew = createFilter();
  return {
    ...options,
    note: (note) => isNew(note) && options.note(note),
    taken: (columns) => isNew(columns) && options.taken?.(columns),
  };
}

/** Returns a function that is true for the first of equal values. */
function createFilter(): (value: unknown) => boolean {
  const known = new Set<string>();
  return (value) => {
    const text = JSON.stringify(value);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  };
}

/** The sheet of a table if several are read, and the team that it is named after. */
type SheetNames = { readonly sheet?: string | undefined; readonly team?: string | undefined };

function readerOf(
  { table, layout, matched, map }: Plan,
  options: SourceOptions,
  names: SheetNames,
) {
  const { sheet } = names;
  const file = sheet === undefined ? table.file : `${table.file}, ${displayText(sheet)}`;
  return createRecordReader({ ...table, file }, layout, matched, { ...options, map }, names);
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
  const leftOut = createLeftOutNotes();
  const equal = createEqualNotes();
  // The events of a planner are in the order of their dates.
  const firstRow = Math.min(...layout.data.map(({ row }) => row));
  for await (const rows of table.rows()) {
    const records: SourceItem[] = [];
    try {
      for (const original of rows) {
        if (original.row < firstRow) continue;
        const row = reader.prepare(original);
        const lacking = row.problem === undefined ? reader.findLeftOut(row) : undefined;
        if (lacking !== undefined) {
          leftOut.add(row, lacking);
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
        equal.add(item, row);
        records.push(item);
      }
    } finally {
      // Yield before an error too, so that the first bad row of the file is the one reported.
      yield records;
    }
  }
  const notes = [
    ...planNotes(plan, names.team),
    ...leftOut.messages(),
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
  const leftOut = createLeftOutNotes();
  const events = layout.data.map(reader.prepare).filter((row) => {
    const lacking = row.problem === undefined ? reader.findLeftOut(row) : undefined;
    if (lacking !== undefined) leftOut.add(row, lacking);
    return lacking === undefined;
  });
  const rows = events.slice(0, maxRows);
  const records = await readRecords(reader, rows, problems);
  // An error behind the shown rows does not hide them.
  const failure = records.failure ?? (events.length < maxRows ? plan.failure : undefined);
  const cells = reader.dates.flatMap((date) => rows.map((row) => date.cell(row)));
  const notes = [
    ...planNotes(plan, names.team),
    ...leftOut.messages(),
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
  const { plans, notes, teams, ...found } = await openPlans(open, file, options);
  const tell = onceEach(options);
  for (const note of notes) tell.note(note);
  const parts = [];
  for (const [at, plan] of plans.entries()) {
    const names = { sheet: sheetOf(plan, plans), team: teams[at] };
    parts.push(await previewTable(plan, tell, maxRows, names));
  }
  const { timeZone } = options;
  const [first] = plans;
  const items = parts.flatMap((part) => part.items).slice(0, maxRows);
  const isFirst = createFilter();
  const all = parts.flatMap((part) => part.problems);
  const problems = all.filter(({ kind, field }) => isFirst([kind, field]));
  const counts = parts.map(({ count }) => count);
  const failure = found.failure ?? parts.find((part) => part.failure !== undefined)?.failure;
  return {
    titles: listTitles(first.layout),
    table: {
      sheets: found.sheets,
      sheet: first.table.sheet,
      readSheets: [...new Set(plans.flatMap(({ table }) => table.sheet ?? []))],
      otherSheets: found.otherSheets,
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
