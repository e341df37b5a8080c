import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Home } from '../../server/home.ts';
import { createService, type Service } from '../../server/main.ts';
import { makeTestHome } from '../support/home.ts';

function createTestService({ directory }: Home): Service {
  const service = createService(
    { home: directory, host: '127.0.0.1', port: 0, allowedOrigins: [] },
    { now: () => new Date(), warn: () => undefined },
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
