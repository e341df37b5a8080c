import { completeDate, type DateReading, dateOrders, datesAt, type WrittenDate } from '../dates.ts';
import { type Day, daysIntoWeek, partsOf } from '../days.ts';
import { hasLooseYear, type Run } from '../spans.ts';
import { skipStops } from '../times.ts';
import { articles, joints, months, weekdays } from '../vocabulary.ts';
import { isShortForeign, move } from './grammar.ts';
import { canEnd, type FoundDay, type FoundTime, type Line, textAt } from './line.ts';
import { timeAfter, timeAt } from './times.ts';

/** Limit of dates in one reading: the two ends of a range. */
export const maxDates = 2;

/** Returns the next such day from today on; a leap day may be eight years away. */
export function dayOfDate(date: WrittenDate, today: Day, yearsAhead = 8): Day | undefined {
  if (date.year !== undefined) return completeDate(date, date.year)?.day;
  const { year } = partsOf(today);
  for (let ahead = 0; ahead <= yearsAhead; ahead += 1) {
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
  return kind === 'number' || weekdays.has(text) || months.has(text) || articles.date.has(text);
}

/** Returns true for a date in a line that is no time, list, score, fraction or result. */
function isLikelyDate(
  line: Line,
  { date, isPlain, dateEnd }: DateReading,
  { from, to }: Run,
  fits: boolean,
  times: readonly FoundTime[],
): boolean {
  const tokens = line.tokens.slice(from, to);
  // In "Race 4, 5 December", only the second number is a day.
  if (date.isRange && tokens.some(({ text }) => text === ',')) return false;
  // In "Tue 10-12 Uhr", the numbers are hours; in "Tue 10-12", no date unless it is a Tuesday.
  const isHour = (time: FoundTime) =>
    time.isCertain && time.from >= from && time.from < dateEnd && time.to > dateEnd;
  if (times.some(isHour)) return false;
  const isShort = date.year === undefined && tokens.some(({ text }) => text === '-');
  if (isShort && !date.isRange && !fits) return false;
  const [first, sign, second] = tokens;
  const last = tokens.findLast(({ kind }) => kind !== 'sign');
  const isWeekdayBehind = last !== undefined && weekdays.has(last.text) && !date.isRange;
  if (!fits && isWeekdayBehind) return false;
  // In "Stage 3/4 Sat 10:00", the numbers are a fraction.
  const isFraction = sign?.text === '/' && date.year === undefined && second?.text.length === 1;
  if (isFraction && isWeekdayBehind && Number(first?.text) < Number(second.text)) return false;
  return !isPlain || timeAfter(line, dateEnd) !== undefined || isPlainDate(line, dateEnd, from);
}

/** Returns the year of "5 Dec 2030", which could also be half past eight. */
export function hourLikeYear({ tokens }: Line, to: number): number | undefined {
  const last = tokens[to - 1];
  const isHour = last?.hasGap === true && /^(?:[01]\d|2[0-3])[0-5][05]$/.test(last.text);
  return isHour ? Number(last.text) : undefined;
}

/** Returns the day of a reading, if it is one: with its end, and whether it could be another. */
function readDate(
  line: Line,
  reading: DateReading,
  { from, to }: Run,
  times: readonly FoundTime[],
): FoundDay | undefined {
  const { date, last } = reading;
  const { tokens, context } = line;
  const year = last?.date.year ?? date.year;
  if (year !== undefined && hasLooseYear(line, { from, to }, partsOf(context.today).year)) {
    return undefined;
  }
  // A leap day in some years is hardly meant.
  const value = canEnd(line, to) ? dayOfDate(date, context.today, 1) : undefined;
  if (value === undefined || date.time !== undefined) return undefined;
  const fitsDay = (day: Day, { weekdays: named }: WrittenDate) =>
    named.length === 0 || named.includes(daysIntoWeek(day, 0));
  const fits = fitsDay(value, date);
  // In "Xmas do 13/12", "do" is no Thursday.
  const isForeign = isShortForeign(textAt(line, from), context.language);
  if (!fits && isForeign) return undefined;
  if (!isLikelyDate(line, reading, { from, to }, fits, times)) return undefined;
  const hour = hourLikeYear(line, to);
  // Before a time, as in "14 March 1900 19:00", such a number is a year.
  const isYear = timeAt(line, skipStops(tokens, to))?.value !== undefined;
  if (hour !== undefined && ((hour < 1970 && !isYear) || !fits)) return undefined;
  const time = timeAfter(line, to);
  const shared = { from, to, value, time, kind: 'written', score: 4 } as const;
  const isHourOrYear = (hour ?? hourLikeYear(line, to + 1) ?? 0) >= 1970;
  const isUnclear = !fits || (isHourOrYear && !isYear && date.weekdays.length === 0);
  // In "Fri to Sun 4 Dec", the end is not known.
  if (last === undefined) return { ...shared, isUnclear: isUnclear || date.isRange };
  if (move.test(` ${line.joined}`)) return { ...shared, isUnclear: true };
  const endFrom = skipStops(tokens, last.at);
  const end = dayOfDate(last.date, value, 1);
  const isRange = end !== undefined && end > value && fitsDay(end, last.date);
  if (!isRange || joints.choice.has(textAt(line, endFrom))) return { ...shared, isUnclear: true };
  return { ...shared, isUnclear, end: { from: endFrom, value: end } };
}

/** Returns the full or short date that begins at a token. */
export function writtenDayAt(
  line: Line,
  at: number,
  times: readonly FoundTime[],
): FoundDay | undefined {
  const { tokens, context } = line;
  if (!canBeginDate(line, at)) return undefined;
  // In "30 Feb 10 Mill Lane", Feb 10 is no date.
  if (months.has(textAt(line, at)) && /^\d\d?$/.test(textAt(line, at - 1))) return undefined;
  const found: FoundDay[] = [];
  for (const order of /\d\/\d/.test(line.text) ? dateOrders : (['dmy'] as const)) {
    let best: FoundDay | undefined;
    for (const [reading, to] of datesAt(tokens, at, order, maxDates)) {
      const day = readDate(line, reading, { from: at, to }, times);
      if (day === undefined) continue;
      const hasTime = day.time !== undefined;
      const isBetter =
        best === undefined || (hasTime === (best.time !== undefined) ? to > best.to : hasTime);
      if (isBetter) best = day;
    }
    if (best !== undefined) found.push(best);
  }
  const [first, second = first] = found;
  if (first === undefined || second === undefined || first.value === second.value) return first;
  const clear = found.filter(({ isUnclear }) => !isUnclear);
  if (clear.length < 2 && (clear.length === 1 || context.language === 'en'))
    return clear[0] ?? first;
  // In English, 3/4 is a day in April or in March; elsewhere the day comes first.
  const isNumeric = tokens[at + 1]?.text === '/' || weekdays.has(textAt(line, at));
  return context.language === 'en' && isNumeric ? { ...first, isUnclear: true } : first;
}
