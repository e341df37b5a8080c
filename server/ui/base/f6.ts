import { type RefObject, useEffect } from 'react';

/** Parts of the page over the lists, which F6 reaches in turn. */
const stops = new Set<RefObject<HTMLElement | null>>();

/** The element that had the focus before F6 went to the first stop. */
let origin: Element | null = null;

/** Returns the focus from a stop to where F6 came from; false if that is gone. */
export function leaveStops(): boolean {
  if (!(origin instanceof HTMLElement && origin.isConnected)) return false;
  origin.focus();
  return true;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'F6' || event.defaultPrevented) return;
  event.preventDefault();
  const all = [...stops].flatMap(({ current }) => current ?? []);
  const at = all.findIndex((stop) => stop.contains(document.activeElement));
  if (at === -1) origin = document.activeElement;
  const next = all[at + 1];
  if (next === undefined) leaveStops();
  else next.querySelector<HTMLElement>('button:not([tabindex="-1"])')?.focus();
}

/** Makes a part of the page a stop of F6 while it is there. */
export function useF6Stop(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (stops.size === 0) document.addEventListener('keydown', onKeyDown);
    stops.add(part);
    return () => {
      stops.delete(part);
      if (stops.size === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, [part]);
}
