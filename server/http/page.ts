import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type Router from '@koa/router';
import { answerPublic, composeEtag } from './conditional.ts';
import { refuse } from './problems.ts';

/** What the page may do (https://www.w3.org/TR/CSP3): use what this server gives it, no more. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Where the build leaves the page. */
const builtPage = join(import.meta.dirname, '../ui/dist');

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

type Page = {
  readonly html: Buffer;
  readonly etag: string;
  readonly assets: ReadonlyMap<string, Buffer>;
};

/** Reads the page whole, once: it is small, and no path of a request ever reaches the disk. */
function readPage(folder: string): Page {
  const names = readNames(join(folder, 'assets')).filter((name) =>
    Object.hasOwn(types, extname(name)),
  );
  const assets = names.map((name) => [name, readFileSync(join(folder, 'assets', name))] as const);
  const html = names.length === 0 ? Buffer.alloc(0) : readFileSync(join(folder, 'index.html'));
  return { html, etag: composeEtag(html), assets: new Map(assets) };
}

/** `GET /` and its assets: the user interface, which needs no key and holds no data. */
export function routePage(router: Router, folder: string = builtPage): void {
  let page: Page | undefined;
  router.get('/', (ctx) => {
    page ??= readPage(folder);
    if (page.html.length === 0) refuse('page_not_built');
    ctx.set('Content-Security-Policy', pagePolicy);
    // A page that opened this one could otherwise lead it elsewhere.
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    // Asked for each time, as a page of another build may name assets that are gone.
    answerPublic(ctx, { body: page.html, etag: page.etag, type: types['.html'] ?? '' });
  });
  router.get('/assets/:name', (ctx) => {
    page ??= readPage(folder);
    const name = ctx.path.slice('/assets/'.length);
    const asset = page.assets.get(name) ?? refuse('not_found');
    // Its name changes with its content.
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.type = types[extname(name)] ?? '';
    ctx.body = asset;
  });
}
