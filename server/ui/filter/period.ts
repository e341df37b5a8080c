import type { Period } from '../place/place.ts';
import { addDays, addMonths, type Day, monthOf, startOf } from '../time/days.ts';
import { seasonOf } from '../time/season.ts';

/** Range of timestamps, `from <= date < to`; null leaves that end open. */
export type Bounds = { readonly from: string | null; readonly to: string | null };

const open: Bounds = { from: null, to: null };

function between(first: Day | null, end: Day | null): Bounds {
  return { from: first && startOf(first), to: end && startOf(end) };
}

/** Returns the bounds of a period relative to today. */
export function boundsOf(period: Period, today: Day, seasonStart: number): Bounds {
  switch (period) {
    case null:
      return open;
    case 'coming':
      return between(today, null);
    case 'past':
      return between(null, today);
    case 'month':
      return between(monthOf(today), addMonths(today, 1));
    case 'season': {
      const { first, end } = seasonOf(today, seasonStart);
      return between(first, end);
    }
    default:
      return between(period.from, period.to && addDays(period.to, 1));
  }
}
