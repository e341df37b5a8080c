import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Home } from '../../../server/base/home.ts';
import { loadWriters } from '../../../server/export/list-writers.ts';
import { createConnections } from '../../../server/http/connections.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { createService, type Service } from '../../../server/service/service.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { serveForTest } from '../../support/service.ts';

function createTestService({ directory }: Home): Service {
  const service = createService(
    { home: directory, host: '127.0.0.1', port: 0, allowedOrigins: [] },
    { now: () => new Date(), warn: () => undefined, loadWriters },
  );
  onTestFinished(() => service.stop());
  return service;
}

describe('the service', () => {
  it('creates no files before it runs', async () => {
    const home = makeTestHome();
    await createTestService(home).stop();
    expect(existsSync(home.directory)).toBe(false);
  });

  it('stops once for several calls', async () => {
    const home = makeTestHome();
    const service = createTestService(home);
    const baseUrl = await service.run();
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    await Promise.all([service.stop(), service.stop()]);
    await service.stop();
    expect(existsSync(home.registration)).toBe(false);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
  });

  it('stops while it starts', async () => {
    const home = makeTestHome();
    const service = createTestService(home);
    const starting = service.run();
    await service.stop();
    await expect(fetch(`${await starting}/health`)).rejects.toThrow();
    expect(existsSync(home.registration)).toBe(false);
  });
});

/** Listens like another program; resolves with the port, or with the code of the error. */
async function occupy(host: string, port = 0): Promise<number | string> {
  const server = createServer((socket) => socket.end()).listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('localhost', () => {
  it('reaches the service at both of its addresses, until it stops', async (context) => {
    requirePlace(context, 'the address [::1]');
    const home = makeTestHome();
    const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
    const service = await serveForTest(home);
    const urls = ['127.0.0.1', '[::1]'].map((host) => `http://${host}:${service.port}/v1/events`);
    const headers = { Authorization: `Bearer ${key}` };
    for (const url of urls) expect((await fetch(url, { headers })).status).toBe(200);
    await service.close();
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  });

  it('is reported as unsafe if another program has the port on [::1]', async (context) => {
    requirePlace(context, 'the address [::1]');
    const port = await occupy('::1');
    const home = makeTestHome();
    const warnings: unknown[] = [];
    const { baseUrl } = await serveForTest(home, { port: Number(port) }, undefined, {
      warn: (problem) => warnings.push(problem),
    });
    const url = `http://127.0.0.1:${port}`;
    expect(baseUrl).toBe(url);
    expect(warnings).toMatchObject([
      { code: 'localhost_unsafe', values: { address: '::1', port, url } },
    ]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(readFileSync(join(home.logs, 'service.log'), 'utf8')).toContain('"address":"::1"');
  });

  it('is served at a port that is free at both addresses if any port will do', async (context) => {
    requirePlace(context, 'the address [::1]');
    // So many that some of the services meet one of them first.
    for (let count = 0; count < 1_000; count += 1) await occupy('::1');
    for (let count = 0; count < 300; count += 1) {
      const server = createHttpServer((_request, response) => response.end(), {
        connections: createConnections(),
        host: '127.0.0.1',
        port: 0,
        onError: () => undefined,
      });
      expect(await server.run()).not.toHaveProperty('unsafeAddress');
      await server.stop();
    }
  });
});
