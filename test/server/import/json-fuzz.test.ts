import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { Problem } from '../../../server/base/errors.ts';
import { createDraftParser } from '../../../server/club/event-draft.ts';
import { reader } from '../../../server/import/json/reader.ts';
import { isEvent } from '../../../server/import/source.ts';
import { arbitraryDamage, damage } from '../../support/damage.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { workedMs } from '../../support/measure.ts';
import { fc } from '../../support/random.ts';
import { worded } from '../../support/words.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? choose(1000, 100));

const events = [
  makeEvent(1, { description: 'Frühling "quoted" \\ 🏃', registrationOpen: true }),
  makeEvent(-2, { location: '', eventType: null }),
  makeEvent(9007199254740991, { status: 'cancelled' }),
];

const files = [
  JSON.stringify({ next: [{ a: 1 }], events }),
  JSON.stringify(events, null, 2),
  events.map((event) => JSON.stringify(event)).join('\n'),
].map((text) => Buffer.from(text));

const pieces = [
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '\\u0000', '\\ud800', '\0', '-', '1e999', 'null'],
  ...['"__proto__":{"id":1},', '"events":', '9007199254740993', '[['.repeat(40), '\ufeff', '\n'],
].map((text) => Buffer.from(text));

/** Reads a file in pieces of a size; returns how many of its events passed the check. */
async function readBytes(bytes: Uint8Array, size: number): Promise<number> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const options = { map: {}, timeZone: 'UTC', now: new Date(0), ignore: () => 0, note: () => 0 };
  const parse = createDraftParser('UTC');
  let good = 0;
  const file = { name: 'events.json', open: () => Readable.from(chunks) };
  for await (const records of reader.read(file, options)) {
    for (const record of [...records].filter(isEvent)) {
      if (!('problem' in record) && !('reason' in parse(record))) good += 1;
    }
  }
  return good;
}

it(`reads ${runs} damaged files or refuses each in one sentence, soon`, async () => {
  for (const file of files) expect(await readBytes(file, 7)).toBe(3);
  let refused = 0;
  const damaged = fc.record({
    file: fc.constantFrom(...files),
    mutations: fc.array(arbitraryDamage(pieces), { minLength: 1, maxLength: 3 }),
    size: fc.constantFrom(1, 5, 65_536),
  });
  await fc.assert(
    fc.asyncProperty(damaged, async ({ file, mutations, size }) => {
      const begun = workedMs();
      try {
        await readBytes(mutations.reduce(damage, file), size);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        const { message } = worded(error) as Error;
        expect(message).toMatch(/^events\.json[:,] .*\(nothing was imported\)\.$/s);
        expect(message.length).toBeLessThan(1000);
        refused += 1;
      }
      expect(workedMs() - begun).toBeLessThan(5_000);
    }),
    { numRuns: runs, seed: 20_260_501, endOnFailure: true },
  );
  expect(refused).toBeGreaterThan(runs / 10);
  expect(refused).toBeLessThan(runs * 0.99);
});
