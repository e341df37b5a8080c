import {
  createEventReader,
  isObject,
  type JsonObject,
  matchMembers,
  type PlacedValue,
  readValues,
  requireUtf8,
} from '../json.ts';
import {
  type ColumnProblem,
  type EventField,
  requiredFields,
  type SourceFile,
  type SourceOptions,
} from '../source.ts';
import {
  dependOnZone,
  type FormatPreview,
  type PreviewColumn,
  pickSamples,
  previewRows,
  takeFirst,
} from './report.ts';

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
export async function previewJson(
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  requireUtf8(options);
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
    columns,
    problems,
    dates: { haveSlashes: false, order: null, areLocal },
    rows: previewRows(records, timeZone, problems),
    failure: head.failure?.inWindow ?? null,
  };
}
