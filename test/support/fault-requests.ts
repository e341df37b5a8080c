import { METHODS } from 'node:http';
import type { Random } from './random.ts';
import { openRaw } from './raw.ts';

type RequestTargets = {
  readonly port: number;
  readonly key: string;
  readonly ids: readonly number[];
};

const statements = ["'; DROP TABLE events; --", '1 OR 1=1', "x' UNION SELECT digest FROM keys --"];
const parameters = [
  ...statements.map((text) => `q=${encodeURIComponent(text)}`),
  'q=event&limit=7&sort=date&order=asc',
  'status=active,draft&eventType=none',
  'from=2026-01-01&to=2027-01-01',
  'limit=0',
  'cursor=AAAA',
  '_method=DELETE',
  'access_token=x',
  'q=%00%ff%zz',
];
const bodies = [
  '',
  '{"event":{"name":"changed"}}',
  '{"events":[]}',
  'name=changed&status=cancelled',
  ...statements,
  '\0\x01\xff'.repeat(50),
];
const headers = [
  'X-HTTP-Method-Override: DELETE',
  'If-Match: *',
  'If-None-Match: *',
  'If-None-Match: "x", W/"y"',
  'Range: bytes=0-1',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Content-Type: application/json',
  'Content-Type: multipart/form-data; boundary=x',
  'Cookie: session=admin',
  'Accept-Encoding: gzip, br',
  'X-Forwarded-For: 127.0.0.1',
  'X-Original-URL: /v1/events/1',
  'Depth: infinity',
  `X-Long: ${'x'.repeat(3_000)}`,
];

/** Composes a request of any kind: method, path, headers and body, mostly with the right key. */
export function composeRequest(random: Random, { port, key, ids }: RequestTargets): string {
  const one = <T>(items: readonly T[]) => items[random(items.length)] as T;
  const id = one(ids);
  const paths = ['/v1/events', `/v1/events/${id}`, '/health', '/openapi.json', '/', '*'];
  const oddPaths = [
    '/v1',
    '/v1/events/',
    `/v1/events/${id}/x`,
    '/v1/../db',
    '/V1/EVENTS',
    '/%2e%2e/',
  ];
  const path = random(5) === 0 ? one(oddPaths) : one(paths);
  const query = random(2) === 0 ? '' : `?${one(parameters)}`;
  const method = random(8) === 0 ? one(['FROB', 'get', 'UPDATE']) : one(METHODS);
  const body = one(bodies);
  const lines = [
    `${random(3) === 0 ? 'GET' : method} ${path}${query} HTTP/1.${random(10) === 0 ? 0 : 1}`,
    random(12) === 0 ? 'Host: evil.example' : `Host: 127.0.0.1:${port}`,
    ...(random(6) === 0 ? [] : [`Authorization: Bearer ${random(6) === 0 ? 'wrong' : key}`]),
    ...Array.from({ length: random(4) }, () => one(headers)),
    random(4) === 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Damages a request: bytes are changed, inserted, removed or repeated. */
export function damageRequest(random: Random, request: string): string {
  let text = request;
  for (let count = random(4) + 1; count > 0; count -= 1) {
    const at = random(text.length + 1);
    const byte = String.fromCharCode(random(256));
    const length = random(20);
    const kinds = [
      () => text.slice(0, at) + byte + text.slice(at + 1),
      () => text.slice(0, at) + byte.repeat(random(40) + 1) + text.slice(at),
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at) + text.slice(at - length, at) + text.slice(at),
      () => text.slice(0, at),
    ];
    text = (kinds[random(kinds.length)] as () => string)();
  }
  return text;
}

/** Sends bytes and the end of the input, and returns everything that was answered. */
async function exchange(port: number, bytes: string): Promise<string> {
  const { socket, received } = openRaw(port);
  socket.end(bytes, 'latin1');
  return received;
}

/** Sends requests on a few connections at a time, and passes each answer on. */
export async function sendAll(
  port: number,
  count: number,
  compose: () => string,
  onAnswer: (answer: string, request: string) => void,
): Promise<void> {
  let left = count;
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const request = compose();
      onAnswer(await exchange(port, request), request);
    }
  }
  await Promise.all(Array.from({ length: 32 }, work));
}

/** Returns every status in the bytes of a connection. */
export function statusesOf(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Counts values, such as statuses, and lists the counts. */
export function createCounts() {
  const counts = new Map<string | number, number>();
  return {
    add: (value: string | number) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    text: () =>
      [...counts]
        .toSorted()
        .map(([value, count]) => `${value}: ${count}`)
        .join(', '),
  };
}
