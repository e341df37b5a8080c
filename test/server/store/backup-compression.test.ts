import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type ActionName,
  type ActionResult,
  catalogue,
} from '../../../server/actions/catalogue.ts';
import { problem } from '../../../server/base/errors.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { findFlaw, verifyBackups } from '../../../server/store/backup-check.ts';
import { createBackup } from '../../../server/store/backup-files.ts';
import { backupPath, listBackups, recordPath } from '../../../server/store/backup-records.ts';
import { callCommand } from '../../support/command.ts';
import {
  addEvents,
  addMember,
  makeEvent,
  makeTestFolder,
  makeTestHome,
} from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { expectMode, mountSmall } from '../../support/place.ts';
import { readRows } from '../../support/rows.ts';

async function act<Name extends ActionName>(
  home: Home,
  name: Name,
  args: object = {},
  { at = '2026-11-23T09:00:00.000Z', onStep = undefined as (() => void) | undefined } = {},
): Promise<ActionResult<Name>> {
  const now = () => new Date(at);
  const tools = { ...thisMachine, home, now, onStep, write: async () => undefined };
  const result = await catalogue[name].perform(args, { ...tools, onProgress: () => undefined });
  return result as ActionResult<Name>;
}

const run = ({ directory }: Home, ...command: string[]) =>
  callCommand(['--home', directory, ...command]);

const events = (count: number) => Array.from({ length: count }, (_, at) => makeEvent(at + 1));

const oldName = '2026-11-21T090000Z-hand.sqlite';

/** Makes a home with backups that are two days and a minute old; the older one is due for compression. */
async function makeClub(count = 300, home = makeTestHome()) {
  const { userId } = await addMember(home, 'Chess', events(count));
  rmSync(home.backups, { recursive: true, force: true });
  createBackup(home, 'hand', new Date('2026-11-21T09:00:00.000Z'));
  const rows = readRows(home.database);
  const bytes = readFileSync(backupPath(home, oldName));
  await addEvents(home, userId, [makeEvent(1, { name: 'Later' })]);
  const newName = createBackup(home, 'daily', new Date('2026-11-23T08:59:00.000Z')).name;
  return { home, userId, rows, bytes, newName };
}

const compress = (home: Home) => act(home, 'backup daily');
const filesOf = ({ backups }: Home) => readdirSync(backups).toSorted();
const compressed = [`${oldName}.gz`, `${oldName}.gz.json`];
const plain = [oldName, `${oldName}.json`];

describe('a backup that is older than a day', () => {
  it('is compressed with the next backup of the day, with the same name and record', async () => {
    const { home, bytes, newName } = await makeClub();
    const before = listBackups(home);
    await compress(home);
    expect(filesOf(home)).toEqual([...compressed, newName, `${newName}.json`]);
    const file = `${backupPath(home, oldName)}.gz`;
    expect(gunzipSync(readFileSync(file)).equals(bytes)).toBe(true);
    const { size } = statSync(file);
    expect(size).toBeLessThan(bytes.length / 5);
    expectMode(file, 0o600);
    expect(listBackups(home)).toEqual(
      before.map((backup) => (backup.name === oldName ? { ...backup, storedBytes: size } : backup)),
    );
    expect((await run(home, 'backup', 'list')).stdout).toMatch(
      new RegExp(`^${oldName} .* ${size} `, 'm'),
    );
  });

  it('stays as it is while it is the newest one', async () => {
    const { home, newName } = await makeClub();
    rmSync(backupPath(home, newName));
    rmSync(recordPath(backupPath(home, newName)));
    await compress(home).catch(() => undefined);
    expect(filesOf(home)).toEqual(expect.arrayContaining([oldName]));
  });

  it('is compressed by a command that makes the backup of the day without a service', async () => {
    const { home } = await makeClub();
    expect(await run(home, 'user', 'add', 'Rowing')).toMatchObject({ status: 0 });
    expect(filesOf(home)).toEqual(expect.arrayContaining(compressed));
    expect(filesOf(home)).not.toContain(oldName);
  });

  it('is in order for check, and restored from the list by either name', async () => {
    const { home, rows } = await makeClub();
    await compress(home);
    expect((await act(home, 'check')).isInOrder).toBe(true);
    for (const name of [oldName, `${oldName}.gz`]) {
      await addMember(home, `Club ${name}`);
      expect(await run(home, 'restore', name)).toMatchObject({ status: 0 });
      expect(readRows(home.database)).toEqual(rows);
    }
    expect((await act(home, 'restore', { name: oldName })).counts.events).toBe(300);
    expect(filesOf(home).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is proven, and its home is not taken for a new one without a database', async () => {
    const { home, newName } = await makeClub();
    await compress(home);
    for (const file of [newName, `${newName}.json`]) rmSync(join(home.backups, file));
    expect(await act(home, 'backup prove')).toEqual({ name: oldName, events: 300 });
    expect(listBackups(home)[0]?.provenAt).toBe('2026-11-23T09:00:00.000Z');
    rmSync(home.database);
    expect((await run(home, 'user', 'list')).stderr).toMatch(/Restore a backup/);
  });

  it('expires with its record', async () => {
    const { home } = await makeClub();
    await compress(home);
    const later = Date.parse('2026-11-21T10:00:00.000Z');
    for (let minute = 0; minute < 10; minute += 1) {
      createBackup(home, 'hand', new Date(later + minute * 60_000));
    }
    expect(filesOf(home).filter((name) => name.startsWith(oldName))).toEqual([]);
  });

  it('is named by the notice of damage', async () => {
    const { home, newName } = await makeClub();
    await compress(home);
    writeFileSync(backupPath(home, newName), 'text');
    const file = readFileSync(home.database);
    writeFileSync(home.database, file.fill(0x5a, 3 * 4_096));
    await expect(act(home, 'find damage')).rejects.toMatchObject({
      code: 'damage_stops_backup',
      values: { backup: Date.parse('2026-11-21T09:00:00.000Z') },
    });
  });
});

describe('a compressed backup', () => {
  it('is restored from elsewhere, with its record, without it, and under another name', async () => {
    const { home, rows } = await makeClub();
    await compress(home);
    const source = `${backupPath(home, oldName)}.gz`;
    for (const [name, record] of [
      ['stick.sqlite.gz', 'stick.sqlite.gz.json'],
      ['other.sqlite.gz', undefined],
      ['download', undefined],
    ] as const) {
      const folder = makeTestFolder();
      copyFileSync(source, join(folder, name));
      if (record !== undefined) copyFileSync(recordPath(source), join(folder, record));
      const empty = homeAt(join(folder, 'home'));
      expect(await run(empty, 'restore', join(folder, name))).toMatchObject({ status: 0 });
      expect(readRows(empty.database)).toEqual(rows);
    }
  });

  it.each<readonly [string, (bytes: Buffer) => Uint8Array, string]>([
    ['cut', (bytes) => bytes.subarray(0, bytes.length / 2), 'backup_damaged'],
    ['emptied', () => Buffer.alloc(0), 'backup_altered'],
    [
      'with another byte',
      (bytes) => bytes.fill((bytes[2_000] ?? 0) ^ 0xff, 2_000, 2_001),
      'backup_damaged',
    ],
    ['with other content', () => gzipSync('text'), 'backup_altered'],
    [
      'with another text',
      (bytes) => {
        const content = gunzipSync(bytes);
        content.write('Evint', content.indexOf('Event 2'));
        return gzipSync(content);
      },
      'backup_altered',
    ],
  ])('is refused by restore and check: %s', async (_, change, code) => {
    const { home } = await makeClub();
    await compress(home);
    const path = `${backupPath(home, oldName)}.gz`;
    writeFileSync(path, change(readFileSync(path)));
    const before = readRows(home.database);
    await expect(act(home, 'restore', { name: oldName })).rejects.toMatchObject({
      code,
      values: { path },
    });
    expect((await findFlaw(home, oldName))?.code).toBe(code);
    const { stderr } = await run(home, 'restore', path);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(readRows(home.database)).toEqual(before);
    expect(filesOf(home).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is never made of a file that is not as recorded', async () => {
    const { home } = await makeClub();
    truncateSync(backupPath(home, oldName), 8_192);
    await compress(home);
    expect(filesOf(home)).toEqual(expect.arrayContaining(plain));
    expect(filesOf(home)).not.toContain(`${oldName}.gz`);
    expect((await findFlaw(home, oldName))?.code).toBe('backup_altered');
  });

  it('is verified by its SHA-256 alone where no copy can be made', async (context) => {
    const small = mountSmall(context, 2_000);
    const { home } = await makeClub(1_000, homeAt(join(small.folder, 'home')));
    await compress(home);
    const { bavail, bsize } = statfsSync(small.folder);
    writeFileSync(join(small.folder, 'filler'), Buffer.alloc(bavail * bsize));
    expect((await verifyBackups(home)).map(({ flaw }) => flaw)).toEqual([undefined, undefined]);
    const path = `${backupPath(home, oldName)}.gz`;
    const content = gunzipSync(readFileSync(path));
    content.write('Evint', content.indexOf('Event 2'));
    rmSync(join(small.folder, 'filler'));
    writeFileSync(path, gzipSync(content));
    const free = statfsSync(small.folder);
    writeFileSync(join(small.folder, 'filler'), Buffer.alloc(free.bavail * free.bsize));
    expect((await findFlaw(home, oldName))?.code).toBe('backup_altered');
  });
});

describe('the compression', () => {
  it('changes nothing on a full disk, and does not prevent the backup of the day', async (context) => {
    const small = mountSmall(context, 4_000);
    const { home, rows } = await makeClub(1_000, homeAt(join(small.folder, 'home')));
    const { bavail, bsize } = statfsSync(small.folder);
    writeFileSync(join(small.folder, 'filler'), Buffer.alloc(bavail * bsize - 16 * 1_024));
    await compress(home);
    expect(filesOf(home)).toEqual(expect.arrayContaining(plain));
    expect(filesOf(home).filter((name) => /^\.|\.gz$/.test(name))).toEqual([]);
    rmSync(join(small.folder, 'filler'));
    await compress(home);
    expect(filesOf(home)).toEqual(expect.arrayContaining(compressed));
    await act(home, 'restore', { name: oldName });
    expect(readRows(home.database)).toEqual(rows);
  });

  it('can be cancelled at each step, which leaves the file as it was', async () => {
    const { home } = await makeClub();
    const before = filesOf(home);
    for (let steps = 0; ; steps += 1) {
      let left = steps;
      const onStep = () => {
        left -= 1;
        if (left < 0) throw problem('cancelled');
      };
      const result = await act(home, 'backup daily', {}, { onStep }).catch((error) => error);
      if (!(result instanceof Error)) break;
      expect(result).toMatchObject({ code: 'cancelled' });
      expect(filesOf(home)).toEqual(before);
      expect(steps).toBeLessThan(1_000);
    }
    expect(filesOf(home)).toEqual(expect.arrayContaining(compressed));
  });

  it('loses nothing when it is killed at any call of the file system', {
    tags: 'long',
  }, async () => {
    const source = await makeClub();
    const module = (path: string) =>
      JSON.stringify(new URL(`../../../server/${path}`, import.meta.url).href);
    // Kills the process before its n-th change of a file.
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      let left = Number(process.argv[1]);
      for (const name of ['open', 'write', 'writev', 'fsync', 'close', 'openSync', 'renameSync', 'fsyncSync', 'rmSync', 'unlinkSync']) {
        const call = fs[name];
        fs[name] = (...args) => {
          if (armed && left-- === 0) process.kill(process.pid, 'SIGKILL');
          return call(...args);
        };
      }
      syncBuiltinESMExports();
      let armed = false;
      const { compressBackups } = await import(${module('store/backup-rotation.ts')});
      const { homeAt } = await import(${module('base/home.ts')});
      armed = true;
      await compressBackups(homeAt(process.argv[2]), new Date('2026-11-23T09:00:00.000Z'));
    `;
    const states = new Set<string>();
    let kills = 0;
    for (let step = 0; ; step += choose(1, 9)) {
      const home = homeAt(join(makeTestFolder(), 'home'));
      cpSync(source.home.directory, home.directory, { recursive: true });
      const { signal, stderr } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', script, `${step}`, home.directory],
        { encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      const left = filesOf(home).filter((name) => name.startsWith(oldName));
      states.add(left.join(' '));
      expect(await findFlaw(home, oldName)).toBe(undefined);
      expect(listBackups(home).map(({ name }) => name)).toContain(oldName);
      for (const name of filesOf(home)) utimesSync(join(home.backups, name), 0, 0);
      await compress(home);
      expect(filesOf(home).filter((name) => name.startsWith('.'))).toEqual([]);
      expect(filesOf(home)).toEqual(expect.arrayContaining(compressed));
      expect(filesOf(home)).not.toContain(oldName);
      if (signal === null) break;
      kills += 1;
      expect(step).toBeLessThan(200);
    }
    expect(kills).toBeGreaterThan(choose(18, 2));
    // Both whole files are there for a moment, and never none.
    expect([...states]).toEqual(expect.arrayContaining([plain.join(' '), compressed.join(' ')]));
    expect(states.size).toBeGreaterThan(choose(4, 2));
  });
});
