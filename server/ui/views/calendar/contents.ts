import { useDeferredValue, useMemo } from 'react';
import { type EventType, typesByReach } from '../../../../db/model.ts';
import type { Clock } from '../../../dates/clock.ts';
import { addDays, type Day, daysBetween } from '../../../dates/days.ts';
import { maxDaysBack } from '../../../event/places.ts';
import { dayCount, lastDayOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import type { Span } from '../../base/address.ts';
import { useRoute } from '../../base/navigation.ts';
import { eventsBetween } from '../../data/event-queries.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type Range, weeksOf } from './range.ts';

/** Returns the events that take place on a day, those that began before it first. */
export function eventsOn(clock: Clock, events: readonly Event[], day: Day): readonly Event[] {
  const spans = spansBetween(clock, events, day, day);
  const begun = spans.filter(({ date }) => clock.dayOf(date) < day);
  return [...begun, ...eventsBetween(clock, events, day)];
}

/** Returns the events of several days that take place on one of the days from `first` to `last`. */
function spansBetween(clock: Clock, events: readonly Event[], first: Day, last: Day) {
  return eventsBetween(clock, events, addDays(first, -maxDaysBack), last).filter(
    (event) => dayCount(event, clock) > 1 && lastDayOf(event, clock) >= first,
  );
}

/** A line of a day at the top of its cell. */
export type Lane =
  /** The part of an event of several days in a week, which begins on this day. */
  | {
      readonly event: Event;
      /** Number of days up to the end of the event or of the week. */
      readonly length: number;
      readonly isFirst: boolean;
      readonly isLast: boolean;
    }
  /** A line that is free, or that a part from an earlier day crosses. */
  | null;

/** Arranges events of several days as bars, the longest first; `weeks` are the first days. */
export function arrangeBars(
  clock: Clock,
  spans: readonly Event[],
  weeks: readonly Day[],
): ReadonlyMap<Day, readonly Lane[]> {
  const lanes = new Map<Day, Lane[]>();
  const byLength = spans.toSorted((one, other) => dayCount(other, clock) - dayCount(one, clock));
  for (const week of weeks) {
    /** The days of the week that each lane has left, by lane. */
    const taken: boolean[][] = [];
    for (const event of byLength) {
      const [first, last] = [clock.dayOf(event.date), lastDayOf(event, clock)];
      const from = Math.max(0, daysBetween(week, first));
      const to = Math.min(6, daysBetween(week, last));
      if (from > 6 || to < 0) continue;
      const days = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      let lane = taken.findIndex((used) => days.every((day) => !used[day]));
      if (lane === -1) lane = taken.push([]) - 1;
      for (const day of days) {
        (taken[lane] as boolean[])[day] = true;
        const ofDay = lanes.get(addDays(week, day)) ?? [];
        while (ofDay.length <= lane) ofDay.push(null);
        lanes.set(addDays(week, day), ofDay);
      }
      const isFirst = first >= week;
      const isLast = daysBetween(week, last) <= 6;
      (lanes.get(addDays(week, from)) as Lane[])[lane] = {
        event,
        length: days.length,
        isFirst,
        isLast,
      };
    }
  }
  return lanes;
}

export type Contents = Pick<Range, 'anchor' | 'days'> & {
  readonly span: Span;
  /** The days that have events. */
  readonly byDay: ReadonlyMap<Day, readonly Event[]>;
  /** The lines of events of several days, by day. */
  readonly bars: ReadonlyMap<Day, readonly Lane[]>;
  /** The events that a day shows even if it is full. */
  readonly kept: ReadonlySet<number | null>;
  /** The types of the events in the range, in the order of the legend. */
  readonly types: readonly EventType[];
  /** Day of the form or of the current search hit; in a year, first of the event in the panel. */
  readonly chosenDay: Day | null;
};

/**
 * Returns the contents of a range. They are deferred, because rendering the days of a year would
 * block typing and clicks.
 */
export function useContents(
  { span, range, day }: { readonly span: Span; readonly range: Range; readonly day: Day | null },
  movedId: number | null,
  hasBars: boolean,
): Contents {
  const { events, all, clock } = useVisibleEvents();
  const { event: chosen, words, formDay } = useRoute();
  const contents = useMemo(() => {
    const byDay = new Map<Day, readonly Event[]>();
    const types = new Set<Event['eventType']>();
    const [first = '', last = first] = [range.days[0], range.days.at(-1)];
    const spans = hasBars ? spansBetween(clock, events, first, last) : [];
    for (const { eventType } of spans) types.add(eventType);
    for (const one of range.days) {
      const ofDay = eventsBetween(clock, events, one).filter((event) => !spans.includes(event));
      if (ofDay.length === 0) continue;
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
      bars: arrangeBars(clock, spans, weeksOf({ days: range.days })),
      kept: new Set([chosen, movedId]),
      types: typesByReach.filter((type) => types.has(type)),
      chosenDay: chosenEvent ? clock.dayOf(chosenEvent.date) : (formDay ?? hitDay),
    };
  }, [events, all, span, range, movedId, chosen, words, day, formDay, hasBars, clock]);
  return useDeferredValue(contents);
}
