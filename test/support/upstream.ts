import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { createGzip, gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { StoredEvent } from '../../db/model.ts';
import { createRandom } from './random.ts';

/**
 * Certificates of a test authority, valid until 2126, apart from `expired`. They are for
 * `localhost`, `club.test` and 127.0.0.1, apart from `wrong-host`, and share one key. The key of the
 * authority does not exist any more.
 */
type Certificate = 'valid' | 'expired' | 'wrong-host' | 'self-signed';

/** Returns the path of a certificate or key. */
export function certificatePath(name: Certificate | 'authority' | 'key'): string {
  return join(import.meta.dirname, 'certificates', `${name}.pem`);
}

/** Trusts the test authority in this process until the running test ends. */
export function trustTestAuthority(): void {
  const before = tls.getCACertificates('default');
  onTestFinished(() => tls.setDefaultCACertificates(before));
  const authority = readFileSync(certificatePath('authority'), 'utf8');
  tls.setDefaultCACertificates([...before, authority]);
}

/** A request that arrived. `page` is a list request with a cursor. */
export type ReceivedRequest = {
  readonly operation: 'list' | 'page' | 'byId' | 'other';
  readonly url: string;
  /** The id of a request by id. */
  readonly id: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The time of arrival in ms. */
  readonly at: number;
};

/** An answer before it is sent. */
type SentAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Faults of the connection instead of an answer. */
type ConnectionFault =
  | 'silence'
  | 'dripping headers'
  | 'dripping body'
  | 'reset'
  | 'reset in the body'
  | 'truncated body'
  | 'cut gzip'
  | 'gzip bomb'
  | 'endless body'
  | 'no HTTP';

/** A fault of the connection, or another answer than the right one. */
export type Fault = ConnectionFault | ((answer: SentAnswer) => SentAnswer);

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };

/** Answers with this status, whatever the request. */
export function answerWith(
  status: number,
  headers: Readonly<Record<string, string>> = json,
  body: string | Uint8Array = '{"error":"fault"}',
): Fault {
  return () => ({ status, headers, body });
}

/** Redirects to another address. */
export function redirectTo(location: string): Fault {
  return answerWith(302, { location }, '');
}

/** Changes the events of lists; other answers stay as they are. */
export function changeList(change: (events: StoredEvent[]) => readonly unknown[]): Fault {
  return (answer) => {
    const content = JSON.parse(String(answer.body)) as { events?: StoredEvent[] };
    if (content.events === undefined) return answer;
    return { ...answer, body: JSON.stringify({ ...content, events: change(content.events) }) };
  };
}

/** Changes the text of successful answers. */
export function changeText(change: (text: string) => string): Fault {
  return (answer) =>
    answer.status === 200 ? { ...answer, body: change(String(answer.body)) } : answer;
}

const loginPage = '<!doctype html><title>Sign in</title><p>Welcome to the Wi-Fi.';

/** Faults with a fixed answer, by the names of the list of faults. */
export const faults = {
  timeout: 'silence',
  'dripping headers': 'dripping headers',
  'dripping body': 'dripping body',
  reset: 'reset',
  'reset in the body': 'reset in the body',
  'truncated body': 'truncated body',
  'cut gzip': 'cut gzip',
  'gzip bomb': 'gzip bomb',
  'endless body': 'endless body',
  'no HTTP': 'no HTTP',
  'HTML with 200': answerWith(200, html, loginPage),
  'captive portal': redirectTo('http://portal.test/sign-in'),
  '401': answerWith(401),
  '403': answerWith(403),
  '404': answerWith(404),
  '429': answerWith(429, { ...json, 'retry-after': '120' }),
  '500': answerWith(500),
  '503': answerWith(503, { ...json, 'retry-after': '60' }),
  'bad JSON': changeText((text) => text.slice(0, -1)),
  'wrong types': changeText((text) => text.replaceAll('"createdAt":"', '"createdAt":1,"at":"')),
  'empty list': changeList(() => []),
  'shuffled order': changeList((events) => events.toReversed()),
  'duplicate ids': changeList((events) => [...events, ...events.slice(0, 1)]),
  'no registrationOpen': changeList((events) =>
    events.map(({ registrationOpen: _, ...event }) => event),
  ),
  'ids beyond 2^53': changeText((text) => text.replace(/"id":(\d+)/g, '"id":9007199254740993')),
  'dates without milliseconds': changeText((text) => text.replace(/\.\d{3}Z"/g, 'Z"')),
} as const satisfies Record<string, Fault>;

export type UpstreamOptions = {
  readonly events?: readonly StoredEvent[];
  /** The keys of the account. */
  readonly keys?: readonly string[];
  /** The path before `/v1`. */
  readonly prefix?: string;
  /** True if full lists have `Link` to the next page. */
  readonly hasLink?: boolean;
  readonly cap?: number;
  readonly hasEtag?: boolean;
  /** True if events of the same creation time have another order in each list. */
  readonly hasRandomTies?: boolean;
  /** The upstream's clock in ms; null to send no `Date`. */
  readonly now?: (() => number) | null;
  readonly certificate?: Certificate;
  /** True if a connection has one answer, and is reset at the next request. */
  readonly closesSilently?: boolean;
};

export type TestUpstream = {
  readonly baseUrl: string;
  readonly origin: string;
  readonly port: number;
  readonly key: string;
  /** The events by key. Change them to change the account; keys may share a map. */
  readonly accounts: Map<string, Map<number, StoredEvent>>;
  /** The events of the first key. */
  readonly events: Map<number, StoredEvent>;
  /** All requests that arrived, also those with a fault. */
  readonly requests: readonly ReceivedRequest[];
  /** Counts the requests of an operation; `page` is a list with a cursor. */
  count(operation: ReceivedRequest['operation']): number;
  /** Chooses the fault of each request; set it to change the upstream. */
  fault: (request: ReceivedRequest) => Fault | undefined;
  /** The time before each answer in ms. */
  latency: number;
  /** Changes the certificate for later connections; only if it started with one. */
  setCertificate(name: Certificate): void;
  close(): Promise<void>;
};

/** Starts an online service on a free port; the caller closes it. */
async function startUpstream(options: UpstreamOptions = {}): Promise<TestUpstream> {
  const { events = [], keys = ['upstream-key'], prefix = '', cap = 200 } = options;
  const { hasLink = false, hasEtag = false, hasRandomTies = false, certificate } = options;
  const { closesSilently = false } = options;
  const used = new WeakSet<Socket>();
  const now = options.now === undefined ? Date.now : options.now;
  const own = new Map(events.map((event) => [event.id, event]));
  const accounts = new Map(keys.map((key) => [key, own]));
  const requests: ReceivedRequest[] = [];
  const random = createRandom(1);

  function sortByCreation(all: Iterable<StoredEvent>): StoredEvent[] {
    const ties = new Map<number, number>();
    const tie = ({ id }: StoredEvent): number => {
      if (!hasRandomTies) return id;
      const place = ties.get(id) ?? random(1_000_000);
      ties.set(id, place);
      return place;
    };
    return [...all].sort((left, right) => {
      if (left.createdAt === right.createdAt) return tie(right) - tie(left);
      return left.createdAt < right.createdAt ? 1 : -1;
    });
  }

  function list(all: Iterable<StoredEvent>, after: string | null): SentAnswer {
    const sorted = sortByCreation(all);
    const start = after === null ? 0 : sorted.findIndex(({ id }) => id === Number(after)) + 1;
    const page = sorted.slice(start, start + cap);
    const hasMore = hasLink && sorted.length > start + cap;
    const next = `<${prefix}/v1/events?after=${page.at(-1)?.id}>; rel="next"`;
    return {
      status: 200,
      headers: { ...json, ...(hasMore && { link: next }) },
      body: JSON.stringify({ events: page }),
    };
  }

  function answer({ operation, id, url, headers }: ReceivedRequest): SentAnswer {
    const account = accounts.get((headers.authorization ?? '').replace(/^Bearer /, ''));
    if (account === undefined) return { status: 401, headers: json, body: '{"error":"key"}' };
    if (operation === 'list' || operation === 'page') {
      const all = list(account.values(), new URL(url, 'http://x').searchParams.get('after'));
      const etag = `"${createHash('sha1').update(all.body).digest('base64url')}"`;
      if (!hasEtag) return all;
      if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
      return { ...all, headers: { ...all.headers, etag } };
    }
    const event = id === undefined ? undefined : account.get(id);
    if (event === undefined) {
      return { status: 404, headers: json, body: '{"error":"The event does not exist."}' };
    }
    return { status: 200, headers: json, body: JSON.stringify({ event }) };
  }

  function receive({ url = '', headers }: IncomingMessage): ReceivedRequest {
    const [path = '', query] = url.split('?');
    const id = new RegExp(`^${prefix}/v1/events/(\\d+)$`).exec(path)?.[1];
    const isList = path === `${prefix}/v1/events`;
    const listOperation = query === undefined ? 'list' : 'page';
    const operation = id !== undefined ? 'byId' : isList ? listOperation : 'other';
    const received: ReceivedRequest = {
      operation,
      url,
      id: id === undefined ? undefined : Number(id),
      headers,
      at: performance.now(),
    };
    requests.push(received);
    return received;
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = receive(message);
    if (closesSilently && used.has(message.socket)) {
      message.socket.resetAndDestroy();
      return;
    }
    used.add(message.socket);
    const fault = upstream.fault(request);
    if (upstream.latency > 0) await sleep(upstream.latency);
    response.sendDate = false;
    if (now !== null) response.setHeader('date', new Date(now()).toUTCString());
    if (typeof fault === 'string') {
      await sendFault(fault, answer(request), response);
      return;
    }
    const { status, headers, body } = fault ? fault(answer(request)) : answer(request);
    response.writeHead(status, headers).end(body);
  }

  const credentialsOf = (name: Certificate) => ({
    key: readFileSync(certificatePath('key')),
    cert: readFileSync(certificatePath(name)),
  });
  const server =
    certificate === undefined
      ? http.createServer()
      : https.createServer(credentialsOf(certificate));
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    // A client that hangs up ends a fault early.
    handle(message, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin =
    certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  const upstream: TestUpstream = {
    baseUrl: `${origin}${prefix}/`,
    origin,
    port,
    key: keys[0] ?? '',
    accounts,
    events: own,
    requests,
    count: (operation) => requests.filter((request) => request.operation === operation).length,
    fault: () => undefined,
    latency: 0,
    setCertificate(name) {
      if (server instanceof https.Server) server.setSecureContext(credentialsOf(name));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return upstream;
}

/** Starts an online service for the running test alone. */
export async function serveUpstream(options: UpstreamOptions = {}): Promise<TestUpstream> {
  const upstream = await startUpstream(options);
  onTestFinished(() => upstream.close());
  return upstream;
}

/** Sends a small piece again and again until the client has gone. */
async function drip(socket: Socket, piece: (index: number) => string): Promise<void> {
  for (let index = 0; !socket.destroyed; index++) {
    socket.write(piece(index));
    await sleep(20);
  }
}

/** Sends bytes as fast as the client takes them, until it has gone. */
async function flood(response: ServerResponse, encoding?: 'gzip'): Promise<void> {
  response.writeHead(200, { ...json, ...(encoding && { 'content-encoding': encoding }) });
  const spaces = Buffer.alloc(1_000_000, ' ');
  const gzip = createGzip();
  if (encoding) gzip.pipe(response);
  const target = encoding ? gzip : response;
  const closed = once(response, 'close');
  while (!response.destroyed) {
    if (!target.write(spaces)) await Promise.race([once(target, 'drain'), closed]);
  }
  gzip.destroy();
}

async function sendFault(
  fault: ConnectionFault,
  { headers, body }: SentAnswer,
  response: ServerResponse,
): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  const half = Buffer.from(body).subarray(0, Buffer.byteLength(body) / 2);
  switch (fault) {
    case 'silence':
      return;
    case 'dripping headers':
      socket.write('HTTP/1.1 200 OK\r\n');
      await drip(socket, (index) => `X-Drip-${index}: 1\r\n`);
      return;
    case 'dripping body':
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      await drip(socket, () => ' ');
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'reset in the body':
      response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
      response.write(half, () => setTimeout(() => socket.resetAndDestroy(), 20));
      return;
    case 'truncated body':
      response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
      response.write(half, () => socket.end());
      return;
    case 'cut gzip': {
      const packed = gzipSync(body);
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
      response.end(packed.subarray(0, packed.length / 2));
      return;
    }
    case 'gzip bomb':
      await flood(response, 'gzip');
      return;
    case 'endless body':
      await flood(response);
      return;
    case 'no HTTP':
      socket.end('220 mail.test ESMTP\r\n');
      return;
  }
}
