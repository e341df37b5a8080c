import { type Day, partsOf } from '../time/days.ts';

/** Years after which the Gregorian calendar repeats itself, weekdays included, and its multiples. */
const cycle = 400;

/**
 * How many years later FullCalendar is told a time to be: it takes the years before 100 for those
 * of the 20th century, and knows none after 9999. Zero for all other times.
 */
export function yearsAhead(anchor: Day): number {
  const { year } = partsOf(anchor);
  if (year <= 100) return 5 * cycle;
  return year >= 9999 ? -cycle : 0;
}

/** The same day some years later, a multiple of 400; as a text, so that no calendar is asked. */
export function shiftYears(day: Day, years: number): Day {
  if (years === 0) return day;
  const year = String(partsOf(day).year + years).padStart(4, '0');
  return `${year}${day.slice(day.indexOf('-'))}`;
}
