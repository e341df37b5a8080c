import type { Clock } from '../../../dates/clock.ts';
import { addDays, type Day, monthOf } from '../../../dates/days.ts';
import { indexAt, maxDaysBack } from '../../../event/places.ts';
import { dayCount, lastDayOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { eachMonth } from '../../data/event-queries.ts';

/** A heading and its events: those of a month, or of the rest of a month from today on. */
type Block = {
  readonly kind: 'month' | 'today';
  readonly day: Day;
  /** Indexes of its events among all events, from `first` up to `end`, exclusive. */
  readonly first: number;
  readonly end: number;
  readonly row: number;
};

/** The rows of a month, from `row` up to `end`, exclusive. */
export type Section = {
  readonly row: number;
  readonly end: number;
  /** The month of its heading, which is its first row; null without a heading. */
  readonly month: Day | null;
  /** Index of its first event among all events. */
  readonly first: number;
  readonly count: number;
  /** Number of its events from today on. */
  readonly coming: number;
};

export type Row =
  | { readonly kind: 'month'; readonly day: Day }
  | { readonly kind: 'today'; readonly day: Day }
  | { readonly kind: 'event'; readonly event: Event; readonly index: number };

/** The rows of an agenda, computed on demand because there may be very many. */
export type Rows = {
  readonly count: number;
  readonly at: (row: number) => Row;
  readonly kindAt: (row: number) => Row['kind'];
  readonly countAbove: (row: number, kind: Row['kind']) => number;
  /** Returns the row of an event, by its index among all events. */
  readonly rowOfEvent: (index: number) => number;
  readonly todayRow: number;
  /** Returns the row to scroll to for a day; above today one past event stays in view. */
  readonly rowOfDay: (day: Day) => number;
  readonly sectionOf: (row: number) => Section;
};

function blocksOf(clock: Clock, events: readonly Event[], today: Day): Block[] {
  const blocks: Block[] = [];
  const firstComing = indexAt(events, clock.startOf(today));
  let row = 0;
  const add = (kind: Block['kind'], day: Day, first: number, end: number) => {
    blocks.push({ kind, day, first, end, row });
    row += 1 + end - first;
  };
  for (const { month, first, end } of eachMonth(clock, events)) {
    const isBroken = first < firstComing && firstComing < end;
    if (isBroken || (first === firstComing && month === monthOf(today))) {
      add('month', month, first, firstComing);
      add('today', today, firstComing, end);
    } else {
      // Without events in the rest of this month, today's heading ends the month before.
      if (first === firstComing) add('today', today, first, first);
      add('month', month, first, end);
    }
  }
  if (firstComing === events.length) add('today', today, firstComing, firstComing);
  return blocks;
}

function sectionsOf(blocks: readonly Block[], firstComing: number, count: number): Section[] {
  const starts = blocks.filter(({ kind, row }) => kind === 'month' || row === 0);
  return starts.map(({ kind, day, first, row }, at) => {
    const next = starts[at + 1];
    const end = next?.first ?? count;
    return {
      row,
      end: next?.row ?? count + blocks.length,
      month: kind === 'month' ? day : null,
      first,
      count: end - first,
      coming: end - Math.min(end, Math.max(first, firstComing)),
    };
  });
}

/** Returns the last item whose `key` is at most `number`; binary search. */
function lastAtOrBefore<Key extends string, Item extends Readonly<Record<Key, number>>>(
  items: readonly Item[],
  number: number,
  key: Key,
): Item {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((items[middle] as Item)[key] <= number) low = middle;
    else high = middle - 1;
  }
  return items[low] as Item;
}

/**
 * Returns events, which are sorted by date, in the order of the list: those that are running stand
 * in front of the first one of today.
 */
export function listOrder(clock: Clock, events: readonly Event[], today: Day): readonly Event[] {
  const from = indexAt(events, clock.startOf(addDays(today, -maxDaysBack)));
  const firstComing = indexAt(events, clock.startOf(today));
  const begun = events.slice(from, firstComing);
  const running = begun.filter(
    (event) => dayCount(event, clock) > 1 && lastDayOf(event, clock) >= today,
  );
  if (running.length === 0) return events;
  const over = begun.filter((event) => !running.includes(event));
  return [...events.slice(0, from), ...over, ...running, ...events.slice(firstComing)];
}

/** Returns listed events with dates in order: a running one counts as one of today. */
function datedByList(clock: Clock, listed: readonly Event[], today: Day): readonly Event[] {
  const start = clock.startOf(today);
  const firstComing = indexAt(listed, start);
  let first = firstComing;
  while (first > 0 && lastDayOf(listed[first - 1] as Event, clock) >= today) first -= 1;
  if (first === firstComing) return listed;
  const running = listed.slice(first, firstComing).map((event) => ({ ...event, date: start }));
  return [...listed.slice(0, first), ...running, ...listed.slice(firstComing)];
}

/** Arranges events by month and around today; `events` must be in the order of `listOrder`. */
export function arrangeRows(clock: Clock, listed: readonly Event[], today: Day): Rows {
  const events = datedByList(clock, listed, today);
  const blocks = blocksOf(clock, events, today);
  const firstComing = indexAt(events, clock.startOf(today));
  const sections = sectionsOf(blocks, firstComing, events.length);
  const count = events.length + blocks.length;
  const rowOfEvent = (index: number) => {
    const block = lastAtOrBefore(blocks, index, 'first');
    return block.row + 1 + index - block.first;
  };
  // The heights of all rows are read in order, so that most rows are in the block of the last one.
  let current = blocks[0] as Block;
  const blockAt = (row: number) => {
    const isInCurrent = row >= current.row && row <= current.row + current.end - current.first;
    if (!isInCurrent) current = lastAtOrBefore(blocks, row, 'row');
    return current;
  };
  const kindAt = (row: number) => {
    const block = blockAt(row);
    return row === block.row ? block.kind : 'event';
  };
  const todayRow = blocks.find(({ kind }) => kind === 'today')?.row ?? 0;
  return {
    count,
    kindAt,
    at(row) {
      const block = blockAt(row);
      const index = block.first + row - block.row - 1;
      const event = listed[index];
      if (row === block.row || event === undefined) return { kind: block.kind, day: block.day };
      return { kind: 'event', event, index };
    },
    countAbove(row, kind) {
      const headings = row === 0 ? 0 : blocks.indexOf(lastAtOrBefore(blocks, row - 1, 'row')) + 1;
      if (kind === 'event') return row - headings;
      const today = todayRow < row ? 1 : 0;
      return kind === 'today' ? today : headings - today;
    },
    rowOfEvent,
    todayRow,
    rowOfDay(day) {
      const index = day === today ? firstComing - 1 : indexAt(events, clock.startOf(day));
      if (index < 0) return 0;
      let row = index === events.length ? count - 1 : rowOfEvent(index);
      while (row > 0 && kindAt(row - 1) !== 'event') row -= 1;
      return row;
    },
    sectionOf: (row) => lastAtOrBefore(sections, row, 'row'),
  };
}

/**
 * Returns the index of the first event that a list without the past shows: the last past one;
 * `events` must be in the order of `listOrder`.
 */
export function indexOfLastPast(clock: Clock, listed: readonly Event[], today: Day): number {
  return Math.max(0, indexAt(datedByList(clock, listed, today), clock.startOf(today)) - 1);
}
