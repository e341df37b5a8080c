import { hash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';

/** The opaque part of each tag in a list, which is all that weak comparison looks at. */
const opaqueTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

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
  /** The entity tag and whatever else is told in headers. */
  readonly headers: readonly (readonly [name: string, value: string])[];
};

/** Composes an answer of JSON and of headers that are a part of what is told: the tag is over both. */
export function composeJsonAnswer(
  body: string | Buffer,
  told: Readonly<Record<string, string>> = {},
): JsonAnswer {
  const fields = Object.entries(told);
  const values = [hash('sha256', body), ...fields.map(([, value]) => value)];
  const etag = `"${hash('sha256', values.join('\n'), 'base64url')}"`;
  return {
    body,
    etag,
    headers: [...fields, ['ETag', etag], ['Cache-Control', 'private, no-cache']],
  };
}

/**
 * Answers with JSON that is the user's own: 200, or 304 when the caller has it. `If-Modified-Since`
 * is ignored, as there is no `Last-Modified`.
 */
export function answerJson(ctx: ParameterizedContext, { body, etag, headers }: JsonAnswer): void {
  const { res } = ctx;
  for (const [name, value] of headers) res.setHeader(name, value);
  if (res.hasHeader('Vary')) ctx.vary('Authorization');
  else res.setHeader('Vary', 'Authorization');
  const ifNoneMatch = ctx.req.headers['if-none-match'];
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
    ctx.status = 304;
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = body;
}
