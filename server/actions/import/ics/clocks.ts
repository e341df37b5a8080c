import { ClubEventsError } from '../../../errors.ts';
import type { SourceOptions } from '../source.ts';
import type { Component, Line } from './components.ts';
import { findLine, findText, parseProperty, type Refuse, show } from './property.ts';
import { parseWallTime, utc, type Wall, type Zone } from './wall.ts';
import { createNamedZone, findZoneName, isZoneName, ZoneTable } from './zones.ts';

/** A point in time as an event tells it; a date is its midnight. */
export type EventTime = {
  readonly wall: Wall;
  readonly zone: Zone;
  readonly isDate: boolean;
};

/** Milliseconds since 1970 in UTC. */
export function instantOf({ wall, zone }: EventTime): number {
  return zone.toInstant(wall);
}

/** Knows which zones the times of a file are in. */
export class Clocks {
  readonly #options: SourceOptions;
  readonly #zones = new ZoneTable();
  readonly #floating = new Map<number, Zone>();
  readonly #default: Zone;

  constructor(options: SourceOptions) {
    this.#options = options;
    const { timeZone } = options;
    if (!isZoneName(timeZone)) {
      const what = `${show(timeZone)} is not a time zone; give one like Europe/Berlin`;
      throw new ClubEventsError('wrong_usage', `${what}.`);
    }
    this.#default = createNamedZone(timeZone);
  }

  defineZone(component: Component, refuse: Refuse): void {
    this.#zones.define(component, refuse);
  }

  /** Takes X-WR-TIMEZONE of a calendar: where its dates, and times without a zone, are local. */
  defineCalendar(calendar: Component, refuse: Refuse): void {
    const name = findText(calendar, 'X-WR-TIMEZONE', refuse)?.trim();
    if (name === undefined || name === '') return;
    const found = findZoneName(name);
    if (found !== undefined) this.#floating.set(calendar.calendar, createNamedZone(found));
    else {
      const { note, timeZone } = this.#options;
      note(`X-WR-TIMEZONE ${show(name)} is not known; its times were taken as ${timeZone}.`);
    }
  }

  /** The times that a line lists. Throws when one is none, does not exist or has no known zone. */
  readTimes(line: Line, calendar: number, refuse: Refuse): EventTime[] {
    const { raw, timeZone } = parseProperty(line, refuse);
    return raw.split(',').map((text) => {
      // Of a period (RDATE;VALUE=PERIOD), an event needs the beginning.
      const [start = ''] = text.trim().split('/');
      const time = parseWallTime(start);
      if (time === undefined) {
        const what = `${show(text)} is not a date that exists`;
        throw refuse(`the ${line.name} ${what}; write it like 20260501T180000Z`);
      }
      const { wall, kind } = time;
      if (kind === 'utc') return { wall, zone: utc, isDate: false };
      const isNamed = kind === 'local' && timeZone !== undefined;
      const zone = isNamed
        ? this.#zones.zoneOf(timeZone, calendar, refuse)
        : (this.#floating.get(calendar) ?? this.#default);
      return { wall, zone, isDate: kind === 'date' };
    });
  }

  /** The time of a property that has one; undefined when it is not there. */
  findTime(component: Component, name: string, refuse: Refuse): EventTime | undefined {
    const line = findLine(component, name);
    if (line === undefined) return undefined;
    const [time, second] = this.readTimes(line, component.calendar, refuse);
    if (second !== undefined) throw refuse(`the ${name} has more than one date`);
    return time;
  }

  /** When an event begins. Throws when it does not say. */
  readStart(event: Component, refuse: Refuse): EventTime {
    const start = this.findTime(event, 'DTSTART', refuse);
    if (start === undefined) throw refuse('the DTSTART is missing; every event needs one');
    return start;
  }
}
