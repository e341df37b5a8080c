import { Temporal } from 'temporal-polyfill';
import { isTimeZone } from '../timestamp.ts';
import type { Component } from './components.ts';
import { createFileZone } from './file-zone.ts';
import { findText, type Refuse, show } from './property.ts';
import type { Zone } from './wall.ts';

/** What Outlook and Exchange call the zones that clubs of Europe and America are in. */
const windowsZones: Readonly<Record<string, string>> = {
  UTC: 'UTC',
  'Coordinated Universal Time': 'UTC',
  'GMT Standard Time': 'Europe/London',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'W. Europe Standard Time': 'Europe/Berlin',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Romance Standard Time': 'Europe/Paris',
  'E. Europe Standard Time': 'Europe/Chisinau',
  'FLE Standard Time': 'Europe/Kyiv',
  'GTB Standard Time': 'Europe/Bucharest',
  'Turkey Standard Time': 'Europe/Istanbul',
  'Russian Standard Time': 'Europe/Moscow',
  'Israel Standard Time': 'Asia/Jerusalem',
  'India Standard Time': 'Asia/Kolkata',
  'China Standard Time': 'Asia/Shanghai',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'New Zealand Standard Time': 'Pacific/Auckland',
  'Atlantic Standard Time': 'America/Halifax',
  'Eastern Standard Time': 'America/New_York',
  'Central Standard Time': 'America/Chicago',
  'Mountain Standard Time': 'America/Denver',
  'US Mountain Standard Time': 'America/Phoenix',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Alaskan Standard Time': 'America/Anchorage',
  'Hawaiian Standard Time': 'Pacific/Honolulu',
  'E. South America Standard Time': 'America/Sao_Paulo',
};

/** Whether that is an IANA name; abbreviations such as PST, which Intl knows too, are none. */
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

/** The IANA name behind a name that a file uses, be it Outlook's; undefined when there is none. */
export function findZoneName(name: string): string | undefined {
  if (isZoneName(name)) return name;
  return Object.hasOwn(windowsZones, name) ? windowsZones[name] : undefined;
}

const mostZones = 2000;

/** How many days the rules of all zones of a file may look at: a second's work. */
const mostSteps = 2_000_000;

/** The zones of the calendars of a file, made when an event first needs one. */
export class ZoneTable {
  readonly #definitions = new Map<string, Component>();
  readonly #zones = new Map<string, Zone>();
  #steps = 0;

  /** Takes a VTIMEZONE; the first of a name in a calendar counts. Throws when a file has too many. */
  define(component: Component, refuse: Refuse): void {
    const name = findText(component, 'TZID', refuse);
    if (name === undefined) return;
    const key = `${component.calendar} ${name}`;
    if (!this.#definitions.has(key)) this.#definitions.set(key, component);
    if (this.#definitions.size > mostZones) {
      throw refuse(`it has more than ${mostZones} time zones (VTIMEZONE)`);
    }
  }

  /**
   * The zone of that name: the machine's own data, else the file's, else what Outlook means by it.
   * A file's copy of a zone is often out of date or cut short. Throws when there is none.
   */
  zoneOf(name: string, calendar: number, refuse: Refuse): Zone {
    const key = `${calendar} ${name}`;
    const known = this.#zones.get(key);
    if (known !== undefined) return known;
    const zone = this.#create(name, this.#definitions.get(key), refuse);
    this.#zones.set(key, zone);
    return zone;
  }

  #createFileZone(definition: Component, refuse: Refuse): Zone {
    return createFileZone(definition, refuse, () => {
      this.#steps += 1;
      if (this.#steps > mostSteps) throw refuse('has rules that take too long to work out');
    });
  }

  #create(name: string, definition: Component | undefined, refuse: Refuse): Zone {
    const refuseZone: Refuse = (what) => refuse(`the VTIMEZONE ${show(name)} ${what}`);
    if (isZoneName(name)) return createNamedZone(name);
    if (definition !== undefined) return this.#createFileZone(definition, refuseZone);
    const found = findZoneName(name);
    if (found !== undefined) return createNamedZone(found);
    throw refuse(`the time zone (TZID) ${show(name)} is not known and not explained in the file`);
  }
}
