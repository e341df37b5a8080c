import { completeDate, looksLikeDate, type WrittenDate, yearFrom } from '../../dates/dates.ts';
import { addMonths, type Day, noonOf, partsOf, seasonName, writeDay } from '../../dates/days.ts';
import { zoneNamed } from '../../dates/zone.ts';
import { displayText, type Message, message } from '../../messages/message.ts';
import type { SourceOptions } from '../source.ts';
import type { TableLayout } from './header.ts';
import { createCellNotes } from './remarks.ts';
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
  // A number of a telephone is no year.
  const years = new Set(text.match(/(?<![\d.,/:-]|\d{3} )20\d\d(?![\d:]|[.,/-]\d)/g));
  const [year] = years;
  return years.size === 1 ? writeDay(Number(year), 1, 1) : undefined;
}

/** More years than a title is from now, unless it names a plan; a club may have the year of its start. */
const maxYearsOfTitle = 5;
const planWords =
  'programme?|saison|season|seizoen|plan|kalender|calendar|calendrier|agenda|jahr|year|ann[ée]e|jaar|termine|fixtures|schedule|rooster';
const planForm = new RegExp(`(?:${planWords})[\\s:_-]*20\\d\\d|20\\d\\d\\s*(?:${planWords})`, 'iu');

/** Finds the first day in the titles, the headings, or the names of the sheet and the file. */
function findInNames(
  { titles, names }: TableLayout,
  { file, sheet }: Table,
  now: Date,
): FirstDay | undefined {
  const cells = titles.flatMap((row) => row.cells).filter((cell) => !looksLikeDate(cell));
  const texts = [...cells, names.join(' '), sheet ?? '', file];
  for (const text of texts) {
    const day = findInText(text);
    const isFar =
      day !== undefined && Math.abs(partsOf(day).year - now.getUTCFullYear()) > maxYearsOfTitle;
    if (day === undefined || (isFar && !planForm.test(text))) continue;
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
  dates: readonly WrittenDate[],
  { window, timeZone, now }: SourceOptions,
): FirstDay | undefined {
  if (window?.from !== undefined) return { day: zoneNamed(timeZone).dayOf(window.from) };
  return findInNames(layout, table, now) ?? findInColumn(dates) ?? findByWeekdays(dates, now);
}

/**
 * Returns a first day for the example in a question: that of the first date if the dates go on in
 * their order and most are not before `today`, else `today`.
 */
export function suggestFirstDay(dates: readonly WrittenDate[], today: Day): Day {
  const { year } = partsOf(today);
  const [first] = dates;
  if (first === undefined) return today;
  const starts = [year - 1, year, year + 1].map((one) => writeDay(one, first.month, first.day));
  const fitting = starts.find((start) => {
    const days = dates.map((date) => writeDay(yearFrom(start, date), date.month, date.day));
    const future = days.filter((day) => day >= today).length;
    return days.join() === days.toSorted().join() && future * 2 > days.length;
  });
  return fitting ?? today;
}

/** More years than lie between the dates of one list, unless it has a typing error. */
const maxYearsApart = 2;
/** More years than events of a club are from now, except in an archive. */
const maxYearsFromNow = 50;
/** Number of dates that are checked. */
const maxDates = 10_000;

/** The moment of a day, which the window writes as people do. */
const atNoon = (day: Day) => ({ at: noonOf(day).getTime() });

/** Creates the check of the dates of a table, whose year may be wrong. */
export function createYearCheck(
  table: Table,
  layout: TableLayout,
  { now, timeZone }: SourceOptions,
) {
  const lastRow = layout.data.findLast(({ cells }) => cells.some(looksLikeDate))?.row ?? 0;
  const found: { readonly row: number; readonly day: Day }[] = [];
  const yearOf = ({ day }: { readonly day: Day }) => partsOf(day).year;
  /** Returns the dates outside the year or season of the title, or far from most others. */
  const findOutside = () => {
    const first = findInNames(layout, table, now)?.day;
    if (first !== undefined) {
      const season = { first, end: addMonths(first, 12) };
      const outside = found.filter(({ day }) => day < first || day >= season.end);
      return { outside, name: seasonName(season) };
    }
    const [most] = [...Map.groupBy(found, yearOf)].toSorted(
      ([, one], [, other]) => other.length - one.length,
    );
    const year = most?.[0] ?? 0;
    const outside = found.filter((date) => Math.abs(yearOf(date) - year) > maxYearsApart);
    if (outside.length * 2 < found.length && outside.length > 0)
      return { outside, name: String(year) };
    // A typing error of the year, such as 3027, may be in the only row.
    const thisYear = now.getUTCFullYear();
    const far = found.filter(({ day }) => Math.abs(partsOf(day).year - thisYear) > maxYearsFromNow);
    return { outside: far.length * 2 > found.length ? far : [], name: String(thisYear) };
  };
  return {
    add({ row }: Row, date: unknown): void {
      if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d/.test(date)) return;
      if (found.length < maxDates) found.push({ row, day: date.slice(0, 10) });
    },
    notes(): readonly Message[] {
      const last = found
        .map(({ day }) => day)
        .toSorted()
        .at(-1);
      // A preview has only the first rows.
      const isWhole = found.length < maxDates && (found.at(-1)?.row ?? 0) >= lastRow;
      const isPast = found.length > 1 && isWhole && (last ?? '') < zoneNamed(timeZone).dayOf(now);
      const { outside, name } = findOutside();
      const notes = createCellNotes();
      for (const { row, day } of outside)
        notes.add('note:dates_elsewhere', row, day, name, atNoon(day));
      if (last === undefined || !isPast) return notes.messages();
      const values = { count: found.length, date: last, ...atNoon(last) };
      return [...notes.messages(), message('note:dates_past', values)];
    },
  };
}
