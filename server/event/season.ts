import type { StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import {
  addDays,
  type Day,
  daysBetween,
  holidaysOn,
  type Season,
  seasonOf,
} from '../dates/days.ts';
import { moveDate } from '../dates/moves.ts';
import type { Holiday } from '../dates/spans.ts';
import { isMatch, plainName } from './matching.ts';
import { intervalOf, overlap, placeOf } from './values.ts';

/** A reason why an event does not come again by itself. */
export type LeftOutEvent = { readonly event: StoredEvent; readonly date: string } & (
  | { readonly reason: 'fixture' | 'once' | 'words' | 'cancelled' | 'here' }
  | { readonly reason: 'day off'; readonly name: string }
  /** At the same place and time as another event, which is here or comes again. */
  | { readonly reason: 'clash'; readonly name: string }
);

/** An event that comes again, with the date and the description of its next season. */
export type NextEvent = {
  readonly event: StoredEvent;
  readonly date: string;
  readonly description: string | null;
};

export type NextSeason = {
  readonly events: readonly NextEvent[];
  readonly leftOut: readonly LeftOutEvent[];
};

type SeasonRequest = {
  readonly clock: Clock;
  /** The days whose events come again, inclusive. */
  readonly from: Day;
  readonly to: Day;
  readonly weeks: number;
  /** Texts of names whose events are left out. */
  readonly without: readonly string[];
  readonly daysOff: readonly Holiday[];
  /** Minutes that an event without an end takes. */
  readonly usualLength: number;
  /** Returns the description of an event on another date, whose end moves along. */
  readonly describe: (event: StoredEvent, date: string) => string | null;
};

/** Days by which an event is longer than those before it, at most, when clashes are looked for. */
const longest = 31;

/** Returns the season whose events come next: the present one in its second half, else the last. */
export function endingSeason(today: Day, startMonth: number): Season {
  const { first, end } = seasonOf(today, startMonth);
  const isSecondHalf = daysBetween(first, today) * 2 >= daysBetween(first, end);
  return isSecondHalf ? { first, end } : seasonOf(addDays(first, -1), startMonth);
}

/**
 * Plans the events of last season some weeks later, at the same local time, so on the same weekday.
 * Matches and events that took place once do not come again, nor those on a day off, at a place that
 * is taken, or with a namesake on their day.
 */
export function planNextSeason(all: readonly StoredEvent[], request: SeasonRequest): NextSeason {
  const { clock, from, to, weeks, without, daysOff, usualLength, describe } = request;
  const isBetween = (one: StoredEvent, first: Day, last: Day) => {
    const day = clock.dayOf(one.date);
    return first <= day && day <= last;
  };
  const past = all
    .filter((one) => isBetween(one, from, to))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const groups = Map.groupBy(past, ({ name }) => plainName(name));
  const words = without.map(plainName).filter((text) => text !== '');
  const keyOf = (name: string, date: string) => `${clock.dayOf(date)} ${plainName(name)}`;
  const here = new Set(all.map(({ name, date }) => keyOf(name, date)));
  const [first, last] = [addDays(from, weeks * 7 - longest), addDays(to, weeks * 7 + 1)];
  /** Returns the name of an event and the time that it takes, with which another one clashes. */
  const timeOf = (event: StoredEvent) => ({
    name: event.name,
    time: intervalOf(event, usualLength, clock),
  });
  const active = all.filter((one) => one.status !== 'cancelled' && isBetween(one, first, last));
  const taken = new Map(
    [...Map.groupBy(active, placeOf)].map(([place, some]) => [place, some.map(timeOf)]),
  );
  const events: NextEvent[] = [];

  function reasonOf({ name, status }: StoredEvent, date: string) {
    const plain = plainName(name);
    if (status === 'cancelled') return 'cancelled';
    if (words.some((text) => plain.includes(text))) return 'words';
    if (isMatch(plain)) return 'fixture';
    if (groups.get(plain)?.length === 1) return 'once';
    return here.has(keyOf(name, date)) ? 'here' : undefined;
  }

  const leftOut = past.flatMap((event): LeftOutEvent[] => {
    const date = moveDate(event.date, { kind: 'move', days: weeks * 7 }, clock) ?? event.date;
    const reason = reasonOf(event, date);
    if (reason !== undefined) return [{ event, date, reason }];
    const [off] = holidaysOn(clock.dayOf(date), daysOff);
    if (off !== undefined) return [{ event, date, reason: 'day off', name: off.name }];
    const description = describe(event, date);
    const next = timeOf({ ...event, date, description });
    const place = placeOf(event);
    const others = taken.get(place) ?? [];
    const clash = place === '' ? undefined : others.find(({ time }) => overlap(next.time, time));
    if (clash !== undefined) return [{ event, date, reason: 'clash', name: clash.name }];
    taken.set(place, [...others, next]);
    events.push({ event, date, description });
    return [];
  });
  return { events, leftOut };
}
