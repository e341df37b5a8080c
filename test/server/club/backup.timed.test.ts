import { expect, it } from 'vitest';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';

it('proves a backup of 100,000 events within 10 seconds', async () => {
  const home = makeTestHome();
  const start = Date.parse('2020-01-01T18:00:00.000Z');
  const events = Array.from({ length: 100_000 }, (_, index) =>
    makeEvent(index + 1, { date: new Date(start + index * 3_600_000).toISOString() }),
  );
  await addMember(home, 'Chess', events);
  const tools = { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
  await catalogue.backup.perform({}, tools);
  const from = performance.now();
  const proof = await catalogue['backup prove'].perform({}, tools);
  const seconds = (performance.now() - from) / 1_000;
  process.stdout.write(`proof of 100,000 events: ${seconds.toFixed(1)} s\n`);
  expect(proof.events).toBe(100_000);
  expect(seconds).toBeLessThan(10);
});
