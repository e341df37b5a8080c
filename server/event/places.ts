import type { Clock } from '../dates/clock.ts';
import { addDays, type Day, monthOf } from '../dates/days.ts';
import { type Interval, intervalOf, lastDayOf, type Noted, overlap, placeOf } from './values.ts';

type Dated = { readonly date: string };

/** An event as far as its place and time tell. */
export type Placed = Noted & { readonly id: number; readonly location: string };

/** Compares events by date, then id. */
export const byDate = (one: Dated & { readonly id: number }, other: typeof one) =>
  one.date < other.date ? -1 : one.date > other.date ? 1 : one.id - other.id;

/** Returns the index of the first event at or after a moment; `events` are sorted by date. */
export function indexAt(events: readonly Dated[], moment: string): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.date ?? '') < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Days before a day on which events are looked for that reach it. Longer ones are not found, as all
 * earlier notes would be read.
 */
export const maxDaysBack = 366;

type SamePlace<Event> = {
  /** The events that take place at the same time, at least partly. */
  readonly clashes: readonly Event[];
  /** The other events of the same days. */
  readonly others: readonly Event[];
};

/** An event with its days, and its time; undefined without a time of day. */
type Taken = {
  readonly first: Day;
  readonly last: Day;
  readonly time: Interval | undefined;
};

/** The events at one place, without cancelled ones. */
type PlaceEvents<Event> = {
  /** Events by date. */
  readonly events: Event[];
  /** Those that were looked up, by their index in `events`: each is read once. */
  readonly taken: (Taken | undefined)[];
  /** The index of the first event that reaches a month, by month: most events last hours. */
  readonly reaching: Map<Day, number>;
  /** The answers for events, as rows ask again whenever they are rendered. */
  answers: WeakMap<Placed, SamePlace<Event>>;
};

/** The events of a club by place. */
type Places<Event> = {
  /** Returns the places after a change of some events, of which those elsewhere need no new look. */
  after(outdated: readonly Event[], changed: readonly Event[]): Places<Event>;
  /** Returns the other events at the location of an event on its days, except cancelled events. */
  at(event: Placed): SamePlace<Event>;
  /** Adds an event that is planned, so that later ones find it. */
  add(event: Event): void;
};

/** Groups events, which are sorted by date, by place; those without an end take `usualLength` minutes. */
export function createPlaces<Event extends Placed>(
  clock: Clock,
  all: readonly Event[],
  usualLength: number,
): Places<Event> {
  const on = all.filter(({ status }) => status !== 'cancelled');
  return placesOf(clock, usualLength, Map.groupBy(on, placeOf), new Map());
}

function placesOf<Event extends Placed>(
  clock: Clock,
  usualLength: number,
  byPlace: ReadonlyMap<string, Event[]>,
  known: Map<string, PlaceEvents<Event>>,
): Places<Event> {
  function eventsAt(place: string): PlaceEvents<Event> {
    const events = byPlace.get(place) ?? [];
    const found = known.get(place) ?? {
      ...{ events, taken: [], reaching: new Map() },
      answers: new WeakMap(),
    };
    known.set(place, found);
    return found;
  }

  const takenBy = (one: Placed): Taken => ({
    first: clock.dayOf(one.date),
    last: lastDayOf(one, clock),
    time: intervalOf(one, usualLength, clock),
  });

  function takenAt({ events, taken }: PlaceEvents<Event>, at: number): Taken {
    const found = taken[at] ?? takenBy(events[at] as Event);
    taken[at] = found;
    return found;
  }

  function firstReaching(found: PlaceEvents<Event>, month: Day): number {
    const before = found.reaching.get(month);
    if (before !== undefined) return before;
    // The night before the month may reach it.
    const day = addDays(month, -1);
    const end = indexAt(found.events, clock.startOf(day));
    let at = indexAt(found.events, clock.startOf(addDays(month, -maxDaysBack)));
    while (at < end && takenAt(found, at).last < day) at += 1;
    found.reaching.set(month, at);
    return at;
  }

  return {
    after(outdated, changed) {
      const next = new Map(byPlace);
      const stillKnown = new Map(known);
      const isOutdated = new Set(outdated);
      const isOn = changed.filter(({ status }) => status !== 'cancelled');
      for (const place of new Set([...outdated, ...isOn].map(placeOf))) {
        const events = (byPlace.get(place) ?? []).filter((event) => !isOutdated.has(event));
        events.push(...isOn.filter((event) => placeOf(event) === place));
        next.set(place, events.sort(byDate));
        stillKnown.delete(place);
      }
      return placesOf(clock, usualLength, next, stillKnown);
    },
    at(event) {
      const clashes: Event[] = [];
      const others: Event[] = [];
      const place = placeOf(event);
      if (place === '' || event.status === 'cancelled') return { clashes, others };
      const found = eventsAt(place);
      const before = found.answers.get(event);
      if (before !== undefined) return before;
      const own = takenBy(event);
      // A night may go on after the last day.
      const end = indexAt(found.events, clock.startOf(addDays(own.last, 2)));
      for (let at = firstReaching(found, monthOf(own.first)); at < end; at += 1) {
        const one = found.events[at] as Event;
        const other = takenAt(found, at);
        if (one.id === event.id) continue;
        if (overlap(own.time, other.time)) clashes.push(one);
        else if (other.first <= own.last && other.last >= own.first) others.push(one);
      }
      const answer = { clashes, others };
      found.answers.set(event, answer);
      return answer;
    },
    add(event) {
      const place = placeOf(event);
      if (place === '' || event.status === 'cancelled') return;
      const found = eventsAt(place);
      const at = indexAt(found.events, event.date);
      found.taken.length = found.events.length;
      found.events.splice(at, 0, event);
      found.taken.splice(at, 0, takenBy(event));
      found.reaching.clear();
      found.answers = new WeakMap();
    },
  };
}

/** The places of events that many rows ask for, by zone and usual length. */
const knownPlaces = new WeakMap<readonly Placed[], Map<string, Places<Placed>>>();

/**
 * Returns the other events at the location of an event on its days, except cancelled events; `all` are
 * sorted by date. Those without an end last `usualLength` minutes.
 */
export function samePlaceEvents<Event extends Placed>(
  clock: Clock,
  event: Placed,
  all: readonly Event[],
  usualLength: number,
): SamePlace<Event> {
  const ofEvents = knownPlaces.get(all) ?? new Map<string, Places<Placed>>();
  knownPlaces.set(all, ofEvents);
  const key = `${usualLength} ${clock.name}`;
  const places = ofEvents.get(key) ?? createPlaces<Placed>(clock, all, usualLength);
  ofEvents.set(key, places);
  return places.at(event) as SamePlace<Event>;
}

/** Carries what is known of the places of events over to the same ones after a change of some. */
export function carryPlaces<Event extends Placed>(
  [before, outdated]: readonly [all: readonly Event[], outdated: readonly Event[]],
  [after, changed]: readonly [all: readonly Event[], changed: readonly Event[]],
): void {
  const known = knownPlaces.get(before);
  if (known === undefined) return;
  knownPlaces.set(
    after,
    new Map([...known].map(([key, places]) => [key, places.after(outdated, changed)])),
  );
}
