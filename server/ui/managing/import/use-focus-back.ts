import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus when what had it is gone, as a button that gave way to a progress, and brings what
 * has come into view.
 */
export function useFocusBack(state: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the state changes
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && !isFirst.current) place.current?.focus({ preventScroll: true });
    if (!isFirst.current) place.current?.scrollIntoView({ block: 'nearest' });
    isFirst.current = false;
  }, [state]);
  return place;
}
