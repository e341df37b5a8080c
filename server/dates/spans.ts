import { completeDate, type DateReading, datesAt, type WrittenDate, yearFrom } from './dates.ts';
import { addDays, addMonths, type Day, monthOf, partsOf, writeDay } from './days.ts';
import { type Step, skipStops, timesAt } from './times.ts';
import { type Token, tokenizeLine } from './tokens.ts';
import { articles, daysOff, feasts, joints, monthParts, months, unitOf } from './vocabulary.ts';

/** Days that words such as "22 December", "Easter" or "end of June" name. */
type Span = {
  readonly first: Day;
  readonly last: Day;
  /** The last day of something that goes on until then. */
  readonly until: Day;
  /** True for a day of a month, false for a feast, a month or holidays. */
  readonly isDate: boolean;
};

/** Returns the next such days from a day on; undefined for a day that does not exist. */
export type WrittenSpan = (from: Day) => Span | undefined;

/** A holiday of the club. */
export type Holiday = { readonly first: Day; readonly last: Day; readonly name: string };

/** A text with its tokens, and the holidays that it may name. */
export type Source = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly holidays: readonly Holiday[];
};

/** The first day of a feast, as month and day or in days from Easter Sunday, and its length. */
type Feast = {
  readonly date: readonly [month: number, day: number] | number;
  readonly days: number;
};

const feastsByName = (
  lists: readonly (readonly [Feast['date'], names: string, days?: number])[],
): ReadonlyMap<string, Feast> =>
  new Map(
    lists.flatMap(([date, names, days = 1]) =>
      names.split('|').map((name) => [name, { date, days }] as const),
    ),
  );
const singleDays = feastsByName([...feasts.fixed, ...feasts.movable]);
const allFeasts = new Map([...singleDays, ...feastsByName(feasts.seasons)]);
const maxWords = 5;

/** Returns the value of the longest phrase that begins at a token, and the position after it. */
export function phraseIn<Value>(
  tokens: readonly Token[],
  at: number,
  phrases: ReadonlyMap<string, Value>,
): Step<Value> | undefined {
  for (let to = Math.min(at + maxWords, tokens.length); to > at; to -= 1) {
    const words = tokens.slice(at, to).map(({ text }) => text);
    const value = phrases.get(words.join(' '));
    if (value !== undefined) return [value, to];
  }
  return undefined;
}

/** Returns the feast of one day whose name begins at a token: "Boxing Day", "Ostermontag". */
export const feastDayAt = (tokens: readonly Token[], at: number) =>
  phraseIn(tokens, at, singleDays);

/** Returns Easter Sunday of a year, by the Gregorian computus. */
function easterOf(year: number): Day {
  const [golden, century] = [year % 19, Math.floor(year / 100)];
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (skipped + 19 * golden + 15) % 30;
  const moon = epact - (epact > 28 || (epact === 28 && golden > 10) ? 1 : 0);
  const sunday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  return addDays(writeDay(year, 3, 28), moon - sunday);
}

export function feastIn({ date }: Feast, year: number): Day {
  return typeof date === 'number' ? addDays(easterOf(year), date) : writeDay(year, ...date);
}

/** Returns the first day from a day on that a function gives for its year or the next one. */
export function nextOf(from: Day, dayIn: (year: number) => Day | undefined): Day | undefined {
  const { year } = partsOf(from);
  return [year, year + 1].map(dayIn).find((day) => day !== undefined && day >= from);
}

/** Returns a written day as `YYYY-MM-DD`; without a year, it is the next one from `first` on. */
export function dayFrom(written: WrittenDate | undefined, first: Day): Day | undefined {
  return written && completeDate(written, written.year ?? yearFrom(first, written))?.day;
}

/** A range of tokens. */
export type Run = { readonly from: number; readonly to: number };

/**
 * Returns true for two digits of a date that may be something else, as in "5.12. 50 Jahre Chor". They
 * are its year with an apostrophe, between separators, or, near `thisYear`, at the end of the text.
 */
export function hasLooseYear(
  { text, tokens }: Pick<Source, 'text' | 'tokens'>,
  { from, to }: Run,
  thisYear?: number,
): boolean {
  const year = tokens.slice(from + 1, to).findLast(({ kind }) => kind === 'number');
  if (year?.text.length !== 2 || !year.hasGap) return false;
  if (/['’]/.test(text.charAt(year.start - 1))) return false;
  const ahead = thisYear === undefined ? 0 : 2000 + Number(year.text) - thisYear;
  return skipStops(tokens, to) < tokens.length || ahead < -1 || ahead > 5;
}

/** Returns the longest reading of up to `max` dates at a token that `isRight` accepts. */
function dateAt(
  source: Source,
  at: number,
  max: number,
  isRight: (reading: DateReading) => boolean = () => true,
): Step<DateReading> | undefined {
  let best: Step<DateReading> | undefined;
  for (const [reading, next] of datesAt(source.tokens, at, 'dmy', max)) {
    const to = reading.last === undefined ? reading.dateEnd : next;
    // The number of "until June 7pm" is an hour.
    const isHour =
      source.tokens[to - 1]?.kind === 'number' && !timesAt(source.tokens, to - 1).next().done;
    if (isHour || (reading.date.time !== undefined && reading.last !== undefined)) continue;
    const isLoose = reading.date.year !== undefined && hasLooseYear(source, { from: at, to });
    if (!isLoose && isRight(reading) && to > (best?.[1] ?? 0)) best = [reading, to];
  }
  return best;
}

const spanOf =
  (first: WrittenDate, last = first): WrittenSpan =>
  (from) => {
    const start = dayFrom(first, from);
    const end = start && dayFrom(last, start);
    return start === undefined || end === undefined
      ? undefined
      : { first: start, last: end, until: end, isDate: true };
  };

/** Returns the position after articles and prepositions. */
function skipFillers(tokens: readonly Token[], start: number): number {
  let at = start;
  while (articles.span.has(tokens[at]?.text ?? '')) at += 1;
  return at;
}

/** Reads a year of four digits. */
export function yearAt(tokens: readonly Token[], at: number): Step<number | undefined> {
  const text = tokens[at]?.text ?? '';
  return /^[12]\d{3}$/.test(text) ? [Number(text), at + 1] : [undefined, at];
}

/** Reads "June", "end of June 2027", "mi-juin" or "Ende des Jahres". */
function monthAt(tokens: readonly Token[], at: number): Step<WrittenSpan> | undefined {
  const part = monthParts.get(tokens[at]?.text ?? '');
  let next = part === undefined ? at : at + 1;
  if (part !== undefined && tokens[next]?.text === '-') next += 1;
  if (part !== undefined) next = skipFillers(tokens, next);
  const word = tokens[next]?.text ?? '';
  const unit = part === 'end' ? unitOf(word) : undefined;
  const month = unit === 'year' ? 12 : months.get(word);
  if (month === undefined && unit !== 'month') return undefined;
  const [year, to] = yearAt(tokens, next + 1);
  const read = (from: Day) => {
    const firstIn = (inYear: number) => writeDay(inYear, month ?? partsOf(from).month, 1);
    const first = year === undefined ? nextOf(monthOf(from), firstIn) : firstIn(year);
    if (first === undefined) return undefined;
    const last = addDays(addMonths(first, 1), -1);
    const until = part === 'middle' ? addDays(first, 14) : last;
    return { first, last, until, isDate: false };
  };
  return [read, to];
}

/** Reads "Easter", "Christmas 2027" or "Boxing Day". */
function feastSpanAt(tokens: readonly Token[], at: number): Step<WrittenSpan> | undefined {
  const [feast, behind = at] = phraseIn(tokens, at, allFeasts) ?? [];
  // "Christmas holidays" are longer than Christmas.
  if (feast === undefined || daysOff.names.has(tokens[behind]?.text ?? '')) return undefined;
  const [year, to] = yearAt(tokens, behind);
  const read = (from: Day) => {
    const dayIn = (inYear: number) => feastIn(feast, inYear);
    const first = year === undefined ? nextOf(from, dayIn) : dayIn(year);
    if (first === undefined) return undefined;
    return { first, last: addDays(first, feast.days - 1), until: first, isDate: false };
  };
  return [read, to];
}

/** Returns the words of a name before a number, a comma or a bracket. */
function nameOf(name: string): readonly string[] {
  const tokens = tokenizeLine(/^[^\d,;(|/–—-]*/.exec(name)?.[0] ?? '');
  return tokens.map(({ text }) => text);
}

const singular = (word: string | undefined) => word?.replace(/s$/, '');

/** Reads holidays by the name that the club has for them: "Sommerferien", "summer holidays". */
function holidayAt(source: Source, at: number): Step<WrittenSpan> | undefined {
  const { tokens, holidays } = source;
  const lengthOf = ({ name }: Holiday) => {
    const names = nameOf(name);
    const isSame = (count: number) =>
      names
        .slice(0, count)
        .every((word, index) => singular(word) === singular(tokens[at + index]?.text));
    if (names.length > 0 && isSame(names.length)) return names.length;
    // The name may go on with a region.
    return /.(?:ferien|vakantie)$/.test(names[0] ?? '') && isSame(1) ? 1 : 0;
  };
  const length = Math.max(0, ...holidays.map(lengthOf));
  if (length === 0) return undefined;
  const named = holidays.filter((holiday) => lengthOf(holiday) === length);
  const read = (from: Day) => {
    const [next] = named
      .filter(({ first }) => first >= from)
      .toSorted((one, other) => (one.first < other.first ? -1 : 1));
    if (next === undefined) return undefined;
    return { first: next.first, last: next.last, until: addDays(next.first, -1), isDate: false };
  };
  return [read, at + length];
}

/** Reads a day, a month, a feast or holidays, behind articles or not. */
export function spanAt(source: Source, start: number): Step<WrittenSpan> | undefined {
  const { tokens } = source;
  const at = skipFillers(tokens, start);
  const date = dateAt(source, at, 1);
  if (date !== undefined) return [spanOf(date[0].date), date[1]];
  return holidayAt(source, at) ?? feastSpanAt(tokens, at) ?? monthAt(tokens, at);
}

/** Reads a day, a list or a range of days, or what `spanAt` reads. */
export function spansAt(source: Source, at: number): Step<readonly WrittenSpan[]> | undefined {
  const { tokens } = source;
  const isOpened = articles.range.has(tokens[at]?.text ?? '');
  const signOf = ({ last }: DateReading) => tokens[skipStops(tokens, last?.at ?? 0)]?.text ?? '';
  // In "except 22 Dec until 30 June", the second day is the last one.
  const isRight = (reading: DateReading) =>
    reading.last === undefined || isOpened || !joints.till.has(signOf(reading));
  const found = dateAt(source, skipFillers(tokens, at), 2, isRight);
  if (found?.[0].last === undefined) {
    const single = spanAt(source, at);
    return single && [[single[0]], single[1]];
  }
  const [{ date, last }, to] = found;
  const isList = joints.list.has(signOf(found[0])) || tokens[last.at]?.text === ',';
  return [isList ? [spanOf(date), spanOf(last.date)] : [spanOf(date, last.date)], to];
}

/** Reads the whole text as `spanAt` does. */
export function readSpan(text: string, holidays: readonly Holiday[] = []): WrittenSpan | undefined {
  const tokens = tokenizeLine(text);
  const [span, to] = spanAt({ text, tokens, holidays }, 0) ?? [];
  return to === tokens.length ? span : undefined;
}
