import { parsePlainWords } from '../../../dates/line/plain-words.ts';
import type { DaysOff } from '../../base/days-off.ts';
import type { useLineContext } from './line-context.ts';
import { emptyValues, endLineOf, readForm, valuesOfLine } from './values.ts';

type LineContext = ReturnType<typeof useLineContext>;
type EndLine = Parameters<typeof endLineOf>[1];

/** The context in which lines of plain words are read. */
export type LineReading = {
  readonly context: LineContext;
  readonly endLine: EndLine;
  readonly daysOff: Pick<DaysOff, 'namesOn'>;
};

const linesOf = (text: string) => text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');

/** Returns true for the rows of a table; commas and semicolons stand in sentences as well. */
function areRows(lines: readonly string[]): boolean {
  const countOf = (line: string, separator: string) => line.trim().split(separator).length - 1;
  const [first = ''] = lines;
  // A cell of several lines has no tabs in some of them.
  if (lines.filter((line) => countOf(line, '\t') > 0).length * 3 >= lines.length) return true;
  return [';', '|', ','].some((separator) => {
    const count = countOf(first, separator);
    const isEven = lines.every((line) => countOf(line, separator) === count);
    return isEven && (separator === ',' ? count > 1 && !/\d/.test(first) : count > 0);
  });
}

const columns = ['name', 'date', 'time', 'location', 'description', 'eventType', 'status'] as const;

/** Returns the events of a line of plain words as rows; a line that is not understood is a name. */
function rowsOf(line: string, { context, endLine, daysOff }: LineReading) {
  const words = parsePlainWords(line, context);
  if (words.day === undefined) return [{ ...emptyValues, name: line.trim() }];
  const { values, errors, series } = readForm(
    { ...emptyValues, ...valuesOfLine(words) },
    context,
    daysOff,
  );
  const isRead = Object.keys(errors).every((field) => field === 'name');
  const note = isRead ? endLineOf(values, endLine) : line.trim();
  return (series?.days ?? [values.date]).map((date) => ({ ...values, date, description: note }));
}

/**
 * Returns a pasted table, or lines of plain words as a table; undefined for a text that is neither. Two
 * lines need a date, as a single event may be copied from several lines.
 */
export function tableOfText(text: string, reading: LineReading): string | undefined {
  const lines = linesOf(text);
  if (lines.length > 0 && areRows(lines)) return text;
  const days = lines.filter((line) => parsePlainWords(line, reading.context).day !== undefined);
  if (days.length < 2) return undefined;
  const rows = lines.flatMap((line) => rowsOf(line, reading));
  const cells = rows.map((values) => columns.map((column) => values[column]));
  return [columns, ...cells]
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\n');
}
