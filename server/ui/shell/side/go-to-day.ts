import type { Day } from '../../../dates/days.ts';
import { currentRoute, goTo, scrollToDay } from '../../base/navigation.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import { boundsOf } from '../../data/event-queries.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Returns a function that leads the view to a day; a year leads to the month. */
export function useGoToDay(): (day: Day) => void {
  const { today } = useVisibleEvents();
  const { seasonStart } = useClubSettings();
  return (day) => {
    const { view, span, day: shownDay, period, form } = currentRoute();
    const { from, to } = boundsOf(period, today, seasonStart);
    const isHidden = (from !== null && day < from) || (to !== null && day > to);
    const next = day === today ? null : day;
    goTo({
      day: next,
      ...(view === 'calendar' && span === 'year' && { span: 'month' }),
      ...(isHidden && { period: null }),
      ...(form === null && { event: null }),
    });
    // A view that was scrolled away from its day would stay there.
    if (day === (shownDay ?? today)) scrollToDay(next);
  };
}
