import type { EventStatus, StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { addDays, type Day } from '../dates/days.ts';
import { dayMs, minuteMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import { endInstant, noteOf } from '../event/values.ts';
import { facts } from '../messages/facts.ts';
import { writeTimeZone, writeWall } from './vtimezone.ts';

export type ExportedEvent = StoredEvent & {
  /** The key of the event in its source, if it has one and it is known. */
  readonly sourceKey?: string | null;
};

/** The values that a calendar of members has instead of those of an event. */
export type MembersForm = Pick<ExportedEvent, 'name' | 'description'> & {
  /** True for an event to come that is cancelled. */
  readonly isOff: boolean;
};

export type IcsOptions = {
  /** The name of the calendar: that of the club. */
  readonly calendarName: string;
  readonly now: Date;
  /** The club's random part of generated UIDs. */
  readonly uidBase: string;
  /** The zone of local times, an IANA name; without one, times are in UTC. */
  readonly timeZone?: string | undefined;
  /** Returns the time of the last change of an event; it never falls. By default, `now`. */
  readonly changedAt?: ((event: ExportedEvent) => Date) | undefined;
  /** Returns what members see of an event; by default, the standard form with all values. */
  readonly forMembers?: ((event: ExportedEvent) => MembersForm) | undefined;
  /** For a file that calendar programs fetch again and again. */
  readonly subscription?: Subscription | undefined;
};

export type Subscription = {
  /** Minutes that an event without an end lasts. */
  readonly usualLength: number;
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

/**
 * Writes a text property, if there is a text. If it is not exactly the value, the import finds this in
 * an extension property: in Base64, or `NONE`, which no Base64 of a text is.
 */
function writeText(
  name: string,
  text: string | null,
  [extension, value]: readonly [extension: string, value: string | null] = [name, text],
): string[] {
  if (text === null) return [];
  const line = `${name}:${escapeText(text)}`;
  if (text === value && !unwritable.test(text)) return [line];
  return [line, `X-CLUB-EVENTS-${extension}:${value === null ? 'NONE' : encodeBase64(value)}`];
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
  return `event-${id}.${uidBase}@${facts.uidDomain}`;
}

/** Writes the status; one that programs must not drop, or do not know, needs an extension property. */
function writeStatus(status: EventStatus, isOff: boolean): string[] {
  const line = `STATUS:${isOff ? 'CONFIRMED' : statuses[status]}`;
  const isInLine = status !== 'completed' && !isOff;
  return isInLine ? [line] : [line, `X-CLUB-EVENTS-STATUS:${status}`];
}

const calendarHead = ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:${facts.productId}`];

/** Local times outside these years are written in UTC: before, offsets have seconds. */
const localYears = { first: Date.UTC(1970, 0, 2), end: Date.UTC(2100, 0, 1) };

/** Returns true for a time that is not written in UTC because of its year, or for lack of a zone. */
function isInZone(instant: number, zone: Clock | undefined): zone is Clock {
  return zone !== undefined && instant >= localYears.first && instant < localYears.end;
}

/** Returns true for a local time that occurs once: programs disagree about one that is repeated. */
function isClear(instant: number, { toWall }: Clock): boolean {
  const wall = toWall(instant);
  return [instant - dayMs, instant + dayMs].every((near) => {
    const other = wall - (toWall(near) - near);
    return other === instant || toWall(other) !== wall;
  });
}

/** Returns true for an event without a time of day. */
function isWholeDay(instant: number, zone: Clock | undefined): zone is Clock {
  return isInZone(instant, zone) && zone.isDayStart(instant);
}

/** Writes a property with a local time, or without a zone in UTC. */
function writeMoment(name: string, instant: number, zone: Clock | undefined): string {
  if (zone === undefined) return `${name}:${writeTime(new Date(instant).toISOString())}`;
  return `${name};TZID=${zone.name}:${writeWall(zone.toWall(instant))}`;
}

/**
 * Writes the start and the end of an event: days for one without a time. Programs that subscribe show
 * an event without an end as a point, so it lasts as long as usual there; as nobody knows that length,
 * it does not block time. An export has no invented end, which would come back with an import.
 */
function writeTimes(
  event: ExportedEvent,
  zone: Clock | undefined,
  subscription: Subscription | undefined,
  isOff: boolean,
): string[] {
  const { date } = event;
  const start = Date.parse(date);
  const noted = zone && endInstant(event, zone);
  const hasEnd = noted !== undefined || subscription !== undefined;
  const blocksTime = !isOff && (noted !== undefined || !hasEnd);
  const transparency = blocksTime ? [] : ['TRANSP:TRANSPARENT'];
  if (isWholeDay(start, zone)) {
    const writeDay = (name: string, day: Day) => `${name};VALUE=DATE:${day.replaceAll('-', '')}`;
    const { end: last } = noteOf(event, zone);
    // The day after the last one.
    const after = last && addDays(last.day, last.time === '00:00' ? 0 : 1);
    const end = after === undefined ? [] : [writeDay('DTEND', after)];
    return [writeDay('DTSTART', zone.dayOf(start)), ...end, ...transparency];
  }
  const end = noted ?? start + (subscription?.usualLength ?? 0) * minuteMs;
  // Some programs read times wrongly if those of an event have different zones.
  const isLocal = isInZone(start, zone) && isClear(start, zone) && isClear(end, zone);
  const zoneOfTimes = isLocal ? zone : undefined;
  return [
    writeMoment('DTSTART', start, zoneOfTimes),
    // Exactly, if it has milliseconds.
    ...(date.endsWith('.000Z') ? [] : [`X-CLUB-EVENTS-DATE:${date}`]),
    ...(hasEnd ? [writeMoment('DTEND', end, zoneOfTimes)] : []),
    ...transparency,
  ];
}

/** The time from which sequence numbers count seconds, so that they fit into 31 bits. */
const sequenceStart = Date.UTC(2025, 0, 1);

/** Writes the last change. A sequence number made from its time never falls, even without state. */
function writeLastChange(
  event: ExportedEvent,
  { now, changedAt: find, subscription }: IcsOptions,
): string[] {
  const changedAt = find?.(event) ?? now;
  const time = writeTime(changedAt.toISOString());
  if (subscription === undefined) return [`DTSTAMP:${time}`];
  const sequence = Math.max(0, Math.floor((changedAt.getTime() - sequenceStart) / 1_000));
  return [`DTSTAMP:${time}`, `LAST-MODIFIED:${time}`, `SEQUENCE:${sequence}`];
}

function writeEvent(event: ExportedEvent, options: IcsOptions, zone: Clock | undefined): string {
  const { id, name, location, description, status, eventType, createdAt } = event;
  const { registrationOpen } = event;
  const { uidBase, subscription, forMembers } = options;
  const shown = forMembers?.(event) ?? { ...event, isOff: false };
  const open = registrationOpen === true ? 'TRUE' : 'FALSE';
  const lines = [
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event, uidBase))}`,
    ...writeLastChange(event, options),
    ...writeTimes(event, zone, subscription, shown.isOff),
    ...writeText('SUMMARY', shown.name, ['NAME', name]),
    ...writeText('LOCATION', location === '' ? null : location),
    ...writeText('DESCRIPTION', shown.description, ['DESCRIPTION', description]),
    ...writeStatus(status, shown.isOff),
    eventType === null ? 'X-CLUB-EVENTS-TYPE:NONE' : `CATEGORIES:${eventType.toUpperCase()}`,
    ...writeExactTime('CREATED', 'CREATED-AT', createdAt),
    ...(registrationOpen === undefined ? [] : [`X-CLUB-EVENTS-REGISTRATION-OPEN:${open}`]),
    `X-CLUB-EVENTS-ID:${id}`,
    'END:VEVENT',
  ];
  return lines.map(foldLine).join('');
}

/** The interval of fetching a subscription and its colour, in the standard and in older forms. */
const subscriptionHead = [
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H',
  'COLOR:teal',
  'X-APPLE-CALENDAR-COLOR:#0B7285',
];

/** Returns the zone of a calendar, and its description for all events that are local. */
function describeZone(events: readonly ExportedEvent[], name: string) {
  const zone = zoneNamed(name);
  const instants = events
    .map(({ date }) => Date.parse(date))
    .filter((instant) => isInZone(instant, zone));
  const range = instants.reduce(
    ({ first, last }, each) => ({ first: Math.min(first, each), last: Math.max(last, each) }),
    { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY },
  );
  const isNeeded = instants.some((instant) => !zone.isDayStart(instant));
  return { zone, lines: isNeeded ? writeTimeZone(name, zone, range) : [] };
}

/**
 * Writes events as an iCalendar file (RFC 5545) in pieces: its head, one piece per event, its end.
 * UIDs are the same in every export. Values that iCalendar cannot hold are in X-CLUB-EVENTS-…
 * properties, from which an import restores them. Texts must be well-formed Unicode.
 */
export function* writeIcs(events: Iterable<ExportedEvent>, options: IcsOptions): Generator<string> {
  const { calendarName, timeZone, subscription } = options;
  const title = escapeText(calendarName);
  // A zone is described before the events, for all of their years.
  const list = timeZone === undefined ? undefined : Array.from(events);
  const local = timeZone === undefined ? undefined : describeZone(list ?? [], timeZone);
  const head = [
    ...calendarHead,
    'CALSCALE:GREGORIAN',
    // NAME is the standard (RFC 7986 section 5.1); many programs read only the older X-WR-CALNAME.
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    ...(subscription === undefined ? [] : subscriptionHead),
    // The zone of days without a time, for an import. Some programs that subscribe convert times in
    // UTC to it, and take the wrong one of two equal local times.
    ...(timeZone === undefined || subscription ? [] : [`X-WR-TIMEZONE:${timeZone}`]),
    ...(local?.lines ?? []),
  ];
  yield head.map(foldLine).join('');
  for (const event of list ?? events) yield writeEvent(event, options, local?.zone);
  yield foldLine('END:VCALENDAR');
}

/** Writes one event as a minimal calendar, for a QR code or a file. */
export function writeEntry(
  event: ExportedEvent,
  { now, uidBase, timeZone }: Omit<IcsOptions, 'calendarName'>,
): string {
  const { name, date, location, description, status } = event;
  const end = timeZone === undefined ? undefined : endInstant(event, zoneNamed(timeZone));
  const lines = [
    ...calendarHead,
    'BEGIN:VEVENT',
    `UID:${escapeText(uidOf(event, uidBase))}`,
    `DTSTAMP:${writeTime(now.toISOString())}`,
    `DTSTART:${writeTime(date)}`,
    ...(end === undefined ? [] : [`DTEND:${writeTime(new Date(end).toISOString())}`]),
    `SUMMARY:${escapeText(name)}`,
    ...(location === '' ? [] : [`LOCATION:${escapeText(location)}`]),
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    `STATUS:${statuses[status]}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(foldLine).join('');
}
