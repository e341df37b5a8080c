import { type Message, message } from '../../messages/message.ts';
import { badSource, type SourceFile } from '../source.ts';
import type { OpenTables } from '../table/table.ts';
import { createTableReader } from '../table/table-reader.ts';
import { readWhole } from './archive.ts';
import { identify } from './kind.ts';
import { openOds } from './ods.ts';
import type { Sheet } from './workbook.ts';
import { openXlsx } from './xlsx.ts';

/** Returns what a document is that is named like a text file, and what to do. */
export async function describeDocument(file: SourceFile): Promise<Message> {
  const kind = await identify(await readWhole(file), file.name);
  if (kind.format === undefined) return message(kind.reason);
  return message('reason:file_is_workbook', { ending: `.${kind.format}`, format: kind.format });
}

async function openSheets(file: SourceFile): Promise<Sheet[]> {
  const kind = await identify(await readWhole(file), file.name);
  switch (kind.format) {
    case 'xlsx':
      return openXlsx(kind.archive, kind.path, file.name);
    case 'ods':
      return openOds(kind.archive, file.name);
    case undefined:
      throw badSource(file.name, undefined, message(kind.reason));
  }
}

/** Opens the sheets of an .xlsx or .ods file. Throws `bad_input` if it is of another kind. */
export const openWorkbook: OpenTables = async (file) => {
  const sheets = await openSheets(file);
  return sheets.map(({ name, isHidden, rows, notes }) => ({
    file: file.name,
    sheet: name,
    isHidden,
    rows,
    notes,
  }));
};

export const reader = createTableReader(openWorkbook);
