import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { eventTypes, type SourceRevision } from '../../../db/model.ts';
import { message } from '../../messages/message.ts';
import { repairText } from '../encoding.ts';
import { textOfHtml } from '../html.ts';
import { RecordError, type RecordParts, type SourceRecord } from '../source.ts';
import { instantOf, type TimeReader } from './event-times.ts';
import { formatInstant, parseWallTime } from './local-time.ts';
import { type Component, excerpt, findLine, findRaw, findText, parseProperty } from './property.ts';

/** Returns the UID of an event, or a stable one made of its start and name. */
export function uidOf(event: Component): string {
  const uid = findText(event, 'UID')?.trim() ?? '';
  if (uid !== '') return uid;
  const known = ['DTSTART', 'SUMMARY'].map((name) => findRaw(event, name) ?? '');
  const text = known.join('\n').normalize('NFC');
  return `none:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

export function isSeries({ lines }: Component): boolean {
  return lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');
}

/** Returns true for the change of a date of a series and of all later dates. */
export function isRange(event: Component): boolean {
  const line = findLine(event, 'RECURRENCE-ID');
  return /;RANGE="?THISANDFUTURE"?[;:]/i.test(line?.text.slice(0, 1000) ?? '');
}

/** Returns true for an event that is neither a series nor a date of one. */
function isSingle(event: Component): boolean {
  return !isSeries(event) && findLine(event, 'RECURRENCE-ID') === undefined;
}

/** Returns the id from an export of this program, which contains only single events. */
export function idOf(event: Component): string | undefined {
  if (!isSingle(event)) return undefined;
  return findText(event, 'X-CLUB-EVENTS-ID')?.trim();
}

/** Returns the text by which the starts of events with the same UID are compared. */
export function startKeyOf(event: Component): string {
  return idOf(event) === undefined ? (findLine(event, 'DTSTART')?.text ?? '') : '';
}

/** Returns the key that identifies an event within its file. */
export function identityOf(event: Component): string {
  const id = idOf(event);
  return id === undefined ? `ics:${uidOf(event)}` : `id:${id}`;
}

function sequenceOf(event: Component): number {
  const raw = findRaw(event, 'SEQUENCE');
  if (raw === undefined) return 0;
  if (!/^\d{1,15}$/.test(raw)) {
    throw new RecordError(message('calendarReason:sequence_invalid', { text: excerpt(raw) }));
  }
  return Number(raw);
}

/** Reads the revision of an event. Many programs set DTSTAMP to the time of their export. */
export function revisionOf(event: Component): SourceRevision {
  const times = ['LAST-MODIFIED', 'DTSTAMP'].map((name) =>
    parseWallTime(findRaw(event, name) ?? ''),
  );
  const stamp = times.find((time) => time !== undefined)?.wall ?? null;
  return { sequence: sequenceOf(event), stamp };
}

/** Returns true for a later revision (RFC 5546, section 2.1.5). */
export function isLater(left: SourceRevision, right: SourceRevision): boolean {
  return left.sequence === right.sequence
    ? (left.stamp ?? 0) > (right.stamp ?? 0)
    : left.sequence > right.sequence;
}

type Values = SourceRecord['values'];

/** Statuses by their names in RFC 5545 section 3.8.1.11. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['TENTATIVE', 'draft'],
  ['CONFIRMED', 'active'],
  ['CANCELLED', 'cancelled'],
]);

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['TRUE', true],
  ['FALSE', false],
]);

/** Returns the value of an X-CLUB-EVENTS property, if present. */
function findExtension(event: Component, name: string): string | undefined {
  return findRaw(event, `X-CLUB-EVENTS-${name}`);
}

/** Reads a text, preferably from the exact copy of an export of this program: UTF-8 in Base64. */
function readText(event: Component, name: string, extension: string): string | undefined {
  const copy = findExtension(event, extension);
  if (copy === undefined) {
    const text = findText(event, name);
    // An export of this program is restored exactly.
    if (text === undefined || idOf(event) !== undefined) return text;
    const plain = textOfHtml(repairText(text));
    if (name === 'DESCRIPTION' || plain === text) return plain;
    // A title of an element alone, such as a picture, is all that is known.
    return plain.replace(/\s*\n\s*/g, ' ') || text;
  }
  // A text that a calendar for members has, and the event has not.
  if (copy === 'NONE') return undefined;
  const bytes = Buffer.from(copy, 'base64');
  if (!isUtf8(bytes)) {
    const property = `X-CLUB-EVENTS-${extension}`;
    throw new RecordError(message('calendarReason:copy_damaged', { property }));
  }
  return bytes.toString('utf8');
}

function readStatus(event: Component): string | undefined {
  const exported = findExtension(event, 'STATUS');
  if (exported !== undefined) return exported.toLowerCase();
  return statuses.get(findText(event, 'STATUS')?.trim().toUpperCase() ?? '');
}

function readType(event: Component): string | null | undefined {
  const exported = findExtension(event, 'TYPE')?.toLowerCase();
  if (exported !== undefined) return exported === 'none' ? null : exported;
  const categories = event.lines
    .filter(({ name }) => name === 'CATEGORIES')
    .flatMap((line) => parseProperty(line).values)
    .map((category) => category.trim().toLowerCase());
  return categories.find((category) => eventTypes.some((type) => type === category));
}

/** Reads the time of creation; Google writes `CREATED:00001231T000000Z` for "unknown". */
function readCreatedAt(event: Component, times: TimeReader): string | undefined {
  const exported = findExtension(event, 'CREATED-AT');
  if (exported !== undefined) return exported;
  if (findRaw(event, 'CREATED')?.startsWith('0000')) return undefined;
  const time = times.findTime(event, 'CREATED');
  return time && formatInstant(instantOf(time));
}

/** Returns the id of an export as a number if no digit is lost; any other id is refused later. */
function readId(event: Component): unknown {
  const id = idOf(event);
  const isExact = id !== undefined && /^-?\d+$/.test(id) && Number.isSafeInteger(Number(id));
  return isExact ? Number(id) : id;
}

/** The name of events without a title, which calendar programs allow. */
export const untitled = '(untitled)';

export function readName(event: Component): string {
  const name = readText(event, 'SUMMARY', 'NAME') ?? '';
  return name.trim() === '' ? untitled : name;
}

/** Returns the parts of an event without an id: its status and its end are always in the calendar. */
export function partsOf(event: Component, { status, description = null }: Values): RecordParts {
  const note = readText(event, 'DESCRIPTION', 'DESCRIPTION');
  const text = String(description ?? '');
  const end = text.slice(0, text.length - (note ?? '').length).trimEnd();
  return {
    ...(status === undefined && { takesPlace: 'by status' }),
    end,
    ...(note !== undefined && { hasNote: true }),
  };
}

/** Values that an export of this program leaves out. */
const exportDefaults: Values = { location: '', description: null };

/**
 * Reads the values of a VEVENT that begins at `date`, an ISO timestamp. Missing values are absent,
 * except the name, which is then `untitled`. Throws a `RecordError` if a property cannot be read.
 */
export function readValues(event: Component, date: string, times: TimeReader): Values {
  const id = readId(event);
  const open = findExtension(event, 'REGISTRATION-OPEN')?.toUpperCase();
  const values = {
    id,
    name: readName(event),
    date: (isSingle(event) ? findExtension(event, 'DATE') : undefined) ?? date,
    location: readText(event, 'LOCATION', 'LOCATION'),
    description: readText(event, 'DESCRIPTION', 'DESCRIPTION'),
    status: readStatus(event),
    eventType: readType(event),
    registrationOpen: open === undefined ? undefined : (booleans.get(open) ?? open),
    createdAt: readCreatedAt(event, times),
  };
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...(id === undefined ? {} : exportDefaults), ...Object.fromEntries(present) };
}
