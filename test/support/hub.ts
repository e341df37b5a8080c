import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { readNode } from '../../db/hub.ts';
import { closeStore, openReader } from '../../db/open.ts';
import type { ActionName, ActionResult } from '../../server/actions/bridge.ts';
import type { Problem } from '../../server/base/errors.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { createNode, type HubNode } from '../../server/hub/node.ts';
import { makeTestFolder } from './home.ts';
import { performHere } from './perform.ts';
import type { Postgres } from './postgres.ts';
import { type RunningService, startTestService } from './service.ts';

/** Lets this process, and all that it starts, connect to some servers of PostgreSQL. */
export function pointToRecord(...servers: readonly Postgres[]): void {
  const list = (name: string) => servers.map(({ env }) => env[name]).join(',');
  Object.assign(process.env, servers[0]?.env, { PGHOST: list('PGHOST'), PGPORT: list('PGPORT') });
}

/** Removes what `pointToRecord` has set. */
export function forgetRecord(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
}

/** Performs an action of a hub on a home. */
export function performHub<Name extends ActionName & `hub ${string}`>(
  home: Home,
  name: Name,
  args: object = {},
): Promise<ActionResult<Name>> {
  return performHere(name, args, { home, onProgress: () => undefined });
}

type Pushed = ActionResult<'hub push'>;
export type PushedClubs = Extract<Pushed, { readonly clubs: object }>;
export type PushResult = Exclude<Pushed, PushedClubs>;

/** Pushes one club of a home. */
export async function pushClub(home: Home, user: string, args: object = {}): Promise<PushResult> {
  return (await performHub(home, 'hub push', { user, ...args })) as PushResult;
}

/** Returns the number of the last change of a record. */
export async function readHead(server: Postgres): Promise<number> {
  const [head] = await server.query<{ number: string }>('SELECT number FROM club_events.head');
  return Number(head?.number);
}

/** Starts a push of one club of a home as a process. */
export function spawnPush({ directory }: Home, user: string): ChildProcess {
  const cli = join(import.meta.dirname, '../../server/cli/club-events.js');
  const args = [cli, 'hub', 'push', '--user', user, '--home', directory];
  return spawn(process.execPath, args, { stdio: 'ignore' });
}

/** Pushes all clubs of a home, with their keys. */
export async function pushClubs(home: Home, args: object = {}): Promise<PushedClubs> {
  return (await performHub(home, 'hub push', { all: true, keys: true, ...args })) as PushedClubs;
}

/** The address of all nodes, behind which a proxy would distribute the requests. */
const publicUrl = new URL('https://events.example');

/** Sends a request as a proxy passes it on; `fetch` would name the port of the node. */
async function getPublic(
  port: number,
  path: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = { Host: publicUrl.host, Authorization: `Bearer ${key}`, ...headers };
  // A connection of its own: the service may close an idle one just when it is used again.
  const request = get({ host: '127.0.0.1', port, path, headers: sent, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const body = await text(answer);
  const { statusCode = 0 } = answer;
  const received = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return new Response(statusCode === 304 ? null : body, {
    status: statusCode,
    headers: received as [string, string][],
  });
}

export type TestNode = RunningService & {
  readonly home: Home;
  readonly node: HubNode;
  /** Codes of the problems that the node has warned of. */
  readonly warnings: string[];
  /** Returns the number of the last change that it has; undefined before it is filled. */
  number(): number | undefined;
  get(path: string, key: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
};

/** Returns the number of the last change that the database of a node has. */
export function readNumber({ database }: Home): number | undefined {
  const db = openReader(database);
  try {
    return readNode(db)?.position?.number;
  } finally {
    closeStore(db);
  }
}

/** Starts a node in this process; it is stopped after the running test, or by the caller. */
export async function startNode({
  home = homeAt(makeTestFolder()),
  maxLag = 15 * 60_000,
  atEnd = onTestFinished as (stop: () => Promise<void>) => void,
}: {
  home?: Home;
  maxLag?: number;
  atEnd?: (stop: () => Promise<void>) => void;
} = {}): Promise<TestNode> {
  const warnings: string[] = [];
  const warn = (failure: Problem) => {
    if (process.env['SHOW_WARNINGS'])
      process.stderr.write(`${failure.message}\n${failure.cause}\n`);
    warnings.push(failure.code);
  };
  const node = createNode({ home, now: () => new Date(), maxLag, warn });
  await node.run();
  const service = await startTestService(home, { publicUrl }, undefined, { node, warn });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= service.close().then(() => node.stop());
    return closing;
  };
  atEnd(close);
  return {
    ...service,
    home,
    node,
    warnings,
    close,
    number: () => readNumber(home),
    get: (path, key, headers) => getPublic(service.port, path, key, headers),
  };
}

/** Returns everything of an answer that clients see, but the time at which it was composed. */
export async function contentOf(answer: Response): Promise<string> {
  const ignored = new Set(['date', 'connection', 'keep-alive']);
  const headers = [...answer.headers].filter(([name]) => !ignored.has(name));
  const body = (await answer.text()).replaceAll(/DTSTAMP:.*/g, '');
  return JSON.stringify([answer.status, headers, body]);
}
