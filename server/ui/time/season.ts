import { addMonths, type Day, partsOf } from './days.ts';

/** A club's season of twelve months; `end` is exclusive. */
export type Season = { readonly first: Day; readonly end: Day };

/** Returns the season that contains a day; `startMonth` counts from 1. */
export function seasonOf(day: Day, startMonth: number): Season {
  const { year, month } = partsOf(day);
  const startYear = month >= startMonth ? year : year - 1;
  const first = `${String(startYear).padStart(4, '0')}-${String(startMonth).padStart(2, '0')}-01`;
  return { first, end: addMonths(first, 12) };
}

/** Names a season: `2026`, or `2026/27` if it spans two years. */
export function seasonName({ first }: Season): string {
  const { year, month } = partsOf(first);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
