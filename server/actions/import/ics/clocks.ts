import { ClubEventsError } from '../../../errors.ts';
import { RecordError, type SourceOptions } from '../source.ts';
import type { Component, Line } from './components.ts';
import { findLine, findText, parseProperty, show } from './property.ts';
import { parseWallTime, utc, type Wall, type Zone } from './wall.ts';
import { createNamedZone, findZone, isZoneName } from './zone-names.ts';
import { ZoneTable } from './zones.ts';

/** A time of an event; a date is its midnight. */
export type EventTime = {
  readonly wall: Wall;
  readonly zone: Zone;
  readonly isDate: boolean;
};

/** Returns the milliseconds since 1970 in UTC. */
export function instantOf({ wall, zone }: EventTime): number {
  return zone.toInstant(wall);
}

type LocalZone = { readonly name: string; readonly zone: Zone };

const maxUnknown = 20;

export class Clocks {
  readonly #note: SourceOptions['note'];
  readonly #zones = new ZoneTable();
  readonly #floating = new Map<number, LocalZone>();
  readonly #default: LocalZone;
  readonly #unknown = new Set<string>();

  constructor({ note, timeZone }: SourceOptions) {
    this.#note = note;
    if (!isZoneName(timeZone)) {
      const what = `${show(timeZone)} is not a time zone; give one like Europe/Berlin`;
      throw new ClubEventsError('wrong_usage', `${what}.`);
    }
    this.#default = { name: timeZone, zone: createNamedZone(timeZone) };
  }

  defineZone(component: Component): void {
    this.#zones.define(component);
  }

  /** Reads X-WR-TIMEZONE, the zone of a calendar's dates and of times without a zone. */
  defineCalendar(calendar: Component): void {
    const name = findText(calendar, 'X-WR-TIMEZONE')?.trim();
    if (name === undefined || name === '') return;
    const zone = findZone(name);
    if (zone !== undefined) this.#floating.set(calendar.calendar, { name, zone });
    else this.#noteUnknown(`X-WR-TIMEZONE ${show(name)}`, this.#default.name);
  }

  /** Notes an unknown zone once, up to a limit; a hostile file could have any number of them. */
  #noteUnknown(what: string, substitute: string): void {
    if (this.#unknown.has(what) || this.#unknown.size === maxUnknown) return;
    this.#unknown.add(what);
    this.#note(`${what} is not known; its times were taken as ${substitute}.`);
  }

  #zoneOf(name: string, calendar: number): Zone {
    const zone = this.#zones.find(name, calendar);
    if (zone !== undefined) return zone;
    const local = this.#localZone(calendar);
    this.#noteUnknown(`The time zone ${show(name)}`, local.name);
    return local.zone;
  }

  /** Returns the zone of dates and of times without their own zone. */
  #localZone(calendar: number): LocalZone {
    return this.#floating.get(calendar) ?? this.#default;
  }

  /** Reads the times of a line. Throws a `RecordError` if one is invalid. */
  readTimes(line: Line, calendar: number): EventTime[] {
    const { raw, timeZone } = parseProperty(line);
    return raw.split(',').map((text) => {
      // Only the start of a period (RDATE;VALUE=PERIOD) matters.
      const [start = ''] = text.trim().split('/');
      const time = parseWallTime(start);
      if (time === undefined) {
        const what = `${show(text)} is not a date that exists`;
        throw new RecordError(`the ${line.name} ${what}; write it like 20260501T180000Z`);
      }
      const { wall, kind } = time;
      if (kind === 'utc') return { wall, zone: utc, isDate: false };
      const isNamed = kind === 'local' && timeZone !== undefined;
      const zone = isNamed ? this.#zoneOf(timeZone, calendar) : this.#localZone(calendar).zone;
      return { wall, zone, isDate: kind === 'date' };
    });
  }

  /** Reads the time of a property, if present. Throws a `RecordError` if there are several. */
  findTime(component: Component, name: string): EventTime | undefined {
    const line = findLine(component, name);
    if (line === undefined) return undefined;
    const [time, second] = this.readTimes(line, component.calendar);
    if (second !== undefined) throw new RecordError(`the ${name} has more than one date`);
    return time;
  }

  /** Reads the start of an event. Throws a `RecordError` if it is missing. */
  readStart(event: Component): EventTime {
    const start = this.findTime(event, 'DTSTART');
    if (start === undefined) throw new RecordError('the DTSTART is missing; every event needs one');
    return start;
  }
}
