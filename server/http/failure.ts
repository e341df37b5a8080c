import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { explainSqlite, StoreError } from '../../db/problem.ts';
import { ClubEventsError } from '../errors.ts';
import { commonHeaders, problemAnswer } from './problems.ts';

/** Returns the problem code of an error; `internal` for unknown errors. */
function codeOf(error: unknown): string {
  if (error instanceof ClubEventsError) return error.code;
  const explained = explainSqlite(error, 'the database');
  return explained instanceof StoreError && explained.problem === 'busy' ? 'busy' : 'internal';
}

/**
 * Creates the outermost middleware. It adds the common headers and converts errors to problem
 * documents (RFC 9457) without internal details; server errors are logged.
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
  // Returns the promise of `next`, which saves an async function call per request.
  return (ctx, next) => {
    for (const [name, value] of common) ctx.res.setHeader(name, value);
    return next().catch((error) => answerFailure(ctx, error));
  };
}
