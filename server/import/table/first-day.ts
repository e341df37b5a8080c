import {
  completeDate,
  looksLikeDate,
  parseDate,
  type WrittenDate,
  yearFrom,
} from '../../dates/dates.ts';
import { type Day, partsOf, writeDay } from '../../dates/days.ts';
import { zoneNamed } from '../../dates/zone.ts';
import { displayText, type Message } from '../../messages/message.ts';
import type { SourceOptions } from '../source.ts';
import type { TableLayout } from './header.ts';
import type { Row, Table } from './table.ts';

/** The first day of a list, from which the years of its dates follow. */
export type FirstDay = {
  readonly day: Day;
  /** The message that names the source of the year, unless the user gave it; lacks the rows. */
  readonly note?: Message;
};

/** The first month of a season that is named by two years. */
const seasonStart = 7;

/** Finds the first day in a text such as "Jahresprogramm 2026" or "Season 2026/27". */
export function findInText(text: string): Day | undefined {
  const season = /(?<!\d)(20\d\d) ?[/–-] ?(?:20)?(\d\d)(?!\d)/.exec(text);
  if (season !== null && Number(season[2]) === (Number(season[1]) + 1) % 100) {
    return writeDay(Number(season[1]), seasonStart, 1);
  }
  const years = new Set(text.match(/(?<![\d.,/:-])20\d\d(?![\d:]|[.,/-]\d)/g));
  const [year] = years;
  return years.size === 1 ? writeDay(Number(year), 1, 1) : undefined;
}

/** Finds the first day in the titles, the headings, or the names of the sheet and the file. */
function findInNames({ titles, names }: TableLayout, { file, sheet }: Table): FirstDay | undefined {
  const cells = titles.flatMap((row) => row.cells).filter((cell) => !looksLikeDate(cell));
  const texts = [...cells, names.join(' '), sheet ?? '', file];
  for (const text of texts) {
    const day = findInText(text);
    if (day === undefined) continue;
    const values = { year: partsOf(day).year, text: displayText(text.trim()) };
    return { day, note: { key: 'note:year_from_text', values } };
  }
  return undefined;
}

/** Finds the only year near now in which all named weekdays are right. */
function findByWeekdays(dates: readonly WrittenDate[], now: Date): FirstDay | undefined {
  const dated = dates.filter(({ year, weekdays }) => year === undefined && weekdays.length > 0);
  if (dated.length === 0) return undefined;
  const thisYear = now.getUTCFullYear();
  const starts = [thisYear - 1, thisYear, thisYear + 1].flatMap((year) => [
    writeDay(year, 1, 1),
    writeDay(year, seasonStart, 1),
  ]);
  const fitting = starts.filter((start) =>
    dated.every((date) => {
      const local = completeDate(date, yearFrom(start, date));
      return local !== undefined && date.weekdays.includes(new Date(local.day).getUTCDay());
    }),
  );
  const results = new Set(
    fitting.map((start) => dates.map((date) => yearFrom(start, date)).join(' ')),
  );
  const [first] = fitting;
  if (first === undefined || results.size > 1) return undefined;
  const [date] = dated;
  const year = date === undefined ? partsOf(first).year : yearFrom(first, date);
  return { day: first, note: { key: 'note:year_from_weekdays', values: { year } } };
}

/** Returns the year that the other dates have, or the first date of several years. */
function findInColumn(dates: readonly WrittenDate[]): FirstDay | undefined {
  const years = new Set(dates.flatMap(({ year }) => year ?? []));
  const first = dates.find(({ year }) => year !== undefined);
  if (first?.year === undefined) return undefined;
  const { year, month, day } = first;
  const start = years.size === 1 ? writeDay(year, 1, 1) : writeDay(year, month, day);
  return { day: start, note: { key: 'note:year_from_column', values: { year } } };
}

/**
 * Finds the first day of a list whose dates in the column have no year: the one that the user gave,
 * else one that the table shows. Returns undefined if it does not.
 */
export function findFirstDay(
  table: Table,
  layout: TableLayout,
  cellOf: (row: Row) => string,
  { window, timeZone, now, dateOrder }: SourceOptions,
): FirstDay | undefined {
  if (window?.from !== undefined) return { day: zoneNamed(timeZone).dayOf(window.from) };
  const dates = layout.data.flatMap((row) => parseDate(cellOf(row), dateOrder) ?? []);
  return findInNames(layout, table) ?? findInColumn(dates) ?? findByWeekdays(dates, now);
}
