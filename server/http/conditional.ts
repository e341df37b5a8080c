import { hash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';

/** The opaque part of each tag in a list, which is all that weak comparison looks at. */
const opaqueTag = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether `If-None-Match` names `etag`, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(opaqueTag)?.includes(etag) ?? false;
}

/**
 * Answers with JSON that is the user's own, and with headers that are a part of what is told: 200
 * with a tag over both, or 304 when the caller has them. `If-Modified-Since` is ignored, as there
 * is no `Last-Modified`.
 */
export function answerJson(
  ctx: ParameterizedContext,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const content = [body, ...Object.values(headers)].join('\n');
  const etag = `"${hash('sha256', content, 'base64url')}"`;
  ctx.set(headers);
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.vary('Authorization');
  if (matchesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = body;
}
