import type { CsvSeparator } from '../../actions/export/csv.ts';
import type { Formats } from '../time/format.ts';

/** What spreadsheet programs of this language expect between cells. */
export function chooseSeparator(formats: Formats): CsvSeparator {
  return formats.number(1.5).includes(',') ? ';' : ',';
}
