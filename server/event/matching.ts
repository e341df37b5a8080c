import type { Clock } from '../dates/clock.ts';
import { addDays, daysBetween } from '../dates/days.ts';
import { dayMs } from '../dates/units.ts';
import { teams } from '../dates/vocabulary.ts';

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

/** Days by which a match that is still to come is postponed; the next season is about a year later. */
const maxPostponed = 180 * dayMs;

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

/** Returns a plain name by its letters and digits, as people correct hyphens, strokes and blanks. */
export const spelledName = (name: string): string =>
  sidesOf(plainName(name))
    .map((side) => side.replace(/[^\p{L}\p{N}]+/gu, '') || side)
    .join(' – ');

/** The mark of a match whose opponent alone is its name. */
const sideMark = new RegExp(
  ` \\((?:h|a|${Object.values(teams).flatMap(Object.values).join('|')})\\)$`,
  'iu',
);

/** Returns the spelled name of a match without its home right. */
export const teamsOf = (name: string): string =>
  sidesOf(spelledName(markedName(name).replace(sideMark, '')))
    .toSorted()
    .join(' – ');

/** Returns the two sides of a match by its plain name; one text for any other event. */
const sidesOf = (plain: string) => plain.split(' – ');

/** Returns true for the plain name of a match between two sides. */
export const isMatch = (plain: string): boolean => sidesOf(plain).length > 1;

const distance = (one: Identifying, other: Identifying) =>
  Math.abs(Date.parse(one.date) - Date.parse(other.date));

type Placed = Pick<Identifying, 'place'>;

/** Returns true for places that may be the same; an unknown place may be any. */
export function isSamePlace({ place: one }: Placed, { place: other }: Placed): boolean {
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

/** Checks that two events have the same name, or one side of a match. */
function haveSameSide(one: Identifying, other: Identifying): boolean {
  const [own, others] = [one, other].map(({ name }) => sidesOf(plainName(name)));
  if (own?.join() === others?.join()) return true;
  return own?.length === 2 && others?.length === 2 && own.some((side) => others.includes(side));
}

/** Checks that an identifier belongs to another event now: neither a name nor the moment is the same. */
export const isOtherEvent = (
  before: { readonly names: readonly string[]; readonly date: string },
  after: { readonly name: string; readonly date: string },
): boolean =>
  before.date !== after.date && !before.names.map(plainName).includes(plainName(after.name));

/** Checks that two events with one identifier are the same, not those of two calendars. */
export const mayBeSame = (one: Identifying, other: Identifying): boolean =>
  distance(one, other) <= maxNumbered && haveSameSide(one, other);

/**
 * Pairs events of a file with those that are here: a plan that comes again, or a calendar whose
 * identifiers changed. `found` has the pairs that are certain. From the surest rule to the least
 * sure one, each event is paired once:
 *
 * 1. the same number and teams, whichever has the home right
 * 2. the same name, and of these the same moment and place, the same day and place, the same moment,
 *    and the only one of that day
 * 3. the same number, if one side of the match or the day and the place agree, of a plan with another
 *    pair or as the only event
 * 4. the same teams on the same day, if neither side has another one
 * 5. the same name and place within 30 days, if neither side has another one that is not paired, or
 *    one that is clearly nearer for a match; other events only of a plan with another pair, and not
 *    from the list of another week
 * 6. the same match within 180 days at any place, of a plan with another pair, if neither side has
 *    another one that is not paired
 *
 * The spelling of a name may differ in hyphens, strokes and blanks.
 */
export function matchEvents<Known extends KnownEvent, New extends Identifying>(
  known: readonly Known[],
  coming: readonly New[],
  found: ReadonlyMap<New, Known>,
  { clock, now }: { readonly clock: Clock; readonly now: Date },
): Matches<Known, New> {
  const pairs = new Map<New, Known>();
  const taken = new Set<Known>(found.values());
  let plansOfPairs: Set<number | undefined> | undefined;
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
    plansOfPairs?.add(here.plan);
  }

  /** Checks that an event may still move: that it is to come, or a match of the last days. */
  function isAhead(here: Known, isOfTwo: boolean): boolean {
    const over = today - Date.parse(here.date);
    return over <= 0 || (over <= maxOver && isOfTwo);
  }
  const canMove = (here: Known, isOfTwo: boolean) =>
    here.isImported && !here.isCancelled && isAhead(here, isOfTwo);

  /** Checks that another event of the plan of an event is paired. */
  function isOfPlan({ plan }: Known): boolean {
    plansOfPairs ??= new Set([...taken].map((one) => one.plan));
    return plan !== undefined && plansOfPairs.has(plan);
  }

  const isWithin = (event: New, here: Known) =>
    distance(event, here) <= (isAhead(here, true) ? maxPostponed : maxNumbered);
  const isSameGame = (event: New, here: Known) =>
    dayOf(event) === dayOf(here) && Boolean(event.place) && isSamePlace(event, here);
  const isNumberOf = (event: New, here: Known) =>
    isWithin(event, here) &&
    (haveSameSide(event, here) || isSameGame(event, here)) &&
    (isOfPlan(here) || coming.length === 1);

  /** Pairs events with the same number as far as a rule allows, if it is that of one event. */
  function pairByNumber(isAllowed: (event: New, here: Known) => boolean): void {
    for (const [number, events] of comingByNumber) {
      const event = onlyOf(events);
      if (number === undefined || event === undefined || !isOpen(event)) continue;
      const here = knownByNumber.get(number)?.filter((one) => one.isImported && isFree(one)) ?? [];
      const one = onlyOf(here.filter((each) => isAllowed(event, each)));
      if (one) pair(event, one);
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

  const first = coming.reduce((least, { date }) => (date < least ? date : least), '~');
  /** Checks for the list of another week, whose training comes again at the same time. */
  const isOtherWeek = (event: New, here: Known) =>
    here.date < first &&
    clock.timeOf(event.date) === clock.timeOf(here.date) &&
    daysBetween(dayOf(here), dayOf(event)) % 7 === 0;

  const doubtful: New[] = [];
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
        canMove(one, isOfTwo) &&
        (isOfTwo || (isOfPlan(one) && !isOtherWeek(event, one)))
      ) {
        pair(event, one);
      } else if (near.some((other) => isFree(other) && other.isImported)) doubtful.push(event);
    }
  }

  /** Pairs the date that a match of a plan no longer has with the one that it has instead. */
  function pairPostponed({ name, known: here, coming: events }: Group): void {
    if (!isMatch(name)) return;
    const free = [...here.values()].flat().filter(isFree);
    const open = [...events.values()].flat().filter(isOpen);
    const [event, one] = [
      onlyOf(open),
      onlyOf(free.filter((each) => canMove(each, true) && isOfPlan(each))),
    ];
    if (event && one && distance(event, one) <= maxPostponed) pair(event, one);
  }

  const knownByNumber = Map.groupBy(known, ({ number }) => number);
  const comingByNumber = Map.groupBy(coming, ({ number }) => number);
  pairByNumber(
    (event, here) => teamsOf(event.name) === teamsOf(here.name) && isWithin(event, here),
  );
  const namesHere = Map.groupBy(known, ({ name }) => spelledName(name));
  const groups = [...Map.groupBy(coming, ({ name }) => spelledName(name))].flatMap(
    ([name, events]) => {
      const here = namesHere.get(name);
      if (here === undefined) return [];
      return { name, known: Map.groupBy(here, dayOf), coming: Map.groupBy(events, dayOf) };
    },
  );
  for (const group of groups) {
    pairNearest(group, (event, here) => event.date === here.date && isSamePlace(event, here));
    pairNearest(
      group,
      (event, here) => (here.isImported || clock.isDayStart(here.date)) && isSamePlace(event, here),
    );
    pairNearest(group, (event, here) => event.date === here.date);
    const isOnly = (days: ReadonlyMap<string, Identifying[]>, event: Identifying) =>
      days.get(dayOf(event))?.length === 1;
    pairNearest(
      group,
      (event, here) => here.isImported && isOnly(group.known, here) && isOnly(group.coming, event),
    );
  }
  pairByNumber(isNumberOf);
  const dayAndTeams = (event: Identifying) => `${dayOf(event)} ${teamsOf(event.name)}`;
  const freeTeams = Map.groupBy(known.filter(isFree), dayAndTeams);
  for (const [key, events] of Map.groupBy(coming.filter(isOpen), dayAndTeams)) {
    const [event, here] = [onlyOf(events), onlyOf(freeTeams.get(key) ?? [])];
    if (event && here && (here.isImported || here.date === event.date)) pair(event, here);
  }
  for (const group of groups) pairMoved(group);
  for (const group of groups) pairPostponed(group);
  return { pairs, unsure: doubtful.filter(isOpen) };
}
