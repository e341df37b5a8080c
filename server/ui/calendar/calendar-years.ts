import { type Day, partsOf } from '../time/days.ts';

/** Years after which the Gregorian calendar repeats, weekdays included. */
const cycle = 400;

/**
 * Returns the years to add to dates for FullCalendar: a multiple of 400, usually 0. FullCalendar
 * takes years before 100 for years of the 20th century and does not support years after 9999.
 */
export function yearsAhead(anchor: Day): number {
  const { year } = partsOf(anchor);
  if (year <= 100) return 5 * cycle;
  return year >= 9999 ? -cycle : 0;
}

/** Shifts a day by a multiple of 400 years. Changes the text, which needs no date arithmetic. */
export function shiftYears(day: Day, years: number): Day {
  if (years === 0) return day;
  const year = String(partsOf(day).year + years).padStart(4, '0');
  return `${year}${day.slice(day.indexOf('-'))}`;
}
