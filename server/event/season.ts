import type { StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { addDays, type Day, daysBetween, type Season, seasonOf } from '../dates/days.ts';
import { moveDate } from '../dates/moves.ts';
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

type DayOff = { readonly first: Day; readonly last: Day; readonly name: string };

type SeasonRequest = {
  readonly clock: Clock;
  /** The days whose events come again, inclusive. */
  readonly from: Day;
  readonly to: Day;
  readonly weeks: number;
  /** Texts of names whose events are left out. */
  readonly without: readonly string[];
  readonly daysOff: readonly DayOff[];
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
  const past = all
    .filter(({ date }) => clock.dayOf(date) >= from && clock.dayOf(date) <= to)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const groups = Map.groupBy(past, ({ name }) => plainName(name));
  const words = without.map(plainName).filter((text) => text !== '');
  const keyOf = (name: string, date: string) => `${clock.dayOf(date)} ${plainName(name)}`;
  const here = new Set(all.map(({ name, date }) => keyOf(name, date)));
  const [first, last] = [addDays(from, weeks * 7), addDays(to, weeks * 7)];
  const active = all.filter(({ status, date }) => {
    const day = clock.dayOf(date);
    return status !== 'cancelled' && day >= addDays(first, -longest) && day <= addDays(last, 1);
  });
  const taken = Map.groupBy(active, placeOf);
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
    const day = clock.dayOf(date);
    const off = daysOff.find(({ first, last }) => first <= day && day <= last);
    if (off !== undefined) return [{ event, date, reason: 'day off', name: off.name }];
    const description = describe(event, date);
    const next: StoredEvent = { ...event, date, description, status: 'active' };
    const place = placeOf(event);
    const own = intervalOf(next, usualLength, clock);
    const isTaken = (one: StoredEvent) => overlap(own, intervalOf(one, usualLength, clock));
    const clash = place === '' ? undefined : taken.get(place)?.find(isTaken);
    if (clash !== undefined) return [{ event, date, reason: 'clash', name: clash.name }];
    taken.set(place, [...(taken.get(place) ?? []), next]);
    events.push({ event, date, description });
    return [];
  });
  return { events, leftOut };
}
