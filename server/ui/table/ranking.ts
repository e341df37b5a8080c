import type { Event } from '../../contract.ts';
import type { Pace } from '../time/pace.ts';
import { mergeInSlices, sortInSlices, visitInSlices } from './slices.ts';

/** What a column is sorted by. */
export type SortKey = string | number;

export type Sorting = {
  readonly keyOf: (event: Event) => SortKey;
  readonly compare: (one: SortKey, other: SortKey) => number;
};

/**
 * The places of a column's keys in their order. Finding them is the slow part of sorting, which
 * is done once for each key; with them, any selection of the events is sorted at once.
 */
export type Ranking = {
  /** The events in order, equal ones as they were; undefined if a key has no place yet. */
  readonly arrange: (
    events: readonly Event[],
    order: 'asc' | 'desc',
  ) => readonly Event[] | undefined;
  /** Finds the places of all keys of these events. */
  readonly learn: (events: readonly Event[], pace: Pace) => Promise<void>;
};

export function createRanking({ keyOf, compare }: Sorting): Ranking {
  let sorted: readonly SortKey[] = [];
  let ranks: ReadonlyMap<SortKey, number> = new Map();
  /** The ranks of the events that were last arranged, or are about to be. */
  let last: { readonly events: readonly Event[]; readonly ranks: Float64Array } | undefined;

  function ranksOf(events: readonly Event[]): Float64Array | undefined {
    if (last?.events === events) return last.ranks;
    const found = new Float64Array(events.length);
    for (let index = 0; index < events.length; index += 1) {
      const rank = ranks.get(keyOf(events[index] as Event));
      if (rank === undefined) return undefined;
      found[index] = rank;
    }
    last = { events, ranks: found };
    return found;
  }

  return {
    arrange(events, order) {
      const found = ranksOf(events);
      if (found === undefined) return undefined;
      const count = events.length;
      const direction = order === 'asc' ? 1 : -1;
      // A rank and an index in one number, as numbers are sorted without a function to compare.
      const places = found.map((rank, index) => direction * rank * count + index);
      places.sort();
      return Array.from(places, (place) => events[((place % count) + count) % count] as Event);
    },
    async learn(events, pace) {
      const fresh = new Set<SortKey>();
      const note = (event: Event) => {
        const key = keyOf(event);
        if (!ranks.has(key)) fresh.add(key);
      };
      await visitInSlices(events, note, pace);
      const added = await sortInSlices([...fresh], compare, pace);
      const next = await mergeInSlices(sorted, added, compare, pace);
      ranks = await rank(next, compare, pace);
      sorted = next;
      const found = new Float64Array(events.length);
      const find = (event: Event, index: number) => {
        found[index] = ranks.get(keyOf(event)) ?? 0;
      };
      await visitInSlices(events, find, pace);
      last = { events, ranks: found };
    },
  };
}

/** Keys that are equal in a language, as the same letter in two codings is, get the same rank. */
async function rank(
  sorted: readonly SortKey[],
  compare: Sorting['compare'],
  pace: Pace,
): Promise<ReadonlyMap<SortKey, number>> {
  const ranks = new Map<SortKey, number>();
  let last = 0;
  const add = (key: SortKey, index: number) => {
    if (index > 0 && compare(sorted[index - 1] as SortKey, key) !== 0) last = index;
    ranks.set(key, last);
  };
  await visitInSlices(sorted, add, pace);
  return ranks;
}
