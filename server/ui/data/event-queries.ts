import type { Event } from '../../http/contract.ts';
import type { Period, Place } from '../base/address.ts';
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  daysIntoWeek,
  isWithoutTime,
  monthOf,
  seasonOf,
  startOf,
  zoneName,
} from '../base/days.ts';

/** Range of timestamps, `from <= date < to`; null leaves that end open. */
type Bounds = { readonly from: string | null; readonly to: string | null };

const open: Bounds = { from: null, to: null };

function between(first: Day | null, end: Day | null): Bounds {
  return { from: first && startOf(first), to: end && startOf(end) };
}

/** Monday as a weekday, which counts from Sunday, 0. */
const monday = 1;

/** Returns the bounds of a period relative to today. */
export function boundsOf(period: Period, today: Day, seasonStart: number): Bounds {
  switch (period) {
    case null:
      return open;
    case 'coming':
      return between(today, null);
    case 'past':
      return between(null, today);
    case 'today':
      return between(today, addDays(today, 1));
    case 'weekend': {
      const saturday = addDays(today, 5 - daysIntoWeek(today, monday));
      return between(saturday, addDays(saturday, 2));
    }
    case 'week':
      return between(today, addDays(today, 7));
    case 'month':
      return between(monthOf(today), addMonths(today, 1));
    case 'next-month':
      return between(addMonths(today, 1), addMonths(today, 2));
    case 'season': {
      const { first, end } = seasonOf(today, seasonStart);
      return between(first, end);
    }
    default:
      return between(period.from, period.to && addDays(period.to, 1));
  }
}

type Filter = Pick<Place, 'statuses' | 'types'> & {
  readonly bounds: Bounds;
  /** Ids of the events that pass; null for all. */
  readonly ids: { has(id: number): boolean } | null;
};

/** Returns the index of the first event at or after a moment; `events` are sorted by date. */
export function indexAt(events: readonly Event[], moment: string): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.date ?? '') < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of an event, or the one to insert it at; `events` are sorted by date, then id. */
export function indexOfEvent(events: readonly Event[], { date, id }: Event): number {
  let index = indexAt(events, date);
  while (events[index]?.date === date && (events[index]?.id ?? 0) < id) index += 1;
  return index;
}

/** Returns the events that pass, in the same order; the same array if nothing is filtered. */
export function filterEvents(events: readonly Event[], filter: Filter): readonly Event[] {
  const { statuses, types, bounds, ids } = filter;
  const first = bounds.from === null ? 0 : indexAt(events, bounds.from);
  const end = bounds.to === null ? events.length : indexAt(events, bounds.to);
  const within = first === 0 && end === events.length ? events : events.slice(first, end);
  if (statuses.length === 0 && types.length === 0 && ids === null) return within;
  const [status, type] = [new Set<string>(statuses), new Set<string>(types)];
  return within.filter(
    (event) =>
      (status.size === 0 || status.has(event.status)) &&
      (type.size === 0 || type.has(event.eventType ?? 'none')) &&
      (ids === null || ids.has(event.id)),
  );
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

/** Checks that an event has begun; one without a time is over when its day has ended. */
export function isOver({ date }: Pick<Event, 'date'>, now: Date): boolean {
  return isWithoutTime(date) ? date < startOf(dayOf(now)) : date <= now.toISOString();
}

/** Returns the next event that takes place, no draft; `events` are sorted by date. */
export function nextEvent(events: readonly Event[], now: Date): Event | undefined {
  for (let at = indexAt(events, startOf(dayOf(now))); at < events.length; at += 1) {
    const event = events[at] as Event;
    if (event.status === 'active' && !isOver(event, now)) return event;
  }
  return undefined;
}

/** Returns the location of an event in a form to compare; empty if it is unknown. */
export const placeOf = ({ location }: Event) => location.trim().toLowerCase();

/** Time between two starts at the same location below which they clash, in milliseconds. */
const clashMs = 3 * 3_600_000;

type SamePlace = {
  /** The events that start at nearly the same time. */
  readonly clashes: readonly Event[];
  /** The other events of the day. */
  readonly others: readonly Event[];
};

/** An event and the time of its start in milliseconds; NaN without one. */
type Start = { readonly event: Event; readonly at: number };

/** Events by day and then by place, of the days that were looked up; without cancelled ones. */
type StartsByDay = Map<Day, ReadonlyMap<string, readonly Start[]>>;

const knownStarts = new WeakMap<readonly Event[], Map<string, StartsByDay>>();

function startTimeOf({ date }: Event): number {
  return isWithoutTime(date) ? Number.NaN : Date.parse(date);
}

/** Returns the events of a day by place. Looked up for each of its events, so it reads them once. */
function startsOn(day: Day, all: readonly Event[]): ReadonlyMap<string, readonly Start[]> {
  const byZone = knownStarts.get(all) ?? new Map<string, StartsByDay>();
  knownStarts.set(all, byZone);
  const byDay: StartsByDay = byZone.get(zoneName()) ?? new Map();
  byZone.set(zoneName(), byDay);
  const known = byDay.get(day);
  if (known !== undefined) return known;
  const ofDay = all.slice(indexAt(all, startOf(day)), indexAt(all, startOf(addDays(day, 1))));
  const starts = ofDay
    .filter(({ status }) => status !== 'cancelled')
    .map((event) => ({ event, at: startTimeOf(event) }));
  const byPlace = Map.groupBy(starts, ({ event }) => placeOf(event));
  byDay.set(day, byPlace);
  return byPlace;
}

/** Returns the other events on the same day at the same location, except cancelled events. */
export function samePlaceEvents(event: Event, all: readonly Event[]): SamePlace {
  const clashes: Event[] = [];
  const others: Event[] = [];
  const place = placeOf(event);
  if (place === '' || event.status === 'cancelled') return { clashes, others };
  const time = startTimeOf(event);
  for (const { event: other, at } of startsOn(dayOf(event.date), all).get(place) ?? []) {
    if (other.id === event.id) continue;
    (Math.abs(at - time) < clashMs ? clashes : others).push(other);
  }
  return { clashes, others };
}

/** The events of a month: the indexes from `first` up to `end`, exclusive. */
type MonthOfEvents = { readonly month: Day; readonly first: number; readonly end: number };

/** Yields each month that has events; `events` must be sorted by date. */
export function* eachMonth(events: readonly Event[]): Generator<MonthOfEvents> {
  for (let first = 0; first < events.length; ) {
    const month = monthOf(dayOf(events[first]?.date ?? ''));
    const end = Math.max(first + 1, indexAt(events, startOf(addMonths(month, 1))));
    yield { month, first, end };
    first = end;
  }
}
