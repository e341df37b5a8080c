import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useVisibleEvents } from '../events/shown.tsx';
import { goTo, usePlace } from '../place/use-place.ts';
import { dayOf, startOf } from '../time/days.ts';
import { indexAt } from './matching.ts';

type Direction = 1 | -1;

/** Where the panel of an event stands beside the calendar, not over it. */
const roomForPanel = '(width >= 60rem)';

/** Which of the hits is gone to, counted from 1, and how many there are. */
export type Hit = { readonly number: number; readonly count: number };

/**
 * Goes from hit to hit of the search, each on its day in the calendar: first to the next one from
 * today on, then in turn, at the end to the first again.
 */
export function useHits(words: string): {
  readonly hit: Hit | null;
  readonly goToHit: (direction: Direction) => void;
} {
  const { events, source, isSearching, today } = useVisibleEvents();
  const { words: searched, event: chosen, view } = usePlace();
  /** The hit last gone to: where there is no room beside the calendar, it is not opened. */
  const [goneTo, setGoneTo] = useState<number | null>(null);
  const isOpened = useMediaQuery(roomForPanel, true, { getInitialValueInEffect: false });
  /** Asked for before the search has answered. */
  const [awaited, setAwaited] = useState<Direction | null>(null);
  const isAnswered = !isSearching && searched.trim() === words.trim();
  const isWhole = source?.pastRead === true && source.comingRead;
  const current = goneTo === null ? null : (chosen ?? goneTo);
  const at = current === null ? -1 : events.findIndex(({ id }) => id === current);
  const count = events.length;

  useEffect(() => {
    if (awaited === null || !isAnswered) return;
    const coming = indexAt(events, startOf(today));
    const next = at < 0 ? firstHit(awaited, coming, count) : at + awaited;
    // Beyond what has been read there may be more hits.
    if (!isWhole && (next < 0 || next >= count)) return;
    setAwaited(null);
    const event = events[(next + count) % count];
    if (event === undefined) return;
    setGoneTo(event.id);
    const opened = isOpened ? event.id : null;
    goTo({ view: 'calendar', span: 'month', day: dayOf(event.date), event: opened });
  }, [awaited, isAnswered, isWhole, events, today, at, count, isOpened]);

  // Other words have other hits.
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with each search
  useEffect(() => {
    setGoneTo(null);
    setAwaited(null);
  }, [words.trim()]);

  const isOnHit = at >= 0 && view === 'calendar' && isAnswered && words.trim() !== '';
  return { hit: isOnHit ? { number: at + 1, count } : null, goToHit: setAwaited };
}

/** Forwards the next one from today on, or else the last before; backwards the other way round. */
function firstHit(direction: Direction, coming: number, count: number): number {
  if (direction === -1) return coming - 1;
  return coming < count ? coming : count - 1;
}
