import { flushSync } from 'react-dom';
import type { Day } from '../../../dates/days.ts';
import { adjustRoute, goTo, goToToday, useRoute } from '../../base/navigation.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import { boundsOf } from '../../data/event-queries.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Returns a function that leads the view to a day; a year leads to the month. */
export function useGoToDay(): (day: Day) => void {
  const { view, span, day: shownDay, period, form } = useRoute();
  const { today } = useVisibleEvents();
  const { seasonStart } = useClubSettings();
  return (day) => {
    const { from, to } = boundsOf(period, today, seasonStart);
    const isHidden = (from !== null && day < from) || (to !== null && day > to);
    // Without this, a view that was scrolled away from its day would stay there.
    if (day === shownDay) flushSync(() => adjustRoute({ day: null }));
    goTo({
      day: day === today ? null : day,
      ...(view === 'calendar' && span === 'year' && { span: 'month' }),
      ...(isHidden && { period: null }),
      ...(form === null && { event: null }),
    });
    if (day === today) goToToday();
  };
}
