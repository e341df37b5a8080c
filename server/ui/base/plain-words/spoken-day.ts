import { months, tokenizeLine } from '../../../dates/date-words.ts';
import { datesAt } from '../../../dates/dates.ts';
import { skipStops } from '../../../dates/times.ts';
import { addDays, addMonths, type Day, monthOf, partsOf } from '../days.ts';
import {
  dayOfDate,
  maxDates,
  monthWords,
  namedDayAt,
  nextDayOfMonth,
  nextWords,
  unitDays,
  weekdayAt,
} from './days.ts';
import { type DayContext, type Line, maxLength, textAt } from './line.ts';

/** Parses the whole text as a day: "14 March", "next Saturday", "in 3 days", "March 2027". */
export function parseSpokenDay(text: string, context: DayContext): Day | undefined {
  const tokens = text.length > maxLength ? [] : tokenizeLine(text.trim());
  const line: Line = { text: text.trim(), tokens, context };
  const isWhole = (to: number) => to > 0 && skipStops(tokens, to) === tokens.length;
  const relative = weekdayAt(line, 0) ?? namedDayAt(line, 0);
  if (relative !== undefined && isWhole(relative.to)) return relative.value;
  for (const order of ['dmy', 'mdy'] as const) {
    for (const [{ date }, to] of datesAt(tokens, 0, order, maxDates)) {
      const day = isWhole(to) ? dayOfDate(date, context.today) : undefined;
      if (day !== undefined) return day;
    }
  }
  return monthOrNumber(line, isWhole);
}

/** Parses "next week", "March", "March 2027" or "the 14th". */
function monthOrNumber(line: Line, isWhole: (to: number) => boolean): Day | undefined {
  const { today } = line.context;
  const isNext = nextWords.has(textAt(line, 0)) || nextWords.has(textAt(line, 1));
  const unit = textAt(line, nextWords.has(textAt(line, 0)) ? 1 : 0);
  if (isNext && isWhole(2)) {
    if (unitDays.get(unit) === 7) return addDays(today, 7);
    if (monthWords.has(unit)) return addMonths(monthOf(today), 1);
  }
  const month = months.get(textAt(line, 0))?.[0];
  if (month !== undefined) {
    const year = /^\d{4}$/.exec(textAt(line, 1))?.[0];
    if (!isWhole(year === undefined ? 1 : 2)) return undefined;
    const first = (value: number) =>
      `${String(value).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
    const current = partsOf(today).year;
    if (year !== undefined) return first(Number(year));
    return first(current) < monthOf(today) ? first(current + 1) : first(current);
  }
  const number =
    /^(?:(?:on |am |den |le |op |the |de )*)(\d{1,2})(?:\.|st|nd|rd|th|er|e|de|ste)?$/.exec(
      line.text.toLowerCase(),
    );
  return number === null ? undefined : nextDayOfMonth(Number(number[1]), today);
}
