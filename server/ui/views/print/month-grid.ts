import type { Event } from '../../../contract.ts';
import { addDays, addMonths, type Day, daysIntoWeek, partsOf, startOf } from '../../base/days.ts';
import { indexAt } from '../../data/events.ts';

/** Returns the days of a week; `weekStart` is its first weekday, counted from Sunday, 0. */
export function someWeek(weekStart: number): Day[] {
  // 31 December 2000 was a Sunday.
  return Array.from({ length: 7 }, (_, index) => addDays('2000-12-31', weekStart + index));
}

/** An event in a day, with a text that fits there. */
export type Entry = { readonly event: Event; readonly text: string };

export type Cell = {
  readonly day: Day;
  readonly isInMonth: boolean;
  readonly entries: readonly Entry[];
  /** Number of events that do not fit. */
  readonly more: number;
};

export type MonthGrid = {
  readonly weeks: readonly (readonly Cell[])[];
  /** Events that are missing or cut in their day, to be listed separately. */
  readonly continued: readonly Event[];
};

/** Lines of text in a day, by the number of weeks on the sheet. */
const linesByWeeks: Readonly<Record<number, number>> = { 4: 8, 5: 6, 6: 5 };

/** Usable width of a single line and of a wrapped line, in widths of a small letter. */
const lineWidth = 17;
const wrappedWidth = 15.5;

/** Maximum number of lines of an event in a day where not all events fit. */
const maxLines = 2;

/** Estimates the maximum width of a text, in widths of a small letter. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character > '\u2e80') width += 2.2;
    else width += /[\p{Lu}mw@%&—…]/u.test(character) ? 1.4 : 1;
  }
  return width;
}

/** Cuts a text to a width and adds an ellipsis. */
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

function linesOf(text: string): number {
  const width = widthOf(text);
  return width <= lineWidth ? 1 : Math.ceil(width / wrappedWidth);
}

type DayContent = { readonly entries: readonly Entry[]; readonly continued: readonly Event[] };

/** Fills the lines of a day with events; the last line may be left for the number of the rest. */
function fillDay(events: readonly Event[], lines: number, lead: Lead): DayContent {
  const whole = events.map((event) => ({ event, text: event.name }));
  const needed = whole.map(({ event, text }) => linesOf(lead(event) + text));
  if (needed.reduce((sum, count) => sum + count, 0) <= lines) {
    return { entries: whole, continued: [] };
  }
  const entries: Entry[] = [];
  const continued: Event[] = [];
  let left = lines;
  for (const [index, { event, text }] of whole.entries()) {
    const lineCount = Math.min(maxLines, needed[index] ?? 1);
    const isLast = index === events.length - 1;
    if (lineCount + (isLast ? 0 : 1) > left) {
      return { entries, continued: [...continued, ...events.slice(index)] };
    }
    left -= lineCount;
    const isCut = (needed[index] ?? 1) > maxLines;
    const room = maxLines * wrappedWidth - widthOf(lead(event));
    entries.push({ event, text: isCut ? cutText(text, room) : text });
    if (isCut) continued.push(event);
  }
  return { entries, continued };
}

/** Describes the whole weeks of a month; `at` returns a cell's offset in days from the first. */
function daysOf(month: Day, weekStart: number) {
  const length = partsOf(addDays(addMonths(month, 1), -1)).date;
  const skipped = daysIntoWeek(month, weekStart);
  const weeks = Math.ceil((skipped + length) / 7);
  return { length, weeks, at: (week: number, weekday: number) => week * 7 + weekday - skipped };
}

/**
 * Lays a month out in whole weeks. `lead` returns the text before the name of an event;
 * `weekStart` is the first weekday, counted from Sunday, 0.
 */
export function layOutMonth(
  events: readonly Event[],
  month: Day,
  weekStart: number,
  lead: Lead,
): MonthGrid {
  const days = daysOf(month, weekStart);
  const lines = linesByWeeks[days.weeks] ?? 5;
  const continued: Event[] = [];
  const cellAt = (offset: number): Cell => {
    const day = addDays(month, offset);
    const isInMonth = offset >= 0 && offset < days.length;
    if (!isInMonth) return { day, isInMonth, entries: [], more: 0 };
    const end = indexAt(events, startOf(addDays(day, 1)));
    const dayEvents = events.slice(indexAt(events, startOf(day)), end);
    const { entries, continued: others } = fillDay(dayEvents, lines, lead);
    continued.push(...others);
    return { day, isInMonth, entries, more: dayEvents.length - entries.length };
  };
  const weeks = Array.from({ length: days.weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => cellAt(days.at(week, weekday))),
  );
  return { weeks, continued };
}
