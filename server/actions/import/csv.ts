import { requireColumns } from './csv/header.ts';
import { createRecordReader, type RecordReader } from './csv/records.ts';
import { readRows } from './csv/rows.ts';
import { findText } from './csv/text.ts';
import { badSource, type ReadSource, type SourceItem } from './source.ts';

export function emptyFile(file: string): Error {
  return badSource(file, undefined, 'the file is empty; its first row has to name the columns');
}

/**
 * Reads a CSV file (RFC 4180, or as spreadsheets write it) in UTF-8, UTF-16 or a single-byte
 * encoding. The first row is the header. Yields many records at a time and opens the file two to
 * five times. Throws `bad_input`, naming the row if there is one.
 */
export const readCsv: ReadSource = async function* readCsv(file, options) {
  const text = await findText(file, options);
  let reader: RecordReader | undefined;
  for await (const rows of readRows(text)) {
    const records: SourceItem[] = [];
    try {
      for (const row of rows) {
        if (reader === undefined) {
          const columns = requireColumns(file.name, row, options);
          reader = createRecordReader(text, columns, row.cells.length, options);
          continue;
        }
        const bad = reader.check(row);
        if (bad !== undefined) {
          records.push(bad);
          continue;
        }
        for (const date of reader.dates) if (date.isUndecided(row)) await date.require();
        records.push(reader.read(row));
      }
    } finally {
      // Yield before an error too, so that the first bad row of the file is the one reported.
      yield records;
    }
  }
  if (reader === undefined) throw emptyFile(file.name);
};
