import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../../support/home.ts';
import { median, repeat } from '../../../support/measure.ts';
import { makeXlsx } from '../../../support/workbook.ts';
import { hostileFiles } from './bad-workbooks.ts';

/** Prints the peak memory of a process in KiB and its CPU time in microseconds at its end. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    // On Linux, maxRSS begins with that of the parent process.
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
    const peak = /VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? maxRSS;
    console.error('#' + peak + ' ' + (userCPUTime + systemCPUTime));
  });
`)}`;

type Measured = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** CPU time in milliseconds. */
  readonly time: number;
  /** Peak memory in MiB. */
  readonly memory: number;
};

/** Runs a command in a process and measures it. */
async function measure(args: readonly string[]): Promise<Measured> {
  const { status, stdout, stderr } = await runCommand(args, {
    env: { NODE_OPTIONS: `--import=${meter}` },
  });
  const [line = '', memory = '', time = ''] = /#(\d+) (\d+)\n$/.exec(stderr) ?? [];
  return {
    status,
    stdout,
    stderr: stderr.replace(line, ''),
    memory: Number(memory) / 1024,
    time: Number(time) / 1000,
  };
}

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
    const imported = await measure(call('import', path, ...args));
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
    measure([
      '--home',
      home.directory,
      'import',
      join(folder, file),
      '--user',
      'Chess',
      '--dry-run',
    ]);
  const fromCsv = await repeat(3, () => run('a.csv'));
  const fromXlsx = await repeat(3, () => run('a.xlsx'));
  expect([...fromCsv, ...fromXlsx].map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(fromXlsx[0]?.stdout).toContain('49,980 more added');
  const [csv, xlsx] = [fromCsv, fromXlsx].map((all) => ({
    time: median(all.map(({ time }) => time)),
    memory: median(all.map(({ memory }) => memory)),
  }));
  process.stdout.write(`50,000 rows: ${JSON.stringify({ csv, xlsx })}\n`);
  expect(xlsx?.time ?? 0).toBeLessThan((csv?.time ?? 0) * 3);
  expect(xlsx?.memory ?? 0).toBeLessThan(300);
});
