import type { Language } from '../messages/messages.ts';
import { type DateOrder, parseDate, type WrittenDate } from './dates.ts';
import { type Day, monthOf } from './days.ts';
import { spokenDayAt } from './line/days.ts';
import { lineOf } from './line/line.ts';
import { timeAt } from './line/times.ts';
import { readSpan } from './spans.ts';
import { readTime, skipStops } from './times.ts';
import { simplify, tokenize } from './tokens.ts';
import { oneOf, weekdays, weekNumberWords } from './vocabulary.ts';

/** Words before a date that is not certain yet. */
const provisional =
  /^(?:voraussichtlich|vorauss\.?|vsl\.?|vermutlich|geplant|evtl\.?|eventuell|vorlaufig|ca\.?|probably|provisionally|tentatively|expected|planned|probablement|provisoirement|prevu(?: le)?|en principe|waarschijnlijk|vermoedelijk|voorlopig|gepland)[\s:]+/i;

/** Parts of a month of which only the month is known. */
const partOfMonth = /^(?:anfang|early|late|(?:the )?beginning of|debut|begin)[ -]+/;

const weekForm = new RegExp(
  `^(?:${oneOf(weekNumberWords)})\\.? ?(?<week>\\d{1,2})(?:[ ,/]+(?<year>20\\d\\d))?$`,
);

/** A day in words. */
type DayInWords = WrittenDate & {
  /** True if the words could also mean another day. */
  readonly isVague?: boolean;
};

function writtenOf(day: Day): WrittenDate {
  const [year, month = 1, date = 1] = day.split('-').map(Number);
  return { year, month, day: date, weekdays: [], time: undefined, isRange: false };
}

/**
 * Reads a cell with a feast ("Karfreitag 2027"), a week, a month or a provisional date. A month gives
 * its first day and a week its Monday. Without a year, the day is the next one from `from` on;
 * returns `no year` if there is none.
 */
export function readDayInWords(
  cell: string,
  order: DateOrder | undefined,
  from: Day | undefined,
): DayInWords | 'no year' | undefined {
  const plain = simplify(cell.trim());
  if (plain.length > 60 || !/\p{L}/u.test(plain)) return undefined;
  const sure = plain.replace(provisional, '');
  const date = sure === plain ? undefined : parseDate(sure, order);
  if (date !== undefined) return { ...date, isVague: true };
  const text = sure.toLowerCase().replace(partOfMonth, '');
  const year = /\b20\d\d$/.exec(text)?.[0];
  const span = readSpan(text)?.(year === undefined ? (from ?? '2000-01-01') : `${year}-01-01`);
  if (span !== undefined && !span.isDate) {
    const day = writtenOf(span.first);
    const isMonth = span.first === monthOf(span.last) && span.last > span.first;
    if (isMonth) return { ...day, year: year === undefined ? year : Number(year), isVague: true };
    if (year === undefined && from === undefined) return 'no year';
    return { ...day, isVague: span.last > span.first || year === undefined };
  }
  const { week } = weekForm.exec(text)?.groups ?? {};
  const name = text.replace(/,? 20\d\d$/, '');
  // The first week of a year may begin in the year before.
  const start = week === undefined ? `${year}-01-01` : `${Number(year) - 1}-12-29`;
  const first = year === undefined ? from : start;
  const phrase = week === undefined ? name : `kw ${week} monday`;
  const line = lineOf(phrase, { today: first ?? '2000-01-01', language: 'en' });
  const found = spokenDayAt(line, 0);
  const isDay = found?.kind === 'feast' || (week !== undefined && found !== undefined);
  if (!isDay || found.isUnclear || skipStops(line.tokens, found.to) < line.tokens.length) {
    return undefined;
  }
  if (first === undefined) return 'no year';
  return { ...writtenOf(found.value), isVague: week !== undefined || year === undefined };
}

/** Words before the time at which an event begins, as opposed to that of a meeting before it. */
const beginnings =
  /(?<!\p{L})(?:beginn|start|anpfiff|ansto(?:ss|ß)|kick-?off|begins?|starts?|debut|coup d'envoi|aanvang|aftrap)(?!\p{L})/iu;

/** Reads a time in words, such as "halb acht", "mittags", "Sat 11:40 AM" or "Treff 8:30, Beginn 9:00". */
export function readTimeInWords(cell: string, language: Language): string | undefined {
  const text = simplify(cell.trim());
  if (text.length > 60 || !/\p{L}/u.test(text)) return undefined;
  if (/^(?:mittags?|s middags|a midi)$/i.test(text)) return '12:00:00';
  const [named] = tokenize(text);
  const isDated = named !== undefined && weekdays.has(named.text);
  const behindDay = isDated ? text.slice(named.end).replace(/^[.,\s]+/, '') : text;
  const begin = beginnings.exec(behindDay);
  const rest = begin === null ? behindDay : behindDay.slice(begin.index);
  const numbers = rest === text ? undefined : readTime(rest);
  if (numbers !== undefined) return numbers;
  const line = lineOf(rest, { today: '2000-01-01', language });
  const found = timeAt(line, 0);
  const isWhole = found !== undefined && skipStops(line.tokens, found.to) === line.tokens.length;
  return isWhole && found.value !== undefined ? `${found.value}:00` : undefined;
}
