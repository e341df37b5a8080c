import { asUsage, problem } from '../../base/errors.ts';
import { isZoneName } from '../../club/zone-name.ts';
import { createZone, type Wall, type Zone } from '../../dates/clock.ts';
import { message } from '../../messages/message.ts';
import { RecordError, type SourceOptions } from '../source.ts';
import { parseWallTime, utc } from './local-time.ts';
import {
  type Component,
  excerpt,
  findLine,
  findText,
  type Line,
  parseProperty,
} from './property.ts';
import { findZone, ZoneTable } from './zones.ts';

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

/** Reads the times of a file in the zones that it, its calendars and the import name. */
export class TimeReader {
  readonly #note: SourceOptions['note'];
  readonly #zones = new ZoneTable();
  readonly #floating = new Map<number, LocalZone>();
  readonly #default: LocalZone;
  readonly #unknown = new Set<string>();

  constructor({ note, timeZone }: SourceOptions) {
    this.#note = note;
    if (!isZoneName(timeZone)) throw asUsage(problem('time_zone_unknown'));
    this.#default = { name: timeZone, zone: createZone(timeZone) };
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
    else this.#noteUnknown('calendar_zone_unknown', name, this.#default.name);
  }

  /** Notes an unknown zone once, up to a limit; a hostile file could have any number of them. */
  #noteUnknown(
    key: 'zone_unknown' | 'calendar_zone_unknown',
    name: string,
    substitute: string,
  ): void {
    const id = `${key} ${name}`;
    if (this.#unknown.has(id) || this.#unknown.size === maxUnknown) return;
    this.#unknown.add(id);
    this.#note(message(`calendarNote:${key}`, { zone: excerpt(name), substitute }));
  }

  #zoneOf(name: string, calendar: number): Zone {
    const zone = this.#zones.find(name, calendar);
    if (zone !== undefined) return zone;
    const local = this.#localZone(calendar);
    this.#noteUnknown('zone_unknown', name, local.name);
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
        const values = { property: line.name, text: excerpt(text) };
        throw new RecordError(message('calendarReason:time_invalid', values));
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
    if (second !== undefined) {
      throw new RecordError(message('calendarReason:time_repeated', { property: name }));
    }
    return time;
  }

  /** Reads the start of an event. Throws a `RecordError` if it is missing. */
  readStart(event: Component): EventTime {
    const start = this.findTime(event, 'DTSTART');
    if (start === undefined) throw new RecordError(message('calendarReason:start_missing'));
    return start;
  }
}
