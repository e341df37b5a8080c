import { datesAt } from '../dates.ts';
import { addDays, addMonths, type Day, daysIntoWeek, monthOf, partsOf, writeDay } from '../days.ts';
import { skipStops } from '../times.ts';
import { articles, months, oneOf, ordinals, unitOf, weekdayOf } from '../vocabulary.ts';
import { nextDayOfMonth, spokenDayAt } from './days.ts';
import { pastDays, periods } from './grammar.ts';
import { type DayContext, type Line, lineOf, matchAt, phraseAt, textAt } from './line.ts';
import { dayOfDate, maxDates } from './written-day.ts';

/** Parses the whole text as a day: "14 March", "next Saturday", "in 3 days", "last December". */
export function parseSpokenDay(text: string, context: DayContext): Day | undefined {
  const line = lineOf(text.trim(), context);
  const { tokens } = line;
  const isWhole = (to: number) => to > 0 && skipStops(tokens, to) === tokens.length;
  const relative = spokenDayAt(line, 0);
  // "Next Saturday" is shown as a date at once, so a day that it can mean is enough.
  const isDay = relative?.isUnclear === false || relative?.kind === 'weekday';
  if (relative !== undefined && isDay && isWhole(relative.to)) return relative.value;
  for (const order of ['dmy', 'mdy'] as const) {
    for (const [{ date }, to] of datesAt(tokens, 0, order, maxDates)) {
      const day = isWhole(to) ? dayOfDate(date, context.today) : undefined;
      if (day !== undefined) return day;
    }
  }
  return monthOrNumber(line, isWhole);
}

const dayNumber = new RegExp(
  `^(?:(?:${oneOf(articles.nth)}) )*(\\d{1,2})(?:\\.|${oneOf(ordinals)})?$`,
);

/** Parses "next week", "last Friday", "March", "March 2027" or "the 14th". */
function monthOrNumber(line: Line, isWhole: (to: number) => boolean): Day | undefined {
  const { today, language } = line.context;
  const past = phraseAt(line, 0, pastDays);
  if (past !== undefined && isWhole(past.to)) return addDays(today, past.value);
  const current = partsOf(today).year;
  const period = matchAt(line, 0, periods.before) ?? matchAt(line, 0, periods.behind);
  if (period !== undefined && isWhole(period.to)) {
    const { last, unit, month: name, wd } = period.groups;
    const step = last === undefined ? 1 : -1;
    if (wd !== undefined) {
      const days = (daysIntoWeek(today, 0) - (weekdayOf(wd, language === 'fr') ?? 0) + 7) % 7 || 7;
      return step < 0 ? addDays(today, -days) : undefined;
    }
    if (name !== undefined) {
      const first = writeDay(current, months.get(name) ?? 1, 1);
      const isBeyond = step < 0 ? first >= monthOf(today) : first <= monthOf(today);
      return isBeyond ? addMonths(first, 12 * step) : first;
    }
    if (unitOf(unit) === 'week') return addDays(today, 7 * step);
    return addMonths(monthOf(today), unitOf(unit) === 'month' ? step : 12 * step);
  }
  const month = months.get(textAt(line, 0));
  if (month !== undefined) {
    const year = /^\d{4}$/.exec(textAt(line, 1))?.[0];
    if (!isWhole(year === undefined ? 1 : 2) || Number(year) === 0) return undefined;
    if (year !== undefined) return writeDay(Number(year), month, 1);
    const first = writeDay(current, month, 1);
    return first < monthOf(today) ? writeDay(current + 1, month, 1) : first;
  }
  const [, number] = dayNumber.exec(line.text.toLowerCase()) ?? [];
  return number === undefined ? undefined : nextDayOfMonth(Number(number), today);
}
