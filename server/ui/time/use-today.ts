import { useSyncExternalStore } from 'react';
import { type Day, dayOf } from './days.ts';

/** How often the clock is looked at, in milliseconds; it may also be set while the page is open. */
const lookEvery = 10_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, lookEvery);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Today, also after midnight and when the clock is set. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}
