import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer, Request } from '../../../server/mirror/planner/state.ts';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../../server/mirror/transport.ts';
import { generateConferences } from '../../support/conferences.ts';
import { choose } from '../../support/long.ts';
import { meter, readMeter } from '../../support/measure-command.ts';
import { faults, redirectTo, serveUpstream, type TestUpstream } from '../../support/upstream.ts';

const conferences = generateConferences().slice(-300);
const newest = conferences
  .toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1))
  .slice(0, 200);

const list: Request = { run: 1, operation: 'list', etag: null };
const byId = (id: number): Request => ({ run: 1, operation: 'byId', id });

function connect(
  { baseUrl, key }: Pick<TestUpstream, 'baseUrl' | 'key'>,
  more: Partial<TransportOptions> = {},
): Transport {
  const transport = createTransport({ baseUrl, key, env: {}, timeout: 5_000, ...more });
  onTestFinished(() => transport.close());
  return transport;
}

/** Sends a list request and returns its page. */
async function readPage(transport: Transport, request: Request = list) {
  const answer = await transport.send(request);
  if (answer.kind !== 'page') throw new Error(`no page, but ${JSON.stringify(answer)}`);
  return answer.page;
}

const codeOf = (answer: Answer) => (answer.kind === 'failure' ? answer.code : answer.kind);

describe('an upstream in order', () => {
  it('answers with its events, a list and an event by id', async () => {
    const upstream = await serveUpstream({ events: conferences, prefix: '/api' });
    const transport = connect(upstream);
    const page = await readPage(transport);
    expect(page).toEqual({
      events: newest,
      unreadable: [],
      unknownMembers: [],
      next: null,
      etag: null,
      version: null,
    });
    const [event] = newest;
    const answer = await transport.send(byId(event?.id ?? 0));
    expect(answer).toMatchObject({ kind: 'event', event, unknownMembers: [] });
  });
});

describe('a request', () => {
  it('a request has the key', async () => {
    const upstream = await serveUpstream({ events: conferences });
    await connect(upstream).send(list);
    expect(upstream.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      authorization: `Bearer ${upstream.key}`,
    });
  });

  it('a request is conditional if there is an ETag', async () => {
    const upstream = await serveUpstream({ events: conferences, hasEtag: true });
    const transport = connect(upstream);
    const { etag } = await readPage(transport);
    const again: Request = { run: 1, operation: 'list', etag };
    expect(await transport.send(again)).toMatchObject({ kind: 'unchanged', request: again });
    upstream.events.delete(newest[0]?.id ?? 0);
    expect((await readPage(transport, again)).events[0]).toEqual(newest[1]);
    expect(upstream.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      etag,
      etag,
    ]);
  });

  it('a request asks for the changes since a revision, which may have any characters', async () => {
    const upstream = await serveUpstream({ events: conferences, prefix: '/api' });
    const since = 'a&b=%+.1';
    const changes: Request = { run: 1, operation: 'changes', since, url: null };
    // An upstream without changes answers with a list.
    expect(codeOf(await connect(upstream).send(changes))).toBe('gone');
    const [request] = upstream.requests;
    expect(new URL(request?.url ?? '', upstream.origin).searchParams.get('since')).toBe(since);
    expect(request?.url).toMatch(/^\/api\/v1\/events\?/);
  });

  it('sends the key to no other origin for the next page of changes', async () => {
    const upstream = await serveUpstream({ events: conferences });
    const other = await serveUpstream();
    const url = `${other.origin}/v1/events?since=a.1`;
    const answer = connect(upstream).send({ run: 1, operation: 'changes', since: 'a.1', url });
    expect(codeOf(await answer)).toBe('redirected');
    expect(other.requests).toEqual([]);
  });

  it('follows pages to all events', async () => {
    const upstream = await serveUpstream({ events: conferences, hasLink: true, prefix: '/api' });
    const transport = connect(upstream);
    const first = await readPage(transport);
    const second = await readPage(transport, { run: 1, operation: 'page', url: first.next ?? '' });
    expect(second.next).toBeNull();
    const ids = [...first.events, ...second.events].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(conferences.map(({ id }) => id)));
  });

  it('rejects when it is aborted, and never else', async () => {
    const upstream = await serveUpstream({ events: conferences });
    upstream.fault = () => 'silence';
    const transport = connect(upstream);
    const abort = new AbortController();
    const sent = transport.send(list, abort.signal);
    const closed = transport.send(byId(1));
    const outcome = Promise.allSettled([sent, closed]);
    await expect.poll(() => upstream.requests.length).toBe(2);
    abort.abort(new Error('the person cancelled'));
    await transport.close();
    const [first, second] = await outcome;
    expect(first).toMatchObject({ reason: { message: 'the person cancelled' } });
    expect(second).toMatchObject({ reason: { name: 'AbortError' } });
    await expect(transport.send(list)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(transport.send(list, AbortSignal.abort())).rejects.toBeDefined();
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('the key', () => {
  it('reaches no other origin by a redirect or a link', async () => {
    const upstream = await serveUpstream({ events: conferences });
    const other = await serveUpstream({ events: conferences });
    const transport = connect(upstream);
    for (const path of ['/v1/events', '//v1/events', '']) {
      upstream.fault = () => redirectTo(`${other.origin}${path}`);
      expect(codeOf(await transport.send(list))).toBe('redirected');
      expect(codeOf(await transport.send(byId(48_812)))).toBe('redirected');
    }
    const urls = [
      `${other.origin}/v1/events?after=1`,
      `http://localhost:${upstream.port}/v1/events`,
      `https://127.0.0.1:${upstream.port}/v1/events`,
      'about:invalid',
    ];
    for (const url of urls) {
      const answer = await transport.send({ run: 1, operation: 'page', url });
      expect(codeOf(answer), url).toBe('redirected');
    }
    expect(other.requests).toEqual([]);
    expect(upstream.requests).toHaveLength(6);
  });

  it('the key is not sent without encryption to another machine', () => {
    expect(() => connect({ baseUrl: 'http://club.test/', key: 'secret' })).toThrow(
      expect.objectContaining({ code: 'mirror_url_insecure' }),
    );
  });
});

type ChildResult = {
  readonly output: { readonly kind: string; readonly code?: string };
  /** The maximum memory of the process, in MB. */
  readonly memory: number;
};

/** Sends a list request in a process with this environment. */
async function sendInChild(
  { baseUrl, key }: TestUpstream,
  env: NodeJS.ProcessEnv,
): Promise<ChildResult> {
  const module = new URL('../../../server/mirror/transport.ts', import.meta.url);
  const script = `
    const { createTransport } = await import(${JSON.stringify(module.href)});
    const transport = createTransport(${JSON.stringify({ baseUrl, key })});
    const { kind, code } = await transport.send({ run: 1, operation: 'list', etag: null });
    await transport.close();
    console.log(JSON.stringify({ kind, code }));`;
  const child = spawn(process.execPath, ['--import', meter, '--input-type=module', '-e', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const { stderr, memory } = readMeter(errors);
  expect(stderr).toBe('');
  return { output: JSON.parse(output), memory };
}

describe('the memory', () => {
  it.each(
    choose<readonly ('gzip bomb' | 'endless body')[]>(['gzip bomb', 'endless body'], ['gzip bomb']),
  )('stays below 300 MB for “%s”', { tags: 'long' }, async (name) => {
    const upstream = await serveUpstream({ events: conferences });
    upstream.fault = () => faults[name];
    const { output, memory } = await sendInChild(upstream, {});
    expect(output.code).toBe('too_large');
    expect(memory).toBeLessThan(300);
  });
});

describe('a connection', () => {
  it('a connection is replaced once if the upstream closes it after an answer without saying so', async () => {
    const upstream = await serveUpstream({ events: conferences, closesSilently: true });
    const transport = connect(upstream);
    expect((await readPage(transport)).events).toEqual(newest);
    const ids = newest.slice(0, 8).map(({ id }) => id);
    for (const id of ids.slice(0, 4)) {
      expect(await transport.send(byId(id))).toMatchObject({ kind: 'event', event: { id } });
    }
    const answers = await Promise.all(ids.slice(4).map((id) => transport.send(byId(id))));
    expect(answers.map(codeOf)).toEqual(['event', 'event', 'event', 'event']);
    // Only the first request on a used connection was sent twice.
    expect(upstream.requests).toHaveLength(10);
  });

  it('a connection is not replaced for a fault of the first request, or in an answer', async () => {
    const upstream = await serveUpstream({ events: conferences });
    const transport = connect(upstream);
    upstream.fault = () => 'reset';
    expect(codeOf(await transport.send(list))).toBe('unreachable');
    expect(upstream.requests).toHaveLength(1);
    upstream.fault = ({ id }) => (id === undefined ? undefined : 'reset in the body');
    await readPage(transport);
    expect(codeOf(await transport.send(byId(newest[0]?.id ?? 0)))).toBe('truncated');
    expect(upstream.requests).toHaveLength(3);
  });

  it('a connection that is refused means that no service runs there, not that there is no network', async () => {
    const upstream = await serveUpstream({ events: conferences });
    const { port } = upstream;
    await upstream.close();
    for (const host of ['127.0.0.1', 'localhost']) {
      const baseUrl = `http://${host}:${port}/`;
      expect(codeOf(await connect({ ...upstream, baseUrl }).send(list)), host).toBe('not_running');
    }
  });
});

describe('a fault', () => {
  it.each([
    ['timeout', 'timeout', 'timeout'],
    ['dripping headers', 'timeout', 'timeout'],
    ['dripping body', 'timeout', 'timeout'],
    ['reset', 'unreachable', 'unreachable'],
    ['no HTTP', 'not_json', 'not_json'],
    ['reset in the body', 'truncated', 'truncated'],
    ['truncated body', 'truncated', 'truncated'],
    ['cut gzip', 'truncated', 'truncated'],
    ['endless body', 'too_large', 'too_large'],
    ['HTML with 200', 'not_json', 'not_json'],
    ['bad JSON', 'not_json', 'not_json'],
    ['captive portal', 'redirected', 'redirected'],
    ['401', 'key_refused', 'key_refused'],
    ['403', 'forbidden', 'forbidden'],
    ['404', 'unexpected_status', 'not_found'],
    ['429', 'too_many_requests', 'too_many_requests'],
    ['500', 'server_failed', 'server_failed'],
    ['503', 'server_failed', 'server_failed'],
    ['ids beyond 2^53', 'not_json', 'not_json'],
  ] as const)('“%s” is reported as %s for a list, as %s by id', async (name, forList, forId) => {
    const upstream = await serveUpstream({ events: conferences });
    upstream.fault = () => faults[name];
    const transport = connect(upstream, { timeout: 1_000, maxLength: 1_000_000 });
    const answers = await Promise.all([list, byId(48_812)].map((each) => transport.send(each)));
    expect(answers.map(codeOf)).toEqual([forList, forId]);
    // It ends with its cause.
    upstream.fault = () => undefined;
    expect((await readPage(transport)).events).toEqual(newest);
  });
});
