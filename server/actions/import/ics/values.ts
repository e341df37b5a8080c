import { isUtf8 } from 'node:buffer';
import { eventTypes } from '../../../../db/model.ts';
import { RecordError, type SourceRecord } from '../source.ts';
import { type Clocks, instantOf } from './clocks.ts';
import type { Component } from './components.ts';
import { findLine, findText, parseProperty, rawValueOf } from './property.ts';
import { idOf, isSingle } from './survey.ts';
import { formatInstant } from './wall.ts';

type Values = SourceRecord['values'];

/** As RFC 5545 section 3.8.1.11 calls the states of an event. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['TENTATIVE', 'draft'],
  ['CONFIRMED', 'active'],
  ['CANCELLED', 'cancelled'],
]);

const truths: ReadonlyMap<string, boolean> = new Map([
  ['TRUE', true],
  ['FALSE', false],
]);

/** The value of a property of our own export; undefined when it is not there. */
function findOwn(event: Component, name: string): string | undefined {
  const line = findLine(event, `X-CLUB-EVENTS-${name}`);
  return line && rawValueOf(line);
}

/** A text, or our own exact copy of one that iCalendar cannot hold: UTF-8 in Base64. */
function readText(event: Component, name: string, own: string): string | undefined {
  const copy = findOwn(event, own);
  if (copy === undefined) return findText(event, name);
  const bytes = Buffer.from(copy, 'base64');
  if (!isUtf8(bytes)) throw new RecordError(`the X-CLUB-EVENTS-${own} is not text in Base64`);
  return bytes.toString('utf8');
}

function readStatus(event: Component): string | undefined {
  const own = findOwn(event, 'STATUS');
  if (own !== undefined) return own.toLowerCase();
  return statuses.get(findText(event, 'STATUS')?.trim().toUpperCase() ?? '');
}

function readType(event: Component): string | null | undefined {
  const own = findOwn(event, 'TYPE')?.toLowerCase();
  if (own !== undefined) return own === 'none' ? null : own;
  const categories = event.lines
    .filter(({ name }) => name === 'CATEGORIES')
    .flatMap((line) => parseProperty(line).values)
    .map((category) => category.trim().toLowerCase());
  return categories.find((category) => eventTypes.some((type) => type === category));
}

/** Google writes `CREATED:00001231T000000Z` for "unknown": what is no date is not told. */
function readCreatedAt(event: Component, clocks: Clocks): string | undefined {
  const own = findOwn(event, 'CREATED-AT');
  if (own !== undefined) return own;
  const raw = findLine(event, 'CREATED');
  if (raw === undefined || /^0000/.test(rawValueOf(raw))) return undefined;
  const time = clocks.findTime(event, 'CREATED');
  return time && formatInstant(instantOf(time));
}

/** The id of our own export as a number where that loses no digit; the rest is refused later. */
function readId(event: Component): unknown {
  const id = idOf(event);
  const isExact = id !== undefined && /^-?\d+$/.test(id) && Number.isSafeInteger(Number(id));
  return isExact ? Number(id) : id;
}

/** Calendar programs have events without a title, and each names them in a way of its own. */
export const untitled = '(untitled)';

function readName(event: Component): string {
  const name = readText(event, 'SUMMARY', 'NAME') ?? '';
  return name.trim() === '' ? untitled : name;
}

/** What our own export leaves out because it says nothing in iCalendar. */
const ownDefaults: Values = { location: '', description: null };

/**
 * What a VEVENT says of an event that begins at `date`, an ISO timestamp; what it does not say is
 * absent, save its name, which is then `untitled`. Throws a `RecordError` where a property cannot be read.
 */
export function readValues(event: Component, date: string, clocks: Clocks): Values {
  const id = readId(event);
  const open = findOwn(event, 'REGISTRATION-OPEN')?.toUpperCase();
  const told = {
    id,
    name: readName(event),
    date: (isSingle(event) ? findOwn(event, 'DATE') : undefined) ?? date,
    location: readText(event, 'LOCATION', 'LOCATION'),
    description: readText(event, 'DESCRIPTION', 'DESCRIPTION'),
    status: readStatus(event),
    eventType: readType(event),
    registrationOpen: open === undefined ? undefined : (truths.get(open) ?? open),
    createdAt: readCreatedAt(event, clocks),
  };
  const present = Object.entries(told).filter(([, value]) => value !== undefined);
  return { ...(id === undefined ? {} : ownDefaults), ...Object.fromEntries(present) };
}
