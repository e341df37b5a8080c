import { isUtf8 } from 'node:buffer';
import type { Problem } from '../../../errors.ts';
import { type Message, type MessageKey, message } from '../../../messages/messages.ts';
import { createSampler, decodeText, detectSingleByte, type Encoding, nameOf } from '../encoding.ts';
import { createUtf8Check } from '../json/parse.ts';
import { badSource, type SourceFile, type SourceOptions } from '../source.ts';
import { excerpt } from './property.ts';

type ContentLine = {
  readonly text: string;
  /** Number of the line in the file on which it begins, counted from 1. */
  readonly number: number;
  /** True if the line has a NUL or is not UTF-8; in the latter case `text` is Latin-1. */
  readonly isDamaged: boolean;
};

/** Maximum size of a file in MiB. */
const maxFileSize = 32;

/** Maximum length of a content line in bytes: five times the longest text of an event. */
const maxLineLength = 1_000_000;

const byteOrderMark = '\xef\xbb\xbf';

/** Reasons to refuse a file by its first bytes. */
const signatures = [
  ['PK\x03\x04', 'calendarReason:calendar_zip'],
  ['\xff\xfe', 'calendarReason:calendar_utf16'],
  ['\xfe\xff', 'calendarReason:calendar_utf16'],
] as const;

/** Decodes a line of bytes as UTF-8; a line in another encoding stays Latin-1. */
function decode(line: string): Pick<ContentLine, 'text' | 'isDamaged'> {
  const isDamaged = line.includes('\0');
  if (!/[\x80-\xff]/.test(line)) return { text: line, isDamaged };
  const bytes = Buffer.from(line, 'latin1');
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8'), isDamaged }
    : { text: line, isDamaged: true };
}

class LineReader {
  readonly #file: string;
  #size = 0;
  #number = 0;
  #rest = '';
  #folded: { text: string; readonly number: number } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns the lines that a chunk completes. They are decoded when they are whole, because a fold
   * may split a character.
   */
  write(chunk: Uint8Array): ContentLine[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    if (this.#size === 0) this.#checkSignature(bytes);
    this.#size += chunk.byteLength;
    if (this.#size > maxFileSize * 1024 * 1024) {
      const reason = message('calendarReason:calendar_too_large', { limit: maxFileSize });
      throw badSource(this.#file, undefined, reason);
    }
    const text = this.#rest + bytes;
    const complete: ContentLine[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      this.#addLine(text.slice(at, end), complete);
      at = end + 1;
    }
    this.#rest = text.slice(at);
    this.#checkLength(this.#rest.length, this.#number + 1);
    return complete;
  }

  end(): ContentLine[] {
    const complete: ContentLine[] = [];
    if (this.#rest !== '') this.#addLine(this.#rest, complete);
    this.#flush(complete);
    return complete;
  }

  #addLine(line: string, complete: ContentLine[]): void {
    this.#number += 1;
    let length = line.length;
    while (line[length - 1] === '\r') length -= 1;
    const isFolded = line[0] === ' ' || line[0] === '\t';
    if (isFolded && this.#folded !== undefined) {
      this.#folded.text += line.slice(1, length);
      this.#checkLength(this.#folded.text.length, this.#folded.number);
      return;
    }
    this.#flush(complete);
    this.#checkLength(length, this.#number);
    this.#folded = { text: line.slice(0, length), number: this.#number };
  }

  #flush(complete: ContentLine[]): void {
    if (this.#folded === undefined) return;
    const { text: bytes, number } = this.#folded;
    const text = number === 1 && bytes.startsWith(byteOrderMark) ? bytes.slice(3) : bytes;
    this.#folded = undefined;
    if (text.trim() !== '') complete.push({ ...decode(text), number });
  }

  #checkSignature(bytes: string): void {
    const [, key] = signatures.find(([beginning]) => bytes.startsWith(beginning)) ?? [];
    if (key !== undefined) throw badSource(this.#file, undefined, message(key));
  }

  #checkLength(length: number, line: number): void {
    if (length <= maxLineLength) return;
    const reason = message('calendarReason:calendar_line_too_long', { limit: maxLineLength });
    throw badSource(this.#file, message('place:line', { line }), reason);
  }
}

/**
 * Detects the encoding of a calendar. UTF-8, the standard, is preferred: other lines are damaged,
 * unless they are the majority of the non-ASCII lines and share one other encoding.
 */
async function detectEncoding(file: SourceFile): Promise<Encoding> {
  const check = createUtf8Check();
  for await (const chunk of file.open({ reuse: true })) check.push(chunk);
  if (check.end()) return 'utf-8';
  const sampler = createSampler();
  let [sound, damaged] = [0, 0];
  for await (const lines of readLines(file)) {
    for (const { text, isDamaged } of lines) {
      if (isDamaged) {
        damaged += 1;
        sampler.take(Buffer.from(`${text}\n`, 'latin1'));
      } else if (/[^\0-\x7f]/.test(text)) sound += 1;
    }
  }
  return (sound < damaged && detectSingleByte(sampler.result())) || 'utf-8';
}

/** Returns the file as UTF-8 and notes any other encoding that was detected. */
export async function decodeCalendar(
  file: SourceFile,
  { encoding: requested, note }: SourceOptions,
): Promise<SourceFile> {
  const encoding = requested ?? (await detectEncoding(file));
  if (encoding === 'utf-8') return file;
  if (requested === undefined) {
    note(message('calendarNote:calendar_encoding', { encoding: nameOf(encoding) }));
  }
  return { name: file.name, open: () => decodeText(file.open(), encoding, file.name) };
}

/**
 * Reads the content lines of an iCalendar file (RFC 5545 section 3.1) in UTF-8, one chunk at a
 * time. Throws a problem that names the line, or refuses a file above 32 MiB.
 */
async function* readLines(file: SourceFile): AsyncGenerator<readonly ContentLine[]> {
  const reader = new LineReader(file.name);
  for await (const chunk of file.open()) yield reader.write(chunk);
  yield reader.end();
}

/** A property as the file has it: its upper-case name and the whole line. */
export type Line = { readonly name: string; readonly text: string };

/** A component (RFC 5545 section 3.6) with the properties that an import uses. */
export type Component = {
  /** Upper-case name, such as `VEVENT`. */
  readonly kind: string;
  /** Number of its calendar in the file, counted from 1. */
  readonly calendar: number;
  /** Number of the event in the file, counted from 1; 0 for any other component. */
  readonly eventNumber: number;
  /** The reason why it cannot be used. */
  readonly problem?: Message;
  readonly lines: readonly Line[];
  /** The rules of a time zone. Empty for other components, whose parts are read separately. */
  readonly parts: readonly Component[];
};

type OpenComponent = Component & {
  problem?: Message;
  readonly lines: Line[];
  readonly parts: Component[];
};

const zoneRules = new Set(['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE']);

/** Properties to keep, by component; the rest of a file is not held in memory. */
const usedProperties: ReadonlyMap<string, ReadonlySet<string>> = new Map([
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
