import type { OpenTables } from '../table/table.ts';
import { createTableReader } from '../table/table-reader.ts';
import { findText, readRows } from './parser.ts';

/** Opens a CSV file (RFC 4180, or as spreadsheets write it) in any usual encoding. */
const openCsv: OpenTables = async (file, options) => {
  const text = await findText(file, options);
  return [
    { file: file.name, sheet: null, isHidden: false, rows: () => readRows(text), notes: () => [] },
  ];
};

export const reader = createTableReader(openCsv);
