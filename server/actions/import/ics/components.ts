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
  /** The reason for which it cannot be used. */
  readonly problem?: string;
  readonly lines: readonly Line[];
  /** The rules of a time zone; of others, their parts are given by themselves. */
  readonly parts: readonly Component[];
};

type OpenComponent = Component & {
  problem?: string;
  readonly lines: Line[];
  readonly parts: Component[];
};

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

/** A line that some programs write for events that do not repeat. */
const emptyRecurrence = /^(?:RRULE|EXRULE|RDATE|EXDATE)(?:;[^:]*)?:\s*$/i;

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
  /** The property of the line before, which a broken line may be the rest of. */
  #property = '';
  #brokenLines = 0;
  #emptyRecurrences = 0;
  #linesOutside = 0;

  constructor(file: string) {
    this.#file = file;
  }

  take(line: ContentLine): readonly Component[] {
    const name = /^[\w.-]+(?=[;:])/.exec(line.text.slice(0, 200))?.[0].toUpperCase();
    const inside = this.#open.at(-1);
    if (name === 'BEGIN') return this.#begin(kindOf(line), line);
    if (this.#calendars === 0) {
      const what = 'this is not an iCalendar file: it does not begin with BEGIN:VCALENDAR';
      throw badSource(this.#file, undefined, what);
    }
    if (name === 'END') return this.#end(kindOf(line));
    if (inside === undefined) this.#linesOutside += 1;
    else this.#takeProperty(inside, name, line);
    return [];
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

  /** The lines that were left out, a sentence each. */
  *notes(): Generator<string> {
    const were = (count: number) => (count === 1 ? '1 line was' : `${count} lines were`);
    if (this.#brokenLines > 0) yield `${were(this.#brokenLines)} broken and left out.`;
    if (this.#emptyRecurrences > 0) {
      yield `${were(this.#emptyRecurrences)} about repetition but empty, and left out.`;
    }
    if (this.#linesOutside > 0) {
      yield `${were(this.#linesOutside)} after the end of the calendar and left out.`;
    }
  }

  #begin(kind: string, line: ContentLine): Component[] {
    const isCalendar = kind === 'VCALENDAR';
    if (!isCalendar && this.#calendars === 0) {
      const what = 'this is not an iCalendar file: it does not begin with BEGIN:VCALENDAR';
      throw badSource(this.#file, undefined, what);
    }
    const hasCalendar = this.#open[0]?.kind === 'VCALENDAR';
    const unended = isCalendar ? this.#close(0) : [];
    if (kind === 'VEVENT') unended.push(...this.#close(hasCalendar ? 1 : 0));
    if (this.#open.length === deepest) {
      throw this.#refuse(`the file nests deeper than ${deepest} levels`, line);
    }
    if (isCalendar) this.#calendars += 1;
    if (kind === 'VEVENT') this.#events += 1;
    if (this.#events > mostEvents) {
      throw this.#refuse(`the file has more than ${mostEvents} events; export it in parts`, line);
    }
    const turn = kind === 'VEVENT' ? this.#events : 0;
    this.#open.push({ kind, calendar: this.#calendars, turn, lines: [], parts: [] });
    this.#property = '';
    return unended;
  }

  #end(kind: string): Component[] {
    this.#property = '';
    const at = this.#open.findLastIndex((one) => one.kind === kind);
    if (at === -1) {
      this.#markEvent(`a ${kind} ends in it that did not begin`);
      if (this.#open.length === 0) this.#linesOutside += 1;
      else this.#brokenLines += 1;
      return [];
    }
    const unended = this.#close(at + 1);
    const ended = this.#open.pop() as OpenComponent;
    const parent = this.#open.at(-1);
    if (parent?.kind === 'VTIMEZONE' && parent.parts.length < mostLines) parent.parts.push(ended);
    return [...unended, ended];
  }

  /** Closes the components at this depth and below, whose end is missing. */
  #close(depth: number): Component[] {
    const unended = this.#open.splice(depth);
    for (const component of unended) {
      const problem = `a ${component.kind} begins that has no end`;
      component.problem ??= problem;
      this.#markEvent(problem);
    }
    return unended.toReversed();
  }

  #markEvent(problem: string): void {
    const event = this.#open.find(({ kind }) => kind === 'VEVENT');
    if (event !== undefined) event.problem ??= problem;
  }

  #takeProperty(inside: OpenComponent, name: string | undefined, line: ContentLine): void {
    // Some programs write NAME=value; any other line is the rest of the property before it.
    const own = name ?? /^[A-Z][A-Z\d-]*(?==)/.exec(line.text.slice(0, 200))?.[0];
    const property = own ?? this.#property;
    this.#property = property;
    const isWanted = wanted.get(inside.kind)?.has(property) ?? false;
    if (name !== undefined && !line.isDamaged) {
      if (inside.kind === 'VEVENT' && emptyRecurrence.test(line.text)) this.#emptyRecurrences += 1;
      else if (isWanted) this.#keep(inside, { name, text: line.text });
      return;
    }
    if (!isWanted || inside.turn === 0) {
      this.#brokenLines += 1;
      return;
    }
    inside.problem ??=
      own === undefined
        ? `the ${property} is cut off: line ${line.number} is not "NAME:value"`
        : `the ${property} in line ${line.number} is damaged`;
  }

  #keep(inside: OpenComponent, line: Line): void {
    if (inside.lines.length < mostLines) inside.lines.push(line);
    else inside.problem ??= `it has more than ${mostLines} properties`;
  }

  #place(): string | undefined {
    if (this.#open.some(({ kind }) => kind === 'VEVENT')) return `event ${this.#events}`;
    return this.#events === 0 ? undefined : `after event ${this.#events}`;
  }

  #refuse(what: string, { number }: ContentLine) {
    const place = this.#place();
    return badSource(this.#file, `${place === undefined ? '' : `${place}, `}line ${number}`, what);
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
 * Reads the components of a file as they end, inner ones first; one that is broken has a problem.
 * Throws `bad_input` when the file is no iCalendar (RFC 5545 section 3.4) or is cut off.
 */
export async function* readComponents(
  file: SourceFile,
  note: (sentence: string) => void = () => undefined,
): AsyncGenerator<Component> {
  const reader = new ComponentReader(file.name);
  for await (const lines of readLines(file)) {
    for (const line of lines) yield* reader.take(line);
  }
  reader.end();
  for (const sentence of reader.notes()) note(sentence);
}
