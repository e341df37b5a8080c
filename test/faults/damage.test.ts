import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { requireNoDamage } from '../../db/check.ts';
import { closeStore, openReader } from '../../db/open.ts';
import { homeAt } from '../../server/base/home.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import { createService } from '../../server/service/service.ts';
import { callCommand } from '../support/command.ts';
import { copyHome, makeFaultClub } from '../support/fault-club.ts';
import {
  addMember,
  holdLog,
  makeEvent,
  makeTestFolder,
  makeTestHome,
  removeFolder,
} from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { createRandom, type Random } from '../support/random.ts';
import { fetchWithKey } from '../support/service.ts';

const pageSize = 4_096;

/** The types of pages: https://sqlite.org/fileformat2.html#b_tree_pages */
const pageTypes = { leaf: [10, 13], interior: [2, 5] } as const;

type Target = {
  readonly database: string;
  readonly wal: string;
  readonly random: Random;
  /** The databases of an earlier state of the club and of another club. */
  readonly earlier: string;
  readonly other: string;
};

function change(path: string, act: (bytes: Buffer) => Buffer | undefined): void {
  const bytes = readFileSync(path);
  writeFileSync(path, act(bytes) ?? bytes);
}

function flipBit(bytes: Buffer, random: Random, from: number, length: number): undefined {
  const at = from + random(length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
}

function fillNoise(bytes: Buffer, random: Random, from: number, to: number): undefined {
  for (let at = from; at < to; at += 1) bytes[at] = random(256);
}

/** Returns the place of a random page, not the first one, of one of the types. */
function findPage(bytes: Buffer, random: Random, types?: readonly number[]): number {
  const count = Math.floor(bytes.length / pageSize);
  const places = Array.from({ length: count - 1 }, (_, index) => (index + 1) * pageSize);
  const fitting = places.filter((at) => types?.includes(bytes[at] ?? 0) ?? true);
  return fitting[random(fitting.length)] as number;
}

/** Returns the place of the first free page: https://sqlite.org/fileformat2.html#the_freelist */
function freePage(bytes: Buffer): number {
  const number = bytes.readUInt32BE(32);
  if (number === 0) throw new Error('There is no free page.');
  return (number - 1) * pageSize;
}

const flipIn =
  (types: readonly number[]) =>
  ({ database, random }: Target) =>
    change(database, (bytes) => flipBit(bytes, random, findPage(bytes, random, types), pageSize));

/** Kinds of damage to the database file. */
const fileDamage: Readonly<Record<string, (target: Target) => void>> = {
  'flipped bit in the header': ({ database, random }) =>
    change(database, (bytes) => flipBit(bytes, random, 0, 100)),
  'flipped bit in the schema': ({ database, random }) =>
    change(database, (bytes) => flipBit(bytes, random, 100, pageSize - 100)),
  'flipped bit in a leaf page': flipIn(pageTypes.leaf),
  'flipped bit in an interior page': flipIn(pageTypes.interior),
  'flipped bit in a free page': ({ database, random }) =>
    change(database, (bytes) => flipBit(bytes, random, freePage(bytes), pageSize)),
  'cut anywhere': ({ database, random }) =>
    change(database, (bytes) => bytes.subarray(0, random(bytes.length))),
  'cut at a page': ({ database, random }) =>
    change(database, (bytes) => bytes.subarray(0, findPage(bytes, random))),
  'zeroed page': ({ database, random }) =>
    change(database, (bytes) => {
      const at = findPage(bytes, random);
      bytes.fill(0, at, at + pageSize);
      return undefined;
    }),
  'noise in a page': ({ database, random }) =>
    change(database, (bytes) => {
      const at = findPage(bytes, random);
      return fillNoise(bytes, random, at, at + pageSize);
    }),
  'swapped pages': ({ database, random }) =>
    change(database, (bytes) => {
      const [one, two] = [findPage(bytes, random), findPage(bytes, random)];
      const page = Buffer.from(bytes.subarray(one, one + pageSize));
      bytes.copyWithin(one, two, two + pageSize);
      page.copy(bytes, two);
      return undefined;
    }),
  'garbage at the end': ({ database, random }) =>
    change(database, (bytes) => {
      const longer = Buffer.concat([bytes, Buffer.alloc(1 + random(2 * pageSize))]);
      fillNoise(longer, random, bytes.length, longer.length);
      return longer;
    }),
  empty: ({ database }) => writeFileSync(database, ''),
  missing: ({ database }) => rmSync(database),
  'the file of another club': ({ database, other }) => copyFileSync(other, database),
  'an earlier copy': ({ database, earlier }) => copyFileSync(earlier, database),
  'a text file': ({ database }) => writeFileSync(database, 'Events of the club\n'.repeat(500)),
};

/** Kinds of damage to the log beside it. */
const logDamage: Readonly<Record<string, (target: Target) => void>> = {
  'flipped bit in the log': ({ wal, random }) =>
    change(wal, (bytes) => flipBit(bytes, random, 0, bytes.length)),
  'cut log': ({ wal, random }) => change(wal, (bytes) => bytes.subarray(0, random(bytes.length))),
  'noise in the log': ({ wal, random }) =>
    change(wal, (bytes) => {
      const at = random(bytes.length);
      return fillNoise(bytes, random, at, Math.min(bytes.length, at + pageSize));
    }),
  'missing log': ({ wal }) => rmSync(wal),
  'the log of another club': ({ wal, other }) => copyFileSync(`${other}-wal`, wal),
};

/**
 * Makes a club. `quiet` is its data directory with an empty log; `busy` has three
 * transactions in the log, as after a crash beside a reader. Both have a backup.
 */
async function makeDamageClub(place: string) {
  const folder = makeTestFolder();
  const { home, season, backup } = await makeFaultClub(folder, place);
  const run = async (...command: string[]) => {
    const { status, stderr } = await callCommand(['--home', home, ...command]);
    expect(status, stderr).toBe(0);
  };
  // Leaves free pages.
  await run('user', 'add', 'Former');
  await run('import', '--user', 'Former', season);
  await run('user', 'remove', 'Former');
  const { database, backups } = homeAt(home);
  expect(readdirSync(backups)).not.toEqual([]);
  const quiet = copyHome(home, join(folder, 'quiet'));
  const reader = holdLog(database);
  const states = [await readEvents(quiet)];
  for (const [number, command] of [
    ['import', '--user', 'Chess', season],
    ['event', 'edit', '--user', 'Rowing', '5', '--name', 'Regatta'],
    ['event', 'cancel', '--user', 'Chess', '9'],
  ].entries()) {
    await run(...command);
    const copy = copyHome(home, join(folder, `after ${number}`));
    states.push(await readEvents(copy));
  }
  const busy = copyHome(home, join(folder, 'busy'));
  reader.close();
  const earlier = copyHome(quiet, join(folder, 'earlier'));
  copyFileSync(backup, homeAt(earlier).database);
  states.push(await readEvents(earlier));
  return { folder, quiet, busy, states, backup };
}

/** Returns the exported events of all users; undefined if one cannot be exported. */
async function readEvents(home: string): Promise<string | undefined> {
  const parts: string[] = [];
  for (const user of ['Chess', 'Rowing']) {
    const { status, stdout, stderr } = await callCommand([
      ...['--home', home, 'export', '--user', user, '--format', 'json'],
    ]);
    expect(stderr).not.toMatch(/please report/);
    if (status !== 0) return undefined;
    parts.push(stdout);
  }
  return parts.join('\n');
}

function readFiles(home: string): (Buffer | undefined)[] {
  const { database } = homeAt(home);
  return ['', '-wal'].map((suffix) =>
    existsSync(database + suffix) ? readFileSync(database + suffix) : undefined,
  );
}

/** Returns true if the check before the first change of a program finds no damage in files. */
function isInOrderAtFirstSight(files: readonly (Buffer | undefined)[]): boolean {
  const { database } = homeAt(makeTestFolder());
  for (const [index, suffix] of ['', '-wal'].entries())
    if (files[index] !== undefined) writeFileSync(database + suffix, files[index]);
  const db = openReader(database);
  try {
    requireNoDamage(db);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ problem: 'damaged' });
    return false;
  } finally {
    closeStore(db);
  }
}

const kinds = [
  ...Object.entries(fileDamage).map(([kind, damage]) => ({ kind, damage, needsLog: false })),
  ...Object.entries(logDamage).map(([kind, damage]) => ({ kind, damage, needsLog: true })),
];
/** In the short form, every fifth kind. */
const step = choose(1, 5);
const count = choose(200, Math.ceil(kinds.length / step), 500);

it(`neither serves nor overwrites one of ${count} damaged databases`, {
  tags: 'long',
}, async () => {
  const club = await makeDamageClub('Clubhouse');
  const other = await makeDamageClub('Stadium');
  const random = createRandom(18);
  const found = { refused: 0, sound: 0, written: 0, unseen: 0 };
  const wrong: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { kind, damage, needsLog } = kinds[
      (number * step) % kinds.length
    ] as (typeof kinds)[number];
    const hasLog = needsLog || random(2) === 0;
    const trial = join(club.folder, `trial ${number}`);
    const home = copyHome(hasLog ? club.busy : club.quiet, trial);
    const { database } = homeAt(home);
    rmSync(`${database}-shm`, { force: true });
    const earlier = club.backup;
    damage({
      database,
      wal: `${database}-wal`,
      random,
      earlier,
      other: homeAt(other.busy).database,
    });
    const title = `${number} ${kind}${hasLog ? ', with a log' : ''}`;
    const run = (...command: string[]) => callCommand(['--home', home, ...command]);
    const before = readFiles(home);
    const check = await run('check');
    expect([0, 1], title).toContain(check.status);
    expect(check.stderr, title).not.toMatch(/please report/);
    const events = await readEvents(home);
    const isOther = kind === 'the file of another club' && other.states.includes(events);
    if (check.status === 0 && !isOther && !club.states.includes(events))
      wrong.push(`${title}: wrong events`);
    const add = await run('user', 'add', 'New club');
    expect(add.stderr, title).not.toMatch(/please report/);
    if (add.status !== 0) {
      if (!isDeepStrictEqual(readFiles(home), before)) wrong.push(`${title}: overwritten`);
    } else if ((await run('check')).status === 0) found.written += 1;
    // A wrong value in a whole page: only the comparison with indexes and search words finds it.
    else if (isInOrderAtFirstSight(before)) found.unseen += 1;
    else wrong.push(`${title}: written into damage`);
    found[check.status === 0 ? 'sound' : 'refused'] += 1;
    removeFolder(trial);
  }
  printFigure(
    `${count} damages of ${Math.min(count, kinds.length)} kinds: ${JSON.stringify(found)}; ${wrong.length} wrong`,
  );
  expect(wrong).toEqual([]);
});

it('serves no events of a damaged database until a whole one replaces it', async () => {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const whole = readFileSync(home.database);
  const service = createService(
    { home: home.directory, host: '127.0.0.1', port: 0, allowedOrigins: [] },
    { now: () => new Date(), warn: () => undefined, loadWriters },
  );
  const port = Number(new URL(await service.run()).port);
  onTestFinished(() => service.stop());
  const statusOf = async (path: string) => (await fetchWithKey({ port }, path, key)).status;
  expect(await statusOf('/v1/events')).toBe(200);
  service.markDamaged();
  for (const path of ['/v1/events', '/v1/events/1']) {
    const answer = await fetchWithKey({ port }, path, key);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ code: 'database_damaged' });
  }
  expect(await statusOf('/health')).toBe(200);
  writeFileSync(`${home.database}.restored`, whole);
  for (const suffix of ['-wal', '-shm']) rmSync(home.database + suffix, { force: true });
  renameSync(`${home.database}.restored`, home.database);
  await expect.poll(() => statusOf('/v1/events')).toBe(200);
});
