import { makeXlsx, rowsXml, type TestCell } from '../../../support/workbook.ts';

/** Matches a day, a time or a number before its number format. */
const formatted = /^(?:(\d{4}-\d\d-\d\d)? ?(?:(\d\d):(\d\d))?|(\d+))#(.+)$/;

/** Returns the number with which a workbook stores a day and a time. */
function serialOf(day: string | undefined, hours: string, minutes: string): number {
  const days = day === undefined ? 0 : Date.parse(day) / 86_400_000 + 25_569;
  return days + (Number(hours) * 60 + Number(minutes)) / 1440;
}

/** Makes a workbook of sheets with rows of cells between "|"; see `ClubFile`. */
export function makeWorkbook(
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
  merged: readonly string[] = [],
): Buffer {
  const formats: string[] = [];
  const cellOf = (text: string): TestCell => {
    if (text === '') return { xml: '<c/>' };
    const [, day, hours = '0', minutes = '0', number, format] = formatted.exec(text) ?? [];
    if (format === undefined) return text;
    if (!formats.includes(format)) formats.push(format);
    const value = number === undefined ? serialOf(day, hours, minutes) : Number(number);
    return { xml: `<c s="${2 + formats.indexOf(format)}"><v>${value}</v></c>` };
  };
  const [[name, rows] = ['', ''], ...others] = Object.entries(sheets).map(
    ([sheet, cells]) => [sheet, rowsXml(cells.map((row) => row.map(cellOf)))] as const,
  );
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  const after = ranges && `<mergeCells>${ranges}</mergeCells>`;
  return makeXlsx(rows, { name, more: Object.fromEntries(others), formats, after });
}
