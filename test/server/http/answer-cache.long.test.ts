import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectionLimits } from '../../../server/http/connections.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { sendRaw } from '../../support/raw.ts';

it('keeps the memory for answers small, whatever the number of addresses', {
  tags: 'long',
}, async () => {
  const home = makeTestHome();
  const count = choose(200_000, 12_000);
  const events = Array.from({ length: count }, (_, at) => makeEvent(at + 1));
  const { key } = await addMember(home, 'Chess', events);
  const script = join(import.meta.dirname, '../../support/measured-service.ts');
  const child = fork(script, [home.directory], { execArgv: ['--expose-gc'] });
  onTestFinished(() => void child.kill());
  const [baseUrl] = await once(child, 'message');
  const port = Number(new URL(baseUrl).port);
  const readMemory = async () => {
    child.send('memory');
    const [bytes] = await once(child, 'message');
    return bytes as number;
  };
  const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n`;
  const askAll = async (first: number, last: number) => {
    // As many as a connection may have at once.
    const each = connectionLimits.queue;
    for (let at = first; at <= last; at += each) {
      const requests = Array.from({ length: Math.min(each, last + 1 - at) }, (_, index) => {
        const isLast = index === each - 1 || at + index === last;
        const more = isLast ? 'Connection: close\r\n' : '';
        return `GET /v1/events/${at + index} HTTP/1.1\r\n${headers}${more}\r\n`;
      });
      const received = await sendRaw(port, requests.join(''));
      expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(requests.length);
    }
  };
  await askAll(1, 500);
  const before = await readMemory();
  await askAll(501, count);
  expect((await readMemory()) - before).toBeLessThan(12_000_000);
});
