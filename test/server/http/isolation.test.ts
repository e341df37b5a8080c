import { expect, it } from 'vitest';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { sendRaw } from '../../support/raw.ts';
import { serveForTest } from '../../support/service.ts';

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
