import { completeDate, datesAt, type WrittenDate, yearFrom } from './dates.ts';
import { type Day, dayAt } from './days.ts';
import { type Token, tokenizeLine } from './tokens.ts';
import { dayMs } from './units.ts';
import {
  articles,
  type DateUnit,
  daysOff,
  ends,
  joints,
  numbers,
  ordinals,
  ordinalWords,
  repeats,
  unitOf,
  unitOfAdverb,
  weekdayOf,
  weekdays,
  words,
} from './vocabulary.ts';

/** Days on which an event takes place again. */
export type Rule = {
  readonly unit: DateUnit;
  /** Units from one date to the next, at least 1. */
  readonly interval: number;
  /** Days of the week, from 0 for Sunday; empty for the one of the first date. */
  readonly weekdays: readonly number[];
  /** The weekday of a month, from 1 to 5, or -1 for the last. */
  readonly nth?: number;
  /** The day of a month; a month that is shorter has none. */
  readonly monthDay?: number;
};

/** The last possible day as `YYYY-MM-DD`, or the number of dates. */
export type End = { readonly until: string } | { readonly count: number };

/** The longest repetition, in years from its first date. */
const maxYears = 2;

/** Returns the number of the week of a day; weeks begin on Monday, as 1 January 1970 was a Thursday. */
const weekOf = (ms: number) => Math.floor((ms / dayMs + 3) / 7);

const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

/** Returns true for the nth, or last, of its weekday in its month. */
function isNth(date: Date, nth: number): boolean {
  const day = date.getUTCDate();
  if (nth > 0) return Math.ceil(day / 7) === nth;
  return new Date(date.getTime() + 7 * dayMs).getUTCMonth() !== date.getUTCMonth();
}

/** Returns true for a day with the weekday, or the day of the month, of the rule. */
function hasDay({ unit, weekdays: days, nth, monthDay }: Rule, date: Date, first: Date): boolean {
  if (unit === 'year' && date.getUTCMonth() !== first.getUTCMonth()) return false;
  if (nth !== undefined) return days.includes(date.getUTCDay()) && isNth(date, nth);
  if (unit === 'month' || unit === 'year') {
    return date.getUTCDate() === (monthDay ?? first.getUTCDate());
  }
  if (days.length > 0) return days.includes(date.getUTCDay());
  return unit === 'day' || date.getUTCDay() === first.getUTCDay();
}

/** Returns the number of units between two days that fit a rule. */
function unitsBetween({ unit }: Rule, first: Date, date: Date): number {
  if (unit === 'day') return (date.getTime() - first.getTime()) / dayMs;
  if (unit === 'week') return weekOf(date.getTime()) - weekOf(first.getTime());
  const months = monthOf(date) - monthOf(first);
  return unit === 'month' ? months : months / 12;
}

/**
 * Lists the days of a rule as `YYYY-MM-DD`, from the first that fits on or after `from`, without
 * those left out, which do not count. Days after two years are missing; `isCut` is true then.
 */
export function listDays(
  rule: Rule,
  from: string,
  end: End,
  leftOut: ReadonlySet<string> = new Set(),
): { readonly days: readonly string[]; readonly isCut: boolean } {
  const start = new Date(`${from}T00:00:00Z`);
  const limit = new Date(start);
  limit.setUTCFullYear(start.getUTCFullYear() + maxYears);
  const until = 'until' in end ? Date.parse(end.until) : Number.POSITIVE_INFINITY;
  const count = 'count' in end ? end.count : Number.POSITIVE_INFINITY;
  const days: string[] = [];
  let first: Date | undefined;
  for (let ms = start.getTime(); ms <= until && days.length < count; ms += dayMs) {
    if (ms > limit.getTime()) return { days, isCut: true };
    const date = new Date(ms);
    if (!hasDay(rule, date, first ?? start)) continue;
    first ??= date;
    if (unitsBetween(rule, first, date) % rule.interval !== 0) continue;
    const day = dayAt(date);
    if (!leftOut.has(day)) days.push(day);
  }
  return { days, isCut: false };
}

/** The days of a repetition. */
export type Plan = {
  readonly days: readonly Day[];
  /** These and the days left out, in order. */
  readonly possible: readonly Day[];
  /** True if the repetition would go on after two years. */
  readonly isCut: boolean;
};

/** Lists the days of a rule without those that `chooseLeftOut` finds among the days of two years. */
export function planDays(
  rule: Rule,
  from: Day,
  end: End,
  chooseLeftOut: (days: readonly Day[]) => ReadonlySet<Day>,
): Plan {
  // A date that is left out does not count, so the search for it goes two years ahead.
  const all = listDays(rule, from, { count: Number.POSITIVE_INFINITY }).days;
  const { days, isCut } = listDays(rule, from, end, chooseLeftOut(all));
  const last = 'until' in end ? end.until : (days.at(-1) ?? from);
  return { days, possible: all.filter((day) => day <= last), isCut };
}

/** A repetition as written: every Tuesday from 5 January until 30 June. */
export type WrittenRepetition = {
  readonly rule: Rule;
  readonly from?: WrittenDate;
  readonly until?: WrittenDate;
  readonly count?: number;
  /** True for "except holidays": the days off of the club are left out. */
  readonly exceptDaysOff?: true;
};

/** Numbers and ordinals in words; "a" and "un" are articles, and larger ones rather parts of names. */
const numberWords = new Map([
  ...[...numbers].filter(([, number]) => number > 1 && number <= 5),
  ...ordinalWords,
  ...['other', 'andere'].map((word) => [word, 2] as const),
]);
/** Words that say nothing by themselves. */
const fillers = words(
  articles.the,
  articles.day,
  'of in and a day im an und tag du au un une et dag van en met zum',
);
/** Words and signs between other words. */
const separators = words(joints.and, ', &');

/** The parts of a text that were read so far. */
type Reading = {
  unit?: Rule['unit'];
  interval?: number;
  weekdays: number[];
  nth?: number;
  /** True for an ordinal in a word, such as "every second Tuesday". */
  isWord?: boolean;
  monthDay?: number;
  from?: WrittenDate;
  until?: WrittenDate;
  count?: number;
  exceptDaysOff?: true;
  isRepeated: boolean;
};

/** Returns the weekday of a word, also in the plural: mardis, dienstags, Tuesdays. */
function weekdayAt(token: Token | undefined, isFrench: boolean): number | undefined {
  if (token?.kind !== 'word') return undefined;
  const { text } = token;
  return weekdayOf(text, isFrench) ?? weekdayOf(text.replace(/(?:en|n|s)$/, ''), isFrench);
}

/** Reads a number or an ordinal: 2, 2., 2nd, second; returns it with the position after it. */
function numberAt(tokens: readonly Token[], at: number): [number, number] | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.kind === 'word') {
    const number = numberWords.get(token.text);
    return number === undefined ? undefined : [number, at + 1];
  }
  if (token?.kind !== 'number' || token.text.length > 3) return undefined;
  const isOrdinal = next?.hasGap === false && (next.text === '.' || ordinals.has(next.text));
  return [Number(token.text), isOrdinal ? at + 2 : at + 1];
}

/** Reads a date behind words such as "until the" or "bis zum"; the best reading counts. */
function dateBehind(tokens: readonly Token[], at: number): [WrittenDate, number] | undefined {
  let start = at;
  while (fillers.has(tokens[start]?.text ?? '') || ends.day.has(tokens[start]?.text ?? '')) {
    start += 1;
  }
  for (const [{ date, dateEnd }] of datesAt(tokens, start, 'dmy', 1)) return [date, dateEnd];
  return undefined;
}

/** Returns the position after words such as "except school holidays"; undefined for other words. */
function holidaysEnd(tokens: readonly Token[], at: number): number | undefined {
  const word = (position: number) => tokens[position]?.text ?? '';
  if (!daysOff.except.has(word(at))) return undefined;
  let end: number | undefined;
  for (let next = at + 1; next < tokens.length; next += 1) {
    if (daysOff.names.has(word(next))) end = next + 1;
    else if (!daysOff.fillers.has(word(next)) && !separators.has(word(next))) break;
  }
  return end;
}

/** Reads a weekday, or a range of them such as Mo-Fr; returns the position after it. */
function readWeekday(tokens: readonly Token[], at: number, reading: Reading, isFrench: boolean) {
  const first = weekdayAt(tokens[at], isFrench);
  if (first === undefined) return undefined;
  if (!weekdays.has(tokens[at]?.text ?? '')) reading.isRepeated = true;
  const sign = tokens[at + 1]?.text ?? '';
  const last = weekdayAt(tokens[at + 2], isFrench);
  const isRange = (sign === '-' || joints.weekdays.has(sign)) && last !== undefined;
  const days = isRange ? (last - first + 7) % 7 : 0;
  for (let day = 0; day <= days; day += 1) reading.weekdays.push((first + day) % 7);
  return isRange ? at + 3 : at + 1;
}

/** Reads what a number says: a count, an interval, the weekday or the day of a month. */
function readNumber(tokens: readonly Token[], at: number, reading: Reading, isFrench: boolean) {
  const read = numberAt(tokens, at);
  if (read === undefined) return undefined;
  const [number, next] = read;
  const behind = tokens[next]?.text === '-' ? tokens[next + 1] : tokens[next];
  if (repeats.times.has(behind?.text ?? '')) {
    Object.assign(reading, { count: number, isRepeated: true });
    return tokens.indexOf(behind as Token) + 1;
  }
  const unit = unitOf(behind?.text);
  if (unit !== undefined && number > 0) {
    // In French, two weeks are called fifteen days.
    const isTwoWeeks = isFrench && unit === 'day' && number === 15;
    Object.assign(reading, isTwoWeeks ? { unit: 'week', interval: 2 } : { unit, interval: number });
    return next + 1;
  }
  const isWord = tokens[at]?.kind === 'word';
  if (weekdayAt(tokens[next], isFrench) !== undefined && number <= 5) {
    Object.assign(reading, { nth: number, isWord });
    return next;
  }
  if (isWord || number < 1 || number > 31) return undefined;
  reading.monthDay = number;
  return next;
}

/** Reads the next part of a text; returns the position after it, or undefined if it has no meaning. */
function readPart(tokens: readonly Token[], at: number, reading: Reading, isFrench: boolean) {
  const { text, kind } = tokens[at] as Token;
  if (kind === 'sign') return /^[.,/&+-]$/.test(text) ? at + 1 : undefined;
  const holidays = holidaysEnd(tokens, at);
  if (holidays !== undefined) {
    reading.exceptDaysOff = true;
    return holidays;
  }
  for (const [name, list] of [
    ['until', ends.day],
    ['from', articles.from],
  ] as const) {
    const dated = list.has(text) ? dateBehind(tokens, at + 1) : undefined;
    if (dated === undefined) continue;
    [reading[name]] = dated;
    return dated[1];
  }
  // "un mardi sur deux", "om de week".
  const isEveryOther =
    (text === 'sur' && tokens[at + 1]?.text === 'deux') ||
    (text === 'om' && tokens[at + 1]?.text === 'de');
  if (isEveryOther) {
    Object.assign(reading, { interval: 2, isRepeated: true });
    return at + 2;
  }
  if (repeats.every.has(text)) {
    reading.isRepeated = true;
    return at + 1;
  }
  const unit = unitOfAdverb(text) ?? unitOf(text);
  if (unit !== undefined) {
    reading.isRepeated ||= unitOfAdverb(text) !== undefined;
    reading.unit = unit;
    return at + 1;
  }
  return (
    readNumber(tokens, at, reading, isFrench) ??
    readWeekday(tokens, at, reading, isFrench) ??
    (fillers.has(text) ? at + 1 : undefined)
  );
}

/** Returns the rule of a reading, or undefined if its parts contradict each other or lack one. */
function ruleOf(reading: Reading): Rule | undefined {
  const { nth, isWord, monthDay, isRepeated } = reading;
  const days = [...new Set(reading.weekdays)];
  const isMonthly = reading.unit === 'month' || reading.unit === 'year';
  // "Every second Tuesday" is every other one; "every 2nd Tuesday" could be one of the month.
  const isEveryOther = nth === 2 && !isMonthly && isWord && isRepeated;
  const isOfMonth = nth !== undefined && !isEveryOther;
  if (isOfMonth && !isMonthly && nth !== 1 && nth !== -1) return undefined;
  const unit =
    isOfMonth && !isMonthly ? 'month' : (reading.unit ?? (days.length > 0 ? 'week' : undefined));
  if (unit === undefined || !(isRepeated || (isOfMonth && isMonthly))) return undefined;
  const interval = isEveryOther ? 2 : (reading.interval ?? 1);
  if (unit === 'day' && days.length > 0) return undefined;
  if (isOfMonth !== days.length > 0 && unit !== 'week') return undefined;
  if (monthDay !== undefined && (unit !== 'month' || isOfMonth)) return undefined;
  return {
    unit,
    interval,
    weekdays: days,
    ...(isOfMonth && { nth }),
    ...(monthDay !== undefined && { monthDay }),
  };
}

/**
 * Reads a repetition in English, German, French or Dutch: "every Tue until 30 June", "jeden 2. Samstag
 * im Monat, 10 mal", "tous les mardis". Returns undefined for a text that has other words, or that
 * could mean two rules, such as "every 2nd Tuesday".
 */
export function readRepetition(text: string): WrittenRepetition | undefined {
  const tokens = tokenizeLine(text);
  const isFrench = tokens.some((token) => repeats.french.has(token.text));
  const reading: Reading = { weekdays: [], isRepeated: false };
  for (let at = 0; at < tokens.length; ) {
    const next = readPart(tokens, at, reading, isFrench);
    if (next === undefined) return undefined;
    at = next;
  }
  const rule = ruleOf(reading);
  if (rule === undefined || rule.interval < 1 || reading.count === 0) return undefined;
  const { from, until, count, exceptDaysOff } = reading;
  // One of two ends would be ignored.
  if (until !== undefined && count !== undefined) return undefined;
  return {
    rule,
    ...(from && { from }),
    ...(until && { until }),
    ...(count !== undefined && { count }),
    ...(exceptDaysOff && { exceptDaysOff }),
  };
}

/** Returns a written day as `YYYY-MM-DD`; without a year, it is the next one from `first` on. */
export function dayFrom(written: WrittenDate | undefined, first: string): string | undefined {
  return written && completeDate(written, written.year ?? yearFrom(first, written))?.day;
}

/**
 * Returns the first possible day of a repetition, by default `day`, and its end. It is undefined for
 * a day that does not exist; the end is absent if none is written.
 */
export function boundsOf(
  { from: writtenFrom, until: writtenUntil, count }: WrittenRepetition,
  day: string,
): { readonly from: string; readonly end?: End } | undefined {
  const from = writtenFrom === undefined ? day : dayFrom(writtenFrom, day);
  if (from === undefined) return undefined;
  const until = dayFrom(writtenUntil, from);
  if (writtenUntil !== undefined) return until === undefined ? undefined : { from, end: { until } };
  return { from, ...(count !== undefined && { end: { count } }) };
}

/** A range of tokens. */
type Run = { readonly from: number; readonly to: number };

/** A repetition among other words, with the ranges of its parts. */
type FoundRepetition = {
  readonly written: WrittenRepetition;
  readonly rule: Run;
  /** Its first and last day. */
  readonly bounds: readonly Run[];
  /** Words such as "except holidays". */
  readonly exceptions: readonly Run[];
};

/** Returns the runs that leave out the days off of the club. */
function exceptionRuns(tokens: readonly Token[]): readonly Run[] {
  return tokens.flatMap((_, from) => {
    const to = holidaysEnd(tokens, from);
    return to === undefined ? [] : [{ from, to }];
  });
}

/** Returns the runs that name a first or a last day, or a number of times. */
function boundRuns(tokens: readonly Token[]): readonly Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < tokens.length; ) {
    const { text } = tokens[from] as Token;
    const isWord = ends.day.has(text) || articles.from.has(text);
    const [, dateEnd] = (isWord ? dateBehind(tokens, from + 1) : undefined) ?? [];
    const [, numberEnd = -1] = numberAt(tokens, from) ?? [];
    const isCount =
      tokens[from]?.kind === 'number' && repeats.times.has(tokens[numberEnd]?.text ?? '');
    const to = dateEnd ?? (isCount ? numberEnd + 1 : undefined);
    if (to !== undefined) runs.push({ from, to });
    from = to ?? from + 1;
  }
  return runs;
}

/** Returns true for words such as "every", "weekly", "Tuesdays" or "2nd Tuesday". */
function canBeginRule(tokens: readonly Token[], at: number, isFrench: boolean): boolean {
  const { text } = tokens[at] as Token;
  if (repeats.every.has(text) || unitOfAdverb(text) !== undefined) return true;
  // The French month "mars" is no plural of "mar".
  const isPlural =
    text.length > 5 && weekdayAt(tokens[at], isFrench) !== undefined && !weekdays.has(text);
  const isWeekday = weekdayAt(tokens[at], isFrench) !== undefined;
  const [, next = isWeekday ? at + 1 : -1] = numberAt(tokens, at) ?? [];
  const { text: behind = '' } = tokens[next] ?? {};
  const isRepeated = repeats.every.has(behind) || unitOfAdverb(behind) !== undefined;
  return isPlural || isRepeated || (!isWeekday && weekdayAt(tokens[next], isFrench) !== undefined);
}

/** Returns the positions at which the words of a rule could end, the last one first. */
function stopsOf(tokens: readonly Token[], from: number, end: number, isFrench: boolean) {
  const reading: Reading = { weekdays: [], isRepeated: false };
  const stops: number[] = [];
  for (let at = from; at < end; ) {
    const next = readPart(tokens, at, reading, isFrench);
    if (next === undefined || next > end) break;
    const last = tokens[next - 1];
    if (last?.kind !== 'sign' || last.text === '.') stops.push(next);
    at = next;
  }
  return stops.filter((to) => !fillers.has(tokens[to - 1]?.text ?? '')).reverse();
}

/**
 * Finds a repetition among other words, such as "Training every Tue 19:00 Hall until 30 June".
 * Tokens that `isTaken` belong to other values, such as a time.
 */
export function findRepetition(
  text: string,
  tokens: readonly Token[],
  isTaken: (at: number) => boolean,
): FoundRepetition | undefined {
  const isFrench = tokens.some((token) => repeats.french.has(token.text));
  const bounds = boundRuns(tokens);
  const exceptions = exceptionRuns(tokens);
  const apart = [...bounds, ...exceptions];
  const wordsOf = ({ from, to }: Run) =>
    text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
  for (let from = 0; from < tokens.length; from += 1) {
    const inBounds = (at: number) => apart.some((run) => at >= run.from && at < run.to);
    if (inBounds(from) || isTaken(from) || !canBeginRule(tokens, from, isFrench)) continue;
    let end = from;
    while (end < tokens.length && !inBounds(end) && !isTaken(end)) end += 1;
    for (const to of stopsOf(tokens, from, end, isFrench)) {
      const rule = { from, to };
      for (const named of bounds.length > 0 ? [bounds, []] : [[]]) {
        const written = readRepetition([rule, ...named, ...exceptions].map(wordsOf).join(' '));
        // "Weekly" could be a word of a name.
        const isSure = unitOfAdverb(tokens[from]?.text) === undefined || named.length > 0;
        if (written !== undefined && isSure) return { written, rule, bounds: named, exceptions };
      }
    }
  }
  return undefined;
}
