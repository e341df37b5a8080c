import { RecordError } from '../source.ts';
import type { Component } from './components.ts';
import { createFileZone } from './file-zone.ts';
import { findText, type Refuse, show } from './property.ts';
import type { Zone } from './wall.ts';
import { createNamedZone, findZone, isZoneName } from './zone-names.ts';

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
      throw new RecordError(`the file has more than ${maxZones} time zones (VTIMEZONE)`);
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
    if (isZoneName(name)) return createNamedZone(name);
    if (definition === undefined) return findZone(name);
    try {
      return this.#createFileZone(name, definition);
    } catch (error) {
      if (error instanceof RecordError) return error;
      throw error;
    }
  }

  #createFileZone(name: string, definition: Component): Zone {
    const refuse: Refuse = (what) => new RecordError(`the VTIMEZONE ${show(name)} ${what}`);
    return createFileZone(definition, refuse, () => {
      this.#steps += 1;
      if (this.#steps > maxSteps) throw refuse('has rules that take too long to work out');
    });
  }
}
