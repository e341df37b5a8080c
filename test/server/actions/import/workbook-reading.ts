import type { SourceFile, SourceOptions } from '../../../../server/actions/import/source.ts';
import type { Row, Table } from '../../../../server/actions/import/table/table.ts';
import { openWorkbook } from '../../../../server/actions/import/workbook/reader.ts';
import { Problem } from '../../../../server/errors.ts';
import { wordForCommandLine } from '../../../../server/messages/messages.ts';
import { worded } from '../../../support/words.ts';

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

/** Opens the tables of a workbook. */
export function openTables(bytes: Uint8Array, sheet?: string): Promise<readonly Table[]> {
  return openWorkbook(sourceOf(bytes), { ...options, sheet });
}

export async function readRows(table: Table): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of table.rows()) rows.push(...some);
  return rows;
}

/** Reads the cells of the first sheet, or of the one named. */
export async function readCells(bytes: Uint8Array, sheet?: string): Promise<(readonly string[])[]> {
  const [table] = await openTables(bytes, sheet);
  return table === undefined ? [] : (await readRows(table)).map(({ cells }) => cells);
}

/** Reads the first sheet and returns its notes in words. */
export async function readNotes(bytes: Uint8Array, sheet?: string): Promise<string[]> {
  const [table] = await openTables(bytes, sheet);
  if (table === undefined) return [];
  await readRows(table);
  return table.notes().map(wordForCommandLine);
}

/** Returns the sentence with which a workbook is refused; rethrows any other error. */
export async function readRefusal(bytes: Uint8Array, sheet?: string): Promise<string> {
  const error = await readCells(bytes, sheet).then(
    (rows) => new Error(`${rows.length} rows were read`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  return (worded(error) as Error).message;
}
