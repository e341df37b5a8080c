import { type Message, type MessageValue, message } from '../../../messages/message.ts';
import { badSource, displayValue, type SourceFile } from '../source.ts';
import { createTableReader } from '../table/reader.ts';
import type { OpenTables, Table } from '../table/table.ts';
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

/** Maximum number of sheets in a message. */
const maxNames = 20;

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

/** Returns a sheet by its name, also if capitals or blanks differ. */
function findSheet(sheets: readonly Sheet[], name: string): Sheet | undefined {
  const plain = (text: string) => text.trim().toLowerCase();
  return (
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => plain(sheet.name) === plain(name))
  );
}

function listNames(sheets: readonly Sheet[]): MessageValue[] {
  const names = sheets.slice(0, maxNames).map(({ name }) => displayValue(name));
  return sheets.length > maxNames ? [...names, '…'] : names;
}

/**
 * Opens the sheets of an .xlsx or .ods file that are not hidden, or only the one that the user chose.
 * Throws `bad_input` if there is no such sheet or the file is of another kind.
 */
export const openWorkbook: OpenTables = async (file, { sheet: name }) => {
  const sheets = await openSheets(file);
  const hidden = sheets.filter(({ isHidden }) => isHidden);
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const toTable = (sheet: Sheet): Table => ({
    file: file.name,
    sheet: sheet.name,
    rows: () => sheet.rows(),
    notes: () => [
      ...sheet.notes(),
      ...(name === undefined && hidden.length > 0
        ? [message('note:hidden_sheets', { sheets: listNames(hidden) })]
        : []),
    ],
  });
  if (name === undefined) return visible.map(toTable);
  const chosen = findSheet(sheets, name);
  if (chosen !== undefined) return [toTable(chosen)];
  const values = { sheet: displayValue(name), sheets: listNames(visible) };
  throw badSource(file.name, undefined, message('reason:sheet_missing', values));
};

export const reader = createTableReader(openWorkbook);
