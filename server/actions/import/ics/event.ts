import { isUtf8 } from 'node:buffer';
import { eventTypes } from '../../../../db/model.ts';
import { message } from '../../../messages/messages.ts';
import { RecordError, type SourceRecord } from '../source.ts';
import type { Component } from './content.ts';
import { formatInstant } from './local-time.ts';
import { findLine, findText, parseProperty, rawValueOf } from './property.ts';
import { idOf, isSingle } from './survey.ts';
import { type Clocks, instantOf } from './zones.ts';

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
  const line = findLine(event, `X-CLUB-EVENTS-${name}`);
  return line && rawValueOf(line);
}

/** Reads a text, preferably from the exact copy of an export of this program: UTF-8 in Base64. */
function readText(event: Component, name: string, extension: string): string | undefined {
  const copy = findExtension(event, extension);
  if (copy === undefined) return findText(event, name);
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
function readCreatedAt(event: Component, clocks: Clocks): string | undefined {
  const exported = findExtension(event, 'CREATED-AT');
  if (exported !== undefined) return exported;
  const raw = findLine(event, 'CREATED');
  if (raw === undefined || /^0000/.test(rawValueOf(raw))) return undefined;
  const time = clocks.findTime(event, 'CREATED');
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

function readName(event: Component): string {
  const name = readText(event, 'SUMMARY', 'NAME') ?? '';
  return name.trim() === '' ? untitled : name;
}

/** Values that an export of this program leaves out. */
const exportDefaults: Values = { location: '', description: null };

/**
 * Reads the values of a VEVENT that begins at `date`, an ISO timestamp. Missing values are absent,
 * except the name, which is then `untitled`. Throws a `RecordError` if a property cannot be read.
 */
export function readValues(event: Component, date: string, clocks: Clocks): Values {
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
    createdAt: readCreatedAt(event, clocks),
  };
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...(id === undefined ? {} : exportDefaults), ...Object.fromEntries(present) };
}
