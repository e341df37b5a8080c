import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../db/model.ts';
import { ask } from './ask.ts';
import { keyOf } from './fill.ts';
import type { PathTarget } from './load.ts';

/** What Node adds to every answer by itself. */
const ownToNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

function withoutNodes(raw: readonly string[]): string[] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
  return pairs.filter(([name = '']) => !ownToNode.has(name.toLowerCase())).flat();
}

/** The requests whose answers are measured, as the table calls them. */
export const requestTitles = { list: 'list of 200', one: 'one event', unchanged: '304' } as const;
export type RequestName = keyof typeof requestTitles;

export function describeLoad(request: RequestName, connections: number): string {
  return `${requestTitles[request]}, ${connections} connection${connections === 1 ? '' : 's'}`;
}

/** How they are asked for; the paths are the same with every candidate of ours. */
export type Requests = Readonly<Record<RequestName, PathTarget>>;

/** Asks the service for what is measured and keeps its answers in a file, for the limits to send. */
export async function keepAnswers(
  url: string,
  folder: string,
): Promise<{ requests: Requests; file: string }> {
  const headers = { Authorization: `Bearer ${keyOf(0)}` };
  const list = await ask(`${url}/v1/events`, headers);
  const { events } = JSON.parse(String(list.body)) as { events: StoredEvent[] };
  if (list.status !== 200 || events.length !== 200) throw new Error('The list is not one of 200.');
  const path = `/v1/events/${events[100]?.id}`;
  const one = await ask(url + path, headers);
  const etag = list.headers[list.headers.indexOf('ETag') + 1] ?? '';
  const conditional = { ...headers, 'If-None-Match': etag };
  const unchanged = await ask(`${url}/v1/events`, conditional);
  const kept = [
    { path: '/v1/events', ...list },
    { path, ...one },
    { path: '/v1/events', ...unchanged },
  ].map(({ path, status, headers, body }) => ({
    path,
    status,
    headers: withoutNodes(headers),
    body: String(body),
  }));
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify(kept));
  return {
    file,
    requests: {
      list: { path: '/v1/events', headers, status: 200 },
      one: { path, headers, status: 200 },
      unchanged: { path: '/v1/events', headers: conditional, status: 304 },
    },
  };
}

/** Throws unless two servers answer a request with the same body and the same status. */
export async function requireSame(
  left: string,
  right: string,
  { path, headers }: Requests['list'],
): Promise<void> {
  const [one, other] = [await ask(left + path, headers), await ask(right + path, headers)];
  if (one.status === other.status && one.body.equals(other.body)) return;
  throw new Error(`${path} is not answered alike by ${left} and ${right}.`);
}
