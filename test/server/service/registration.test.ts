import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { requestTimeout } from '../../../server/service/health.ts';
import { callCommand, runCommand, type Serving, startServe } from '../../support/command.ts';
import { makeTestHome, prepareDatabase } from '../../support/home.ts';
import { expectMode, requirePlace } from '../../support/place.ts';
import { relayTo, serveForTest, startTestService } from '../../support/service.ts';

function setUp() {
  const home = makeTestHome();
  const at = ['--home', home.directory];
  return {
    home,
    serve: (...args: string[]): Promise<Serving> => startServe([...at, '--port', '0', ...args]),
    run: (...args: string[]) => runCommand([...at, ...args]),
    call: (...args: string[]) => callCommand([...at, ...args]),
    url: () => callCommand([...at, 'url']),
    read: () => JSON.parse(readFileSync(home.registration, 'utf8')),
  };
}

const ended = { status: 1, stdout: '' };

describe('several services on one data directory', () => {
  it('prints the URL of a service that still runs', async (context) => {
    requirePlace(context, 'signals');
    const { home, serve, url, read } = setUp();
    const first = await startTestService(home);
    const publicUrl = 'http://events.club.example';
    const second = await serve('--host', '0.0.0.0', '--public-url', publicUrl);
    expect(second.firstLine).toBe(publicUrl);
    await expect
      .poll(second.stderr)
      .toContain(`Another service of this data directory runs at ${first.baseUrl}.\n`);
    expect((await url()).stdout).toBe(`${publicUrl}\n`);
    expect(read()).toMatchObject({ baseUrl: publicUrl, pid: second.pid });
    expectMode(home.registration, 0o600);

    expect(await second.end('SIGINT')).toBe(0);
    const { baseUrl } = first;
    expect((await url()).stdout).toBe(`${baseUrl}\n`);
    expect(read()).toMatchObject({ baseUrl, pid: process.pid, localUrl: baseUrl, demo: false });
    const third = await serve();
    expect((await url()).stdout).toBe(`${third.firstLine}\n`);
    await first.close();
    expect((await url()).stdout).toBe(`${third.firstLine}\n`);
    expect(await third.end('SIGINT')).toBe(0);
    expect(existsSync(home.registration)).toBe(false);
    expect(await url()).toMatchObject(ended);
  });

  it('finds an earlier service after the latest was killed', { tags: 'long' }, async () => {
    const { home, serve, url, read } = setUp();
    const { baseUrl } = await serveForTest(home);
    const second = await serve();
    await second.end('SIGKILL');
    expect((await url()).stdout).toBe(`${baseUrl}\n`);
    const third = await serve();
    expect(read().others).toMatchObject([{ pid: process.pid }]);
    expect(await third.end('SIGTERM')).toBe(0);
    expect((await url()).stdout).toBe(`${baseUrl}\n`);
  });

  it('registers services that start and end at the same time', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'signals');
    const { home, serve, read } = setUp();
    prepareDatabase(home);
    const services = await Promise.all([serve(), serve()]);
    const pids = () => [read(), ...read().others].map(({ pid }: { pid: number }) => pid).toSorted();
    expect(pids()).toEqual(services.map(({ pid }) => pid).toSorted());
    await Promise.all(services.map((service) => service.end('SIGTERM')));
    expect(existsSync(home.registration)).toBe(false);
  });

  it('prefers a service with real data to a demo', { tags: 'long' }, async () => {
    const { home, serve, url } = setUp();
    const demo = await serve('--demo');
    expect((await url()).stdout).toBe(`${demo.firstLine}\n`);
    const own = await startTestService(home);
    const later = await serve('--demo');
    expect((await url()).stdout).toBe(`${own.baseUrl}\n`);
    await own.close();
    expect((await url()).stdout).toBe(`${later.firstLine}\n`);
  });
});

describe('a service that stalls', { tags: 'long' }, () => {
  async function setUpStall(context: TestContext) {
    requirePlace(context, 'signals');
    const place = setUp();
    prepareDatabase(place.home);
    const own = await place.serve();
    await place.serve('--demo');
    process.kill(own.pid, 'SIGSTOP');
    return { ...place, own };
  }

  it('is waited for, and never replaced by a demo', async (context) => {
    const { own, url } = await setUpStall(context);
    const printed = url();
    // The first request of `url` fails meanwhile.
    await delay(requestTimeout + 1_000);
    process.kill(own.pid, 'SIGCONT');
    expect((await printed).stdout).toBe(`${own.firstLine}\n`);
  });

  it('is named instead of a demo if it stays silent', { tags: 'long' }, async (context) => {
    const { own, url } = await setUpStall(context);
    const silent = `The service at ${own.firstLine} (process ${own.pid}) does not answer`;
    const printed = await url();
    expect(printed).toMatchObject(ended);
    expect(printed.stderr).toBe(`${silent}; end that process, then start the service again.\n`);
  });
});

describe('service.json after a crash', () => {
  it('ignores a registration whose process id and port belong to another service', {
    tags: 'long',
  }, async () => {
    const crashed = setUp();
    const service = await crashed.serve();
    await service.end('SIGKILL');
    const { port } = new URL(service.firstLine);
    const other = setUp();
    await serveForTest(other.home, { port: Number(port) });
    expect(await crashed.url()).toMatchObject(ended);
    const stale = { ...crashed.read(), pid: process.pid };
    writeFileSync(crashed.home.registration, JSON.stringify(stale));
    expect(await crashed.url()).toMatchObject(ended);
    expect((await other.url()).stdout).toBe(`${service.firstLine}\n`);
    // Without a secret nothing can be proved.
    const { secret, ...unproved } = stale;
    writeFileSync(crashed.home.registration, JSON.stringify(unproved));
    expect(await crashed.url()).toMatchObject(ended);
  });

  it('ignores a program that passes requests on to the service', async () => {
    const { home, url, read } = setUp();
    const relay = createServer(relayTo((await serveForTest(home)).port));
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void relay.close());
    const { port } = relay.address() as AddressInfo;
    const moved = { ...read(), localUrl: `http://127.0.0.1:${port}` };
    writeFileSync(home.registration, JSON.stringify(moved));
    expect(await url()).toMatchObject(ended);
  });

  it.each(['https://127.0.0.1:PORT', 'file:///etc/passwd', 'javascript:alert(1)', 'http://', ''])(
    'with the local URL %j is ignored in one sentence',
    async (localUrl) => {
      const { home, url, read } = setUp();
      const { port } = await serveForTest(home);
      const broken = { ...read(), localUrl: localUrl.replace('PORT', `${port}`) };
      writeFileSync(home.registration, JSON.stringify(broken));
      const result = await url();
      expect(result).toMatchObject(ended);
      expect(result.stderr).toMatch(/^No service runs on [^\n]+\n$/);
    },
  );

  it.each(['null', '[]', '{"others":7}', '{"others":[null,1]}', '"x"', '{'])(
    'with the content %s is ignored and replaced',
    async (text) => {
      const { home, url } = setUp();
      mkdirSync(home.directory, { recursive: true });
      writeFileSync(home.registration, text);
      expect(await url()).toMatchObject(ended);
      const { baseUrl } = await serveForTest(home);
      expect((await url()).stdout).toBe(`${baseUrl}\n`);
    },
  );

  it('registers a service although a crash left the lock behind', { tags: 'long' }, async () => {
    const { home, url } = setUp();
    mkdirSync(`${home.registration}.lock`, { recursive: true });
    const { baseUrl } = await serveForTest(home);
    expect((await url()).stdout).toBe(`${baseUrl}\n`);
    expect(existsSync(`${home.registration}.lock`)).toBe(false);
  });
});

describe('the registration of a service', () => {
  it('leaves no file behind when the registration cannot be written', {
    tags: 'long',
  }, async () => {
    const { home, run } = setUp();
    mkdirSync(join(home.registration, 'in the way'), { recursive: true });
    const result = await run('serve', '--port', '0');
    expect(result).toMatchObject(ended);
    expect(result.stderr).toMatch(/service\.json is a folder[^\n]*\n$/);
    expect(readdirSync(home.directory).filter((name) => /tmp|lock|json\./.test(name))).toEqual([]);
  });

  it('never reveals the secret of the registration', async () => {
    const { home, call, read } = setUp();
    const { baseUrl } = await serveForTest(home);
    const { secret } = read();
    expect(secret).toMatch(/^[\w-]{32}$/);
    const printed = await call('url', '--json');
    expect(Object.keys(JSON.parse(printed.stdout))).toEqual(['baseUrl', 'pid', 'localUrl', 'demo']);
    const ask = async (challenge: string) => {
      const headers = { 'Club-Events-Challenge': challenge };
      const answer = await fetch(`${baseUrl}/health`, { headers });
      expect(Object.keys((await answer.json()) as object)).toEqual(['service', 'version']);
      return answer.headers.get('club-events-proof');
    };
    const [one, another] = [await ask('a'.repeat(32)), await ask('b'.repeat(32))];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(another).not.toBe(one);
    expect(await ask('short')).toBeNull();
  });
});

describe('serve on a port that Club Events already uses', () => {
  it('reports the address and data of the service that already runs', async () => {
    const own = setUp();
    const { baseUrl, port } = await serveForTest(own.home);
    const again = await own.run('serve', '--port', `${port}`);
    expect(again).toMatchObject(ended);
    expect(again.stderr).toBe(
      `Club Events is already running at ${baseUrl}, for this data directory; use that one, or choose another port with --port (0 picks a free one).\n`,
    );
    const elsewhere = await setUp().run('serve', '--port', `${port}`);
    expect(elsewhere.stderr).toContain(`running at ${baseUrl}, for other data;`);
    expect((await own.url()).stdout).toBe(`${baseUrl}\n`);
  });
});
