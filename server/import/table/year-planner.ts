import { parseDate, yearFrom } from '../../dates/dates.ts';
import { looksLikeTime, readTime } from '../../dates/times.ts';
import { tokenize } from '../../dates/tokens.ts';
import {
  articles,
  dayTimes,
  feasts,
  monthNames,
  oneOf,
  weekdays,
  weekNumberWords,
} from '../../dates/vocabulary.ts';
import { displayText, message } from '../../messages/message.ts';
import type { Language } from '../../messages/messages.ts';
import type { FieldMap } from '../source.ts';
import { findInText } from './first-day.ts';
import { columnLetters, distinctCells } from './header.ts';
import {
  hasMapped,
  headingsIn,
  maxColumns,
  type RecognizedLayout,
  titleOf,
  withRows,
} from './layouts.ts';
import { displayTexts } from './remarks.ts';
import type { Row, Table } from './table.ts';

/** Cells of a sheet, by line and position; a line is a row or, transposed, a column. */
type Grid = {
  readonly lines: readonly (readonly string[])[];
  place(line: number, at: number): { readonly row: number; readonly cell: string };
};

function createGrid(rows: readonly Row[]): Grid {
  const place = (line: number, at: number) => {
    const row = rows[line]?.row ?? 0;
    return { row, cell: `${columnLetters(at)}${row}` };
  };
  const lines = rows.map(({ cells }) => cells.slice(0, maxColumns).map((cell) => cell.trim()));
  return { lines, place };
}

/** Repeats merged cells in the cells to their right, which are days if the months are rows. */
function spreadDays(rows: readonly Row[], { lines, place }: Grid): Grid {
  const spread = lines.map((line, at) => {
    const cells = [...line];
    // A title that goes over the whole sheet is its first cell.
    const first = line.findIndex((cell) => cell !== '');
    for (const [column, last] of rows[at]?.spans ?? []) {
      const end = column > first ? Math.min(last, maxColumns - 1) : column;
      for (let next = column + 1; next <= end; next += 1) cells[next] ||= line[column] ?? '';
    }
    return cells.map((cell) => cell ?? '');
  });
  return { lines: spread, place };
}

function transpose({ lines, place }: Grid): Grid {
  const width = Math.max(0, ...lines.map((cells) => cells.length));
  const turned = Array.from({ length: width }, (_, at) => lines.map((cells) => cells[at] ?? ''));
  return { lines: turned, place: (line, at) => place(at, line) };
}

/** A month in the heading of a planner, and the positions of its days. */
type Month = {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly month: number;
  readonly year: number | undefined;
};

/** Returns the months that a line names one after the other, at least three; else none. */
function monthsOf(cells: readonly string[]): Month[] {
  const found: Omit<Month, 'end'>[] = [];
  for (const [at, text] of cells.entries()) {
    const isTyped = /^\d{4}-\d\d-01$/.test(text);
    const isNamed = text.length <= 20 && /\p{L}{3}/u.test(text) && !/^\d/.test(text);
    const date = isTyped || isNamed ? parseDate(isTyped ? text : `1 ${text}`, 'dmy') : undefined;
    if (date === undefined || date.weekdays.length > 0 || date.isRange) continue;
    const { month, year } = date;
    // A merged heading may be repeated.
    if (found.at(-1)?.month !== month) found.push({ at, text, month, year });
  }
  const isSeries = found.every(
    ({ month }, index) => index === 0 || month === ((found[index - 1]?.month ?? 0) % 12) + 1,
  );
  if (found.length < 3 || !isSeries) return [];
  return found.map((one, index) => ({ ...one, end: found[index + 1]?.at ?? cells.length }));
}

/** A cell at the beginning of a day: "9", "Sa 9.", "9 Sa" or "9. Konzert". */
type DayCell = {
  readonly day: number;
  readonly year: number | undefined;
  readonly weekday: string;
  readonly rest: string;
};

function isWeekday(text: string): boolean {
  return weekdays.has(text.toLowerCase().replace(/[.,]$/, ''));
}

function splitDay(cell: string): DayCell | undefined {
  const [, year, typed] = /^(\d{4})-\d\d-(\d\d)$/.exec(cell) ?? [];
  if (typed !== undefined) {
    return { day: Number(typed), year: Number(year), weekday: '', rest: '' };
  }
  const [, before = '', day = '', rest = ''] =
    /^(?:(\p{L}{1,10})[.,]*\s*)?(\d\d?)(?:[.,]|(?=\s|$))\s*(.*)$/su.exec(cell) ?? [];
  if (day === '' || (before !== '' && !isWeekday(before) && before.length > 1)) return undefined;
  const [first = ''] = rest.split(/\s/, 1);
  const weekday = isWeekday(before) ? before : isWeekday(first) ? first.replace(/[.,]$/, '') : '';
  const name = before === '' && weekday !== '' ? rest.slice(first.length).trim() : rest;
  return { day: Number(day), year: undefined, weekday, rest: name };
}

/** Number of days that a column of a planner has at least. */
const minDays = 28;

/** Returns true if the cells of a column count the days of a month. */
function areDays(lines: readonly (readonly string[])[], at: number): boolean {
  const days = lines.flatMap((cells) => splitDay(cells[at] ?? '')?.day ?? []);
  return (
    days.length >= minDays &&
    days[0] === 1 &&
    days.every((day, index) => index === 0 || (day > (days[index - 1] ?? 0) && day <= 31))
  );
}

/** Feasts that a calendar prints; those before Good Friday are rather events. */
const printedFeasts = new Set(
  [...feasts.fixed, ...feasts.movable.filter(([day]) => day >= -3)].flatMap(([, list]) =>
    list.split('|'),
  ),
);

/** Days that a calendar prints; a club that celebrates one of them writes more than its name. */
const printedDays = new RegExp(
  `^(?:${[
    // Weekends, weeks and the change of clocks.
    `we|wochenende|week-?end|(?:${oneOf(weekNumberWords)}|woche|s)\\.? ?\\d\\d?|\\d\\d?\\. ?(?:kw|woche)|(?:beginn |ende |anfang )?(?:der )?(?:sommer|winter)zeit(?: beginnt| endet)?|zeitumstellung|clocks (?:go )?(?:back|forward)|zomertijd|wintertijd|heure d'(?:ete|hiver)`,
    // Holidays of schools.
    'schulfrei|unterrichtsfrei|(?:oster|pfingst|sommer|herbst|weihnachts|winter|faschings|fasnachts|semester|sport|schul|krokus|fruhjahrs)?ferien(?:beginn|ende)?(?: .{0,12})?|bruckentag|(?:school |summer |easter |christmas |half.term )?holidays?|half.term|spring break|winter break|(?:vacances|conges)(?: .{0,25})?|\\p{L}*vakantie(?: .{0,12})?',
    'feiertag|gesetzl(?:\\.|icher) feiertag|jour ferie|ferie|feestdag|public holiday|bank holiday',
    // Public holidays that are not among the feasts.
    'berchtold(?:s)?tag|(?:hl\\.?|heilige) ?(?:drei|3) ?konige?|dreikonig(?:e|stag)?|epiphanias|internationaler frauentag|frauentag|karsamstag|oster(?:n|samstag)|tag der arbeit|maifeiertag|1\\. ?mai|staatsfeiertag|auffahrt|pfingsten|maria himmelfahrt|bundesfeier(?:tag)?|(?:schweizer )?nationalfeiertag|tag der (?:dt\\.?|deutschen) einheit|reformationstag|allerheiligen|allerseelen|bu(?:ß|ss)- und bettag|totensonntag|maria empfangnis|[1-4]\\. ?advent|weihnachten|christtag|muttertag|vatertag|valentinstag',
    "(?:st\\.? patrick's|martin luther king(?: jr\\.?)?|mlk|presidents'?|memorial|independence|labou?r|columbus|indigenous peoples'?|veterans|thanksgiving|may|canada|anzac|australia|waitangi|mother's|father's|valentine's) day|easter(?: day)?|juneteenth|thanksgiving|christmas|(?:(?:early may|spring|summer|may|august) )?bank holiday(?: monday)?|king's birthday|july 4(?:th)?",
    "premier de l'an|nouvel an|epiphanie|paques|pentecote|fete du travail|(?:victoire|armistice)(?: (?:du )?(?:8 mai|11 novembre|1918|1945))*|8 mai(?: 1945)?|11 novembre(?: 1918)?|ascension|fete nationale|14 juillet|assomption|toussaint|noel|reveillon|fete des (?:meres|peres)",
    'nieuwjaar|pasen|pinksteren|kerst(?:mis)?|paaszondag|pinkster(?:zondag|maandag)|bevrijdingsdag|dodenherdenking|oudjaar|moederdag|vaderdag|wapenstilstand|allerheiligen',
  ].join('|')})$`,
  'u',
);

/** Returns true for a text of a planner that is no event: a mark, a week or a printed holiday. */
function isPrinted(text: string): boolean {
  const plain = text
    .toLowerCase()
    .replace(/\(.*?\)|[*!†]/g, '')
    .replaceAll('’', "'")
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .trim();
  const phrase = tokenize(plain).map((token) => token.text);
  return !/\p{L}{2}/u.test(plain) || printedDays.test(plain) || printedFeasts.has(phrase.join(' '));
}

const hour = `(?:[ap]\\.?m\\.?|${oneOf(dayTimes.hour)})`;
const timeForm = new RegExp(
  `^(?:(?:${oneOf(articles.hour)}|à) )?\\d\\d?(?:(?::\\d\\d| ?h ?\\d\\d)(?: ?${hour})?|(?:[.:]\\d\\d)? ?${hour})\\.?$`,
  'iu',
);

/** Separates the time at the beginning or the end of a text: "19:30 Konzert", "Konzert, 19 Uhr". */
function splitTime(text: string): { readonly time: string; readonly name: string } {
  const words = text.split(' ');
  for (const count of [3, 2, 1]) {
    for (const [piece, rest] of [
      [words.slice(0, count), words.slice(count)],
      [words.slice(-count), words.slice(0, -count)],
    ] as const) {
      const time = piece
        .join(' ')
        .replace(/^[(,–-]+|[),:]+$/g, '')
        .trim();
      const name = rest.join(' ').replace(/^[\s,:–-]+|[\s,:–(-]+$/g, '');
      if (/\p{L}{2}/u.test(name) && timeForm.test(time) && readTime(time)) return { time, name };
    }
  }
  return { time: '', name: text };
}

/** A day in a planner; `month` counts the months of all its headings. */
type PlannedDay = { readonly month: number; readonly day: number };

type PlannedEvent = {
  readonly first: PlannedDay;
  last: PlannedDay;
  readonly year: number | undefined;
  readonly weekday: string;
  readonly time: string;
  readonly name: string;
  readonly place: { readonly row: number; readonly cell: string };
};

/** The months of a heading, and the lines with their days. */
type Section = { readonly months: readonly Month[]; readonly from: number; readonly to: number };

function findSections({ lines }: Grid): Section[] {
  const found = lines.flatMap((cells, line) => {
    const months = monthsOf(cells);
    return months.length === 0 ? [] : [{ months, from: line + 1 }];
  });
  return found.map((one, at) => ({ ...one, to: (found[at + 1]?.from ?? lines.length + 1) - 1 }));
}

const initial = new RegExp(`^[${[...weekdays.keys()].map(([first]) => first).join('')}]\\.?$`, 'i');

/** Reads the events of a planner; undefined if a month has no column that counts its days. */
function readPlanner(grid: Grid, sections: readonly Section[]) {
  const events: PlannedEvent[] = [];
  const leftOut: string[] = [];
  const joined: string[] = [];
  let before = 0;
  for (const { months, from, to } of sections) {
    const lines = grid.lines.slice(from, to);
    const width = Math.max(0, ...lines.map((cells) => cells.length));
    const counting = Array.from({ length: width }, (_, at) => at).filter((at) =>
      areDays(lines, at),
    );
    const lead = months[0]?.at ?? 0;
    const shared = counting.find((at) => at < lead);
    const beside = lines.flatMap((cells) =>
      cells.slice(0, lead).filter((text) => !isWeekday(text) && splitDay(text)?.rest !== ''),
    );
    // A list of members is numbered too, and may have a column for each month.
    if (beside.filter((text) => /\p{L}{2}/u.test(text)).length > lines.length / 2) return undefined;
    leftOut.push(...beside);
    for (const [index, { at: start, end }] of months.entries()) {
      const next = index === months.length - 1 ? Math.max(width, end) : end;
      const own = counting.find((at) => at >= start && at < next);
      const dayAt = own ?? shared;
      if (dayAt === undefined) return undefined;
      for (const [line, cells] of lines.entries()) {
        const date = splitDay(cells[dayAt] ?? '');
        const found: { readonly text: string; readonly at: number }[] = [];
        let weekday = own === undefined ? '' : (date?.weekday ?? '');
        let clock = '';
        for (let at = start; at < next; at += 1) {
          const counted = counting.includes(at) ? splitDay(cells[at] ?? '') : undefined;
          const text = counted === undefined ? (cells[at] ?? '') : at === own ? counted.rest : '';
          if (isWeekday(text)) weekday ||= text;
          else if (looksLikeTime(text)) clock ||= text;
          else if (date === undefined || isPrinted(text)) leftOut.push(text);
          else found.push({ text, at });
        }
        const [first] = found;
        if (date === undefined || first === undefined) continue;
        const lines = found.flatMap(({ text }) => text.split(/\s*\n\s*/));
        leftOut.push(...lines.filter(isPrinted));
        const texts = lines.filter((text) => !isPrinted(text));
        const { time, name } = splitTime(texts.join(' '));
        if (texts.filter((text) => !timeForm.test(text)).length > 1) joined.push(texts.join(' / '));
        const day = { month: before + index, day: date.day };
        const place = grid.place(from + line, first.at);
        const { year } = date;
        addDay(events, { first: day, last: day, year, weekday, time: time || clock, name, place });
      }
    }
    before += months.length;
  }
  // Numbers and the initials of weekdays are the frame of a planner.
  return {
    events,
    joined,
    leftOut: leftOut.filter((text) => /\p{L}/u.test(text) && !initial.test(text)),
  };
}

/** Adds an event, or a day to an event that goes on with the same words, as merged cells do. */
function addDay(events: PlannedEvent[], added: PlannedEvent): void {
  const { month, day } = added.first;
  const open = events.findLast(({ name, time, last }) => {
    const isNext = month === last.month ? day === last.day + 1 : day === 1 && last.day >= 28;
    return (
      isNext && month - last.month <= 1 && name === added.name && `${time}${added.time}` === ''
    );
  });
  if (open === undefined) events.push(added);
  else open.last = added.last;
}

/** Returns the language in which most months are named. */
function languageOf(months: readonly Month[]): Language {
  const names = months.map(({ text }) => tokenize(text)[0]?.text ?? '');
  const countOf = (language: Language) =>
    names.filter((name) => monthNames[language].has(name)).length;
  const codes = ['en', 'de', 'fr', 'nl'] as const;
  const [best = 'en'] = codes.toSorted((one, other) => countOf(other) - countOf(one));
  return best;
}

/**
 * Returns the years of the months if a heading has one, or if they go on in a second year after the
 * one of a title; else the column of dates gets its year like any other.
 */
function yearsOf(months: readonly Month[], texts: readonly string[]) {
  let turns = 0;
  const turned = months.map(({ month }, at) => {
    if (at > 0 && month <= (months[at - 1]?.month ?? 0)) turns += 1;
    return turns;
  });
  const named = months.findIndex(({ year }) => year !== undefined);
  const { month = 1, year } = months[Math.max(named, 0)] ?? {};
  const yearIn = (text: string) => {
    const [one, other, more] = text.match(/(?<!\d)20\d\d(?!\d)/g) ?? [];
    const isSeason = Number(other) === Number(one) + 1 && more === undefined;
    if (isSeason) return Number(one);
    const first = findInText(text);
    return first === undefined ? undefined : yearFrom(first, { month, day: 1 });
  };
  const title = turns === 0 ? undefined : texts.find((text) => yearIn(text) !== undefined);
  const base = year ?? (title === undefined ? undefined : yearIn(title));
  const own = months.map((_, at) =>
    base === undefined ? undefined : base + (turned[at] ?? 0) - (turned[Math.max(named, 0)] ?? 0),
  );
  if (named !== -1 || title === undefined || base === undefined) return { years: own, notes: [] };
  const text = displayText(title);
  return { years: own, notes: [message('note:planner_year', { year: base, text })] };
}

/** Recognizes a year planner: days down and months across, or the other way round. */
export function findPlanner(
  table: Table,
  rows: readonly Row[],
  map: FieldMap,
): RecognizedLayout | undefined {
  const plain = createGrid(rows);
  const grids = [plain, transpose(spreadDays(rows, plain))].map((grid) => ({
    grid,
    sections: findSections(grid),
  }));
  const found = grids.find(({ sections }) => sections.length > 0);
  const planner = found && readPlanner(found.grid, found.sections);
  const [event] = planner?.events ?? [];
  if (found === undefined || planner === undefined || event === undefined) return undefined;
  const months = found.sections.flatMap((section) => section.months);
  const titles = rows.slice(
    0,
    Math.max(
      0,
      rows.findIndex((row) => distinctCells(row).length > 2),
    ),
  );
  const texts = [...titles.flatMap(distinctCells), table.sheet ?? '', table.file];
  const { years, notes } = yearsOf(months, texts);
  const language = languageOf(months);
  const names = headingsIn(language);
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const monthOf = ({ month }: PlannedDay) => months[month]?.month ?? 1;
  const dayOf = (one: PlannedDay, year = 2000) => Date.UTC(year, monthOf(one) - 1, one.day);
  const lines = planner.events.map(({ first, last, year, weekday, time, name, place }) => {
    const date = `${weekday} ${first.day}.${monthOf(first)}.${year ?? years[first.month] ?? ''}`;
    const isNextYear = monthOf(last) < monthOf(first);
    const whole = format.formatRange(dayOf(first), dayOf(last, isNextYear ? 2001 : 2000));
    const range = first === last ? '' : whole.replace(/\s/g, ' ');
    return { ...place, cells: [date.trim(), time, name, range] };
  });
  const isUsed = [0, 1, 2, 3].filter((at) => lines.some(({ cells }) => cells[at] !== ''));
  const header = [names.date, names.time, names.name, names.description];
  const pick = (cells: readonly string[]) => isUsed.map((at) => cells[at] ?? '');
  if (!hasMapped(map, pick(header))) return undefined;
  const all = [
    ...titles.map(titleOf),
    { row: rows[titles.length]?.row ?? 0, cells: pick(header) },
    ...lines.map((line) => ({ ...line, cells: pick(line.cells) })),
  ];
  const values = { count: lines.length, name: displayText(event.name), cell: event.place.cell };
  const { leftOut, joined } = planner;
  const left = { count: leftOut.length, texts: displayTexts([...new Set(leftOut)]) };
  return {
    kind: 'planner',
    table: withRows(table, all),
    notes: [
      message('note:planner', values),
      ...(joined.length > 0
        ? [message('note:planner_joined', { count: joined.length, texts: displayTexts(joined) })]
        : []),
      ...(leftOut.length > 0 ? [message('note:planner_left_out', left)] : []),
      ...notes,
    ],
  };
}
