import { type Day, daysBetween, maxDaysWithoutYear, partsOf, writeDay } from './days.ts';
import {
  areNoTime,
  areOpenTime,
  rangeEndAt,
  type Step,
  skipRange,
  skipStops,
  timesAt,
  writeTime,
} from './times.ts';
import { maxLength, type Token, tokenize, tokenizeLine } from './tokens.ts';
import { secondsOfDay } from './units.ts';
import {
  articles,
  dayTimes,
  ends,
  joints,
  monthNames,
  months,
  ordinals,
  weekdays,
  words,
} from './vocabulary.ts';

/** Orders of day and month in a date such as 01/05/2026. */
export const dateOrders = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A local date as `YYYY-MM-DD`, and its time as `HH:MM:SS` or `HH:MM:SS.SSS` if there is one. */
export type LocalDate = { readonly day: string; readonly time: string | undefined };

/** A date as written. Its day is from 1 to 31, but the month may be shorter. */
export type WrittenDate = {
  readonly year: number | undefined;
  readonly month: number;
  readonly day: number;
  /** Days that the named weekday can mean, from 0 for Sunday; empty if none is named. */
  readonly weekdays: readonly number[];
  /** `HH:MM:SS` or `HH:MM:SS.SSS`. */
  readonly time: string | undefined;
  /** The end of a range of times as `HH:MM`. */
  readonly end?: string | undefined;
  /** True if words say that the time is not known yet. */
  readonly isTimeOpen?: boolean;
  /** True if a mark such as "v", or another time, follows the time. */
  readonly hasMark?: boolean;
  /** True for the first day of a range or a list, such as 1.–3. Mai 2026. */
  readonly isRange: boolean;
  /** The last day of a range, with the time of its end; a list has none. */
  readonly last?: LastDate | undefined;
};

type LastDate = Pick<WrittenDate, 'year' | 'month' | 'day' | 'weekdays' | 'time'>;

/** A date of which only the day is certain, such as the 1. in 1.–3. Mai 2026. */
type Part = {
  readonly year: number | undefined;
  readonly month: number | undefined;
  readonly day: number;
  readonly weekdays: readonly number[];
  readonly isRange: boolean;
  /** True for two numbers such as 02.05 or 2/5, which could mean something else. */
  readonly isPlain: boolean;
  /** True for May 1, after which a range may go on with a day alone. */
  readonly isMonthFirst: boolean;
};

type PartialDate = Pick<Part, 'day'> & Partial<Part>;

/** 1970 and the end of Excel's calendar, just before the year 10000. A smaller number is a count. */
const serials = { first: 25_569, last: 2_958_465.999_99 };
/** Limit of dates in one cell: 1., 2., 3. und 4. Mai. */
const maxParts = 4;

function isNumber(token: Token | undefined, maxLength: number): token is Token {
  return token?.kind === 'number' && token.text.length <= maxLength;
}

/** Parses a year; two digits mean 1969 to 2068, as in POSIX. */
function yearOf(token: Token | undefined): number | undefined {
  if (token?.kind !== 'number') return undefined;
  const year = Number(token.text);
  if (token.text.length === 4) return year === 0 ? undefined : year;
  if (token.text.length !== 2) return undefined;
  return year < 69 ? 2000 + year : 1900 + year;
}

/** Parses 20260502. */
function* joinedAt(tokens: readonly Token[], at: number): Generator<Step<PartialDate>> {
  const text = tokens[at]?.text ?? '';
  if (!/^[12]\d{7}$/.test(text)) return;
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(4, 6))];
  yield [{ year, month, day: Number(text.slice(6)) }, at + 1];
}

/** Parses dates of numbers: 2026-05-02, 2.5.2026, 2. 5. 26, 2/5/2026, 2.5., 2/5. */
function* numbersAt(
  tokens: readonly Token[],
  at: number,
  order: DateOrder,
): Generator<Step<PartialDate>> {
  const [first, sign, second, sign2, third] = tokens.slice(at, at + 5);
  if (first?.kind !== 'number' || sign === undefined || !'./-'.includes(sign.text)) return;
  if (!isNumber(second, 2)) return;
  const isDotted = sign.text === '.';
  const [day, month] =
    order === 'mdy' && !isDotted
      ? [Number(second.text), Number(first.text)]
      : [Number(first.text), Number(second.text)];
  const year = first.text.length <= 2 ? yearOf(third) : undefined;
  const hasYear = sign2?.text === sign.text && sign2.hasGap === sign.hasGap && year !== undefined;
  // "2.5. 14-17 Uhr" has no year.
  const couldBeHour = isDotted && third?.hasGap && third.text.length === 2;
  if (hasYear && !couldBeHour) yield [{ year, month, day }, at + 5];
  const fullYear = first.text.length === 4 ? yearOf(first) : undefined;
  if (fullYear !== undefined && sign2?.text === sign.text && isNumber(third, 2)) {
    yield [{ year: fullYear, month: Number(second.text), day: Number(third.text) }, at + 5];
  }
  if (first.text.length > 2) return;
  if (isDotted && sign2?.text === '.') yield [{ month, day }, at + 4];
  // Spreadsheets show 1.10 as 1.1 if they take it for a number.
  const isNumeric = isDotted && second.text === '1' && tokens.length === 3;
  if (!second.hasGap && !isNumeric) yield [{ month, day, isPlain: true }, at + 3];
  if (hasYear && couldBeHour) yield [{ year, month, day }, at + 5];
}

/** Returns the position after a day of the month: 2, 2., 2nd. */
function skipDay(tokens: readonly Token[], at: number): number {
  const next = tokens[at + 1];
  if (next?.text === '.') return at + 2;
  return next?.kind === 'word' && !next.hasGap && ordinals.has(next.text) ? at + 2 : at + 1;
}

/** Returns the position after a separator of a date with words: "-", "/", "." or "of". */
function skipSign(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (token?.text === 'of') return at + 1;
  const isJoined = token?.hasGap === false && tokens[at + 1]?.hasGap === false;
  return (token?.text === '-' || token?.text === '/') && isJoined ? at + 1 : skipStops(tokens, at);
}

/** Parses dates with a month by name, with and without a year: 2. Mai 2026, May 2nd. */
function* namesAt(tokens: readonly Token[], at: number): Generator<Step<PartialDate>> {
  const isMonthFirst = tokens[at]?.kind === 'word';
  const monthAt = isMonthFirst ? at : skipSign(tokens, skipDay(tokens, at));
  const name = tokens[monthAt]?.text ?? '';
  const month = isMonthFirst && !monthNames.en.has(name) ? undefined : months.get(name);
  const dayAt = isMonthFirst ? skipSign(tokens, at + 1) : at;
  const day = tokens[dayAt];
  if (month === undefined || !isNumber(day, 2)) return;
  const end = isMonthFirst ? skipDay(tokens, dayAt) : monthAt + 1;
  const date = { month, day: Number(day.text), isMonthFirst };
  const yearAt = skipSign(tokens, end);
  const year = yearOf(tokens[yearAt]);
  const signs = [tokens[(isMonthFirst ? dayAt : monthAt) - 1], tokens[yearAt - 1]];
  const [isJoined, isYearJoined] = signs.map((sign) => sign?.text === '-' || sign?.text === '/');
  // "May 9-10" has no year.
  const hasYear = year !== undefined && (isJoined || !isYearJoined);
  // "9. Mai 14-17 Uhr" has no year.
  const couldBeHour = tokens[yearAt]?.text.length === 2 && !isYearJoined;
  if (hasYear && !couldBeHour) yield [{ ...date, year }, yearAt + 1];
  // Excel writes May-26 for May 2026.
  if (!isMonthFirst || !isJoined) yield [date, end];
  if (hasYear && couldBeHour) yield [{ ...date, year }, yearAt + 1];
}

/** Parses a day alone, with and without a year: 1. or, in May 1–3, 2026, "3, 2026". */
function* daysAt(tokens: readonly Token[], at: number): Generator<Step<PartialDate>> {
  const day = tokens[at];
  if (!isNumber(day, 2)) return;
  const end = skipDay(tokens, at);
  const yearAt = skipStops(tokens, end);
  const year = yearOf(tokens[yearAt]);
  if (year !== undefined && tokens[yearAt]?.text.length === 4) {
    yield [{ day: Number(day.text), year }, yearAt + 1];
  }
  yield [{ day: Number(day.text) }, end];
}

function skipArticles(tokens: readonly Token[], at: number): number {
  let next = at;
  while (tokens[next]?.kind === 'word' && articles.date.has(tokens[next]?.text ?? '')) next += 1;
  return next;
}

type Weekdays = Pick<Part, 'weekdays' | 'isRange'>;

/** Parses a weekday or a range of them: "Sa.,", "Samstag, den", "Sa/So". */
function weekdaysAt(tokens: readonly Token[], at: number): Step<Weekdays> | undefined {
  const first = weekdays.get(tokens[at]?.text ?? '');
  if (first === undefined) return undefined;
  const next = skipStops(tokens, at + 1);
  const afterSign = skipRange(tokens, next);
  const isRange = afterSign !== undefined && weekdays.has(tokens[afterSign]?.text ?? '');
  const end = isRange ? skipStops(tokens, afterSign + 1) : next;
  return [{ weekdays: first, isRange }, end];
}

/** Parses one date of a cell in all possible ways, the best first. */
function* partsAt(tokens: readonly Token[], at: number, order: DateOrder): Generator<Step<Part>> {
  const begin = skipArticles(tokens, at);
  const named = weekdaysAt(tokens, begin);
  const none: Weekdays = { weekdays: [], isRange: false };
  // "Mar" is also a month, so the date may begin there.
  const starts = named === undefined ? [] : [named];
  for (const [weekday, start] of [...starts, [none, begin] as const]) {
    const first = skipArticles(tokens, start);
    const shapes = [
      joinedAt(tokens, first),
      numbersAt(tokens, first, order),
      namesAt(tokens, first),
      daysAt(tokens, first),
    ];
    for (const shape of shapes) {
      for (const [date, next] of shape) {
        const { month = 1, day } = date;
        if (month < 1 || month > 12 || day < 1 || day > 31) continue;
        const part = {
          year: undefined,
          month: undefined,
          isPlain: false,
          isMonthFirst: false,
          ...weekday,
          ...date,
        };
        // The weekday may stand behind: 2.5.2026 (Sa).
        const behind =
          date.month === undefined ? undefined : weekdaysAt(tokens, skipStops(tokens, next));
        if (weekday === none && behind !== undefined) yield [{ ...part, ...behind[0] }, behind[1]];
        yield [part, next];
      }
    }
  }
}

/** Completes the first of several dates by the last one; undefined if they contradict each other. */
function startOf(first: Part, last: Part): Part | undefined {
  // The end of May 1–3, 2026 has no month of its own.
  const endMonth = last.month ?? (first.isMonthFirst ? first.month : undefined);
  const month = first.month ?? endMonth;
  if (endMonth === undefined || month === undefined) return undefined;
  // "Mar 5 – Mar 7" has no weekday.
  if (first.month === undefined && first.weekdays.length > 0 && last.isMonthFirst) return undefined;
  // "28.11.2026 - 10.12" could have a time at its end.
  const couldBeTime = last.isPlain || last.month === undefined;
  if (first.year !== undefined && last.year === undefined && couldBeTime) return undefined;
  const isAfter = month > endMonth || (month === endMonth && first.day > last.day);
  if (first.year !== undefined) {
    const endYear = last.year ?? first.year;
    if (endYear < first.year || (endYear === first.year && isAfter)) return undefined;
    return { ...first, month, isRange: true };
  }
  if (isAfter && (first.month === undefined || last.month === undefined)) return undefined;
  const year = last.year === undefined || !isAfter ? last.year : last.year - 1;
  return { ...first, month, year, isRange: true };
}

type Timed = {
  readonly part: Part;
  readonly time: string | undefined;
  /** Positions after the date, at its time and after both. */
  readonly dateEnd: number;
  readonly timeAt: number;
  readonly end: number;
};

/** Returns the position of a time of day after a date, or undefined if there can be none. */
function findTime(tokens: readonly Token[], at: number): number | undefined {
  const next = skipStops(tokens, at);
  const [sign, , dot, minute] = tokens.slice(next, next + 4);
  if (sign?.text === 't' && !sign.hasGap) return next + 1;
  if (!/^[-/|;]$/.test(sign?.text ?? '')) return sign?.hasGap ? next : undefined;
  // "2.5.14-17 Uhr" could have a year or not.
  if (!sign?.hasGap && tokens[next - 1]?.text.length !== 4) return undefined;
  // "28.11.2026 - 10.12" could end on 10 December or begin at 10:12.
  const couldBeDay = dot?.text === '.' && Number(minute?.text) >= 1 && Number(minute?.text) <= 12;
  return couldBeDay && tokens.length === next + 4 ? undefined : next + 1;
}

/** Parses one date with its time, if there is one. */
function* timedAt(tokens: readonly Token[], at: number, order: DateOrder): Generator<Step<Timed>> {
  for (const [part, next] of partsAt(tokens, at, order)) {
    const timeAt = part.month === undefined ? undefined : findTime(tokens, next);
    if (timeAt !== undefined) {
      for (const [time, end] of timesAt(tokens, timeAt))
        yield [{ part, time, dateEnd: next, timeAt, end }, end];
    }
    yield [{ part, time: undefined, dateEnd: next, timeAt: next, end: next }, next];
  }
}

/** Parses up to `maxParts` dates with a separator between them. */
function* chainsAt(
  tokens: readonly Token[],
  at: number,
  order: DateOrder,
  max: number,
): Generator<Step<readonly Timed[]>> {
  for (const [timed, next] of timedAt(tokens, at, order)) {
    yield [[timed], next];
    if (max === 1) continue;
    const comma = tokens[next]?.text === ',' && timed.part.month === undefined;
    const afterSign = comma ? next + 1 : skipRange(tokens, skipStops(tokens, next));
    if (afterSign === undefined) continue;
    for (const [rest, end] of chainsAt(tokens, afterSign, order, max - 1)) {
      yield [[timed, ...rest], end];
    }
  }
}

/** Returns true for two days that are a list, such as 5.12. u. 12.12.; 12./13.06. is a range. */
function isList(tokens: readonly Token[], { part, end }: Timed, { part: { day } }: Timed): boolean {
  const sign = tokens[skipStops(tokens, end)]?.text ?? '';
  const isNext = day === part.day + 1 || day === 1;
  return sign === '/' ? !isNext : joints.list.has(sign) || tokens[end]?.text === ',';
}

/** Returns true for a last day before the first one, which would be nearly a year later, as in 13.3.-12.3. */
function isNearlyAYear(first: Part, last: Pick<LastDate, 'day'> & Pick<Part, 'month'>): boolean {
  const [start, end] = [first, last].map(({ month, day }) => writeDay(2000, month ?? 1, day));
  const days = start === undefined || end === undefined ? 0 : daysBetween(start, end);
  return days < 0 && days + 365 > maxDaysWithoutYear;
}

/** A date within a text. */
export type DateReading = {
  readonly date: WrittenDate;
  /** True for two numbers and nothing more. */
  readonly isPlain: boolean;
  /** Positions after the date and at its time; equal without a time. */
  readonly dateEnd: number;
  readonly timeAt: number;
  /** The end of a range or list, and the position after its start. */
  readonly last: { readonly date: WrittenDate; readonly at: number } | undefined;
};

/**
 * Parses the date that begins at a token, with its time, in all possible ways, the best first. A
 * range or a list has up to `max` dates.
 */
export function* datesAt(
  tokens: readonly Token[],
  at: number,
  order: DateOrder,
  max: number,
): Generator<Step<DateReading>> {
  for (const [chain, next] of chainsAt(tokens, at, order, max)) {
    const [first, last] = [chain[0], chain.at(-1)];
    if (first === undefined || last === undefined) continue;
    const start = chain.length === 1 ? first.part : startOf(first.part, last.part);
    if (start?.month === undefined) continue;
    const { year, month, day, weekdays: days, isRange } = start;
    const timed = first.time === undefined ? last : first;
    const hasTwoTimes = first.time !== undefined && chain.length > 1;
    const end =
      timed.time === undefined || hasTwoTimes ? undefined : rangeEndAt(tokens, timed.timeAt);
    const times = end?.isList ? { hasMark: true } : { end: end?.time };
    const lastDate = { ...last.part, month: last.part.month ?? month, time: last.time };
    const isDays = chain.length === 2 && !isList(tokens, first, last);
    if (isDays && first.part.year === undefined && isNearlyAYear(start, lastDate)) continue;
    const date: WrittenDate = {
      ...{ year, month, day, weekdays: days, time: timed.time, isRange },
      ...times,
      last: isDays ? { ...lastDate, time: hasTwoTimes ? last.time : times.end } : undefined,
    };
    const isPlain =
      chain.every(({ part }) => part.isPlain) && days.length === 0 && timed.time === undefined;
    const other = chain.length === 1 ? undefined : { date: lastDate, at: first.dateEnd };
    yield [{ date, isPlain, dateEnd: timed.dateEnd, timeAt: timed.timeAt, last: other }, next];
  }
}

/** Parses tokens that are a date and nothing else, or words for the whole day. */
function parse(tokens: readonly Token[], order: DateOrder): DateReading | undefined {
  for (const [reading, next] of datesAt(tokens, 0, order, maxParts)) {
    const end = skipStops(tokens, next);
    if (end === tokens.length) return reading;
    const rest = tokens.slice(end);
    if (reading.date.time !== undefined && rest.every(({ text }) => dayTimes.marks.has(text))) {
      return { ...reading, date: { ...reading.date, hasMark: true } };
    }
    if (reading.dateEnd === reading.timeAt && areNoTime(rest)) {
      return { ...reading, date: { ...reading.date, isTimeOpen: areOpenTime(rest) } };
    }
  }
  return undefined;
}

/** Words before the last day on which something may take place. */
const deadlines = words(ends.day, 'by met spatestens uiterlijk');

/** A date in a text that goes on, by its characters; a deadline is no day of an event. */
type FoundDate = { readonly start: number; readonly end: number; readonly isDeadline: boolean };

/** Finds the first date in a text, with all days of a range or a list. */
export function findDate(text: string): FoundDate | undefined {
  const tokens = tokenizeLine(text.slice(0, maxLength));
  for (const [at, { start }] of tokens.entries()) {
    let next = 0;
    for (const [{ date, isPlain }, after] of datesAt(tokens, at, 'dmy', maxParts)) {
      // In "Gruppe 2 - 5.9." and "Race 4, 5 December", the first number is no day.
      const hasMonth = tokens.slice(at, after).some((token) => months.has(token.text));
      const isNumbered = date.isRange && tokens[at + 1]?.hasGap && !hasMonth;
      const isApart = date.isRange && tokens.slice(at, after).some((token) => token.text === ',');
      if (!isPlain && !isNumbered && !isApart) next = Math.max(next, after);
    }
    const end = tokens[next - 1]?.end;
    if (end === undefined) continue;
    return { start, end, isDeadline: deadlines.has(tokens[at - 1]?.text ?? '') };
  }
  return undefined;
}

/** A timestamp in ISO 8601, in which "-05:00" is no end of a range. */
export const hasOffset = /^\d{4}-\d\d-\d\d[T ][\d:.,]+ ?(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** Returns true for numbers with a slash between them. */
function hasSlash(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ text }, at) =>
      text === '/' && tokens[at - 1]?.kind === 'number' && tokens[at + 1]?.kind === 'number',
  );
}

function plainDate(year: number, month: number, day: number): WrittenDate {
  return { year, month, day, weekdays: [], time: undefined, isRange: false };
}

/**
 * Parses a date as people write it, with or without weekday, year and time, in English, German,
 * French or Dutch; a range gives its first day. A timestamp with an offset is left to
 * `parseTimestamp`. A date with slashes or hyphens uses `order`, else
 * day first; with slashes, month first if nothing else is possible. Returns undefined for a text
 * that is not understood. A day that does not exist, such as 31.11., is understood.
 */
export function parseDate(cell: string, order: DateOrder | undefined): WrittenDate | undefined {
  // Fast path: most dates of a file are like 31.5.2026.
  const [, day, month, year] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(cell) ?? [];
  if (Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12) {
    if (Number(year) > 0) return plainDate(Number(year), Number(month), Number(day));
  }
  const tokens = hasOffset.test(cell.trim()) ? [] : tokenize(cell);
  const date = parse(tokens, order ?? 'dmy')?.date;
  if (date !== undefined || order !== undefined || !hasSlash(tokens)) return date;
  return parse(tokens, 'mdy')?.date;
}

/** Returns true for a day that exists in the proleptic Gregorian calendar, from the year 1 on. */
export function isDay(year: number, month: number, date: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Returns the date in a year, or undefined if its month has no such day. */
export function completeDate(
  { month, day, time }: Pick<WrittenDate, 'month' | 'day' | 'time'>,
  year: number,
): LocalDate | undefined {
  if (!isDay(year, month, day)) return undefined;
  return { day: writeDay(year, month, day), time };
}

/** Returns true unless the date names a weekday that it does not have. */
function fitsWeekday({ year, month, day, weekdays: days }: WrittenDate): boolean {
  if (year === undefined || days.length === 0) return true;
  return days.includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay());
}

/**
 * Returns the only possible order of a date with slashes or hyphens, or `either` if both are
 * possible. A date with hyphens is never `either`: it begins with its day, if its column shows
 * nothing else.
 */
export function orderOf(cell: string): DateOrder | 'either' | undefined {
  if (!/[/-]/.test(cell.slice(0, 100))) return undefined;
  const tokens = tokenize(cell);
  const [dmy, mdy] = [parse(tokens, 'dmy')?.date, parse(tokens, 'mdy')?.date];
  if (mdy === undefined) return dmy === undefined ? undefined : 'dmy';
  if (dmy === undefined) return 'mdy';
  // "21/09/25" is hardly the days 21 to 25 of September.
  if (dmy.isRange !== mdy.isRange) return dmy.isRange ? 'mdy' : 'dmy';
  if (dmy.day === mdy.day && dmy.month === mdy.month) return undefined;
  const [fitsDmy, fitsMdy] = [dmy, mdy].map(fitsWeekday);
  if (fitsDmy !== fitsMdy) return fitsDmy ? 'dmy' : 'mdy';
  return hasSlash(tokens) ? 'either' : undefined;
}

/** Returns true for a date that cannot be a number, a result or a time, even if it is 31.11.2026. */
export function looksLikeDate(cell: string): boolean {
  const tokens = tokenize(cell);
  const parsed = parse(tokens, 'dmy') ?? parse(tokens, 'mdy');
  if (parsed === undefined) return hasOffset.test(cell.trim());
  const isJoined = tokens.length === 1;
  return isJoined ? /^(19|20)/.test(tokens[0]?.text ?? '') : !parsed.isPlain;
}

/**
 * Reads the number by which Excel stores a date from 1970 on: days since the end of 1899. Rounds to
 * the nearest second.
 */
export function readSerial(cell: string): LocalDate | undefined {
  const text = cell.trim();
  if (!/^\d{5,7}(?:[.,]\d+)?$/.test(text)) return undefined;
  const serial = Number(text.replace(',', '.'));
  if (serial < serials.first || serial > serials.last) return undefined;
  const seconds = Math.round(serial * secondsOfDay);
  const days = Math.floor(seconds / secondsOfDay);
  const date = new Date(Date.UTC(1899, 11, 30) + days * secondsOfDay * 1000);
  const time = seconds % secondsOfDay;
  const day = date.toISOString().slice(0, 10);
  return { day, time: time === 0 ? undefined : writeTime(time) };
}

/** Returns the year of the first occurrence of a date without a year on or after `first`. */
export function yearFrom(first: Day, { month, day }: Pick<WrittenDate, 'month' | 'day'>): number {
  const { year } = partsOf(first);
  return writeDay(year, month, day) < first ? year + 1 : year;
}
