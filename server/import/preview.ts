import type { EventField } from '../../db/model.ts';
import { Problem } from '../base/errors.ts';
import { createDraftParser, type ParseDraft } from '../club/event-draft.ts';
import type { DateOrder } from '../dates/dates.ts';
import type { Message, PackedProblem } from '../messages/message.ts';
import type { ImportFormat } from './formats.ts';
import type {
  ColumnProblem,
  FileItem,
  SourceFile,
  SourceItem,
  SourceOptions,
  SourceRecord,
  TableField,
} from './source.ts';
import type { LayoutKind } from './table/layouts.ts';

export type PreviewColumn = {
  readonly name: string;
  /** The first few distinct values, shortened. */
  readonly samples: readonly string[];
  /** The field as which it is imported, alone or together with other columns. */
  readonly takenAs: TableField | null;
};

/** A problem that the user has to solve before the file can be imported. */
export type PreviewProblem =
  | ColumnProblem
  /** The column does not show whether its dates with slashes begin with the day or the month. */
  | {
      readonly kind: 'dateOrder';
      readonly field: EventField;
      readonly place: Message;
      readonly cell: string;
    }
  /** The column has dates without a year; `from` of the import sets their first day. */
  | {
      readonly kind: 'year';
      readonly field: EventField;
      readonly place: Message;
      readonly cell: string;
    };

/** The table of a file. */
type PreviewTable = {
  /** The sheets of a workbook; empty for a text file. */
  readonly sheets: readonly string[];
  /** The first sheet read; null for a text file. */
  readonly sheet: string | null;
  /** All sheets read: those that have the headings of the first one too. */
  readonly readSheets: readonly string[];
  /** The sheets with events under other headings, which are not read. */
  readonly otherSheets: readonly string[];
  /** The recognized layout; null for an ordinary table. */
  readonly layout: LayoutKind | null;
  /** The row of the first event; null if there is none. */
  readonly firstRow: number | null;
  /** Number of rows with events; null if the file is too long to count them now. */
  readonly count: number | null;
};

type PreviewValue = string | number | boolean | null;

/** A row as it would be imported; values that cannot be read are shown as in the file. */
type PreviewRow = {
  readonly place: Message;
  /** Long texts are shortened; readable dates are canonical timestamps. */
  readonly values: Readonly<Partial<Record<EventField, PreviewValue>>>;
  /** The row's problem, unless a column has it too; no `field` if the row is unreadable. */
  readonly problem: { readonly field?: EventField; readonly reason: Message } | null;
};

type PreviewDates = {
  /** True if some dates have slashes, so that the order of day and month matters. */
  readonly haveSlashes: boolean;
  /** The order of day and month, if known. */
  readonly order: DateOrder | null;
  /** True if the time zone matters. */
  readonly areLocal: boolean;
};

export type FormatPreview = {
  /** The texts above a table, without remarks; shortened. */
  readonly titles: readonly string[];
  /** Empty for a format with fixed fields. */
  readonly columns: readonly PreviewColumn[];
  /** Null for a format without tables. */
  readonly table: PreviewTable | null;
  readonly problems: readonly PreviewProblem[];
  readonly dates: PreviewDates;
  readonly rows: readonly PreviewRow[];
  /** The problem after these rows for which the import would be refused. */
  readonly failure: PackedProblem | null;
};

/** The reader of a format, which is the only public part of its folder. */
export type FormatReader = {
  /** Reads the items of a file in groups of any size. */
  read(file: SourceFile, options: SourceOptions): AsyncIterable<Iterable<FileItem>>;
  /** Reads the first items, and describes the choices that an import needs. */
  preview(file: SourceFile, options: SourceOptions, maxRows: number): Promise<FormatPreview>;
};

export type ImportPreview = FormatPreview & {
  readonly file: string;
  readonly format: ImportFormat;
  /** Messages about data that was reinterpreted. */
  readonly notes: readonly Message[];
};

const maxSampleLength = 60;
const maxValueLength = 300;
const maxSamples = 3;

export function shorten(text: string, maxLength = maxSampleLength): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Returns the first few distinct values that are not empty, shortened. */
export function pickSamples(values: Iterable<string>): string[] {
  const samples = new Set<string>();
  for (const value of values) {
    if (value.trim() !== '') samples.add(shorten(value.trim()));
    if (samples.size === maxSamples) break;
  }
  return [...samples];
}

/** The first items of a reading, and the error that ended it too soon, if any. */
export type Head<T> = {
  readonly items: readonly T[];
  readonly failure: Problem | undefined;
};

/** Reads at most `maxItems` items. Throws an error that comes before the first item. */
export async function takeFirst<T>(
  reading: AsyncIterable<Iterable<T>>,
  maxItems: number,
): Promise<Head<T>> {
  const items: T[] = [];
  try {
    for await (const chunk of reading) {
      for (const item of chunk)
        if (items.push(item) === maxItems) return { items, failure: undefined };
    }
    return { items, failure: undefined };
  } catch (error) {
    if (items.length === 0 || !(error instanceof Problem)) throw error;
    return { items, failure: error };
  }
}

function showValue(value: unknown): PreviewValue | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), maxValueLength);
}

function showValues(values: SourceRecord['values']): PreviewRow['values'] {
  const shown = Object.entries(values).map(([field, value]) => [field, showValue(value)] as const);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

/** Returns a date as a canonical timestamp; undefined if it cannot be read. */
function readDate(parse: ParseDraft, record: SourceRecord, date: unknown): string | undefined {
  const draft = parse({ ...record, values: { name: '-', date } });
  return 'reason' in draft ? undefined : draft.date;
}

/** Returns the values of an invalid record, with canonical timestamps for readable dates. */
function readValues(parse: ParseDraft, record: SourceRecord): SourceRecord['values'] {
  const { values } = record;
  const dates = (['date', 'createdAt'] as const).flatMap((field) => {
    const date = readDate(parse, record, values[field]);
    return date === undefined ? [] : [[field, date] as const];
  });
  return { ...values, ...Object.fromEntries(dates) };
}

/** Converts records into preview rows, without problems of fields that are in `problems`. */
export function previewRows(
  records: readonly SourceItem[],
  timeZone: string,
  problems: readonly PreviewProblem[],
): PreviewRow[] {
  const parse = createDraftParser(timeZone);
  const reportedFields = new Set<string>(problems.map(({ field }) => field));
  return records.map((record) => {
    if ('problem' in record) {
      return { place: record.place, values: {}, problem: { reason: record.problem } };
    }
    const draft = parse(record);
    const problem = 'reason' in draft ? draft : null;
    const values = problem === null ? { ...record.values, ...draft } : readValues(parse, record);
    const isReported = problem !== null && reportedFields.has(problem.field);
    return {
      place: record.place,
      values: showValues(values),
      problem: isReported ? null : problem,
    };
  });
}

/** Returns another time zone, as far away as possible. */
export function otherZone(timeZone: string): string {
  return timeZone === 'Etc/GMT+12' ? 'Etc/GMT-14' : 'Etc/GMT+12';
}

/** Returns true if the dates of the records would differ in another time zone. */
export function dependOnZone(records: readonly SourceItem[], timeZone: string): boolean {
  const here = createDraftParser(timeZone);
  const there = createDraftParser(otherZone(timeZone));
  return records.some((record) => {
    if ('problem' in record) return false;
    const { date } = record.values;
    return readDate(here, record, date) !== readDate(there, record, date);
  });
}
