import type { Context, Middleware } from 'koa';
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

  function answerFailure(ctx: Context, error: unknown): void {
    const { status, headers, body } = problemAnswer(codeOf(error));
    if (status >= 500) log.error({ err: error, method: ctx.method, path: ctx.path }, 'failed');
    ctx.status = status;
    ctx.set(headers);
    ctx.body = body;
  }
  // `next` always gives a promise, so that waiting for it in a function of our own is not needed.
  return (ctx, next) => {
    for (const [name, value] of common) ctx.res.setHeader(name, value);
    return next().catch((error) => answerFailure(ctx, error));
  };
}
