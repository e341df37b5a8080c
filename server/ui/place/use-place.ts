import { useMemo, useSyncExternalStore } from 'react';
import { formatPlace, type Place, parsePlace } from './place.ts';

const listeners = new Set<() => void>();

/** Whether the page may go to another place. */
type Keeper = (next: Place) => boolean;

/** Who is asked before the page goes elsewhere, and where it is until then. */
let kept: { readonly mayGo: Keeper; readonly fragment: string } | undefined;

/** Has the page stay where it is unless `mayGo` says otherwise, until the function that it gives is called. */
export function keepPlace(mayGo: Keeper): () => void {
  const own = { mayGo, fragment: location.hash };
  kept = own;
  return () => {
    if (kept === own) kept = undefined;
  };
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

/** Follows Back and its like, or takes it back at once. */
function onHistory(): void {
  if (kept?.mayGo(parsePlace(location.hash)) === false) history.pushState(null, '', kept.fragment);
  else tellAll();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', onHistory);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', onHistory);
  };
}

/** Where the page is. */
export function usePlace(): Place {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parsePlace(fragment), [fragment]);
}

function show(change: Partial<Place>, write: 'pushState' | 'replaceState'): void {
  const place = { ...parsePlace(location.hash), ...change };
  const next = formatPlace(place);
  if (next === location.hash || kept?.mayGo(place) === false) return;
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
