import type { CsvSeparator } from '../../actions/export/csv.ts';
import type { Formats } from '../time/format.ts';

/** Returns the separator that spreadsheet programs expect in the language of the page. */
export function chooseSeparator(formats: Formats): CsvSeparator {
  return formats.number(1.5).includes(',') ? ';' : ',';
}
