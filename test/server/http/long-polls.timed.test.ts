import { Agent, get } from 'node:http';
import { expect, it } from 'vitest';
import { changeEvents, serveClub } from '../../support/club.ts';
import { startServe } from '../../support/command.ts';
import { addEvents, addMember, type Member, makeEvent, makeTestHome } from '../../support/home.ts';
import { median, repeat } from '../../support/measure.ts';
import { fetchWithKey } from '../../support/service.ts';

const waiting = { Prefer: 'wait=60' };

it('shows a change to a waiting client within 100 ms', async () => {
  const club = await serveClub([makeEvent(1)]);
  let revision = '';
  const ask = async (path: string) => {
    const answer = await fetchWithKey(club.service, path, club.key, waiting);
    revision = answer.headers.get('Events-Revision') ?? '';
    return await answer.json();
  };
  await ask('/v1/events');
  let name = 0;
  const times = await repeat(100, async () => {
    name += 1;
    const seen = ask(`/v1/events?since=${revision}`).then((answer) => ({
      answer,
      at: performance.now(),
    }));
    // Commits come at any time between two looks.
    await new Promise((resolve) => setTimeout(resolve, 5 + 13 * (name % 10)));
    await changeEvents(club, [makeEvent(1, { name: `${name}` })]);
    const committed = performance.now();
    const { answer, at } = await seen;
    expect(answer.events).toMatchObject([{ name: `${name}` }]);
    return at - committed;
  });
  expect(median(times)).toBeLessThan(100);
});

it('costs other requests nothing while 32 wait', async () => {
  const home = makeTestHome();
  const waitingClubs: Member[] = [];
  for (let at = 0; at < 8; at += 1) {
    waitingClubs.push(await addMember(home, `Waiting${at}`, [makeEvent(1)]));
  }
  const { key } = await addMember(
    home,
    'Chess',
    Array.from({ length: 200 }, (_, at) => makeEvent(at + 1)),
  );
  // In a process of its own: the clients that wait have a cost, too.
  const { firstLine } = await startServe(['--home', home.directory, '--port', '0']);
  const port = Number(new URL(firstLine).port);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const list = () =>
    new Promise<number>((resolve, reject) => {
      const start = performance.now();
      const headers = { Authorization: `Bearer ${key}` };
      get({ host: '127.0.0.1', port, path: '/v1/events', headers, agent }, (answer) => {
        answer.resume().on('end', () => resolve(performance.now() - start));
      }).on('error', reject);
    });
  const lists = async () => median(await repeat(200, list));
  await repeat(500, list);
  let name = 0;
  const whileWaiting = async () => {
    const polls: Promise<Response>[] = [];
    for (const each of waitingClubs) {
      const { headers } = await fetchWithKey({ port }, '/v1/events', each.key);
      const path = `/v1/events?since=${headers.get('Events-Revision')}`;
      for (let at = 0; at < 4; at += 1) polls.push(fetchWithKey({ port }, path, each.key, waiting));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    const time = await lists();
    name += 1;
    for (const { userId } of waitingClubs) {
      await addEvents(home, userId, [makeEvent(1, { name: `${name}` })]);
    }
    for (const answer of await Promise.all(polls)) {
      expect(answer.headers.get('Preference-Applied')).toBe('wait=60');
      await answer.text();
    }
    return time;
  };
  const ratios = await repeat(11, async () => {
    const isFirst = name % 2 === 0;
    const before = isFirst ? undefined : await lists();
    const together = await whileWaiting();
    return together / (before ?? (await lists()));
  });
  agent.destroy();
  expect(median(ratios)).toBeLessThan(1.1);
});
