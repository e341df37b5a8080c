import { Agent, get } from 'node:http';
import { expect, it } from 'vitest';
import { addMember, type Member, makeEvent, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { sendRaw } from '../../support/raw.ts';
import { serveForTest } from '../../support/service.ts';

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
  expect(different).toEqual([]);

  // The requests were for events that are there: their owners get them.
  const owned = await Promise.all(members.map(({ key }, at) => ask(at, key)));
  expect(owned.map(({ status }) => status)).toEqual(members.map(() => 200));
  agent.destroy();
});

it('authenticates each request of a connection separately', async () => {
  const home = makeTestHome();
  const chess = await addMember(home, 'Chess', [makeEvent(1, { name: 'Of chess' })]);
  const rowing = await addMember(home, 'Rowing', [makeEvent(1, { name: 'Of rowing' })]);
  const { port } = await serveForTest(home);
  const keys = [chess.key, rowing.key, 'unknown', chess.key, rowing.key];
  const requests = keys.map((key, at) => {
    const last = at === keys.length - 1 ? 'Connection: close\r\n' : '';
    return `GET /v1/events/1 HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${key}\r\n${last}\r\n`;
  });
  const received = await sendRaw(port, requests.join(''));
  const results = received.match(/Of \w+|401 Unauthorized/g);
  expect(results).toEqual(['Of chess', 'Of rowing', '401 Unauthorized', 'Of chess', 'Of rowing']);
});
