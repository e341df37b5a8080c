import { useEffect, useEffectEvent } from 'react';
import { adjustPlace } from './use-place.ts';

const listeners = new Set<() => void>();

/** Turns to today, also where the view stands there by the address and was only scrolled away. */
export function goToToday(): void {
  adjustPlace({ day: null });
  for (const listener of listeners) listener();
}

/** Lets a view that can be scrolled away from today come back when that is asked for. */
export function useTodayRequests(onRequest: () => void): void {
  const listener = useEffectEvent(onRequest);
  useEffect(() => {
    const listen = () => listener();
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
}
