import { createRequire } from 'node:module';
import { Temporal } from 'temporal-polyfill';
import type * as WindowsIana from 'windows-iana';
import { isTimeZone } from '../timestamp.ts';
import { utc, type Zone } from './wall.ts';

const require = createRequire(import.meta.url);

/** Returns true for an IANA name that this machine knows, and false for `+01:00`. */
export function isZoneName(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isTimeZone(name);
}

/** Creates a zone from the data of this machine; `name` is an IANA name. */
export function createNamedZone(name: string): Zone {
  return {
    toInstant: (wall) =>
      Temporal.Instant.fromEpochMilliseconds(wall)
        .toZonedDateTimeISO('UTC')
        .toPlainDateTime()
        .toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds,
    toWall: (instant) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
      return instant + zoned.offsetNanoseconds / 1_000_000;
    },
  };
}

/** Creates a zone with a fixed offset from UTC, in milliseconds. */
function createFixedZone(offset: number): Zone {
  return { toInstant: (wall) => wall - offset, toWall: (instant) => instant + offset };
}

/** Returns the IANA name for a Windows name (CLDR's table), as Outlook and Exchange write it. */
function findWindowsName(name: string): string | undefined {
  if (!/ Time$/i.test(name)) return undefined;
  // Load the table on demand: this takes longer than reading most calendars.
  const { findIana } = require('windows-iana') as typeof WindowsIana;
  return findIana(name).find(isZoneName);
}

/** Returns the IANA name at the end of a path such as `/mozilla.org/20070129_1/Europe/Berlin`. */
function findLastName(path: string): string | undefined {
  // No IANA name has more than three parts.
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .slice(-3);
  const starts = parts.map((_, at) => parts.slice(at).join('/'));
  return starts.find((name) => (name.includes('/') || name === 'UTC') && isZoneName(name));
}

/** The offset at the start of a name such as `UTC+01`, `(GMT +01:00)` or `(UTC+01:00) Berlin`. */
const offsetForm = /^\(?(?:UTC|GMT) ?(?:([+\u2212-])(\d{1,2})(?:[:.]?([0-5]\d))?)?\)?(?: (.+))?$/i;

/** Maximum length of a name; the lookup of longer, hostile texts would take long. */
const maxNameLength = 200;
const maxCities = 10;

/**
 * Finds the IANA name for the place after an offset, such as "Eastern Time (US and Canada)" or
 * "Amsterdam, Berlin, Rome". Returns undefined if no match has that offset as standard time.
 */
function findPlace(place: string, offset: number): string | undefined {
  const windows = place
    .replace(/ ?\(US (?:&|and) Canada\)$/i, '')
    .replace(/ Time$/i, ' Standard Time');
  const cities = place.split(',', maxCities).map((city) => city.trim().replaceAll(' ', '_'));
  const names = Intl.supportedValuesOf('timeZone');
  const found = [
    findWindowsName(windows),
    ...cities.map((city) => names.find((name) => name.endsWith(`/${city}`))),
  ];
  return found.find((name) => name !== undefined && standardOffset(name) === offset);
}

/** Returns the offset of a zone in standard time: the smaller one of a year. */
function standardOffset(name: string): number {
  const { toWall } = createNamedZone(name);
  const offsets = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) => toWall(at) - at);
  return Math.min(...offsets);
}

function findByOffset(name: string): Zone | undefined {
  const match = offsetForm.exec(name);
  if (match === null) return undefined;
  const [, sign, hours = '0', minutes = '0', place] = match;
  if (Number(hours) > 14) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const offset = sign === undefined || sign === '+' ? size : -size;
  const found = place === undefined ? undefined : findPlace(place, offset);
  return found === undefined ? createFixedZone(offset) : createNamedZone(found);
}

/** Finds a zone by its name, with or without quotes and a path before it, or by its offset. */
export function findZone(name: string): Zone | undefined {
  if (name.length > maxNameLength) return undefined;
  const bare = name.replace(/^["'\s]+|["'\s]+$/g, '');
  if (bare === 'Coordinated Universal Time') return utc;
  const found = isZoneName(bare) ? bare : (findWindowsName(bare) ?? findLastName(bare));
  return found === undefined ? findByOffset(bare) : createNamedZone(found);
}
