import type { Event } from '../../../contract.ts';
import { typeFilters } from '../../base/address.ts';
import type { Season } from '../../base/days.ts';
import { addMonths, type Day, startOf } from '../../base/days.ts';
import type { SeasonBy } from '../../base/preferences.ts';
import { indexAt } from '../../data/events.ts';
import type { EventSet } from '../../data/read-all.ts';

/** Kinds of events in the order in which they are shown. */
const kindsOf = {
  status: ['active', 'completed', 'draft', 'cancelled'],
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

function countKinds(
  events: readonly Event[],
  { first, end, by }: { readonly first: number; readonly end: number; readonly by: SeasonBy },
): readonly KindCount[] {
  const counts = new Map<string, number>();
  for (let at = first; at < end; at += 1) {
    const { status, eventType } = events[at] as Event;
    const kind = by === 'status' ? status : (eventType ?? 'none');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return kindsOf[by].map((kind) => ({ kind, count: counts.get(kind) ?? 0 }));
}

/** Counts the events of a season; `events` are sorted by date. */
export function countSeason(events: readonly Event[], season: Season, by: SeasonBy): SeasonCount {
  const months = Array.from({ length: 12 }, (_, index): MonthCount => {
    const month = addMonths(season.first, index);
    const first = indexAt(events, startOf(month));
    const end = indexAt(events, startOf(addMonths(month, 1)));
    return { month, total: end - first, kinds: countKinds(events, { first, end, by }) };
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
