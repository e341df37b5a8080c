import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addDays, dayOf, startOf } from '../time/days.ts';

/** Returns the location of an event in a form to compare; empty if it is unknown. */
export const placeOf = ({ location }: Event) => location.trim().toLowerCase();

/**
 * Returns the other events on the same day at the same location. Cancelled events and events
 * without a location never clash.
 */
export function clashesOf(event: Event, all: readonly Event[]): readonly Event[] {
  const place = placeOf(event);
  if (place === '' || event.status === 'cancelled') return [];
  const day = dayOf(event.date);
  const others: Event[] = [];
  const end = startOf(addDays(day, 1));
  for (let at = indexAt(all, startOf(day)); at < all.length; at += 1) {
    const other = all[at] as Event;
    if (other.date >= end) break;
    if (other.id === event.id || other.status === 'cancelled') continue;
    if (placeOf(other) === place) others.push(other);
  }
  return others;
}
