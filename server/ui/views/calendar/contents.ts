import { useDeferredValue, useMemo } from 'react';
import type { Event } from '../../../contract.ts';
import type { Size } from '../../base/browser.ts';
import { addDays, type Day, dayOf, startOf } from '../../base/days.ts';
import { usePlace } from '../../base/navigation.ts';
import { indexAt } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type CalendarLayout, layoutOf, type Range } from './range.ts';

/** An item of a day: its heading, an event, or the number of events that do not fit. */
export type DayItem =
  | { readonly kind: 'head'; readonly day: Day; readonly count: number }
  | { readonly kind: 'event'; readonly day: Day; readonly event: Event }
  | { readonly kind: 'more'; readonly day: Day; readonly count: number };

/** Returns the indexes of a day's events among all events; `end` is exclusive. */
export function indexRangeOf(
  events: readonly Event[],
  day: Day,
): readonly [first: number, end: number] {
  return [indexAt(events, startOf(day)), indexAt(events, startOf(addDays(day, 1)))];
}

/** Counts the events of each day; days without events are left out. */
function countsOf(events: readonly Event[], days: readonly Day[]): ReadonlyMap<Day, number> {
  const counts = new Map<Day, number>();
  for (const day of days) {
    const [first, end] = indexRangeOf(events, day);
    if (end > first) counts.set(day, end - first);
  }
  return counts;
}

/** Creates the headings of days, which come before their other items. */
function headsOf(days: readonly Day[], counts: ReadonlyMap<Day, number>): readonly DayItem[] {
  return days.map((day) => ({ kind: 'head', day, count: counts.get(day) ?? 0 }));
}

function itemsOfDay(
  events: readonly Event[],
  day: Day,
  room: number,
  chosen: number | null,
): readonly DayItem[] {
  const [first, end] = indexRangeOf(events, day);
  const toItem = (event: Event): DayItem => ({ kind: 'event', day, event });
  if (end - first <= room) return events.slice(first, end).map(toItem);
  const visible = events.slice(first, first + room - 1);
  const rest = events.slice(first + room - 1, end);
  // The chosen event is always shown; if necessary, it replaces the last one.
  const hidden = rest.find(({ id }) => id === chosen);
  if (hidden !== undefined) visible[visible.length - 1] = hidden;
  return [...visible.map(toItem), { kind: 'more', day, count: rest.length }];
}

/** Creates the items of some days; `room` is the number of items that fit in a day, at least 2. */
function itemsOf(
  events: readonly Event[],
  days: readonly Day[],
  room: number,
  chosen: number | null,
): readonly DayItem[] {
  return days.flatMap((day) => itemsOfDay(events, day, Math.max(2, room), chosen));
}

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
