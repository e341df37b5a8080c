import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns the ref of a container. If nothing has the focus after a change of `state`, for example
 * because a button was removed, the container takes it. It scrolls into view if it has the focus.
 */
export function useFocusBack(state: string): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  const lastState = useRef(state);
  useEffect(() => {
    if (lastState.current === state) return;
    lastState.current = state;
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (isLost) container.current?.focus({ preventScroll: true });
    if (container.current?.contains(document.activeElement)) {
      container.current.scrollIntoView({ block: 'nearest' });
    }
  }, [state]);
  return container;
}
