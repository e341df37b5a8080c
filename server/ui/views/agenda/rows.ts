import type { Event } from '../../../contract.ts';
import { type Day, startOf } from '../../base/days.ts';
import { eachMonth, indexAt } from '../../data/events.ts';

/** A heading and its events: those of a month, or of the rest of a month from today on. */
type Block = {
  readonly kind: 'month' | 'today';
  readonly day: Day;
  /** Indexes of its events among all events, from `first` up to `end`, exclusive. */
  readonly first: number;
  readonly end: number;
  readonly row: number;
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
  /** Returns the row to scroll to for a day. */
  readonly rowOfDay: (day: Day) => number;
};

function blocksOf(events: readonly Event[], today: Day): Block[] {
  const blocks: Block[] = [];
  const firstComing = indexAt(events, startOf(today));
  let row = 0;
  const add = (kind: Block['kind'], day: Day, first: number, end: number) => {
    blocks.push({ kind, day, first, end, row });
    row += 1 + end - first;
  };
  for (const { month, first, end } of eachMonth(events)) {
    if (first < firstComing && firstComing < end) {
      add('month', month, first, firstComing);
      add('today', today, firstComing, end);
    } else {
      // If the first coming event begins a month, that month follows today's heading, which is empty.
      if (first === firstComing) add('today', today, first, first);
      add('month', month, first, end);
    }
  }
  if (firstComing === events.length) add('today', today, firstComing, firstComing);
  return blocks;
}

/** Returns the last block whose `key` is at most `number`; binary search. */
function lastAtOrBefore(blocks: readonly Block[], number: number, key: 'row' | 'first'): Block {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((blocks[middle] as Block)[key] <= number) low = middle;
    else high = middle - 1;
  }
  return blocks[low] as Block;
}

/** Arranges events by month and around today; `events` must be sorted by date. */
export function arrangeRows(events: readonly Event[], today: Day): Rows {
  const blocks = blocksOf(events, today);
  const last = blocks.at(-1) as Block;
  const rowOfEvent = (index: number) => {
    const block = lastAtOrBefore(blocks, index, 'first');
    return block.row + 1 + index - block.first;
  };
  return {
    count: last.row + 1 + last.end - last.first,
    kindAt(row) {
      const block = lastAtOrBefore(blocks, row, 'row');
      return row === block.row ? block.kind : 'event';
    },
    at(row) {
      const block = lastAtOrBefore(blocks, row, 'row');
      const index = block.first + row - block.row - 1;
      const event = events[index];
      if (row === block.row || event === undefined) return { kind: block.kind, day: block.day };
      return { kind: 'event', event, index };
    },
    countAbove(row, kind) {
      const headings = blocks.filter((block) => block.row < row);
      if (kind === 'event') return row - headings.length;
      return headings.filter((block) => block.kind === kind).length;
    },
    rowOfEvent,
    rowOfDay(day) {
      const today = blocks.find((block) => block.kind === 'today');
      if (today?.day === day) return today.row;
      const index = indexAt(events, startOf(day));
      return index === events.length ? last.row : Math.max(0, rowOfEvent(index) - 1);
    },
  };
}
