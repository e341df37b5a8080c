import type { Middleware } from 'koa';
import type { Reader } from '../../db/open.ts';
import { prepareEventListReads } from '../../db/read/event-list.ts';
import { prepareEventReads } from '../../db/read/events.ts';
import type { Authenticated } from './auth.ts';
import { answerJson } from './conditional.ts';
import type { Addressed } from './guard.ts';
import { composeListHeaders, plainQuery } from './list.ts';
import { refuse } from './problems.ts';
import type { ParsedQuery } from './query.ts';

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

async function readQuery(querystring: string, userId: number): Promise<ParsedQuery> {
  if (querystring === '') return { query: plainQuery, parameters: {} };
  // Loaded when needed: what checks the parameters would double the time to the first answer.
  const { parseEventQuery } = await import('./query.ts');
  return parseEventQuery(querystring, userId);
}

export type EventHandlers = {
  readonly list: Middleware<Authenticated & Addressed>;
  readonly one: Middleware<Authenticated>;
};

/** `GET /v1/events` and `GET /v1/events/:id`, for the user that `authenticate` found. */
export function createEventHandlers(db: Reader): EventHandlers {
  const reads = prepareEventReads(db);
  const lists = prepareEventListReads(db);

  return {
    async list(ctx) {
      const { userId, baseUrl } = ctx.state;
      const asked = await readQuery(ctx.querystring, userId);
      const page = lists.page(userId, asked.query);
      const headers = composeListHeaders(page, { userId, ...asked, url: baseUrl + ctx.path });
      answerJson(ctx, JSON.stringify({ events: page.events }), headers);
    },
    one(ctx) {
      const id = parseEventId(ctx.path.slice(ctx.path.lastIndexOf('/') + 1));
      const event = reads.byId(ctx.state.userId, id) ?? refuse('not_found');
      answerJson(ctx, JSON.stringify({ event }));
    },
  };
}
