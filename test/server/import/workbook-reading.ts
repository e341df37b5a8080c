import { Problem } from '../../../server/base/errors.ts';
import type { SourceFile, SourceOptions } from '../../../server/import/source.ts';
import type { Row, Table } from '../../../server/import/table/table.ts';
import { openWorkbook, reader } from '../../../server/import/workbook/reader.ts';
import type { Message } from '../../../server/messages/message.ts';
import { wordForCommandLine } from '../../../server/messages/messages.ts';
import { worded } from '../../support/words.ts';

export const options: SourceOptions = {
  map: {},
  timeZone: 'UTC',
  now: new Date('2026-06-01T00:00:00.000Z'),
  ignore: () => undefined,
  note: () => undefined,
};

export function sourceOf(bytes: Uint8Array, name = 'season.xlsx'): SourceFile {
  return {
    name,
    async *open() {
      yield bytes;
    },
  };
}

/** Opens the visible sheets of a workbook. */
export async function openTables(bytes: Uint8Array): Promise<readonly Table[]> {
  const tables = await openWorkbook(sourceOf(bytes), options);
  return tables.filter(({ isHidden }) => !isHidden);
}

export async function readRows(table: Table): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of table.rows()) rows.push(...some);
  return rows;
}

/** Reads the cells of the first visible sheet. */
export async function readCells(bytes: Uint8Array): Promise<(readonly string[])[]> {
  const [table] = await openTables(bytes);
  return table === undefined ? [] : (await readRows(table)).map(({ cells }) => cells);
}

/** Reads the first visible sheet and returns its notes in words. */
export async function readNotes(bytes: Uint8Array): Promise<string[]> {
  const [table] = await openTables(bytes);
  if (table === undefined) return [];
  await readRows(table);
  return table.notes().map(wordForCommandLine);
}

/** Returns the sentence with which a workbook is refused; rethrows any other error. */
export async function readRefusal(bytes: Uint8Array): Promise<string> {
  return refusalOf(readCells(bytes));
}

async function refusalOf(reading: Promise<readonly unknown[]>): Promise<string> {
  const error = await reading.then(
    (rows) => new Error(`${rows.length} rows were read`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  return (worded(error) as Error).message;
}

/** Returns the samples of the columns of the sheet that the preview chooses, and its notes. */
export async function previewSheet(bytes: Uint8Array, ...sheets: readonly string[]) {
  const notes: string[] = [];
  const note = (message: Message) => void notes.push(wordForCommandLine(message));
  const sheet = sheets.length > 0 ? sheets : undefined;
  const { table, columns } = await reader.preview(sourceOf(bytes), { ...options, sheet, note }, 10);
  return {
    sheet: table?.sheet,
    sheets: table?.sheets,
    columns: columns.map(({ name }) => name),
    notes,
  };
}

/** Returns the sentence with which the choice of a sheet is refused. */
export function sheetRefusal(bytes: Uint8Array, sheet: string): Promise<string> {
  return refusalOf(previewSheet(bytes, sheet).then(({ columns }) => columns));
}
