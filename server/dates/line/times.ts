import type { Day } from '../days.ts';
import { rangeEndAt, skipStops, timesAt } from '../times.ts';
import type { Token } from '../tokens.ts';
import {
  articles,
  type DayPart,
  dayTimes,
  ends,
  englishNumbers,
  joints,
  months,
  numberOf,
  numbers,
  oneOf,
  partOf,
  weekdays,
  words,
} from '../vocabulary.ts';
import { dayParts, pattern, spokenTimes } from './grammar.ts';
import {
  canEnd,
  canStart,
  type DayContext,
  type FoundTime,
  isBehind,
  type Line,
  matchAt,
  textAt,
} from './line.ts';

/** Words that make a number a time in any place of the line. */
const clockWords = words(dayTimes.hour, dayTimes.noon, 'am pm a p');

/** Returns true for the preposition in "Gruppe 2 am Samstag", which is no half of the day. */
function isGermanAm({ tokens, context }: Line, at: number): boolean {
  const [before, am, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (am?.text !== 'am' || !am.hasGap) return false;
  return context.language === 'de' || before?.text === 'uhr' || weekdays.has(next?.text ?? '');
}

/** Words before a time that make it another one: "ten to 8pm", "before 8pm". */
const changedTime =
  /(?:^| )(?:to|past|before|after|by|for|half|quarter|vor|nach|halb|viertel|dreiviertel|voor|na|over|kwart|avant|apres|moins|et) $/;

/** Words after an hour that make it a duration: "2h de vélo". */
const duration = pattern('de(?! \\d)|long|lang|durant');

/** Words before an hour that make it certain. */
const timeArticle = new RegExp(`(?:^| )(?:${oneOf(articles.hour)}) $`);

/** Words before a time that make it an end. */
const endingTime = new RegExp(`(?:^| )(?:${oneOf(ends.time)}) $`);

function format(minutes: number): string {
  const day = (minutes + 1440) % 1440;
  return [Math.floor(day / 60), day % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Notations of a time: 24 hours, 12 in words, 12 in numbers, or complete. */
type Style = 'day' | 'spoken' | 'twelve' | 'exact';

/**
 * Returns a time of day in minutes by the part of the day that is named; undefined if it could be
 * in the morning or in the evening. Clubs that say "half acht" meet in the evening.
 */
function resolve(minutes: number, style: Style, part: DayPart | undefined): number | undefined {
  if (style === 'exact' || minutes >= 13 * 60) return minutes;
  const hour = Math.floor(minutes / 60);
  if (part === 'morning') return minutes;
  if (part === 'afternoon') return hour >= 1 && hour < 8 ? minutes + 720 : minutes;
  if (part === 'evening') return hour >= 4 && hour < 12 ? minutes + 720 : undefined;
  if (style === 'day' || hour === 12) return minutes;
  if (style === 'twelve') return hour < 9 ? undefined : minutes;
  return hour < 9 ? minutes + 720 : undefined;
}

type ReadTime = Omit<FoundTime, 'value' | 'end' | 'endAt'> & {
  readonly minutes: number | undefined;
  readonly endMinutes?: number | undefined;
  readonly endAt?: number | undefined;
  readonly style: Style;
};

/** Returns a time in words: "half acht", "quarter to 8", "huit heures et demie". */
function spokenTimeAt(line: Line, from: number): ReadTime | undefined {
  for (const [kind, rule] of Object.entries(spokenTimes)) {
    const match = matchAt(line, from, rule);
    if (match === undefined) continue;
    const { late, h, hour = h, n, sign, word, past, rest } = match.groups;
    const hours =
      dayTimes.french.get(late ?? '') ?? (hour === 'midi' ? 12 : numberOf(hour ?? '')) ?? 99;
    const isDigits = /^\d/.test(hour ?? '');
    if (hours > (/^(?:french|late)$/.test(kind) ? 23 : 12)) continue;
    const step = /^(?:nach|over|past|after|na)$/.test(sign ?? '') ? 1 : -1;
    let minutes = hours * 60;
    if (kind === 'half') {
      // "Half eight" is 8:30 in English, "half acht" 7:30 in Dutch.
      const isEnglish =
        word === 'half' &&
        (past || englishNumbers.has(hour ?? '') || (isDigits && line.context.language === 'en'));
      minutes += (isEnglish ? 30 : -30) + step * (n === undefined ? 0 : (numberOf(n) ?? 0));
    } else if (kind === 'quarter') minutes += step * 15;
    else if (kind === 'minutes') minutes += step * (numbers.get(n ?? '') ?? 0);
    else if (rest !== undefined) minutes += frenchMinutes(rest);
    else if (kind === 'hour' && !endsTime(line, match.to)) continue;
    const style = hour === 'midi' || (isDigits && kind === 'french') ? 'day' : 'spoken';
    // "Two hours" in Dutch is "twee uur" as well.
    const isCertain = kind !== 'oclock' || isBehind(line, from + 1, timeArticle);
    return { from, to: match.to, minutes, isCertain, style };
  }
  return undefined;
}

function frenchMinutes(rest: string): number {
  if (rest.startsWith('moins')) return -15;
  if (/^(?:et d|tr)/.test(rest)) return 30;
  return rest.startsWith('quarante') ? 45 : 15;
}

/** Returns true if an hour in words alone ends at a token: "um acht", but not "at two venues". */
function endsTime({ tokens }: Line, at: number): boolean {
  const token = tokens[at];
  return token === undefined || token.kind === 'sign' || weekdays.has(token.text);
}

/** Returns true for words with "am", "noon" or "abends", by which the half of the day is known. */
function haveHalf(run: readonly Token[]): boolean {
  const isHalf = /(?:^| )(?:am|pm|[ap] \. m|noon|midday)(?: |$)/;
  const texts = run.map(({ text }) => text);
  return isHalf.test(texts.join(' ')) || texts.some((text) => partOf(text.replace(/s$/, '')));
}

/** Returns a time in numbers. */
function writtenTimeAt(line: Line, at: number, named?: DayPart): ReadTime | undefined {
  const { context } = line;
  const am = [1, 2, 3, 4, 5].map((next) => at + next).find((next) => isGermanAm(line, next));
  const tokens = am === undefined ? line.tokens : line.tokens.slice(0, am);
  const range = rangeEndAt(tokens, at);
  // In "le 5 à 15h", the number is a day.
  const isDay =
    range?.at === at + 1 &&
    (articles.day.has(textAt(line, at - 1)) || textAt(line, at - 1) === 'the');
  if (isDay) return undefined;
  for (const [time, next] of timesAt(tokens, at)) {
    const isRange = range !== undefined && next > range.at;
    // In "10am - 4 July", the end is a day.
    const isBare = /^\d+$/.test(textAt(line, next - 1)) && !/[.:]/.test(textAt(line, next - 2));
    if (isRange && isBare && months.has(textAt(line, next))) continue;
    // In "9 Uhr bis 6.12. 17 Uhr", too.
    const isDate = /\d\d? \. (?:0?[1-9]|1[0-2]) \. $/;
    if (isRange && isDate.test(line.joined.slice(0, line.offsets[next + 1])) && tokens[next + 1])
      continue;
    const start = minutesOf(time);
    const end = isRange && range.time !== undefined ? minutesOf(range.time) : undefined;
    const endWords = tokens.slice(range?.at, next);
    // "19:00 to 9.30" ends in the evening or the next day.
    const isUnclearEnd =
      context.language === 'en' && !haveHalf(endWords) && isWithin(end, start - 720, start);
    const hasEnd = end !== undefined && !isUnclearEnd;
    // An open end, such as "until late", stays as it is.
    const to = isRange && !hasEnd ? range.at : next;
    if (to === next && !canEnd(line, to)) continue;
    const run = tokens.slice(at, to);
    const isClock = ({ text, kind }: Token, index: number) =>
      kind === 'word' && clockWords.has(text) && (index > 0 || to === at + 1);
    const isTwelve = /^[1-9]$/.test(run.find(({ kind }) => kind === 'number')?.text ?? '');
    const isDay = run.some((token, index) => isClock(token, index) && token.text !== 'oclock');
    const isEnglish = context.language === 'en' && isTwelve && !isDay;
    const isList = isRange && joints.list.has(textAt(line, range.at));
    // In "7.30 for 8pm", the first time is in the evening as well.
    const isArrival = textAt(line, to) === 'for' && !timesAt(tokens, to + 1).next().done;
    return {
      from: at,
      to,
      minutes: isList || isArrival ? undefined : start,
      ...(hasEnd && { endMinutes: end, endAt: range?.at }),
      isCertain: run.some((token, index) => token.text === ':' || isClock(token, index)),
      style: haveHalf(run) ? 'exact' : isEnglish ? 'twelve' : 'day',
    };
  }
  const hour = tokens[at + 1];
  if (!articles.hour.has(textAt(line, at)) && textAt(line, at) !== '@') return undefined;
  if (hour?.kind !== 'number') return undefined;
  // "At 7" could be in the morning or in the evening.
  const first = named === undefined ? 8 : 1;
  if (Number(hour.text) < first || Number(hour.text) > 23 || !canEnd(line, at + 2))
    return undefined;
  // In "vanaf 11 januari", it is a day.
  if (months.has(textAt(line, at + 2))) return undefined;
  const minutes = Number(hour.text) * 60;
  return { from: at, to: at + 2, minutes, isCertain: false, style: 'twelve' };
}

function isWithin(value: number | undefined, from: number, to: number): boolean {
  return value !== undefined && value > from && value < to;
}

/** Returns the part of the day that is named at a token: "abends", "in the morning". */
function dayPartAt(line: Line, at: number): { part: DayPart; to: number } | undefined {
  for (const [part, rule] of dayParts) {
    const match = matchAt(line, at, rule);
    if (match !== undefined) return { part, to: match.to };
  }
  return undefined;
}

/** Returns the time that begins at a token; `named` is the part of the day beside it. */
export function timeAt(line: Line, from: number, named?: DayPart): FoundTime | undefined {
  const before = dayPartAt(line, from);
  const at = before?.to ?? from;
  const read = spokenTimeAt(line, at) ?? writtenTimeAt(line, at, named);
  if (read === undefined || matchAt(line, read.to, duration) !== undefined) return undefined;
  const { isCertain, style, endMinutes, endAt } = read;
  const behind = before ?? dayPartAt(line, read.to);
  const to = before === undefined ? (behind?.to ?? read.to) : read.to;
  const part = behind?.part ?? named;
  const isOther = isBehind(line, at, changedTime);
  const minutes =
    read.minutes === undefined || isOther ? undefined : resolve(read.minutes, style, part);
  const value = minutes === undefined ? undefined : format(minutes);
  const shared = { from, to, isCertain: isCertain || behind !== undefined };
  if (isBehind(line, from, endingTime) && endMinutes === undefined) {
    return { ...shared, from: from - 1, value: undefined, end: value, endAt: from - 1 };
  }
  if (value === undefined || endMinutes === undefined) {
    return { ...shared, value, end: undefined, endAt: to };
  }
  const isEarlier = endMinutes < 780 && minutes !== read.minutes;
  const end = format(endMinutes + (isEarlier ? 720 : 0));
  return { ...shared, value, end, endAt: endAt ?? to };
}

/** Returns a time of four digits, such as 1900; only behind a day. */
function joinedTimeAt(line: Line, from: number): FoundTime | undefined {
  const token = line.tokens[from];
  if (token?.hasGap !== true || !/^(?:[01]\d|2[0-3])[0-5][05]$/.test(token.text)) return undefined;
  const to = from + 1;
  if (!canEnd(line, to)) return undefined;
  const value = format(Number(token.text.slice(0, 2)) * 60 + Number(token.text.slice(2)));
  return { from, to, value, end: undefined, endAt: to, isCertain: true };
}

/** Returns the time after a date, after a comma or not. */
export function timeAfter(line: Line, at: number, named?: DayPart): FoundTime | undefined {
  const next = skipStops(line.tokens, at);
  const from = /^[-|;]$/.test(textAt(line, next)) ? next + 1 : next;
  const found = timeAt(line, from, named) ?? joinedTimeAt(line, from);
  // In "Fri until 22:00", the time is an end.
  return found ?? (endingTime.test(`${textAt(line, from)} `) ? timeAt(line, from + 1) : undefined);
}

/** Returns the times of a line; `named` is a part of the day for all of them. */
export function findTimes(line: Line, named?: DayPart): readonly FoundTime[] {
  const times: FoundTime[] = [];
  for (let at = 0; at < line.tokens.length; ) {
    const time = canStart(line, at) ? timeAt(line, at, named) : undefined;
    if (time !== undefined) times.push(time);
    at = time?.to ?? at + 1;
  }
  return times;
}

/** Returns true unless the clocks skip a time on a day, or it is midnight, which is no time. */
export function isTimeOf(day: Day, time: string, { zone }: DayContext): boolean {
  const wall = Date.parse(`${day}T${time}Z`);
  return time !== '00:00' && (zone === undefined || zone.toWall(zone.toInstant(wall)) === wall);
}
