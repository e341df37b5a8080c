import type { Clock } from '../dates/clock.ts';
import { addDays, daysBetween } from '../dates/days.ts';
import { dayMs } from '../dates/units.ts';

/** The values that tell which event it is; an unknown place or number is undefined. */
export type Identifying = {
  readonly name: string;
  /** The start, as a timestamp. */
  readonly date: string;
  readonly place: string | undefined;
  /** The number that a file gives the event, such as that of a match. */
  readonly number: string | undefined;
};

/** An event that is here. One that is not from an earlier import is never moved. */
export type KnownEvent = Identifying & {
  readonly isImported: boolean;
  readonly isCancelled: boolean;
  /** The plan with which it came, such as the number of an import. */
  readonly plan: number | undefined;
};

/** The pairs of events that are the same, and new events that may be one of several. */
export type Matches<Known, New> = {
  readonly pairs: ReadonlyMap<New, Known>;
  readonly unsure: readonly New[];
};

/** Days by which a plan moves an event, at most; more is another event of the same name. */
const maxMove = 30;

/** Days for which a match that is over can still be moved, as after a day of rain. */
const maxOver = 7 * dayMs;

/** Days by which a match with a number or an identifier moves, at most; more is next season. */
const maxNumbered = 60 * dayMs;

/** Days from one event of a name to the next that are a move, if the name has others nearby. */
const maxAmongOthers = 6 * dayMs;

/** Number of pairs of one name and day that are compared; only damaged files have more. */
const maxPairs = 10_000;

/** Returns a name with the marks between teams, and the blanks, that all programs write alike. */
export const markedName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\s*[–—]\s*|\s+(?:[-:]|vs?\.?)\s+/giu, ' – ')
    .replace(/\s+/gu, ' ')
    .trim();

/** Returns a name without what people and programs write in several ways. */
export const plainName = (name: string): string => markedName(name).toLowerCase();

/** Returns the two sides of a match by its plain name; one text for any other event. */
const sidesOf = (plain: string) => plain.split(' – ');

/** Returns true for the plain name of a match between two sides. */
export const isMatch = (plain: string): boolean => sidesOf(plain).length > 1;

const distance = (one: Identifying, other: Identifying) =>
  Math.abs(Date.parse(one.date) - Date.parse(other.date));

function isSamePlace({ place: one }: Identifying, { place: other }: Identifying): boolean {
  return !one || !other || plainName(one) === plainName(other);
}

/** Returns the only event; of two dates of a match, that which is clearly nearer. */
function nearestOf<One extends Identifying>(
  event: Identifying,
  list: readonly One[],
  isMatch: boolean,
): One | undefined {
  if (!isMatch) return onlyOf(list);
  const [first, second] = list
    .map((one) => ({ one, apart: distance(event, one) }))
    .sort((one, other) => one.apart - other.apart);
  const isClear = first && (!second || second.apart > 2 * first.apart);
  return isClear ? first.one : undefined;
}

/** Returns the only element, if there is one. */
const onlyOf = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);

/** Checks that two events with one number or identifier are the same, not those of two plans. */
export function mayBeSame(one: Identifying, other: Identifying): boolean {
  if (distance(one, other) > maxNumbered) return false;
  const [own, others] = [one, other].map(({ name }) => sidesOf(plainName(name)));
  if (own?.join() === others?.join()) return true;
  return own?.length === 2 && others?.length === 2 && own.some((side) => others.includes(side));
}

/**
 * Pairs events of a file with those that are here: a plan that comes again, or a calendar whose
 * identifiers changed. `found` has the pairs that are certain. From the surest rule to the least
 * sure one, each event is paired once:
 *
 * 1. the same number, and a name, a day or one side of the match that agrees
 * 2. the same name and moment
 * 3. the same name and day, at the same place or as the only one of that day
 * 4. the same name and place within 30 days, if neither side has another one that is not paired, or
 *    one that is clearly nearer for a match; other events only of a plan with another pair, and not
 *    from the list of another week
 */
export function matchEvents<Known extends KnownEvent, New extends Identifying>(
  known: readonly Known[],
  coming: readonly New[],
  found: ReadonlyMap<New, Known>,
  { clock, now }: { readonly clock: Clock; readonly now: Date },
): Matches<Known, New> {
  const pairs = new Map<New, Known>();
  const taken = new Set<Known>(found.values());
  const isOpen = (event: New) => !found.has(event) && !pairs.has(event);
  const isFree = (event: Known) => !taken.has(event);
  const dayOf = (event: Identifying) => clock.dayOf(event.date);
  type Group = {
    readonly name: string;
    readonly known: ReadonlyMap<string, Known[]>;
    readonly coming: ReadonlyMap<string, New[]>;
  };
  const today = Date.parse(clock.startOf(clock.dayOf(now)));

  function pair(event: New, here: Known): void {
    pairs.set(event, here);
    taken.add(here);
  }

  const isSameGame = (event: New, here: Known) =>
    dayOf(event) === dayOf(here) && Boolean(event.place) && isSamePlace(event, here);

  function pairByNumber(): void {
    const numbered = Map.groupBy(known.filter(isFree), ({ number }) => number);
    for (const [number, events] of Map.groupBy(coming.filter(isOpen), (one) => one.number)) {
      if (number === undefined) continue;
      const [event, here] = [onlyOf(events), onlyOf(numbered.get(number) ?? [])];
      if (event && here?.isImported && (mayBeSame(event, here) || isSameGame(event, here))) {
        pair(event, here);
      }
    }
  }

  /** Pairs events of a name and day as far as a rule allows, the nearest ones first. */
  function pairNearest(events: Group, isAllowed: (event: New, here: Known) => boolean): void {
    for (const [day, ofDay] of events.coming) {
      const open = ofDay.filter(isOpen);
      const free = events.known.get(day)?.filter(isFree) ?? [];
      if (open.length * free.length > maxPairs) continue;
      open
        .flatMap((event) => free.map((here) => ({ event, here, apart: distance(event, here) })))
        .filter(({ event, here }) => isAllowed(event, here))
        .sort((one, other) => one.apart - other.apart)
        .forEach(({ event, here }) => {
          if (isOpen(event) && isFree(here)) pair(event, here);
        });
    }
  }

  /** Checks that an event may still move: that it is to come, or a match of the last days. */
  function canMove(here: Known, name: string): boolean {
    const over = today - Date.parse(here.date);
    const isOpen = here.isImported && !here.isCancelled;
    return isOpen && (over <= 0 || (over <= maxOver && isMatch(name)));
  }

  let paired: Set<number | undefined> | undefined;
  /** Returns the plans of which an event is paired; undefined is never one. */
  function plans(): Set<number | undefined> {
    paired ??= new Set([...taken].map(({ plan }) => plan).filter((plan) => plan !== undefined));
    return paired;
  }

  const first = coming.reduce((least, { date }) => (date < least ? date : least), '~');
  /** Checks for the list of another week, whose training comes again at the same time. */
  const isOtherWeek = (event: New, here: Known) =>
    here.date < first &&
    clock.timeOf(event.date) === clock.timeOf(here.date) &&
    daysBetween(dayOf(here), dayOf(event)) % 7 === 0;

  const unsure: New[] = [];
  function pairMoved({ name, known: here, coming: events }: Group): void {
    function nearTo<One extends Identifying>(days: ReadonlyMap<string, One[]>, event: Identifying) {
      const from = addDays(dayOf(event), -maxMove);
      const near = Array.from({ length: 2 * maxMove + 1 }, (_, at) => days.get(addDays(from, at)));
      return near.flatMap((list) => list ?? []).filter((one) => isSamePlace(one, event));
    }
    const isOfTwo = isMatch(name);
    for (const event of [...events.values()].flat().filter(isOpen)) {
      const near = nearTo(here, event);
      const one = nearestOf(event, near.filter(isFree), isOfTwo);
      const rivals = one === undefined ? [] : nearTo(events, one);
      const isOnly = one && nearestOf(one, rivals.filter(isOpen), isOfTwo) === event;
      // A date that a weekly training loses, and one that it gains, are no move.
      const isClose = near.length === 1 && rivals.length === 1;
      const isNear = one && (isClose || distance(one, event) <= maxAmongOthers);
      if (
        isOnly &&
        isNear &&
        canMove(one, name) &&
        (isOfTwo || (plans().has(one.plan) && !isOtherWeek(event, one)))
      ) {
        pair(event, one);
      } else if (near.some((other) => isFree(other) && other.isImported)) unsure.push(event);
    }
  }

  pairByNumber();
  const namesHere = Map.groupBy(known, ({ name }) => plainName(name));
  const groups = [...Map.groupBy(coming, ({ name }) => plainName(name))].flatMap(
    ([name, events]) => {
      const here = namesHere.get(name);
      if (here === undefined) return [];
      return { name, known: Map.groupBy(here, dayOf), coming: Map.groupBy(events, dayOf) };
    },
  );
  for (const group of groups) {
    pairNearest(group, (event, here) => event.date === here.date);
    pairNearest(
      group,
      (event, here) => (here.isImported || clock.isDayStart(here.date)) && isSamePlace(event, here),
    );
    const isOnly = (days: ReadonlyMap<string, Identifying[]>, event: Identifying) =>
      days.get(dayOf(event))?.length === 1;
    pairNearest(
      group,
      (event, here) => here.isImported && isOnly(group.known, here) && isOnly(group.coming, event),
    );
  }
  for (const group of groups) pairMoved(group);
  return { pairs, unsure };
}
