import { get, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Home } from '../../server/base/home.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import {
  createService,
  type ServiceSettings,
  type ServiceTools,
} from '../../server/service/service.ts';
import { prepareDatabase } from './home.ts';

export type RunningService = {
  readonly baseUrl: string;
  readonly port: number;
  close(): Promise<void>;
};

/** Starts a service on a free port; the caller closes it. */
export async function startTestService(
  home: Home,
  more: Partial<ServiceSettings> = {},
  now: () => Date = () => new Date(),
  tools: Partial<Pick<ServiceTools, 'warn'>> = {},
): Promise<RunningService> {
  prepareDatabase(home);
  const service = createService(
    { home: home.directory, host: '127.0.0.1', port: 0, allowedOrigins: [], ...more },
    {
      now,
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
  tools?: Partial<Pick<ServiceTools, 'warn'>>,
): Promise<RunningService> {
  const service = await startTestService(home, more, now, tools);
  onTestFinished(() => service.close());
  return service;
}

/** Fetches a path as a script would. */
export function fetchWithKey(
  { port }: { readonly port: number },
  path: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
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
