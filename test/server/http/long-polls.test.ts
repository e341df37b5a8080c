import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connection } from '../../../db/open.ts';
import { preferredWait } from '../../../server/http/long-polls.ts';
import { withWriter } from '../../../server/store/store.ts';
import { changeEvents, type ServedClub, serveClub } from '../../support/club.ts';
import {
  addMember,
  type Member,
  makeEvent,
  makeTestHome,
  revokeKeysOf,
} from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { openRaw } from '../../support/raw.ts';
import { fetchWithKey } from '../../support/service.ts';

const wait = { Prefer: 'wait=50' };

/** Asks for the list, and reports whether the answer has come. */
function ask(club: ServedClub, path: string, headers: Readonly<Record<string, string>> = wait) {
  let isDone = false;
  const answer = fetchWithKey(club.service, path, club.key, headers).finally(() => {
    isDone = true;
  });
  return { answer, isDone: () => isDone };
}

/** Serves a club, and returns the position of a client that has read its list. */
async function serveRead() {
  const club = await serveClub([makeEvent(1), makeEvent(2)]);
  const first = await fetchWithKey(club.service, '/v1/events', club.key);
  const revision = first.headers.get('Events-Revision') ?? '';
  const etag = first.headers.get('ETag') ?? '';
  return { club, etag, since: `/v1/events?since=${revision}` };
}

/** Lets the service read the requests that were sent, and answer those that do not wait. */
async function aWhile(club: ServedClub): Promise<void> {
  for (let count = 0; count < 3; count += 1) await ask(club, '/health').answer;
  await delay(100);
}

describe('Prefer: wait', () => {
  it('answers a request for changes with the next one', async () => {
    const { club, since } = await serveRead();
    const { answer, isDone } = ask(club, since);
    await aWhile(club);
    expect(isDone()).toBe(false);
    await changeEvents(club, [makeEvent(2, { name: 'Moved' })]);
    const changed = await answer;
    expect(changed.headers.get('Preference-Applied')).toBe('wait=50');
    const { events, removed } = await changed.json();
    expect(events).toMatchObject([{ id: 2, name: 'Moved' }]);
    expect(removed).toEqual([]);
  });

  it('answers a conditional request with the changed list', async () => {
    const { club, etag } = await serveRead();
    const { answer, isDone } = ask(club, '/v1/events', { ...wait, 'If-None-Match': etag });
    await aWhile(club);
    expect(isDone()).toBe(false);
    await changeEvents(club, [makeEvent(3)]);
    const changed = await answer;
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).not.toBe(etag);
    expect((await changed.json()).events).toHaveLength(3);
  });

  it('waits through the changes of another club', async () => {
    const { club, since } = await serveRead();
    const { answer, isDone } = ask(club, since);
    await addMember(club.home, 'Other', [makeEvent(7)]);
    await aWhile(club);
    expect(isDone()).toBe(false);
    await changeEvents(club, [makeEvent(3)]);
    expect((await (await answer).json()).events).toMatchObject([{ id: 3 }]);
  });

  it('answers without news when the time is over', async () => {
    const { club, etag, since } = await serveRead();
    const short = { Prefer: 'respond-async, wait=1' };
    const [changes, list] = await Promise.all([
      ask(club, since, short).answer,
      ask(club, '/v1/events', { ...short, 'If-None-Match': etag }).answer,
    ]);
    expect(await changes.json()).toEqual({ events: [], removed: [] });
    expect(list.status).toBe(304);
    for (const { headers } of [changes, list]) {
      expect(headers.get('Preference-Applied')).toBe('wait=1');
    }
  });

  it('answers at once where there is news, and where waiting has no meaning', async () => {
    const { club, since } = await serveRead();
    await changeEvents(club, [makeEvent(3)]);
    const news = await ask(club, since).answer;
    expect((await news.json()).events).toMatchObject([{ id: 3 }]);
    expect(news.headers.get('Preference-Applied')).toBe('wait=50');
    const other = await ask(club, '/v1/events', { ...wait, 'If-None-Match': '"other"' }).answer;
    expect(other.status).toBe(200);
    const list = await ask(club, '/v1/events').answer;
    expect(list.headers.get('Preference-Applied')).toBeNull();
    const one = await ask(club, '/v1/events/1').answer;
    const condition = { 'If-None-Match': one.headers.get('ETag') ?? '' };
    const again = await ask(club, '/v1/events/1', { ...wait, ...condition }).answer;
    expect(again.status).toBe(304);
    expect(again.headers.get('Preference-Applied')).toBeNull();
    expect((await ask(club, '/v1/events?since=x').answer).status).toBe(400);
  });

  it('waits for HEAD as for GET', async () => {
    const { club, since } = await serveRead();
    const { port } = club.service;
    const head = fetch(`http://127.0.0.1:${port}${since}`, {
      method: 'HEAD',
      headers: { ...wait, Authorization: `Bearer ${club.key}` },
    });
    await aWhile(club);
    await changeEvents(club, [makeEvent(3)]);
    const answer = await head;
    expect(answer.headers.get('Preference-Applied')).toBe('wait=50');
    expect(Number(answer.headers.get('Content-Length'))).toBeGreaterThan(100);
  });

  it('refuses a key that is revoked during the wait', async () => {
    const { club, since } = await serveRead();
    const { answer, isDone } = ask(club, since);
    await aWhile(club);
    expect(isDone()).toBe(false);
    await revokeKeysOf(club.home, 'club');
    expect((await answer).status).toBe(401);
  });

  it('answers as if the time were over when the service stops', async () => {
    const { club, since } = await serveRead();
    const { answer } = ask(club, since);
    await aWhile(club);
    const stopped = club.service.close();
    const last = await answer;
    expect(last.status).toBe(200);
    expect(last.headers.get('Connection')).toBe('close');
    expect(await last.json()).toEqual({ events: [], removed: [] });
    await stopped;
  });

  it('lets four requests of a key wait, and answers another at once', async () => {
    const { club, since } = await serveRead();
    const asked = Array.from({ length: 5 }, () => ask(club, since));
    const another = await Promise.race(asked.map(({ answer }) => answer));
    expect(another.status).toBe(200);
    expect(another.headers.get('Preference-Applied')).toBeNull();
    await aWhile(club);
    expect(asked.filter(({ isDone }) => isDone())).toHaveLength(1);
    await changeEvents(club, [makeEvent(3)]);
    const answers = await Promise.all(asked.map(({ answer }) => answer));
    const waited = answers.filter(({ headers }) => headers.has('Preference-Applied'));
    expect(waited).toHaveLength(4);
    for (const each of waited) expect((await each.json()).events).toMatchObject([{ id: 3 }]);
    // Their places are free again.
    const next = ask(club, `/v1/events?since=${waited[0]?.headers.get('Events-Revision')}`);
    await aWhile(club);
    expect(next.isDone()).toBe(false);
    await changeEvents(club, [makeEvent(4)]);
    await next.answer;
  });

  it('lets 128 requests wait in all, and those of one club take no place of another', async () => {
    const { club, since } = await serveRead();
    const clubs = await Promise.all(
      Array.from({ length: 32 }, (_, at) => addMember(club.home, `Club${at}`, [makeEvent(1)])),
    );
    const { port } = club.service;
    const askAs = async ({ key }: Member) => {
      const list = await fetchWithKey({ port }, '/v1/events?limit=1', key);
      const path = `/v1/events?since=${list.headers.get('Events-Revision')}`;
      return ask({ ...club, key }, path);
    };
    const of = async (members: readonly Member[]) => await Promise.all(members.map(askAs));
    const waiting = [];
    for (let count = 0; count < 4; count += 1) waiting.push(...(await of(clubs.slice(1))));
    waiting.push(ask(club, since), ask(club, since), ask(club, since));
    await aWhile(club);
    const [last, refused] = [ask(club, since), await of(clubs.slice(0, 1))];
    await aWhile(club);
    expect(waiting.filter(({ isDone }) => isDone())).toEqual([]);
    expect(last.isDone()).toBe(false);
    const answer = await refused[0]?.answer;
    expect([answer?.status, answer?.headers.get('Preference-Applied')]).toEqual([200, null]);
    await club.service.close();
    await Promise.all([last, ...waiting].map(async ({ answer }) => (await answer).text()));
  });

  it('frees the places of a client that goes away, also those of pipelined requests', async () => {
    const { club, since } = await serveRead();
    const { port } = club.service;
    const lines = [
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${club.key}`,
      'Prefer: wait=50',
    ];
    const request = `GET ${since} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const [one, two] = [openRaw(port), openRaw(port)];
    one.socket.write(request.repeat(3));
    two.socket.write(request);
    await aWhile(club);
    one.socket.resetAndDestroy();
    two.socket.destroy();
    const areWaiting = async () => {
      const asked = [1, 2, 3, 4].map(() => ask(club, since, { Prefer: 'wait=1' }).answer);
      const answers = await Promise.all(asked);
      return answers.filter(({ headers }) => headers.has('Preference-Applied')).length;
    };
    await expect.poll(areWaiting).toBe(4);
  });

  it('answers a client that closes its side of the connection, and frees its place', async () => {
    const { club, since } = await serveRead();
    const { port } = club.service;
    const lines = [
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${club.key}`,
      'Prefer: wait=50',
    ];
    const request = `GET ${since} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const inTheSamePacket = openRaw(port);
    inTheSamePacket.socket.end(request.repeat(2));
    const later = openRaw(port);
    later.socket.write(request);
    await aWhile(club);
    later.socket.end();
    const two = await inTheSamePacket.received;
    expect(two.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    const one = await later.received;
    expect(one).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nPreference-Applied: wait=50\r\n/);
    expect(one).toMatch(/"removed":\[\]\}$/);
  });

  it('holds no transaction: the log is emptied meanwhile', async () => {
    const { club, since } = await serveRead();
    const { answer } = ask(club, since);
    await aWhile(club);
    // Each writer empties the log at its end, unless a reader prevents it.
    await addMember(club.home, 'Other', [makeEvent(7)]);
    expect(statSync(join(club.home.directory, 'events.sqlite-wal')).size).toBe(0);
    await changeEvents(club, [makeEvent(3)]);
    await answer;
  });

  it('ends with 503 when another database takes the place', async (context) => {
    requirePlace(context, 'renaming an open database');
    const { club, since } = await serveRead();
    const other = makeTestHome();
    await addMember(other, 'Rowing');
    const { answer } = ask(club, since);
    await aWhile(club);
    for (const suffix of ['', '-wal', '-shm']) rmSync(club.home.database + suffix, { force: true });
    renameSync(other.database, club.home.database);
    const last = await answer;
    expect(last.status).toBe(503);
    expect(last.headers.get('Retry-After')).toBe('1');
  });

  it('answers a failure of the database, and the service goes on', async () => {
    const { club, since } = await serveRead();
    const { answer } = ask(club, since);
    await aWhile(club);
    await withWriter(club.home, (db) => {
      connection(db).exec('ALTER TABLE keys RENAME TO elsewhere');
    });
    expect((await answer).status).toBe(500);
    expect((await ask(club, '/health').answer).status).toBe(200);
  });

  it('outlasts the limit for an answer without progress', { tags: 'long' }, async () => {
    const { club, since } = await serveRead();
    const answer = await ask(club, since, { Prefer: 'wait=45' }).answer;
    expect(answer.headers.get('Preference-Applied')).toBe('wait=45');
  });
});

it.each([
  ['wait=30', 30],
  ['respond-async, WAIT = "5"; x=1', 5],
  ['wait=600', 60],
  ['wait=0', 0],
  ['wait', undefined],
  ['wait=-1', undefined],
  ['nowait=3', undefined],
  ['foo="a, wait=1"', undefined],
  ['foo="a\\", wait=1"', undefined],
  ['foo="a, wait=1', undefined],
  ['foo; bar="a, b", wait=7', 7],
  ['wait=x, wait=3', undefined],
  [undefined, undefined],
])('reads the preference %s as %s', (text, seconds) => {
  expect(preferredWait(text)).toBe(seconds);
});
