import { ClubEventsError } from '../../../errors.ts';
import { orderOf } from '../csv/date.ts';
import { type Column, checkHeader, matchColumns } from '../csv/header.ts';
import { createRecordReader, type RecordReader } from '../csv/records.ts';
import { type Row, readRows } from '../csv/rows.ts';
import { findText } from '../csv/text.ts';
import { emptyFile } from '../csv.ts';
import type { SourceFile, SourceItem, SourceOptions } from '../source.ts';
import {
  dependOnZone,
  type FormatPreview,
  type Head,
  type PreviewColumn,
  type PreviewProblem,
  pickSamples,
  previewRows,
  shorten,
  takeFirst,
} from './report.ts';

/** Maximum number of columns shown, besides imported ones; nobody looks through more. */
const maxColumns = 300;

function describeColumns(
  header: Row,
  rows: readonly Row[],
  columns: readonly Column[],
): PreviewColumn[] {
  const kinds = new Map(columns.map(({ index, kind }) => [index, kind]));
  return header.cells.flatMap((name, index) => {
    if (index >= maxColumns && !kinds.has(index)) return [];
    const samples = pickSamples(rows.map(({ cells }) => cells[index] ?? ''));
    return [{ name, samples, takenAs: kinds.get(index) ?? null }];
  });
}

/** Infers the order of day and month where it is unknown; reads no further than needed. */
async function decideDates(
  { dates }: RecordReader,
  row: Row,
  problems: PreviewProblem[],
): Promise<void> {
  for (const date of dates) {
    const { kind, index } = date.column;
    if (problems.some((one) => one.kind === 'dateOrder' && one.field === kind)) continue;
    if (!date.isUndecided(row)) continue;
    await date.decide('first row');
    if (date.order() !== undefined) continue;
    const cell = shorten(row.cells[index] ?? '');
    problems.push({ kind: 'dateOrder', field: kind, place: `row ${row.row}`, cell });
  }
}

/** Reads a row; dates whose order is unknown stay as written. */
function readRow(reader: RecordReader, row: Row): SourceItem {
  const record = reader.read(row);
  if ('problem' in record) return record;
  const open = reader.dates.filter((date) => date.isUndecided(row));
  const cells = open.map(({ column }) => [column.kind, row.cells[column.index]] as const);
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
    if (!(error instanceof ClubEventsError)) throw error;
    return { items, failure: error };
  }
}

/**
 * Previews the first rows of a CSV file. The whole file is surveyed for its encoding, but read
 * beyond those rows only to infer the order of day and month.
 */
export async function previewCsv(
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  const text = await findText(file, options);
  const { items, failure } = await takeFirst(readRows(text), maxRows + 1);
  const [header, ...rows] = items;
  if (header === undefined) throw emptyFile(file.name);
  checkHeader(file.name, header);
  const matched = matchColumns(header.cells, options.map);
  const problems: PreviewProblem[] = [...matched.problems];
  const reader = createRecordReader(text, matched.columns, header.cells.length, options);
  const records = await readRecords(reader, rows, problems);
  const { timeZone } = options;
  const cells = reader.dates.flatMap(({ column }) => rows.map((row) => row.cells[column.index]));
  return {
    columns: describeColumns(header, rows, matched.columns),
    problems,
    dates: {
      haveSlashes: cells.some((cell) => orderOf(cell ?? '') !== undefined),
      order: reader.dates.map((date) => date.order()).find((order) => order !== undefined) ?? null,
      areLocal: dependOnZone(records.items, timeZone),
    },
    rows: previewRows(records.items, timeZone, problems),
    failure: (records.failure ?? failure)?.inWindow ?? null,
  };
}
