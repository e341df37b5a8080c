import type { Event } from '../../../contract.ts';
import { type Place, typeFilters } from '../../base/address.ts';
import type { Season } from '../../base/days.ts';
import { addMonths, type Day, startOf } from '../../base/days.ts';
import type { SeasonBy } from '../../base/preferences.ts';
import { indexAt } from '../../data/events.ts';
import type { EventSet } from '../../data/read-all.ts';

/** Checks that a kind is a type of events. */
export function isType(kind: Kind): kind is (typeof typeFilters)[number] {
  return typeFilters.some((type) => type === kind);
}

/** A part of the agenda that lists the events of a kind. */
export type KindFilter = Pick<Place, 'statuses' | 'types'>;

/** Returns the filter of the agenda for a kind of events. */
export function filterOf(kind: Kind): Partial<KindFilter> {
  if (kind === 'coming' || kind === 'past') return { statuses: ['active', 'completed'] };
  if (kind === 'draft' || kind === 'cancelled') return { statuses: [kind] };
  return { types: [kind] };
}

/** Kinds of events in the order in which they are shown. */
const kindsOf = {
  status: ['coming', 'past', 'draft', 'cancelled'],
  type: typeFilters,
} as const satisfies Readonly<Record<SeasonBy, readonly string[]>>;

export type Kind = (typeof kindsOf)[SeasonBy][number];

/** Number of events of a kind in a month or a season. */
export type KindCount = { readonly kind: Kind; readonly count: number };

export type MonthCount = {
  /** First day of the month. */
  readonly month: Day;
  readonly total: number;
  /** Counts of all kinds, in the order of `kindsOf`. */
  readonly kinds: readonly KindCount[];
};

export type SeasonCount = {
  readonly months: readonly MonthCount[];
  readonly total: number;
  readonly kinds: readonly KindCount[];
  /** Number of events in the fullest month. */
  readonly most: number;
};

/** Returns the kind of an event: its type, or its status, which for most is that of its date. */
function kindOf({ status, eventType, date }: Event, by: SeasonBy, startOfToday: string): Kind {
  if (by === 'type') return eventType ?? 'none';
  if (status === 'draft' || status === 'cancelled') return status;
  // Imported events stay active when they are over.
  return date < startOfToday ? 'past' : 'coming';
}

/** Counts the events of a season; `events` are sorted by date. */
export function countSeason(
  events: readonly Event[],
  season: Season,
  { by, today }: { readonly by: SeasonBy; readonly today: Day },
): SeasonCount {
  const startOfToday = startOf(today);
  const countKinds = (first: number, end: number): readonly KindCount[] => {
    const counts = new Map<Kind, number>();
    for (let at = first; at < end; at += 1) {
      const kind = kindOf(events[at] as Event, by, startOfToday);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return kindsOf[by].map((kind) => ({ kind, count: counts.get(kind) ?? 0 }));
  };
  const months = Array.from({ length: 12 }, (_, index): MonthCount => {
    const month = addMonths(season.first, index);
    const first = indexAt(events, startOf(month));
    const end = indexAt(events, startOf(addMonths(month, 1)));
    return { month, total: end - first, kinds: countKinds(first, end) };
  });
  return {
    months,
    total: months.reduce((sum, { total }) => sum + total, 0),
    kinds: kindsOf[by].map((kind, index) => ({
      kind,
      count: months.reduce((sum, { kinds }) => sum + (kinds[index]?.count ?? 0), 0),
    })),
    most: Math.max(...months.map(({ total }) => total)),
  };
}

export function isSeasonRead(set: EventSet, { first, end }: Season): boolean {
  const [earliest, latest] = [set.events[0], set.events.at(-1)];
  const isPastRead = set.pastRead || (earliest !== undefined && earliest.date < startOf(first));
  const isComingRead = set.comingRead || (latest !== undefined && latest.date >= startOf(end));
  return isPastRead && isComingRead;
}

/** Returns the last event before a season and the first after it. */
export function eventsAround(events: readonly Event[], { first, end }: Season) {
  return {
    before: events[indexAt(events, startOf(first)) - 1],
    after: events[indexAt(events, startOf(end))],
  };
}
