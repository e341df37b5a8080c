import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { explainSqlite, StoreError } from '../../db/problem.ts';
import { ClubEventsError } from '../errors.ts';
import { commonHeaders, problemAnswer } from './problems.ts';

/** The code of the problem to answer with; what it does not know is an internal failure. */
function codeOf(error: unknown): string {
  if (error instanceof ClubEventsError) return error.code;
  const explained = explainSqlite(error, 'the database');
  return explained instanceof StoreError && explained.problem === 'busy' ? 'busy' : 'internal';
}

/**
 * The outermost middleware: gives every answer its common headers and turns every error into a
 * problem document (RFC 9457) that tells nothing internal; failures of our own go to the log.
 */
export function answerFailures(log: Logger): Middleware {
  const common = Object.entries(commonHeaders);
  return async (ctx, next) => {
    for (const [name, value] of common) ctx.res.setHeader(name, value);
    try {
      await next();
    } catch (error) {
      const { status, headers, body } = problemAnswer(codeOf(error));
      if (status >= 500) log.error({ err: error, method: ctx.method, path: ctx.path }, 'failed');
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
    }
  };
}
