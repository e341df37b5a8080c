import { type EventOrigin, eventMembers, type SeriesRevision } from '../../../db/model.ts';
import { type Problem, problem } from '../../errors.ts';
import { type Message, type MessageValue, message } from '../../messages/message.ts';

/** Members of an event that a source can provide, in the order of the API. */
export const eventFields = ['id', ...eventMembers] as const;

export type EventField = (typeof eventFields)[number];

export const requiredFields = ['name', 'date'] as const satisfies readonly EventField[];

/** The reason why columns or members could not be mapped. */
export type ColumnProblem =
  /** No column holds a required field. */
  | { readonly kind: 'missing'; readonly field: (typeof requiredFields)[number] }
  /** The column mapped to the field does not exist. */
  | { readonly kind: 'unknown'; readonly field: EventField; readonly name: string }
  /** Two columns have the name from which the field is read. */
  | { readonly kind: 'repeated'; readonly field: EventField; readonly name: string }
  /** The names of two columns mean the same field; `time` is the time of day for the date. */
  | {
      readonly kind: 'ambiguous';
      readonly field: EventField | 'time';
      readonly columns: readonly [string, string];
    };

/** Columns or members by field, if named differently; null leaves the field out. */
export type FieldMap = Readonly<Partial<Record<EventField, string | null>>>;

/** An event as the source has it: unchecked values by field; unknown values are absent. */
export type SourceRecord = {
  /** The place: row 12 of a spreadsheet, event 13 of a JSON file. */
  readonly place: Message;
  readonly values: Readonly<Partial<Record<EventField, unknown>>>;
  /** Names of fields for messages, the same in a whole file, if its reader matches columns. */
  readonly labels?: Readonly<Partial<Record<EventField, Message>>>;
  /** The source's own key of the event, if this is neither an id nor name and date. */
  readonly origin?: EventOrigin;
};

/** An unreadable event of a file; the import skips it or refuses the file. */
export type BadRecord = { readonly place: Message; readonly problem: Message };

export type SourceItem = SourceRecord | BadRecord;

/** An error that concerns one record; a reader turns it into a `BadRecord`. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly problem: Message;

  constructor(problem: Message) {
    super(`${problem.key} ${JSON.stringify(problem.values)}`);
    this.problem = problem;
  }
}

/** The end of a series, which follows the last date of a revised calendar event. */
export type SeriesEnd = { readonly place: Message; readonly revision: SeriesRevision };

export type FileItem = SourceItem | SeriesEnd;

/** Returns true for an event, even a bad one, and false for the end of a series. */
export function isEvent(item: FileItem): item is SourceItem {
  return !('revision' in item);
}

/** A file that can be opened more than once. */
export type SourceFile = {
  readonly name: string;
  /** Reads the file. With `reuse`, a piece is valid only until the next one is read. */
  open(options?: { readonly reuse: boolean }): AsyncIterable<Uint8Array>;
};

/** A range of dates; `to` is exclusive. */
export type DateWindow = { readonly from: Date; readonly to: Date };

/** Orders of day and month in a date such as 01/05/2026. */
export const dateOrders = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

export type SourceOptions = {
  readonly map: FieldMap;
  /** Time zone of times without an offset, an IANA name. */
  readonly timeZone: string;
  /** Order of dates with slashes, if the user chose one. */
  readonly dateOrder?: DateOrder;
  /** Range of imported dates of repeating events; by default, two years before and after now. */
  readonly window?: Partial<DateWindow> | undefined;
  /** Encoding, if the user chose one; a name from `findEncoding`. */
  readonly encoding?: string;
  readonly now: Date;
  /** Receives the name of each column or member that is not imported. */
  readonly ignore: (name: string) => void;
  /** Receives a message about data that was left out or reinterpreted. */
  readonly note: (note: Message) => void;
};

/** Returns the problem of a file that is refused because of a place in it. */
export function badSource(file: string, place: Message | undefined, reason: Message): Problem {
  return place === undefined
    ? problem('file_refused', { file, reason })
    : problem('place_refused', { file, place, reason });
}

const maxDisplayLength = 60;

/** Shortens a text of a file for messages and escapes its control characters. */
export function displayText(text: string): string {
  const shown = text.length > maxDisplayLength ? `${text.slice(0, maxDisplayLength)}…` : text;
  return shown.replace(/[\p{Cc}\p{Cs}]/gu, (control) => JSON.stringify(control).slice(1, -1));
}

/** Returns a value of a file for messages: a text in quotes, anything else as JSON. */
export function displayValue(value: unknown): MessageValue {
  return typeof value === 'string'
    ? message('value:text', { text: displayText(value) })
    : displayText(JSON.stringify(value) ?? String(value));
}

/** Returns the name of a field for messages, with the mapped name if there is one. */
export function labelOf(field: EventField, map: FieldMap): Message {
  const name = map[field];
  return name === undefined || name === null || name === field
    ? message('place:field', { field: message(`field:${field}`) })
    : message('place:column', { name: displayText(name), field: message(`field:${field}`) });
}
