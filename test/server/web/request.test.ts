import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { follow } from '../../../server/web/follow.ts';
import {
  openSession,
  request,
  WebFailure,
  type WebLimits,
  type WebRequest,
} from '../../../server/web/request.ts';
import { choose } from '../../support/long.ts';
import { patience } from '../../support/patience.ts';
import { requirePlace } from '../../support/place.ts';
import { serveProxy } from '../../support/proxy.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { certificatePath, trustTestAuthority } from '../../support/upstream.ts';
import { type Listener, listen } from '../../support/web-space.ts';

type Certificate = Parameters<typeof certificatePath>[0];

/** Starts a server of this computer for the running test. */
async function serve(listener: Listener, certificate?: Certificate) {
  const requests: IncomingMessage[] = [];
  const noting: Listener = (request, response) => {
    requests.push(request);
    listener(request, response);
  };
  const port = await listen(noting, certificate);
  const scheme = certificate === undefined ? 'http' : 'https';
  return { port, requests, url: new URL(`${scheme}://127.0.0.1:${port}/`) };
}

const hello: Listener = (_, response) => void response.end('hello');

/** Sends a request, and returns its body or the code of its failure. */
async function outcome(url: URL | string, options: WebRequest & WebLimits = {}): Promise<string> {
  const sent = request(new URL(url), { env: {}, ...options });
  return await textOf(sent);
}

async function textOf(sent: ReturnType<typeof request>): Promise<string> {
  try {
    return Buffer.from((await sent).body).toString();
  } catch (error) {
    if (error instanceof WebFailure) return error.code;
    throw error;
  }
}

describe('a request', () => {
  it('names the program, and has no other header of a person', async () => {
    const { url, requests } = await serve(hello);
    const reply = await request(url, { env: {}, headers: { accept: 'text/calendar' } });
    expect(reply).toMatchObject({
      status: 200,
      body: Buffer.from('hello'),
      end: { address: '127.0.0.1', port: Number(url.port) },
      isPublic: false,
    });
    const { connection: _, host: __, ...headers } = requests[0]?.headers ?? {};
    expect(headers).toEqual({
      accept: 'text/calendar',
      'accept-encoding': 'gzip, br',
      'cache-control': 'no-cache',
      'user-agent': expect.stringMatching(/^club-events\/\d+\.\d+\.\d+$/),
    });
  });

  it.each([
    ['gzip', gzipSync, 'hello'],
    ['deflate', deflateSync, 'hello'],
    ['br', brotliCompressSync, 'hello'],
    ['gzip', () => 'hello', 'truncated'],
    ['gzip, gzip', gzipSync, 'unreadable'],
  ] as const)('reads a body that is packed by %s', async (encoding, pack, expected) => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('hello'));
    });
    expect(await outcome(url)).toBe(expected);
  });

  it('has limits of size and time', async () => {
    const { url } = await serve(({ url: path }, response) => {
      if (path === '/silent') return;
      if (path === '/packed') {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(5_000_000)));
        return;
      }
      const drip = setInterval(() => response.write('x'.repeat(300)), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await outcome(url, { maxLength: 1_000 })).toBe('too_large');
    expect(await outcome(new URL('packed', url), { maxLength: 1_000_000 })).toBe('too_large');
    expect(await outcome(new URL('silent', url), { timeout: 200 })).toBe('timeout');
    expect(await outcome(url, { timeout: 500 })).toBe('timeout');
  });

  it.each([
    ['not_running', 'http://127.0.0.1:1/'],
    ['not_running', 'http://localhost:1/'],
    ['unreachable', 'http://club.invalid/'],
  ])('fails with %s for %s', async (code, url) => {
    expect(await outcome(url)).toBe(code);
  });

  it.each([
    ['unreachable', (_: IncomingMessage, { socket }: ServerResponse) => void socket?.destroy()],
    [
      'unreachable',
      (_: IncomingMessage, { socket }: ServerResponse) => void socket?.resetAndDestroy(),
    ],
    ['unreadable', (_: IncomingMessage, { socket }: ServerResponse) => void socket?.end('SSH-2\n')],
    [
      'truncated',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 10 });
        response.write('half', () => response.socket?.destroy());
      },
    ],
  ])('fails with %s', async (code, listener) => {
    const { url } = await serve(listener);
    expect(await outcome(url)).toBe(code);
    expect(await outcome(`https://127.0.0.1:${url.port}/`)).not.toBe('hello');
  });

  it('fails with unreadable at a port without TLS', async () => {
    const { port } = await serve(hello);
    expect(await outcome(`https://127.0.0.1:${port}/`)).toBe('unreadable');
  });

  it('ends with the reason for which it was cancelled', async () => {
    const { url, requests } = await serve(() => undefined);
    const abort = new AbortController();
    const sent = request(url, { env: {}, signal: abort.signal });
    const stepped = request(url, {
      env: {},
      onStep() {
        throw new Error('the person cancelled');
      },
    });
    const session = openSession(url, { env: {} });
    const closed = session.request(url);
    const outcomes = Promise.allSettled([sent, stepped, closed]);
    await expect.poll(() => requests.length).toBe(3);
    abort.abort(new Error('the window closed'));
    session.close();
    expect(await outcomes).toMatchObject([
      { reason: { message: 'the window closed' } },
      { reason: { message: 'the person cancelled' } },
      { reason: { name: 'AbortError' } },
    ]);
    await expect(session.request(url)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(request(url, { signal: AbortSignal.abort() })).rejects.toBeDefined();
    expect(requests).toHaveLength(3);
  });
});

describe('a certificate', () => {
  it.each([
    ['valid', 'hello'],
    ['expired', 'not_trusted'],
    ['wrong-host', 'not_trusted'],
    ['self-signed', 'not_trusted'],
  ] as const)('that is %s gives %s', async (certificate, expected) => {
    trustTestAuthority();
    const { url, requests } = await serve(hello, certificate);
    expect(await outcome(url)).toBe(expected);
    expect(requests).toHaveLength(expected === 'hello' ? 1 : 0);
  });

  it('of an unknown authority is not trusted, even if the environment allows all', async () => {
    const { url, requests } = await serve(hello, 'valid');
    expect(await outcome(url)).toBe('not_trusted');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await outcome(url)).toBe('not_trusted');
    expect(requests).toEqual([]);
  });

  it('of an authority of the system is trusted', async (context) => {
    requirePlace(context, 'an own store of certificates');
    const { url } = await serve(hello, 'valid');
    const module = new URL('../../../server/web/request.ts', import.meta.url);
    const script = `
      const { request } = await import(${JSON.stringify(module.href)});
      const { body } = await request(new URL(${JSON.stringify(url.href)}));
      console.log(String(body));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, SSL_CERT_FILE: certificatePath('authority') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await text(child.stdout)).toBe('hello\n');
  });
});

describe('a proxy', () => {
  it('carries requests to other computers, without seeing what is sent', async () => {
    trustTestAuthority();
    const { port, requests } = await serve(hello, 'valid');
    const proxy = await serveProxy(port);
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//name:word@') };
    const headers = { authorization: 'Bearer secret' };
    const reply = await request(new URL('https://club.test/'), { env, headers });
    expect(reply).toMatchObject({ status: 200, isPublic: true });
    expect(requests[0]?.headers).toMatchObject(headers);
    expect(proxy.requests.map(({ target }) => target)).toEqual(['club.test:443']);
    expect(proxy.requests[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('name:word')}`);
    expect(JSON.stringify(proxy.requests)).not.toContain('secret');
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  it('does not make a wrong certificate trustworthy', async () => {
    trustTestAuthority();
    const { port, requests } = await serve(hello, 'wrong-host');
    const proxy = await serveProxy(port);
    const env = { https_proxy: proxy.url };
    expect(await outcome('https://club.test/', { env })).toBe('not_trusted');
    expect(requests).toEqual([]);
  });

  it('is used neither for this computer nor for NO_PROXY', async () => {
    trustTestAuthority();
    const proxy = await serveProxy({ status: 403 });
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    for (const certificate of [undefined, 'valid'] as const) {
      const { url } = await serve(hello, certificate);
      expect(await outcome(url, { env })).toBe('hello');
    }
    // A name that does not exist (RFC 6761).
    for (const excluded of ['club.invalid', '.invalid', '*']) {
      const NO_PROXY = `x.org, ${excluded}`;
      const code = await outcome('https://club.invalid/', { env: { ...env, NO_PROXY } });
      expect(code).toBe('unreachable');
    }
    expect(proxy.requests).toEqual([]);
  });

  it.each([
    ['that refuses', { status: 407 }, 'unreachable'],
    ['that never answers', 'silent', 'timeout'],
  ] as const)('%s is a failure, and no connection remains', async (_, route, code) => {
    const proxy = await serveProxy(route);
    const env = { HTTPS_PROXY: proxy.url };
    const timeout = code === 'timeout' ? 500 : patience;
    expect(await outcome('https://club.test/', { env, timeout })).toBe(code);
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  it('loses the connections that wait for it when the session is closed', async () => {
    const proxy = await serveProxy('silent');
    const url = new URL('https://club.test/');
    const session = openSession(url, { env: { HTTPS_PROXY: proxy.url }, timeout: 60_000 });
    const sent = session.request(url).catch(({ name }) => name);
    await expect.poll(() => proxy.requests.length).toBe(1);
    session.close();
    expect(await sent).toBe('AbortError');
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  it.each([
    ['http://', 'unreachable'],
    ['http://%:x@127.0.0.1:1', 'unreachable'],
    ['http://127.0.0.1:1', 'unreachable'],
    // Node.js uses none.
    ['nonsense', 'unreachable'],
  ])('of %s is the failure %s', async (HTTPS_PROXY, code) => {
    expect(await outcome('https://club.invalid/', { env: { HTTPS_PROXY } })).toBe(code);
  });
});

/** Returns an address of this computer or of a local network, in one of the ways to write it. */
function forbiddenAddress(random: Random, port: number): string {
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  const byte = () => random(256);
  const [first, ...rest] = pick([
    [127, byte(), byte(), 1 + random(254)],
    [127, 0, 0, 1],
    [10, byte(), byte(), byte()],
    [100, 64 + random(64), byte(), byte()],
    [169, 254, byte(), byte()],
    [172, 16 + random(16), byte(), byte()],
    [192, 168, byte(), byte()],
    [0, 0, 0, 0],
  ]);
  const bytes = [first ?? 0, ...rest];
  const number = bytes.reduce((sum, one) => sum * 256 + one, 0);
  const hex = (value: number) => value.toString(16);
  const [high, low] = [Math.floor(number / 65_536), number % 65_536];
  const host = pick([
    bytes.join('.'),
    String(number),
    `0x${hex(number)}`,
    bytes.map((one) => `0${one.toString(8)}`).join('.'),
    `${bytes[0]}.${number % 16_777_216}`,
    `[::ffff:${bytes.join('.')}]`,
    `[::ffff:${hex(high)}:${hex(low)}]`,
    `[0:0:0:0:0:ffff:${hex(high)}:${hex(low)}]`,
    '[::1]',
    '[::]',
    `[fe80::${hex(byte() + 1)}]`,
    `[fd${hex(16 + random(240))}::1]`,
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
  ]);
  const scheme = pick(['https:', 'https:', 'http:', '']);
  const account = pick(['', '', 'user:password@']);
  const end = pick(['', `:${port}`, `:${port}`]);
  return `${scheme}//${account}${host}${end}/${pick(['', 'calendar.ics', 'end'])}`;
}

describe('a redirect', () => {
  /** Follows an address, whose path is that of the first redirect; `hello` is the end. */
  async function followed(url: URL | string, options: Partial<Parameters<typeof follow>[1]> = {}) {
    return await textOf(follow(new URL(url), { http: 'anywhere', env: {}, ...options }));
  }

  /** Redirects each path that names a number as often as the number says, and others as `targets`. */
  const redirecting =
    (targets: () => Readonly<Record<string, string>> = () => ({})): Listener =>
    ({ url = '' }, response) => {
      const count = Number(url.slice(1));
      const location = targets()[url] ?? (count > 0 ? `/${count - 1}` : undefined);
      if (location === undefined) response.end('hello');
      else response.writeHead(302, { location }).end('x'.repeat(2_000));
    };

  it('is followed at most five times, within one limit of time', async () => {
    const { url, requests } = await serve(redirecting());
    expect(await followed(new URL('5', url), { maxLength: 1_000 })).toBe('hello');
    expect(await followed(new URL('6', url))).toBe('redirected');
    expect(requests).toHaveLength(12);
    const slow = await serve((request, response) => {
      setTimeout(() => redirecting()(request, response), 300);
    });
    expect(await followed(new URL('5', slow.url), { timeout: 700 })).toBe('timeout');
  });

  it.each([
    ['from https to http', 'valid', 'http://127.0.0.1:1/', {}],
    ['to http where only this computer may answer it', undefined, 'http://club.invalid/', {}],
    ['to another scheme', undefined, 'file:///etc/passwd', {}],
    ['with a password to another origin', undefined, 'other', { authorization: 'Basic eA==' }],
  ] as const)('is not followed %s', async (_, certificate, target, headers) => {
    trustTestAuthority();
    const other = await serve(hello, certificate);
    const location = target === 'other' ? other.url.href : target;
    const { url } = await serve(
      redirecting(() => ({ '/': location, '/own': '/0' })),
      certificate,
    );
    expect(await followed(url, { http: 'this computer', headers })).toBe('redirected');
    expect(await followed(new URL('own', url), { http: 'this computer', headers })).toBe('hello');
    expect(other.requests).toEqual([]);
  });

  it('is not followed from the internet into a local network', async () => {
    trustTestAuthority();
    let location = '';
    const { port, requests } = await serve(
      redirecting(() => ({ '/in': location, '/out': 'https://club.test/in' })),
      'valid',
    );
    const proxy = await serveProxy(port);
    const options = { env: { HTTPS_PROXY: proxy.url } };
    const targets = [
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      'https://192.168.1.1/',
    ];
    for (const target of targets) {
      location = target;
      expect(await followed('https://club.test/in', options), target).toBe('redirected');
    }
    // Out of the local network, and not into it again.
    expect(await followed(`https://localhost:${port}/out`, options)).toBe('redirected');
    expect(requests).toHaveLength(targets.length + 2);
    location = 'https://club.test/';
    expect(await followed(`https://localhost:${port}/out`, options)).toBe('hello');
  });

  it('never reaches a forbidden place, however that is written', async () => {
    trustTestAuthority();
    const random = createRandom(52);
    let location = '';
    const { port } = await serve(({ url = '' }, response) => {
      if (url === '/end') response.end('hello');
      else response.writeHead([301, 302, 303, 307, 308][random(5)] ?? 302, { location }).end();
    }, 'valid');
    const forbidden = await serve(hello, 'valid');
    const proxy = await serveProxy(port);
    const options = { env: { HTTPS_PROXY: proxy.url } };
    const count = choose(10_000, 40);
    let hits = 0;
    for (let at = 0; at < count; at += 1) {
      const isForbidden = random(10) > 0;
      location = isForbidden ? forbiddenAddress(random, forbidden.port) : 'https://club.test/end';
      const outcomes = isForbidden ? ['redirected', 'unreachable'] : ['hello'];
      const found = await followed('https://club.test/calendar.ics', options);
      expect(outcomes, location).toContain(found);
      hits += Number(isForbidden);
    }
    expect(hits).toBeGreaterThan(count / 2);
    expect(forbidden.requests).toEqual([]);
    expect(new Set(proxy.requests.map(({ target }) => target))).toEqual(new Set(['club.test:443']));
  });
});
