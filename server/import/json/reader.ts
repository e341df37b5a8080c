import { type EventField, eventFields } from '../../../db/model.ts';
import { asUsage, packProblem, problem } from '../../base/errors.ts';
import { type Message, message } from '../../messages/message.ts';
import {
  dependOnZone,
  type FormatPreview,
  type FormatReader,
  type PreviewColumn,
  pickSamples,
  previewRows,
  takeFirst,
} from '../preview.ts';
import {
  type BadRecord,
  type ColumnProblem,
  type FieldMap,
  mappedName,
  requiredFields,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from '../source.ts';
import { beginsWithEvent, readJsonDocument, readJsonLines } from './parse.ts';

type PlacedValue = { readonly place: Message; readonly value: unknown } | BadRecord;

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lists the member of each field: the mapped one or, without a mapping, the one of the same name.
 */
function matchMembers(map: FieldMap): readonly (readonly [EventField, string])[] {
  return eventFields.flatMap((field) => {
    const name = mappedName(field, map);
    return name === null ? [] : [[field, name ?? field] as const];
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
    for await (const { line, ...rest } of readJsonLines(file)) {
      yield { place: message('place:line', { line }), ...rest };
    }
  } else {
    for (const [index, value] of (await readJsonDocument(file)).entries()) {
      yield { place: message('place:event', { event: index + 1 }), value };
    }
  }
}

/** Creates the reader of events; a value that is not an object becomes a bad record. */
function createEventReader(options: SourceOptions) {
  const pick = createPicker(options);
  return (placed: PlacedValue): SourceItem => {
    if ('problem' in placed) return placed;
    const { place, value } = placed;
    if (!isObject(value)) return { place, problem: message('reason:not_an_object') };
    const values = pick(value);
    const { id } = values;
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) return { place, values };
    return { place: message('place:event_id', { place, id }), values };
  };
}

/**
 * Throws `wrong_usage` for options that only tables have, and for any encoding but UTF-8, which
 * JSON always has (RFC 8259).
 */
function requireJsonOptions({ encoding = 'utf-8', map, sheet }: SourceOptions): void {
  if (encoding !== 'utf-8') throw asUsage(problem('json_encoding'));
  const isForTables = typeof map.time === 'string' || Array.isArray(map.time);
  if (isForTables || sheet !== undefined) throw asUsage(problem('option_for_tables'));
}

/**
 * Reads `{"events":[…]}` or a list of events as a whole, or one event per line, one at a time.
 * Throws a problem naming the line, if any, counted from 1.
 */
async function* readJson(file: SourceFile, options: SourceOptions) {
  requireJsonOptions(options);
  const read = createEventReader(options);
  const members = matchMembers(options.map).map(([, name]) => name);
  for await (const value of readValues(file, members)) yield [read(value)];
}

/** Maximum number of members shown; nobody looks through more. */
const maxMembers = 300;

async function* inSingles(values: AsyncIterable<PlacedValue>): AsyncGenerator<PlacedValue[]> {
  for await (const value of values) yield [value];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function collectMembers(events: readonly JsonObject[]): Set<string> {
  const members = new Set<string>();
  for (const event of events) {
    for (const name of Object.keys(event)) if (members.size < maxMembers) members.add(name);
  }
  return members;
}

function findProblems(
  matched: ReadonlyMap<EventField, string>,
  members: ReadonlySet<string>,
): ColumnProblem[] {
  const unknown = [...matched]
    .filter(([field, name]) => name !== field && !members.has(name))
    .map(([field, name]) => ({ kind: 'unknown', field, name }) as const);
  const missing = requiredFields
    .filter((field) => !members.has(matched.get(field) ?? ''))
    .filter((field) => !unknown.some((one) => one.field === field))
    .map((field) => ({ kind: 'missing', field }) as const);
  return [...unknown, ...missing];
}

/** Previews the first events of a JSON file without reading the rest. */
async function previewJson(
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  requireJsonOptions(options);
  const head = await takeFirst(inSingles(readValues(file)), maxRows);
  const records = head.items.map(createEventReader(options));
  const events = head.items.flatMap((placed) =>
    'value' in placed && isObject(placed.value) ? [placed.value] : [],
  );
  const members = collectMembers(events);
  const matched = new Map(matchMembers(options.map));
  const fields = new Map([...matched].map(([field, name]) => [name, field]));
  const columns = [...members].map((name): PreviewColumn => {
    const samples = pickSamples(events.map((event) => textOf(event[name])));
    return { name, samples, takenAs: fields.get(name) ?? null };
  });
  const problems = events.length === 0 ? [] : findProblems(matched, members);
  const { timeZone } = options;
  const areLocal = dependOnZone(records, timeZone);
  return {
    titles: [],
    columns,
    table: null,
    problems,
    dates: { haveSlashes: false, order: null, areLocal },
    rows: previewRows(records, timeZone, problems),
    failure: head.failure === undefined ? null : packProblem(head.failure),
  };
}

export const reader: FormatReader = { read: readJson, preview: previewJson };
