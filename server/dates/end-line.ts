import { completeDate, parseDate } from './dates.ts';
import { addDays, daysBetween, maxDaysWithoutYear } from './days.ts';
import { readTime } from './times.ts';
import { endStarts } from './vocabulary.ts';

/** A day `YYYY-MM-DD` and a time `HH:MM` on the clock of the club; empty without a time. */
export type Moment = { readonly day: string; readonly time: string };

/** Languages in which an end is written. */
const languages = ['en', 'de', 'fr', 'nl'] as const;
export type EndLanguage = (typeof languages)[number];

/** Returns a message of the section `value`, such as "Until 22:00". */
export type EndWords = (
  key: 'until_time' | 'until_day' | 'until_moment',
  values: { readonly day: string; readonly time: string },
) => string;

/** Longer lines are no end. */
const maxLength = 80;

/** Returns false for a note that has no end, before its start is known. */
export function mayHaveEnd(note: string | null): note is string {
  return note !== null && languages.some((language) => endStarts[language].test(note.trimStart()));
}

/** Returns the wall time in milliseconds; without a time, that of the start of the day. */
const wallOf = ({ day, time }: Moment) => Date.parse(`${day}T${time || '00:00'}Z`);

/** Creates a moment from a wall time in milliseconds, with a time of day if `hasTime`. */
function momentOf(wall: number, hasTime: boolean): Moment {
  const text = new Date(wall).toISOString();
  return { day: text.slice(0, 10), time: hasTime ? text.slice(11, 16) : '' };
}

/** Returns true for an end that is before its start; one without a time includes its day. */
export function isBeforeStart(end: Moment, start: Moment): boolean {
  if (end.day !== start.day) return end.day < start.day;
  return end.time !== '' && start.time !== '' && end.time < start.time;
}

/** Returns the number of days on which an event takes place; a night belongs to its first day. */
export function daysOf(start: Moment, end: Moment): number {
  const days = daysBetween(start.day, end.day);
  const isNight = days === 1 && end.time !== '' && start.time !== '' && end.time < start.time;
  return isNight ? 1 : days + 1;
}

/** Returns the moment at which an event ends; the end of a day without a time is the next midnight. */
export function momentAfter({ day, time }: Moment): Moment {
  return time === '' ? { day: addDays(day, 1), time: '00:00' } : { day, time };
}

/** Reads the words behind "until": a time on the day of the start or in its night, or a day. */
function readWords(text: string, start: Moment): Moment | undefined {
  const time = /\d{3}|^\d+$/.test(text) ? undefined : readTime(text)?.slice(0, 5);
  if (time !== undefined) {
    const isNight = start.time !== '' && time < start.time;
    return { day: isNight ? addDays(start.day, 1) : start.day, time };
  }
  const written = parseDate(text, 'dmy');
  if (written === undefined || written.isRange) return undefined;
  const startYear = Number(start.day.slice(0, 4));
  for (const year of written.year === undefined ? [startYear, startYear + 1] : [written.year]) {
    const day = completeDate(written, year)?.day;
    const end = day && { day, time: written.time?.slice(0, 5) ?? '' };
    if (!end || isBeforeStart(end, start)) continue;
    const isFar = daysOf(start, end) > maxDaysWithoutYear && written.year === undefined;
    const fits =
      written.weekdays.length === 0 || written.weekdays.includes(new Date(day).getUTCDay());
    return fits && !isFar ? end : undefined;
  }
  return undefined;
}

/** Reads a line such as "Until 22:00" or "Bis So 5. Juli"; undefined for any other text. */
export function readEndLine(
  line: string,
  start: Moment,
): { readonly end: Moment; readonly language: EndLanguage } | undefined {
  if (line.length > maxLength) return undefined;
  for (const language of languages) {
    const [until] = endStarts[language].exec(line) ?? [];
    if (until === undefined) continue;
    const end = readWords(line.slice(until.length).trim(), start);
    if (end !== undefined && wallOf(end) + (end.time ? 0 : 1) > wallOf(start))
      return { end, language };
  }
  return undefined;
}

/**
 * Words the end of an event, such as "Until Wed 7 July, 15:00"; empty for one that is its start.
 * The year is named only if `readEndLine` would otherwise find another one.
 */
export function wordEnd(
  end: Moment,
  start: Moment,
  language: EndLanguage,
  words: EndWords,
): string {
  const { day, time } = end;
  if (time === '' ? day === start.day : wallOf(end) === wallOf(start)) return '';
  if (daysOf(start, end) === 1) return words('until_time', { day, time });
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      ...options,
      timeZone: 'UTC',
    }).format(Date.parse(day));
  const isFar = daysOf(start, end) > maxDaysWithoutYear;
  const date = format({ day: 'numeric', month: 'long', ...(isFar && { year: 'numeric' }) });
  const named = `${format({ weekday: 'short' })} ${date}`;
  return words(time === '' ? 'until_day' : 'until_moment', { day: named, time });
}

/** Moves an end as far as its start; by days if one of the three has no time. */
export function moveEnd(end: Moment, from: Moment, to: Moment): Moment {
  const hasTimes = [from, to, end].every(({ time }) => time !== '');
  const [before, after] = hasTimes
    ? [wallOf(from), wallOf(to)]
    : [Date.parse(from.day), Date.parse(to.day)];
  return momentOf(wallOf(end) + after - before, end.time !== '');
}
