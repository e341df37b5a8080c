import type { Clock } from '../../dates/clock.ts';
import { addDays, addMonths, type Day, daysIntoWeek, monthOf, seasonOf } from '../../dates/days.ts';
import { indexAt } from '../../event/places.ts';
import { isOver } from '../../event/values.ts';
import type { Event } from '../../http/contract.ts';
import type { Period, Route } from '../base/address.ts';
import type { TeamTest } from './teams.ts';

/** The first and the last day of a range; null leaves that end open. */
type Bounds = { readonly from: Day | null; readonly to: Day | null };

/** Monday as a weekday, which counts from Sunday, 0. */
const monday = 1;

/** Returns the bounds of a period relative to today. */
export function boundsOf(period: Period, today: Day, seasonStart: number): Bounds {
  switch (period) {
    case null:
      return { from: null, to: null };
    case 'coming':
      return { from: today, to: null };
    case 'past':
      return { from: null, to: addDays(today, -1) };
    case 'today':
      return { from: today, to: today };
    case 'weekend': {
      const saturday = addDays(today, 5 - daysIntoWeek(today, monday));
      return { from: saturday, to: addDays(saturday, 1) };
    }
    case 'week':
      return { from: today, to: addDays(today, 6) };
    case 'month':
      return { from: monthOf(today), to: addDays(addMonths(today, 1), -1) };
    case 'next-month':
      return { from: addMonths(today, 1), to: addDays(addMonths(today, 2), -1) };
    case 'season': {
      const { first, end } = seasonOf(today, seasonStart);
      return { from: first, to: addDays(end, -1) };
    }
    default:
      return period;
  }
}

type Filter = Pick<Route, 'statuses' | 'types'> & {
  readonly clock: Clock;
  readonly bounds: Bounds;
  /** Ids of the events that pass; null for all. */
  readonly ids: { has(id: number): boolean } | null;
  /** The test for the chosen team; null for all. */
  readonly inTeam: TeamTest | null;
};

/** Returns the index of an event, or the one to insert it at; `events` are sorted by date, then id. */
export function indexOfEvent(events: readonly Event[], { date, id }: Event): number {
  let index = indexAt(events, date);
  while (events[index]?.date === date && (events[index]?.id ?? 0) < id) index += 1;
  return index;
}

/** Returns events, which are sorted by date, then id, without some of them and with others. */
export function replaceEvents(
  events: readonly Event[],
  outdated: readonly Event[],
  added: readonly Event[],
): readonly Event[] {
  const next = [...events];
  for (const event of outdated) next.splice(next.indexOf(event), 1);
  for (const event of added) next.splice(indexOfEvent(next, event), 0, event);
  return next;
}

/** Returns the events that pass, in the same order; the same array if nothing is filtered. */
export function filterEvents<Shown extends Event>(
  events: readonly Shown[],
  filter: Filter,
): readonly Shown[] {
  const { clock, statuses, types, bounds, ids, inTeam } = filter;
  const { from, to } = bounds;
  const first = from === null ? 0 : indexAt(events, clock.startOf(from));
  const end = to === null ? events.length : indexAt(events, clock.startOf(addDays(to, 1)));
  const within = first === 0 && end === events.length ? events : events.slice(first, end);
  if (statuses.length + types.length === 0 && ids === null && inTeam === null) return within;
  const [status, type] = [new Set<string>(statuses), new Set<string>(types)];
  return within.filter(
    (event) =>
      (status.size === 0 || status.has(event.status)) &&
      (type.size === 0 || type.has(event.eventType ?? 'none')) &&
      (ids === null || ids.has(event.id)) &&
      (inTeam === null || inTeam(event)),
  );
}

/** Returns the events that begin on the days from `first` to `last`; `events` are sorted by date. */
export function eventsBetween(clock: Clock, events: readonly Event[], first: Day, last = first) {
  const end = indexAt(events, clock.startOf(addDays(last, 1)));
  return events.slice(indexAt(events, clock.startOf(first)), end);
}

/** Returns the events before and after one in events sorted by date, which need not contain it. */
export function neighboursOf(
  event: Event,
  events: readonly Event[],
): { readonly previous: Event | undefined; readonly next: Event | undefined } {
  const at = indexOfEvent(events, event);
  const next = events[at]?.id === event.id ? at + 1 : at;
  return { previous: events[at - 1], next: events[next] };
}

/** Returns the next event that takes place, no draft; `events` are sorted by date. */
export function nextEvent(clock: Clock, events: readonly Event[], now: Date): Event | undefined {
  for (let at = indexAt(events, clock.startOf(clock.dayOf(now))); at < events.length; at += 1) {
    const event = events[at] as Event;
    if (event.status === 'active' && !isOver(clock, event, now)) return event;
  }
  return undefined;
}

/** The events of a month: the indexes from `first` up to `end`, exclusive. */
type MonthOfEvents = { readonly month: Day; readonly first: number; readonly end: number };

/** Yields each month that has events; `events` must be sorted by date. */
export function* eachMonth(clock: Clock, events: readonly Event[]): Generator<MonthOfEvents> {
  for (let first = 0; first < events.length; ) {
    const month = monthOf(clock.dayOf(events[first]?.date ?? ''));
    const end = Math.max(first + 1, indexAt(events, clock.startOf(addMonths(month, 1))));
    yield { month, first, end };
    first = end;
  }
}
