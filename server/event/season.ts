import type { StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import {
  addDays,
  type Day,
  daysBetween,
  type Season,
  seasonBefore,
  seasonOf,
} from '../dates/days.ts';
import { moveDate } from '../dates/moves.ts';
import { isMatch, plainName } from './matching.ts';
import { createPlaces } from './places.ts';
import { lastDayOf } from './values.ts';

/** An event of last season, as far as the next one needs it. */
export type PastEvent = Omit<StoredEvent, 'createdAt' | 'registrationOpen'>;

/** Kinds of events that are chosen together: those of a name, or all of a kind. */
type GroupKind = 'name' | 'yearly' | 'fixture' | 'once';

/** Events of last season that are chosen together. */
export type SeasonGroup = {
  readonly key: string;
  readonly kind: GroupKind;
  /** The name of its events, as most of them write it. */
  readonly name: string;
  readonly isTaken: boolean;
  readonly count: number;
  /** The first and the last date of its events. */
  readonly first: string;
  readonly last: string;
};

/** An event at the place and the time of a new one; it is here, or comes again as well. */
type ClashingEvent = Pick<PastEvent, 'id' | 'name' | 'date' | 'description' | 'location'> & {
  readonly isNew: boolean;
};

/** A reason why an event does not come again. */
export type LeftOutReason =
  | 'cancelled'
  /** Its name contains a text that the user gave. */
  | 'words'
  | 'fixture'
  | 'once'
  /** Its group is not taken. */
  | 'group'
  /** An event of its name is on that day. */
  | 'here'
  | 'day off'
  /** A person left it out. */
  | 'out'
  | 'clash';

/** An event of last season, and what becomes of it. */
export type SeasonRow = {
  readonly event: PastEvent;
  /** The key of its group. */
  readonly group: string;
  readonly date: string;
  readonly description: string | null;
  /** Undefined for an event that comes again. */
  readonly reason: LeftOutReason | undefined;
  /** The holiday on one of its days, also if a person put it back; undefined on other days. */
  readonly dayOff: string | undefined;
  /** The event with which it clashes, whatever the answer; undefined without a clash. */
  readonly clash: ClashingEvent | undefined;
  /** True if a cancelled event of its name is on that day. */
  readonly isBesideCancelled: boolean;
};

/** A plan of the next season: the events of the last one by their new dates. */
export type NextSeason = {
  /** Those that are taken by default, then the others; the largest first. */
  readonly groups: readonly SeasonGroup[];
  readonly rows: readonly SeasonRow[];
};

/** The choices of a person; without any, a plan has all that comes again by itself. */
export type SeasonChoices = {
  /** The groups that are taken, or not, other than by default. */
  readonly groups: Readonly<Record<string, boolean>>;
  /** Ids of events that are left out. */
  readonly out: readonly number[];
  /** Ids of events that are put back in spite of a day off. */
  readonly back: readonly number[];
  /** Ids of events that are added in spite of a clash. */
  readonly both: readonly number[];
};

export const noChoices: SeasonChoices = { groups: {}, out: [], back: [], both: [] };

type SeasonRequest = {
  readonly clock: Clock;
  /** The days whose events come again, inclusive. */
  readonly from: Day;
  readonly to: Day;
  readonly weeks: number;
  /** Texts of names whose events are left out. */
  readonly without: readonly string[];
  /** Returns the name of the holiday on a day of the club; undefined on an ordinary day. */
  readonly holidayOn: (day: Day) => string | undefined;
  /** Minutes that an event without an end takes. */
  readonly usualLength: number;
  /** Ids of events that are the federation's, whatever their names. */
  readonly fixtures: ReadonlySet<number>;
  readonly choices: SeasonChoices;
  /** Returns the description of an event on another date, whose end moves along. */
  readonly describe: (event: PastEvent, date: string) => string | null;
};

/** Returns the season whose events come next: the present one in its second half, else the last. */
export function endingSeason(today: Day, startMonth: number): Season {
  const season = seasonOf(today, startMonth);
  const { first, end } = season;
  const isSecondHalf = daysBetween(first, today) * 2 >= daysBetween(first, end);
  return isSecondHalf ? season : seasonBefore(season, startMonth);
}

/** Weeks from an event to that of the next year: what took place a year before comes every year. */
const yearWeeks = { least: 50, most: 54 } as const;

/** Returns a name of which the numbers may differ, such as "Round 3". */
const withoutNumbers = (plain: string) => plain.replace(/\p{N}+/gu, '#');

/** Returns the most frequent value, the first of several. */
function mostFrequent(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)];
  return counts.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? '';
}

const isMatchEvent = ({ name }: Pick<PastEvent, 'name'>) => isMatch(plainName(name));

/** The part of an import that is matches, from which its other events are the federation's, too. */
const mostlyMatches = 0.9;

/**
 * Returns the ids of events that are no matches by their names, but came with an import of matches, or
 * from a followed calendar.
 */
export function findFixtures(
  all: readonly Pick<PastEvent, 'id' | 'name'>[],
  imports: ReadonlyMap<number, number>,
  followed: readonly number[],
): readonly number[] {
  const byImport = Map.groupBy(all, ({ id }) => imports.get(id));
  byImport.delete(undefined);
  const imported = [...byImport.values()].flatMap((events) => {
    const others = events.filter((event) => !isMatchEvent(event));
    const isPlanOfMatches = events.length - others.length >= events.length * mostlyMatches;
    return isPlanOfMatches ? others.map(({ id }) => id) : [];
  });
  return [...imported, ...followed];
}

/** The kind of a group, and its key. */
type GroupKey = readonly [kind: GroupKind, key: string];

/** Returns a function that puts an event of a season into its group. */
function createGroups(
  past: readonly PastEvent[],
  all: readonly PastEvent[],
  { clock, from, to, fixtures }: SeasonRequest,
) {
  const isFixture = (event: PastEvent) => isMatchEvent(event) || fixtures.has(event.id);
  const dayOf = ({ date }: PastEvent) => clock.dayOf(date);
  const others = past.filter((event) => !isFixture(event));
  const byName = Map.groupBy(others, ({ name }) => plainName(name));
  const single = others.filter(({ name }) => byName.get(plainName(name))?.length === 1);
  const numbered = Map.groupBy(single, ({ name }) => withoutNumbers(plainName(name)));
  const [earliest, latest] = [
    addDays(from, -yearWeeks.most * 7),
    addDays(to, -yearWeeks.least * 7),
  ];
  const before = Map.groupBy(
    all.filter((event) => earliest <= dayOf(event) && dayOf(event) <= latest),
    ({ name }) => withoutNumbers(plainName(name)),
  );
  const isYearly = (event: PastEvent) =>
    before.get(withoutNumbers(plainName(event.name)))?.some((earlier) => {
      const weeks = daysBetween(dayOf(earlier), dayOf(event)) / 7;
      return yearWeeks.least <= weeks && weeks <= yearWeeks.most;
    });
  return (event: PastEvent): GroupKey => {
    const plain = plainName(event.name);
    if (isFixture(event)) return ['fixture', 'fixture'];
    if (byName.get(plain)?.length !== 1) return ['name', `name ${plain}`];
    const stem = withoutNumbers(plain);
    if (stem !== plain && numbered.get(stem)?.length !== 1) return ['name', `name ${stem}`];
    return isYearly(event) ? ['yearly', 'yearly'] : ['once', 'once'];
  };
}

/**
 * Plans the events of last season some weeks later, at the same local time, so on the same weekday.
 * Matches and events that took place once do not come again by themselves, nor those on a day off, at
 * a place that is taken, or with a namesake on their day.
 */
export function planNextSeason(all: readonly PastEvent[], request: SeasonRequest): NextSeason {
  const { clock, from, to, weeks, without, holidayOn, usualLength, choices, describe } = request;
  const isPast = ({ date }: PastEvent) => {
    const day = clock.dayOf(date);
    return from <= day && day <= to;
  };
  // Neither the years before the last one nor those after the next one matter.
  const start = clock.startOf(addDays(from, -yearWeeks.most * 7));
  const end = clock.startOf(addDays(to, weeks * 7 + 2));
  const byDate = all
    .filter(({ date }) => start <= date && date < end)
    .toSorted((one, other) =>
      one.date < other.date ? -1 : one.date > other.date ? 1 : one.id - other.id,
    );
  const past = byDate.filter(isPast);
  const groupOf = createGroups(past, byDate, request);
  const grouped = past.map((event) => [event, groupOf(event)] as const);
  const words = without.map(plainName).filter((text) => text !== '');
  const dayAndName = (name: string, date: string) => `${clock.dayOf(date)} ${plainName(name)}`;
  const namesakes = Map.groupBy(byDate, ({ name, date }) => dayAndName(name, date));
  const places = createPlaces<PastEvent>(clock, byDate, usualLength);
  const [out, back, both] = [new Set(choices.out), new Set(choices.back), new Set(choices.both)];
  const planned = new Set<PastEvent>();
  const isTaken = (kind: GroupKind, key: string) =>
    choices.groups[key] ?? (kind === 'name' || kind === 'yearly');

  const comes = ({ status }: PastEvent) => status !== 'cancelled';
  const byGroup = Map.groupBy(
    grouped.filter(([event]) => comes(event)),
    ([, [, key]]) => key,
  );
  const groups = [...byGroup].flatMap(([key, ofGroup]): SeasonGroup[] => {
    const [first] = ofGroup;
    if (first === undefined) return [];
    const [one, [kind]] = first;
    const name = mostFrequent(ofGroup.map(([event]) => event.name));
    const [latest] = ofGroup.at(-1) ?? first;
    const count = ofGroup.length;
    return [
      { key, kind, name, isTaken: isTaken(kind, key), count, first: one.date, last: latest.date },
    ];
  });
  const isUsual = ({ kind }: SeasonGroup) => kind === 'name' || kind === 'yearly';

  /** Returns the first holiday on the days of an event. */
  const holidayOf = (event: PastEvent): string | undefined => {
    const last = lastDayOf(event, clock);
    for (let day = clock.dayOf(event.date); day <= last; day = addDays(day, 1)) {
      const holiday = holidayOn(day);
      if (holiday !== undefined) return holiday;
    }
    return undefined;
  };

  const rows = grouped.map(([event, [kind, group]]): SeasonRow => {
    const date = moveDate(event.date, { kind: 'move', days: weeks * 7 }, clock) ?? event.date;
    const description = describe(event, date);
    const next = { ...event, date, description, status: 'active' as const };
    const plain = plainName(event.name);
    const sameDay = namesakes.get(dayAndName(event.name, date)) ?? [];
    const dayOff = holidayOf(next);

    function reasonBeforeClash(): LeftOutReason | undefined {
      if (!comes(event)) return 'cancelled';
      if (words.some((text) => plain.includes(text))) return 'words';
      if (!isTaken(kind, group)) return kind === 'fixture' || kind === 'once' ? kind : 'group';
      if (sameDay.some(({ status }) => status !== 'cancelled')) return 'here';
      if (dayOff !== undefined && !back.has(event.id)) return 'day off';
      return undefined;
    }

    const before = reasonBeforeClash();
    // A new event has the id of last season's, which would be taken for itself.
    const [clashing] = before === undefined ? places.at({ ...next, id: Number.NaN }).clashes : [];
    const clash = clashing && { ...clashing, isNew: planned.has(clashing) };
    const isOpen = clash !== undefined && !both.has(event.id);
    const reason =
      before ?? (out.has(event.id) ? ('out' as const) : isOpen ? ('clash' as const) : undefined);
    if (reason === undefined) {
      planned.add(next);
      places.add(next);
    }
    const isBesideCancelled = reason === undefined && sameDay.length > 0;
    return { event, group, date, description, reason, dayOff, clash, isBesideCancelled };
  });
  return {
    groups: groups.toSorted(
      (one, other) => Number(isUsual(other)) - Number(isUsual(one)) || other.count - one.count,
    ),
    rows,
  };
}
