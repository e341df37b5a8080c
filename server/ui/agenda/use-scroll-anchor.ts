import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Event } from '../../contract.ts';
import { indexOfEvent } from '../filter/matching.ts';
import { adjustPlace } from '../place/use-place.ts';
import type { Day } from '../time/days.ts';
import type { Rows } from './rows.ts';

export type Listing = {
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
