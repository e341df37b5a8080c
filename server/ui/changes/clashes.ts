import type { Event } from '../../contract.ts';
import { indexAt } from '../filter/matching.ts';
import { addDays, dayOf, startOf } from '../time/days.ts';

/** The place of an event, as far as two are the same. */
export const placeOf = ({ location }: Event) => location.trim().toLowerCase();

/**
 * The other events of the same day at the same place, of which one may have to give way. An event
 * that is cancelled, or whose place is not known, is in nobody's way.
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
