import { holesOf } from '../../../db/mirror-model.ts';
import { limits } from './rules.ts';
import type { MirrorState } from './state.ts';

/** The expected cost of a search for older events. */
export type SearchEstimate = {
  /** The number of requests, unless a person ends the search early. */
  readonly requests: number;
  readonly seconds: number;
  /** True if the ids of the service are so far apart that a search is not offered. */
  readonly isTooSparse: boolean;
};

/** Ids above the highest known one that may have been given out. */
const idsAbove = 16;

/** Ids around a hole that may belong to it: ids and creation times do not always have one order. */
const holeMargin = 50;

/** Smallest share of ids with an event of this club for which a search is worth its requests. */
const smallestDensity = 0.01;

/** Ids in a row without an upcoming event that end a search for upcoming events. */
const longestRow = 100;

/** Requests in a second of a search, unless a person chooses others. */
export const searchRate = 2;

type Knowledge = Pick<MirrorState, 'entries' | 'notFound'> & Pick<MirrorState, 'source'>;

/** Returns the ids between which the events of holes have theirs, lowest and highest inclusive. */
function idsOfHoles({ entries, source }: Knowledge): { low: number; high: number }[] {
  const events = [...entries.values()]
    .map(({ event }) => event)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return holesOf(source.coverage).map(({ from, to }) => {
    const before = events.findLast(({ createdAt }) => createdAt < from)?.id ?? 1;
    const after = events.find(({ createdAt }) => createdAt > to)?.id ?? highestId(entries);
    return {
      low: Math.max(1, Math.min(before, after) - holeMargin),
      high: Math.max(before, after) + holeMargin,
    };
  });
}

function highestId(entries: Knowledge['entries']): number {
  return [...entries.keys()].reduce((highest, id) => Math.max(highest, id), 0);
}

/**
 * Returns the next ids of a search for older events, at most `limit`: those of holes, then downward
 * from the highest known id, then a few above it. It assumes that ids are positive and given out in
 * ascending order. None are left if every such id is known or proven not found.
 */
export function nextIds(knowledge: Knowledge, limit: number): readonly number[] {
  const { entries, notFound } = knowledge;
  const highest = highestId(entries);
  const ids = new Set<number>();
  const add = (low: number, high: number) => {
    for (let id = high; id >= low && ids.size < limit; id -= 1) {
      if (!entries.has(id) && !notFound.has(id)) ids.add(id);
    }
  };
  for (const { low, high } of idsOfHoles(knowledge)) add(low, Math.min(high, highest));
  add(1, highest);
  add(highest + 1, highest + idsAbove);
  return [...ids];
}

/** Returns the number of ids that a search has still to ask for. */
export function countIdsLeft({ entries, notFound }: Knowledge): number {
  const last = highestId(entries) + idsAbove;
  const isInside = (id: number) => id >= 1 && id <= last;
  const known = [...entries.keys()].filter(isInside).length;
  const missing = [...notFound.keys()].filter((id) => isInside(id) && !entries.has(id)).length;
  return Math.max(0, last - known - missing);
}

/**
 * Returns the ids that a search for upcoming events has still to ask for: downward from the highest
 * known id until many in a row have no upcoming event. `now` is the local time in ms. Events with
 * much lower ids stay unknown.
 */
export function nextUpcomingIds(
  { entries, notFound, source }: Knowledge,
  now: number,
): readonly number[] {
  const here = new Date(now + source.clockOffset).toISOString();
  const ids: number[] = [];
  let inRow = 0;
  for (let id = highestId(entries); id >= 1 && inRow < longestRow; id -= 1) {
    const entry = entries.get(id);
    const isUpcoming = entry !== undefined && entry.event.date >= here;
    inRow = isUpcoming ? 0 : inRow + 1;
    if (entry === undefined && !notFound.has(id)) ids.push(id);
  }
  return ids;
}

/** Returns the number of requests for ids at a rate of requests a second, and their seconds. */
export function costOf(ids: number, rate: number): Pick<SearchEstimate, 'requests' | 'seconds'> {
  // Two probes around the ids of each sync.
  const requests = ids + 2 * Math.ceil(ids / limits.ids);
  return { requests, seconds: Math.ceil(requests / rate) };
}

/** Estimates the cost of a search for all events. */
export function estimateSearch(knowledge: Knowledge, rate: number): SearchEstimate {
  const { entries, source } = knowledge;
  const listed = source.listed.filter((id) => entries.has(id));
  const range = Math.max(...listed) - Math.min(...listed) + 1;
  const inRange = [...entries.keys()].filter(
    (id) => id >= Math.min(...listed) && id <= Math.max(...listed),
  ).length;
  return {
    ...costOf(countIdsLeft(knowledge), rate),
    isTooSparse: listed.length > 1 && inRange / range < smallestDensity,
  };
}
