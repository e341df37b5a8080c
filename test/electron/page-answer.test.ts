import { expect, it } from 'vitest';
import { pageOrigin } from '../../electron/ipc/origin.ts';
import { answerPage } from '../../electron/window/page-answer.ts';
import { pagePolicy } from '../../server/http/page.ts';
import { addMember, makeEvent, makeTestHome } from '../support/home.ts';
import { serveForTest } from '../support/service.ts';

async function serveClub() {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const { baseUrl } = await serveForTest(home);
  const ask = (path: string, init: RequestInit = {}) =>
    answerPage(new Request(`${pageOrigin}${path}`, init), baseUrl);
  return { baseUrl, ask, headers: { authorization: `Bearer ${key}` } };
}

it('forwards requests of the page to the service', async () => {
  const { ask, headers } = await serveClub();
  const page = await ask('/');
  expect(page.headers.get('content-security-policy')).toBe(pagePolicy);
  expect(await page.text()).toContain('<div id="page">');
  const list = await ask('/v1/events?q=event', { headers });
  expect(await list.json()).toMatchObject({ events: [{ name: 'Event 1' }] });
  const calendar = await ask('/v1/events', { headers: { ...headers, 'club-events-page': '1' } });
  expect(calendar.headers.get('calendar-name')).toBe('Chess');
  const etag = list.headers.get('etag') ?? '';
  const again = await ask('/v1/events?q=event', { headers: { ...headers, 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await ask('/v1/events')).status).toBe(401);
  const head = await ask('/v1/events', { headers, method: 'HEAD' });
  expect([head.headers.get('total-count'), await head.text()]).toEqual(['1', '']);
});

it('refuses other origins, hosts and methods', async () => {
  const { ask, baseUrl, headers } = await serveClub();
  const foreign = await ask('/v1/events', {
    headers: { ...headers, origin: 'https://club.example' },
  });
  const written = await ask('/v1/events', { headers, method: 'POST' });
  const elsewhere = await answerPage(new Request('app://other/v1/events', { headers }), baseUrl);
  const stopped = await answerPage(new Request(`${pageOrigin}/`), undefined);
  const gone = await answerPage(new Request(`${pageOrigin}/`), 'http://127.0.0.1:1');
  for (const { type } of [foreign, written, elsewhere, stopped, gone]) expect(type).toBe('error');
});
