import { describe, expect, it } from 'vitest';
import { choose } from '../../support/long.ts';
import { type Content, read, readContents, readRefusal, refusalOf } from './csv-reading.ts';

const mebibyte = 1024 * 1024;

/** Returns the CPU time of a reading in milliseconds, and the growth of the process in bytes. */
async function measure(reading: () => Promise<unknown>): Promise<{ time: number; memory: number }> {
  const before = process.memoryUsage.rss();
  const begun = process.cpuUsage();
  await reading();
  const { user, system } = process.cpuUsage(begun);
  return { time: (user + system) / 1000, memory: process.memoryUsage.rss() - before };
}

describe('a huge file', () => {
  const pair = Buffer.from('name,date\n');
  const size = choose(100_000_000, 10_000_000);
  const large = (fill: string | number, head: Uint8Array = pair): Uint8Array =>
    Buffer.concat([head, Buffer.alloc(size, fill)]);

  it.each<[string, () => Content, RegExp]>([
    ['of a single line', () => large('x', Buffer.of()), /row 1: the row is longer than 1000000/],
    [
      'of an open quote',
      () => large('a\n', Buffer.from('name,date\n"')),
      /row 2: the row is longer/,
    ],
    ['of commas', () => large(',', Buffer.of()), /row 1: /],
    ['of zeros', () => large(0), /not a text file/],
    ['of no encoding', () => large(0xfc), /its encoding is unclear/],
    ['of line ends', () => large('\n', Buffer.of()), /the file is empty/],
  ])(
    'a huge file %s is refused soon and in little memory',
    { tags: 'long' },
    async (_, content, sentence) => {
      const bytes = content();
      const { time, memory } = await measure(async () => {
        expect(await readRefusal(bytes)).toMatch(sentence);
      });
      // Measured below two seconds for 100 MB on an idle machine; its CPU is slower while other tests
      // share it.
      expect(time).toBeLessThan(size / 4_000);
      expect(memory).toBeLessThan(256 * mebibyte);
    },
  );
});

describe('a wide file', { tags: 'long' }, () => {
  const wide = (columns: number) => {
    const names = Array.from({ length: columns - 2 }, (_, at) => `c${at}`);
    return `${names.join(';')};name;date\n${';'.repeat(columns - 2)}A;2026-05-01\n`;
  };

  it('a wide file may have 10,000 columns, and as many as a spreadsheet', {
    tags: 'long',
  }, async () => {
    expect((await read(wide(10_000))).events).toHaveLength(1);
    expect((await read(wide(16_384))).events).toHaveLength(1);
  });

  it('a wide file is refused with more, and without the names of all of them', {
    tags: 'long',
  }, async () => {
    expect(await readRefusal(wide(16_385))).toMatch(
      /row 1: there are 16385 columns, more than 16384/,
    );
    const message = await readRefusal(wide(10_000).replace('name', 'no'));
    expect(message).toMatch(/there is no column "name".*, … \(/);
    expect(message.length).toBeLessThan(400);
  });
});

describe('a row', () => {
  const head = 'name,date,location\nA,2026-05-01,x\n';

  it('a row may have more cells than the header where they are empty', async () => {
    expect((await read(`${head}B,2026-05-01,y,,,\n`)).events).toHaveLength(2);
  });

  it('a row may be empty, with or without cells, and counts', async () => {
    const { places } = await read(`\n${head}\n,,\n,,,,,\n""\nB,2026-05-01,y\n\n`);
    expect(places).toEqual(['row 3', 'row 8']);
  });

  it.each([
    ['B,2026-05-01,y,z', /row 3: the row has more or fewer cells than the header \(4, not 3\)/],
    ['B,2026-05-01,y,,z', /row 3: .*\(5, not 3\)/],
    ['B,2026-05-01', /row 3: .*\(2, not 3\).*cut off/],
    ['B', /row 3: .*\(1, not 3\)/],
    ['B,2026-05-01,"y', /row 3: a quote is opened and never closed/],
    ['B,2026-05-01,"y"z', /row 3: text follows a closing quote/],
  ])('a row is refused when it is %s', async (row, sentence) => {
    expect(await readRefusal(`${head}${row}\n`)).toMatch(sentence);
    expect(await readRefusal(`sep=,\r\n${head}${row}\n`)).toMatch(sentence);
  });

  it('a row is reported by the first fault of the file, wherever its pieces end', async () => {
    const text = `${head}B,soon,y\nC,2026-05-01,"z"z\n`;
    for (const size of [1, 10, 65_536]) {
      const refusal = await refusalOf(readContents([text], {}, size));
      expect(refusal).toMatch(/row 3, "date": "soon"/);
    }
  });
});
