import type { Middleware } from 'koa';
import type { Reader } from '../../db/open.ts';
import { prepareEventReads } from '../../db/read/events.ts';
import type { Authenticated } from './auth.ts';
import { answerJson } from './conditional.ts';
import { refuse } from './problems.ts';

/** The most events one list answer holds (INTERFACE section 2). */
export const listLimit = 200;

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

export type EventHandlers = {
  readonly list: Middleware<Authenticated>;
  readonly one: Middleware<Authenticated>;
};

/** `GET /v1/events` and `GET /v1/events/:id`, for the user that `authenticate` found. */
export function createEventHandlers(db: Reader): EventHandlers {
  const reads = prepareEventReads(db);

  return {
    list(ctx) {
      const events = reads.newest(ctx.state.userId, listLimit);
      answerJson(ctx, JSON.stringify({ events }));
    },
    one(ctx) {
      const id = parseEventId(ctx.path.slice(ctx.path.lastIndexOf('/') + 1));
      const event = reads.byId(ctx.state.userId, id) ?? refuse('not_found');
      answerJson(ctx, JSON.stringify({ event }));
    },
  };
}
