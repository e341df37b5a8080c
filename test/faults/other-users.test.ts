import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { createCounts } from '../support/fault-requests.ts';
import { addMember, type Member, makeEvent, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { requestRaw } from '../support/raw.ts';
import { serveForTest } from '../support/service.ts';

type Answer = { readonly status: number | undefined; readonly bytes: string };

const users = 20;
const eventsEach = 25;
const requests = choose(10_000, 500);

it(`answers ${requests} requests for events of others byte for byte as for missing ones`, async () => {
  const home = makeTestHome();
  const members: Member[] = [];
  for (let at = 0; at < users; at += 1) {
    const own = Array.from({ length: eventsEach }, (_, index) => makeEvent(index * users + at));
    members.push(await addMember(home, `user${at}`, own));
  }
  const { port } = await serveForTest(home);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  const ask = (id: number, key: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${key}` };
      const request = get({ port, path: `/v1/events/${id}`, headers, agent }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.on('end', () => {
          // The clock is the one thing that may differ between two answers.
          const lines = response.rawHeaders.join('\n').replace(/^Date\n.*$/m, '');
          resolve({ status: response.statusCode, bytes: `${lines}\n\n${body}` });
        });
      });
      request.on('error', reject);
    });

  const keyOf = (at: number) => members[at]?.key ?? '';
  const missing = await ask(users * eventsEach + 1, keyOf(0));
  expect(missing.status).toBe(404);

  const answers: Promise<Answer>[] = [];
  for (let index = 0; index < requests; index += 1) {
    const id = index % (users * eventsEach);
    const owner = id % users;
    const other = (owner + 1 + (Math.floor(index / users) % (users - 1))) % users;
    answers.push(ask(id, keyOf(other)));
  }
  const different = (await Promise.all(answers)).filter(({ bytes }) => bytes !== missing.bytes);
  printFigure(`${requests} requests for events of other users: ${different.length} differ`);
  expect(different).toEqual([]);

  // The requests were for events that are there: their owners get them.
  const owned = await Promise.all(members.map(({ key }, at) => ask(at, key)));
  expect(owned.map(({ status }) => status)).toEqual(members.map(() => 200));
  agent.destroy();
});

const secret = 'The secret meeting';

/** Serves a club with a secret event. */
async function serveSecret() {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1, { name: secret })]);
  return { key, ...(await serveForTest(home)) };
}

describe('a forged Host', () => {
  const names = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example#127.0.0.1',
    'evil.example\\127.0.0.1',
    'user@127.0.0.1',
    '127.0.0.1@evil.example',
    '127.1',
    '127.0.0.2',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '::1',
    'localhost.',
    'LOCALHOST.',
    'local host',
    'localhost,evil.example',
    'localhost/evil',
    'localhost?evil',
    '%6cocalhost',
    'xn--localhost',
    'lοcalhost',
    'localhost\0',
    '"localhost"',
    "'localhost'",
    'http://localhost',
    '*',
    '-',
    'a'.repeat(300),
  ];
  const ports = (port: number) => [
    'localhost',
    'localhost:',
    'localhost:80',
    'localhost:0',
    `localhost:-${port}`,
    `localhost:${port}x`,
    `localhost:${port + 65_536}`,
    `localhost:${port}:80`,
  ];

  it('gets no event, in 40 forms', async () => {
    const { port, key } = await serveSecret();
    const hosts = [...names.map((name) => `${name}:${port}`), ...ports(port)];
    expect(hosts).toHaveLength(40);
    const statuses = createCounts();
    for (const host of hosts) {
      const lines = [`Host: ${host}`, `Authorization: Bearer ${key}`];
      const { status, body } = await requestRaw(port, 'GET /v1/events', lines);
      statuses.add(status);
      expect([400, 421], host).toContain(status);
      expect(body, host).not.toContain(secret);
    }
    printFigure(`40 forged Hosts: ${statuses.text()}`);
    const own = [`Host: localhost:${port}`, `Authorization: Bearer ${key}`];
    expect((await requestRaw(port, 'GET /v1/events', own)).body).toContain(secret);
  });
});

/** A page that tries to reach the service in every way, even with a key. */
const hostilePage = (url: string, key: string) => `<!doctype html><title>evil</title><body><script>
  const url = ${JSON.stringify(url)};
  const headers = { Authorization: 'Bearer ${key}' };
  const found = [];
  const withKey = url + '?access_token=${key}';
  const add = (name, more) => document.body.append(Object.assign(document.createElement(name), more));
  const settle = (promise) => promise.then((text) => found.push(text), (error) => found.push(String(error)));
  const vectors = {
    fetch: () => settle(fetch(url, { headers }).then((answer) => answer.text())),
    opaque: () => settle(fetch(withKey, { mode: 'no-cors', credentials: 'include' }).then((answer) => answer.text())),
    img: () => new Promise((done) => add('img', { src: withKey, onload: done, onerror: done })),
    script: () => new Promise((done) => add('script', { src: withKey, onload: done, onerror: done })),
    iframe: () => new Promise((done) => {
      add('iframe', { src: withKey, onload: ({ target }) => {
        found.push(String(target.contentDocument?.body.innerText));
        done();
      } });
    }),
    form: () => new Promise((done) => {
      add('iframe', { name: 'answer' });
      add('form', { method: 'post', action: withKey, target: 'answer' });
      document.querySelector('iframe[name=answer]').onload = ({ target }) => {
        found.push(String(target.contentDocument?.body.innerText));
        done();
      };
      document.querySelector('form').submit();
    }),
    events: () => new Promise((done) => {
      const source = new EventSource(withKey);
      source.onmessage = ({ data }) => found.push(data);
      source.onerror = () => done(source.close());
    }),
    socket: () => new Promise((done) => {
      const socket = new WebSocket(withKey.replace('http', 'ws'));
      socket.onmessage = ({ data }) => found.push(data);
      socket.onerror = done;
    }),
    link: () => new Promise((done) => add('link', { rel: 'prefetch', href: withKey, onload: done, onerror: done })),
  };
  window.run = async (name) => {
    await Promise.race([vectors[name](), new Promise((done) => setTimeout(done, 3_000))]);
    return found.splice(0);
  };
</script>`;

describe('a page of another origin', () => {
  const vectors = 'fetch opaque img script iframe form events socket link'.split(' ');

  it('gets no event by any vector, even with a key', async () => {
    const { port, baseUrl, key } = await serveSecret();
    const evil = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(hostilePage(`${baseUrl}/v1/events`, key));
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    onTestFinished(() => void evil.close());
    const browser = await launchBrowser('--host-resolver-rules=MAP rebound.example 127.0.0.1');
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const statuses = createCounts();
    const bodies: string[] = [];
    page.on('response', (response) => {
      if (!response.url().startsWith(`${baseUrl}/v1`)) return;
      statuses.add(response.status());
      void response.text().then(
        (text) => bodies.push(text),
        () => statuses.add('no body'),
      );
    });
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    for (const vector of vectors) {
      const found = await page.evaluate<string[]>(`run('${vector}')`);
      expect(found.join('\n'), vector).not.toContain(secret);
    }
    expect(bodies.join('\n')).not.toContain(secret);
    // A rebound name reaches the service as its own origin, so that the page may set headers.
    await page.goto(`http://rebound.example:${port}/health`);
    const rebound = await page.evaluate(
      async (authorization) => (await fetch('/v1/events', { headers: { authorization } })).text(),
      `Bearer ${key}`,
    );
    expect(JSON.parse(rebound)).toMatchObject({ status: 421 });
    printFigure(`${vectors.length} vectors and a rebound name: 0 bodies (${statuses.text()})`);
    // The page of the service itself may read with this key.
    await page.goto(`${baseUrl}/`);
    const own = await page.evaluate(
      async (authorization) => (await fetch('/v1/events', { headers: { authorization } })).text(),
      `Bearer ${key}`,
    );
    expect(own).toContain(secret);
  });
});
