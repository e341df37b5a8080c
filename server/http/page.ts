import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type Router from '@koa/router';
import { answerPublic, composeEtag } from './events.ts';
import { refuse } from './problems.ts';

/** The Content Security Policy of the page (https://www.w3.org/TR/CSP3): this server only. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Only the page itself can make a blob: URL; it reads the club's logo from a file with one.
  "img-src 'self' blob:",
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

/** Reads all files of the page into memory, so that no requested path reaches the file system. */
function readPage(folder: string): Page {
  const names = readNames(join(folder, 'assets')).filter((name) =>
    Object.hasOwn(types, extname(name)),
  );
  const assets = names.map((name) => [name, readFileSync(join(folder, 'assets', name))] as const);
  const html = names.length === 0 ? Buffer.alloc(0) : readFileSync(join(folder, 'index.html'));
  return { html, etag: composeEtag(html), assets: new Map(assets) };
}

/** Adds the routes of the page and its assets, which need no key and contain no data. */
export function routePage(router: Router, folder: string = builtPage): void {
  let page: Page | undefined;
  router.get('/', (ctx) => {
    page ??= readPage(folder);
    if (page.html.length === 0) refuse('page_not_built');
    ctx.set('Content-Security-Policy', pagePolicy);
    // Otherwise a page that opened this one could navigate it elsewhere.
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    // Revalidated each time, as the page of an earlier build may name assets that no longer exist.
    answerPublic(ctx, { body: page.html, etag: page.etag, type: types['.html'] ?? '' });
  });
  router.get('/assets/:name', (ctx) => {
    page ??= readPage(folder);
    const name = ctx.path.slice('/assets/'.length);
    const asset = page.assets.get(name) ?? refuse('not_found');
    // The file name changes with the content.
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.type = types[extname(name)] ?? '';
    ctx.body = asset;
  });
}
