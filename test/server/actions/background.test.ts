import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeStore, openReader } from '../../../db/open.ts';
import { prepareUserReads } from '../../../db/users.ts';
import { performInBackground } from '../../../server/actions/background.ts';
import type { Home } from '../../../server/base/home.ts';
import type { Progress } from '../../../server/club/tools.ts';
import { addMember, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { watchEventLoop, workedMs } from '../../support/measure.ts';
import { expectMode, requirePlace } from '../../support/place.ts';

function writeRows(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `${at},Event ${at},2026-05-01T18:00:00Z,Hall ${at % 50}`,
  );
  const path = join(makeTestFolder(), 'large.csv');
  writeFileSync(path, ['id,name,date,location', ...rows].join('\n'));
  return path;
}

function countEvents(home: Home): number | undefined {
  const db = openReader(home.database);
  const [user] = prepareUserReads(db).all();
  closeStore(db);
  return user?.events;
}

describe('an action in the background', () => {
  it('reports progress and hardly blocks the event loop', async () => {
    const count = 12_000;
    const files = [writeRows(count)];
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const progress: Progress[] = [];
    const options = { home, onProgress: (one: Progress) => progress.push(one) };
    const worked = workedMs();
    const gaps = await watchEventLoop(async () => {
      const report = await performInBackground('import', { files, user: 'Chess' }, options);
      expect(report).toMatchObject({ added: count, batch: 1 });
    });
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toEqual({ file: 'large.csv', share: 1, rows: count, done: true });
    // The processor time of this thread; other programs may hold up its event loop.
    const elapsed = gaps.reduce((sum, gap) => sum + gap, 0);
    expect((workedMs() - worked) / elapsed).toBeLessThan(0.5);
  });

  it('rolls back a cancelled action', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const files = [writeRows(12_000)];
    const controller = new AbortController();
    const attempt = performInBackground(
      'import',
      { files, user: 'Chess' },
      {
        home,
        onProgress: ({ rows }) => rows > 1_000 && controller.abort(),
        signal: controller.signal,
      },
    );
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
    expect(countEvents(home)).toBe(0);
    // The lock went with the transaction, and the thread is there for the next action.
    const files2 = [writeRows(10)];
    const options = { home, onProgress: () => undefined };
    const report = await performInBackground('import', { files: files2, user: 'Chess' }, options);
    expect(report.added).toBe(10);
  });

  it('keeps its locks while the main thread opens the database', async (context) => {
    requirePlace(context, '/proc');
    const home = makeTestHome();
    await addMember(home, 'Chess');
    // Leaves a log.
    const holder = new Database(home.database);
    onTestFinished(() => void holder.close());
    holder.exec('PRAGMA journal_mode = WAL; UPDATE users SET name = name');
    const { ino } = statSync(home.database);
    const countLocks = () =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length;
    const counts: number[][] = [];
    const onProgress = () => {
      const before = countLocks();
      closeStore(openReader(home.database));
      counts.push([before, countLocks()]);
    };
    const files = [writeRows(1_000)];
    await performInBackground('import', { files, user: 'Chess' }, { home, onProgress });
    expect(counts[0]).toEqual([1, 1]);
  });

  it('cancels an action that waits for another program', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const holder = new Database(home.database);
    onTestFinished(() => void holder.close());
    holder.exec('BEGIN IMMEDIATE');
    const controller = new AbortController();
    const options = { home, onProgress: () => undefined };
    const cancellable = { ...options, signal: controller.signal };
    const attempt = performInBackground('user add', { name: 'Rowing' }, cancellable);
    // By then it waits.
    await delay(500);
    controller.abort();
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
    holder.exec('ROLLBACK');
    const { users } = await performInBackground('user list', {}, options);
    expect(users.map(({ name }) => name)).toEqual(['Chess']);
  });

  it('writes an export with the umask of the person', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const output = join(makeTestFolder(), 'a.json');
    const options = { home, onProgress: () => undefined, umask: 0o027 };
    await performInBackground('export', { user: 'Chess', output }, options);
    expectMode(output, 0o640);
    const attempt = performInBackground('export', { user: 'Chess', format: 'json' }, options);
    await expect(attempt).rejects.toMatchObject({ code: 'file_not_chosen' });
  });

  it('rejects with the error of the action', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const options = { home, onProgress: () => undefined };
    const attempt = performInBackground('undo', { id: 5 }, options);
    await expect(attempt).rejects.toMatchObject({
      code: 'import_unknown',
      values: { id: 5 },
    });
    const wrong = performInBackground('undo', { id: 'five' }, options);
    await expect(wrong).rejects.toMatchObject({ code: 'import_id_invalid' });
  });

  it('starts a new thread after a bug ended the previous one', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const options = { home, onProgress: () => undefined };
    const fault = performInBackground('none' as 'history', {}, options);
    await expect(fault).rejects.toThrow(TypeError);
    const list = () => performInBackground('user list', {}, options);
    await expect(list()).resolves.toMatchObject({ users: [{ name: 'Chess' }] });
    // At once, and one after the other.
    await expect(Promise.all([list(), list(), list()])).resolves.toHaveLength(3);
    await expect(list()).resolves.toMatchObject({ users: [{ name: 'Chess' }] });
  });
});
