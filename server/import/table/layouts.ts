import { findDate, parseDate } from '../../dates/dates.ts';
import { looksLikeTime, splitTime } from '../../dates/times.ts';
import { simplify } from '../../dates/tokens.ts';
import { joints, oneOf, states, teams, units, words } from '../../dates/vocabulary.ts';
import { displayText, type Message, message } from '../../messages/message.ts';
import type { Language } from '../../messages/messages.ts';
import type { FieldMap } from '../source.ts';
import { readWeekday } from './columns.ts';
import { isBye, rolesOf } from './field-names.ts';
import { columnLetters, distinctCells, findLayout } from './header.ts';
import { isMonth, isRemark } from './remarks.ts';
import { findMonth, isDay, onlyText } from './sections.ts';
import type { Row, Table } from './table.ts';

/** The ways to arrange events that only clubs have. */
export type LayoutKind = 'planner' | 'rounds' | 'dateColumns' | 'tables';

/** A table of a recognized layout, rewritten as an ordinary one. */
export type RecognizedLayout = {
  readonly kind: LayoutKind;
  readonly table: Table;
  readonly notes: readonly Message[];
};

/** Headings of the rewritten tables by language: those of the window. */
const headings: Readonly<Record<Language, string>> = {
  en: 'Date Time Name Place Note',
  de: 'Datum Uhrzeit Name Ort Bemerkung',
  fr: 'Date Heure Nom Lieu Remarque',
  nl: 'Datum Tijd Naam Plaats Opmerking',
};

/** Returns headings for a rewritten table, in the language of the file. */
export function headingsIn(language: Language) {
  const [date = '', time = '', name = '', location = '', description = ''] =
    headings[language].split(' ');
  const names = [teams.home[language], teams.away[language]];
  return { date, time, name, location, description, teams: names };
}

/** Number of columns that are judged; a planner has up to four for each month. */
export const maxColumns = 100;

/** Returns the table with other rows, all of which are known. */
export function withRows(table: Table, rows: readonly Row[]): Table {
  return {
    ...table,
    rows: async function* all() {
      yield rows;
    },
  };
}

/** Returns true if the columns that the user named, if any, are among the headings. */
export function hasMapped(map: FieldMap, names: readonly string[]): boolean {
  return Object.values(map).every((chosen) =>
    [chosen ?? []].flat().every((one) => one.split('+').every((name) => names.includes(name))),
  );
}

/** Returns a row above a table, which is not joined with its headings. */
export function titleOf(row: Row): Row {
  return { row: row.row, cells: [distinctCells(row).join(' ')] };
}

const roundWords =
  '(?:runde|spieltag|spielwoche|rounds?|match ?day|journée|(?<!\\p{L})tour|ronde|speeldag|speelweek)(?!\\p{L})';

/** A word for a round in its heading. */
const roundForm = new RegExp(roundWords, 'iu');

/** The number behind such a word, as in "Spieltag 1 - 5.9.". */
const numberForm = new RegExp(`(?<=^\\D*${roundWords}\\s*)\\d{1,2}(?![\\d.])`, 'iu');

/** Returns the date and the other words of a heading such as "2. Runde am Sa., 12.09.2026, 10 Uhr". */
function splitHeading(row: Row): { readonly date: string; readonly label: string } | undefined {
  const cells = distinctCells(row);
  const times = cells.filter(looksLikeTime);
  const others = cells.filter((cell) => !looksLikeTime(cell));
  if (others.length > 3 || times.length > 1) return undefined;
  const found = others.flatMap((text) => {
    // The number of a round is no day.
    const date = findDate(text.replace(numberForm, (label) => label.replace(/\d/g, ' ')));
    if (date === undefined) return [];
    const { start, end, isDeadline } = date;
    const rest = (text.slice(0, start) + text.slice(end)).replace(/[([]\s*[)\]]/g, '');
    return [{ text, date: text.slice(start, end), rest, isDeadline }];
  });
  const [only, second] = found;
  if (only === undefined || second !== undefined || only.isDeadline) return undefined;
  const weekday = others.find((text) => text !== only.text && readWeekday(text) !== undefined);
  const label = others
    .filter((text) => text !== weekday)
    .map((text) => (text === only.text ? only.rest : text));
  const texts = label.map((text) => text.replace(/^[\s\p{P}]+|[\s,:;(–-]+$/gu, ''));
  const date = [weekday ?? [], only.date, ...times].flat().join(' ');
  return { date, label: texts.filter(Boolean).join(', ') };
}

/** The words before the new date of a match, or the teams of one, which no heading of a round has. */
const matchForm = new RegExp(
  `(?:${states.moved}|${states.postponed})(?!\\p{L})|\\p{L}.* [-:] .*\\p{L}`,
  'iu',
);

/** Returns the date and the words of a row that is the heading of a round. */
function findHeading(row: Row): ReturnType<typeof splitHeading> {
  const found = splitHeading(row);
  const isMatch = found && !roundForm.test(found.label) && matchForm.test(simplify(found.label));
  return isMatch ? undefined : found;
}

/** Returns true for the heading of a round without a date, such as "3. Runde – Termin offen". */
function isOpenRound(row: Row): boolean {
  const [text = '', second] = distinctCells(row);
  return second === undefined && roundForm.test(text) && /(?<!\d)\d{1,2}(?!\d)/.test(text);
}

/** A date in a heading, and the rows below it. */
type Round = {
  readonly heading: Row;
  readonly date: string;
  readonly label: string;
  readonly rows: readonly Row[];
};

/** Divides a list into its rounds and the rows above them; a heading without rows is no round. */
function splitRounds(rows: readonly Row[]): RoundList | undefined {
  const headings = rows.map(findHeading);
  const rounds = headings.flatMap((found, at): Round[] => {
    const next = headings.findIndex((one, index) => index > at && one !== undefined);
    const all = rows.slice(at + 1, next === -1 ? undefined : next);
    // A date and the number of its round may stand one below the other.
    const open = all.findIndex((row, index) => index > 0 && isOpenRound(row));
    const below = open === -1 ? all : all.slice(0, open);
    const heading = rows[at];
    if (found === undefined || heading === undefined || below.length === 0) return [];
    return [{ ...found, heading, rows: below }];
  });
  const first = rounds[0]?.heading;
  const start = first === undefined ? 0 : rows.indexOf(first);
  const dated = rows.filter((_, at) => headings[at] !== undefined).length;
  const areMost = rounds.length > 1 && rounds.length * 2 > dated;
  return areMost ? { rounds, titles: rows.slice(0, start), rest: rows.slice(start) } : undefined;
}

type RoundList = {
  readonly rounds: readonly Round[];
  readonly titles: readonly Row[];
  readonly rest: readonly Row[];
};

/** Divides a list of days below their months, such as "Mo 11." below "Januar". */
function splitMonths(rows: readonly Row[]): RoundList | undefined {
  const rounds: Round[] = [];
  const [titles, rest]: [Row[], Row[]] = [[], []];
  let month: { readonly row: Row; readonly name: string } | undefined;
  for (const row of rows) {
    const text = onlyText(row);
    const name = text !== undefined && isMonth(text) ? findMonth(text) : undefined;
    const at = row.cells.findIndex((cell) => cell.trim() !== '');
    const day = row.cells[at]?.trim() ?? '';
    if (name !== undefined) {
      month = { row, name };
      rest.push(row);
    } else if (month !== undefined && text === undefined && isDay(day)) {
      const event = { ...row, cells: row.cells.with(at, '') };
      const date = `${day} ${month.name}`;
      rounds.push({ heading: month.row, date, label: '', rows: [event] });
      rest.push(event);
    } else (month === undefined ? titles : rest).push(row);
  }
  const headings = new Set(rounds.map(({ heading }) => heading)).size;
  const areMost = rounds.length > 1 && rounds.length * 2 > rest.length - headings;
  return areMost ? { rounds, titles, rest } : undefined;
}

/** Moves the times at the beginnings of most lines into a column behind the others. */
function liftTimes(list: RoundList): RoundList {
  const body = list.rounds.flatMap(({ rows }) => rows);
  const split = ({ cells }: Row) => {
    const at = cells.findIndex((cell) => cell.trim() !== '');
    const found = splitTime(cells[at]?.trim() ?? '');
    return found && { ...found, at };
  };
  const lines = new Map(body.map((row) => [row, split(row)]));
  const hasTimes = body.some(({ cells }) => cells.some(looksLikeTime));
  const timed = [...lines.values()].filter((found) => found !== undefined);
  if (hasTimes || timed.length * 2 < body.length) return list;
  const width = Math.max(...body.map(({ cells }) => cells.length));
  const lifted = new Map(
    body.map((row) => {
      const found = lines.get(row);
      const cells = Array.from({ length: width }, (_, at) =>
        at === found?.at ? found.rest : (row.cells[at] ?? ''),
      );
      return [row, { ...row, cells: [...cells, found?.time ?? ''] }];
    }),
  );
  const lift = (row: Row) => lifted.get(row) ?? row;
  return {
    ...list,
    rounds: list.rounds.map((round) => ({ ...round, rows: round.rows.map(lift) })),
    rest: list.rest.map(lift),
  };
}

/** Returns true for headings of columns, of which one may stand above or below the first date. */
export function isHeader({ cells }: Row): boolean {
  const roles = cells.flatMap((cell) => rolesOf(cell)[0] ?? []);
  return new Set(roles).size > 1 && !cells.some((cell) => /\d/.test(cell));
}

/** Signs between two teams in columns of their own, and scores instead of them. */
const versus = new RegExp(
  `^(?:[-–:]|(?:${oneOf(joints.teams)})\\.?|[\\d½F+]+ ?[-–:] ?[\\d½F+]+)$`,
  'iu',
);

/** Names the columns below the headings: times, both teams of a match, their place, or a name. */
function nameColumns(body: readonly Row[], labels: string, areBehind: boolean) {
  const rounds = { de: /runde|spieltag/i, fr: /journée|tour\b/i, nl: /ronde|speel/i };
  const codes = ['de', 'fr', 'nl'] as const;
  const names = headingsIn(codes.find((code) => rounds[code].test(labels)) ?? 'en');
  const width = Math.min(maxColumns, Math.max(...body.map(({ cells }) => cells.length)));
  const columns = Array.from({ length: width }, (_, at) => {
    const cells = body.flatMap((row) => row.cells[at]?.trim() || []);
    const count = (test: (cell: string) => boolean) => cells.filter(test).length * 2;
    const isSign = cells.length > 0 && count((cell) => versus.test(cell)) > cells.length;
    const isTime = cells.length > 0 && count(looksLikeTime) > cells.length;
    const isText = !isSign && !isTime && count((cell) => /\p{L}{2}/u.test(cell)) > body.length;
    return { at, cells, isSign, isTime, isText };
  });
  const texts = columns.filter(({ isText }) => isText);
  // A result stands behind both teams.
  const isBetween = ({ at, isSign }: (typeof columns)[number]) =>
    isSign && texts.some((text) => text.at < at) && texts.some((text) => text.at > at);
  const sign = columns.find(isBetween)?.at;
  const [home, guest] =
    sign === undefined
      ? texts
      : [texts.findLast(({ at }) => at < sign), texts.find(({ at }) => at > sign)];
  const isMatch = sign !== undefined || guest?.cells.some((cell) => home?.cells.includes(cell));
  const sides = isMatch && home && guest ? [home.at, guest.at] : [];
  // In "18:00 Concert, Church", the place stands behind a comma.
  const [only] = texts;
  const behind = columns.filter(
    ({ at, cells, isTime }) => !isTime && at !== only?.at && cells.length > 0,
  );
  const isPlace = texts.length === 1 && behind.length === 1 && only !== undefined && areBehind;
  const place = isPlace
    ? behind.find(({ at, cells }) => at > only.at && cells.every((cell) => /^\p{L}/u.test(cell)))
        ?.at
    : undefined;
  const all = columns.map(({ at, cells, isTime }) => {
    if (cells.every((cell) => /^[-–:]$/.test(cell))) return '';
    if (isTime) return names.time;
    if (sides.includes(at)) return names.teams[sides.indexOf(at)] ?? '';
    const isVenue = sides.length > 0 && cells.some((cell) => rolesOf(cell).includes('venue'));
    if (isVenue) return names.location;
    if (texts.length === 1 && at === texts[0]?.at) return names.name;
    return at === place ? names.location : columnLetters(at);
  });
  const required = sides.length > 0 ? sides : texts.slice(0, 1).map(({ at }) => at);
  return { names: [names.date, names.description], columns: all, required, sign };
}

/** Returns true for a bye, also as one side of a pair: "TV A - spielfrei". */
const isByeLine = (text: string) => isBye(text) || text.split(/\s+[-–]\s+/).some(isBye);

/** Recognizes a list in rounds: the date in a heading, the matches or events below. */
export function findRounds(
  table: Table,
  rows: readonly Row[],
  map: FieldMap,
): RecognizedLayout | undefined {
  const found = splitRounds(rows) ?? splitMonths(rows);
  const header = [found?.titles.at(-1), found?.rounds[0]?.rows[0]].find(
    (row) => row && isHeader(row),
  );
  const list = found && header === undefined ? liftTimes(found) : found;
  const [first] = list?.rounds ?? [];
  if (list === undefined || first === undefined) return undefined;
  const { rounds, titles, rest } = list;
  const isBody = ({ cells }: Row) => cells.join() !== header?.cells.join();
  const body = rounds.flatMap((round) => round.rows.filter(isBody));
  const { names, columns, required, sign } = nameColumns(
    body,
    rounds.map(({ label }) => label).join(' '),
    list !== found,
  );
  if (required.length === 0) return undefined;
  const below = columns.map((name, at) =>
    header === undefined ? name : (header.cells[at]?.trim() ?? ''),
  );
  const all = [...names, ...below];
  if (!hasMapped(map, all)) return undefined;
  const roundOf = new Map(
    rounds.flatMap((round) => round.rows.map((row) => [row, round] as const)),
  );
  const headings = new Set(rounds.map(({ heading }) => heading));
  const used = new Set([...headings, header]);
  const lines = rest
    .filter((row) => !used.has(row) && isBody(row))
    .map((row) => {
      const cells = columns.map((_, at) => row.cells[at]?.trim() ?? '');
      const [text = '', ...others] = distinctCells(row);
      const isWhole = others.length > 1 || (others.length > 0 && isBye(text));
      const round = roundOf.get(row);
      const isEvent = required.every((at) => cells[at] !== '' && !isByeLine(cells[at] ?? ''));
      if (round === undefined || !isEvent || (others.length === 0 && isRemark(text))) {
        const isMatch = required.length > 1 || matchForm.test(simplify(text));
        const isUndated = round === undefined && isEvent && isMatch && !isOpenRound(row);
        return {
          row: row.row,
          cells: ['', isWhole ? cells.join(' ').trim() : text, ...cells.map(() => '')],
          ...(isUndated && { hasNoDate: required.map((at) => cells[at]).join(' – ') }),
        };
      }
      // A word instead of a score, such as "states.postponed", must not be lost.
      const word = sign !== undefined && /\p{L}{3}/u.test(cells[sign] ?? '') ? cells[sign] : '';
      return {
        row: row.row,
        cells: [round.date, [round.label, word].filter(Boolean).join(', '), ...cells],
        hasDateAbove: true as const,
      };
    });
  const count = lines.filter(({ cells }) => cells[0] !== '').length;
  const heading = displayText(distinctCells(first.heading).join(' '));
  return {
    kind: 'rounds',
    table: withRows(table, [
      ...titles.filter((row) => row !== header).map(titleOf),
      { row: first.heading.row, cells: all },
      ...lines,
    ]),
    notes: [message('note:rounds', { count, rounds: headings.size, heading })],
  };
}

/** Headings of the parts of a date. */
const partNames = {
  day: words(units.day, 'd t j'),
  month: words(units.month, 'mon m'),
  year: words(units.year, 'y j a'),
} as const;

/** Finds the columns of day, month and year, chosen by the user or named so. */
function findDateColumns(rows: readonly Row[], map: FieldMap) {
  const { header, names, data } = findLayout(rows, map);
  const { date } = map;
  const isChosen = date !== undefined && date !== null;
  const chosen = isChosen ? [date].flat().flatMap((name) => name.split('+')) : names;
  if (header === undefined || (isChosen && chosen.length !== 3)) return undefined;
  const used = new Set<number>([-1]);
  // "J" is a day in French and a year in German and Dutch.
  const [day, month, year] = (['day', 'month', 'year'] as const).map((part) => {
    const found = chosen.filter((name) =>
      partNames[part].has(simplify(name.trim()).toLowerCase().replace(/\.$/, '')),
    );
    const at = found.map((name) => names.indexOf(name.trim())).find((one) => !used.has(one));
    used.add(at ?? -1);
    return at;
  });
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const events = data.filter(({ cells }) => /\d/.test(cells[day] ?? ''));
  const fits = events.filter(({ cells }) => joinDate(cells, { day, month, year }) !== undefined);
  const areMost = fits.length > 0 && fits.length * 2 > events.length;
  return areMost ? { header, isChosen, at: { day, month, year } } : undefined;
}

type DateParts = Readonly<Record<keyof typeof partNames, number>>;

/** Returns the date in three cells: "Sa 9", "Januar" or "1", and "2027". */
function joinDate(cells: readonly string[], { day, month, year }: DateParts): string | undefined {
  const [days, months, years] = [day, month, year].map((at) => cells[at]?.trim() ?? '');
  const isNumber = /^\d\d?\.?$/.test(months ?? '');
  const plain = [days, months].map((text = '') => text.replace(/\.$/, ''));
  const joined = plain.join(isNumber ? '.' : ' ') + (isNumber ? '.' : ' ') + years;
  const isDate = /\d/.test(days ?? '') && parseDate(joined, 'dmy') !== undefined;
  return isDate ? joined.trim() : undefined;
}

/** Joins columns of day, month and year into one column of dates. */
export function joinDateColumns(
  table: Table,
  rows: readonly Row[],
  map: FieldMap,
): RecognizedLayout | undefined {
  const found = findDateColumns(rows, map);
  if (found === undefined) return undefined;
  const { header, isChosen, at } = found;
  const order = Object.values(at).sort((one, other) => one - other);
  const [first = 0, ...others] = order;
  const name = order.map((index) => header.cells[index]?.trim()).join('+');
  const join = (row: Row): Row => {
    if (row.row < header.row || row.problem !== undefined) return row;
    const date = row.row === header.row ? (isChosen ? undefined : name) : joinDate(row.cells, at);
    if (date === undefined) return row;
    const cells = row.cells.map((cell, index) => (others.includes(index) ? '' : cell));
    return { ...row, cells: cells.with(first, date) };
  };
  const joined: Table = {
    ...table,
    rows: async function* all() {
      for await (const some of table.rows()) yield some.map(join);
    },
  };
  return {
    kind: 'dateColumns',
    table: joined,
    notes: [message('note:dates_joined', { columns: displayText(name) })],
  };
}
