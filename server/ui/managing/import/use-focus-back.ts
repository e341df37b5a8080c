import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus when what had it is gone, as a button that gave way to a progress; what came in its
 * place is brought into view.
 */
export function useFocusBack(state: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (isLost) place.current?.focus({ preventScroll: true });
    if (place.current?.contains(document.activeElement)) {
      place.current.scrollIntoView({ block: 'nearest' });
    }
  }, [state]);
  return place;
}
