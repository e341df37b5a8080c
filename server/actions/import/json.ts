import { readJsonDocument } from './json-document.ts';
import { beginsWithEvent, readJsonLines } from './json-lines.ts';
import {
  badSource,
  type EventField,
  eventFields,
  type ReadSource,
  type SourceFile,
  type SourceOptions,
  type SourceRecord,
} from './source.ts';

type PlacedValue = { readonly place: string; readonly value: unknown };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes what picks the fields out of an event, by the members that bear or are given their names. */
function createPicker({ map, ignore }: SourceOptions) {
  const sources = eventFields.map((field) => [field, map[field] ?? field] as const);
  const taken = new Set(sources.map(([, name]) => name));
  return (event: Readonly<Record<string, unknown>>): SourceRecord['values'] => {
    const values: Partial<Record<EventField, unknown>> = {};
    for (const [field, name] of sources) {
      if (Object.hasOwn(event, name)) values[field] = event[name];
    }
    for (const name of Object.keys(event)) if (!taken.has(name)) ignore(name);
    // "Unknown" is the empty text (INTERFACE section 1).
    if (values.location === null) values.location = '';
    return values;
  };
}

async function* readValues(file: SourceFile, { map }: SourceOptions): AsyncGenerator<PlacedValue> {
  const members = eventFields.map((field) => map[field] ?? field);
  if (await beginsWithEvent(file, members)) {
    for await (const { line, value } of readJsonLines(file)) yield { place: `line ${line}`, value };
  } else {
    for await (const { turn, value } of readJsonDocument(file)) {
      yield { place: `event ${turn}`, value };
    }
  }
}

/**
 * Reads `{"events":[…]}`, a list of events, or one event a line, an event at a time. Throws
 * `bad_input` naming the event or the line, counted from 1.
 */
export const readJson: ReadSource = async function* readJson(file, options) {
  const pick = createPicker(options);
  for await (const { place, value } of readValues(file, options)) {
    if (!isObject(value)) throw badSource(file.name, place, 'this is not an object');
    const values = pick(value);
    const { id } = values;
    yield [{ place: Number.isSafeInteger(id) ? `${place} (id ${id})` : place, values }];
  }
};
