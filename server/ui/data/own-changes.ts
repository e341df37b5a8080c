import { notifyManager } from '@tanstack/react-query';
import { refreshEvents } from '../base/client.ts';

let underway = 0;

/** Checks that events which are now read may contain a change by this window. */
export function isOwnChange(): boolean {
  return underway > 0;
}

/** Marks the start of a change by this window; the returned function ends it and reads the events. */
export function startOwnChange(): () => Promise<void> {
  underway += 1;
  return async () => {
    await refreshEvents();
    // Only after the views have received the events, which are notified in the same order.
    notifyManager.schedule(() => {
      underway -= 1;
    });
  };
}
