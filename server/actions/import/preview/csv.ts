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

/** How many columns are shown, beside those that are taken: more than a person looks through. */
const mostColumns = 300;

function describeColumns(
  header: Row,
  rows: readonly Row[],
  columns: readonly Column[],
): PreviewColumn[] {
  const kinds = new Map(columns.map(({ index, kind }) => [index, kind]));
  return header.cells.flatMap((name, index) => {
    if (index >= mostColumns && !kinds.has(index)) return [];
    const samples = pickSamples(rows.map(({ cells }) => cells[index] ?? ''));
    return [{ name, samples, takenAs: kinds.get(index) ?? null }];
  });
}

/** Decides on the order of days and months, by as much of the file as it takes. */
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

/** The record of a row, with those dates as they are written whose order is open. */
function readRow(reader: RecordReader, row: Row): SourceItem {
  const record = reader.read(row);
  if ('problem' in record) return record;
  const open = reader.dates.filter((date) => date.isUndecided(row));
  const cells = open.map(({ column }) => [column.kind, row.cells[column.index]] as const);
  return { ...record, values: { ...record.values, ...Object.fromEntries(cells) } };
}

/** Reads rows until the file is refused. */
async function readRecords(
  reader: RecordReader,
  rows: readonly Row[],
  problems: PreviewProblem[],
): Promise<Head<SourceItem>> {
  const taken: SourceItem[] = [];
  try {
    for (const row of rows) {
      const bad = reader.check(row);
      if (bad === undefined) await decideDates(reader, row, problems);
      taken.push(bad ?? readRow(reader, row));
    }
    return { taken, failure: undefined };
  } catch (error) {
    if (!(error instanceof ClubEventsError)) throw error;
    return { taken, failure: error };
  }
}

/**
 * What the first rows of a CSV file would become. It is surveyed whole, for its encoding, and read
 * further than those rows only to find a date that tells the order of day and month.
 */
export async function previewCsv(
  file: SourceFile,
  options: SourceOptions,
  mostRows: number,
): Promise<FormatPreview> {
  const text = await findText(file, options);
  const { taken, failure } = await takeFirst(readRows(text), mostRows + 1);
  const [header, ...rows] = taken;
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
      areLocal: dependOnZone(records.taken, timeZone),
    },
    rows: previewRows(records.taken, timeZone, problems),
    failure: (records.failure ?? failure)?.inWindow ?? null,
  };
}
