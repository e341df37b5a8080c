import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { listSteps } from '../events/list-keys.ts';
import type { Listing } from './use-scroll-anchor.ts';

/**
 * Gives a list a single tab stop and arrow keys. The tab stop is the visible event that the keys
 * last moved to, otherwise the one in the panel, otherwise the first on screen.
 */
export function useListKeys(
  listing: Listing & {
    readonly chosen: number | null;
    readonly scroller: RefObject<HTMLDivElement | null>;
  },
) {
  const { virtualizer, rows, events, chosen, scroller } = listing;
  const [lastMovedTo, setLastMovedTo] = useState<number | undefined>();
  const toFocus = useRef<number | undefined>(undefined);

  const rendered = virtualizer.getVirtualItems().flatMap(({ index, start, end }) => {
    const row = rows.at(index);
    return row.kind === 'event' ? [{ ...row, start, end }] : [];
  });
  const top = virtualizer.scrollOffset ?? 0;
  const bottom = top + (virtualizer.scrollRect?.height ?? 0);
  const onScreen = rendered.filter(({ start, end }) => start >= top && end <= bottom);
  const preferred =
    onScreen.find(({ index }) => index === lastMovedTo) ??
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
    // The focused row may be rendered but not on screen yet.
    const at =
      rendered.find((row) => String(row.event.id) === focused)?.index ?? preferred?.index ?? 0;
    const page = Math.max(1, onScreen.length - 1);
    const next = Math.min(events.length - 1, Math.max(0, step(at, events.length, page)));
    toFocus.current = next;
    setLastMovedTo(next);
    virtualizer.scrollToIndex(rows.rowOfEvent(next), { align: 'auto' });
  }

  return { tabStop: preferred?.index, list: { onKeyDown } };
}
