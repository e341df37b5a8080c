import type { Event } from '../../contract.ts';
import type { Pace } from '../time/pace.ts';
import { mergeInSlices, sortInSlices, visitInSlices } from './slices.ts';

export type SortKey = string | number;

export type Sorting = {
  readonly keyOf: (event: Event) => SortKey;
  readonly compare: (one: SortKey, other: SortKey) => number;
};

/**
 * Ranks of the sort keys of a column. Ranking is the slow part of sorting and happens once for each
 * key; with the ranks, any selection of the events is sorted at once.
 */
export type Ranking = {
  /** Sorts events in a stable way; returns undefined if a key has no rank yet. */
  readonly arrange: (
    events: readonly Event[],
    order: 'asc' | 'desc',
  ) => readonly Event[] | undefined;
  /** Ranks the keys of all these events. */
  readonly learn: (events: readonly Event[], pace: Pace) => Promise<void>;
};

export function createRanking({ keyOf, compare }: Sorting): Ranking {
  let sorted: readonly SortKey[] = [];
  let ranks: ReadonlyMap<SortKey, number> = new Map();
  /** Ranks of the events that were last arranged or learnt. */
  let last: { readonly events: readonly Event[]; readonly ranks: Float64Array } | undefined;

  function ranksOf(events: readonly Event[]): Float64Array | undefined {
    if (last?.events === events) return last.ranks;
    const eventRanks = new Float64Array(events.length);
    for (let index = 0; index < events.length; index += 1) {
      const rank = ranks.get(keyOf(events[index] as Event));
      if (rank === undefined) return undefined;
      eventRanks[index] = rank;
    }
    last = { events, ranks: eventRanks };
    return eventRanks;
  }

  return {
    arrange(events, order) {
      const eventRanks = ranksOf(events);
      if (eventRanks === undefined) return undefined;
      const count = events.length;
      const direction = order === 'asc' ? 1 : -1;
      // Combines rank and index in one number, because numbers are sorted without a comparator.
      const combined = eventRanks.map((rank, index) => direction * rank * count + index);
      combined.sort();
      return Array.from(combined, (value) => events[((value % count) + count) % count] as Event);
    },
    async learn(events, pace) {
      const newKeys = new Set<SortKey>();
      const collect = (event: Event) => {
        const key = keyOf(event);
        if (!ranks.has(key)) newKeys.add(key);
      };
      await visitInSlices(events, collect, pace);
      const added = await sortInSlices([...newKeys], compare, pace);
      const next = await mergeInSlices(sorted, added, compare, pace);
      ranks = await rank(next, compare, pace);
      sorted = next;
      const eventRanks = new Float64Array(events.length);
      const assignRank = (event: Event, index: number) => {
        eventRanks[index] = ranks.get(keyOf(event)) ?? 0;
      };
      await visitInSlices(events, assignRank, pace);
      last = { events, ranks: eventRanks };
    },
  };
}

/** Ranks sorted keys; keys that compare as equal, such as two encodings of a letter, share a rank. */
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
