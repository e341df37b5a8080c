import type { Virtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react';
import type { Event } from '../../../contract.ts';
import { listSteps } from '../../base/browser.ts';
import { type Day, startOf } from '../../base/days.ts';
import { goTo } from '../../base/navigation.ts';
import { indexAt } from '../../data/events.ts';
import type { Sorted } from './sort.ts';

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

/** The row that has, or last had, the focus; it stays rendered wherever the table is scrolled. */
export type RowFocus = { readonly id: number; readonly index: number };

/** Handles the keys of the rows: keys to move between them, and Enter or Space to open one. */
export function useRowKeys({
  events,
  virtualizer,
  table,
  lastFocus,
  onFocusRow,
}: {
  readonly events: readonly Event[];
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly table: RefObject<HTMLDivElement | null>;
  readonly lastFocus: RowFocus | null;
  readonly onFocusRow: (row: RowFocus) => void;
}) {
  const toFocus = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    if (toFocus.current === undefined) return;
    const row = table.current?.querySelector<HTMLElement>(`[data-event="${toFocus.current}"]`);
    if (!row) return;
    toFocus.current = undefined;
    row.focus({ preventScroll: true });
  });

  function move(to: number): void {
    const index = Math.min(events.length - 1, Math.max(0, to));
    const event = events[index];
    if (event === undefined) return;
    toFocus.current = event.id;
    onFocusRow({ id: event.id, index });
    virtualizer.scrollToIndex(index, { align: 'auto' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const id = (event.target as HTMLElement).dataset['event'];
    if (id === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = listSteps[event.key];
    const isActivation = event.key === 'Enter' || event.key === ' ';
    if (step === undefined && !isActivation) return;
    event.preventDefault();
    if (step === undefined) {
      goTo({ event: Number(id) });
      return;
    }
    const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
    move(
      step(lastFocus?.index ?? startIndex, events.length, Math.max(1, endIndex - startIndex - 1)),
    );
  }

  function onFocus({ target }: FocusEvent<HTMLElement>): void {
    const { event, index } = target.dataset;
    if (event !== undefined) onFocusRow({ id: Number(event), index: Number(index) });
  }

  return { onKeyDown, onFocus };
}
