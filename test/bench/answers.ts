import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../db/model.ts';
import type { Target } from './load.ts';
import { type Answer, authorize, request } from './request.ts';

/** The measured requests, with their names in the table. */
export const requestTitles = { list: 'list of 200', one: 'one event', unchanged: '304' } as const;
export type RequestName = keyof typeof requestTitles;

type Requests = Readonly<Record<RequestName, { readonly path: string; readonly target: Target }>>;

/** Returns the measured requests of a service. Throws if its list is not one of 200 events. */
export async function findRequests(url: string, key: string): Promise<Requests> {
  const headers = authorize(key);
  const { status, headers: listHeaders, body } = await request(`${url}/v1/events`, headers);
  const { events } = JSON.parse(String(body)) as { events: StoredEvent[] };
  if (status !== 200 || events.length !== 200) throw new Error('The list is not one of 200.');
  const etag = listHeaders[listHeaders.indexOf('ETag') + 1] ?? '';
  const conditional = { ...headers, 'If-None-Match': etag };
  const pathOfOne = `/v1/events/${events[100]?.id}`;
  const requestOf = (path: string, headers: Target['headers'], status: number) => ({
    path,
    target: { url: url + path, headers, status },
  });
  return {
    list: requestOf('/v1/events', headers, 200),
    one: requestOf(pathOfOne, headers, 200),
    unchanged: requestOf('/v1/events', conditional, 304),
  };
}

/** Headers that Node adds to every answer by itself. */
const addedByNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

function withoutAdded(headers: readonly string[]): string[] {
  const pairs = headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [],
  );
  return pairs.filter(([name = '']) => !addedByNode.has(name.toLowerCase())).flat();
}

/** Saves the answers to the measured requests in a file, for the candidates that serve it. */
export async function saveAnswers(requests: Requests, folder: string): Promise<string> {
  const answers = await Promise.all(
    Object.values(requests).map(async ({ path, target }) => {
      const { status, headers, body } = await request(target.url, target.headers);
      return { path, status, headers: withoutAdded(headers), body: String(body) };
    }),
  );
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return file;
}

/** Throws unless two servers give the same answer. */
export async function requireSameAnswer(left: Target, right: Target): Promise<void> {
  const ask = ({ url, headers }: Target): Promise<Answer> => request(url, headers);
  const [one, other] = [await ask(left), await ask(right)];
  if (one.status === other.status && one.body.equals(other.body)) return;
  throw new Error(`${left.url} and ${right.url} give different answers.`);
}
