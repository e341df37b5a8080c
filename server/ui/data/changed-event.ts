import type { EndLanguage } from '../../dates/end-line.ts';
import { type DateMove, moveDate } from '../../dates/moves.ts';
import { movedNote, withEnd, withReason } from '../../event/values.ts';
import type { Event } from '../../http/contract.ts';
import { clubZone, dayOf } from '../base/days.ts';
import { endWords } from '../base/event-words.ts';
import type { EventsChange } from './editor.ts';

/** Returns the date of a moment after a change; undefined if the change would leave its day. */
export function changedDate(date: string, change: EventsChange): string | undefined {
  const { kind } = change;
  if (kind === 'cancel' || kind === 'remove' || kind === 'set') return date;
  if (kind === 'time' && change.time === undefined) return date;
  return moveDate(date, change as DateMove, clubZone());
}

/** Returns an event after a change of several events; undefined if it is deleted. */
export function changedEvent(event: Event, change: EventsChange): Event | undefined {
  if (change.kind === 'remove') return undefined;
  const zone = clubZone();
  if (change.kind === 'cancel') {
    const description = withReason(event, change.reason ?? '', zone);
    return { ...event, status: 'cancelled', description };
  }
  if (change.kind !== 'set') {
    const date = changedDate(event.date, change) ?? event.date;
    const moved = { ...event, date, description: movedNote(event, date, [zone, zone], endWords) };
    if (change.kind !== 'time' || change.end === undefined) return moved;
    const end = { day: dayOf(date), time: change.end };
    const language = change.language as EndLanguage;
    return { ...moved, description: withEnd(moved, end, zone, [language, endWords(language)]) };
  }
  const given = Object.entries(change.values).filter(([, value]) => value !== undefined);
  return { ...event, ...Object.fromEntries(given) };
}
