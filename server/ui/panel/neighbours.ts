import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';

/** The events before and after one, among events by date; it need not be one of them itself. */
export function neighboursOf(
  event: Event,
  events: readonly Event[],
): { readonly previous: Event | undefined; readonly next: Event | undefined } {
  let at = indexAt(events, event.date);
  // Ties are in the order of their ids.
  for (; events[at]?.date === event.date; at += 1) {
    if ((events[at]?.id ?? 0) >= event.id) break;
  }
  const next = events[at]?.id === event.id ? at + 1 : at;
  return { previous: events[at - 1], next: events[next] };
}
