import { isUtf8 } from 'node:buffer';
import { eventTypes } from '../../../../db/model.ts';
import type { SourceRecord } from '../source.ts';
import { type Clocks, instantOf } from './clocks.ts';
import type { Component } from './components.ts';
import { findLine, findText, parseProperty, type Refuse, rawValueOf } from './property.ts';
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
function findOwn(event: Component, name: string, refuse: Refuse): string | undefined {
  const line = findLine(event, `X-CLUB-EVENTS-${name}`);
  return line && rawValueOf(line, refuse);
}

/** A text, or our own exact copy of one that iCalendar cannot hold: UTF-8 in Base64. */
function readText(event: Component, name: string, own: string, refuse: Refuse): string | undefined {
  const copy = findOwn(event, own, refuse);
  if (copy === undefined) return findText(event, name, refuse);
  const bytes = Buffer.from(copy, 'base64');
  if (!isUtf8(bytes)) throw refuse(`the X-CLUB-EVENTS-${own} is not text in Base64`);
  return bytes.toString('utf8');
}

function readStatus(event: Component, refuse: Refuse): string | undefined {
  const own = findOwn(event, 'STATUS', refuse);
  if (own !== undefined) return own.toLowerCase();
  return statuses.get(findText(event, 'STATUS', refuse)?.trim().toUpperCase() ?? '');
}

function readType(event: Component, refuse: Refuse): string | null | undefined {
  const own = findOwn(event, 'TYPE', refuse)?.toLowerCase();
  if (own !== undefined) return own === 'none' ? null : own;
  const categories = event.lines
    .filter(({ name }) => name === 'CATEGORIES')
    .flatMap((line) => parseProperty(line, refuse).values)
    .map((category) => category.trim().toLowerCase());
  return categories.find((category) => eventTypes.some((type) => type === category));
}

/** Google writes `CREATED:00001231T000000Z` for "unknown": what is no date is not told. */
function readCreatedAt(event: Component, clocks: Clocks, refuse: Refuse): string | undefined {
  const own = findOwn(event, 'CREATED-AT', refuse);
  if (own !== undefined) return own;
  const raw = findLine(event, 'CREATED');
  if (raw === undefined || /^0000/.test(rawValueOf(raw, refuse))) return undefined;
  const time = clocks.findTime(event, 'CREATED', refuse);
  return time && formatInstant(instantOf(time));
}

/** The id of our own export as a number where that loses no digit; the rest is refused later. */
function readId(event: Component, refuse: Refuse): unknown {
  const id = idOf(event, refuse);
  const isExact = id !== undefined && /^-?\d+$/.test(id) && Number.isSafeInteger(Number(id));
  return isExact ? Number(id) : id;
}

/** What our own export leaves out because it says nothing in iCalendar. */
const ownDefaults: Values = { location: '', description: null };

/**
 * What a VEVENT says of an event that begins at `date`, an ISO timestamp; what it does not say is
 * absent, save its name, which is then empty. Throws where a property cannot be read.
 */
export function readValues(event: Component, date: string, clocks: Clocks, refuse: Refuse): Values {
  const id = readId(event, refuse);
  const open = findOwn(event, 'REGISTRATION-OPEN', refuse)?.toUpperCase();
  const told = {
    id,
    name: readText(event, 'SUMMARY', 'NAME', refuse) ?? '',
    date: (isSingle(event) ? findOwn(event, 'DATE', refuse) : undefined) ?? date,
    location: readText(event, 'LOCATION', 'LOCATION', refuse),
    description: readText(event, 'DESCRIPTION', 'DESCRIPTION', refuse),
    status: readStatus(event, refuse),
    eventType: readType(event, refuse),
    registrationOpen: open === undefined ? undefined : (truths.get(open) ?? open),
    createdAt: readCreatedAt(event, clocks, refuse),
  };
  const present = Object.entries(told).filter(([, value]) => value !== undefined);
  return { ...(id === undefined ? {} : ownDefaults), ...Object.fromEntries(present) };
}
