import { encode } from 'iconv-lite';
import { expect, it } from 'vitest';
import { Problem } from '../../../server/base/errors.ts';
import { arbitraryDamage, damage } from '../../support/damage.ts';
import { choose } from '../../support/long.ts';
import { workedMs } from '../../support/measure.ts';
import { fc } from '../../support/random.ts';
import { worded } from '../../support/words.ts';
import { readContents } from './csv-reading.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? choose(1000, 100));

const tables = [
  'id,name,date,location,description,status\r\n1,"Run, ""fast""",2026-05-01 18:00,Hall,"a\nb",active\r\n2,Swim,2026-05-02,,,\r\n',
  'sep=;\nTitel;Datum;Uhrzeit;Ort;Anmeldung offen\nFrühlingsfest;1.5.2026;18:00;Köln;ja\nLauf;31/05/2026;;;x\nBall;01/06/2026;20h;Ü;nein\n',
  'Nom\tDate\tLieu\tCréé\nFête d’été\t45000,75\tOrléans\t1/2/2026\nBal\t46143\tAngers\t13/2/2026\n',
];

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
const files = tables.flatMap((table) => encodings.map((encoding) => encode(table, encoding)));

const pieces = [
  ...['"', '""', ';', ',', '\t', '\r', '\n', '\0', '/', '\ufeff', '\ud800', '=', "'", '31/12/2026'],
  ...['12/31/2026', '01/02/2026', '60', '99999999', '__proto__', 'sep=,\n', 'x'.repeat(5000)],
].map((text) => Buffer.from(text));

it(`reads ${runs} damaged files or refuses each in one sentence, soon`, async () => {
  let refused = 0;
  const damaged = fc.record({
    file: fc.constantFrom(...files),
    mutations: fc.array(arbitraryDamage(pieces), { minLength: 1, maxLength: 4 }),
    size: fc.constantFrom(1, 5, 65_536),
  });
  await fc.assert(
    fc.asyncProperty(damaged, async ({ file, mutations, size }) => {
      const begun = workedMs();
      try {
        await readContents([mutations.reduce(damage, file)], {}, size);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        const { message } = worded(error) as Error;
        expect(message).toMatch(/^season\.csv[:,] .*\(nothing was imported\)\.$/s);
        expect(message.length).toBeLessThan(1000);
        refused += 1;
      }
      expect(workedMs() - begun).toBeLessThan(5_000);
    }),
    { numRuns: runs, seed: 20_260_501, endOnFailure: true },
  );
  expect(refused).toBeGreaterThan(runs / 10);
  expect(refused).toBeLessThan(runs * 0.95);
});
