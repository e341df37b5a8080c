import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { closeStore, connection, openReader } from '../../db/open.ts';
import { catalogue } from '../../server/actions/catalogue.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { thisMachine } from '../../server/club/tools.ts';
import { verifyBackups } from '../../server/store/backup-check.ts';
import { createBackup } from '../../server/store/backup-files.ts';
import { backupPath, listBackups, recordPath } from '../../server/store/backup-records.ts';
import { addEvents, addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { readRows } from '../support/rows.ts';
import { stepEvents } from './steps.ts';

const cli = join(import.meta.dirname, '../../server/cli/club-events.js');

function restore(home: Home, args: { readonly file: string } | { readonly name: string }) {
  const tools = { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
  return catalogue.restore.perform(args, tools);
}

/** Starts a writer on a thread; `step` resolves with a later step each time. */
function startWriter(home: Home, userId: number) {
  const path = new URL('./busy-writer.ts', import.meta.url);
  const worker = new Worker(path, { workerData: { directory: home.directory, userId } });
  onTestFinished(() => void worker.terminate());
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  return {
    step: () =>
      Promise.race([failed, new Promise<number>((resolve) => worker.once('message', resolve))]),
    stop: () => worker.terminate(),
  };
}

/** Begins a read transaction; returns a function that ends it. */
function holdSnapshot({ database }: Home): () => void {
  const reader = openReader(database);
  connection(reader).exec('BEGIN; SELECT count(*) FROM events;');
  return () => closeStore(reader);
}

it('restores backups made beside a busy writer row by row', { tags: 'long' }, async () => {
  const count = choose(30, 2, 100);
  const home = makeTestHome();
  const { userId } = await addMember(home, 'Chess', stepEvents(0));
  const writer = startWriter(home, userId);
  const steps: number[] = [];
  for (let number = 0; number < count; number += 1) {
    // In every other run, a reader keeps the log from being emptied: the file alone is not complete.
    const release = number % 2 === 0 ? holdSnapshot(home) : () => undefined;
    await writer.step();
    const committed = await writer.step();
    const backup = createBackup(home, 'hand', new Date());
    release();
    const path = backupPath(home, backup.name);
    const restored = homeAt(join(makeTestFolder(), 'restored'));
    await restore(restored, { file: path });
    const rows = readRows(restored.database);
    expect(rows).toEqual(readRows(path));
    const names = new Map(
      (rows[2] ?? []).map((row) => {
        const [, , id, name, , , description] = row as [
          number,
          number,
          number,
          string,
          string,
          string,
          string,
        ];
        return [id, { name, description }];
      }),
    );
    const step = Number(/^Step (\d+)$/.exec(names.get(1)?.name ?? '')?.[1]);
    // Every acknowledged step, and all of each.
    expect(step).toBeGreaterThanOrEqual(committed);
    expect(names.size).toBe(2 * step + 2);
    for (let each = 1; each <= step; each += 1) {
      for (const { id = 0, description } of stepEvents(each).slice(1)) {
        expect(names.get(id)?.description).toBe(description);
      }
    }
    steps.push(step);
  }
  await writer.stop();
  expect(new Set(steps).size).toBeGreaterThan(count / 2);
  process.stdout.write(
    `backups beside a writer: ${count} of ${count} whole, over ${steps.at(-1)} transactions\n`,
  );
});

/** Returns random integers below a limit, the same in every run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    // Numerical Recipes, "An Even Quicker Generator".
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const pageSize = 4_096;

type Target = {
  readonly bytes: Buffer;
  readonly path: string;
  /** The path of another good backup. */
  readonly other: string;
  readonly random: (limit: number) => number;
};

/** Writes the backup after changing some of its bytes. */
function writePages({ bytes, path }: Target, change: (copy: Buffer) => void): void {
  const copy = Buffer.from(bytes);
  change(copy);
  writeFileSync(path, copy);
}

/** Writes other bytes, made of those of the backup. */
function writeOther({ bytes, path }: Target, make: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, make(bytes));
}

function flip(bytes: Buffer, at: number, bits: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ bits;
}

const pageOf = ({ bytes, random }: Target) => random(bytes.length / pageSize) * pageSize;
const placeOf = ({ bytes, random }: Target) => random(bytes.length);

/** Kinds of damage to a backup or its record. */
const kinds: Readonly<Record<string, (target: Target) => void>> = {
  'flipped bit': (t) => writePages(t, (copy) => flip(copy, placeOf(t), 1 << t.random(8))),
  'flipped byte': (t) => writePages(t, (copy) => flip(copy, placeOf(t), 0xff)),
  'zeroed page': (t) =>
    writePages(t, (copy) => void copy.fill(0, pageOf(t) % (copy.length - pageSize))),
  'noise in a page': (t) =>
    writePages(t, (copy) => {
      const start = pageOf(t);
      for (let at = start; at < start + pageSize; at += 1) copy[at] = t.random(256);
    }),
  'swapped pages': (t) =>
    writePages(t, (copy) => {
      const [one, next] = [pageSize, 2 * pageSize];
      t.bytes.copy(copy, one, next, next + pageSize);
      t.bytes.copy(copy, next, one, one + pageSize);
    }),
  'repeated page': (t) =>
    writePages(t, (copy) => void t.bytes.copy(copy, pageSize, 3 * pageSize, 4 * pageSize)),
  'one byte short': (t) => writeOther(t, (copy) => copy.subarray(0, -1)),
  'cut anywhere': (t) => writeOther(t, (copy) => copy.subarray(0, placeOf(t))),
  'cut at a page': (t) => writeOther(t, (copy) => copy.subarray(0, pageOf(t))),
  empty: (t) => writeFileSync(t.path, ''),
  'bytes appended': (t) => writeOther(t, (copy) => Buffer.concat([copy, Buffer.from('more')])),
  'page appended': (t) => writeOther(t, (copy) => Buffer.concat([copy, Buffer.alloc(pageSize)])),
  'byte inserted': (t) =>
    writeOther(t, (copy) => {
      const at = placeOf(t);
      return Buffer.concat([copy.subarray(0, at), Buffer.from('x'), copy.subarray(at)]);
    }),
  'byte removed': (t) =>
    writeOther(t, (copy) => {
      const at = placeOf(t);
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1)]);
    }),
  'other header': (t) => writePages(t, (copy) => void copy.write('SQLite format 4')),
  'other page size': (t) => writePages(t, (copy) => void copy.writeUInt16BE(512, 16)),
  'other application': (t) => writePages(t, (copy) => void copy.writeUInt32BE(1, 68)),
  'newer schema': (t) => writePages(t, (copy) => void copy.writeUInt32BE(999, 60)),
  'other text': (t) =>
    writePages(t, (copy) => {
      const at = copy.indexOf('Event ', t.random(copy.length / 2));
      copy.write('Evint ', at);
    }),
  'other backup': (t) => copyFileSync(t.other, t.path),
  'no record': (t) => rmSync(recordPath(t.path)),
};

it('calls no damaged backup good, and restores none', async () => {
  const count = choose(100, 21, 300);
  const home = makeTestHome();
  await addMember(
    home,
    'Chess',
    Array.from({ length: 200 }, (_, index) => makeEvent(index + 1)),
  );
  const damagedName = createBackup(home, 'hand', new Date('2026-11-22T09:00:00.000Z')).name;
  await addMember(home, 'Rowing');
  const goodName = createBackup(home, 'hand', new Date('2026-11-22T10:00:00.000Z')).name;
  const [path, other] = [damagedName, goodName].map((name) => backupPath(home, name)) as [
    string,
    string,
  ];
  const bytes = readFileSync(path);
  const record = readFileSync(recordPath(path));
  const before = readRows(home.database);
  const random = createRandom(18);
  const entries = Object.entries(kinds);
  expect(entries).toHaveLength(21);
  const calledGood: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const [kind, damage] = entries[number % entries.length] as (typeof entries)[number];
    writeFileSync(path, bytes);
    writeFileSync(recordPath(path), record);
    damage({ bytes, path, other, random });
    if (readFileSync(path).equals(bytes) && kind !== 'no record')
      throw new Error(`No damage: ${kind}`);
    const verified = await verifyBackups(home);
    const good = verified.filter(({ flaw }) => flaw === undefined).map(({ name }) => name);
    if (good.includes(damagedName)) calledGood.push(kind);
    // The other one stays good.
    expect(good).toContain(goodName);
    const restoring = restore(home, { name: damagedName });
    await expect(restoring, kind).rejects.toThrow();
  }
  expect(calledGood).toEqual([]);
  expect(readRows(home.database)).toEqual(before);
  expect(listBackups(home).map(({ reason }) => reason)).not.toContain('restore');
  process.stdout.write(`damaged backups: ${count} of ${entries.length} kinds, 0 called good\n`);
});

/**
 * Runs a restore in a process that is killed a time in milliseconds after it has backed up the
 * database that it replaces, which is just before it replaces it.
 */
async function killRestore(home: Home, file: string, ms: number): Promise<NodeJS.Signals | null> {
  const before = new Set(readdirSync(home.backups));
  const args = [cli, '--home', home.directory, 'restore', file];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (_, signal) => resolve(signal));
  });
  const isNew = (name: string) => name.endsWith('-restore.sqlite') && !before.has(name);
  while (child.exitCode === null && !readdirSync(home.backups).some(isNew)) await delay(1);
  await delay(ms);
  child.kill('SIGKILL');
  return ended;
}

it('leaves the old or the new database, whole, when a restore is killed', {
  tags: 'long',
}, async () => {
  const count = choose(30, 2, 100);
  const home = makeTestHome();
  const { userId } = await addMember(
    home,
    'Chess',
    Array.from({ length: 2_000 }, (_, index) => makeEvent(index + 1)),
  );
  const first = createBackup(home, 'hand', new Date());
  const old = readRows(home.database);
  const renamed = Array.from({ length: 2_000 }, (_, index) =>
    makeEvent(index + 1, { name: 'New' }),
  );
  await addEvents(home, userId, renamed);
  const second = createBackup(home, 'hand', new Date());
  const recent = readRows(home.database);
  expect(recent).not.toEqual(old);
  const copies = [first, second].map(({ name }, index) => {
    const copy = join(makeTestFolder(), `${index}.sqlite`);
    copyFileSync(backupPath(home, name), copy);
    copyFileSync(recordPath(backupPath(home, name)), recordPath(copy));
    return copy;
  });
  const random = createRandom(7);
  const found = { killed: 0, old: 0, new: 0 };
  for (let number = 0; number < count; number += 1) {
    const signal = await killRestore(home, copies[number % 2] as string, random(60));
    if (signal !== null) found.killed += 1;
    const rows = JSON.stringify(readRows(home.database));
    const isOld = rows === JSON.stringify(old);
    if (!isOld) expect(rows).toBe(JSON.stringify(recent));
    found[isOld ? 'old' : 'new'] += 1;
    if (number % 10 === 0) {
      const tools = {
        ...thisMachine,
        home,
        write: async () => undefined,
        onProgress: () => undefined,
      };
      await catalogue.check.perform({}, tools);
    }
  }
  expect((await verifyBackups(home)).filter(({ flaw }) => flaw !== undefined)).toEqual([]);
  process.stdout.write(`killed restores: ${JSON.stringify({ runs: count, ...found, torn: 0 })}\n`);
});
