import { get, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Home } from '../../server/base/home.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import {
  createService,
  type ServiceSettings,
  type ServiceTools,
} from '../../server/service/service.ts';
import { startServe } from './command.ts';
import { prepareDatabase } from './home.ts';

export type RunningService = {
  readonly baseUrl: string;
  readonly port: number;
  close(): Promise<void>;
};

/** Another command line to test instead of the sources, such as that of the npm package. */
const otherCli = process.env['TEST_CLI'];

/** True to test a node of a hub with the content of each home. */
const isOnNode = process.env['TEST_ON_NODE'] !== undefined;

/** Waits until a node has what the test has changed in its home. */
export async function settleNode(port: number): Promise<void> {
  if (isOnNode) await (await import('./node-service.ts')).settle(port);
}

type Tools = Partial<Pick<ServiceTools, 'warn' | 'node' | 'connections'>>;

/** Starts `serve` of another command line. */
async function startOther(
  home: Home,
  cli: string,
  { host = '127.0.0.1', publicUrl, allowedOrigins = [] }: Partial<ServiceSettings>,
): Promise<RunningService> {
  const args = ['--home', home.directory, '--port', '0', '--host', host, '--sync-every', '0'];
  if (publicUrl !== undefined) args.push('--public-url', publicUrl.origin);
  for (const origin of allowedOrigins) args.push('--allow-origin', origin);
  // The caller closes it.
  const serving = await startServe(args, () => undefined, { cli });
  const { localUrl } = await readRegistration(home);
  const close = async () => void (await serving.end('SIGTERM'));
  return { baseUrl: serving.firstLine, port: Number(new URL(localUrl).port), close };
}

/**
 * Starts a service on a free port; the caller closes it. That of `TEST_CLI` runs in a process of its
 * own, so a test with a clock, tools or a window of its own has one of the sources all the same.
 */
export async function startTestService(
  home: Home,
  more: Partial<ServiceSettings> = {},
  now?: () => Date,
  tools?: Tools,
): Promise<RunningService> {
  prepareDatabase(home);
  const isOrdinary = !(now ?? tools ?? more.windowSecret ?? more.demoOf ?? more.port);
  if (isOnNode && isOrdinary) {
    const { startNodeOf } = await import('./node-service.ts');
    return await startNodeOf(home, more);
  }
  if (otherCli !== undefined && isOrdinary) return await startOther(home, otherCli, more);
  const service = createService(
    { home: home.directory, host: '127.0.0.1', port: 0, allowedOrigins: [], ...more },
    {
      now: now ?? (() => new Date()),
      loadWriters,
      warn: (problem) => {
        throw problem;
      },
      ...tools,
    },
  );
  const baseUrl = await service.run();
  const { localUrl } = await readRegistration(home);
  return { baseUrl, port: Number(new URL(localUrl).port), close: async () => service.stop() };
}

async function readRegistration(home: Home): Promise<{ localUrl: string }> {
  const { readFile } = await import('node:fs/promises');
  return JSON.parse(await readFile(home.registration, 'utf8'));
}

/** Starts a service for the running test alone. */
export async function serveForTest(
  home: Home,
  more: Partial<ServiceSettings> = {},
  now?: () => Date,
  tools?: Tools,
): Promise<RunningService> {
  const service = await startTestService(home, more, now, tools);
  onTestFinished(() => service.close());
  return service;
}

/** Fetches a path as a script would. */
export async function fetchWithKey(
  { port }: { readonly port: number },
  path: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  await settleNode(port);
  return await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
}

/** Passes requests on to a service at 127.0.0.1, and its answers back. */
export function relayTo(port: number): RequestListener {
  return (request, response) => {
    const headers = { ...request.headers, host: `127.0.0.1:${port}` };
    get({ host: '127.0.0.1', port, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
  };
}
