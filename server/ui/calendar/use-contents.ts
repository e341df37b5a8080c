import { useDeferredValue, useMemo } from 'react';
import { useVisibleEvents } from '../events/shown.tsx';
import { usePlace } from '../place/use-place.ts';
import type { Size } from '../shell/use-size.ts';
import { type Day, dayOf } from '../time/days.ts';
import { countsOf, type DayItem, headsOf, itemsOf } from './day-items.ts';
import { type CalendarLayout, layoutOf } from './layout.ts';
import type { Range } from './range.ts';

export type DayContents = {
  readonly layout: CalendarLayout;
  readonly anchor: Day;
  readonly items: readonly DayItem[];
  readonly counts: ReadonlyMap<Day, number>;
  /** Day of the event in the panel, otherwise of the current search hit. */
  readonly chosenDay: Day | null;
};

/**
 * Returns the contents of a range for the available size. They are deferred, because rendering
 * the days of a year would block typing and clicks.
 */
export function useContents(range: Range, size: Size | undefined): DayContents | undefined {
  const { events, all } = useVisibleEvents();
  const { span, event: chosen, words, day } = usePlace();
  const contents = useMemo(() => {
    const layout = size && layoutOf(span, size, range);
    if (layout === undefined) return undefined;
    const chosenEvent = chosen === null ? undefined : all?.byId.get(chosen);
    const counts = countsOf(events, range.days);
    const items = layout.room === null ? [] : itemsOf(events, range.days, layout.room, chosen);
    const hitDay = words === '' ? null : day;
    return {
      layout,
      anchor: range.anchor,
      counts,
      items: layout.view === 'dayGridWeek' ? [...headsOf(range.days, counts), ...items] : items,
      chosenDay: chosenEvent ? dayOf(chosenEvent.date) : hitDay,
    };
  }, [events, all, span, range, size, chosen, words, day]);
  return useDeferredValue(contents, undefined);
}
