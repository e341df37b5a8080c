import type { Event } from '../../contract.ts';
import { indexOfEvent } from '../filter/matching.ts';

/** Returns the events before and after one in events sorted by date, which need not contain it. */
export function neighboursOf(
  event: Event,
  events: readonly Event[],
): { readonly previous: Event | undefined; readonly next: Event | undefined } {
  const at = indexOfEvent(events, event);
  const next = events[at]?.id === event.id ? at + 1 : at;
  return { previous: events[at - 1], next: events[next] };
}
