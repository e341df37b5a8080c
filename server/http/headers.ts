/** Names of the headers of answers, for the service and for everything that reads them. */
export const headerNames = {
  totalCount: 'Total-Count',
  eventsRevision: 'Events-Revision',
  eventsDigest: 'Events-Digest',
  dataAsOf: 'Data-As-Of',
  dataCoverage: 'Data-Coverage',
  ignoredParameters: 'Ignored-Parameters',
  preferenceApplied: 'Preference-Applied',
  link: 'Link',
  etag: 'ETag',
  vary: 'Vary',
  cacheControl: 'Cache-Control',
  retryAfter: 'Retry-After',
  wwwAuthenticate: 'WWW-Authenticate',
  allow: 'Allow',
} as const;

export type HeaderName = (typeof headerNames)[keyof typeof headerNames];

/** Headers of requests that have a meaning for events, beside `Accept`. */
export const requestHeaderNames = ['Authorization', 'If-Match', 'If-None-Match', 'Prefer'] as const;

/** Headers of the identity of calendar files, which only the page asks for, with the first one. */
export const pageHeaderNames = {
  request: 'Club-Events-Page',
  calendarName: 'Calendar-Name',
  calendarUidBase: 'Calendar-Uid-Base',
  calendarTimeZone: 'Calendar-Time-Zone',
} as const;

type Header = {
  /** The answers that have it. */
  readonly on: string;
  readonly description: string;
  /** True for a header that all of these answers have. */
  readonly isRequired?: boolean;
  /** A JSON schema; a text by default. */
  readonly schema?: object;
};

/** The headers of answers, for the documents. */
export const answerHeaders: Readonly<Record<HeaderName, Header>> = {
  [headerNames.totalCount]: {
    on: 'lists without `since`',
    description:
      'The number of all matching events, on this page or not. Left out while a copy of an online service may lack older events.',
    schema: { type: 'integer', minimum: 0 },
  },
  [headerNames.eventsRevision]: {
    on: 'lists',
    description:
      'Another value after every change of any event of the user; compare it as a string.',
    isRequired: true,
  },
  [headerNames.eventsDigest]: {
    on: 'lists without `q`, `status`, `eventType`, `from`, `to` and `team`',
    description:
      "A digest of all the user's events: copies with the same events have the same digest. May be left out while another program changes the events.",
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  },
  [headerNames.dataAsOf]: {
    on: 'answers about events',
    description:
      'For a copy of an online service: the oldest time at which the service confirmed what the answer needed. For a node that does not reach its record: the time of the last contact. It is not part of the `ETag`.',
  },
  [headerNames.dataCoverage]: {
    on: 'lists',
    description:
      'For a copy of an online service: `complete`, or `since=` and the time since whose creation all events are here.',
  },
  [headerNames.ignoredParameters]: {
    on: 'answers about events',
    description:
      'Query parameters without a meaning here, percent-encoded, separated by commas, at most ten.',
  },
  [headerNames.preferenceApplied]: {
    on: 'lists',
    description:
      'The `wait` of the request, if its answer could wait for a change. Without it, a client that repeats the request has to pause itself.',
    schema: { type: 'string', pattern: '^wait=[0-9]+$' },
  },
  [headerNames.link]: {
    on: 'lists',
    description:
      'The complete URL of the next page, with `rel="next"` (RFC 8288), if more events match.',
  },
  [headerNames.etag]: {
    on: 'answers about events, `/openapi.json`, the page',
    description: 'Names the content; send it back in `If-None-Match`.',
  },
  [headerNames.vary]: {
    on: 'answers about events, errors',
    description: 'The request headers on which the answer depends.',
  },
  [headerNames.cacheControl]: {
    on: 'every answer but 204',
    description:
      'Events are `private, no-cache`: a cache has to ask each time. Errors are `no-store`.',
  },
  [headerNames.retryAfter]: {
    on: 'errors 503 that end by themselves',
    description: 'Seconds until another attempt makes sense.',
    schema: { type: 'integer', minimum: 1 },
  },
  [headerNames.wwwAuthenticate]: {
    on: 'errors about the key',
    description: 'The scheme of the key, and the reason if there was one (RFC 6750).',
  },
  [headerNames.allow]: {
    on: 'error 405, `OPTIONS`',
    description: 'The methods.',
  },
};
