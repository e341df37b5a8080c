import type { StoredEvent } from '../../db/model.ts';

/** An event with its key in a source without ids, on which its UID in a calendar depends. */
type ListedEvent = StoredEvent & { readonly sourceKey?: string | null };

/** The writers of the export, which the front ends pass in. */
export type ListWriters = {
  readonly csv: (events: Iterable<ListedEvent>) => Iterable<string>;
  readonly calendar: (events: Iterable<ListedEvent>, options: CalendarOptions) => Iterable<string>;
};

type CalendarOptions = {
  readonly calendarName: string;
  readonly uidBase: string;
  readonly now: Date;
  /** The zone of local times, an IANA name. */
  readonly timeZone?: string | undefined;
};

type ListContent = { readonly events: readonly ListedEvent[] };

/** A representation of an answer. */
export type Representation<Content extends object = ListContent> = {
  readonly contentType: string;
  readonly write: (content: Content) => string;
  /**
   * For a text that contains the time of writing: what determines it beside that and the content.
   * Its entity tag is weak.
   */
  readonly datedBy?: readonly string[];
};

export const jsonRepresentation: Representation<object> = {
  contentType: 'application/json; charset=utf-8',
  write: (content) => JSON.stringify(content),
};

/** Media types of lists other than JSON. */
export const otherTypes = ['text/csv', 'text/calendar'] as const;
type OtherType = (typeof otherTypes)[number];

/** Returns the quality of a media type in `Accept`, by its most specific range (RFC 9110, 12.5.1). */
function qualityOf(accept: string, type: string): number {
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const parts = accept
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((text) => text.trim()));
  const found = ranges.flatMap((range) => parts.filter(([name]) => name === range))[0];
  const quality = found?.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return found === undefined ? 0 : Number(quality ?? 1) || 0;
}

/**
 * Returns the representation that a client prefers to JSON, if there is one. Koa's `accepts` would prefer the
 * representation that is named first: here JSON wins a tie, and answers a client that accepts no representation.
 */
export function preferredType(accept: string | undefined): OtherType | undefined {
  // Fast path: what most clients send.
  if (accept === undefined || accept === '*/*') return undefined;
  const best = otherTypes.toSorted(
    (left, right) => qualityOf(accept, right) - qualityOf(accept, left),
  )[0];
  if (best === undefined) return undefined;
  return qualityOf(accept, best) > qualityOf(accept, 'application/json') ? best : undefined;
}

/** Creates the representation of a media type for a club. */
export function createRepresentation(
  type: OtherType,
  writers: ListWriters,
  calendar: CalendarOptions,
): Representation {
  const join = (pieces: Iterable<string>) => [...pieces].join('');
  if (type === 'text/csv') {
    return {
      contentType: 'text/csv; charset=utf-8; header=present',
      write: ({ events }) => join(writers.csv(events)),
    };
  }
  return {
    contentType: 'text/calendar; charset=utf-8',
    write: ({ events }) => join(writers.calendar(events, calendar)),
    datedBy: [calendar.calendarName, calendar.uidBase, calendar.timeZone ?? ''],
  };
}
