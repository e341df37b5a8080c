import type { ImportRequest } from '../../../../server/import/import.ts';
import { type Expected, judge, type Verdict } from './verdict.ts';
import { makeWorkbook } from './workbook-file.ts';

/**
 * A file as a club has it, and what a careful person would store from it.
 *
 * A line of `events` is `2027-03-13 15:00-17:00 | Name | Place | cancelled | "text of the note"`: a day, or a
 * local time of the club, and the end after "-" or, on another day, after ">". Between "~" are names or places that
 * are equally right, and "?" is any place. Without a place, the event must have none.
 */
export type ClubFile = Readonly<{
  id: string;
  events: string;
  /** Options that a sensible secretary would give. */
  options?: Partial<ImportRequest>;
  /** Matches a printed line that suffices, if the events are others than expected. */
  told?: RegExp;
}> &
  (
    | Readonly<{ text: string; as?: 'csv' | 'ics' | 'txt' }>
    /**
     * Rows of cells between "|". A value with a number format is `2027-03-13#dd.mm.`, `18:30#hh:mm`,
     * `2027-03-13 18:30#dd.mm.yyyy hh:mm` or `5#0`.
     */
    | Readonly<{ sheets: Readonly<Record<string, string>>; merged?: readonly string[] }>
  );

/** Returns the lines of a text without their common indentation and without the first line break. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\n/, '').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent));
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());

function contentOf(file: ClubFile): readonly [name: string, content: string | Uint8Array] {
  if ('text' in file) {
    const { text, as = 'csv' } = file;
    return [`${file.id}.${as}`, linesOf(text).join(as === 'ics' ? '\r\n' : '\n')];
  }
  const sheets = Object.entries(file.sheets).map(
    ([name, rows]) => [name, linesOf(rows).map(cellsOf)] as const,
  );
  return [`${file.id}.xlsx`, makeWorkbook(Object.fromEntries(sheets), file.merged)];
}

const when = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?(?:-(\d\d:\d\d)| > (.+))?$/;

/** Reads a line of expected events; see `ClubFile`. */
function expectedOf(line: string): Expected {
  const [moment = '', name = '', place = '', ...more] = cellsOf(line);
  const [, day, time = '', endTime, end] = when.exec(moment) ?? [];
  if (day === undefined) throw new Error(`${line}: this is no moment`);
  const quoted = more.find((part) => part.startsWith('"')) ?? '';
  // A place may be left out before the other values.
  const options = (text: string) => text.split('~').map((part) => part.trim());
  return {
    day,
    time,
    names: options(name),
    places: options(place),
    end: endTime === undefined ? (end ?? '') : `${day} ${endTime}`,
    isCancelled: more.includes('cancelled'),
    note: quoted.slice(1, -1),
  };
}

/** Imports a file into an empty club and compares its events with the expected ones. */
export function judgeFile(file: ClubFile): Promise<Verdict> {
  const [name, content] = contentOf(file);
  const expected = linesOf(file.events)
    .filter((line) => line.trim() !== '')
    .map(expectedOf);
  return judge(name, content, expected, file);
}
