import {
  createContext,
  createElement,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Day } from '../../dates/days.ts';
import { formatRoute, home, parseRoute, type Route } from './address.ts';
import { afterPaint } from './browser.ts';
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

let latest: { readonly fragment: string; readonly route: Route } = { fragment: '', route: home };

/** Returns the route in the URL, which the views may not show yet. */
export function currentRoute(): Route {
  const fragment = location.hash;
  if (latest.fragment !== fragment) latest = { fragment, route: parseRoute(fragment) };
  return latest.route;
}

/** Returns a value of the route in the URL, for a control that shows at once what it was set to. */
export function useCurrent<Name extends keyof Route>(name: Name): Route[Name] {
  return useSyncExternalStore(subscribe, () => currentRoute()[name]);
}

const RouteContext = createContext<Route>(home);

/** Returns the route that the views show. Handlers that take a step from it use `currentRoute`. */
export const useRoute = (): Route => use(RouteContext);

/** Values that are followed at once: a person types on in a form, and screens have no long lists. */
const screens = ['form', 'sheet', 'manage'] as const;

/**
 * Provides the route. Views follow it in slices of time, which begin after a key or a click is painted:
 * the last slice, with all elements of a view, would otherwise hold up that paint.
 */
export function RouteProvider({ children }: { readonly children: ReactNode }) {
  const current = useSyncExternalStore(subscribe, currentRoute);
  const [painted, setPainted] = useState(current);
  useEffect(() => afterPaint(() => setPainted(current)), [current]);
  const deferred = useDeferredValue(painted);
  const isOtherScreen = screens.some((name) => current[name] !== deferred[name]);
  return createElement(RouteContext, { value: isOtherScreen ? current : deferred }, children);
}

function navigate(change: Partial<Route>, write: 'pushState' | 'replaceState'): void {
  const route = { ...currentRoute(), ...change };
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

const dayListeners = new Set<(day: Day | null) => void>();

/** Scrolls to a day, null for today, even if the URL already says so. */
export function scrollToDay(day: Day | null): void {
  adjustRoute({ day });
  for (const listener of dayListeners) listener(day);
}

export const goToToday = () => scrollToDay(null);

/** Calls `onRequest` on each `scrollToDay`, for views that the user can scroll away from a day. */
export function useDayRequests(onRequest: (day: Day | null) => void): void {
  const listener = useEffectEvent(onRequest);
  useEffect(() => {
    const listen = (day: Day | null) => listener(day);
    dayListeners.add(listen);
    return () => void dayListeners.delete(listen);
  }, []);
}
