import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Event } from '../../contract.ts';
import { indexOfEvent } from '../filter/matching.ts';
import { adjustPlace } from '../place/use-place.ts';
import type { Day } from '../time/days.ts';
import type { Rows } from './rows.ts';

export type Listing = {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** Where a row begins, in pixels below the first one. */
  readonly startOfRow: (row: number) => number;
  readonly rows: Rows;
  readonly events: readonly Event[];
};

/** An event and where its row stands, in pixels below the upper edge of the list. */
type Anchor = { readonly event: Event; readonly top: number };

/** The first event whose row is wholly on screen. */
function anchorOf({ virtualizer, rows }: Listing): Anchor | undefined {
  const offset = virtualizer.scrollOffset ?? 0;
  for (const { index, start } of virtualizer.getVirtualItems()) {
    const row = start >= offset ? rows.at(index) : undefined;
    if (row?.kind === 'event') return { event: row.event, top: start - offset };
  }
  return undefined;
}

/**
 * Keeps in place what its user looks at while events come in above it, as more of the past is
 * read, and goes to a day when it is asked for: at first to today.
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
  const before = useRef<{ rows: Rows; day: Day; edge: number } | undefined>(undefined);
  /** Where the list was sent to show a day: as long as it is there, it goes along with that day. */
  const sentTo = useRef<number | undefined>(undefined);
  // Not by the virtualizer, which for a while would take its user back to where it was sent.
  const scrollTo = (offset: number) => {
    scroller.current?.scrollTo({ top: offset });
    return scroller.current?.scrollTop;
  };
  const goToDay = (to: Day) => {
    sentTo.current = scrollTo(startOfRow(rows.rowOfDay(to)));
  };

  useLayoutEffect(() => {
    const kept = anchor.current;
    const isSame = before.current?.rows === rows;
    const isLeft = sentTo.current !== scroller.current?.scrollTop;
    // A notice that comes or goes above the list moves all of it.
    const edge = scroller.current?.getBoundingClientRect().top ?? 0;
    const moved = edge - (before.current?.edge ?? edge);
    if (before.current?.day !== day || (!isSame && !isLeft)) goToDay(day);
    else if ((!isSame || (moved !== 0 && isLeft)) && kept !== undefined && events.length > 0) {
      const row = rows.rowOfEvent(Math.min(indexOfEvent(events, kept.event), events.length - 1));
      scrollTo(startOfRow(row) - kept.top + moved);
    } else anchor.current = anchorOf(listing);
    before.current = { rows, day, edge };
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
