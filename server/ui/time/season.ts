import { addMonths, type Day, partsOf } from './days.ts';

/** A club's season: twelve months from its first month on. */
export type Season = { readonly first: Day; readonly end: Day };

/** The season a day is in; `startMonth` counts from 1. */
export function seasonOf(day: Day, startMonth: number): Season {
  const { year, month } = partsOf(day);
  const startYear = month >= startMonth ? year : year - 1;
  const first = `${String(startYear).padStart(4, '0')}-${String(startMonth).padStart(2, '0')}-01`;
  return { first, end: addMonths(first, 12) };
}

/** How a season is called: `2026`, or `2026/27` when it spans two years. */
export function seasonName({ first }: Season): string {
  const { year, month } = partsOf(first);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
