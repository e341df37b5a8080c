import { useDeferredValue, useMemo } from 'react';
import type { Event } from '../../../contract.ts';
import type { Span } from '../../base/address.ts';
import { addDays, type Day, dayOf, startOf } from '../../base/days.ts';
import { usePlace } from '../../base/navigation.ts';
import { indexAt } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import type { Range } from './range.ts';

/** Returns the indexes of a day's events among all events; `end` is exclusive. */
export function indexRangeOf(
  events: readonly Event[],
  day: Day,
): readonly [first: number, end: number] {
  return [indexAt(events, startOf(day)), indexAt(events, startOf(addDays(day, 1)))];
}

/** The types in the order of the legend. */
const legendTypes = ['club', 'regional', 'national', 'international'] as const;

/** The events of a day that the calendar shows, and the number of all of them. */
export type DayContents = { readonly shown: readonly Event[]; readonly count: number };

/** Maximum number of events in a day of each span; a list has more room than a month. */
const rooms: Readonly<Record<Span | 'list', number>> = { month: 2, week: 12, list: 12, year: 0 };

/** Returns the contents of a day with events. A day always shows the `kept` ones, even if it is full. */
function contentsOfDay(
  events: readonly Event[],
  room: number,
  kept: ReadonlySet<number | null>,
): DayContents {
  const hidden = events.slice(room).filter(({ id }) => kept.has(id));
  const shown = [...events.slice(0, Math.max(0, room - hidden.length)), ...hidden];
  return { shown: room === 0 ? [] : shown, count: events.length };
}

export type Contents = Pick<Range, 'anchor' | 'days'> & {
  readonly span: Span;
  /** The days that have events. */
  readonly byDay: ReadonlyMap<Day, DayContents>;
  /** The types of the events in the range, in the order of the legend. */
  readonly types: readonly (typeof legendTypes)[number][];
  /** Day of the event in the panel, otherwise of the form, otherwise of the current search hit. */
  readonly chosenDay: Day | null;
};

/**
 * Returns the contents of a range. They are deferred, because rendering the days of a year would
 * block typing and clicks.
 */
export function useContents(range: Range, isList: boolean, movedId: number | null): Contents {
  const { events, all } = useVisibleEvents();
  const { span, event: chosen, words, day, formDay } = usePlace();
  const contents = useMemo(() => {
    const byDay = new Map<Day, DayContents>();
    const types = new Set<Event['eventType']>();
    const kept = new Set([chosen, movedId]);
    for (const one of range.days) {
      const [first, end] = indexRangeOf(events, one);
      if (end === first) continue;
      const ofDay = events.slice(first, end);
      byDay.set(one, contentsOfDay(ofDay, rooms[isList ? 'list' : span], kept));
      for (const { eventType } of ofDay) types.add(eventType);
    }
    const chosenEvent = chosen === null ? undefined : all?.byId.get(chosen);
    const hitDay = words === '' ? null : day;
    return {
      span,
      anchor: range.anchor,
      days: range.days,
      byDay,
      types: legendTypes.filter((type) => types.has(type)),
      chosenDay: chosenEvent ? dayOf(chosenEvent.date) : (formDay ?? hitDay),
    };
  }, [events, all, span, range, isList, movedId, chosen, words, day, formDay]);
  return useDeferredValue(contents);
}
