import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addDays, addMonths, type Day, monthOf, partsOf, startOf } from '../time/days.ts';

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

/** How wide a line is, and the two that an entry may have; in widths of a small letter. */
const lineWidth = 17;
const entryWidth = 31;

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

/** Fills a day with as many of its events as it has lines for, the last for what is more. */
function fillDay(events: readonly Event[], lines: number, lead: Lead) {
  const entries: Entry[] = [];
  const continued: Event[] = [];
  let left = lines;
  for (const [index, event] of events.entries()) {
    const room = entryWidth - widthOf(lead(event));
    const isCut = widthOf(event.name) > room;
    const text = isCut ? cutText(event.name, room) : event.name;
    const needed = widthOf(lead(event) + text) > lineWidth ? 2 : 1;
    const reserve = index < events.length - 1 ? 1 : 0;
    if (needed + reserve > left)
      return { entries, continued: [...continued, ...events.slice(index)] };
    left -= needed;
    entries.push({ event, text });
    if (isCut) continued.push(event);
  }
  return { entries, continued };
}

/**
 * Lays a month out as whole weeks. `lead` is what stands before the name of an event in its day;
 * `firstDay` is the day that weeks begin with, 1 for Monday to 7 for Sunday.
 */
export function layOutMonth(
  events: readonly Event[],
  day: Day,
  firstDay: number,
  lead: Lead,
): MonthGrid {
  const month = monthOf(day);
  const end = addMonths(month, 1);
  const { year, month: number } = partsOf(month);
  const first = new Date(2000, number - 1, 1);
  first.setFullYear(year);
  const skipped = (first.getDay() - firstDay + 7) % 7;
  const length = partsOf(addDays(end, -1)).date;
  const count = Math.ceil((skipped + length) / 7);
  const lines = linesByWeeks[count] ?? 5;
  const continued: Event[] = [];
  const cellAt = (index: number): Cell => {
    const at = addDays(month, index - skipped);
    const isInMonth = index >= skipped && index < skipped + length;
    if (!isInMonth) return { day: at, isInMonth, entries: [], more: 0 };
    const from = indexAt(events, startOf(at));
    const ofDay = events.slice(from, indexAt(events, startOf(addDays(at, 1))));
    const filled = fillDay(ofDay, lines, lead);
    continued.push(...filled.continued);
    return {
      day: at,
      isInMonth,
      entries: filled.entries,
      more: ofDay.length - filled.entries.length,
    };
  };
  const weeks = Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => cellAt(week * 7 + weekday)),
  );
  return { weeks, continued };
}
