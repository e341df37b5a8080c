import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { closePanel } from './panel-bar.tsx';

/** Gives the focus back to the event in the view when its panel, and the focus with it, is gone. */
export function useReturnedFocus(id: number | null): void {
  const before = useRef<number | null>(null);
  useLayoutEffect(() => {
    const closed = before.current;
    before.current = id;
    // Whoever is elsewhere on the page stays there.
    if (id !== null || closed === null || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`[data-event="${closed}"]`);
    (row ?? document.getElementById('events'))?.focus();
  }, [id]);
}

/**
 * Brings the focus to the panel's heading, unless it is in the panel already, or in the search,
 * whose Enter goes from hit to hit.
 */
export function useHeadingFocus(
  id: number,
  panel: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each event anew
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (panel.current?.contains(activeElement) || activeElement?.id === 'search') return;
    heading.current?.focus({ preventScroll: true });
  }, [id, panel, heading]);
}

/** Begins each event at its top. */
export function useScrollToTop(id: number, body: RefObject<HTMLElement | null>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each event anew
  useLayoutEffect(() => {
    if (body.current !== null) body.current.scrollTop = 0;
  }, [id, body]);
}

/** What Escape closes before it closes the panel. */
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
