import { ClubEventsError } from '../../../errors.ts';
import { createDraftParser, type ParseDraft } from '../draft.ts';
import type { ImportFormat } from '../reading.ts';
import type { ColumnProblem, DateOrder, EventField, SourceItem, SourceRecord } from '../source.ts';

/** A column or member of a file. */
export type PreviewColumn = {
  readonly name: string;
  /** The first few of its values that differ, shortened. */
  readonly samples: readonly string[];
  /** What it is taken for; `time` is that of the date. */
  readonly takenAs: EventField | 'time' | null;
};

/** What has to be chosen before the file can be imported. */
export type PreviewProblem =
  | ColumnProblem
  /** The column does not tell whether its dates with slashes begin with the day or the month. */
  | {
      readonly kind: 'dateOrder';
      readonly field: EventField;
      readonly place: string;
      readonly cell: string;
    };

export type PreviewValue = string | number | boolean | null;

/** A row as it would be imported; its values are as the file has them where they cannot be read. */
export type PreviewRow = {
  readonly place: string;
  /** Long texts are shortened. Dates that can be read are timestamps of the contract. */
  readonly values: Readonly<Partial<Record<EventField, PreviewValue>>>;
  /** The reason why the row is bad, beside the problems of columns; no field if it is unreadable. */
  readonly problem: { readonly field?: EventField; readonly what: string } | null;
};

export type PreviewDates = {
  /** Whether some are written with slashes, so that the order of day and month is a question. */
  readonly haveSlashes: boolean;
  /** How these are meant, as far as it is told. */
  readonly order: DateOrder | null;
  /** Whether the time zone matters. */
  readonly areLocal: boolean;
};

/** What the beginning of a file would become. */
export type FormatPreview = {
  /** None for a format whose fields are given. */
  readonly columns: readonly PreviewColumn[];
  readonly problems: readonly PreviewProblem[];
  readonly dates: PreviewDates;
  readonly rows: readonly PreviewRow[];
  /** Why the import would be refused after these rows, in a sentence for the window. */
  readonly failure: string | null;
};

export type ImportPreview = FormatPreview & {
  readonly file: string;
  readonly format: ImportFormat;
  /** What was read otherwise than it may seem, a sentence each. */
  readonly notes: readonly string[];
};

const longestSample = 60;
const longestValue = 300;
const mostSamples = 3;

export function shorten(text: string, longest = longestSample): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The first few of the values that differ and are not empty. */
export function pickSamples(values: Iterable<string>): string[] {
  const samples = new Set<string>();
  for (const value of values) {
    if (value.trim() !== '') samples.add(shorten(value.trim()));
    if (samples.size === mostSamples) break;
  }
  return [...samples];
}

/** The beginning of what a reading gives, and the refusal that it ended with before there was enough. */
export type Head<T> = {
  readonly taken: readonly T[];
  readonly failure: ClubEventsError | undefined;
};

/** Takes the first of what a reading gives. Throws its error when that comes before all else. */
export async function takeFirst<T>(
  reading: AsyncIterable<Iterable<T>>,
  most: number,
): Promise<Head<T>> {
  const taken: T[] = [];
  try {
    for await (const some of reading) {
      for (const one of some) if (taken.push(one) === most) return { taken, failure: undefined };
    }
    return { taken, failure: undefined };
  } catch (error) {
    if (taken.length === 0 || !(error instanceof ClubEventsError)) throw error;
    return { taken, failure: error };
  }
}

function showValue(value: unknown): PreviewValue | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), longestValue);
}

function showValues(values: SourceRecord['values']): PreviewRow['values'] {
  const shown = Object.entries(values).map(([field, value]) => [field, showValue(value)] as const);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

/** A date in the form of the contract; undefined when it cannot be read. */
function readDate(parse: ParseDraft, record: SourceRecord, date: unknown): string | undefined {
  const draft = parse({ ...record, values: { name: '-', date } });
  return 'what' in draft ? undefined : draft.date;
}

/** The values of a record that cannot become an event, with those dates that can be read. */
function readValues(parse: ParseDraft, record: SourceRecord): SourceRecord['values'] {
  const { values } = record;
  const dates = (['date', 'createdAt'] as const).flatMap((field) => {
    const date = readDate(parse, record, values[field]);
    return date === undefined ? [] : [[field, date] as const];
  });
  return { ...values, ...Object.fromEntries(dates) };
}

/** The rows of records, whose problems are told where they are not those of the whole columns. */
export function previewRows(
  records: readonly SourceItem[],
  timeZone: string,
  problems: readonly PreviewProblem[],
): PreviewRow[] {
  const parse = createDraftParser(timeZone);
  const told = new Set<string>(problems.map(({ field }) => field));
  return records.map((record) => {
    if ('problem' in record) {
      return { place: record.place, values: {}, problem: { what: record.problem } };
    }
    const draft = parse(record);
    const problem = 'what' in draft ? draft : null;
    const values = problem === null ? { ...record.values, ...draft } : readValues(parse, record);
    const isTold = problem !== null && told.has(problem.field);
    return { place: record.place, values: showValues(values), problem: isTold ? null : problem };
  });
}

/** Another zone than the one given, as far from it as clocks go. */
export function otherZone(timeZone: string): string {
  return timeZone === 'Etc/GMT+12' ? 'Etc/GMT-14' : 'Etc/GMT+12';
}

/** Whether the dates of records would be others in another zone. */
export function dependOnZone(records: readonly SourceItem[], timeZone: string): boolean {
  const here = createDraftParser(timeZone);
  const there = createDraftParser(otherZone(timeZone));
  return records.some((record) => {
    if ('problem' in record) return false;
    const { date } = record.values;
    return readDate(here, record, date) !== readDate(there, record, date);
  });
}
