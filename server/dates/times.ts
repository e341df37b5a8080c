import { maxLength, type Token, tokenize, tokenizeLine } from './tokens.ts';
import { secondsOfDay } from './units.ts';
import { articles, dayParts, dayTimes, ends, joints, oneOf } from './vocabulary.ts';

/** A time of day as written; `isBare` for a number alone, such as the 19 of "19–21 Uhr". */
type Clock = {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
  readonly half: 'a' | 'p' | undefined;
  readonly isBare: boolean;
};

/** A parsed value and the position of the next token. */
export type Step<Value> = readonly [value: Value, next: number];

export function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats seconds since midnight as `HH:MM:SS`. */
export function writeTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map(pad).join(':');
}

function isWord(token: Token | undefined, words: ReadonlySet<string>): boolean {
  return token?.kind === 'word' && words.has(token.text);
}

/** Returns the position after a separator of a range, or undefined if there is none. */
export function skipRange(tokens: readonly Token[], at: number): number | undefined {
  const [token, slash, m] = tokens.slice(at, at + 3);
  // The U of "18:15 U15" is no "und".
  if (token?.text === 'u' && slash?.kind === 'number' && !slash.hasGap) return undefined;
  if (token?.text === 't' && (slash?.text === '/' || slash?.text === '.') && m?.text === 'm') {
    return tokens[at + 3]?.text === '.' ? at + 4 : at + 3;
  }
  if (token?.text === 'tot' && slash?.text === 'en' && m?.text === 'met') return at + 3;
  const [dutch] =
    /^t\.e\.m\.?/.exec(
      tokens
        .slice(at, at + 6)
        .map(({ text }) => text)
        .join(''),
    ) ?? [];
  if (dutch !== undefined) return at + dutch.length;
  if (isWord(token, joints.range)) return slash?.text === '.' ? at + 2 : at + 1;
  return token !== undefined && joints.rangeSigns.has(token.text) ? at + 1 : undefined;
}

/** Returns the position after trailing dots and commas. */
export function skipStops(tokens: readonly Token[], at: number): number {
  let next = at;
  while (tokens[next]?.text === '.' || tokens[next]?.text === ',') next += 1;
  return next;
}

/** Reads a part of the day, such as "abends" or "du soir", behind an hour; "12 Uhr nachts" has two. */
function readDayPart(
  tokens: readonly Token[],
  at: number,
  hour: number,
): Step<Clock['half']> | undefined {
  let next = at;
  while (isWord(tokens[next], articles.dayPart) || (next > at && tokens[next]?.text === '-')) {
    next += 1;
  }
  const [part] = dayParts.find(([, list]) => isWord(tokens[next], list)) ?? [];
  if (part === undefined || (hour === 12 && part !== 'noon')) return undefined;
  if (hour > 12) return [undefined, next + 1];
  const isLate = part === 'evening' || (part === 'noon' && (hour < 7 || hour === 12));
  return [isLate || (part === 'night' && hour > 5) ? 'p' : 'a', next + 1];
}

/** Reads `am`, `p.m.`, "abends" and the like, and the noon of "12 noon". */
function readHalf(tokens: readonly Token[], at: number, hour: string): Step<Clock['half']> {
  const part = readDayPart(tokens, at, Number(hour));
  if (part !== undefined) return part;
  const [first, dot, m, end] = tokens.slice(at, at + 4);
  if (hour === '12' && isWord(first, dayTimes.noon)) return ['p', at + 1];
  if (first?.text === 'am' || first?.text === 'pm') return [first.text[0] as 'a' | 'p', at + 1];
  if ((first?.text === 'a' || first?.text === 'p') && dot?.text === '.' && m?.text === 'm') {
    return [first.text, end?.text === '.' ? at + 4 : at + 3];
  }
  return [undefined, at];
}

function isTwoDigits(token: Token | undefined): token is Token {
  return token?.kind === 'number' && token.text.length === 2;
}

/** Reads the minutes, seconds and fraction after an hour: `:30`, `.30`, `:30:00.5`, `h30`. */
function readMinutes(tokens: readonly Token[], at: number): Step<readonly string[]> {
  const sign = tokens[at]?.text;
  if (isWord(tokens[at], dayTimes.hour)) {
    return isTwoDigits(tokens[at + 1])
      ? [[tokens[at + 1]?.text ?? ''], tokens[at + 2]?.text === 'min' ? at + 3 : at + 2]
      : [[], at];
  }
  const minute = tokens[at + 1];
  if ((sign !== ':' && sign !== '.') || !isTwoDigits(minute)) return [[], at];
  if (sign === '.' && minute.hasGap) return [[], at];
  // "02.05.26" is a date.
  const second = sign === ':' && tokens[at + 2]?.text === ':' ? tokens[at + 3] : undefined;
  if (!isTwoDigits(second) || second.hasGap) return [[minute.text], at + 2];
  const [point, fraction] = tokens.slice(at + 4, at + 6);
  const hasFraction =
    (point?.text === '.' || point?.text === ',') && fraction?.kind === 'number' && !fraction.hasGap;
  return hasFraction
    ? [[minute.text, second.text, fraction.text], at + 6]
    : [[minute.text, second.text], at + 4];
}

function readClock(tokens: readonly Token[], at: number): Step<Clock> | undefined {
  const first = tokens[at];
  const isNoon = isWord(first, dayTimes.noon);
  if (isNoon || isWord(first, dayTimes.midnight)) {
    const hour = isNoon ? 12 : 24;
    return [{ hour, minute: 0, second: 0, fraction: '', half: undefined, isBare: false }, at + 1];
  }
  if (first?.kind !== 'number') return undefined;
  const isJoined = first.text.length === 4;
  if (!isJoined && first.text.length > 2) return undefined;
  const [parts, afterMinutes] = isJoined
    ? ([[first.text.slice(2)], at + 1] as const)
    : readMinutes(tokens, at + 1);
  const [word, following, behind] = tokens.slice(afterMinutes, afterMinutes + 3);
  // In "10 u. 14 Uhr", the "u." is no hour.
  const isAnd = word?.text === 'u' && word.hasGap && following?.text === '.' && behind?.hasGap;
  // In "18:15 U15", the U is no hour.
  const isTeam = parts.length > 0 && following?.kind === 'number' && !following.hasGap;
  const hasHour = isWord(word, dayTimes.hour) && !isAnd && !isTeam;
  // A number of four digits could be a year.
  if (isJoined && !hasHour) return undefined;
  const afterHour = hasHour ? afterMinutes + 1 : afterMinutes;
  const hour = isJoined ? first.text.slice(0, 2) : first.text;
  const [half, next] = readHalf(tokens, afterHour, hour);
  const clock = {
    hour: Number(hour),
    minute: Number(parts[0] ?? 0),
    second: Number(parts[1] ?? 0),
    fraction: (parts[2] ?? '').slice(0, 3).padEnd(3, '0'),
    half,
    isBare: parts.length === 0 && !hasHour && next === afterHour,
  };
  return [clock, next];
}

/** Returns the hour from 0 to 23, or undefined if there is no such hour. */
function hourOf({ hour }: Clock, half: Clock['half']): number | undefined {
  if (half === undefined) return hour > 23 ? undefined : hour;
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + (half === 'p' ? 12 : 0);
}

/** Returns the half of the day that the end of a range gives its start: 11–1 pm starts in the morning. */
function halfOfStart(start: Clock, end: Clock | undefined): Clock['half'] {
  if (start.half !== undefined || end?.half === undefined) return start.half;
  const minutes = ({ hour, minute }: Clock) => (hour % 12) * 60 + minute;
  const isSame = minutes(start) <= minutes(end);
  return isSame === (end.half === 'p') ? 'p' : 'a';
}

/** Returns a time as `HH:MM:SS` or `HH:MM:SS.SSS`; with `end`, the start of a range. */
function startOf(start: Clock, end: Clock | undefined): string | undefined {
  const hour = hourOf(start, halfOfStart(start, end));
  if (hour === undefined || start.minute > 59 || start.second > 59) return undefined;
  if (start.isBare) {
    const isRange = end !== undefined && (end.half !== undefined || end.hour > start.hour);
    if (!isRange) return undefined;
  }
  if (end !== undefined && (end.hour > 24 || end.minute > 59)) return undefined;
  const time = writeTime((hour * 60 + start.minute) * 60 + start.second);
  return Number(start.fraction) === 0 ? time : `${time}.${start.fraction}`;
}

/** Returns the position after words such as "ab ca." or "Beginn:". */
function skipArticles(tokens: readonly Token[], at: number): number {
  let next = at;
  while (isWord(tokens[next], articles.time) || tokens[next]?.text === '@') {
    next = skipStops(tokens, tokens[next + 1]?.text === ':' ? next + 2 : next + 1);
  }
  return next;
}

/** The end of a range of times. */
type RangeEnd = {
  /** Position of the sign or word before the end. */
  readonly at: number;
  /** `HH:MM`, midnight as `00:00`; undefined if it is open, as in 19:30 – open end. */
  readonly time: string | undefined;
  /** True for "14:00 / 20:00", two beginnings; "between 14:00 and 16:00" is a range. */
  readonly isList: boolean;
};

/** Returns the end of a range that begins at a token; "7pm to 9" ends in the evening. */
export function rangeEndAt(tokens: readonly Token[], at: number): RangeEnd | undefined {
  const [start, next] = readClock(tokens, skipArticles(tokens, at)) ?? [];
  const afterSign = next === undefined ? undefined : skipRange(tokens, next);
  if (start === undefined || next === undefined || afterSign === undefined) return undefined;
  const [end] = readClock(tokens, skipArticles(tokens, afterSign)) ?? [];
  if (end === undefined || startOf(start, end) === undefined) {
    return { at: next, time: undefined, isList: false };
  }
  const half = end.half ?? (end.hour > 12 ? undefined : start.half);
  const hour = half === undefined ? end.hour % 24 : (hourOf(end, half) ?? 0);
  const isLater = end.half === undefined && half !== undefined && hour < (hourOf(start, half) ?? 0);
  const time = `${pad((hour + (isLater ? 12 : 0)) % 24)}:${pad(end.minute)}`;
  const isBetween = tokens
    .slice(Math.max(0, at - 1), next)
    .some(({ text }) => articles.between.has(text));
  return { at: next, time, isList: !isBetween && joints.list.has(tokens[next]?.text ?? '') };
}

/** Parses a time of day or the start of a range of times, the longest reading first. */
export function* timesAt(tokens: readonly Token[], at: number): Generator<Step<string>> {
  const start = readClock(tokens, skipArticles(tokens, at));
  if (start === undefined) return;
  const [clock, next] = start;
  const afterSign = skipRange(tokens, next);
  if (afterSign !== undefined) {
    const end = readClock(tokens, skipArticles(tokens, afterSign));
    const range = end && startOf(clock, end[0]);
    if (end !== undefined && range !== undefined) yield [range, end[1]];
    let open = afterSign;
    while (isWord(tokens[open], ends.open) || tokens[open]?.text === '?') open += 1;
    const time = startOf(clock, undefined);
    const isOpen = open > afterSign || open === tokens.length;
    if (isOpen && time !== undefined) yield [time, open];
  }
  const time = startOf(clock, undefined);
  if (time !== undefined) yield [time, next];
}

/** Reads the end of a range of times such as `19–21 Uhr`; undefined for any other text. */
export function readTimeEnd(cell: string): RangeEnd | undefined {
  // Fast path: most times have no end.
  return /^[\s\d:.]*$/.test(cell) ? undefined : rangeEndAt(tokenize(cell), 0);
}

/** The day 0 of Access and Excel, which they write before a time alone. */
const zeroDay = /^(?:30\.12\.1899|12\/30\/1899|1899-12-30)[ T]+(?=\d)/;

function readFraction(text: string): string | undefined {
  if (!/^0?[.,]\d+$|^0$/.test(text)) return undefined;
  const seconds = Math.round(Number(text.replace(',', '.')) * secondsOfDay);
  return writeTime(seconds % secondsOfDay);
}

/**
 * Reads the time of day of a column of times, such as `18:00`, `6 PM`, `18.00 Uhr`, `18h`, `1800`
 * or Excel's `0.75`; a range gives its start. Returns undefined for any other text.
 */
export function readTime(cell: string): string | undefined {
  const text = cell.trim().replace(zeroDay, '');
  if (text.length > 100) return undefined;
  // Fast path: most times of a file are like 18:00 or, in a workbook, 18:00:00.
  if (/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text)) return text.padEnd(8, ':00');
  // Ambiguous: 0.15 is a quarter past midnight or 15 hundredths of a day.
  if (/^0\.[0-5]\d$/.test(text)) return undefined;
  // "02.05." is a date.
  if (/^\d\d?\.\d\d\.$/.test(text)) return undefined;
  const fraction = readFraction(text);
  if (fraction !== undefined) return fraction;
  const joined = /^(?:[01]\d|2[0-3])[0-5]\d$/.test(text);
  if (joined) return `${text.slice(0, 2)}:${text.slice(2)}:00`;
  const tokens = tokenize(text);
  for (const [time, next] of timesAt(tokens, 0)) {
    if (skipStops(tokens, next) === tokens.length) return time;
  }
  return undefined;
}

/** Reads a time that a spreadsheet stores as a number: 19.30 as 19.3. */
export function readTimeNumber(cell: string): string | undefined {
  const [, hour, ten] = /^([01]?\d|2[0-3])[.,]([1-4])$/.exec(cell.trim()) ?? [];
  return hour && writeTime((Number(hour) * 60 + Number(ten) * 10) * 60);
}

const hourWords = oneOf(dayTimes.hour);
const endOfDay = new RegExp(
  `^(?:(?:${oneOf(articles.hour)}) )?(?:24[:.]00(?::00)?(?: ?(?:${hourWords}))?|24 ?(?:${hourWords})|(?:12 )?(?:${oneOf(dayTimes.midnight)})|12 uhr nachts)$`,
  'i',
);

/** Returns true for the end of a day, such as "24:00" or "Mitternacht", at which the next one begins. */
export function isEndOfDay(cell: string): boolean {
  return endOfDay.test(cell.trim());
}

/**
 * Reads the time at the start of a text that goes on, such as `20:00 v` or `14h–20h, dimanche 10h`.
 * Returns undefined for a number that could be something else.
 */
export function readFirstTime(cell: string): string | undefined {
  const tokens = tokenize(cell);
  for (const [time, next] of timesAt(tokens, 0)) {
    const isWhole = tokens.slice(0, next).some(({ text, kind }) => text === ':' || kind === 'word');
    const rest = tokens[next];
    if (isWhole && (rest?.kind === 'word' || rest?.text === ',' || rest?.text === '*')) return time;
  }
  return undefined;
}

/** Returns true for a time that is no number of something else: it has a colon, a dot or a word. */
const isSure = (tokens: readonly Token[]) =>
  tokens.some(({ text, kind }) => text === ':' || text === '.' || kind === 'word');

/**
 * Splits the time from a line such as `14:00 Adventsmarkt`, `15.30-17 Uhr: Probe` or `Konzert, 18 Uhr`.
 * Returns undefined for a line without one. At the end, a time has a word, as 15:12 could be a result.
 */
export function splitTime(
  line: string,
): { readonly time: string; readonly rest: string } | undefined {
  const tokens = tokenizeLine(line.slice(0, maxLength));
  const first = [...timesAt(tokens, 0)].find(([, next]) => isSure(tokens.slice(0, next)));
  const behind = tokens[first?.[1] ?? -1];
  if (first !== undefined && behind !== undefined) {
    const rest = line.slice(behind.start).replace(/^[\s,:;|–-]+/, '');
    const isText = /^\p{L}/u.test(rest) || /^\d\.? ?\p{L}{2}/u.test(rest);
    return isText
      ? { time: line.slice(0, behind.start).replace(/[\s,:;|–-]+$/, ''), rest }
      : undefined;
  }
  for (const [at, { start, hasGap }] of tokens.entries()) {
    if (at === 0 || !hasGap) continue;
    const [, next] = [...timesAt(tokens, at)].find(([, end]) => end === tokens.length) ?? [];
    const hasWord = tokens.slice(at, next).some(({ kind }) => kind === 'word');
    const rest = line.slice(0, start).replace(/[\s,:;|(–-]+$/, '');
    if (next !== undefined && hasWord && /\p{L}/u.test(rest)) {
      return { time: line.slice(start).replace(/\)$/, ''), rest };
    }
  }
  return undefined;
}

/**
 * Returns true for a time with a colon, dot or word, to judge a column by its content. A bare
 * number is none, nor are two: 19-21 could be a result.
 */
export function looksLikeTime(cell: string): boolean {
  const isFraction = /^\s*0?\.\d/.test(cell);
  return !isFraction && /[:.\p{L}]/u.test(cell) && readTime(cell) !== undefined;
}

/** Returns true for words that say that there is no time, or that it is not known yet. */
export function areNoTime(tokens: readonly Token[]): boolean {
  return dayTimes.none.has(join(tokens)) || areOpenTime(tokens);
}

/** Returns true for words that say that the time is not known yet, or a question mark. */
export function areOpenTime(tokens: readonly Token[]): boolean {
  const [first, ...others] = tokens.filter(({ kind }) => kind !== 'sign');
  if (first === undefined) return tokens.some(({ text }) => text === '?');
  const isReference = dayTimes.references.has(first.text) && others.length > 0;
  const isText = others.every(({ kind }) => kind === 'word');
  return (isReference && isText) || dayTimes.unknown.has(join(tokens));
}

function join(tokens: readonly Token[]): string {
  return tokens.flatMap(({ kind, text }) => (kind === 'sign' ? [] : text)).join('');
}

/** Returns true for a cell that says that there is no time, or that it is not known yet. */
export function isNoTime(cell: string): boolean {
  // Digits of other scripts are not read, and are no sign of a missing time.
  if (/^\p{Nd}/u.test(cell)) return false;
  const tokens = tokenize(cell);
  if (tokens.length === 0) return cell.trim() === '';
  return tokens.every(({ kind }) => kind === 'sign') || areNoTime(tokens);
}

/** Returns true for a cell that says that the time is not known yet. */
export function isOpenTime(cell: string): boolean {
  return areOpenTime(tokenize(cell));
}
