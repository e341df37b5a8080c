import type { EventStatus, StoredEvent } from '../../db/model.ts';
import { momentAfter, splitNote } from '../dates/end-line.ts';
import { createZone, isDayStart, type Zone } from '../dates/zone.ts';

export type ExportedEvent = StoredEvent & {
  /** The key of the event in its source, if it has one and it is known. */
  readonly sourceKey?: string | null;
};

export type IcsOptions = {
  /** The name of the calendar: that of the club. */
  readonly calendarName: string;
  readonly now: Date;
  /** The club's random part of generated UIDs. */
  readonly uidBase: string;
  /** The zone of the club, in which the ends of events are meant. */
  readonly timeZone: string;
};

/** Maximum line length in octets, without the line end (RFC 5545 section 3.1). */
const maxLineLength = 75;

const statuses: Readonly<Record<EventStatus, string>> = {
  draft: 'TENTATIVE',
  active: 'CONFIRMED',
  completed: 'CONFIRMED',
  cancelled: 'CANCELLED',
};

function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/** Folds a line between characters. A continuation line begins with a space, which counts. */
function foldLine(line: string): string {
  let folded = '';
  let start = 0;
  let at = 0;
  let length = 0;
  for (const character of line) {
    const octets = octetsOf(character);
    if (length + octets > maxLineLength) {
      folded += `${line.slice(start, at)}\r\n `;
      start = at;
      length = 1;
    }
    at += character.length;
    length += octets;
  }
  return `${folded}${line.slice(start)}\r\n`;
}

/** Characters that iCalendar text cannot hold: controls other than tab and line feed. */
const unwritable = /(?![\t\n])\p{Cc}/u;

/** Escapes a text (RFC 5545 section 3.3.11); controls that cannot be written become spaces. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** Encodes a text as UTF-8 in Base64. The page, which writes calendars too, has no `Buffer`. */
function encodeBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Writes a text property, with a Base64 copy for the import if it cannot be written exactly. */
function writeText(name: string, extension: string, text: string): string[] {
  const line = `${name}:${escapeText(text)}`;
  if (!unwritable.test(text)) return [line];
  return [line, `X-CLUB-EVENTS-${extension}:${encodeBase64(text)}`];
}

/** Formats a timestamp as a DATE-TIME in UTC, without milliseconds. */
function writeTime(timestamp: string): string {
  return `${timestamp.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Writes a time property, followed by the exact timestamp if it has milliseconds. */
function writeExactTime(name: string, extension: string, timestamp: string): string[] {
  const line = `${name}:${writeTime(timestamp)}`;
  return timestamp.endsWith('.000Z') ? [line] : [line, `X-CLUB-EVENTS-${extension}:${timestamp}`];
}

/**
 * Returns the UID that the event came with, or else one that no other event of any club has (RFC
 * 5545 section 3.8.4.7). The UID of a date of a series combines the series and the date.
 */
function uidOf({ id, sourceKey }: ExportedEvent, uidBase: string): string {
  if (sourceKey?.startsWith('ics:')) return sourceKey.slice(4);
  return `event-${id}.${uidBase}@club-events.invalid`;
}

/** Writes the status; a completed event needs an extension property. */
function writeStatus(status: EventStatus): string[] {
  const line = `STATUS:${statuses[status]}`;
  return status === 'completed' ? [line, 'X-CLUB-EVENTS-STATUS:completed'] : [line];
}

/** Writes the end that the note of an event names. */
function writeEnd({ date, description }: ExportedEvent, zone: Zone): string[] {
  if (!description) return [];
  const instant = Date.parse(date);
  const wall = new Date(zone.toWall(instant)).toISOString();
  const time = isDayStart(zone, instant) ? '' : wall.slice(11, 16);
  const { end } = splitNote(description, { day: wall.slice(0, 10), time });
  if (end === undefined) return [];
  const { day, time: clock } = momentAfter(end);
  const after = zone.toInstant(Date.parse(`${day}T${clock}Z`));
  return after > instant ? [`DTEND:${writeTime(new Date(after).toISOString())}`] : [];
}

const calendarHead = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Club Events//Club Events//EN'];

/**
 * Writes an event. Without an end in its note it has no DTEND: an invented one would block time in
 * calendars and come back with an import. It then ends when it begins (RFC 5545 section 3.6.1).
 */
function writeEvent(event: ExportedEvent, stamp: string, uidBase: string, zone: Zone): string {
  const { id, name, date, location, description, status, eventType, createdAt } = event;
  const { registrationOpen } = event;
  const open = registrationOpen === true ? 'TRUE' : 'FALSE';
  const lines = [
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event, uidBase))}`,
    `DTSTAMP:${stamp}`,
    ...writeExactTime('DTSTART', 'DATE', date),
    ...writeEnd(event, zone),
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
 * Writes events as an iCalendar file (RFC 5545) in pieces: its head, one piece per event, its end.
 * UIDs are the same in every export. Values that iCalendar cannot hold are in X-CLUB-EVENTS-…
 * properties, from which an import restores them. Texts must be well-formed Unicode.
 */
export function* writeIcs(
  events: Iterable<ExportedEvent>,
  { calendarName, now, uidBase, timeZone }: IcsOptions,
): Generator<string> {
  const title = escapeText(calendarName);
  // NAME is the standard (RFC 7986 section 5.1); many programs read only the older X-WR-CALNAME.
  const titles = [`NAME:${title}`, `X-WR-CALNAME:${title}`];
  const head = [...calendarHead, 'CALSCALE:GREGORIAN', ...titles];
  yield head.map(foldLine).join('');
  const stamp = writeTime(now.toISOString());
  const zone = createZone(timeZone);
  for (const event of events) yield writeEvent(event, stamp, uidBase, zone);
  yield foldLine('END:VCALENDAR');
}

/** Writes one event as a minimal calendar, for a QR code or a file. */
export function writeEntry(
  event: ExportedEvent,
  { now, uidBase, timeZone }: Omit<IcsOptions, 'calendarName'>,
): string {
  const { name, date, location, description, status } = event;
  const lines = [
    ...calendarHead,
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event, uidBase))}`,
    `DTSTAMP:${writeTime(now.toISOString())}`,
    `DTSTART:${writeTime(date)}`,
    ...writeEnd(event, createZone(timeZone)),
    `SUMMARY:${escapeText(name)}`,
    ...(location === '' ? [] : [`LOCATION:${escapeText(location)}`]),
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    `STATUS:${statuses[status]}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(foldLine).join('');
}
