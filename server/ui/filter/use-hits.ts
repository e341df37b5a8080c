import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useVisibleEvents } from '../events/shown.tsx';
import { goTo, usePlace } from '../place/use-place.ts';
import { dayOf, startOf } from '../time/days.ts';
import { indexAt } from './matching.ts';

type Direction = 1 | -1;

/** Media query for screens with room for the panel beside the calendar. */
const roomForPanel = '(width >= 60rem)';

/** Position of the current hit, counted from 1, and the number of hits. */
export type Hit = { readonly number: number; readonly count: number };

/**
 * Steps through the hits of a search and shows each on its day in the calendar. The first step
 * goes to the next hit from today on; after the last hit, the first one follows.
 */
export function useHits(words: string): {
  readonly hit: Hit | null;
  readonly goToHit: (direction: Direction) => void;
} {
  const { events, source, isSearching, today } = useVisibleEvents();
  const { words: searched, event: chosen, view } = usePlace();
  /** Id of the last shown hit. Without room beside the calendar, it is not opened in the panel. */
  const [lastShown, setLastShown] = useState<number | null>(null);
  const hasRoomForPanel = useMediaQuery(roomForPanel, true, { getInitialValueInEffect: false });
  /** Step to take once the search has a result. */
  const [pendingStep, setPendingStep] = useState<Direction | null>(null);
  const isAnswered = !isSearching && searched.trim() === words.trim();
  const isWhole = source?.pastRead === true && source.comingRead;
  const current = lastShown === null ? null : (chosen ?? lastShown);
  const at = current === null ? -1 : events.findIndex(({ id }) => id === current);
  const count = events.length;

  useEffect(() => {
    if (pendingStep === null || !isAnswered) return;
    const firstComing = indexAt(events, startOf(today));
    const next = at < 0 ? firstHit(pendingStep, firstComing, count) : at + pendingStep;
    // The next hit may not have been read yet.
    if (!isWhole && (next < 0 || next >= count)) return;
    setPendingStep(null);
    const event = events[(next + count) % count];
    if (event === undefined) return;
    setLastShown(event.id);
    const opened = hasRoomForPanel ? event.id : null;
    goTo({ view: 'calendar', span: 'month', day: dayOf(event.date), event: opened });
  }, [pendingStep, isAnswered, isWhole, events, today, at, count, hasRoomForPanel]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have other hits
  useEffect(() => {
    setLastShown(null);
    setPendingStep(null);
  }, [words.trim()]);

  const isOnHit = at >= 0 && view === 'calendar' && isAnswered && words.trim() !== '';
  return { hit: isOnHit ? { number: at + 1, count } : null, goToHit: setPendingStep };
}

/** Returns the index of the next hit from today on, else the last; backwards, the one before today. */
function firstHit(direction: Direction, firstComing: number, count: number): number {
  if (direction === -1) return firstComing - 1;
  return firstComing < count ? firstComing : count - 1;
}
