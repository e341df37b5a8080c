import { hash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { refuse } from './problems.ts';

/** The opaque part of each tag in a list; weak comparison ignores the rest. */
const opaqueTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Returns true if `If-Match` names `etag`, by strong comparison (RFC 9110 section 13.1.1). */
export function matchesStrongly(ifMatch: string, etag: string): boolean {
  if (ifMatch === etag || ifMatch.trim() === '*') return true;
  return ifMatch.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}

/** Returns true if `If-None-Match` names `etag`, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  // Fast path: nearly every client sends the one tag that it received.
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(opaqueTag)?.includes(etag) ?? false;
}

/** A cacheable JSON response. */
export type JsonAnswer = {
  readonly body: string | Buffer;
  readonly etag: string;
  /** All headers of the content, including the entity tag. */
  readonly headers: readonly (readonly [name: string, value: string])[];
};

export function composeEtag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url')}"`;
}

/** Composes a JSON response. Its entity tag covers the body and `taggedHeaders`. */
export function composeJsonAnswer(
  body: string | Buffer,
  taggedHeaders: Readonly<Record<string, string>> = {},
  untaggedHeaders: Readonly<Record<string, string>> = {},
): JsonAnswer {
  const fields = Object.entries(taggedHeaders);
  const values = [hash('sha256', body), ...fields.map(([, value]) => value)];
  const etag = composeEtag(values.join('\n'));
  return {
    body,
    etag,
    headers: [
      ...fields,
      ...Object.entries(untaggedHeaders),
      ['ETag', etag],
      ['Cache-Control', 'private, no-cache'],
    ],
  };
}

/**
 * Evaluates preconditions in the order of RFC 9110 section 13.2.2. Refuses (412) if `If-Match` does
 * not name `etag`; returns true if the client has the content (304). Without `Last-Modified`, the
 * date conditions do not apply.
 */
export function evaluatePreconditions({ req }: ParameterizedContext, etag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = req.headers;
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, etag)) refuse('precondition_failed');
  return ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag);
}

/** Responds with JSON of the user: 200, or 304 if the client has it. */
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
