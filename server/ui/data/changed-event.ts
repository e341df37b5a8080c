import { addReason } from '../../dates/end-line.ts';
import { minuteMs } from '../../dates/units.ts';
import type { Event } from '../../http/contract.ts';
import { clockOf, dayOf, isWithoutTime, momentAt, momentOf, wallOf } from '../base/days.ts';
import { splitEvent } from '../base/event-end.ts';
import type { EventsChange } from './editor.ts';

/** Returns the moment a number of days later, at the same time of day. */
function moveDays(date: string, days: number): string {
  const wall = wallOf(date);
  wall.setUTCDate(wall.getUTCDate() + days);
  return momentAt(wall).toISOString();
}

/** Returns the date of a moment after a change; undefined if the change would leave its day. */
export function changedDate(date: string, change: EventsChange): string | undefined {
  switch (change.kind) {
    case 'move':
      return moveDays(date, change.days);
    case 'weekday':
      // Weeks begin on Monday.
      return moveDays(date, ((change.weekday + 6) % 7) - ((wallOf(date).getUTCDay() + 6) % 7));
    case 'time':
      return momentOf(dayOf(date), change.time).toISOString();
    case 'shift': {
      if (isWithoutTime(date)) return date;
      const day = dayOf(date);
      const moved = new Date(Date.parse(`${day}T${clockOf(date)}Z`) + change.minutes * minuteMs);
      const [movedDay, time = ''] = moved.toISOString().split('T');
      // Midnight is no time.
      if (movedDay !== day || time.startsWith('00:00')) return undefined;
      return momentOf(day, time.slice(0, 5)).toISOString();
    }
    default:
      return date;
  }
}

/**
 * Returns an event after a change of several events, except that an end in its note stays as it is;
 * undefined if it is deleted.
 */
export function changedEvent(event: Event, change: EventsChange): Event | undefined {
  if (change.kind === 'remove') return undefined;
  if (change.kind === 'cancel') {
    const description = addReason(event.description, splitEvent(event), change.reason ?? '');
    return { ...event, status: 'cancelled', description };
  }
  if (change.kind !== 'set') {
    return { ...event, date: changedDate(event.date, change) ?? event.date };
  }
  const given = Object.entries(change.values).filter(([, value]) => value !== undefined);
  return { ...event, ...Object.fromEntries(given) };
}
