import type { Event } from '../../contract.ts';
import { eachMonth } from '../events/months.ts';
import { indexAt } from '../filter/matching.ts';
import { type Day, startOf } from '../time/days.ts';

/** A heading and the events below it: those of a month, or those of its rest from today on. */
type Block = {
  readonly kind: 'month' | 'today';
  readonly day: Day;
  /** Its first event, and the one after its last, among all events. */
  readonly first: number;
  readonly end: number;
  /** The row of its heading. */
  readonly row: number;
};

export type Row =
  | { readonly kind: 'month'; readonly day: Day }
  | { readonly kind: 'today'; readonly day: Day }
  | { readonly kind: 'event'; readonly event: Event; readonly index: number };

/** The rows of an agenda: found by their number, as there may be too many to make all of them. */
export type Rows = {
  readonly count: number;
  readonly at: (row: number) => Row;
  readonly kindAt: (row: number) => Row['kind'];
  /** How many rows of a kind are above a row. */
  readonly countAbove: (row: number, kind: Row['kind']) => number;
  /** The row of an event, by its index among all events. */
  readonly rowOfEvent: (index: number) => number;
  /** The row to begin with for who wants to see a day. */
  readonly rowOfDay: (day: Day) => number;
};

function blocksOf(events: readonly Event[], today: Day): Block[] {
  const blocks: Block[] = [];
  const now = indexAt(events, startOf(today));
  let row = 0;
  const add = (kind: Block['kind'], day: Day, first: number, end: number) => {
    blocks.push({ kind, day, first, end, row });
    row += 1 + end - first;
  };
  for (const { month, first, end } of eachMonth(events)) {
    if (first < now && now < end) {
      add('month', month, first, now);
      add('today', today, now, end);
    } else {
      // What comes in other months than this one stands below today's heading, not beside it.
      if (first === now) add('today', today, first, first);
      add('month', month, first, end);
    }
  }
  if (now === events.length) add('today', today, now, now);
  return blocks;
}

/** Where the last block stands that begins at or before a number. */
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

/** Arranges events, which are in the order of their dates, by months and around today. */
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
