import { addDays, type Day, dateAt, dayAt, partsOf } from './days.ts';
import {
  type Holiday,
  phraseIn,
  type Run,
  type Source,
  spanAt,
  spansAt,
  type WrittenSpan,
} from './spans.ts';
import { type Token, tokenizeLine } from './tokens.ts';
import { dayMs } from './units.ts';
import {
  articles,
  type DateUnit,
  daysOff,
  ends,
  joints,
  months,
  numberOf,
  numbers,
  ordinals,
  ordinalWords,
  relative,
  repeats,
  unitOf,
  unitOfAdverb,
  units,
  weekdayOf,
  weekdays,
  weekNumberWords,
  withoutPart,
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
  /** Weeks by their ISO number. */
  readonly weeks?: 'odd' | 'even';
};

/** The last possible day as `YYYY-MM-DD`, or the number of dates. */
export type End = { readonly until: string } | { readonly count: number };

/** The longest repetition, in years from its first date. */
const maxYears = 2;
/** More dates than any repetition has. */
const maxDates = Number.POSITIVE_INFINITY;

/** Returns the number of the week of a day; weeks begin on Monday, as 1 January 1970 was a Thursday. */
const weekOf = (ms: number) => Math.floor((ms / dayMs + 3) / 7);

const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

/** Returns true for a day in an odd week, by ISO 8601. */
function isInOddWeek(date: Date): boolean {
  const week = weekOf(date.getTime());
  const thursday = new Date(week * 7 * dayMs);
  const first = weekOf(dateAt(thursday.getUTCFullYear(), 1, 4).getTime());
  return (week - first) % 2 === 0;
}

/** Returns true for the nth, or last, of its weekday in its month. */
function isNth(date: Date, nth: number): boolean {
  const day = date.getUTCDate();
  if (nth > 0) return Math.ceil(day / 7) === nth;
  return new Date(date.getTime() + 7 * dayMs).getUTCMonth() !== date.getUTCMonth();
}

/** Returns true for a day with the weekday, or the day of the month, of the rule. */
function hasDay(rule: Rule, date: Date, first: Date): boolean {
  const { unit, weekdays: days, nth, monthDay, weeks } = rule;
  if (weeks !== undefined && (weeks === 'odd') !== isInOddWeek(date)) return false;
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
  const count = monthOf(date) - monthOf(first);
  return unit === 'month' ? count : count / 12;
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
  const all = listDays(rule, from, { count: maxDates }).days;
  const { days, isCut } = listDays(rule, from, end, chooseLeftOut(all));
  const last = 'until' in end ? end.until : (days.at(-1) ?? from);
  return { days, possible: all.filter((day) => day <= last), isCut };
}

/** Bounds of a repetition as written: from 5 January until Easter except holidays. */
type Bounds = {
  readonly from?: WrittenSpan;
  readonly until?: WrittenSpan;
  readonly count?: number;
  /** A length such as 10 weeks. */
  readonly length?: { readonly unit: DateUnit; readonly count: number };
  readonly except?: readonly WrittenSpan[];
  /** True for "except holidays": the days off of the club are left out. */
  readonly exceptDaysOff?: true;
};

/** A repetition as written: every Tuesday from 5 January until 30 June. */
export type WrittenRepetition = Bounds & { readonly rule: Rule };

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
  'of in and a day im an und tag du des au un une et dag van en met zum',
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
  weeks?: 'odd' | 'even';
  isRepeated: boolean;
};

const workdays = new Map(repeats.workdays.map((phrase) => [phrase, [1, 2, 3, 4, 5]]));
const weekWords = words(units.week, weekNumberWords, 'kalenderwochen');

const singular = (word: string) => word.replace(/(?:en|n|s)$/, '');

/** Returns the weekday of a word, also in the plural: mardis, dienstags, Tuesdays, Dienstagabend. */
function weekdayAt(token: Token | undefined, isFrench: boolean): number | undefined {
  if (token?.kind !== 'word') return undefined;
  const { text } = token;
  // Short weekdays that are rather an article or a pronoun here.
  if (/^(?:die|je|me|we)$/.test(text)) return undefined;
  // "Mars" is a month, and no plural of "mar".
  if (months.has(text) && !weekdays.has(text)) return undefined;
  const forms = [text, singular(text), withoutPart(text), withoutPart(singular(text))];
  return forms.map((form) => weekdayOf(form, isFrench)).find((day) => day !== undefined);
}

/** Returns true for a weekday in the plural. */
const isPluralWeekday = (text: string) => !weekdays.has(text) && !weekdays.has(withoutPart(text));

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

/** Some words that bound a repetition, and what they say. */
type Clause = Run & { readonly bounds: Bounds };

const textOf = (tokens: readonly Token[], at: number) => tokens[at]?.text ?? '';

/** Reads words such as "except school holidays", "except 22 and 29 December" or "sauf en août". */
function exceptionAt(source: Source, from: number): Clause | undefined {
  const { tokens } = source;
  if (!daysOff.except.has(textOf(tokens, from))) return undefined;
  const except: WrittenSpan[] = [];
  let isDaysOff = false;
  let to: number | undefined;
  for (let at = from + 1; at < tokens.length; ) {
    const word = textOf(tokens, at);
    const [spans, next] = spansAt(source, at) ?? [[], undefined];
    if (next !== undefined) {
      except.push(...spans);
      to = next;
    } else if (daysOff.names.has(word)) {
      isDaysOff = true;
      to = at + 1;
    } else if (!daysOff.fillers.has(word) && !separators.has(word)) break;
    at = next ?? at + 1;
  }
  if (to === undefined) return undefined;
  const named = except.length > 0 && { except };
  return { from, to, bounds: { ...named, ...(isDaysOff && { exceptDaysOff: true }) } };
}

/** Reads a number of dates, such as "10 times", or a length, such as "for 10 weeks". */
function lengthAt(tokens: readonly Token[], from: number): Clause | undefined {
  const isDuring = repeats.during.has(textOf(tokens, from));
  let at = isDuring ? from + 1 : from;
  while (
    isDuring &&
    (articles.the.has(textOf(tokens, at)) || relative.next.has(textOf(tokens, at)))
  )
    at += 1;
  const count = numberOf(textOf(tokens, at));
  if (count === undefined || count > 999) return undefined;
  const behind = textOf(tokens, at + 1);
  if (repeats.times.has(behind)) return { from, to: at + 2, bounds: { count } };
  const isLong = repeats.long.has(textOf(tokens, at + 2));
  const unit = unitOf(behind);
  // A camp "for 3 days" lasts so long each time.
  if (unit === undefined || unit === 'day' || !(isDuring || isLong)) return undefined;
  return { from, to: isLong ? at + 3 : at + 2, bounds: { length: { unit, count } } };
}

/** Reads words such as "until the end of June", "ab 5. Januar" or "à partir de janvier". */
function sideAt(source: Source, from: number): Clause | undefined {
  const { tokens } = source;
  const word = textOf(tokens, from);
  const isDutch = word === 't' && textOf(tokens, from + 2) === 'm';
  const side = isDutch || ends.day.has(word) ? 'until' : articles.from.has(word) && 'from';
  if (side === false) return undefined;
  const list = side === 'until' ? ends.day : articles.from;
  let at = isDutch ? from + 3 : from + 1;
  while (list.has(textOf(tokens, at)) || articles.span.has(textOf(tokens, at))) at += 1;
  const [span, to] = spanAt(source, at) ?? [];
  if (span === undefined || to === undefined) return undefined;
  const begin = word === 'partir' && textOf(tokens, from - 1) === 'a' ? from - 1 : from;
  return { from: begin, to, bounds: { [side]: span } };
}

/** Returns the words of a text that bound a repetition, in order. */
function clausesOf(source: Source): readonly Clause[] {
  const clauses: Clause[] = [];
  for (let at = 0; at < source.tokens.length; ) {
    const clause = exceptionAt(source, at) ?? sideAt(source, at) ?? lengthAt(source.tokens, at);
    if (clause !== undefined) clauses.push(clause);
    at = clause?.to ?? at + 1;
  }
  return clauses;
}

/** Reads a weekday, or a range of them such as Mo-Fr; returns the position after it. */
function readWeekday(tokens: readonly Token[], at: number, reading: Reading, isFrench: boolean) {
  const first = weekdayAt(tokens[at], isFrench);
  if (first === undefined) return undefined;
  if (isPluralWeekday(textOf(tokens, at))) reading.isRepeated = true;
  const sign = tokens[at + 1]?.text ?? '';
  const last = weekdayAt(tokens[at + 2], isFrench);
  const isRange = (sign === '-' || joints.weekdays.has(sign)) && last !== undefined;
  const days = isRange ? (last - first + 7) % 7 : 0;
  for (let day = 0; day <= days; day += 1) reading.weekdays.push((first + day) % 7);
  return isRange ? at + 3 : at + 1;
}

/** Reads what a number says: an interval, the weekday or the day of a month. */
function readNumber(tokens: readonly Token[], at: number, reading: Reading, isFrench: boolean) {
  const read = numberAt(tokens, at);
  if (read === undefined) return undefined;
  const [number, next] = read;
  const behind = tokens[next]?.text === '-' ? tokens[next + 1] : tokens[next];
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

/** Returns true for "om de" in "om de week", and for "sur deux" in "un mardi sur deux". */
const isEveryOther = (tokens: readonly Token[], at: number) =>
  /^(?:om de|sur deux)$/.test(`${textOf(tokens, at)} ${textOf(tokens, at + 1)}`);

/** Reads the next part of a text; returns the position after it, or undefined if it has no meaning. */
function readPart(tokens: readonly Token[], at: number, reading: Reading, isFrench: boolean) {
  const { text, kind } = tokens[at] as Token;
  if (kind === 'sign') return /^[.,/&+-]$/.test(text) ? at + 1 : undefined;
  const weeks = repeats.oddWeeks.has(text) ? 'odd' : repeats.evenWeeks.has(text) && 'even';
  const isBefore = weekWords.has(textOf(tokens, at + 1));
  if (weeks && (isBefore || weekWords.has(textOf(tokens, at - 1)))) {
    Object.assign(reading, { weeks, unit: 'week', isRepeated: true });
    return isBefore ? at + 2 : at + 1;
  }
  const five = phraseIn(tokens, at, workdays);
  if (five !== undefined) {
    reading.weekdays.push(...five[0]);
    // "Every weekday" has the word "every".
    reading.isRepeated ||= !/(?:day|tag|dag|jour)$/.test(text);
    return five[1];
  }
  if (isEveryOther(tokens, at)) {
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
    // "Tous les jours de la semaine" are five days or seven.
    if (reading.unit === 'day' && unit === 'week') return undefined;
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
  const { nth, isWord, monthDay, weeks, isRepeated } = reading;
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
    ...(weeks !== undefined && { weeks }),
  };
}

/** Puts a rule and its bounds together; undefined if these contradict each other. */
function withBounds(reading: Reading, clauses: readonly Clause[]): WrittenRepetition | undefined {
  const isCounted = clauses.some(({ bounds }) => bounds.count !== undefined);
  const rule = ruleOf({ ...reading, isRepeated: reading.isRepeated || isCounted });
  if (rule === undefined || rule.interval < 1) return undefined;
  const bounds: Bounds = Object.assign({}, ...clauses.map((clause) => clause.bounds));
  // One of two ends would be ignored.
  const names = clauses.flatMap((clause) => Object.keys(clause.bounds));
  const endNames = names.filter((name) => /^(?:until|count|length)$/.test(name));
  if (endNames.length > 1 || new Set(names).size < names.length || bounds.count === 0) {
    return undefined;
  }
  return { rule, ...bounds };
}

/**
 * Reads a repetition in English, German, French or Dutch: "every Tue until 30 June", "jeden 2. Samstag
 * im Monat, 10 mal", "tous les mardis". Returns undefined for a text that has other words, or that
 * could mean two rules, such as "every 2nd Tuesday".
 */
export function readRepetition(
  text: string,
  holidays: readonly Holiday[] = [],
): WrittenRepetition | undefined {
  const source = { text, tokens: tokenizeLine(text), holidays };
  const clauses = clausesOf(source);
  const isBound = (at: number) => clauses.some(({ from, to }) => at >= from && at < to);
  const tokens = source.tokens.filter((_, at) => !isBound(at));
  const isFrench = isFrenchText(source.tokens);
  const reading: Reading = { weekdays: [], isRepeated: false };
  for (let at = 0; at < tokens.length; ) {
    const next = readPart(tokens, at, reading, isFrench);
    if (next === undefined) return undefined;
    at = next;
  }
  return withBounds(reading, clauses);
}

const isFrenchText = (tokens: readonly Token[]) =>
  tokens.some(({ text }) => repeats.french.has(text));

/** Returns the day before that on which a length ends. */
function lastOf({ unit, count }: NonNullable<Bounds['length']>, from: Day): Day {
  if (unit === 'week' || unit === 'day')
    return addDays(from, count * (unit === 'week' ? 7 : 1) - 1);
  const { year, month, date } = partsOf(from);
  return addDays(dayAt(dateAt(year, month + count * (unit === 'month' ? 1 : 12), date)), -1);
}

/**
 * Returns the first possible day of a repetition, by default `day`, its end, and the days that are
 * named as exceptions. It is undefined for a day that does not exist or is none of the dates; the end
 * is absent if none is written.
 */
export function boundsOf(
  { rule, from: writtenFrom, until: writtenUntil, count, length, except = [] }: WrittenRepetition,
  day: string,
): { readonly from: string; readonly end?: End; readonly except: readonly Day[] } | undefined {
  const from = writtenFrom === undefined ? day : writtenFrom(day)?.first;
  if (from === undefined) return undefined;
  const until = writtenUntil ? writtenUntil(from)?.until : length && lastOf(length, from);
  if (writtenUntil !== undefined && until === undefined) return undefined;
  const last = until === undefined ? { count: maxDates } : { until };
  const all = except.length === 0 ? [] : listDays(rule, from, last).days;
  const left: Day[] = [];
  for (const written of except) {
    const before = left.length;
    let span = written(from);
    if (span === undefined) return undefined;
    const { isDate } = span;
    // Without a year, each Christmas is meant.
    for (let next = from; span && span.last >= next; span = written(next)) {
      const { first, last } = span;
      left.push(...all.filter((date) => first <= date && date <= last));
      if (last > (all.at(-1) ?? from)) break;
      next = addDays(last, 1);
    }
    if (isDate && left.length === before) return undefined;
  }
  const end = until === undefined ? count !== undefined && { count } : { until };
  return { from, ...(end && { end }), except: left };
}

/** A repetition among other words, with the ranges of its parts. */
type FoundRepetition = {
  readonly written: WrittenRepetition;
  readonly rule: Run;
  /** Its first and last day. */
  readonly bounds: readonly Run[];
  /** Words such as "except holidays". */
  readonly exceptions: readonly Run[];
};

/** Returns true for words such as "every", "weekly", "Tuesdays" or "2nd Tuesday". */
function canBeginRule(tokens: readonly Token[], at: number, isFrench: boolean): boolean {
  const { text } = tokens[at] as Token;
  if (repeats.every.has(text) || unitOfAdverb(text) !== undefined) return true;
  if (phraseIn(tokens, at, workdays) !== undefined) return true;
  if (isEveryOther(tokens, /^une?$/.test(text) ? at + 2 : at) && text !== 'sur') return true;
  const isWeek = weekWords.has(text) || weekWords.has(textOf(tokens, at + 1));
  const weeks = [text, textOf(tokens, at + 1)].some(
    (word) => repeats.oddWeeks.has(word) || repeats.evenWeeks.has(word),
  );
  if (isWeek && weeks) return true;
  const isPlural =
    text.length > 5 && weekdayAt(tokens[at], isFrench) !== undefined && isPluralWeekday(text);
  const isWeekday = weekdayAt(tokens[at], isFrench) !== undefined;
  const [, next = isWeekday ? at + 1 : -1] = numberAt(tokens, at) ?? [];
  const behind = textOf(tokens, next);
  const isRepeated = repeats.every.has(behind) || unitOfAdverb(behind) !== undefined;
  return isPlural || isRepeated || (!isWeekday && weekdayAt(tokens[next], isFrench) !== undefined);
}

/** Returns the readings of the words of a rule, which could end at several positions; the last first. */
function readingsFrom(tokens: readonly Token[], from: number, end: number, isFrench: boolean) {
  const reading: Reading = { weekdays: [], isRepeated: false };
  const readings: { to: number; reading: Reading }[] = [];
  for (let at = from; at < end; ) {
    const next = readPart(tokens, at, reading, isFrench);
    if (next === undefined || next > end) break;
    const last = tokens[next - 1];
    const isEnd = last?.kind !== 'sign' || last.text === '.';
    if (isEnd && !fillers.has(last?.text ?? '')) {
      readings.push({ to: next, reading: { ...reading, weekdays: [...reading.weekdays] } });
    }
    at = next;
  }
  return readings.reverse();
}

/**
 * Finds a repetition among other words, such as "Training every Tue 19:00 Hall until 30 June".
 * Tokens that `isTaken` belong to other values, such as a time.
 */
export function findRepetition(
  source: Source,
  isTaken: (at: number) => boolean,
): FoundRepetition | undefined {
  const { tokens } = source;
  const isFrench = isFrenchText(tokens);
  const clauses = clausesOf(source);
  const isFree = (at: number) =>
    !isTaken(at) && !clauses.some((clause) => at >= clause.from && at < clause.to);
  const isException = ({ bounds }: Clause) => bounds.except ?? bounds.exceptDaysOff;
  const [exceptions, bounds] = [true, false].map((is) =>
    clauses.filter((clause) => Boolean(isException(clause)) === is),
  ) as [Clause[], Clause[]];
  for (let from = 0; from < tokens.length; from += 1) {
    if (!isFree(from) || !canBeginRule(tokens, from, isFrench)) continue;
    // "Weekly" could be a word of a name.
    if (unitOfAdverb(tokens[from]?.text) !== undefined && bounds.length === 0) continue;
    let end = from;
    while (end < tokens.length && isFree(end)) end += 1;
    for (const { to, reading } of readingsFrom(tokens, from, end, isFrench)) {
      const written = withBounds(reading, clauses);
      if (written === undefined) continue;
      let begin = from;
      // The "am" of "am 1. Freitag im Monat" belongs to it, as "immer" does.
      while (repeats.before.has(textOf(tokens, begin - 1)) && isFree(begin - 1)) begin -= 1;
      return { written, rule: { from: begin, to }, bounds, exceptions };
    }
  }
  return undefined;
}
