import { useDeferredValue, useMemo } from 'react';
import { useVisibleEvents } from '../events/shown.tsx';
import { usePlace } from '../place/use-place.ts';
import type { Size } from '../shell/use-size.ts';
import { type Day, dayOf } from '../time/days.ts';
import { countsOf, type DayItem, headsOf, itemsOf } from './day-items.ts';
import { type CalendarLayout, layoutOf } from './layout.ts';
import type { Range } from './range.ts';

/** What the days of a range show. */
export type DayContents = {
  readonly layout: CalendarLayout;
  /** The day that says which range it is. */
  readonly anchor: Day;
  readonly items: readonly DayItem[];
  readonly counts: ReadonlyMap<Day, number>;
  /** The day of the event in the panel, or of the hit that the search has gone to. */
  readonly chosenDay: Day | null;
};

/**
 * The contents of a range in the room there is. They come a moment later than what they are made
 * from, as the days of a year take longer to render than a letter or a click may wait.
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
