import type { EventStatus, StoredEvent } from '../../../db/model.ts';

export type ExportedEvent = StoredEvent & {
  /** What the source of the event knows it by; null when it came without such a name. */
  readonly sourceKey: string | null;
};

export type IcsOptions = { readonly calendarName: string; readonly now: Date };

/** The longest line, in octets without its end (RFC 5545 section 3.1). */
const longestLine = 75;

const statuses: Readonly<Record<EventStatus, string>> = {
  draft: 'TENTATIVE',
  active: 'CONFIRMED',
  completed: 'CONFIRMED',
  cancelled: 'CANCELLED',
};

/** Folds a line, between characters; a continued line begins with a blank, which counts. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return `${line}\r\n`;
  let folded = '';
  let length = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (length + size > longestLine) {
      folded += '\r\n ';
      length = 1;
    }
    folded += character;
    length += size;
  }
  return `${folded}\r\n`;
}

/** What no iCalendar text can hold: controls other than tab and line feed. */
const unwritable = /(?![\t\n])\p{Cc}/u;

/** A text with its escapes (RFC 5545 section 3.3.11), every kind of line end being one of them. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** The lines of a text: where it cannot be held exactly, our own reader finds a copy in Base64. */
function writeText(name: string, ownName: string, text: string): string[] {
  const line = `${name}:${escapeText(text)}`;
  if (!unwritable.test(text)) return [line];
  return [line, `X-CLUB-EVENTS-${ownName}:${Buffer.from(text).toString('base64')}`];
}

/** A timestamp as a DATE-TIME in UTC, without its milliseconds. */
function writeTime(timestamp: string): string {
  return `${timestamp.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** A time, and beside it what is below its seconds, if anything. */
function writeExactTime(name: string, ownName: string, timestamp: string): string[] {
  const line = `${name}:${writeTime(timestamp)}`;
  return timestamp.endsWith('.000Z') ? [line] : [line, `X-CLUB-EVENTS-${ownName}:${timestamp}`];
}

/** The UID that the event came with, or, of a date of a series, one made of it and that date. */
function uidOf({ id, sourceKey }: ExportedEvent): string {
  return sourceKey?.startsWith('ics:') ? sourceKey.slice(4) : `event-${id}@club-events.invalid`;
}

/** iCalendar has no state for an event that is over. */
function writeStatus(status: EventStatus): string[] {
  const line = `STATUS:${statuses[status]}`;
  return status === 'completed' ? [line, 'X-CLUB-EVENTS-STATUS:completed'] : [line];
}

function writeEvent(event: ExportedEvent, stamp: string): string {
  const { id, name, date, location, description, status, eventType, createdAt } = event;
  const { registrationOpen } = event;
  const open = registrationOpen === true ? 'TRUE' : 'FALSE';
  const lines = [
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event))}`,
    `DTSTAMP:${stamp}`,
    ...writeExactTime('DTSTART', 'DATE', date),
    ...writeText('SUMMARY', 'NAME', name),
    ...(location === '' ? [] : writeText('LOCATION', 'LOCATION', location)),
    ...(description === null ? [] : writeText('DESCRIPTION', 'DESCRIPTION', description)),
    ...writeStatus(status),
    eventType === null ? 'X-CLUB-EVENTS-TYPE:NONE' : `CATEGORIES:${eventType.toUpperCase()}`,
    ...writeExactTime('CREATED', 'CREATED-AT', createdAt),
    ...(registrationOpen === undefined ? [] : [`X-CLUB-EVENTS-REGISTRATION-OPEN:${open}`]),
    `X-CLUB-EVENTS-ID:${id}`,
    'END:VEVENT',
  ];
  return lines.map(foldLine).join('');
}

/**
 * Writes events as an iCalendar file (RFC 5545) in pieces: its head, a piece an event, its end.
 * UIDs are those that events came with, else made of their ids, and stay the same from export to
 * export. What iCalendar cannot say is in properties named X-CLUB-EVENTS-…, so that an import
 * gives back the same values; texts have to be well-formed.
 */
export function* writeIcs(
  events: Iterable<ExportedEvent>,
  { calendarName, now }: IcsOptions,
): Generator<string> {
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Club Events//Club Events//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(calendarName)}`,
  ];
  yield head.map(foldLine).join('');
  const stamp = writeTime(now.toISOString());
  for (const event of events) yield writeEvent(event, stamp);
  yield foldLine('END:VCALENDAR');
}
