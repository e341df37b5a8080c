import { displayText, type Message, message } from '../../messages/message.ts';
import { repairText } from '../encoding.ts';
import type { OpenTables, Row } from '../table/table.ts';
import { createTableReader } from '../table/table-reader.ts';
import { findText, readRows } from './parser.ts';

/** Returns true for the line below the headings of a table in Markdown: "|---|:-:|". */
const isRule = ({ cells }: Row) =>
  cells.length > 1 && cells.every((cell) => /^ *(?::?-+:?)? *$/.test(cell));

/** Opens a CSV file (RFC 4180, or as spreadsheets write it) in any usual encoding. */
const openCsv: OpenTables = async (file, options) => {
  const text = await findText(file, options);
  let repaired: Message | undefined;
  const repair = (cell: string) => {
    const result = repairText(cell);
    if (result !== cell) {
      const shown = { text: displayText(cell), result: displayText(result) };
      repaired ??= message('note:text_repaired', shown);
    }
    // The mark of MySQL for no value.
    return result === '\\N' ? '' : result;
  };
  async function* rows(): AsyncGenerator<readonly Row[]> {
    let isExport: boolean | undefined;
    for await (const some of readRows(text)) {
      // An export of this program is restored exactly.
      isExport ??= some[0]?.cells.includes('createdAt');
      yield isExport
        ? some
        : some
            .filter((row) => !isRule(row))
            .map((row) => ({ ...row, cells: row.cells.map(repair) }));
    }
  }
  const notes = () => (repaired ? [repaired] : []);
  return [{ file: file.name, sheet: null, isHidden: false, rows, notes }];
};

export const reader = createTableReader(openCsv);
