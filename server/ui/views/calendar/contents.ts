import { useDeferredValue, useMemo } from 'react';
import type { Event } from '../../../http/contract.ts';
import type { Span } from '../../base/address.ts';
import { addDays, type Day, dayOf, startOf } from '../../base/days.ts';
import { usePlace } from '../../base/navigation.ts';
import { indexAt } from '../../data/event-queries.ts';
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

export type Contents = Pick<Range, 'anchor' | 'days'> & {
  readonly span: Span;
  /** The days that have events. */
  readonly byDay: ReadonlyMap<Day, readonly Event[]>;
  /** The events that a day shows even if it is full. */
  readonly kept: ReadonlySet<number | null>;
  /** The types of the events in the range, in the order of the legend. */
  readonly types: readonly (typeof legendTypes)[number][];
  /** Day of the form or of the current search hit; in a year, first of the event in the panel. */
  readonly chosenDay: Day | null;
};

/**
 * Returns the contents of a range. They are deferred, because rendering the days of a year would
 * block typing and clicks.
 */
export function useContents(range: Range, movedId: number | null): Contents {
  const { events, all } = useVisibleEvents();
  const { span, event: chosen, words, day, formDay } = usePlace();
  const contents = useMemo(() => {
    const byDay = new Map<Day, readonly Event[]>();
    const types = new Set<Event['eventType']>();
    for (const one of range.days) {
      const [first, end] = indexRangeOf(events, one);
      if (end === first) continue;
      const ofDay = events.slice(first, end);
      byDay.set(one, ofDay);
      for (const { eventType } of ofDay) types.add(eventType);
    }
    const chosenEvent = chosen === null || span !== 'year' ? undefined : all?.byId.get(chosen);
    const hitDay = words === '' ? null : day;
    return {
      span,
      anchor: range.anchor,
      days: range.days,
      byDay,
      kept: new Set([chosen, movedId]),
      types: legendTypes.filter((type) => types.has(type)),
      chosenDay: chosenEvent ? dayOf(chosenEvent.date) : (formDay ?? hitDay),
    };
  }, [events, all, span, range, movedId, chosen, words, day, formDay]);
  return useDeferredValue(contents);
}
