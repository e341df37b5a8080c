import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addDays, addMonths, type Day, noonOf, partsOf, startOf } from '../time/days.ts';

/** An event in its day, in a text that fits there. */
export type Entry = { readonly event: Event; readonly text: string };

export type Cell = {
  readonly day: Day;
  readonly isInMonth: boolean;
  readonly entries: readonly Entry[];
  /** How many more there are, for which there is no room. */
  readonly more: number;
};

export type MonthGrid = {
  readonly weeks: readonly (readonly Cell[])[];
  /** What is not, or not wholly, in its day: to be listed. */
  readonly continued: readonly Event[];
};

/** How many lines of text a day has room for, by the number of weeks on the sheet. */
const linesByWeeks: Readonly<Record<number, number>> = { 4: 8, 5: 6, 6: 5 };

/** How wide a line is, and one of several, of which words leave a part; in small letters. */
const lineWidth = 17;
const wrappedWidth = 15.5;

/** How many lines a text may have where not all of a day have room. */
const mostLines = 2;

/** How wide a text is at most, in widths of a small letter. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character > '\u2e80') width += 2.2;
    else width += /[\p{Lu}mw@%&—…]/u.test(character) ? 1.4 : 1;
  }
  return width;
}

/** The beginning of a text that is as wide, with an ellipsis. */
function cutText(text: string, width: number): string {
  let cut = '';
  let left = width - 1.4;
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

type Lead = (event: Event) => string;

/** How many lines a text needs. */
function linesOf(text: string): number {
  const width = widthOf(text);
  return width <= lineWidth ? 1 : Math.ceil(width / wrappedWidth);
}

type Filled = { readonly entries: readonly Entry[]; readonly continued: readonly Event[] };

/** Fills a day with as many of its events as it has lines for, the last for what is more. */
function fillDay(events: readonly Event[], lines: number, lead: Lead): Filled {
  const whole = events.map((event) => ({ event, text: event.name }));
  const needed = whole.map(({ event, text }) => linesOf(lead(event) + text));
  if (needed.reduce((sum, count) => sum + count, 0) <= lines) {
    return { entries: whole, continued: [] };
  }
  const entries: Entry[] = [];
  const continued: Event[] = [];
  let left = lines;
  for (const [index, { event, text }] of whole.entries()) {
    const taken = Math.min(mostLines, needed[index] ?? 1);
    const isLast = index === events.length - 1;
    if (taken + (isLast ? 0 : 1) > left) {
      return { entries, continued: [...continued, ...events.slice(index)] };
    }
    left -= taken;
    const isCut = (needed[index] ?? 1) > mostLines;
    const room = mostLines * wrappedWidth - widthOf(lead(event));
    entries.push({ event, text: isCut ? cutText(text, room) : text });
    if (isCut) continued.push(event);
  }
  return { entries, continued };
}

/** The days of the whole weeks of a month, each as how many days it is after the first of it. */
function daysOf(month: Day, firstDay: number) {
  const length = partsOf(addDays(addMonths(month, 1), -1)).date;
  const skipped = (noonOf(month).getDay() - firstDay + 7) % 7;
  const weeks = Math.ceil((skipped + length) / 7);
  return { length, weeks, at: (week: number, weekday: number) => week * 7 + weekday - skipped };
}

/**
 * Lays a month out as whole weeks. `lead` is what stands before the name of an event in its day;
 * `firstDay` is the day that weeks begin with, 1 for Monday to 7 for Sunday.
 */
export function layOutMonth(
  events: readonly Event[],
  month: Day,
  firstDay: number,
  lead: Lead,
): MonthGrid {
  const days = daysOf(month, firstDay);
  const lines = linesByWeeks[days.weeks] ?? 5;
  const continued: Event[] = [];
  const cellAt = (after: number): Cell => {
    const day = addDays(month, after);
    const isInMonth = after >= 0 && after < days.length;
    if (!isInMonth) return { day, isInMonth, entries: [], more: 0 };
    const end = indexAt(events, startOf(addDays(day, 1)));
    const ofDay = events.slice(indexAt(events, startOf(day)), end);
    const { entries, continued: others } = fillDay(ofDay, lines, lead);
    continued.push(...others);
    return { day, isInMonth, entries, more: ofDay.length - entries.length };
  };
  const weeks = Array.from({ length: days.weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => cellAt(days.at(week, weekday))),
  );
  return { weeks, continued };
}
