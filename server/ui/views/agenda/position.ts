import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Day } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { listSteps } from '../../base/browser.ts';
import { type PlacedRow, rowAt } from '../../base/row-window.ts';
import { isDraft } from '../../data/editor.ts';
import { indexOfEvent } from '../../data/event-queries.ts';
import { isLooked } from '../../data/followed.ts';
import { coveredFoot } from '../selection/selection.ts';
import type { Rows } from './rows.ts';

type Listing = {
  readonly list: RefObject<HTMLElement | null>;
  /** Offset of the list below the upper edge of the document, in pixels. */
  readonly listTop: number;
  /** Returns the offset of a row in pixels below the upper edge of the list. */
  readonly startOfRow: (row: number) => number;
  readonly rows: Rows;
  readonly events: readonly Event[];
};

/** Returns the height in pixels that the bars in place above the list cover, with its heading. */
function coverOf(list: HTMLElement | null): { readonly bars: number; readonly all: number } {
  const heading = list?.querySelector<HTMLElement>('.agenda-month');
  if (!heading) return { bars: 0, all: 0 };
  const { position, top } = getComputedStyle(heading);
  const bars = position === 'sticky' ? Number.parseFloat(top) : 0;
  return { bars, all: position === 'sticky' ? bars + heading.offsetHeight : 0 };
}

/** Returns true for an event whose row can have the focus. */
const isButton = (event: Event | undefined): boolean =>
  event !== undefined && (!isDraft(event) || isLooked(event));

/** An event and the offset of its row in pixels below the upper edge of the window. */
type Anchor = { readonly event: Event; readonly top: number };

/** Returns the first event whose row is not cut off by the bars above the list. */
function anchorOf({ list, listTop, startOfRow, rows }: Listing): Anchor | undefined {
  const edge = window.scrollY + coverOf(list.current).all - listTop;
  const end = edge + window.innerHeight;
  for (let row = rowAt({ count: rows.count, startOfRow }, edge); row < rows.count; row += 1) {
    const start = startOfRow(row);
    if (start > end) break;
    const shown = start >= edge ? rows.at(row) : undefined;
    if (shown?.kind === 'event') {
      return { event: shown.event, top: listTop + start - window.scrollY };
    }
  }
  return undefined;
}

/**
 * Keeps the visible events in place while others are inserted above them. Scrolls to `day` when it
 * changes.
 */
export function useScrollAnchor(
  listing: Listing & {
    readonly day: Day;
    readonly today: Day;
    /** True to show today by the upper edge of the document, with the head of the page. */
    readonly startsAtTop: boolean;
  },
) {
  const { list, listTop, startOfRow, rows, events, day, today, startsAtTop } = listing;
  const anchor = useRef<Anchor | undefined>(undefined);
  const previous = useRef<{ rows: Rows; day: Day; listTop: number } | undefined>(undefined);
  /** Scroll offset set to show a day; while it is unchanged, the list follows that day. */
  const dayOffset = useRef<number | undefined>(undefined);
  const scrollTo = (top: number) => {
    window.scrollTo({ top, behavior: 'instant' });
    return window.scrollY;
  };
  const offsetOf = (to: Day): number => {
    const row = rows.rowOfDay(to);
    const { bars, all } = coverOf(list.current);
    const edge = rows.kindAt(row) === 'month' ? bars : all;
    return listTop + startOfRow(row) - edge;
  };

  /** Returns the offset to scroll to, for the day or for the events in view; undefined to stay. */
  function findTarget(): { readonly of: 'day' | 'events'; readonly offset: number } | undefined {
    const lastAnchor = anchor.current;
    const before = previous.current;
    const hasSameRows = before?.rows === rows;
    const hasMoved = before !== undefined && before.listTop !== listTop;
    if (before?.day === day && hasSameRows && !hasMoved) return undefined;
    const end = document.documentElement.scrollHeight - window.innerHeight;
    // A document that becomes shorter scrolls up by itself.
    const hasScrolledAway = Math.min(dayOffset.current ?? -1, end) !== window.scrollY;
    if (before?.day !== day || !hasScrolledAway) {
      return { of: 'day', offset: startsAtTop && day === today ? 0 : offsetOf(day) };
    }
    if (lastAnchor === undefined || events.length === 0) return undefined;
    const { event } = lastAnchor;
    const found = events.findIndex(({ id }) => id === event.id);
    const index = found === -1 ? indexOfEvent(events, event) : found;
    const row = rows.rowOfEvent(Math.min(index, events.length - 1));
    return { of: 'events', offset: listTop + startOfRow(row) - lastAnchor.top };
  }

  useLayoutEffect(() => {
    const target = findTarget();
    if (target === undefined) anchor.current = anchorOf(listing);
    else {
      const offset = scrollTo(target.offset);
      if (target.of === 'day') dayOffset.current = offset;
    }
    previous.current = { rows, day, listTop };
  });

  return {
    /** The offset to which this render scrolls; undefined if it stays. */
    target: findTarget()?.offset,
    goToDay(to: Day) {
      dayOffset.current = scrollTo(offsetOf(to));
    },
    /** Keeps the visible events in place from now on, even if the list still shows its day. */
    hold() {
      anchor.current = anchorOf(listing);
      dayOffset.current = undefined;
    },
  };
}

/**
 * Gives a list a single tab stop and arrow keys. The tab stop is the visible event that the keys
 * last moved to, otherwise the one in the panel, otherwise the first on screen.
 */
export function useListKeys(
  listing: Listing & {
    /** The rendered rows; their offsets count from the upper edge of the document. */
    readonly items: readonly PlacedRow[];
    readonly chosen: number | null;
  },
) {
  const { list, listTop, items, startOfRow, rows, events, chosen } = listing;
  const [lastMovedTo, setLastMovedTo] = useState<number | undefined>();
  const toFocus = useRef<number | undefined>(undefined);

  const rendered = items.flatMap(({ index, start, end }) => {
    const row = rows.at(index);
    return row.kind === 'event' && isButton(row.event) ? [{ ...row, start, end }] : [];
  });
  const top = window.scrollY + coverOf(list.current).all;
  const bottom = window.scrollY + window.innerHeight - coveredFoot();
  const onScreen = rendered.filter(({ start, end }) => start >= top && end <= bottom);
  const preferred =
    onScreen.find(({ index }) => index === lastMovedTo) ??
    onScreen.find(({ event }) => event.id === chosen) ??
    onScreen[0];

  useLayoutEffect(() => {
    const id = toFocus.current === undefined ? undefined : events[toFocus.current]?.id;
    const button = list.current?.querySelector<HTMLElement>(
      `[data-event="${id}"], [data-looked="${id}"]`,
    );
    if (!button) return;
    toFocus.current = undefined;
    button.focus({ preventScroll: true });
  });

  /** Scrolls as little as shows a row completely. */
  function reveal(row: number): void {
    const first = listTop + startOfRow(row) - coverOf(list.current).all;
    const last = listTop + startOfRow(row + 1) - window.innerHeight + coveredFoot();
    if (window.scrollY > first) window.scrollTo({ top: first, behavior: 'instant' });
    else if (window.scrollY < last) window.scrollTo({ top: last, behavior: 'instant' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = listSteps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { dataset } = event.target as HTMLElement;
    const focused = dataset['event'] ?? dataset['looked'];
    // The focused row may be rendered but not on screen yet.
    const at =
      rendered.find((row) => String(row.event.id) === focused)?.index ?? preferred?.index ?? 0;
    const page = Math.max(1, onScreen.length - 1);
    const stepFrom = (from: number) =>
      Math.min(events.length - 1, Math.max(0, step(from, events.length, page)));
    let next = stepFrom(at);
    // Rows of drafts are no buttons.
    for (let after = next; !isButton(events[next]); next = after) {
      after = stepFrom(next);
      if (after === next) return;
    }
    toFocus.current = next;
    setLastMovedTo(next);
    reveal(rows.rowOfEvent(next));
  }

  return { tabStop: preferred?.index, onKeyDown };
}
