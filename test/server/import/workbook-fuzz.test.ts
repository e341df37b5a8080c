import { expect, it } from 'vitest';
import { Problem } from '../../../server/base/errors.ts';
import { createDraftParser } from '../../../server/club/event-draft.ts';
import { isEvent } from '../../../server/import/source.ts';
import { reader } from '../../../server/import/workbook/reader.ts';
import { arbitraryDamage, damage } from '../../support/damage.ts';
import { choose } from '../../support/long.ts';
import { workedMs } from '../../support/measure.ts';
import { fc } from '../../support/random.ts';
import { worded } from '../../support/words.ts';
import { odsParts, rowsXml, tableXml, xlsxParts } from '../../support/workbook.ts';
import { type ZipParts, zip } from '../../support/zip.ts';
import { setUp } from './set-up.ts';
import { options, sourceOf } from './workbook-reading.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? choose(4000, 200));

const date = (value: string) => ({
  xml: `<table:table-cell office:value-type="date" office:date-value="${value}"><text:p>x</text:p></table:table-cell>`,
});

const workbooks: readonly ZipParts[] = [
  xlsxParts(
    rowsXml([
      ['Titel', 'Datum', 'Ort'],
      ['Fest', { date: 46_144 }, 'Köln'],
      ['Lauf', { date: 46_150.75 }, 'Bonn'],
    ]),
  ),
  xlsxParts(
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="2"><v>46144.8125</v></c></row><row r="3" hidden="1"><c r="A3" t="str"><f>A2</f><v>Ball</v></c></row><row r="4"><c r="B4" t="d"><v>2026-05-04T18:00:00</v></c><c r="C4" t="b"><v>1</v></c></row>',
    {
      texts:
        '<si><t>Titel</t></si><si><r><t>Da</t></r><r><t>tum</t></r></si><si><t>Fest &amp; Tanz</t></si>',
      formats: ['[$-407]dd.mm.yyyy hh:mm'],
      properties: 'date1904="0"',
      before: '<cols><col min="3" max="3" hidden="1"/></cols>',
      after: '<mergeCells><mergeCell ref="A2:A4"/></mergeCells>',
      more: { 'Alt|state="hidden"': rowsXml([['x']]) },
    },
  ),
  odsParts(
    tableXml('Termine', [
      ['Titel', 'Datum'],
      ['Fest', date('2026-05-02')],
      ['Lauf', date('2026-05-03T18:00:00')],
    ]).replace(
      '<table:table-row>',
      '<table:table-column table:number-columns-repeated="2"/><table:table-row table:number-rows-repeated="1">',
    ),
    '<style:style style:name="a"><style:table-properties table:display="true"/></style:style>',
  ),
];

const pieces = [
  ...[
    '<',
    '>',
    '/',
    '"',
    '&',
    '&amp;',
    '&#x41;',
    '&#0;',
    ']]>',
    '<!--',
    '<![CDATA[',
    '<?x',
    '\0',
    '\ufeff',
  ],
  ...[
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '<row>',
    '</row>',
    '<c>',
    '</c>',
    '<v>',
    '</sheetData>',
  ],
  ...[
    ' r="XFD1"',
    ' r="A99999999"',
    ' r="ZZZ1"',
    ' s="99"',
    ' t="s"',
    ' t="d"',
    ' t="e"',
    ' hidden="1"',
  ],
  ...[
    '<c t="s"><v>99</v></c>',
    '<c s="1"><v>1e308</v></c>',
    '<c s="1"><v>-1</v></c>',
    'date1904="1" ',
  ],
  ...[
    '<mergeCell ref="A1:XFD1048576"/>',
    '<col min="1" max="16384" hidden="1"/>',
    '31/12/2026',
    '1e9',
  ],
  ...[
    ' table:number-rows-repeated="99999999"',
    ' table:number-columns-repeated="16385"',
    'x'.repeat(5000),
  ],
  ...[
    '</table:table>',
    '<table:table>',
    ' table:number-rows-spanned="9"',
    ' table:visibility="collapse"',
  ],
].map((text) => Buffer.from(text));

const damages = fc.array(arbitraryDamage(pieces), { minLength: 1, maxLength: 3 });

/** Damage of the content of a part, in a ZIP file that is not damaged itself. */
const damagedParts = fc
  .record({ parts: fc.constantFrom(...workbooks), part: fc.nat(), damages })
  .map(({ parts, part, damages: all }) => {
    const paths = Object.keys(parts);
    const path = paths[part % paths.length] ?? '';
    return zip({ ...parts, [path]: all.reduce(damage, Buffer.from(parts[path] as string)) });
  });

const files = workbooks.map((parts) => zip(parts));
const damagedFiles = fc
  .record({ file: fc.constantFrom(...files), damages })
  .map(({ file, damages: all }) => Buffer.from(all.reduce(damage, file)));

const damaged = fc.oneof(
  { weight: 3, arbitrary: damagedParts },
  { weight: 1, arbitrary: damagedFiles },
);

/** Returns the number of events of a workbook that an import would store. */
async function countEvents(bytes: Uint8Array): Promise<number> {
  const parse = createDraftParser('UTC');
  let good = 0;
  for await (const records of reader.read(sourceOf(bytes), options)) {
    for (const record of [...records].filter(isEvent)) {
      if (!('problem' in record) && !('reason' in parse(record))) good += 1;
    }
  }
  return good;
}

/** Checks that an error is one sentence about the file. */
function expectSentence(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
  const { message } = worded(error) as Error;
  expect(message).toMatch(/^season\.xlsx[:,] .*\(nothing was imported\)\.$/s);
  expect(message.length).toBeLessThan(1000);
}

it(`reads ${runs} damaged workbooks or refuses each in one sentence, soon`, {
  tags: 'long',
}, async () => {
  for (const file of files) expect(await countEvents(file)).toBe(2);
  let refused = 0;
  let slowest = 0;
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const begun = workedMs();
      try {
        await countEvents(bytes);
      } catch (error) {
        expectSentence(error);
        refused += 1;
      }
      slowest = Math.max(slowest, workedMs() - begun);
      expect(slowest).toBeLessThan(5_000);
    }),
    { numRuns: runs, seed: 20_260_502, endOnFailure: true },
  );
  process.stdout.write(
    `${runs} damaged workbooks: ${refused} refused, at most ${Math.round(slowest)} ms\n`,
  );
  expect(refused).toBeGreaterThan(runs / 10);
  expect(refused).toBeLessThan(runs * 0.95);
});

it(`imports ${runs / 20} damaged workbooks whole or not at all`, async () => {
  const { run, stored } = setUp();
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const before = stored();
      try {
        const { added, changed, unchanged } = await run({ 'season.xlsx': bytes });
        expect(stored()).toHaveLength(before.length + added);
        expect(added + changed + unchanged).toBe(await countEvents(bytes));
      } catch (error) {
        expectSentence(error);
        expect(stored()).toEqual(before);
      }
    }),
    { numRuns: runs / 20, seed: 20_260_503, endOnFailure: true },
  );
});
