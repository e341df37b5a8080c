import type { Virtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react';
import type { Event } from '../../contract.ts';
import { listSteps } from '../events/list-keys.ts';
import { goTo } from '../place/use-place.ts';

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
