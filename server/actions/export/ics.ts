import type { EventStatus, StoredEvent } from '../../../db/model.ts';

export type ExportedEvent = StoredEvent & {
  /** What the source of the event knows it by, if it came with such a name and that is known. */
  readonly sourceKey?: string | null;
};

export type IcsOptions = {
  readonly calendarName: string;
  readonly now: Date;
  /** The random part of UIDs that belongs to the club. */
  readonly uidBase: string;
};

/** The longest line, in octets without its end (RFC 5545 section 3.1). */
const longestLine = 75;

const statuses: Readonly<Record<EventStatus, string>> = {
  draft: 'TENTATIVE',
  active: 'CONFIRMED',
  completed: 'CONFIRMED',
  cancelled: 'CANCELLED',
};

/** The length of a character in UTF-8, in octets. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/** Folds a line, between characters; a continued line begins with a blank, which counts. */
function foldLine(line: string): string {
  let folded = '';
  let start = 0;
  let at = 0;
  let length = 0;
  for (const character of line) {
    const octets = octetsOf(character);
    if (length + octets > longestLine) {
      folded += `${line.slice(start, at)}\r\n `;
      start = at;
      length = 1;
    }
    at += character.length;
    length += octets;
  }
  return `${folded}${line.slice(start)}\r\n`;
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

/** The UTF-8 of a text in Base64; without `Buffer`, as the page writes calendars too. */
function encodeBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The lines of a text: where it cannot be held exactly, our own reader finds a copy in Base64. */
function writeText(name: string, ownName: string, text: string): string[] {
  const line = `${name}:${escapeText(text)}`;
  if (!unwritable.test(text)) return [line];
  return [line, `X-CLUB-EVENTS-${ownName}:${encodeBase64(text)}`];
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

/**
 * Returns the UID that the event came with (for a date of a series, one made of it and that date),
 * or else one that no other event of any club has (RFC 5545, section 3.8.4.7).
 */
function uidOf({ id, sourceKey }: ExportedEvent, uidBase: string): string {
  if (sourceKey?.startsWith('ics:')) return sourceKey.slice(4);
  return `event-${id}.${uidBase}@club-events.invalid`;
}

/** iCalendar has no state for an event that is over. */
function writeStatus(status: EventStatus): string[] {
  const line = `STATUS:${statuses[status]}`;
  return status === 'completed' ? [line, 'X-CLUB-EVENTS-STATUS:completed'] : [line];
}

const calendarHead = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Club Events//Club Events//EN'];

function writeEvent(event: ExportedEvent, stamp: string, uidBase: string): string {
  const { id, name, date, location, description, status, eventType, createdAt } = event;
  const { registrationOpen } = event;
  const open = registrationOpen === true ? 'TRUE' : 'FALSE';
  const lines = [
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event, uidBase))}`,
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
 * UIDs are those that events came with, else made of their ids and `uidBase`, and stay the same from
 * export to export. What iCalendar cannot say is in properties named X-CLUB-EVENTS-…, so that an import
 * gives back the same values; texts have to be well-formed.
 */
export function* writeIcs(
  events: Iterable<ExportedEvent>,
  { calendarName, now, uidBase }: IcsOptions,
): Generator<string> {
  const head = [...calendarHead, 'CALSCALE:GREGORIAN', `X-WR-CALNAME:${escapeText(calendarName)}`];
  yield head.map(foldLine).join('');
  const stamp = writeTime(now.toISOString());
  for (const event of events) yield writeEvent(event, stamp, uidBase);
  yield foldLine('END:VCALENDAR');
}

/**
 * Writes one event as a calendar that is as small as can be, for a code that telephones read: only
 * what calendar programs show of it.
 */
export function writeEntry(
  event: ExportedEvent,
  { now, uidBase }: Pick<IcsOptions, 'now' | 'uidBase'>,
): string {
  const { name, date, location, description, status } = event;
  const lines = [
    ...calendarHead,
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event, uidBase))}`,
    `DTSTAMP:${writeTime(now.toISOString())}`,
    `DTSTART:${writeTime(date)}`,
    `SUMMARY:${escapeText(name)}`,
    ...(location === '' ? [] : [`LOCATION:${escapeText(location)}`]),
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    `STATUS:${statuses[status]}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(foldLine).join('');
}
