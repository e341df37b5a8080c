import type { Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Event } from '../../../contract.ts';
import { listSteps } from '../../base/browser.ts';
import type { Day } from '../../base/days.ts';
import { adjustPlace } from '../../base/navigation.ts';
import { indexOfEvent } from '../../data/events.ts';
import type { Rows } from './rows.ts';

type Listing = {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** Returns the offset of a row in pixels below the first one. */
  readonly startOfRow: (row: number) => number;
  readonly rows: Rows;
  readonly events: readonly Event[];
};

/** An event and the offset of its row in pixels below the upper edge of the list. */
type Anchor = { readonly event: Event; readonly top: number };

/** Returns the first event whose row is not cut off by the upper edge of the list. */
function anchorOf({ virtualizer, rows }: Listing): Anchor | undefined {
  const offset = virtualizer.scrollOffset ?? 0;
  for (const { index, start } of virtualizer.getVirtualItems()) {
    const row = start >= offset ? rows.at(index) : undefined;
    if (row?.kind === 'event') return { event: row.event, top: start - offset };
  }
  return undefined;
}

/**
 * Keeps the visible events in place while more of the past is read and inserted above them.
 * Scrolls to `day` when it changes.
 */
export function useScrollAnchor(
  listing: Listing & {
    readonly scroller: RefObject<HTMLDivElement | null>;
    readonly day: Day;
    readonly today: Day;
  },
) {
  const { virtualizer, startOfRow, scroller, rows, events, day, today } = listing;
  const anchor = useRef<Anchor | undefined>(undefined);
  const previous = useRef<{ rows: Rows; day: Day; edge: number } | undefined>(undefined);
  /** Scroll offset set to show a day; while it is unchanged, the list follows that day. */
  const dayOffset = useRef<number | undefined>(undefined);
  // The virtualizer's own scrolling would for a while undo the scrolling of the user.
  const scrollTo = (offset: number) => {
    scroller.current?.scrollTo({ top: offset });
    return scroller.current?.scrollTop;
  };
  const goToDay = (to: Day) => {
    dayOffset.current = scrollTo(startOfRow(rows.rowOfDay(to)));
  };

  useLayoutEffect(() => {
    const lastAnchor = anchor.current;
    const hasSameRows = previous.current?.rows === rows;
    const hasScrolledAway = dayOffset.current !== scroller.current?.scrollTop;
    // A notice that appears or disappears above the list moves all of it.
    const edge = scroller.current?.getBoundingClientRect().top ?? 0;
    const moved = edge - (previous.current?.edge ?? edge);
    if (previous.current?.day !== day || (!hasSameRows && !hasScrolledAway)) goToDay(day);
    else if (
      (!hasSameRows || (moved !== 0 && hasScrolledAway)) &&
      lastAnchor !== undefined &&
      events.length > 0
    ) {
      const row = rows.rowOfEvent(
        Math.min(indexOfEvent(events, lastAnchor.event), events.length - 1),
      );
      scrollTo(startOfRow(row) - lastAnchor.top + moved);
    } else anchor.current = anchorOf(listing);
    previous.current = { rows, day, edge };
  });

  const todayRow = rows.rowOfDay(today);
  const { startIndex = todayRow, endIndex = todayRow } = virtualizer.range ?? {};
  return {
    isAwayFromToday: todayRow < startIndex || todayRow > endIndex,
    jumpToToday() {
      adjustPlace({ day: null });
      goToDay(today);
    },
  };
}

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
