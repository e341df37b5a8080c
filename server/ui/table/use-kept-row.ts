import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { type Day, startOf } from '../time/days.ts';
import type { Sorted } from './use-sorted.ts';

/** A row and its offset in pixels below the upper edge of the rows. */
type Anchor = { readonly event: Event; readonly top: number };

/** Returns the first row to show: the chosen event, else the day if sorted by date, else the top. */
function firstRow({ events, sort, order }: Sorted, chosen: number | null, day: Day): number {
  const at = chosen === null ? -1 : events.findIndex(({ id }) => id === chosen);
  if (at >= 0) return at;
  return sort === 'date' && order === 'asc' ? indexAt(events, startOf(day)) : 0;
}

/**
 * Keeps the visible rows in place while rows above them come and go. Scrolls to the first row to
 * show when the sort order changes.
 */
export function useRowAnchor({
  virtualizer,
  sorted,
  chosen,
  day,
}: {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly sorted: Sorted;
  readonly chosen: number | null;
  readonly day: Day;
}): void {
  const anchor = useRef<Anchor | undefined>(undefined);
  const previous = useRef<Sorted | undefined>(undefined);
  /** Last programmatic scroll offset; if unchanged, the user has not scrolled. */
  const scrolledTo = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    const last = previous.current;
    previous.current = sorted;
    const { events, sort, order } = sorted;
    const offset = virtualizer.scrollOffset ?? 0;
    const startOfRow = (row: number) => virtualizer.measurementsCache[row]?.start ?? 0;
    if (last === sorted) {
      const row = virtualizer.getVirtualItems().find(({ start }) => start >= offset);
      const event = row && events[row.index];
      if (row !== undefined && event !== undefined)
        anchor.current = { event, top: row.start - offset };
      return;
    }
    const isSameOrder = last?.sort === sort && last.order === order;
    const hasUserScrolled = scrolledTo.current !== virtualizer.scrollOffset;
    const at =
      isSameOrder && hasUserScrolled
        ? events.findIndex(({ id }) => id === anchor.current?.event.id)
        : -1;
    if (isSameOrder && hasUserScrolled && at < 0) return;
    const row = at < 0 ? firstRow(sorted, chosen, day) : at;
    const to = startOfRow(row) - (at < 0 ? 0 : (anchor.current?.top ?? 0));
    if (at < 0) scrolledTo.current = to;
    virtualizer.scrollToOffset(to);
  });
}
