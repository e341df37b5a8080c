import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import KoaRouter from '@koa/router';
import Koa, { type Middleware } from 'koa';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handleFailures } from '../../../server/http/app.ts';
import { routePage } from '../../../server/http/page.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { requestRaw } from '../../support/raw.ts';
import { serveForTest } from '../../support/service.ts';

/** Serves the page that is in a folder, and nothing else. */
async function servePage(folder: string): Promise<string> {
  const router = new KoaRouter({ strict: true, sensitive: true });
  routePage(router, folder);
  const app = new Koa();
  app.use(handleFailures(pino({ level: 'silent' })));
  app.use(router.routes() as unknown as Middleware);
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the page', () => {
  it('the page needs no key, and has a policy that allows only its own service', async () => {
    const { baseUrl } = await serveForTest(makeTestHome());
    const answer = await fetch(`${baseUrl}/`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(await answer.text()).toContain('<title>Club Events</title>');
  });

  it.each(['/', '/openapi.json'])('returns 304 at %s unless it has changed', async (path) => {
    const { baseUrl } = await serveForTest(makeTestHome());
    const whole = await fetch(`${baseUrl}${path}`);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(whole.headers.get('cache-control')).toBe('no-cache');
    const same = await fetch(`${baseUrl}${path}`, { headers: { 'If-None-Match': `W/${etag}` } });
    expect([same.status, await same.text()]).toEqual([304, '']);
    expect(same.headers.get('etag')).toBe(etag);
    expect(same.headers.get('cache-control')).toBe('no-cache');
    const other = await fetch(`${baseUrl}${path}`, { headers: { 'If-None-Match': '"x"' } });
    expect(other.status).toBe(200);
  });

  it('serves its assets with an immutable cache policy', async () => {
    const { baseUrl } = await serveForTest(makeTestHome());
    const html = await (await fetch(`${baseUrl}/`)).text();
    const names = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, name = '']) => name);
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      const answer = await fetch(`${baseUrl}${name}`);
      expect(answer.status, name).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/^(text\/(javascript|css)|image\/svg)/);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it.each([
    '/assets/',
    '/assets/none.js',
    '/assets/__proto__',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/..%5cindex.html',
    '/index.html',
    '/Assets/none.js',
    '//',
  ])('returns 404 at %s', async (path) => {
    const { port } = await serveForTest(makeTestHome());
    const answer = await requestRaw(port, `GET ${path}`, [`Host: 127.0.0.1:${port}`]);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('answers HEAD and refuses methods that write', async () => {
    const { baseUrl } = await serveForTest(makeTestHome());
    const head = await fetch(`${baseUrl}/`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await head.text()).toBe('');
    expect((await fetch(`${baseUrl}/`, { method: 'POST' })).status).toBe(405);
  });

  it('returns the build command if it is not built', async () => {
    const baseUrl = await servePage(makeTestFolder());
    const answer = await fetch(`${baseUrl}/`);
    expect(answer.status).toBe(503);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toContain('npm run build');
  });

  it('serves only known file types', async () => {
    const folder = makeTestFolder();
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'assets/page.js'), '1');
    writeFileSync(join(folder, 'assets/notes.txt'), 'secret');
    const baseUrl = await servePage(folder);
    expect((await fetch(`${baseUrl}/assets/page.js`)).status).toBe(200);
    expect((await fetch(`${baseUrl}/assets/notes.txt`)).status).toBe(404);
  });
});
