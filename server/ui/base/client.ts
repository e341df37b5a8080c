import { type Query, QueryClient } from '@tanstack/react-query';
import type { Event, ProblemCode } from '../../http/contract.ts';
import { headerNames, pageHeaderNames } from '../../http/headers.ts';

/** Cache of the data read from the service and over the bridge. */
export const queries = new QueryClient();

/** The mark of a query that no view waits for. */
export const inBackground = { isInBackground: true };

/** Reads all data in use again, after a change; does not wait for queries in the background. */
export async function refreshEvents(): Promise<void> {
  const isInBackground = ({ meta }: Query) => meta?.['isInBackground'] === true;
  void queries.invalidateQueries({ predicate: isInBackground });
  await queries.invalidateQueries({ predicate: (query) => !isInBackground(query) });
}

/** Reads the events again, and nothing over the bridge. Resolves when they are there, or cannot be read. */
export function refreshLists(): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'action' });
}

type ReadingErrorKind =
  /** The service does not answer, or not completely. */
  | 'unreachable'
  /** The key is unknown, expired or revoked. */
  | 'key'
  /** There is no such event. */
  | 'absent'
  /** The search has too many words for the service. */
  | 'words'
  /** The database is damaged, and a backup has to be restored. */
  | 'damaged'
  /** The database is not at its place, for example because its disk was removed. */
  | 'gone'
  /** Any other error status, or an answer that is not JSON. */
  | 'failed';

export class ReadingError extends Error {
  readonly kind: ReadingErrorKind;

  constructor(kind: ReadingErrorKind, message: string) {
    super(message);
    this.name = 'ReadingError';
    this.kind = kind;
  }
}

/** One page of a list: at most 200 events. */
export type EventPage = {
  readonly etag: string | null;
  readonly events: readonly Event[];
  /** Path of the next page; null on the last one. */
  readonly next: string | null;
  /** Number of matching events on all pages. */
  readonly total: number;
  /** Time of the last confirmation by the mirrored online service; null without one. */
  readonly asOf: string | null;
  /** Changes with every change of the club's events; null if the service sends none. */
  readonly revision: string | null;
};

/** Path of the shortest list, requested for its headers. */
export const shortestList = '/v1/events?limit=1';

const timeoutMs = 10_000;

async function request(
  path: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const timeoutOrAbort = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await fetch(path, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      cache: 'no-store',
      signal: timeoutOrAbort,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new ReadingError('unreachable', String(error));
  }
}

/** Kinds of errors by the code of a problem document (RFC 9457). */
const kindOfCode: Readonly<Partial<Record<ProblemCode, ReadingErrorKind>>> = {
  database_damaged: 'damaged',
  database_gone: 'gone',
};

async function refusal(response: Response): Promise<ReadingError> {
  const { status } = response;
  if (status === 401) return new ReadingError('key', 'The key is not valid.');
  if (status === 400) return new ReadingError('words', 'The search has too many words.');
  if (status === 404) return new ReadingError('absent', 'There is no such event.');
  const { code } = status === 503 ? await bodyOf<{ readonly code?: ProblemCode }>(response) : {};
  const kind = (code && kindOfCode[code]) ?? 'failed';
  return new ReadingError(kind, `The service answered with status ${status}.`);
}

/** Returns the path of `rel="next"` (RFC 8288), without its origin: the page reads one service only. */
function nextPath(link: string | null): string | null {
  const [, target] = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '') ?? [];
  if (target === undefined) return null;
  const { pathname, search } = new URL(target, location.origin);
  return pathname + search;
}

/**
 * Reads one page of a list. If it has not changed since `previous`, which has the same path, no
 * events are transferred and the objects are the same. Throws `ReadingError`.
 */
export async function readEventPage(
  key: string,
  path: string,
  previous: EventPage | undefined,
  signal: AbortSignal,
): Promise<EventPage> {
  const headers = previous?.etag ? { 'If-None-Match': previous.etag } : {};
  const response = await request(path, key, headers, signal);
  if (!response.ok && response.status !== 304) throw await refusal(response);
  const events = response.status === 304 ? (previous?.events ?? []) : await eventsOf(response);
  return {
    etag: response.headers.get('ETag'),
    events,
    next: nextPath(response.headers.get(headerNames.link)),
    total: Number(response.headers.get(headerNames.totalCount) ?? events.length),
    asOf: response.headers.get(headerNames.dataAsOf),
    revision: response.headers.get(headerNames.eventsRevision),
  };
}

/** The events that changed after a revision, and the ids of those that were removed. */
export type EventChanges = {
  readonly events: readonly Event[];
  readonly removed: readonly number[];
};

/**
 * Reads what changed after a revision. Returns undefined if that is more than a page, or not known
 * any more. Throws `ReadingError`.
 */
export async function readChanges(
  key: string,
  revision: string,
  signal: AbortSignal,
): Promise<EventChanges | undefined> {
  const query = new URLSearchParams({ since: revision });
  const response = await request(`/v1/events?${query}`, key, {}, signal);
  if (response.status === 410) return undefined;
  if (!response.ok) throw await refusal(response);
  const changes = await bodyOf<EventChanges>(response);
  return nextPath(response.headers.get(headerNames.link)) === null ? changes : undefined;
}

async function eventsOf(response: Response): Promise<readonly Event[]> {
  return (await bodyOf<{ readonly events: readonly Event[] }>(response)).events;
}

/** Parses the JSON of a response. Throws `ReadingError`. */
async function bodyOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    // Any other error is that of the connection.
    throw new ReadingError(error instanceof SyntaxError ? 'failed' : 'unreachable', String(error));
  }
}

/** Reads one event. Throws `ReadingError`; its kind is `absent` for an unknown id. */
export async function readEvent(key: string, id: number, signal: AbortSignal): Promise<Event> {
  const response = await request(`/v1/events/${id}`, key, {}, signal);
  if (!response.ok) throw await refusal(response);
  return (await bodyOf<{ readonly event: Event }>(response)).event;
}

/** Checks that the service accepts a key. Throws `ReadingError` if not. */
export async function tryKey(key: string, signal: AbortSignal): Promise<void> {
  await readEventPage(key, shortestList, undefined, signal);
}

/** The identity of a club: that of its calendar files, and its time zone. */
export type CalendarIdentity = {
  /** The name of the club. */
  readonly name: string;
  /** The random part of the UIDs. */
  readonly uidBase: string;
  /** The IANA name of its time zone; empty if the service knows none. */
  readonly zone: string;
};

/** Reads the identity of the calendar files of a key's club. Throws `ReadingError`. */
export async function readCalendarIdentity(
  key: string,
  signal: AbortSignal,
): Promise<CalendarIdentity> {
  // Without this header, the service leaves the identity out.
  const response = await request(shortestList, key, { [pageHeaderNames.request]: '1' }, signal);
  if (!response.ok) throw await refusal(response);
  return {
    name: decodeURIComponent(response.headers.get(pageHeaderNames.calendarName) ?? ''),
    uidBase: response.headers.get(pageHeaderNames.calendarUidBase) ?? '',
    zone: response.headers.get(pageHeaderNames.calendarTimeZone) ?? '',
  };
}
