import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { median, repeat } from '../../support/measure.ts';
import { measureCommand } from '../../support/measure-command.ts';
import { makeXlsx } from '../../support/workbook.ts';
import { hostileFiles } from './bad-workbooks.ts';

it.each(hostileFiles)(
  'refuses $title within 2 seconds and 256 MB, and changes nothing',
  async ({ title, name, make, sentence, args = [] }) => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const path = join(makeTestFolder(), name);
    writeFileSync(path, make());
    const call = (...more: readonly string[]) => [
      '--home',
      home.directory,
      ...more,
      '--user',
      'Chess',
    ];
    const exported = () => runCommand(call('export', '--format', 'json'));
    const before = await exported();
    const imported = await measureCommand(call('import', path, ...args));
    process.stdout.write(
      `${title}: ${Math.round(imported.time)} ms, ${Math.round(imported.memory)} MiB\n`,
    );
    expect(imported).toMatchObject({ status: 1, stdout: '' });
    expect(imported.stderr).toMatch(sentence);
    expect(imported.stderr).toMatch(/^[^\n]+\(nothing was imported\)\.\n$/);
    expect(imported.stderr.length).toBeLessThan(700);
    expect(imported.time).toBeLessThan(2000);
    expect(imported.memory).toBeLessThan(256);
    expect(await exported()).toEqual(before);
  },
);

it('imports 50,000 rows of .xlsx within 3 times the same CSV, below 300 MB', async () => {
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const rows = Array.from(
    { length: 50_000 },
    (_, at) =>
      [
        `Event ${at}`,
        46_000 + at / 24,
        `Hall ${at % 500}`,
        `Some text, number ${at}, with words`,
      ] as const,
  );
  const folder = makeTestFolder();
  const lines = rows.map(([title, serial, place, text]) => {
    const date = new Date(Math.round((serial - 25_569) * 24) * 3_600_000);
    return `${title},${date.toISOString().slice(0, 19)},${place},"${text}"`;
  });
  writeFileSync(join(folder, 'a.csv'), ['name,date,location,description', ...lines].join('\n'));
  const cells = rows.map(([title, date, place, text]) => [title, { date }, place, text]);
  const header = ['name', 'date', 'location', 'description'];
  writeFileSync(join(folder, 'a.xlsx'), makeXlsx([header, ...cells]));
  const run = (file: string) =>
    measureCommand([
      '--home',
      home.directory,
      'import',
      join(folder, file),
      '--user',
      'Chess',
      '--dry-run',
    ]);
  const runs = await repeat(3, async () => [await run('a.csv'), await run('a.xlsx')] as const);
  const [fromCsv, fromXlsx] = [runs.map(([csv]) => csv), runs.map(([, xlsx]) => xlsx)];
  expect([...fromCsv, ...fromXlsx].map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(fromXlsx[0]?.stdout).toContain('49,980 more added');
  const [csv, xlsx] = [fromCsv, fromXlsx].map((all) => ({
    time: median(all.map(({ time }) => time)),
    memory: median(all.map(({ memory }) => memory)),
  }));
  process.stdout.write(`50,000 rows: ${JSON.stringify({ csv, xlsx })}\n`);
  expect(xlsx?.time ?? 0).toBeLessThan((csv?.time ?? 0) * 3);
  expect(xlsx?.memory ?? 0).toBeLessThan(300);
}, 300_000);
