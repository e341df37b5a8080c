import { looksLikeDate, parseDate } from '../../dates/dates.ts';
import { rolesOf } from './field-names.ts';
import { distinctCells, type TableLayout } from './header.ts';
import { isMonth } from './remarks.ts';
import type { Row, Table } from './table.ts';

/** Returns the date in a heading such as "Samstag, 15.08.2026" or "Journée 1 – samedi 19 septembre". */
function findDate(text: string): string | undefined {
  const parts = [text, ...text.split(/\s+[–|-]\s+|:\s+/)];
  return parts.find(looksLikeDate);
}

/** Returns the month in a text such as "Octobre 2026", "MAI" or "Horaire – Octobre 2026". */
export function findMonth(text: string): string | undefined {
  const plain = text.replace(/[:*]/g, ' ').trim();
  if (isMonth(plain)) return plain;
  const [named] = /\p{L}{3,}\.? 20\d\d(?!\d)/u.exec(plain) ?? [];
  return named !== undefined && isMonth(named) ? named : undefined;
}

/** Number of columns that are judged; a table of a club has fewer. */
const maxColumns = 300;

/** Returns the only text of a row, which may be merged over several cells. */
export function onlyText({ cells }: Row): string | undefined {
  const texts = cells.slice(0, maxColumns).map((cell) => cell.trim());
  const only = texts.find((text) => text !== '');
  return texts.every((text) => text === '' || text === only) ? only : undefined;
}

function hasDate({ cells }: Row): boolean {
  return cells.slice(0, maxColumns).some(looksLikeDate);
}

/** Returns true if at least half of some values pass a test. */
function areMost<T>(values: readonly T[], test: (value: T) => boolean): boolean {
  return values.length > 0 && values.filter(test).length * 2 >= values.length;
}

/** A row with its dates completed by the rows before it. */
type Complete = (row: Row) => Row;

/** Completes rows from headings with the date of the events below them, in a column of its own. */
function createDateSections({ header, names }: TableLayout): () => Complete {
  return () => {
    let date = '';
    return (row) => {
      if (row.row === header?.row) return withCell(row, names.length, '');
      const text = onlyText(row);
      const found = text === undefined ? undefined : findDate(text);
      if (found !== undefined) date = found;
      // The heading itself is no event.
      return text === undefined
        ? { ...withCell(row, names.length, date), hasDateAbove: true }
        : withCell(row, names.length, '');
    };
  };
}

/** Completes the days of a column by the month of a heading, of another column or of a title. */
function createMonths(day: number, month: number | undefined, title: string): () => Complete {
  return () => {
    let above = title;
    return (row) => {
      const text = onlyText(row) ?? (month === undefined ? '' : (row.cells[month] ?? ''));
      above = findMonth(text) ?? above;
      const cell = row.cells[day]?.trim() ?? '';
      if (above === '' || onlyText(row) !== undefined || !isDay(cell)) return row;
      return withCell(row, day, `${cell} ${above}`);
    };
  };
}

/** Completes the dates of a column, which have no year, by the year of a heading. */
function createYears(column: number): () => Complete {
  return () => {
    let year = '';
    return (row) => {
      year = findYear(onlyText(row) ?? '') ?? year;
      const cell = row.cells[column]?.trim() ?? '';
      const isWhole = year === '' || !lacksYear(cell) || lacksYear(`${cell} ${year}`);
      return isWhole ? row : withCell(row, column, `${cell} ${year}`);
    };
  };
}

/** Returns the only year in a short text such as "AUTUMN TERM 2026". */
function findYear(text: string): string | undefined {
  const years =
    text.length <= 40 && !looksLikeDate(text) ? text.match(/(?<!\d)20\d\d(?!\d)/g) : null;
  return years?.length === 1 ? years[0] : undefined;
}

/** Returns true for a date without a year. */
function lacksYear(cell: string): boolean {
  const date = /\d/.test(cell) ? parseDate(cell, 'dmy') : undefined;
  return date !== undefined && date.year === undefined;
}

function withCell(row: Row, index: number, cell: string): Row {
  if (row.problem !== undefined) return row;
  const cells = Array.from({ length: Math.max(index + 1, row.cells.length) }, (_, at) =>
    at === index ? cell : (row.cells[at] ?? ''),
  );
  return { ...row, cells };
}

/** Returns true for a day or days without their month, such as "Sam 13", "1er" or "24-26". */
export function isDay(cell: string): boolean {
  // Below a month, "Mar. 13" is a Tuesday (mardi) rather than in March.
  const isWhole = looksLikeDate(cell) && !/^mar\.? \d\d?$/i.test(cell);
  return /\d/.test(cell) && !isWhole && parseDate(`${cell} May`, 'dmy') !== undefined;
}

function findCompletion(layout: TableLayout): (() => Complete) | undefined {
  const { header, titles, data } = layout;
  const events = data.filter((row) => onlyText(row) === undefined);
  if (header === undefined) return undefined;
  const headings = data.flatMap((row) => onlyText(row) ?? []);
  const names = layout.names.slice(0, maxColumns);
  const cellsOf = (index: number) => events.flatMap(({ cells }) => cells[index]?.trim() || []);
  if (areMost(events, hasDate)) {
    if (headings.every((text) => findYear(text) === undefined)) return undefined;
    const column = names.findIndex((_, index) => areMost(cellsOf(index), lacksYear));
    return column === -1 ? undefined : createYears(column);
  }
  const [first] = data;
  const isBelowDate = first !== undefined && findDate(onlyText(first) ?? '') !== undefined;
  if (isBelowDate && events.length > 0 && !events.some(hasDate)) return createDateSections(layout);
  // One heading may stand above two columns, of the weekday and the day.
  const headingOf = (index: number) => names[index] || (names[index - 1] ?? '');
  const day = names.findIndex(
    (_, index) => rolesOf(headingOf(index)).includes('date') && areMost(cellsOf(index), isDay),
  );
  if (day === -1) return undefined;
  const month = names.findIndex((_, index) => index !== day && areMost(cellsOf(index), isMonth));
  if (month !== -1) return createMonths(day, month, '');
  const isBelowMonth = headings.some((text) => findMonth(text) !== undefined);
  if (isBelowMonth) return createMonths(day, undefined, '');
  const months = new Set(titles.flatMap(distinctCells).flatMap((text) => findMonth(text) ?? []));
  const [title] = months;
  return title === undefined || months.size > 1 ? undefined : createMonths(day, undefined, title);
}

/**
 * Returns the table with whole dates in each row, if the dates of its events, or their months or
 * years, stand apart from them.
 */
export function completeDates(table: Table, layout: TableLayout): Table | undefined {
  const create = findCompletion(layout);
  if (create === undefined) return undefined;
  return {
    ...table,
    async *rows() {
      const complete = create();
      for await (const some of table.rows()) yield some.map(complete);
    },
  };
}
