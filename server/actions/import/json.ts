import { ClubEventsError } from '../../errors.ts';
import { readJsonDocument } from './json-document.ts';
import { beginsWithEvent, readJsonLines } from './json-lines.ts';
import {
  type BadRecord,
  type EventField,
  eventFields,
  type FieldMap,
  type ReadSource,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from './source.ts';

export type PlacedValue = { readonly place: string; readonly value: unknown } | BadRecord;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lists the member of each field: the mapped one or, without a mapping, the one of the same name.
 */
export function matchMembers(map: FieldMap): readonly (readonly [EventField, string])[] {
  return eventFields.flatMap((field) => {
    const name = map[field] === undefined ? field : map[field];
    return name === null ? [] : [[field, name] as const];
  });
}

function createPicker({ map, ignore }: SourceOptions) {
  const sources = matchMembers(map);
  const usedNames = new Set(sources.map(([, name]) => name));
  return (event: JsonObject): SourceRecord['values'] => {
    const values: Partial<Record<EventField, unknown>> = {};
    for (const [field, name] of sources) {
      if (Object.hasOwn(event, name)) values[field] = event[name];
    }
    for (const name of Object.keys(event)) if (!usedNames.has(name)) ignore(name);
    // An unknown location is the empty text (INTERFACE section 1).
    if (values.location === null) values.location = '';
    return values;
  };
}

/** Reads the values of a list, or one per line if the first line passes `beginsWithEvent`. */
export async function* readValues(
  file: SourceFile,
  members?: readonly string[],
): AsyncGenerator<PlacedValue> {
  if (await beginsWithEvent(file, members)) {
    for await (const { line, ...rest } of readJsonLines(file))
      yield { place: `line ${line}`, ...rest };
  } else {
    for await (const { number, value } of readJsonDocument(file)) {
      yield { place: `event ${number}`, value };
    }
  }
}

/** Creates the reader of events; a value that is not an object becomes a bad record. */
export function createEventReader(options: SourceOptions) {
  const pick = createPicker(options);
  return (placed: PlacedValue): SourceItem => {
    if ('problem' in placed) return placed;
    const { place, value } = placed;
    if (!isObject(value)) return { place, problem: 'this is not an object' };
    const values = pick(value);
    const { id } = values;
    return { place: Number.isSafeInteger(id) ? `${place} (id ${id})` : place, values };
  };
}

/** Throws `wrong_usage` for any other encoding, because JSON is always UTF-8 (RFC 8259). */
export function requireUtf8({ encoding = 'utf-8' }: SourceOptions): void {
  if (encoding === 'utf-8') return;
  throw new ClubEventsError('wrong_usage', 'JSON is always UTF-8; choose no encoding.');
}

/**
 * Reads `{"events":[…]}`, a list of events, or one event per line, one at a time. Throws
 * `bad_input` naming the event or the line, counted from 1.
 */
export const readJson: ReadSource = async function* readJson(file, options) {
  requireUtf8(options);
  const read = createEventReader(options);
  const members = matchMembers(options.map).map(([, name]) => name);
  for await (const value of readValues(file, members)) yield [read(value)];
};
