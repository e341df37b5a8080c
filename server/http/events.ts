import type { Middleware, ParameterizedContext } from 'koa';
import type { Reader } from '../../db/open.ts';
import { prepareEventListReads } from '../../db/read/event-list.ts';
import { prepareEventReads } from '../../db/read/events.ts';
import { createMemo } from '../../db/read/memo.ts';
import { prepareNewestReads } from '../../db/read/newest.ts';
import { prepareUserReads } from '../../db/read/users.ts';
import { versionPerTick } from '../../db/read/version.ts';
import type { Authenticated } from './auth.ts';
import { answerJson, composeJsonAnswer, type JsonAnswer } from './conditional.ts';
import type { Addressed } from './guard.ts';
import { composeListHeaders, plainQuery, revisionHeader } from './list.ts';
import { listLimit, refuse } from './problems.ts';

const canonicalInteger = /^(?:0|-?[1-9][0-9]*)$/;

/**
 * Parses an id in an undecoded path; decoded, `%31` would pass for `1`. Refuses (400) anything but
 * a canonical integer. An integer beyond the precision of numbers is rounded, but matches no stored
 * id.
 */
export function parseEventId(text: string): number {
  if (!canonicalInteger.test(text)) refuse('malformed_id');
  return Number(text);
}

/** Cache limits: the number of responses and their total size in bytes. */
const maxCachedAnswers = 1_000;
const maxCachedBytes = 16 * 1024 * 1024;

/** Returns the size of a body in bytes; a string may take two per character. */
function sizeOf({ body }: JsonAnswer): number {
  return typeof body === 'string' ? body.length * 2 : body.length;
}

type ListContext = ParameterizedContext<Authenticated & Addressed>;

export type EventHandlers = {
  readonly list: Middleware<Authenticated & Addressed>;
  readonly one: Middleware<Authenticated>;
};

/** Creates handlers of `GET /v1/events` and `GET /v1/events/:id` for the authenticated user. */
export function createEventHandlers(db: Reader): EventHandlers {
  const reads = prepareEventReads(db);
  const users = prepareUserReads(db);
  const lists = prepareEventListReads(db);
  const readNewest = prepareNewestReads(db, listLimit);
  // Scripts repeat the same requests, and events seldom change.
  const answers = createMemo<JsonAnswer>(versionPerTick(db), {
    most: maxCachedAnswers,
    size: { most: maxCachedBytes, of: sizeOf },
  });

  function untaggedHeadersOf(
    page: Parameters<typeof revisionHeader>[0],
    userId: number,
  ): Readonly<Record<string, string>> {
    return { ...revisionHeader(page), 'Calendar-Uid-Base': users.uidBase(userId) };
  }

  function composeNewest(userId: number, url: string): JsonAnswer {
    const page = readNewest(userId);
    const list = { userId, query: plainQuery, parameters: {}, url };
    return composeJsonAnswer(
      page.json,
      composeListHeaders(page, list),
      untaggedHeadersOf(page, userId),
    );
  }

  async function listMatching(ctx: ListContext, url: string): Promise<void> {
    const { userId } = ctx.state;
    // Loaded on demand: parameter validation would double the time to the first response.
    const { parseEventQuery } = await import('./query.ts');
    const parsed = parseEventQuery(ctx.querystring, userId);
    const page = lists.page(userId, parsed.query);
    const headers = composeListHeaders(page, { userId, ...parsed, url });
    const body = JSON.stringify({ events: page.events });
    answerJson(ctx, composeJsonAnswer(body, headers, untaggedHeadersOf(page, userId)));
  }

  return {
    list(ctx) {
      const { userId, baseUrl } = ctx.state;
      const url = baseUrl + ctx.path;
      if (ctx.querystring !== '') return listMatching(ctx, url);
      const answer = answers.recall(`${userId} ${url}`, () => composeNewest(userId, url));
      return answerJson(ctx, answer);
    },
    one(ctx) {
      const { userId } = ctx.state;
      const id = parseEventId(ctx.path.slice(ctx.path.lastIndexOf('/') + 1));
      const read = () => {
        const event = reads.byId(userId, id) ?? refuse('event_not_found');
        // A string, which Node sends in one piece with the headers; bytes are sent separately.
        return composeJsonAnswer(JSON.stringify({ event }));
      };
      answerJson(ctx, answers.recall(`${userId}/${id}`, read));
    },
  };
}
