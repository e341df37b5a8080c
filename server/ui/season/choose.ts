import { boundsOf } from '../filter/period.ts';
import type { DayRange, Place } from '../place/place.ts';
import { goTo } from '../place/use-place.ts';
import type { SeasonBy } from '../shell/preferences.ts';
import { addDays, type Day, dayOf } from '../time/days.ts';
import type { Kind } from './counts.ts';

/** Range of days; `end` is exclusive. */
export type Days = { readonly first: Day; readonly end: Day };

/** Returns the part of a range that lies in the chosen period: the days that the chart counts. */
export function daysWithin(
  { first, end }: Days,
  {
    period,
    today,
    seasonStart,
  }: Pick<Place, 'period'> & {
    readonly today: Day;
    readonly seasonStart: number;
  },
): DayRange {
  const bounds = boundsOf(period, today, seasonStart);
  const from = bounds.from === null ? first : dayOf(bounds.from);
  // The end of the year 9999 is not a timestamp; see `startOf`.
  const isOpen = bounds.to === null || Number.isNaN(Date.parse(bounds.to));
  const to = isOpen ? end : dayOf(bounds.to as string);
  return { from: from > first ? from : first, to: addDays(to < end ? to : end, -1) };
}

/** Shows the events of a part of the chart in the agenda, as a new history entry. */
export function showInAgenda(days: DayRange, kind: Kind | null, by: SeasonBy): void {
  const chosen =
    kind === null ? {} : ((by === 'status' ? { statuses: [kind] } : { types: [kind] }) as object);
  goTo({ view: 'agenda', period: days, day: days.from, ...chosen });
  // The focused button disappears with the chart.
  document.getElementById('events')?.focus();
}
