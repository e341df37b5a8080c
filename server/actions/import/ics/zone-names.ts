import { createRequire } from 'node:module';
import { Temporal } from 'temporal-polyfill';
import type * as WindowsIana from 'windows-iana';
import { isTimeZone } from '../timestamp.ts';
import { utc, type Zone } from './wall.ts';

const require = createRequire(import.meta.url);

/** Returns whether this is an IANA name; `Intl` also knows abbreviations such as PST. */
export function isZoneName(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isTimeZone(name);
}

/** Makes a zone of the machine's own data; `name` is an IANA name. */
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

/** Makes a zone that is always as far from UTC, in milliseconds. */
function createFixedZone(offset: number): Zone {
  return { toInstant: (wall) => wall - offset, toWall: (instant) => instant + offset };
}

/** The IANA name of a name of Windows (CLDR's table), as Outlook and Exchange write it. */
function findWindowsName(name: string): string | undefined {
  if (!/ Time$/i.test(name)) return undefined;
  // Loaded when a file needs it: the table takes longer to load than most calendars to read.
  const { findIana } = require('windows-iana') as typeof WindowsIana;
  return findIana(name).find(isZoneName);
}

/** The IANA name at the end of a path such as `/mozilla.org/20070129_1/Europe/Berlin`. */
function findLastName(path: string): string | undefined {
  // No IANA name has more than three parts.
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .slice(-3);
  const starts = parts.map((_, at) => parts.slice(at).join('/'));
  return starts.find((name) => (name.includes('/') || name === 'UTC') && isZoneName(name));
}

/** The offset that a name such as `UTC+01`, `(GMT +01:00)` or `(UTC+01:00) Berlin` begins with. */
const offsetForm = /^\(?(?:UTC|GMT) ?(?:([+\u2212-])(\d{1,2})(?:[:.]?([0-5]\d))?)?\)?(?: (.+))?$/i;

/** Longer texts are no names; the looking up of hostile ones would take long. */
const longestName = 200;
const mostCities = 10;

/**
 * The IANA name that a place after an offset means, by standard time, of "Eastern Time (US and
 * Canada)" or "Amsterdam, Berlin, Rome"; undefined when none has that offset.
 */
function findPlace(place: string, offset: number): string | undefined {
  const windows = place
    .replace(/ ?\(US (?:&|and) Canada\)$/i, '')
    .replace(/ Time$/i, ' Standard Time');
  const cities = place.split(',', mostCities).map((city) => city.trim().replaceAll(' ', '_'));
  const names = Intl.supportedValuesOf('timeZone');
  const found = [
    findWindowsName(windows),
    ...cities.map((city) => names.find((name) => name.endsWith(`/${city}`))),
  ];
  return found.find((name) => name !== undefined && standardOffset(name) === offset);
}

/** The offset of a zone when its clocks are not advanced: the smaller one of a year. */
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

/** The zone that a name means, with or without quotes and a prefix, or by its offset. */
export function findZone(name: string): Zone | undefined {
  if (name.length > longestName) return undefined;
  const bare = name.replace(/^["'\s]+|["'\s]+$/g, '');
  if (bare === 'Coordinated Universal Time') return utc;
  const found = isZoneName(bare) ? bare : (findWindowsName(bare) ?? findLastName(bare));
  return found === undefined ? findByOffset(bare) : createNamedZone(found);
}
