import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { listSteps } from '../events/list-keys.ts';
import type { Listing } from './use-scroll-anchor.ts';

/**
 * One stop for Tab in a list, however long, and arrow keys within it: on the event last gone to,
 * the one in the panel, or else the first on screen.
 */
export function useListKeys(
  listing: Listing & {
    readonly chosen: number | null;
    readonly scroller: RefObject<HTMLDivElement | null>;
  },
) {
  const { virtualizer, rows, events, chosen, scroller } = listing;
  const [gone, setGone] = useState<number | undefined>();
  const toFocus = useRef<number | undefined>(undefined);

  const drawn = virtualizer.getVirtualItems().flatMap(({ index, start, end }) => {
    const row = rows.at(index);
    return row.kind === 'event' ? [{ ...row, start, end }] : [];
  });
  const top = virtualizer.scrollOffset ?? 0;
  const bottom = top + (virtualizer.scrollRect?.height ?? 0);
  const onScreen = drawn.filter(({ start, end }) => start >= top && end <= bottom);
  const preferred =
    onScreen.find(({ index }) => index === gone) ??
    onScreen.find(({ event }) => event.id === chosen) ??
    onScreen[0];

  useLayoutEffect(() => {
    const id = toFocus.current === undefined ? undefined : events[toFocus.current]?.id;
    const button = scroller.current?.querySelector<HTMLElement>(`[data-event="${id}"]`);
    if (!button) return;
    toFocus.current = undefined;
    button.focus({ preventScroll: true });
  });

  function onKeyDown(event: KeyboardEvent): void {
    const step = listSteps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const focused = (event.target as HTMLElement).dataset['event'];
    // Among all that are drawn: it may be about to be scrolled to.
    const at =
      drawn.find((row) => String(row.event.id) === focused)?.index ?? preferred?.index ?? 0;
    const page = Math.max(1, onScreen.length - 1);
    const next = Math.min(events.length - 1, Math.max(0, step(at, events.length, page)));
    toFocus.current = next;
    setGone(next);
    virtualizer.scrollToIndex(rows.rowOfEvent(next), { align: 'auto' });
  }

  return { tabStop: preferred?.index, list: { onKeyDown } };
}
