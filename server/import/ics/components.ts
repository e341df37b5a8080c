import type { Problem } from '../../base/errors.ts';
import { type Message, type MessageKey, message } from '../../messages/message.ts';
import { badSource, type SourceFile, type SourceOptions } from '../source.ts';
import { type ContentLine, readLines } from './lines.ts';
import { type Component, excerpt, type Line } from './property.ts';

type OpenComponent = Component & {
  problem?: Message;
  readonly lines: Line[];
  readonly parts: Component[];
};

const zoneRules = new Set(['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE']);

/** Properties to keep, by component; the rest of a file is not held in memory. */
const usedProperties: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['VCALENDAR', new Set(['PRODID', 'X-WR-TIMEZONE', 'X-WR-CALNAME', 'NAME'])],
  ['VTIMEZONE', new Set(['TZID'])],
  ['STANDARD', zoneRules],
  ['DAYLIGHT', zoneRules],
  [
    'VEVENT',
    new Set([
      ...['UID', 'SEQUENCE', 'DTSTAMP', 'LAST-MODIFIED', 'DTSTART', 'RECURRENCE-ID', 'CREATED'],
      ...['DTEND', 'DURATION'],
      ...['RRULE', 'EXRULE', 'RDATE', 'EXDATE'],
      ...['SUMMARY', 'LOCATION', 'DESCRIPTION', 'STATUS', 'CATEGORIES'],
      ...['ID', 'NAME', 'DATE', 'LOCATION', 'DESCRIPTION', 'STATUS', 'TYPE'].map(
        (name) => `X-CLUB-EVENTS-${name}`,
      ),
      ...['X-CLUB-EVENTS-REGISTRATION-OPEN', 'X-CLUB-EVENTS-CREATED-AT'],
    ]),
  ],
]);

/** An empty line about recurrence, which some programs write for events that do not repeat. */
const emptyRule = /^(?:RRULE|EXRULE|RDATE|EXDATE)(?:;[^:]*)?:\s*$/i;

/** Maximum nesting depth; an alarm of an event is at depth 3. */
const maxDepth = 8;

const maxLines = 20_000;
const maxEvents = 100_000;

class ComponentReader {
  readonly #file: string;
  readonly #open: OpenComponent[] = [];
  #calendars = 0;
  #events = 0;
  /** Property of the previous line, which a broken line may continue. */
  #property = '';
  #brokenLines = 0;
  #emptyRules = 0;
  #linesOutside = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads a line and returns the components that it completes. */
  read(line: ContentLine): readonly Component[] {
    const name = /^[\w.-]+(?=[;:])/.exec(line.text.slice(0, 200))?.[0].toUpperCase();
    const inside = this.#open.at(-1);
    if (name === 'BEGIN') return this.#begin(kindOf(line), line);
    if (this.#calendars === 0) throw this.#notACalendar();
    if (name === 'END') return this.#end(kindOf(line));
    if (inside === undefined) this.#linesOutside += 1;
    else this.#readProperty(inside, name, line);
    return [];
  }

  /** Throws a problem if a component is still open or the file is empty. */
  end(): void {
    const inside = this.#open.at(-1);
    if (inside !== undefined) {
      const reason = message('calendarReason:calendar_cut_off', { component: inside.kind });
      throw badSource(this.#file, this.#place(), reason);
    }
    if (this.#calendars === 0) {
      throw badSource(this.#file, undefined, message('calendarReason:calendar_empty'));
    }
  }

  notes(): readonly Message[] {
    return countNotes([
      ['calendarNote:broken_lines', this.#brokenLines],
      ['calendarNote:empty_rules', this.#emptyRules],
      ['calendarNote:lines_outside', this.#linesOutside],
    ]);
  }

  #begin(kind: string, line: ContentLine): Component[] {
    const isCalendar = kind === 'VCALENDAR';
    if (!isCalendar && this.#calendars === 0) throw this.#notACalendar();
    const hasCalendar = this.#open[0]?.kind === 'VCALENDAR';
    const unclosed = isCalendar ? this.#close(0) : [];
    if (kind === 'VEVENT') unclosed.push(...this.#close(hasCalendar ? 1 : 0));
    if (this.#open.length === maxDepth) {
      throw this.#refuse(message('calendarReason:nesting_too_deep', { limit: maxDepth }), line);
    }
    if (isCalendar) this.#calendars += 1;
    if (kind === 'VEVENT') this.#events += 1;
    if (this.#events > maxEvents) {
      throw this.#refuse(message('calendarReason:too_many_events', { limit: maxEvents }), line);
    }
    const eventNumber = kind === 'VEVENT' ? this.#events : 0;
    this.#open.push({ kind, calendar: this.#calendars, eventNumber, lines: [], parts: [] });
    this.#property = '';
    return unclosed;
  }

  #end(kind: string): Component[] {
    this.#property = '';
    const at = this.#open.findLastIndex((one) => one.kind === kind);
    if (at === -1) {
      this.#markEvent(message('calendarReason:part_not_begun', { component: kind }));
      if (this.#open.length === 0) this.#linesOutside += 1;
      else this.#brokenLines += 1;
      return [];
    }
    const unclosed = this.#close(at + 1);
    const ended = this.#open.pop() as OpenComponent;
    const parent = this.#open.at(-1);
    if (parent?.kind === 'VTIMEZONE' && parent.parts.length < maxLines) parent.parts.push(ended);
    return [...unclosed, ended];
  }

  /** Closes the components from this depth on, whose END is missing. */
  #close(depth: number): Component[] {
    const unclosed = this.#open.splice(depth);
    for (const component of unclosed) {
      const problem = message('calendarReason:part_not_ended', { component: component.kind });
      component.problem ??= problem;
      this.#markEvent(problem);
    }
    return unclosed.toReversed();
  }

  #markEvent(problem: Message): void {
    const event = this.#open.find(({ kind }) => kind === 'VEVENT');
    if (event !== undefined) event.problem ??= problem;
  }

  #readProperty(inside: OpenComponent, name: string | undefined, line: ContentLine): void {
    // Some programs write NAME=value; any other line continues the previous property.
    const lineName = name ?? /^[A-Z][A-Z\d-]*(?==)/.exec(line.text.slice(0, 200))?.[0];
    const property = lineName ?? this.#property;
    this.#property = property;
    const isUsed = usedProperties.get(inside.kind)?.has(property) ?? false;
    if (name !== undefined && !line.isDamaged) {
      if (inside.kind === 'VEVENT' && emptyRule.test(line.text)) this.#emptyRules += 1;
      else if (isUsed) this.#addProperty(inside, { name, text: line.text });
      return;
    }
    if (!isUsed || inside.eventNumber === 0) {
      this.#brokenLines += 1;
      return;
    }
    const key =
      lineName === undefined
        ? 'calendarReason:property_cut_off'
        : 'calendarReason:property_damaged';
    inside.problem ??= message(key, { property, line: line.number });
  }

  #addProperty(inside: OpenComponent, line: Line): void {
    if (inside.lines.length < maxLines) inside.lines.push(line);
    else inside.problem ??= message('calendarReason:too_many_properties', { limit: maxLines });
  }

  #place(): Message | undefined {
    const event = this.#events;
    if (this.#open.some(({ kind }) => kind === 'VEVENT')) return message('place:event', { event });
    return event === 0 ? undefined : message('calendarPlace:after_event', { event });
  }

  #notACalendar(): Problem {
    return badSource(this.#file, undefined, message('calendarReason:not_a_calendar'));
  }

  #refuse(reason: Message, { number: line }: ContentLine): Problem {
    const place = this.#place();
    const where =
      place === undefined
        ? message('place:line', { line })
        : message('calendarPlace:line_at', { place, line });
    return badSource(this.#file, where, reason);
  }
}

export type NoteKey = Extract<MessageKey, `calendarNote:${string}`>;

/** Returns a note on each count that is not 0. */
export function countNotes(counts: readonly (readonly [NoteKey, number])[]): Message[] {
  return counts.filter(([, count]) => count > 0).map(([key, count]) => message(key, { count }));
}

/** Returns the component name of a BEGIN or END line, short enough for a message. */
function kindOf({ text }: ContentLine): string {
  return excerpt(
    text
      .slice(text.indexOf(':') + 1, 200)
      .trim()
      .toUpperCase(),
  );
}

/**
 * Reads the components of a file in the order in which they end; a broken one has a `problem`.
 * Throws a problem if the file is not iCalendar (RFC 5545 section 3.4) or is cut off.
 */
export async function* readComponents(
  file: SourceFile,
  note: SourceOptions['note'] = () => undefined,
): AsyncGenerator<Component> {
  const reader = new ComponentReader(file.name);
  for await (const lines of readLines(file)) {
    for (const line of lines) yield* reader.read(line);
  }
  reader.end();
  for (const each of reader.notes()) note(each);
}
