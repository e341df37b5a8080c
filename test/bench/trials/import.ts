import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../support/measure.ts';
import { cli } from '../candidate.ts';
import type { Figure, Trial } from '../figure.ts';
import { withFolder } from '../fill.ts';

/** The time an import may take, as a multiple of `sqlite3 .import` into a bare table. */
const mostTimesSqlite = 4;
/** The memory it may take, in MB, whatever the size of the file. */
const mostMegabytes = 200;
const rounds = 5;
const rows = 100_000;
/** How much larger the file is that only the memory is measured with: about 1 GB with BENCH_LARGE. */
const largeTimes = process.env['BENCH_LARGE'] === undefined ? 5 : 70;

const columns = 'id,name,date,location,description,status,eventType,registrationOpen,createdAt';

async function writeCsv(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${columns}\n`);
  for (let at = 0; at < count; at += 1) {
    const day = `2026-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`;
    const text = `A description of event ${at}, which is as long as most are`;
    const created = `2026-01-01T00:00:${String(at % 60).padStart(2, '0')}.000Z`;
    const row = `${at + 1},Event number ${at},${day}T18:00:00.000Z,"Clubhouse, room ${at % 50}","${text}",active,club,true,${created}\n`;
    if (!file.write(row)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

type Run = { readonly ms: number; readonly megabytes: number };

/** Runs a command to its end, and watches its memory through /proc. */
async function run(command: string, args: readonly string[]): Promise<Run> {
  const start = performance.now();
  // GNU time knows the highest memory; it costs a millisecond.
  const child = spawn('/usr/bin/time', ['-f', '%M', command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return { ms, megabytes: Number(stderr.trim().split('\n').at(-1)) / 1024 };
}

function requireTool(tool: string): void {
  if (spawnSync(tool, ['--version']).error === undefined) return;
  throw new Error(`${tool} is needed to compare with, and is not installed.`);
}

function importWithSqlite(folder: string, csv: string): Promise<Run> {
  const database = join(folder, 'bare.sqlite');
  rmSync(database, { force: true });
  const table = `CREATE TABLE t (${columns.split(',').join(', ')})`;
  return run('sqlite3', [database, table, '.mode csv', `.import ${csv} t`]);
}

async function importWithUs(folder: string, csv: string): Promise<Run> {
  const home = join(folder, 'home');
  rmSync(home, { recursive: true, force: true });
  await run(process.execPath, [cli, '--home', home, 'user', 'add', 'Bench']);
  return await run(process.execPath, [cli, '--home', home, 'import', csv, '--user', 'Bench']);
}

async function measureIn(folder: string): Promise<Figure[]> {
  const csv = join(folder, 'rows.csv');
  await writeCsv(csv, rows);
  const ours: number[] = [];
  const bare: number[] = [];
  // The first round fills the caches of the operating system, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const pair = [await importWithSqlite(folder, csv), await importWithUs(folder, csv)] as const;
    if (round === 0) continue;
    bare.push(pair[0].ms);
    ours.push(pair[1].ms);
  }
  const large = join(folder, 'large.csv');
  await writeCsv(large, rows * largeTimes);
  const { megabytes } = await importWithUs(folder, large);
  const times = median(ours) / median(bare);
  const memory = `memory with ${largeTimes} times the rows`;
  return [
    { what: 'against sqlite3 .import', value: times, unit: 'times', atMost: mostTimesSqlite },
    { what: 'club-events import', value: median(ours), unit: 'ms' },
    { what: memory, value: megabytes, unit: 'MB', atMost: mostMegabytes },
  ];
}

export const trial: Trial = {
  title: `Import of ${rows} CSV rows`,
  measure: () => {
    requireTool('sqlite3');
    requireTool('/usr/bin/time');
    return withFolder(measureIn);
  },
};
