import { looksLikeDate } from '../../dates/dates.ts';
import { namesTeam } from '../../event/views.ts';
import { rolesOf } from './field-names.ts';
import { columnLetters, distinctCells } from './header.ts';
import { isHeader, maxColumns, withRows } from './layouts.ts';
import type { Row, Table } from './table.ts';

/** A table within a sheet, with the rows above it. */
export type TablePart = {
  readonly table: Table;
  /** The cell in which it begins, such as `E1`. */
  readonly start: string;
  /** The text directly above it, if each table of its row has one of its own. */
  readonly title?: string | undefined;
  /** True for the rows below a team within a table, which stay together if that is no team. */
  readonly isSection?: boolean;
};

const textAt = ({ cells }: Row, at: number) => cells[at]?.trim() ?? '';

const namesDate = (text: string) => rolesOf(text)[0] === 'date';

/** Returns true for headings of events, one of which is a date. */
const isEventHeader = (row: Row) => isHeader(row) && row.cells.some(namesDate);

const isTitle = (row: Row | undefined) =>
  row !== undefined && distinctCells(row).length === 1 && !row.cells.some(looksLikeDate);

/**
 * Divides rows at headings that differ from those above or have a team above them; a title belongs to
 * the headings below it.
 */
function divideRows(rows: readonly Row[], first: number): readonly (readonly Row[])[] {
  const starts = [first];
  const textOf = (row: Row | undefined) => (row === undefined ? '' : distinctCells(row).join('\n'));
  for (const [at, row] of rows.entries()) {
    const above = rows[starts.at(-1) ?? first];
    const isOther = textOf(row) !== textOf(above) || namesTeam(textOf(rows[at - 1]));
    if (at > first && isEventHeader(row) && isOther) starts.push(at);
  }
  const begins = starts.map((start, index) => {
    let begin = start;
    while (index > 0 && isTitle(rows[begin - 1])) begin -= 1;
    return index === 0 ? 0 : begin;
  });
  return begins.map((begin, index) => rows.slice(begin, begins[index + 1]));
}

/** The longest text of a row that is the heading of a team rather than a remark. */
const maxTeam = 30;

const isTeamHeading = (row: Row) => {
  const [text = ''] = distinctCells(row);
  return isTitle(row) && text.length <= maxTeam && !/[.!?:]$/.test(text) && namesTeam(text);
};

/** Divides the rows of a table at those that only name a team, each below the headings of all. */
function divideSections(rows: readonly Row[]): readonly (readonly Row[])[] {
  const header = rows.findIndex(isEventHeader);
  const heading = rows[header];
  const starts = rows.flatMap((row, at) => (at > header && isTeamHeading(row) ? [at] : []));
  const [first] = starts;
  if (heading === undefined || first === undefined) return [rows];
  const sections = starts.map((start, at) => [
    ...(at === 0 && first === header + 1 ? rows.slice(0, header) : []),
    ...rows.slice(start, start + 1),
    heading,
    ...rows.slice(start + 1, starts[at + 1]),
  ]);
  return first === header + 1 ? sections : [rows.slice(0, first), ...sections];
}

/**
 * Returns the columns of each of several tables that stand side by side: an empty column is between
 * them, or their headings are the same.
 */
function divideColumns(header: Row, data: readonly Row[]): readonly (readonly number[])[] {
  const rows = [header, ...data];
  const width = Math.min(maxColumns, Math.max(...rows.map(({ cells }) => cells.length)));
  const groups: number[][] = [];
  let isOpen = false;
  for (let at = 0; at < width; at += 1) {
    const isUsed = rows.some((row) => textAt(row, at) !== '');
    if (isUsed && !isOpen) groups.push([]);
    if (isUsed) groups.at(-1)?.push(at);
    isOpen = isUsed;
  }
  return groups.flatMap((group) => {
    const names = group.map((at) => textAt(header, at));
    const length = names.findIndex((name, at) => at > 0 && name !== '' && name === names[0]);
    const isRepeated =
      length > 1 &&
      names.length % length === 0 &&
      names.every((name, at) => name === names[at % length]);
    if (!isRepeated) return [group];
    return Array.from({ length: names.length / length }, (_, index) =>
      group.slice(index * length, (index + 1) * length),
    );
  });
}

/** Returns the titles of tables that stand side by side, if each has one of its own. */
function titlesOf(row: Row | undefined, groups: readonly (readonly number[])[]): readonly string[] {
  const titles = groups.map(
    (group) => new Set(group.flatMap((at) => (row && textAt(row, at)) || [])),
  );
  const own = titles.flatMap((texts) => (texts.size === 1 ? [...texts] : []));
  return new Set(own).size === groups.length ? own : [];
}

/** Returns the table of some columns, whose letters stay, and whose rows are named by their cells. */
function withColumns(
  rows: readonly Row[],
  header: number,
  columns: readonly number[],
  hasTitle: boolean,
): readonly Row[] {
  const letters = columnLetters(columns[0] ?? 0);
  const chosen = new Set(columns);
  return rows.flatMap((row, at): Row[] => {
    const isTitle = hasTitle && at === header - 1;
    if (at < header && !isTitle) return [row];
    const cells = row.cells.map((cell, index) => (chosen.has(index) ? cell : ''));
    const struck = row.struck?.filter((index) => chosen.has(index));
    const own: Row = { ...row, cells, ...(struck && { struck }) };
    if (at === header || isTitle) return [own];
    return cells.some((cell) => cell.trim() !== '')
      ? [{ ...own, cell: `${letters}${row.row}` }]
      : [];
  });
}

/** Returns the tables of a sheet that stand side by side or one below the other, or none. */
export function divideTable(table: Table, rows: readonly Row[]): readonly TablePart[] {
  const first = rows.findIndex(isEventHeader);
  if (first === -1) return [];
  // The year of a season above the first table is that of all.
  const years = rows
    .slice(0, first)
    .filter(({ cells }) => cells.some((cell) => /20\d\d/.test(cell)));
  const tables = divideRows(rows, first).flatMap((own) => {
    const sections = divideSections(own);
    return sections.map((part) => ({ own: part, isSection: sections.length > 1 }));
  });
  const parts = tables.flatMap(({ own, isSection }, part) => {
    const header = own.findIndex(isEventHeader);
    const heading = own[header];
    if (heading === undefined) return [];
    const groups = divideColumns(heading, own.slice(header + 1));
    const all = part === 0 ? own : [...years, ...own];
    const at = all.indexOf(heading);
    const areTables = groups.every((group) =>
      group.some((index) => namesDate(textAt(heading, index))),
    );
    const start = (group: readonly number[] | undefined) =>
      `${columnLetters(group?.[0] ?? 0)}${heading.row}`;
    const above = all[at - 1];
    if (groups.length < 2 || !areTables) {
      const title = above && isTitle(above) ? distinctCells(above)[0] : undefined;
      const begin = isSection && above ? `A${above.row}` : start(groups[0]);
      return [{ table: withRows(table, all), start: begin, title, isSection }];
    }
    const titles = titlesOf(above, groups);
    return groups.map((group, index) => ({
      table: withRows(table, withColumns(all, at, group, titles.length > 0)),
      start: start(group),
      title: titles[index],
    }));
  });
  return parts.length > 1 ? parts : [];
}
