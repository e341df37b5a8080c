import { addDays, addMonths, type Day, daysIntoWeek, monthOf, seasonOf } from '../../dates/days.ts';
import { dayMs, minuteMs } from '../../dates/units.ts';
import {
  dayCount,
  type Interval,
  intervalOf,
  lastDayOf,
  noteOf,
  overlap,
} from '../../event/values.ts';
import type { Event } from '../../http/contract.ts';
import type { Period, Place } from '../base/address.ts';
import { clubZone, dayOf, isWithoutTime, startOf, zoneName } from '../base/days.ts';

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

type SamePlace = {
  /** The events that take place at the same time, at least partly. */
  readonly clashes: readonly Event[];
  /** The other events of the same days. */
  readonly others: readonly Event[];
};

/** An event with its days, and its time; undefined without a time of day. */
type Taken = {
  readonly event: Event;
  readonly first: Day;
  readonly last: Day;
  readonly time: Interval | undefined;
};

/** The events at one place in one zone and with one usual length. */
type PlaceEvents = {
  /** Events by date, without cancelled ones. */
  readonly events: readonly Event[];
  /** The longest of them in milliseconds. */
  readonly longestMs: number;
  /** Those that were looked up, by their index in `events`: each is read once. */
  readonly taken: (Taken | undefined)[];
};

type EventsByPlace = {
  readonly byPlace: ReadonlyMap<string, readonly Event[]>;
  readonly known: Map<string, PlaceEvents>;
};

const knownPlaces = new WeakMap<readonly Event[], EventsByPlace>();

/** Groups events by place, without cancelled ones. */
function groupByPlace(all: readonly Event[]): EventsByPlace {
  const before = knownPlaces.get(all);
  if (before !== undefined) return before;
  const on = all.filter(({ status }) => status !== 'cancelled');
  const groups = { byPlace: Map.groupBy(on, placeOf), known: new Map<string, PlaceEvents>() };
  knownPlaces.set(all, groups);
  return groups;
}

/** Returns the longest time that one of some events takes, in milliseconds. */
function longestOf(events: readonly Event[], usualLength: number): number {
  return events
    .filter((event) => noteOf(event, clubZone()).end !== undefined)
    .reduce((longest, event) => {
      const { from, to } = intervalOf(event, usualLength, clubZone()) ?? { from: 0, to: 0 };
      return Math.max(longest, to - from, dayCount(event, clubZone()) * dayMs);
    }, usualLength * minuteMs);
}

function eventsAt(place: string, all: readonly Event[], usualLength: number): PlaceEvents {
  const { byPlace, known } = groupByPlace(all);
  const key = `${usualLength} ${zoneName()} ${place}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const events = byPlace.get(place) ?? [];
  const found = { events, longestMs: longestOf(events, usualLength), taken: [] };
  known.set(key, found);
  return found;
}

/**
 * Returns the other events at the same location on the days of an event, except cancelled events.
 * Those without an end last `usualLength` minutes.
 */
export function samePlaceEvents(
  event: Event,
  all: readonly Event[],
  usualLength: number,
): SamePlace {
  const clashes: Event[] = [];
  const others: Event[] = [];
  const place = placeOf(event);
  if (place === '' || event.status === 'cancelled') return { clashes, others };
  const { events, longestMs, taken } = eventsAt(place, all, usualLength);
  const takenBy = (one: Event): Taken => ({
    event: one,
    first: dayOf(one.date),
    last: lastDayOf(one, clubZone()),
    time: intervalOf(one, usualLength, clubZone()),
  });
  const own = takenBy(event);
  const earliest = new Date(Date.parse(startOf(own.first)) - longestMs).toISOString();
  // A night may go on after the last day.
  const end = indexAt(events, startOf(addDays(own.last, 2)));
  for (let at = indexAt(events, earliest); at < end; at += 1) {
    const other = taken[at] ?? takenBy(events[at] as Event);
    taken[at] = other;
    if (other.event.id === event.id) continue;
    if (overlap(own.time, other.time)) clashes.push(other.event);
    else if (other.first <= own.last && other.last >= own.first) others.push(other.event);
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
