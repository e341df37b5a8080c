import {
  type EventField,
  type EventOrigin,
  eventFields,
  type SeriesRevision,
} from '../../db/model.ts';
import { type Problem, problem } from '../base/errors.ts';
import type { DateOrder } from '../dates/dates.ts';
import { displayText, type Message, message } from '../messages/message.ts';

/**
 * Fields that a column of a table can hold; `time` is the time of day for the date, and `ends` the end
 * of the event, which becomes the first line of its note.
 */
export const tableFields = [...eventFields, 'time', 'ends'] as const;

export type TableField = (typeof tableFields)[number];

export const requiredFields = ['name', 'date'] as const satisfies readonly EventField[];

/** The reason why columns or members could not be mapped. */
export type ColumnProblem =
  /**
   * No column holds a required field. No choice of one helps if the events are not in rows, or if all
   * dates are last days of a time in which a match may be played.
   */
  | {
      readonly kind: 'missing';
      readonly field: (typeof requiredFields)[number];
      readonly reason?: 'notInRows' | 'deadlines' | undefined;
    }
  /** The column mapped to the field does not exist. */
  | { readonly kind: 'unknown'; readonly field: TableField; readonly name: string }
  /** Two columns have the name from which the field is read. */
  | { readonly kind: 'repeated'; readonly field: TableField; readonly name: string }
  /** The names of two columns mean the same field. */
  | {
      readonly kind: 'ambiguous';
      readonly field: TableField;
      readonly columns: readonly [string, string];
      /** True if they may be the two teams of a match, which together are its name. */
      readonly isMatch?: boolean;
    };

/**
 * Columns or members by field, if named differently; null leaves the field out. Several columns
 * are an array, or a text such as `Venue+Town`. A column without a heading is named by its letter.
 */
export type FieldMap = Readonly<Partial<Record<TableField, string | readonly string[] | null>>>;

/** A value typed by the user for a cell that cannot be imported. */
export type Correction = {
  /** The row as numbered in the file. */
  readonly row: number;
  /** The sheet, if several were read. */
  readonly sheet?: string | undefined;
  readonly field: TableField;
  readonly text: string;
};

/** An event as the source has it: unchecked values by field; unknown values are absent. */
export type SourceRecord = {
  /** The place: row 12 of a spreadsheet, event 13 of a JSON file. */
  readonly place: Message;
  readonly values: Readonly<Partial<Record<EventField, unknown>>>;
  /** Names of fields for messages, the same in a whole file, if its reader matches columns. */
  readonly labels?: Readonly<Partial<Record<EventField, Message>>>;
  /** The source's own key of the event, if this is neither an id nor name and date. */
  readonly origin?: EventOrigin;
  /** The number that the file gives the event, such as that of a match; not its id. */
  readonly number?: string;
  readonly parts?: RecordParts;
  /** The number of the row in a table, and its sheet if several were read. */
  readonly row?: number;
  readonly sheet?: string | undefined;
};

/**
 * The parts of an event of a file, for an event that is here already: what the file does not contain
 * stays as it was.
 */
export type RecordParts = {
  /**
   * Says that the event takes place: by a status or a line that the file could have, or only as its
   * name and note do not cancel it. Absent if the file does not say it.
   */
  readonly takesPlace?: 'by status' | 'by text' | undefined;
  /** True if the row has no time of day, and nothing in its place. */
  readonly hasNoTime?: boolean | undefined;
  /** The line of the end, which begins the note; empty for none, absent if the row has no cell for it. */
  readonly end?: string | undefined;
  /** True if the table has a column of notes. */
  readonly hasNote?: boolean | undefined;
};

/** A row of a table, whose cells the user can correct. */
export type TableRow = {
  readonly row: number;
  /** The sheet, if several were read. */
  readonly sheet?: string | undefined;
  /** The imported cells as in the file, after corrections. */
  readonly cells: Readonly<Partial<Record<TableField, string>>>;
};

/** An unreadable event of a file; the import skips it or refuses the file. */
export type BadRecord = {
  readonly place: Message;
  readonly problem: Message;
  /** The row and field at fault, if the event is a row of a table. */
  readonly row?: TableRow;
  readonly field?: TableField;
  /** The title of an event of a calendar, if it is readable, and the beginning of its keys. */
  readonly event?: { readonly name: string; readonly key: string };
};

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

/** A field of a table, or the number by which the file names its events. */
export type TakenField = TableField | 'number';

/** The columns from which the fields of a table are read. */
export type TakenColumns = {
  /** The sheet, if several were read. */
  readonly sheet?: string | undefined;
  readonly fields: readonly { readonly field: TakenField; readonly columns: readonly string[] }[];
};

export type SourceOptions = {
  readonly map: FieldMap;
  /** Time zone of times without an offset, an IANA name. */
  readonly timeZone: string;
  /** Order of dates with slashes, if the user chose one. */
  readonly dateOrder?: DateOrder | undefined;
  /** Range of imported dates of repeating events; by default, two years before and after now. */
  readonly window?: Partial<DateWindow> | undefined;
  /** Encoding, if the user chose one; a name from `findEncoding`. */
  readonly encoding?: string | undefined;
  /** Names of sheets of a workbook; by default, the first one with events and those like it. */
  readonly sheet?: readonly string[] | undefined;
  /** Language of words that are added to notes, such as `de-AT`; by default, English. */
  readonly language?: string | undefined;
  /** `table` to read a year planner, or a list in rounds, as an ordinary table. */
  readonly layout?: 'table' | undefined;
  /** Values that replace cells of a table. */
  readonly corrections?: readonly Correction[] | undefined;
  readonly now: Date;
  /** Receives the name of each column or member that is not imported. */
  readonly ignore: (name: string) => void;
  /** Receives the columns of each table, unless its layout has none. */
  readonly taken?: ((columns: TakenColumns) => void) | undefined;
  /** Receives a message about data that was left out or reinterpreted. */
  readonly note: (note: Message) => void;
};

/** Returns the problem of a file that is refused because of a place in it. */
export function badSource(file: string, place: Message | undefined, reason: Message): Problem {
  return place === undefined
    ? problem('file_refused', { file, reason })
    : problem('place_refused', { file, place, reason });
}

/** Returns the problem of a file that is refused because of one event, which can be left out. */
export function badRow(file: string, place: Message, reason: Message): Problem {
  return badSource(file, place, message('reason:bad_row', { reason }));
}

/**
 * Creates a function that decodes the pieces of a file in UTF-8 or UTF-16, and without a piece its
 * end. It throws the error that `refuse` returns for other bytes.
 */
export function createDecoder(
  encoding: string,
  refuse: () => Error,
): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw refuse();
    }
  };
}

/** Creates a check for valid UTF-8 in the pieces of a file, and without a piece of its end. */
export function createUtf8Check(): (chunk?: Uint8Array) => boolean {
  const failure = new Error('not UTF-8');
  const decode = createDecoder('utf-8', () => failure);
  return (chunk) => {
    try {
      decode(chunk);
      return true;
    } catch (error) {
      if (error !== failure) throw error;
      return false;
    }
  };
}

/** Returns the mapped name of a field as a text; null leaves the field out. */
export function mappedName(field: TableField, map: FieldMap): string | null | undefined {
  const names = map[field];
  return typeof names === 'object' && names !== null ? names.join('+') : names;
}

/** Returns the name of a field for messages, with the mapped name if there is one. */
export function labelOf(field: EventField, map: FieldMap): Message {
  const name = mappedName(field, map);
  return name === undefined || name === null || name === field
    ? message('place:field', { field: message(`field:${field}`) })
    : message('place:column', { name: displayText(name), field: message(`field:${field}`) });
}
