import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { formatRoute, parseRoute, type Route } from './address.ts';
import { createSharedValue } from './shared-value.ts';

const listeners = new Set<() => void>();

/** Returns true to allow the navigation to a route. */
type NavigationGuard = (next: Route) => boolean;

/** The navigation guard, and the fragment to restore when it refuses. */
let active: { readonly mayGo: NavigationGuard; readonly fragment: string } | undefined;

/** Installs a navigation guard and returns a function that removes it. */
export function guardNavigation(mayGo: NavigationGuard): () => void {
  const guard = { mayGo, fragment: location.hash };
  active = guard;
  return () => {
    if (active === guard) active = undefined;
  };
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Follows a step in the browser's history, or reverts it if the guard refuses. */
function onHistory(): void {
  if (active?.mayGo(parseRoute(location.hash)) === false)
    history.pushState(null, '', active.fragment);
  else notifyListeners();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', onHistory);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', onHistory);
  };
}

export function useRoute(): Route {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(fragment), [fragment]);
}

function navigate(change: Partial<Route>, write: 'pushState' | 'replaceState'): void {
  const route = { ...parseRoute(location.hash), ...change };
  const next = formatRoute(route);
  if (next === location.hash || active?.mayGo(route) === false) return;
  history[write](null, '', next === '' ? location.pathname : next);
  notifyListeners();
}

/** Navigates to another route and adds a history entry. */
export function goTo(change: Partial<Route>): void {
  navigate(change, 'pushState');
}

/** Changes the route without a history entry, for example for each letter of a search. */
export function adjustRoute(change: Partial<Route>): void {
  navigate(change, 'replaceState');
}

/** True while a list that the user scrolled away from today is on view. */
export const isTodayOutOfSight = createSharedValue(false);

const todayListeners = new Set<() => void>();

/** Scrolls to today, even if the URL already says so. */
export function goToToday(): void {
  adjustRoute({ day: null });
  for (const listener of todayListeners) listener();
}

/** Calls `onRequest` on each `goToToday`, for views that the user can scroll away from today. */
export function useTodayRequests(onRequest: () => void): void {
  const listener = useEffectEvent(onRequest);
  useEffect(() => {
    const listen = () => listener();
    todayListeners.add(listen);
    return () => void todayListeners.delete(listen);
  }, []);
}
