import type { Clock } from '../../dates/clock.ts';
import type { EndLanguage } from '../../dates/end-line.ts';
import { type DateMove, moveDate } from '../../dates/moves.ts';
import { endWords } from '../../event/times.ts';
import { movedNote, withEnd, withReason } from '../../event/values.ts';
import type { Event } from '../../http/contract.ts';
import type { EventsChange } from './editor.ts';

/** Returns the date of a moment after a change; undefined if the change would leave its day. */
export function changedDate(clock: Clock, date: string, change: EventsChange): string | undefined {
  const { kind } = change;
  if (kind === 'cancel' || kind === 'remove' || kind === 'set') return date;
  if (kind === 'time' && change.time === undefined) return date;
  return moveDate(date, change as DateMove, clock);
}

/** Returns an event after a change of several events; undefined if it is deleted. */
export function changedEvent(clock: Clock, event: Event, change: EventsChange): Event | undefined {
  if (change.kind === 'remove') return undefined;
  if (change.kind === 'cancel') {
    const description = withReason(event, change.reason ?? '', clock);
    return { ...event, status: 'cancelled', description };
  }
  if (change.kind !== 'set') {
    const date = changedDate(clock, event.date, change) ?? event.date;
    const moved = { ...event, date, description: movedNote(event, date, [clock, clock], endWords) };
    if (change.kind !== 'time' || change.end === undefined) return moved;
    const end = { day: clock.dayOf(date), time: change.end };
    const language = change.language as EndLanguage;
    return { ...moved, description: withEnd(moved, end, clock, [language, endWords(language)]) };
  }
  const entries = Object.entries(change.values).filter(([, value]) => value !== undefined);
  return { ...event, ...Object.fromEntries(entries) };
}
