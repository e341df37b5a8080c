import { dateArticles, months, weekdays } from '../../../dates/date-words.ts';
import {
  completeDate,
  type DateReading,
  dateOrders,
  datesAt,
  type WrittenDate,
} from '../../../dates/dates.ts';
import { type Step, skipRange, skipStops } from '../../../dates/times.ts';
import type { Language } from '../../../messages/messages.ts';
import { addDays, addMonths, type Day, daysIntoWeek, monthOf, partsOf } from '../days.ts';
import {
  canEnd,
  type Found,
  type FoundDay,
  type FoundTime,
  indexPhrases,
  isCapital,
  type Line,
  phraseAt,
  type Run,
  textAt,
  words,
} from './line.ts';
import { timeAfter, timeAt } from './times.ts';

/** Limit of dates in one reading: the two ends of a range. */
export const maxDates = 2;

/** Short weekdays of each language; those of another language need a time beside them. */
const shortWeekdays: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words('sun mon tue tues wed weds thu thur thurs fri sat'),
  de: words('so mo di mi do fr sa'),
  fr: words('dim lun mar mer jeu ven sam'),
  nl: words('zo ma di wo do vr za'),
};

/** Short weekdays that are also words: "fun in the sun", "so", "jeu", "wo". */
export const weekdaysAndWords = words(
  'sun mon sat wed so do mi di mo fr sa dim mar mer jeu sam zo ma wo',
);

/** Words that make a weekday a date: "on Tuesday". */
const dayArticles = words('on am den le op');

export const nextWords = words(
  'next coming nachste nachsten nachster nachstes kommende kommenden kommender kommendes volgende komende aanstaande prochain prochaine',
);
const thisWords = words('this diese diesen dieser dieses ce cet cette deze dit');

/** Days by name; the number counts from today. */
const namedDays = indexPhrases([
  [0, 'today|tonight|heute|aujourdhui|vandaag'],
  [1, 'tomorrow|morgen|demain'],
  [2, 'the day after tomorrow|day after tomorrow|ubermorgen'],
  [2, 'apres - demain|apres demain|overmorgen'],
]);

/** Parts of a day behind its name: "Friday morning", "Freitagabend". */
const dayParts = words(
  'morning afternoon evening abend vormittag mittag nachmittag morgen fruh matin soir ochtend middag avond',
);
const dayPartEnding = /(?:abend|vormittag|nachmittag|mittag|morgen|ochtend|middag|avond)$/;

/** Words before a number of days or weeks: "in 3 days", "dans 3 jours", "over 3 dagen". */
const inWords = words('in dans over');
const smallNumbers = [
  'zero',
  'a an one ein einem einer un une een',
  'two zwei deux twee',
  'three drei trois drie',
  'four vier quatre',
  'five funf cinq vijf',
  'six sechs zes',
];
export const unitDays: ReadonlyMap<string, number> = new Map([
  ...['day', 'days', 'tag', 'tagen', 'jour', 'jours', 'dag', 'dagen'].map(
    (word) => [word, 1] as const,
  ),
  ...['week', 'weeks', 'woche', 'wochen', 'semaine', 'semaines', 'weken'].map(
    (word) => [word, 7] as const,
  ),
]);
export const monthWords = words('month monat mois maand');

/** Returns the next such day from today on. */
export function dayOfDate(date: WrittenDate, today: Day): Day | undefined {
  if (date.year !== undefined) return completeDate(date, date.year)?.day;
  const { year } = partsOf(today);
  // A leap day may be eight years away.
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = completeDate(date, year + ahead)?.day;
    if (day !== undefined && day >= today) return day;
  }
  return undefined;
}

/** Returns true for numbers such as 24/11 that are a date even without a time or an article. */
function isPlainDate(line: Line, dateEnd: number, at: number): boolean {
  const [first, sign, second] = line.tokens.slice(at, dateEnd);
  if (first?.kind === 'word') return true;
  const isFull = first?.text.length === 2 && second?.text.length === 2;
  return isFull && sign?.text !== '-' && !/^(?:km|m|kg|x)$/.test(textAt(line, dateEnd));
}

/** Returns true if a date can begin with the token. */
function canBeginDate({ tokens }: Line, at: number): boolean {
  const { kind, text = '' } = tokens[at] ?? {};
  return kind === 'number' || weekdays.has(text) || months.has(text) || dateArticles.has(text);
}

/** Returns true for a date in a line that is no time, list, score or result. */
function isLikelyDate(
  line: Line,
  { date, isPlain, dateEnd }: DateReading,
  { from, to }: Run,
  day: Day,
  times: readonly FoundTime[],
): boolean {
  const tokens = line.tokens.slice(from, to);
  // In "Race 4, 5 December", only the second number is a day.
  if (date.isRange && tokens.some(({ text }) => text === ',')) return false;
  // In "Tue 10-12 Uhr", the numbers are hours; in "Tue 10-12", no date unless it is a Tuesday.
  const isHour = (time: FoundTime) =>
    time.isCertain && time.from > from && time.from < dateEnd && time.to > dateEnd;
  if (times.some(isHour)) return false;
  const isShort = date.year === undefined && tokens.some(({ text }) => text === '-');
  const fits = date.weekdays.length === 0 || date.weekdays.includes(daysIntoWeek(day, 0));
  if (isShort && !date.isRange && !fits) return false;
  // In "Fête du 14 juillet mardi 19h", the name has a date.
  const last = line.tokens.slice(from, dateEnd).findLast(({ kind }) => kind !== 'sign');
  if (!fits && last !== undefined && weekdays.has(last.text)) return false;
  return !isPlain || timeAfter(line, dateEnd) !== undefined || isPlainDate(line, dateEnd, from);
}

/** A full or short date with its time. */
type WrittenDay = Pick<FoundDay, 'from' | 'to' | 'value' | 'time'>;

/** Returns the full or short date that begins at a token, with its time. */
export function writtenDayAt(
  line: Line,
  at: number,
  times: readonly FoundTime[],
): WrittenDay | undefined {
  const { text, tokens, context } = line;
  if (!canBeginDate(line, at)) return undefined;
  let best: (WrittenDay & { readonly end: number }) | undefined;
  let isPossible = false;
  for (const order of /\d\/\d/.test(text) ? dateOrders : (['dmy'] as const)) {
    for (const [reading, next] of datesAt(tokens, at, order, maxDates)) {
      const value = canEnd(line, next) ? dayOfDate(reading.date, context.today) : undefined;
      const run = { from: at, to: next };
      if (value === undefined) continue;
      isPossible = true;
      if (!isLikelyDate(line, reading, run, value, times)) continue;
      const { dateEnd, timeAt: from } = reading;
      const written = reading.date.time?.slice(0, 5);
      const time =
        written === undefined ? undefined : { from, to: next, value: written, isCertain: true };
      const hasTime = time !== undefined;
      const isBetter =
        best === undefined || (hasTime === (best.time !== undefined) ? next > best.end : hasTime);
      if (isBetter) best = { from: at, to: hasTime ? dateEnd : next, value, time, end: next };
    }
    // The month comes first only if nothing else is possible.
    if (isPossible) break;
  }
  return best;
}

/** Returns the first day from a day on with a weekday, 0 for Sunday. */
function nextWeekday(from: Day, weekday: number): Day {
  return addDays(from, (weekday - daysIntoWeek(from, 0) + 7) % 7);
}

/** Returns the weekday of a word; "di" and "ma" are other days in French. */
function weekdayOf(word: string, language: Language): number | undefined {
  const [first, second] = weekdays.get(word) ?? [];
  const french = word === 'di' ? 0 : 2;
  if (second === undefined || language === 'fr') return second === undefined ? first : french;
  return first === french ? second : first;
}

/** Returns the day of "Tue 24", if the next such day is a Tuesday. */
function dayOfMonth(line: Line, at: number, weekday: number): Step<Day> | undefined {
  const { tokens, context } = line;
  const next = skipStops(tokens, at);
  const numberAt = dayArticles.has(textAt(line, next)) ? next + 1 : next;
  const token = tokens[numberAt];
  if (token?.kind !== 'number' || token.text.length > 2) return undefined;
  // "Tue 1" may become "Tue 19:00" while it is typed.
  if (token.text.length === 1 && numberAt + 1 === tokens.length) return undefined;
  const to = textAt(line, numberAt + 1) === '.' ? numberAt + 2 : numberAt + 1;
  const day = nextDayOfMonth(Number(token.text), context.today);
  if (day === undefined || daysIntoWeek(day, 0) !== weekday) return undefined;
  return timeAt(line, numberAt) === undefined && canEnd(line, to) ? [day, to] : undefined;
}

/** Returns the next day with a number, in this month or the next one that has it. */
export function nextDayOfMonth(date: number, today: Day): Day | undefined {
  if (date < 1 || date > 31) return undefined;
  for (let month = monthOf(today); ; month = addMonths(month, 1)) {
    const day = `${month.slice(0, -2)}${String(date).padStart(2, '0')}`;
    const { year, month: number } = partsOf(month);
    if (day >= today && completeDate({ month: number, day: date } as WrittenDate, year)) return day;
  }
}

export type RelativeDay = Found<Day> & {
  /**
   * `exact` and `named` days are no weekdays; a weekday is `certain` after "on" or "next", written
   * out or short, or `foreign`: a short one of another language, or another word.
   */
  readonly kind: 'exact' | 'named' | 'certain' | 'weekday' | 'short' | 'foreign';
};

/** Returns the position after "morning", "Abend" or "après-midi", behind a day. */
function skipDayPart(line: Line, at: number): number {
  if (textAt(line, at) === 'apres' && textAt(line, at + 2) === 'midi') return at + 3;
  return dayParts.has(textAt(line, at)) ? at + 1 : at;
}

/** Returns the weekday that begins at a token, with "next" or "on": "Sat", "samedi prochain". */
export function weekdayAt(line: Line, from: number): RelativeDay | undefined {
  const { tokens, context } = line;
  const { today, language } = context;
  let at = dayArticles.has(textAt(line, from)) ? from + 1 : from;
  const isNext = nextWords.has(textAt(line, at));
  if (isNext || thisWords.has(textAt(line, at))) at += 1;
  const word = textAt(line, at);
  const weekday = weekdayOf(word.replace(dayPartEnding, ''), language);
  if (weekday === undefined) return undefined;
  const afterStops =
    word.length < 4 && textAt(line, at + 1) === '.' ? at + 2 : skipDayPart(line, at + 1);
  const rangeAt = skipRange(tokens, afterStops);
  const isRange = rangeAt !== undefined && weekdays.has(textAt(line, rangeAt));
  const to = isRange ? rangeAt + 1 : afterStops;
  if (!canEnd(line, to)) return undefined;
  const dated = isRange ? undefined : dayOfMonth(line, to, weekday);
  if (dated !== undefined) return { from, to: dated[1], value: dated[0], kind: 'exact' };
  const isNextBehind = nextWords.has(textAt(line, to));
  const first = isNext || isNextBehind ? addDays(today, 1) : today;
  const value = nextWeekday(first, weekday);
  if (isNextBehind) return { from, to: to + 1, value, kind: 'certain' };
  if (at > from || isRange) return { from, to, value, kind: 'certain' };
  // Only "thurs" is short with five letters.
  if (word.length > 4 && word !== 'thurs') return { from, to, value, kind: 'weekday' };
  const isOwn = shortWeekdays[language].has(word);
  const isWord = weekdaysAndWords.has(word) && !isCapital(line, at);
  return { from, to, value, kind: isOwn && !isWord ? 'short' : 'foreign' };
}

function smallNumber(text: string): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const value = smallNumbers.findIndex((list) => list.split(' ').includes(text));
  return value < 0 ? undefined : value;
}

/** Returns the day by name or distance that begins at a token: "tomorrow", "in 3 days". */
export function namedDayAt(line: Line, from: number): RelativeDay | undefined {
  const { today } = line.context;
  const named = phraseAt(line, from, namedDays);
  if (named !== undefined) {
    // "Guten Morgen" is a greeting.
    const isNoun = textAt(line, from) === 'morgen' && from > 0 && isCapital(line, from);
    const to = skipDayPart(line, named.to);
    return { ...named, to, value: addDays(today, named.value), kind: isNoun ? 'foreign' : 'named' };
  }
  if (!inWords.has(textAt(line, from))) return undefined;
  const [number, days] = [
    smallNumber(textAt(line, from + 1)),
    unitDays.get(textAt(line, from + 2)),
  ];
  if (number === undefined || days === undefined || !canEnd(line, from + 3)) return undefined;
  return { from, to: from + 3, value: addDays(today, number * days), kind: 'exact' };
}
