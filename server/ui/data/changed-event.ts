import { moveDate } from '../../dates/moves.ts';
import { withReason } from '../../event/values.ts';
import type { Event } from '../../http/contract.ts';
import { clubZone } from '../base/days.ts';
import type { EventsChange } from './editor.ts';

/** Returns the date of a moment after a change; undefined if the change would leave its day. */
export function changedDate(date: string, change: EventsChange): string | undefined {
  const { kind } = change;
  if (kind === 'cancel' || kind === 'remove' || kind === 'set') return date;
  return moveDate(date, change, clubZone());
}

/**
 * Returns an event after a change of several events, except that an end in its note stays as it is;
 * undefined if it is deleted.
 */
export function changedEvent(event: Event, change: EventsChange): Event | undefined {
  if (change.kind === 'remove') return undefined;
  if (change.kind === 'cancel') {
    const description = withReason(event, change.reason ?? '', clubZone());
    return { ...event, status: 'cancelled', description };
  }
  if (change.kind !== 'set') {
    return { ...event, date: changedDate(event.date, change) ?? event.date };
  }
  const given = Object.entries(change.values).filter(([, value]) => value !== undefined);
  return { ...event, ...Object.fromEntries(given) };
}
