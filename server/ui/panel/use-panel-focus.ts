import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { closePanel } from './panel-bar.tsx';

/** Returns the focus to the event in the view if the closed panel had it. */
export function useReturnedFocus(id: number | null): void {
  const previous = useRef<number | null>(null);
  useLayoutEffect(() => {
    const closed = previous.current;
    previous.current = id;
    // A focus elsewhere on the page stays there.
    if (id !== null || closed === null || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`[data-event="${closed}"]`);
    (row ?? document.getElementById('events'))?.focus();
  }, [id]);
}

/**
 * Moves the focus to the panel's heading, unless it is in the panel or in the search field, where
 * Enter steps through the hits.
 */
export function useHeadingFocus(
  id: number,
  panel: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each event
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) || activeElement?.id === 'search') return;
    heading.current?.focus({ preventScroll: true });
  }, [id, panel, heading]);
}

/** Scrolls to the top for each event. */
export function useScrollToTop(id: number, body: RefObject<HTMLElement | null>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each event
  useLayoutEffect(() => {
    if (body.current !== null) body.current.scrollTop = 0;
  }, [id, body]);
}

/** Elements that Escape closes before the panel. */
const opened = '[role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"]';

/** Closes the panel with Escape, from within it or from the view beside it. */
export function useEscape(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      const isHere = target === document.body || target.closest('.page-main') !== null;
      const inner = target.closest(opened);
      if (isHere && (inner === null || inner === panel.current)) closePanel();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [panel]);
}
