import { onTestFinished } from 'vitest';
import type { Home } from '../../server/home.ts';
import { type Service, type ServiceSettings, startService } from '../../server/main.ts';
import { prepareDatabase } from './home.ts';

export type RunningService = Service & { readonly port: number };

/** Starts a service on a free port; the caller closes it. */
export async function startTestService(
  home: Home,
  more: Partial<ServiceSettings> = {},
  now: () => Date = () => new Date(),
): Promise<RunningService> {
  prepareDatabase(home);
  const service = await startService(
    { home: home.directory, host: '127.0.0.1', port: 0, allowedOrigins: [], ...more },
    {
      now,
      warn: (sentence) => {
        throw new Error(sentence);
      },
    },
  );
  const { localUrl } = await readRegistration(home);
  return { ...service, port: Number(new URL(localUrl).port) };
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
): Promise<RunningService> {
  const service = await startTestService(home, more, now);
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
