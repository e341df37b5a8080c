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
 * The id in a path, taken from the path as it was sent: decoded, `%31` would pass for `1`.
 * Refuses (400) what is not a canonical integer. One that a number cannot hold becomes another
 * that is just as far from any stored id.
 */
export function parseEventId(text: string): number {
  if (!canonicalInteger.test(text)) refuse('malformed_id');
  return Number(text);
}

/** How many answers are remembered, and how much they may hold together, in bytes. */
const answersKept = 1_000;
const bytesKept = 16 * 1024 * 1024;

/** Bytes that an answer may hold; a text may have two for each character. */
function sizeOf({ body }: JsonAnswer): number {
  return typeof body === 'string' ? body.length * 2 : body.length;
}

type ListContext = ParameterizedContext<Authenticated & Addressed>;

export type EventHandlers = {
  readonly list: Middleware<Authenticated & Addressed>;
  readonly one: Middleware<Authenticated>;
};

/** `GET /v1/events` and `GET /v1/events/:id`, for the user that `authenticate` found. */
export function createEventHandlers(db: Reader): EventHandlers {
  const reads = prepareEventReads(db);
  const users = prepareUserReads(db);
  const lists = prepareEventListReads(db);
  const readNewest = prepareNewestReads(db, listLimit);
  // A script asks for the same again and again, and what it is told changes seldom.
  const answers = createMemo<JsonAnswer>(versionPerTick(db), {
    most: answersKept,
    size: { most: bytesKept, of: sizeOf },
  });

  /** Headers of a list that its entity tag does not cover. */
  function moreOf(
    page: Parameters<typeof revisionHeader>[0],
    userId: number,
  ): Readonly<Record<string, string>> {
    return { ...revisionHeader(page), 'Calendar-Uid-Base': users.uidBase(userId) };
  }

  function composeNewest(userId: number, url: string): JsonAnswer {
    const page = readNewest(userId);
    const listed = { userId, query: plainQuery, parameters: {}, url };
    return composeJsonAnswer(page.json, composeListHeaders(page, listed), moreOf(page, userId));
  }

  async function listMatching(ctx: ListContext, url: string): Promise<void> {
    const { userId } = ctx.state;
    // Loaded when needed: what checks the parameters would double the time to the first answer.
    const { parseEventQuery } = await import('./query.ts');
    const asked = parseEventQuery(ctx.querystring, userId);
    const page = lists.page(userId, asked.query);
    const headers = composeListHeaders(page, { userId, ...asked, url });
    const body = JSON.stringify({ events: page.events });
    answerJson(ctx, composeJsonAnswer(body, headers, moreOf(page, userId)));
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
        // A text, which goes out in one piece with the headers; bytes go after them.
        return composeJsonAnswer(JSON.stringify({ event }));
      };
      answerJson(ctx, answers.recall(`${userId}/${id}`, read));
    },
  };
}
