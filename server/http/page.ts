import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
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

/** The policy of the explorer, whose style sheet contains its icons. */
const docsPolicy = pagePolicy.replace("img-src 'self' blob:", "img-src 'self' data:");

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

type Html = { readonly body: Buffer; readonly etag: string };

type Page = {
  readonly index: Html;
  readonly docs: Html;
  readonly assets: ReadonlyMap<string, Buffer>;
};

/** Reads all files of the page into memory, so that no requested path reaches the file system. */
function readPage(folder: string): Page {
  const names = readNames(join(folder, 'assets')).filter((name) =>
    Object.hasOwn(types, extname(name)),
  );
  const assets = names.map((name) => [name, readFileSync(join(folder, 'assets', name))] as const);
  const readHtml = (name: string) => {
    const path = join(folder, name);
    const body = names.length > 0 && existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    return { body, etag: composeEtag(body) };
  };
  return { index: readHtml('index.html'), docs: readHtml('docs.html'), assets: new Map(assets) };
}

/** Adds the routes of the page, the explorer and their assets: they need no key and have no data. */
export function routePage(router: Router, folder: string = builtPage): void {
  let page: Page | undefined;
  const answerHtml = (ctx: ParameterizedContext, name: 'index' | 'docs', policy: string) => {
    page ??= readPage(folder);
    const { body, etag } = page[name];
    if (body.length === 0) refuse('page_not_built');
    ctx.set('Content-Security-Policy', policy);
    // Otherwise a page that opened this one could navigate it elsewhere.
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    // Revalidated each time, as the page of an earlier build may name assets that no longer exist.
    answerPublic(ctx, { body, etag, type: types['.html'] ?? '' });
  };
  router.get('/', (ctx) => answerHtml(ctx, 'index', pagePolicy));
  router.get('/docs', (ctx) => answerHtml(ctx, 'docs', docsPolicy));
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
