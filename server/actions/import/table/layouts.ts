import { tokenizeLine, weekdays } from '../../../dates/date-words.ts';
import { datesAt, parseDate } from '../../../dates/dates.ts';
import { looksLikeTime, readTime } from '../../../dates/times.ts';
import { type Message, message } from '../../../messages/message.ts';
import type { Language } from '../../../messages/messages.ts';
import { displayText, type FieldMap } from '../source.ts';
import { rolesOf } from './field-names.ts';
import { findInText, yearFrom } from './first-day.ts';
import { columnLetters, distinctCells, findLayout } from './header.ts';
import { isRemark } from './remarks.ts';
import type { Row, Table } from './table.ts';

/** The ways to arrange events that only clubs have. */
export type LayoutKind = 'planner' | 'rounds' | 'dateColumns';

/** A table of a recognized layout, rewritten as an ordinary one. */
export type RecognizedLayout = {
  readonly kind: LayoutKind;
  readonly table: Table;
  readonly notes: readonly Message[];
};

/** Headings of the rewritten tables, in the language of the file. */
const headings = {
  en: { date: 'Date', time: 'Time', name: 'Name', note: 'Note', home: 'Home', guest: 'Away' },
  de: { date: 'Datum', time: 'Uhrzeit', name: 'Name', note: 'Notiz', home: 'Heim', guest: 'Gast' },
  fr: {
    date: 'Date',
    time: 'Heure',
    name: 'Nom',
    note: 'Remarque',
    home: 'Domicile',
    guest: 'Extérieur',
  },
  nl: { date: 'Datum', time: 'Tijd', name: 'Naam', note: 'Notitie', home: 'Thuis', guest: 'Uit' },
} as const satisfies Record<Language, unknown>;

const languages = Object.keys(headings) as Language[];

/** Cells of a sheet, by line and position; a line is a row or, transposed, a column. */
type Grid = {
  readonly lines: readonly (readonly string[])[];
  place(line: number, at: number): { readonly row: number; readonly cell: string };
};

/** Number of columns that are judged; a planner has up to four for each month. */
const maxColumns = 100;

function createGrid(rows: readonly Row[]): Grid {
  const place = (line: number, at: number) => {
    const row = rows[line]?.row ?? 0;
    return { row, cell: `${columnLetters(at)}${row}` };
  };
  const lines = rows.map(({ cells }) => cells.slice(0, maxColumns).map((cell) => cell.trim()));
  return { lines, place };
}

function transpose({ lines, place }: Grid): Grid {
  const width = Math.max(0, ...lines.map((cells) => cells.length));
  const turned = Array.from({ length: width }, (_, at) => lines.map((cells) => cells[at] ?? ''));
  return { lines: turned, place: (line, at) => place(at, line) };
}

/** Returns the table with other rows, all of which are known. */
function withRows(table: Table, rows: readonly Row[]): Table {
  return {
    ...table,
    rows: async function* all() {
      yield rows;
    },
  };
}

/** Returns true if the columns that the user named, if any, are among the headings. */
function hasMapped(map: FieldMap, names: readonly string[]): boolean {
  return Object.values(map).every((chosen) =>
    [chosen ?? []].flat().every((one) => one.split('+').every((name) => names.includes(name))),
  );
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
const minDays = 20;

/** Returns true if the cells of a column count the days of a month. */
function areDays(lines: readonly (readonly string[])[], at: number): boolean {
  const days = lines.flatMap((cells) => splitDay(cells[at] ?? '')?.day ?? []);
  return (
    days.length >= minDays &&
    days[0] === 1 &&
    days.every((day, index) => index === 0 || (day > (days[index - 1] ?? 0) && day <= 31))
  );
}

/** Days that a calendar prints; a club that celebrates one of them writes more than its name. */
const printedDays = new RegExp(
  `^(?:${[
    // Weekends, weeks and the change of clocks.
    "we|wochenende|week-?end|(?:kw|wk|week|semaine|sem\\.?|woche|s) ?\\d\\d?|\\d\\d?\\. ?(?:kw|woche)|(?:beginn |ende |anfang )?(?:der )?(?:sommer|winter)zeit(?: beginnt| endet)?|zeitumstellung|clocks (?:go )?(?:back|forward)|zomertijd|wintertijd|heure d'(?:ete|hiver)",
    // Holidays of schools.
    'schulfrei|unterrichtsfrei|(?:oster|pfingst|sommer|herbst|weihnachts|winter|faschings|fasnachts|semester|sport|schul|krokus|fruhjahrs)?ferien(?:beginn|ende)?(?: .{0,12})?|bruckentag|(?:school |summer |easter |christmas |half.term )?holidays?|half.term|spring break|winter break|(?:vacances|conges)(?: .{0,25})?|\\p{L}*vakantie(?: .{0,12})?',
    'feiertag|gesetzl(?:\\.|icher) feiertag|jour ferie|ferie|feestdag|public holiday|bank holiday',
    // Public holidays.
    'neujahr(?:stag)?|berchtold(?:s)?tag|(?:hl\\.?|heilige) ?(?:drei|3) ?konige?|dreikonig(?:e|stag)?|epiphanias|internationaler frauentag|frauentag|grundonnerstag|karfreitag|karsamstag|oster(?:n|sonntag|montag|samstag)|tag der arbeit|maifeiertag|1\\. ?mai|staatsfeiertag|(?:christi )?himmelfahrt|auffahrt|pfingst(?:en|sonntag|montag)|fronleichnam|maria himmelfahrt|bundesfeier(?:tag)?|(?:schweizer )?nationalfeiertag|tag der (?:dt\\.?|deutschen) einheit|reformationstag|allerheiligen|allerseelen|bu(?:ß|ss)- und bettag|totensonntag|maria empfangnis|[1-4]\\. ?advent|hei?lig(?:er )?abend|weihnachten|(?:[12]\\.|erster|zweiter) ?weihnachts(?:feier)?tag|christtag|stefanitag|stephanstag|silvester|muttertag|vatertag|valentinstag',
    "new year'?s (?:day|eve)|(?:st\\.? patrick's|martin luther king(?: jr\\.?)?|mlk|presidents'?|memorial|independence|labou?r|columbus|indigenous peoples'?|veterans|thanksgiving|boxing|christmas|may|canada|anzac|australia|waitangi|mother's|father's|valentine's) day|good friday|easter(?: (?:sunday|monday|day))?|juneteenth|thanksgiving|christmas(?: eve)?|(?:(?:early may|spring|summer|may|august) )?bank holiday(?: monday)?|king's birthday|july 4(?:th)?",
    "(?:jour|premier) de l'an|nouvel an|epiphanie|vendredi saint|(?:lundi de |dimanche de )?(?:paques|pentecote)|fete du travail|(?:victoire|armistice)(?: (?:du )?(?:8 mai|11 novembre|1918|1945))*|8 mai(?: 1945)?|11 novembre(?: 1918)?|(?:jeudi de l')?ascension|fete nationale|14 juillet|assomption|toussaint|noel|reveillon|saint-sylvestre|fete des (?:meres|peres)",
    'nieuwjaar(?:sdag)?|goede vrijdag|pasen|pinksteren|kerst(?:mis)?|(?:eerste|tweede|1e|2e) (?:paas|pinkster|kerst)dag|paas(?:zondag|maandag)|pinkster(?:zondag|maandag)|koningsdag|bevrijdingsdag|dodenherdenking|hemelvaart(?:sdag)?|oudjaar|oudejaars(?:dag|avond)|kerstavond|moederdag|vaderdag|wapenstilstand|allerheiligen',
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
  return !/\p{L}{2}/u.test(plain) || printedDays.test(plain);
}

const timeForm =
  /^(?:(?:um|ab|at|à|om) )?\d\d?(?:(?::\d\d| ?h ?\d\d)(?: ?(?:[ap]\.?m\.?|uhr|h|uur|u))?|(?:[.:]\d\d)? ?(?:[ap]\.?m\.?|uhr|h|uur))\.?$/iu;

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

const initial = /^[mtwfdsjvlz]\.?$/i;

/** Reads the events of a planner; undefined if a month has no column that counts its days. */
function readPlanner(grid: Grid, sections: readonly Section[]) {
  const events: PlannedEvent[] = [];
  const leftOut: string[] = [];
  let before = 0;
  for (const { months, from, to } of sections) {
    const lines = grid.lines.slice(from, to);
    const width = Math.max(0, ...lines.map((cells) => cells.length));
    const counting = Array.from({ length: width }, (_, at) => at).filter((at) =>
      areDays(lines, at),
    );
    const shared = counting.find((at) => at < (months[0]?.at ?? 0));
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
        const { time, name } = splitTime(lines.filter((text) => !isPrinted(text)).join(' '));
        const day = { month: before + index, day: date.day };
        const place = grid.place(from + line, first.at);
        const { year } = date;
        addDay(events, { first: day, last: day, year, weekday, time: time || clock, name, place });
      }
    }
    before += months.length;
  }
  // Numbers and the initials of weekdays are the frame of a planner.
  return { events, leftOut: leftOut.filter((text) => /\p{L}/u.test(text) && !initial.test(text)) };
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
  const countOf = (language: Language) => {
    const formats = (['long', 'short'] as const).map(
      (month) => new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }),
    );
    return months.filter(({ text, month }) =>
      formats.some((format) => {
        const name = format.format(Date.UTC(2000, month - 1)).toLowerCase();
        return text.toLowerCase().replace(/[\d .’']+$/, '') === name.replace(/\.$/, '');
      }),
    ).length;
  };
  const [best = 'en'] = languages.toSorted((one, other) => countOf(other) - countOf(one));
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
  const [title] = turns === 0 ? [] : texts.filter((text) => findInText(text) !== undefined);
  const first = title === undefined ? undefined : findInText(title);
  const { month = 1, year } = months[Math.max(named, 0)] ?? {};
  const base = year ?? (first && yearFrom(first, { month, day: 1 }));
  const own = months.map((_, at) =>
    base === undefined ? undefined : base + (turned[at] ?? 0) - (turned[Math.max(named, 0)] ?? 0),
  );
  const isTitle = named === -1 && title !== undefined && base !== undefined;
  const values = isTitle ? { year: base, text: displayText(title) } : undefined;
  return { years: own, notes: values ? [message('note:year_from_text', values)] : [] };
}

/** Returns texts for a message, at most three. */
function displayTexts(texts: readonly string[]) {
  const shown = texts.slice(0, 3).map((text) => message('value:text', { text: displayText(text) }));
  return [...shown, ...(texts.length > 3 ? ['…'] : [])];
}

/** Returns a row above a table, which is not joined with its headings. */
function titleOf(row: Row): Row {
  return { row: row.row, cells: [distinctCells(row).join(' ')] };
}

/** Recognizes a year planner: days down and months across, or the other way round. */
function findPlanner(
  table: Table,
  rows: readonly Row[],
  map: FieldMap,
): RecognizedLayout | undefined {
  const plain = createGrid(rows);
  const grids = [plain, transpose(plain)].map((grid) => ({ grid, sections: findSections(grid) }));
  const found = grids.find(({ sections }) => sections.length > 0);
  const planner = found && readPlanner(found.grid, found.sections);
  const [event] = planner?.events ?? [];
  if (found === undefined || planner === undefined || event === undefined) return undefined;
  const months = found.sections.flatMap((section) => section.months);
  const titles = rows.slice(
    0,
    Math.max(
      0,
      rows.findIndex((row) => distinctCells(row).length > 3),
    ),
  );
  const texts = [...titles.flatMap(distinctCells), table.sheet ?? '', table.file];
  const { years, notes } = yearsOf(months, texts);
  const language = languageOf(months);
  const names = headings[language];
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
    const range =
      first === last ? '' : format.formatRange(dayOf(first), dayOf(last, isNextYear ? 2001 : 2000));
    return { ...place, cells: [date.trim(), time, name, range] };
  });
  const isUsed = [0, 1, 2, 3].filter((at) => lines.some(({ cells }) => cells[at] !== ''));
  const header = [names.date, names.time, names.name, names.note];
  const pick = (cells: readonly string[]) => isUsed.map((at) => cells[at] ?? '');
  if (!hasMapped(map, pick(header))) return undefined;
  const all = [
    ...titles.map(titleOf),
    { row: rows[titles.length]?.row ?? 0, cells: pick(header) },
    ...lines.map((line) => ({ ...line, cells: pick(line.cells) })),
  ];
  const values = { count: lines.length, name: displayText(event.name), cell: event.place.cell };
  const { leftOut } = planner;
  const left = { count: leftOut.length, texts: displayTexts([...new Set(leftOut)]) };
  return {
    kind: 'planner',
    table: withRows(table, all),
    notes: [
      message('note:planner', values),
      ...(leftOut.length > 0 ? [message('note:planner_left_out', left)] : []),
      ...notes,
    ],
  };
}

/** Returns the date and the other words of a heading such as "2. Runde am Sa., 12.09.2026, 10 Uhr". */
function splitHeading(row: Row): { readonly date: string; readonly label: string } | undefined {
  const cells = distinctCells(row);
  const times = cells.filter(looksLikeTime);
  const others = cells.filter((cell) => !looksLikeTime(cell));
  if (others.length > 3 || times.length > 1) return undefined;
  const found = others.flatMap((text) => {
    const tokens = tokenizeLine(text.slice(0, 100));
    for (const at of tokens.keys()) {
      const [first] = datesAt(tokens, at, 'dmy', 1);
      if (first === undefined || first[0].isPlain) continue;
      const [start, end] = [tokens[at]?.start ?? 0, tokens[first[1] - 1]?.end ?? 0];
      return [{ text, date: text.slice(start, end), rest: text.slice(0, start) + text.slice(end) }];
    }
    return [];
  });
  const [only, second] = found;
  if (only === undefined || second !== undefined) return undefined;
  const label = others.map((text) => (text === only.text ? only.rest : text));
  const words = label.map((text) => text.replace(/^[\s\p{P}]+|[\s,:;(–-]+$/gu, ''));
  return { date: [only.date, ...times].join(' '), label: words.filter(Boolean).join(', ') };
}

/** Words for rounds by language; other lists are in English. */
const roundWords = { de: /runde|spieltag/i, fr: /journée|tour\b|ronde/i, nl: /ronde|speel/i };

/** Signs between two teams in columns of their own. */
const versus = /^(?:[-–:]|vs?\.?|gegen|contre|tegen)$/i;

/** Recognizes a list in rounds: the date in a heading, the matches or events below. */
export function findRounds(
  table: Table,
  rows: readonly Row[],
  map: FieldMap,
): RecognizedLayout | undefined {
  const parts = rows.map((row) => ({ row, heading: splitHeading(row) }));
  const start = parts.findIndex(({ heading }) => heading !== undefined);
  const list = parts.slice(start);
  const rounds = list.filter(({ heading }) => heading !== undefined);
  const filled = list.filter(
    ({ heading }, at) => heading && list[at + 1] && list[at + 1]?.heading === undefined,
  );
  if (start === -1 || rounds.length < 2 || filled.length * 2 <= rounds.length) return undefined;
  const isHeader = ({ row, heading }: (typeof parts)[number]) =>
    heading === undefined &&
    !row.cells.some((cell) => /\d/.test(cell)) &&
    new Set(distinctCells(row).flatMap((cell) => rolesOf(cell)[0] ?? [])).size > 1;
  const header = parts.slice(Math.max(0, start - 1), start + 2).find(isHeader)?.row;
  const isBody = (row: Row) => row.cells.join() !== header?.cells.join();
  const body = list.flatMap(({ row, heading }) => (heading || !isBody(row) ? [] : [row]));
  const width = Math.min(maxColumns, Math.max(...rows.map(({ cells }) => cells.length)));
  const columns = Array.from({ length: width }, (_, at) => {
    const cells = body.flatMap((row) => row.cells[at]?.trim() || []);
    const isTime = cells.length > 0 && cells.every(looksLikeTime);
    const isText = cells.filter((cell) => /\p{L}{2}/u.test(cell)).length * 2 > body.length;
    return {
      at,
      isTime,
      isText: isText && !isTime,
      isSign: cells.every((one) => versus.test(one)),
      cells,
    };
  });
  const texts = columns.filter(({ isText, isSign }) => isText && !isSign);
  const [one, other] = texts;
  if (one === undefined) return undefined;
  const isPair =
    other !== undefined &&
    (other.cells.some((cell) => one.cells.includes(cell)) ||
      columns.some(
        ({ at, isSign, cells }) => isSign && cells.length > 0 && at > one.at && at < other.at,
      ));
  const titles = rows.slice(0, start).filter((row) => row !== header);
  const words = rounds.map(({ heading }) => heading?.label).join(' ');
  const language = languages.find((code) => code !== 'en' && roundWords[code].test(words)) ?? 'en';
  const names = headings[language];
  const nameOf = ({ at, isTime, isSign }: (typeof columns)[number]) => {
    if (header !== undefined) return header.cells[at]?.trim() ?? '';
    if (isSign) return '';
    if (isTime) return names.time;
    if (isPair && texts.length === 2)
      return at === one.at ? names.home : at === other.at ? names.guest : columnLetters(at);
    return texts.length === 1 && at === one.at ? names.name : columnLetters(at);
  };
  const all = [names.date, names.note, ...columns.map(nameOf)];
  if (!hasMapped(map, all)) return undefined;
  let heading = { date: '', label: '' };
  let count = 0;
  const lines = list.flatMap(({ row, heading: own }) => {
    if (own !== undefined) heading = own;
    if (own !== undefined || !isBody(row)) return [];
    const cells = columns.map(({ at }) => row.cells[at]?.trim() ?? '');
    const isMatch = texts.slice(0, isPair ? 2 : 1).every(({ at }) => cells[at] !== '');
    const [text = '', ...more] = distinctCells(row);
    if (!isMatch || (more.length === 0 && isRemark(text))) {
      return [{ row: row.row, cells: ['', text, ...cells.map(() => '')] }];
    }
    count += 1;
    return [{ row: row.row, cells: [heading.date, heading.label, ...cells] }];
  });
  const values = {
    count,
    rounds: rounds.length,
    heading: displayText(distinctCells(rounds[0]?.row ?? { row: 0, cells: [] }).join(' ')),
  };
  return {
    kind: 'rounds',
    table: withRows(table, [
      ...titles.map(titleOf),
      { row: list[0]?.row.row ?? 0, cells: all },
      ...lines,
    ]),
    notes: [message('note:rounds', values)],
  };
}

/** Headings of the parts of a date. */
const partNames = {
  day: /^(?:tag|day|jour|dag|d|t|j)\.?$/i,
  month: /^(?:monat|mon|month|mois|maand|m)\.?$/i,
  year: /^(?:jahr|year|année|annee|an|jaar|y|j|a)\.?$/i,
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
    const found = chosen.filter((name) => partNames[part].test(name.trim()));
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
  const isWhole = /\d/.test(days ?? '') && parseDate(joined, 'dmy')?.year !== undefined;
  return isWhole ? joined : undefined;
}

/** Joins columns of day, month and year into one column of dates. */
function joinDateColumns(
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

/** Recognizes a year planner, or dates in columns of day, month and year. */
export function findGrid(
  table: Table,
  rows: readonly Row[],
  isWhole: boolean,
  map: FieldMap,
): RecognizedLayout | undefined {
  if (rows.some(({ problem }) => problem !== undefined)) return undefined;
  const planner = isWhole ? findPlanner(table, rows, map) : undefined;
  return planner ?? joinDateColumns(table, rows, map);
}
