import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { FailureCode } from '../../db/mirror-model.ts';
import { eventStatuses, eventTypes, type StoredEvent } from '../../db/model.ts';
import { Event, EventId, Timestamp } from '../http/contract.ts';
import { headerNames } from '../http/headers.ts';
import type {
  Answer,
  Changes,
  Page,
  Request,
  Timing,
  Unreadable,
  UpstreamVersion,
} from './planner/state.ts';

/** A response that arrived completely; the body is empty if the status already decides. */
type Response = {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
};

/** The longest text, as in an import. */
const maxTextLength = 200_000;

const Text = z
  .string()
  .max(maxTextLength)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));

/** A moment in any form of ISO 8601 with a date, a time and an offset, such as +00:00 or +0000. */
const Moment = z
  .string()
  .transform((text) => text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => new Date(text).toISOString())
  .pipe(Timestamp);

/** An event in every form with one meaning; other members are dropped. */
const UpstreamEvent = z.object({
  id: EventId,
  name: Text,
  date: Moment,
  location: Text.nullish().transform((text) => text ?? ''),
  description: Text.nullish().transform((text) => text ?? null),
  status: z.string().toLowerCase().pipe(z.enum(eventStatuses)),
  // A type of a later version is named, and the event is there.
  eventType: z.enum(eventTypes).nullable().catch(null),
  registrationOpen: z.boolean().nullish(),
  createdAt: Moment,
});

/** A type that this program does not have. */
const UnknownType = z.object({
  eventType: z.string().refine((type) => !(eventTypes as readonly string[]).includes(type)),
});

const Identified = z.object({ id: EventId });
const Created = z.object({ createdAt: Moment });
const EventsBody = z.object({ events: z.array(z.unknown()) });
const ChangesBody = z.object({ events: z.array(z.unknown()), removed: z.array(EventId) });
const EventBody = z.object({ event: z.unknown() });

/** Unknown members that are worth naming. */
const maxUnknown = 20;
const maxNameLength = 100;

/** The maximum number of values in a body: those of 25,000 events. */
const maxValues = 250_000;

/** The form in which servers send dates (RFC 9110, IMF-fixdate). */
const httpDate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A link (RFC 8288): its target, then its parameters. */
const link = /<([^<>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const linkParameter = /;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

const revisionForm = /^[!-~]{1,100}\.\d{1,20}$/;
const digestForm = /^sha256=([0-9a-f]{64})$/;

/** Statuses of a request for changes after which the list can be read instead. */
const changesStatuses: ReadonlySet<number> = new Set([200, 400, 404, 410]);

const failureStatuses: Readonly<Record<number, FailureCode>> = {
  401: 'key_refused',
  403: 'forbidden',
  429: 'too_many_requests',
};

/** Returns the answer in a response; `now` is the local time in ms. */
export function readAnswer(request: Request, response: Response, now: number): Answer {
  const { status, headers, body } = response;
  const timing = readTiming(headers);
  if (countValues(body) > maxValues) return fail(request, 'too_large');
  if (status === 200 && request.operation === 'byId') {
    const content = EventBody.safeParse(parseJson(body));
    if (!content.success) return fail(request, 'not_json');
    const event = readEvent(content.data.event);
    // An event that cannot be read exists; anything else proves nothing.
    const { data: named } = Identified.safeParse(content.data.event);
    if (event === null && named?.id !== request.id) return fail(request, 'not_json');
    const unknownMembers = findUnknownMembers([content.data.event]);
    return { kind: 'event', request, timing, event, unknownMembers };
  }
  if (request.operation === 'changes' && changesStatuses.has(status)) {
    const changes = status === 200 ? readChanges(response) : undefined;
    return changes
      ? { kind: 'changes', request, timing, changes }
      : { kind: 'gone', request, timing };
  }
  if (status === 200) {
    const page = readPage(response);
    return page ? { kind: 'page', request, timing, page } : fail(request, 'not_json');
  }
  if (status === 304 && request.operation === 'list' && request.etag !== null) {
    return { kind: 'unchanged', request, timing, version: readVersion(headers) };
  }
  if (status === 404 && request.operation === 'byId') {
    return { kind: 'not_found', request, timing, shape: shapeOf(response) };
  }
  return fail(request, codeOf(status), readRetryAfter(headers['retry-after'], timing.date ?? now));
}

export function fail(
  request: Request,
  code: FailureCode,
  retryAfter: number | null = null,
): Answer {
  return { kind: 'failure', request, code, retryAfter };
}

function codeOf(status: number): FailureCode {
  if (status >= 500) return 'server_failed';
  if (status >= 300 && status < 400 && status !== 304) return 'redirected';
  return failureStatuses[status] ?? 'unexpected_status';
}

function readPage({ url, headers, body }: Response): Omit<Page, 'asOf' | 'origin'> | undefined {
  const content = EventsBody.safeParse(parseJson(body));
  if (!content.success) return undefined;
  const listed = content.data.events;
  const events: StoredEvent[] = [];
  const unreadable: Unreadable[] = [];
  for (const each of listed) {
    const event = readEvent(each);
    const { data: named } = Identified.safeParse(each);
    if (event !== null) {
      events.push(event);
    } else if (named !== undefined) {
      const createdAt = Created.safeParse(each).data?.createdAt ?? null;
      unreadable.push({ id: named.id, createdAt });
    } else {
      // Without an id, it could be any event.
      return undefined;
    }
  }
  return {
    events,
    unreadable,
    unknownMembers: findUnknownMembers(listed),
    next: findNext(headers, url),
    etag: headers.etag ?? null,
    version: readVersion(headers),
  };
}

/** Returns a page of changes; undefined if it, or one of its events, cannot be read. */
function readChanges({
  url,
  headers,
  body,
}: Response): Omit<Changes, 'asOf' | 'origin'> | undefined {
  const { data: content } = ChangesBody.safeParse(parseJson(body));
  const events = content?.events.map(readEvent).filter((event) => event !== null);
  if (content === undefined || events?.length !== content.events.length) return undefined;
  return {
    events,
    removed: content.removed,
    unknownMembers: findUnknownMembers(content.events),
    next: findNext(headers, url),
    version: readVersion(headers),
  };
}

function readVersion(headers: IncomingHttpHeaders): UpstreamVersion | null {
  const revision = String(headers[headerNames.eventsRevision.toLowerCase()]);
  const [, digest] = digestForm.exec(String(headers[headerNames.eventsDigest.toLowerCase()])) ?? [];
  return digest !== undefined && revisionForm.test(revision) ? { revision, digest } : null;
}

/** Returns an event in the form of the contract; null if it cannot be read. */
export function readEvent(content: unknown): StoredEvent | null {
  const { data: event } = UpstreamEvent.safeParse(content);
  if (event === undefined) return null;
  const { registrationOpen, createdAt, ...rest } = event;
  const isSent = typeof registrationOpen === 'boolean';
  return { ...rest, ...(isSent && { registrationOpen }), createdAt };
}

function findUnknownMembers(contents: readonly unknown[]): readonly string[] {
  const names = contents.flatMap((content) => Object.keys(content ?? {}));
  const types = contents
    .map((content) => UnknownType.safeParse(content).data?.eventType)
    .filter((type) => type !== undefined);
  const unknown = new Set([
    ...names.filter((name) => !Object.hasOwn(Event.shape, name)),
    ...types.map((type) => `eventType "${type}"`),
  ]);
  return [...unknown].filter(({ length }) => length <= maxNameLength).slice(0, maxUnknown);
}

/** Replaces an id that is not written as a plain integer: `JSON.parse` may have rounded it. */
function refuseRounded(key: string, value: unknown, context?: { readonly source?: string }) {
  const isRounded = key === 'id' && typeof value === 'number' && context?.source !== String(value);
  return isRounded ? null : value;
}

/**
 * Counts the values of a JSON text. A body of 50 MB may have 25 million, which would take gigabytes
 * and a minute to parse.
 */
function countValues(body: Uint8Array): number {
  let count = 0;
  let isText = false;
  let isEscaped = false;
  for (const byte of body) {
    if (isEscaped) isEscaped = false;
    else if (byte === 0x22) isText = !isText;
    else if (isText) isEscaped = byte === 0x5c;
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  }
  return count;
}

/** Returns the value of a JSON text; undefined for anything else. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body), refuseRounded);
  } catch {
    // Neither UTF-8 nor JSON, or nested too deeply: the caller reports all of them alike.
    return undefined;
  }
}

/** Returns the status, the media type and the sorted members of a response. */
function shapeOf({ status, headers, body }: Response): string {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  const content = parseJson(body);
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  const members = isObject ? Object.keys(content).toSorted().slice(0, maxUnknown) : [];
  return `${status} ${mediaType.trim().toLowerCase()} ${members.join(',')}`.trim();
}

function readTiming({ date, age }: IncomingHttpHeaders): Timing {
  return { date: readDate(date), age: /^\d{1,9}$/.test(age ?? '') ? Number(age) * 1_000 : 0 };
}

function readDate(text: string | undefined): number | null {
  const time = text !== undefined && httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Returns `Retry-After` in ms: the header has seconds, or a date by the upstream's clock. */
function readRetryAfter(text: string | undefined, now: number): number | null {
  if (text !== undefined && /^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const until = readDate(text);
  return until === null ? null : Math.max(0, until - now);
}

/** Returns the address of the next page (RFC 8288), or null. One that is no URL stays refusable. */
function findNext(headers: IncomingHttpHeaders, url: URL): string | null {
  const header = [headers['link'] ?? []].flat().join(', ');
  for (const [, target = '', parameters = ''] of header.matchAll(link)) {
    const names = new Map<string, string>();
    for (const [, name = '', quoted, plain = ''] of parameters.matchAll(linkParameter)) {
      const key = name.toLowerCase();
      // The first of repeated parameters counts.
      if (!names.has(key)) names.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain);
    }
    const relations = (names.get('rel') ?? '').toLowerCase().split(/\s+/);
    // A link with an anchor is not about this page.
    if (relations.includes('next') && !names.has('anchor')) {
      return URL.parse(target, url.href)?.href ?? 'about:invalid';
    }
  }
  return null;
}
