import { badSource, type SourceFile } from '../source.ts';
import { type ContentLine, readLines } from './lines.ts';

/** A property of a component as the file has it: its name in capitals and the whole line. */
export type Line = { readonly name: string; readonly text: string };

/** A component (RFC 5545 section 3.6) with the properties that an import looks at. */
export type Component = {
  /** In capitals: `VEVENT`. */
  readonly kind: string;
  /** Which calendar of the file it is in, counted from 1. */
  readonly calendar: number;
  /** Which event of the file it is, counted from 1; 0 when it is none. */
  readonly turn: number;
  readonly lines: readonly Line[];
  /** The rules of a time zone; of others, their parts are given by themselves. */
  readonly parts: readonly Component[];
};

type OpenComponent = Component & { readonly lines: Line[]; readonly parts: Component[] };

const zoneRules = new Set(['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE']);

/** The properties that are kept, by component; whatever else a file has is not held in memory. */
const wanted: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['VCALENDAR', new Set(['X-WR-TIMEZONE'])],
  ['VTIMEZONE', new Set(['TZID'])],
  ['STANDARD', zoneRules],
  ['DAYLIGHT', zoneRules],
  [
    'VEVENT',
    new Set([
      ...['UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'RECURRENCE-ID', 'CREATED'],
      ...['RRULE', 'EXRULE', 'RDATE', 'EXDATE'],
      ...['SUMMARY', 'LOCATION', 'DESCRIPTION', 'STATUS', 'CATEGORIES'],
      ...['ID', 'NAME', 'DATE', 'LOCATION', 'DESCRIPTION', 'STATUS', 'TYPE'].map(
        (name) => `X-CLUB-EVENTS-${name}`,
      ),
      ...['X-CLUB-EVENTS-REGISTRATION-OPEN', 'X-CLUB-EVENTS-CREATED-AT'],
    ]),
  ],
]);

/** How deep components may nest; an alarm of an event of a calendar is at depth 3. */
const deepest = 8;

const mostLines = 20_000;
const mostEvents = 100_000;

/** Follows the lines of a file and gives the components that they complete. */
class ComponentReader {
  readonly #file: string;
  readonly #open: OpenComponent[] = [];
  #calendars = 0;
  #events = 0;
  /** A line that is none, until another one shows that the file does not just end in it. */
  #broken: ContentLine | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  take(line: ContentLine): Component | undefined {
    if (this.#broken !== undefined) throw this.#refuse('this is not "NAME:value"', this.#broken);
    const name = /^[\w.-]+(?=[;:])/.exec(line.text.slice(0, 200))?.[0].toUpperCase();
    const inside = this.#open.at(-1);
    if (name === 'BEGIN') this.#begin(kindOf(line), line);
    else if (inside === undefined) throw this.#refuseOutside(line);
    else if (name === undefined) this.#broken = line;
    else if (name === 'END') return this.#end(kindOf(line), inside, line);
    else if (wanted.get(inside.kind)?.has(name)) this.#keep(inside, { name, text: line.text });
    return undefined;
  }

  /** Throws when a component is still open, or when there was none. */
  end(): void {
    const inside = this.#open.at(-1);
    if (inside !== undefined) {
      const what = `the file ends here, inside a ${inside.kind}; get it again`;
      throw badSource(this.#file, this.#place(), what);
    }
    if (this.#calendars === 0) throw badSource(this.#file, undefined, 'the file is empty');
  }

  #begin(kind: string, line: ContentLine): void {
    const parent = this.#open.at(-1);
    if (parent === undefined && kind !== 'VCALENDAR') throw this.#refuseOutside(line);
    const isMisplaced = parent !== undefined && parent.kind !== 'VCALENDAR' && kind === 'VEVENT';
    if (isMisplaced || (parent !== undefined && kind === 'VCALENDAR')) {
      throw this.#refuse(`a ${kind} begins inside a ${parent.kind}, which has no end`, line);
    }
    if (this.#open.length === deepest) {
      throw this.#refuse(`the file nests deeper than ${deepest} levels`, line);
    }
    if (kind === 'VCALENDAR') this.#calendars += 1;
    if (kind === 'VEVENT') this.#events += 1;
    if (this.#events > mostEvents) {
      throw this.#refuse(`the file has more than ${mostEvents} events; export it in parts`, line);
    }
    const turn = kind === 'VEVENT' ? this.#events : 0;
    this.#open.push({ kind, calendar: this.#calendars, turn, lines: [], parts: [] });
  }

  #end(kind: string, inside: OpenComponent, line: ContentLine): Component {
    if (kind !== inside.kind) {
      throw this.#refuse(`a ${kind} ends here, inside a ${inside.kind}`, line);
    }
    this.#open.pop();
    const parent = this.#open.at(-1);
    if (parent?.kind === 'VTIMEZONE' && parent.parts.length < mostLines) parent.parts.push(inside);
    return inside;
  }

  #keep(inside: OpenComponent, line: Line): void {
    if (inside.lines.length === mostLines) {
      const what = `the ${inside.kind} has more than ${mostLines} properties`;
      throw badSource(this.#file, this.#place(), what);
    }
    inside.lines.push(line);
  }

  #place(): string | undefined {
    if (this.#open.some(({ kind }) => kind === 'VEVENT')) return `event ${this.#events}`;
    return this.#events === 0 ? undefined : `after event ${this.#events}`;
  }

  #refuse(what: string, { number }: ContentLine) {
    const place = this.#place();
    return badSource(this.#file, `${place === undefined ? '' : `${place}, `}line ${number}`, what);
  }

  #refuseOutside(line: ContentLine) {
    if (this.#calendars > 0) return this.#refuse('text follows the end of the calendar', line);
    const what = 'this is not an iCalendar file: it does not begin with BEGIN:VCALENDAR';
    return badSource(this.#file, undefined, what);
  }
}

/** What a BEGIN or END line is of, short enough for a message. */
function kindOf({ text }: ContentLine): string {
  return text
    .slice(text.indexOf(':') + 1, 200)
    .trim()
    .toUpperCase()
    .slice(0, 40);
}

/**
 * Reads the components of a file as they end, inner ones first. Throws `bad_input` naming event
 * and line when the file is no iCalendar (RFC 5545 section 3.4), is cut off or damaged.
 */
export async function* readComponents(file: SourceFile): AsyncGenerator<Component> {
  const reader = new ComponentReader(file.name);
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const component = reader.take(line);
      if (component !== undefined) yield component;
    }
  }
  reader.end();
}
