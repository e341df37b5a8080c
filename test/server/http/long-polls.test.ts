import { renameSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeStore, connection } from '../../../db/open.ts';
import { createLongPolls, preferredWait } from '../../../server/http/long-polls.ts';
import { openHomeReader, withWriter } from '../../../server/store/store.ts';
import { changeEvents, type ServedClub, serveClub } from '../../support/club.ts';
import { addMember, makeEvent, makeTestHome, revokeKeysOf } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { fetchWithKey } from '../../support/service.ts';
import { listen } from '../../support/web-space.ts';

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
  it('limits the time of a connection again once the request has waited', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', []);
    const db = openHomeReader(home);
    onTestFinished(() => closeStore(db));
    const quiet = { look: () => undefined, onDamage: () => undefined, readFault: () => undefined };
    const room = createLongPolls(db, quiet);
    const limits: (number | undefined)[] = [];
    const port = await listen((req, res) => {
      const note = () => limits.push(req.socket.timeout);
      req.socket.setTimeout(5_000);
      const ctx = { req, res, state: {}, set: () => undefined };
      const isOver = () => note() === 0;
      const waited = room.wait(ctx as unknown as Parameters<typeof room.wait>[0], 0.05, isOver);
      void waited.finally(() => note() && res.end());
    });
    await fetch(`http://127.0.0.1:${port}`);
    expect([limits[0], limits.at(-1)]).toEqual([0, 5_000]);
  });

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

  it('lets 32 requests wait, and answers another at once', async () => {
    const { club, since } = await serveRead();
    const asked = Array.from({ length: 33 }, () => ask(club, since));
    const another = await Promise.race(asked.map(({ answer }) => answer));
    expect(another.status).toBe(200);
    expect(another.headers.get('Preference-Applied')).toBeNull();
    await aWhile(club);
    expect(asked.filter(({ isDone }) => isDone())).toHaveLength(1);
    await changeEvents(club, [makeEvent(3)]);
    const answers = await Promise.all(asked.map(({ answer }) => answer));
    const waited = answers.filter(({ headers }) => headers.has('Preference-Applied'));
    expect(waited).toHaveLength(32);
    for (const each of waited) expect((await each.json()).events).toMatchObject([{ id: 3 }]);
    // Their places are free again.
    const next = ask(club, `/v1/events?since=${waited[0]?.headers.get('Events-Revision')}`);
    await aWhile(club);
    expect(next.isDone()).toBe(false);
    await changeEvents(club, [makeEvent(4)]);
    await next.answer;
  });

  it('frees the place of a client that goes away', async () => {
    const { club, since } = await serveRead();
    const { port } = club.service;
    const headers = { ...wait, Authorization: `Bearer ${club.key}` };
    const requests = Array.from({ length: 32 }, () =>
      get(`http://127.0.0.1:${port}${since}`, { headers, agent: false }).on(
        'error',
        () => undefined,
      ),
    );
    await aWhile(club);
    for (const request of requests) request.destroy();
    const isWaiting = async () => {
      const headers = { Prefer: 'wait=1' };
      return (await ask(club, since, headers).answer).headers.get('Preference-Applied');
    };
    await expect.poll(isWaiting).toBe('wait=1');
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
  [undefined, undefined],
])('reads the preference %s as %s', (text, seconds) => {
  expect(preferredWait(text)).toBe(seconds);
});
