import { findWindowsName, isZoneName } from '../../club/zone-name.ts';
import { createZone, type Zone } from '../../dates/clock.ts';
import { minuteMs } from '../../dates/units.ts';
import { message } from '../../messages/message.ts';
import { RecordError } from '../source.ts';
import { utc } from './local-time.ts';
import { type Component, excerpt, findText, type Refuse } from './property.ts';
import { createFileZone } from './vtimezone.ts';

/** Creates a zone with a fixed offset from UTC, in milliseconds. */
function createFixedZone(offset: number): Zone {
  return { toInstant: (wall) => wall - offset, toWall: (instant) => instant + offset };
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
  const { toWall } = createZone(name);
  const offsets = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) => toWall(at) - at);
  return Math.min(...offsets);
}

function findByOffset(name: string): Zone | undefined {
  const match = offsetForm.exec(name);
  if (match === null) return undefined;
  const [, sign, hours = '0', minutes = '0', place] = match;
  if (Number(hours) > 14) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * minuteMs;
  const offset = sign === undefined || sign === '+' ? size : -size;
  const found = place === undefined ? undefined : findPlace(place, offset);
  return found === undefined ? createFixedZone(offset) : createZone(found);
}

/** Finds a zone by its name, with or without quotes and a path before it, or by its offset. */
export function findZone(name: string): Zone | undefined {
  if (name.length > maxNameLength) return undefined;
  const bare = name.replace(/^["'\s]+|["'\s]+$/g, '');
  if (bare === 'Coordinated Universal Time') return utc;
  const found = isZoneName(bare) ? bare : (findWindowsName(bare) ?? findLastName(bare));
  return found === undefined ? findByOffset(bare) : createZone(found);
}

const maxZones = 2000;

/** Limit on the days that the rules of all zones of a file examine: one second of work. */
const maxSteps = 2_000_000;

/** The zones of the calendars of a file, created when an event first needs one. */
export class ZoneTable {
  readonly #definitions = new Map<string, Component>();
  readonly #zones = new Map<string, Zone | RecordError | undefined>();
  #steps = 0;

  /** Registers a VTIMEZONE unless its name is known. Throws a `RecordError` for too many. */
  define(component: Component): void {
    const name = findText(component, 'TZID')?.trim();
    if (name === undefined) return;
    const key = `${component.calendar} ${name}`;
    if (this.#definitions.size === maxZones && !this.#definitions.has(key)) {
      throw new RecordError(message('calendarReason:too_many_zones', { limit: maxZones }));
    }
    if (!this.#definitions.has(key)) this.#definitions.set(key, component);
  }

  /**
   * Finds a zone in the data of this machine, else in the file, else by what the name means. The
   * file's copy of a zone is often out of date or incomplete. Throws a `RecordError` if that copy
   * is needed and broken.
   */
  find(name: string, calendar: number): Zone | undefined {
    const key = `${calendar} ${name.trim()}`;
    if (!this.#zones.has(key)) {
      if (this.#zones.size === maxZones) return undefined;
      this.#zones.set(key, this.#create(name.trim(), this.#definitions.get(key)));
    }
    const zone = this.#zones.get(key);
    if (zone instanceof RecordError) throw zone;
    return zone;
  }

  #create(name: string, definition: Component | undefined): Zone | RecordError | undefined {
    if (isZoneName(name)) return createZone(name);
    if (definition === undefined) return findZone(name);
    try {
      return this.#createFileZone(name, definition);
    } catch (error) {
      if (error instanceof RecordError) return error;
      throw error;
    }
  }

  #createFileZone(name: string, definition: Component): Zone {
    const refuse: Refuse = (reason) =>
      new RecordError(message('calendarReason:zone_invalid', { zone: excerpt(name), reason }));
    return createFileZone(definition, refuse, () => {
      this.#steps += 1;
      if (this.#steps > maxSteps) throw refuse(message('calendarReason:zone_too_complex'));
    });
  }
}
