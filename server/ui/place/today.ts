import { useEffect, useEffectEvent } from 'react';
import { adjustPlace } from './use-place.ts';

const todayListeners = new Set<() => void>();

/** Scrolls to today, even if the URL already says so. */
export function goToToday(): void {
  adjustPlace({ day: null });
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
