import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { type Day, startOf } from '../time/days.ts';
import type { Sorted } from './use-sorted.ts';

/** A row and where it stands, in pixels below the upper edge of the rows. */
type Kept = { readonly event: Event; readonly top: number };

/** Where to begin: at the chosen event, else in the order of dates at a day, else at the top. */
function firstRow({ events, sort, order }: Sorted, chosen: number | null, day: Day): number {
  const at = chosen === null ? -1 : events.findIndex(({ id }) => id === chosen);
  if (at >= 0) return at;
  return sort === 'date' && order === 'asc' ? indexAt(events, startOf(day)) : 0;
}

/**
 * Keeps in place what its user looks at while rows come and go above it, and begins anew when the
 * table is sorted otherwise.
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
  const kept = useRef<Kept | undefined>(undefined);
  const before = useRef<Sorted | undefined>(undefined);
  /** Where the table was sent to: as long as it is there, its user has not chosen a place. */
  const sentTo = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    const last = before.current;
    before.current = sorted;
    const { events, sort, order } = sorted;
    const offset = virtualizer.scrollOffset ?? 0;
    const startOfRow = (row: number) => virtualizer.measurementsCache[row]?.start ?? 0;
    if (last === sorted) {
      const row = virtualizer.getVirtualItems().find(({ start }) => start >= offset);
      const event = row && events[row.index];
      if (row !== undefined && event !== undefined)
        kept.current = { event, top: row.start - offset };
      return;
    }
    const isSameOrder = last?.sort === sort && last.order === order;
    const isLeft = sentTo.current !== virtualizer.scrollOffset;
    const at =
      isSameOrder && isLeft ? events.findIndex(({ id }) => id === kept.current?.event.id) : -1;
    if (isSameOrder && isLeft && at < 0) return;
    const row = at < 0 ? firstRow(sorted, chosen, day) : at;
    const to = startOfRow(row) - (at < 0 ? 0 : (kept.current?.top ?? 0));
    if (at < 0) sentTo.current = to;
    virtualizer.scrollToOffset(to);
  });
}
