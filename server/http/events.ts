import { hash } from 'node:crypto';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Revision } from '../../db/event-changes.ts';
import { prepareEventListReads } from '../../db/event-list.ts';
import { inSnapshot, type Reader } from '../../db/open.ts';
import type { Authenticated } from './auth.ts';
import type { Answer, Cache, Caches } from './cache.ts';
import { createDigests, type Digest } from './digests.ts';
import { prepareSentEvents } from './event-reads.ts';
import type { Addressed } from './guard.ts';
import { headerNames, pageHeaderNames } from './headers.ts';
import { type LongPolls, preferredWait, type Waited } from './long-polls.ts';
import {
  composeChangeHeaders,
  composeCopyHeaders,
  composeListHeaders,
  composeStateHeaders,
  defaultQuery,
  isFiltered,
  type ParsedQuery,
} from './paging.ts';
import { commonHeaders, refuse } from './problems.ts';
import {
  createRepresentation,
  jsonRepresentation,
  type ListWriters,
  preferredType,
  type Representation,
} from './representations.ts';

/** The opaque part of each tag in a list; weak comparison ignores the rest. */
const opaqueTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Returns true if `If-Match` names `etag`, by strong comparison (RFC 9110 section 13.1.1). */
function matchesStrongly(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  if (etag.startsWith('W/')) return false;
  return (
    ifMatch === etag ||
    ifMatch.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) === true
  );
}

/** Returns true if `If-None-Match` names `etag`, by weak comparison (RFC 9110 section 13.1.2). */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  // Fast path: nearly every client sends the one tag that it received.
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(opaqueTag)?.includes(etag.replace(/^W\//, '')) ?? false;
}

export function composeEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Composes a response with the content that `representation` writes. Its entity tag covers `tagged`, by default
 * the content, and `taggedHeaders`.
 */
function composeAnswer<Content extends object>(
  content: Content,
  taggedHeaders: Headers = {},
  untaggedHeaders: Headers = {},
  { contentType, write, datedBy }: Representation<Content> = jsonRepresentation,
): Answer {
  const body = Buffer.from(write(content));
  const digest = hash('sha256', datedBy ? JSON.stringify([content, datedBy]) : body);
  const tag = composeEtag([digest, ...Object.values(taggedHeaders)].join('\n'));
  const etag = datedBy ? `W/${tag}` : tag;
  return {
    body,
    contentType,
    etag,
    headers: Object.entries({
      ...commonHeaders,
      ...taggedHeaders,
      ...untaggedHeaders,
      ETag: etag,
      'Cache-Control': 'private, no-cache',
    }).flat(),
  };
}

/**
 * Evaluates preconditions in the order of RFC 9110 section 13.2.2. Refuses (412) if `If-Match` does
 * not name `etag`; returns true if the client has the content (304). Without `Last-Modified`, the
 * date conditions do not apply.
 */
function evaluatePreconditions({ req }: ParameterizedContext, etag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = req.headers;
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, etag)) refuse('precondition_failed');
  return ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag);
}

/** Responds with content of the user: 200, or 304 if the client has it. */
function send(
  ctx: ParameterizedContext,
  { body, contentType, etag, headers }: Answer,
  varyBy: string,
): void {
  const { res } = ctx;
  const isNotModified = evaluatePreconditions(ctx, etag);
  // `writeHead` replaces headers that were set before.
  const varied = res.getHeader('Vary');
  const vary = varied === undefined ? varyBy : `${varied}, ${varyBy}`;
  // Setting one header after the other would take a fifth of the processor time of an answer.
  if (isNotModified) {
    res.writeHead(304, [...headers, 'Vary', vary]);
    return;
  }
  const ofContent = ['Content-Type', contentType, 'Content-Length', String(body.length)];
  res.writeHead(200, [...headers, 'Vary', vary, ...ofContent]);
  ctx.body = body;
}

/** Responds with content that is the same for all clients: 200, or 304 if the client has it. */
export function answerPublic(
  ctx: ParameterizedContext,
  {
    body,
    etag,
    type,
  }: { readonly body: string | Buffer; readonly etag: string; readonly type: string },
): void {
  const isNotModified = evaluatePreconditions(ctx, etag);
  ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' });
  if (isNotModified) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}

const canonicalInteger = /^(?:0|-?[1-9][0-9]*)$/;

/**
 * The id in a path, taken from the path as it was sent: decoded, `%31` would pass for `1`.
 * Refuses (400) non-canonical integers. Values beyond 2^53 lose precision, but no stored id is
 * that large.
 */
function parseEventId(text: string): number {
  if (!canonicalInteger.test(text)) refuse('malformed_id');
  return Number(text);
}

type EventState = Authenticated & Addressed & Waited;
type EventContext = ParameterizedContext<EventState>;

type EventHandlers = {
  readonly list: Middleware<EventState>;
  readonly one: Middleware<EventState>;
};

export type EventTools = {
  readonly now: () => Date;
  /** Loads the writers of the other representations of a list. */
  readonly loadWriters: () => Promise<ListWriters>;
  /** Called with an id of a mirror that is neither known nor proven absent. */
  readonly onMiss?: ((userId: number, id: number) => void) | undefined;
};

/** The header of the page's requests for the identity of calendar files. */
const pageHeader = pageHeaderNames.request.toLowerCase();

/** Composes the identity of calendar files, which only the page needs. */
function composeCalendarHeaders({ account }: Authenticated) {
  return {
    [pageHeaderNames.calendarName]: encodeURIComponent(account.name),
    [pageHeaderNames.calendarUidBase]: account.uidBase,
    [pageHeaderNames.calendarTimeZone]: account.zone,
  };
}

/** Composes an answer in a snapshot of the database. */
type Compose = (counts: Cache['counts']) => Answer;

/** Creates the handlers of `GET /v1/events` and `GET /v1/events/:id`. */
export function createEventHandlers(
  db: Reader,
  caches: Caches,
  longPolls: LongPolls,
  { now, loadWriters, onMiss = () => undefined }: EventTools,
): EventHandlers {
  const sent = prepareSentEvents(db);
  const lists = prepareEventListReads(db);
  const calculateDigest = createDigests(lists);

  /** Reads the answer, from the cache if the database has not changed since. */
  async function read(
    ctx: EventContext,
    prepare: () => Compose | Promise<Compose>,
    representation = '',
  ): Promise<Answer> {
    const { userId } = ctx.state.account;
    const key = `${userId} ${representation} ${ctx.state.baseUrl}${ctx.url}`;
    const cached = ctx.state.cache.answers.get(key);
    if (cached !== undefined) return cached;
    const compose = await prepare();
    return inSnapshot(db, () => {
      // There may have been a change since the request arrived.
      const { answers, counts } = caches.current();
      const answer = compose(counts);
      // Clients that evade caches add another parameter to each request.
      if (!ctx.res.hasHeader(headerNames.ignoredParameters)) answers.set(key, answer);
      return answer;
    });
  }

  /** Returns true if the client has asked for news and there is none. */
  function hasNoNews(ctx: EventContext, { etag }: Answer): boolean {
    if (evaluatePreconditions(ctx, etag)) return true;
    return new URLSearchParams(ctx.querystring).get('since') === ctx.state.account.revision;
  }

  /**
   * Waits for the next change of the user's events if the client prefers that to an answer without
   * news. Returns true if the answer has to be read again.
   */
  async function waitForNews(ctx: EventContext, answer: Answer): Promise<boolean> {
    const seconds = preferredWait(ctx.req.headers['prefer']);
    const isAsked = ctx.req.headers['if-none-match'] !== undefined || 'since' in ctx.query;
    if (seconds === undefined || !isAsked) return false;
    const hasToWait = hasNoNews(ctx, answer);
    const { revision } = ctx.state.account;
    const { readAccount } = ctx.state;
    const { token: key = '' } = ctx.request;
    const isOver = () => readAccount(key, caches.current())?.revision !== revision;
    if (hasToWait && !(await longPolls.wait(ctx, key, seconds, isOver))) return false;
    ctx.set(headerNames.preferenceApplied, `wait=${seconds}`);
    if (!hasToWait) return false;
    ctx.state.cache = caches.current();
    ctx.state.account = readAccount(key, ctx.state.cache) ?? refuse('invalid_key');
    return true;
  }

  /** Reads the digest of all events of the user, once for each version of the database. */
  function readDigest({ account: { userId }, cache: { digests } }: Authenticated) {
    const digest = digests.get(userId) ?? calculateDigest(userId);
    digests.set(userId, digest);
    digest.catch(() => digests.delete(userId));
    return digest;
  }

  async function readQuery(querystring: string): Promise<ParsedQuery> {
    if (querystring === '') return { query: defaultQuery, parameters: {} };
    // Loaded when needed: the schemas would double the time to the first answer.
    const { parseEventQuery } = await import('./query.ts');
    return parseEventQuery(querystring);
  }

  function composeChanges(
    ctx: EventContext,
    since: Revision,
    parsed: ParsedQuery,
    digest: Digest | undefined,
  ) {
    const page = sent.changes(ctx.state.account.userId, since, parsed);
    const { parameters } = parsed;
    const { events, removed } = page;
    const url = ctx.state.baseUrl + ctx.path;
    const headers = composeChangeHeaders(page, { parameters, url });
    return composeAnswer({ events, removed }, headers, {
      ...composeStateHeaders(isFiltered(parameters) ? { ...page, digest: null } : page, digest),
      ...composeCopyHeaders(page),
    });
  }

  function composeList(
    ctx: EventContext,
    parsed: ParsedQuery,
    digest: Digest | undefined,
    counts: Cache['counts'],
    representation: Representation | undefined,
  ) {
    const { userId } = ctx.state.account;
    const page = sent.page(userId, parsed, { counts, isPlain: ctx.querystring === '' });
    const { parameters } = parsed;
    const { events } = page;
    const url = ctx.state.baseUrl + ctx.path;
    const headers = composeListHeaders(page, { parameters, url });
    const untagged = {
      ...composeStateHeaders(isFiltered(parameters) ? { ...page, digest: null } : page, digest),
      ...composeCopyHeaders(page),
    };
    if (representation === undefined) return composeAnswer({ events }, headers, untagged);
    return composeAnswer(
      { events: lists.withSourceKeys(userId, events) },
      headers,
      untagged,
      representation,
    );
  }

  function composeEvent(ctx: EventContext, id: number) {
    const { userId } = ctx.state.account;
    const found = sent.byId(userId, id);
    if (found !== undefined) {
      return composeAnswer({ event: found.event }, {}, composeCopyHeaders(found));
    }
    const absentAsOf = sent.absentAsOf(userId, id);
    if (absentAsOf) ctx.set(headerNames.dataAsOf, absentAsOf);
    if (absentAsOf === null && Number.isSafeInteger(id)) onMiss(userId, id);
    return refuse('event_not_found');
  }

  /** Returns the representation that the client prefers to JSON. Only JSON can list removed events. */
  async function chooseRepresentation({
    req,
    query,
    state,
  }: EventContext): Promise<Representation | undefined> {
    const type = preferredType(req.headers.accept);
    if (type === undefined || 'since' in query) return undefined;
    const { name, uidBase, zone } = state.account;
    // Until a writer has opened the database, a club has no zone.
    const timeZone = zone === '' ? undefined : zone;
    const calendar = { calendarName: name, uidBase, now: now(), timeZone };
    return createRepresentation(type, await loadWriters(), calendar);
  }

  return {
    async list(ctx) {
      if (ctx.req.headers[pageHeader] !== undefined) ctx.set(composeCalendarHeaders(ctx.state));
      const representation = await chooseRepresentation(ctx);
      const prepare = async (): Promise<Compose> => {
        const parsed = await readQuery(ctx.querystring);
        const { since, parameters } = parsed;
        const digest = isFiltered(parameters) ? undefined : await readDigest(ctx.state);
        return (counts) =>
          since === undefined
            ? composeList(ctx, parsed, digest, counts, representation)
            : composeChanges(ctx, since, parsed, digest);
      };
      const readList = () => read(ctx, prepare, representation?.contentType);
      const answer = await readList();
      const isOld = await waitForNews(ctx, answer);
      if (ctx.req.socket.destroyed) ctx.respond = false;
      else send(ctx, isOld ? await readList() : answer, 'Authorization, Accept');
    },
    async one(ctx) {
      const answer = await read(ctx, () => {
        const id = parseEventId(ctx.path.slice(ctx.path.lastIndexOf('/') + 1));
        return () => composeEvent(ctx, id);
      });
      send(ctx, answer, 'Authorization');
    },
  };
}
