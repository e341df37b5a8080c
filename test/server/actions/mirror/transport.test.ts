import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer, Request } from '../../../../server/actions/mirror/state.ts';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../../../server/actions/mirror/transport.ts';
import { generateConferences } from '../../../support/conferences.ts';
import { faults, serveUpstream, type TestUpstream } from '../../../support/upstream.ts';

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
      invalid: [],
      unknownMembers: [],
      next: null,
      etag: null,
    });
    const [event] = newest;
    const answer = await transport.send(byId(event?.id ?? 0));
    expect(answer).toMatchObject({ kind: 'event', event, unknownMembers: [] });
  });
});

describe('a fault', () => {
  it.each([
    ['timeout', 'timeout', 'timeout'],
    ['dripping headers', 'timeout', 'timeout'],
    ['dripping body', 'timeout', 'timeout'],
    ['reset', 'unreachable', 'unreachable'],
    ['no HTTP', 'unreachable', 'unreachable'],
    ['reset in the body', 'truncated', 'truncated'],
    ['truncated body', 'truncated', 'truncated'],
    ['cut gzip', 'truncated', 'truncated'],
    ['endless body', 'too_large', 'too_large'],
    ['HTML with 200', 'not_json', 'not_json'],
    ['bad JSON', 'not_json', 'not_json'],
    ['captive portal', 'redirected', 'redirected'],
    ['401', 'key_refused', 'key_refused'],
    ['403', 'forbidden', 'forbidden'],
    ['404', 'unexpected_status', 'absence'],
    ['429', 'too_many_requests', 'too_many_requests'],
    ['500', 'server_failed', 'server_failed'],
    ['503', 'server_failed', 'server_failed'],
    ['ids beyond 2^53', 'not_json', 'event'],
  ] as const)('“%s” is reported as %s for a list, as %s by id', async (name, forList, forId) => {
    const upstream = await serveUpstream({ events: conferences });
    upstream.fault = () => faults[name];
    const transport = connect(upstream, { timeout: 1_000, maxLength: 1_000_000 });
    expect(codeOf(await transport.send(list))).toBe(forList);
    expect(codeOf(await transport.send(byId(48_812)))).toBe(forId);
    // It ends with its cause.
    upstream.fault = () => undefined;
    expect((await readPage(transport)).events).toEqual(newest);
  });
});
