import { type EventOrigin, eventMembers, type SeriesRevision } from '../../../db/model.ts';
import { ClubEventsError, type Front, type Sentence, wordSentence } from '../../errors.ts';

/** The members of an event that a source can tell, in the order of the contract. */
export const eventFields = ['id', ...eventMembers] as const;

export type EventField = (typeof eventFields)[number];

/** The fields that every event has to have. */
export const neededFields = ['name', 'date'] as const satisfies readonly EventField[];

/** Why it cannot be told which column or member is which. */
export type ColumnProblem =
  /** No column is the name, or the date. */
  | { readonly kind: 'missing'; readonly field: (typeof neededFields)[number] }
  /** The column that is mapped to the field is not there. */
  | { readonly kind: 'unknown'; readonly field: EventField; readonly name: string }
  /** Two columns bear the name that is looked for. */
  | { readonly kind: 'repeated'; readonly field: EventField; readonly name: string }
  /** Two columns could be it, by what their names mean; `time` is that of the date. */
  | {
      readonly kind: 'ambiguous';
      readonly field: EventField | 'time';
      readonly columns: readonly [string, string];
    };

/**
 * Which column or member of the source holds a field, where it does not bear its name; null where
 * none does, whatever their names.
 */
export type FieldMap = Readonly<Partial<Record<EventField, string | null>>>;

/** One event as a source has it: unchecked values by field; what it does not tell is absent. */
export type SourceRecord = {
  /** Where it stands, for messages: `row 12` of a spreadsheet, `event 13` of a JSON file. */
  readonly place: string;
  readonly values: Readonly<Partial<Record<EventField, unknown>>>;
  /** How messages name fields, where the source itself has found out what is which. */
  readonly labels?: Readonly<Partial<Record<EventField, string>>>;
  /** What the source itself knows the event by, where that is neither an id nor name and date. */
  readonly origin?: EventOrigin;
};

/** An event of a file that cannot be read, with the reason; the import skips it or refuses the file. */
export type BadRecord = { readonly place: string; readonly problem: string };

export type SourceItem = SourceRecord | BadRecord;

/** The reason for which a reader cannot read one record; it becomes a `BadRecord`. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

/** Follows the last occurrence of a calendar event that has come with a later revision. */
export type SeriesEnd = { readonly place: string; readonly revision: SeriesRevision };

export type FileItem = SourceItem | SeriesEnd;

/** Returns whether an item is an event, which may be a bad one, and not the end of a series. */
export function isEvent(item: FileItem): item is SourceItem {
  return !('revision' in item);
}

/** A file to read from; it can be opened more than once. */
export type SourceFile = {
  /** As messages name it. */
  readonly name: string;
  /** With `reuse`, a piece need only be valid until the next one is asked for. */
  open(options?: { readonly reuse: boolean }): AsyncIterable<Uint8Array>;
};

/** What stands first in a date such as 01/05/2026. */
export const dateOrders = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** What a format needs to know to read a file. */
export type SourceOptions = {
  readonly map: FieldMap;
  /** Where times without an offset are local: an IANA name. */
  readonly timeZone: string;
  /** How dates with slashes are written, where the user says so. */
  readonly dateOrder?: DateOrder;
  /** The encoding, if the user named one: a name from `findEncoding`. */
  readonly encoding?: string;
  /** The time of the import. */
  readonly now: Date;
  /** Told the name of each column or member that is not taken. */
  readonly ignore: (name: string) => void;
  /** Told a sentence about what was left out, or read otherwise than it may seem. */
  readonly note: (sentence: string) => void;
};

/** Reads the items of a file, as many at a time as it has at once. */
export type ReadSource = (
  file: SourceFile,
  options: SourceOptions,
) => AsyncIterable<Iterable<FileItem>>;

/** The refusal of a file, with the place in it; an import that ends with it changes nothing. */
export function badSource(
  file: string,
  place: string | undefined,
  what: Sentence,
): ClubEventsError {
  const where = place === undefined ? file : `${file}, ${place}`;
  const tell = (front: Front) => `${where}: ${wordSentence(what, front)} (nothing was imported).`;
  return new ClubEventsError('bad_input', tell);
}

/** How messages name a field: as the source does, with the field's own name beside it. */
export function labelOf(field: EventField, map: FieldMap): string {
  const name = map[field];
  return name === undefined || name === null || name === field
    ? `"${field}"`
    : `"${name}" (${field})`;
}
