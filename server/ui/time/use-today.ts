import { useSyncExternalStore } from 'react';
import { type Day, dayOf } from './days.ts';

/** Interval of clock checks in milliseconds: the clock may be set while the page is open. */
const checkIntervalMs = 10_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, checkIntervalMs);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Returns today, updated after midnight and when the clock is set. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}
