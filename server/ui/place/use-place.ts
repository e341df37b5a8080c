import { useMemo, useSyncExternalStore } from 'react';
import { formatPlace, type Place, parsePlace } from './place.ts';

const listeners = new Set<() => void>();

function tellAll(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', tellAll);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', tellAll);
  };
}

/** Where the page is. */
export function usePlace(): Place {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parsePlace(fragment), [fragment]);
}

function show(change: Partial<Place>, write: 'pushState' | 'replaceState'): void {
  const next = formatPlace({ ...parsePlace(location.hash), ...change });
  if (next === location.hash) return;
  history[write](null, '', next === '' ? location.pathname : next);
  tellAll();
}

/** Goes to another place; Back leads here again. */
export function goTo(change: Partial<Place>): void {
  show(change, 'pushState');
}

/** Changes the place without a step for Back, as for each letter of a search. */
export function adjustPlace(change: Partial<Place>): void {
  show(change, 'replaceState');
}
