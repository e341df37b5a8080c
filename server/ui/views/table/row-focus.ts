import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react';
import type { Day } from '../../../dates/days.ts';
import { indexAt } from '../../../event/places.ts';
import type { Event } from '../../../http/contract.ts';
import { listSteps } from '../../base/browser.ts';
import { useClock } from '../../base/days.ts';
import { goTo } from '../../base/navigation.ts';
import { coveredFoot } from '../selection/selection.ts';
import type { Sorted } from './sort.ts';

/** Position and height of the rows, in pixels below the upper edge of the document. */
type RowPlaces = {
  readonly top: number;
  readonly size: number;
  /** Returns the height of the window that is covered by bars above the rows. */
  readonly coverOf: () => number;
};

/** A row and its offset in pixels below the upper edge of the window. */
type Anchor = { readonly event: Event; readonly top: number };

/** Returns the first row to show: the chosen event, else the day if sorted by date, else the top. */
export function firstRow(
  { events, sort, order }: Sorted,
  chosen: number | null,
  start: string,
): number {
  const at = chosen === null ? -1 : events.findIndex(({ id }) => id === chosen);
  if (at >= 0) return at;
  return sort === 'date' && order === 'asc' ? indexAt(events, start) : 0;
}

function scrollTo(top: number): void {
  window.scrollTo({ top, behavior: 'instant' });
}

/**
 * Keeps the visible rows in place while rows above them come and go. Scrolls to the first row to
 * show when the sort order changes. Returns the offset to which this render scrolls; undefined if it
 * stays.
 */
export function useRowAnchor(props: {
  readonly places: RowPlaces;
  readonly sorted: Sorted;
  readonly chosen: number | null;
  readonly day: Day;
}): number | undefined {
  const { places, sorted, chosen, day } = props;
  const { top, size, coverOf } = places;
  const clock = useClock();
  const anchor = useRef<Anchor | undefined>(undefined);
  const previous = useRef<{ sorted: Sorted; top: number; size: number } | undefined>(undefined);
  /** Last programmatic scroll offset; if unchanged, the user has not scrolled. */
  const scrolledTo = useRef<number | undefined>(undefined);

  const { events, sort, order } = sorted;
  const startOfRow = (row: number) => top + row * size;

  /** Returns the offset to scroll to, for the first row or for the rows in view; undefined to stay. */
  function findTarget(): { readonly of: 'first' | 'rows'; readonly offset: number } | undefined {
    const last = previous.current;
    if (last?.sorted === sorted && last.top === top && last.size === size) return undefined;
    const isSameOrder = last?.sorted.sort === sort && last.sorted.order === order;
    const hasUserScrolled = scrolledTo.current !== window.scrollY;
    if (isSameOrder && hasUserScrolled) {
      const row = events.findIndex(({ id }) => id === anchor.current?.event.id);
      if (row < 0) return undefined;
      return { of: 'rows', offset: startOfRow(row) - (anchor.current?.top ?? 0) };
    }
    const row = firstRow(sorted, chosen, clock.startOf(day));
    return { of: 'first', offset: row === 0 ? 0 : startOfRow(row) - coverOf() };
  }

  useLayoutEffect(() => {
    const last = previous.current;
    const target = findTarget();
    previous.current = { sorted, top, size };
    if (target !== undefined) {
      scrollTo(target.offset);
      if (target.of === 'first') scrolledTo.current = window.scrollY;
    } else if (last?.sorted === sorted && last.top === top && last.size === size) {
      const row = Math.max(0, Math.ceil((window.scrollY + coverOf() - top) / size));
      const event = events[row];
      if (event !== undefined) anchor.current = { event, top: startOfRow(row) - window.scrollY };
    }
  });
  return findTarget()?.offset;
}

/** The row that has, or last had, the focus; it stays rendered wherever the table is scrolled. */
export type RowFocus = { readonly id: number; readonly index: number };

/** Finds a row after the order has changed; if it is gone, the row in its place. */
export function relocate(events: readonly Event[], lastFocus: RowFocus | null): RowFocus | null {
  if (lastFocus === null || events[lastFocus.index]?.id === lastFocus.id) return lastFocus;
  const found = events.findIndex(({ id }) => id === lastFocus.id);
  const index = found < 0 ? Math.min(lastFocus.index, events.length - 1) : found;
  const event = events[index];
  return event === undefined ? null : { id: event.id, index };
}

/** Handles the keys of the rows: keys to move between them, and Enter or Space to open one. */
export function useRowKeys(props: {
  readonly events: readonly Event[];
  readonly places: RowPlaces;
  readonly rows: RefObject<HTMLElement | null>;
  readonly lastFocus: RowFocus | null;
  /** The same row in the current order. */
  readonly focused: RowFocus | null;
  readonly onFocusRow: (row: RowFocus) => void;
}) {
  const { events, places, rows, lastFocus, focused, onFocusRow } = props;
  const { top, size, coverOf } = places;
  const toFocus = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    if (lastFocus !== null && focused !== null && lastFocus.id !== focused.id) {
      // The focused row is gone; the focus goes to the row in its place.
      onFocusRow(focused);
      if (document.activeElement === document.body) toFocus.current = focused.id;
    }
    if (toFocus.current === undefined) return;
    const row = rows.current?.querySelector<HTMLElement>(`[data-event="${toFocus.current}"]`);
    if (!row) return;
    toFocus.current = undefined;
    row.focus({ preventScroll: true });
  });

  const pageOfRows = () => Math.floor((window.innerHeight - coverOf() - coveredFoot()) / size);

  function move(to: number): void {
    const index = Math.min(events.length - 1, Math.max(0, to));
    const event = events[index];
    if (event === undefined) return;
    toFocus.current = event.id;
    onFocusRow({ id: event.id, index });
    const start = top + index * size;
    if (window.scrollY > start - coverOf()) scrollTo(start - coverOf());
    else {
      const lowest = start + size - window.innerHeight + coveredFoot();
      if (window.scrollY < lowest) scrollTo(lowest);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const id = (event.target as HTMLElement).dataset['event'];
    if (id === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = listSteps[event.key];
    const isActivation = event.key === 'Enter' || event.key === ' ';
    if (event.defaultPrevented || (step === undefined && !isActivation)) return;
    event.preventDefault();
    if (step === undefined) {
      goTo({ event: Number(id) });
      return;
    }
    const onScreen = Math.ceil((window.scrollY + coverOf() - top) / size);
    move(step(focused?.index ?? onScreen, events.length, Math.max(1, pageOfRows() - 1)));
  }

  function onFocus({ target }: FocusEvent<HTMLElement>): void {
    const { event, index } = target.dataset;
    if (event !== undefined) onFocusRow({ id: Number(event), index: Number(index) });
  }

  return { onKeyDown, onFocus };
}
