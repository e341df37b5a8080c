import { hash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { refuse } from './problems.ts';

/** The opaque part of each tag in a list, which is all that weak comparison looks at. */
const opaqueTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Returns whether `If-Match` names `etag`, by strong comparison (RFC 9110 section 13.1.1). */
export function matchesStrongly(ifMatch: string, etag: string): boolean {
  if (ifMatch === etag || ifMatch.trim() === '*') return true;
  return ifMatch.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}

/** Whether `If-None-Match` names `etag`, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  // What nearly every caller sends: the one tag it was given.
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(opaqueTag)?.includes(etag) ?? false;
}

/** An answer that can be given again as long as what it tells is so. */
export type JsonAnswer = {
  readonly body: string | Buffer;
  readonly etag: string;
  /** The entity tag and all other headers of the content. */
  readonly headers: readonly (readonly [name: string, value: string])[];
};

/** Composes the entity tag of a content. */
export function composeEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

/** Composes an answer of JSON. The tag covers the body and the headers `told`, not those in `more`. */
export function composeJsonAnswer(
  body: string | Buffer,
  told: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): JsonAnswer {
  const fields = Object.entries(told);
  const values = [hash('sha256', body), ...fields.map(([, value]) => value)];
  const etag = composeEtag(values.join('\n'));
  return {
    body,
    etag,
    headers: [
      ...fields,
      ...Object.entries(more),
      ['ETag', etag],
      ['Cache-Control', 'private, no-cache'],
    ],
  };
}

/**
 * Evaluates the preconditions of a request in the order of RFC 9110 section 13.2.2: refuses (412) a
 * content that `If-Match` does not name, and returns whether the caller has it (304). There is no
 * `Last-Modified` for the others.
 */
export function evaluatePreconditions({ req }: ParameterizedContext, etag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = req.headers;
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, etag)) refuse('precondition_failed');
  return ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag);
}

/** Answers with JSON that is the user's own: 200, or 304 when the caller has it. */
export function answerJson(ctx: ParameterizedContext, { body, etag, headers }: JsonAnswer): void {
  const { res } = ctx;
  const isNotModified = evaluatePreconditions(ctx, etag);
  for (const [name, value] of headers) res.setHeader(name, value);
  if (res.hasHeader('Vary')) ctx.vary('Authorization');
  else res.setHeader('Vary', 'Authorization');
  if (isNotModified) {
    ctx.status = 304;
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = body;
}

/** Answers with a content that is the same for everybody: 200, or 304 when the caller has it. */
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
