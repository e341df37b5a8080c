import type { Event } from '../../contract.ts';

export type ReadingErrorKind =
  /** Nothing answers: the service is not running. */
  | 'unreachable'
  /** The key is unknown, expired or revoked. */
  | 'key'
  /** There is no such event. */
  | 'absent'
  /** The search is not one the service takes: it has too many words. */
  | 'words'
  /** Any other answer than the one asked for. */
  | 'failed';

/** Why the service did not give what was asked for. */
export class ReadingError extends Error {
  readonly kind: ReadingErrorKind;

  constructor(kind: ReadingErrorKind, message: string) {
    super(message);
    this.name = 'ReadingError';
    this.kind = kind;
  }
}

/** One list answer: at most 200 events, and where the next ones are. */
export type EventPage = {
  readonly etag: string | null;
  readonly events: readonly Event[];
  /** The path of the next page; null on the last one. */
  readonly next: string | null;
  /** How many events match in all. */
  readonly total: number;
  /** When the events were last confirmed at the online service they mirror. */
  readonly asOf: string | null;
  /** Another value after every change of the club's events; null where the service sends none. */
  readonly revision: string | null;
};

/** The shortest list, for its headers. */
export const shortestList = '/v1/events?limit=1';

/** How long an answer may take before the service counts as gone, in milliseconds. */
const patienceMs = 10_000;

async function request(
  path: string,
  key: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    return await fetch(path, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      cache: 'no-store',
      signal: either,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new ReadingError('unreachable', String(error));
  }
}

function refusal({ status }: Response): ReadingError {
  if (status === 401) return new ReadingError('key', 'The key is not valid.');
  if (status === 400) return new ReadingError('words', 'The search has too many words.');
  if (status === 404) return new ReadingError('absent', 'There is no such event.');
  return new ReadingError('failed', `The service answered with status ${status}.`);
}

/** The path behind `rel="next"` (RFC 8288), which is always asked of the page's own service. */
function nextPath(link: string | null): string | null {
  const [, target] = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '') ?? [];
  if (target === undefined) return null;
  const { pathname, search } = new URL(target, location.origin);
  return pathname + search;
}

/**
 * Reads one page of a list. Given what the same path answered before, only a changed answer is
 * transferred: an unchanged one gives the same events, the same objects. Throws `ReadingError`.
 */
export async function readEventPage(
  key: string,
  path: string,
  before: EventPage | undefined,
  signal: AbortSignal,
): Promise<EventPage> {
  const headers = before?.etag ? { 'If-None-Match': before.etag } : {};
  const response = await request(path, key, headers, signal);
  if (!response.ok && response.status !== 304) throw refusal(response);
  const events = response.status === 304 ? (before?.events ?? []) : await eventsOf(response);
  return {
    etag: response.headers.get('ETag'),
    events,
    next: nextPath(response.headers.get('Link')),
    total: Number(response.headers.get('Total-Count') ?? events.length),
    asOf: response.headers.get('Data-As-Of'),
    revision: response.headers.get('Events-Revision'),
  };
}

async function eventsOf(response: Response): Promise<readonly Event[]> {
  return (await bodyOf<{ readonly events: readonly Event[] }>(response)).events;
}

/** The JSON of an answer, which may still break off. */
async function bodyOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw new ReadingError('unreachable', String(error));
  }
}

/** Reads one event; without one of this id, throws a `ReadingError` of the kind `absent`. */
export async function readEvent(key: string, id: number, signal: AbortSignal): Promise<Event> {
  const response = await request(`/v1/events/${id}`, key, {}, signal);
  if (!response.ok) throw refusal(response);
  return (await bodyOf<{ readonly event: Event }>(response)).event;
}

/** Whether a key opens the service: throws `ReadingError` if not. */
export async function tryKey(key: string, signal: AbortSignal): Promise<void> {
  await readEventPage(key, shortestList, undefined, signal);
}

/** Reads the random part of the calendar UIDs of a key's club. Throws `ReadingError`. */
export async function readUidBase(key: string, signal: AbortSignal): Promise<string> {
  const response = await request('/v1/events?limit=1', key, {}, signal);
  if (!response.ok) throw refusal(response);
  return response.headers.get('Calendar-Uid-Base') ?? '';
}
