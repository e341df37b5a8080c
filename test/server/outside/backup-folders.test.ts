import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import type { FolderStatus } from '../../../server/club/backup-folder-actions.ts';
import { createBackup } from '../../../server/store/backup-files.ts';
import { backupPath, listBackups, recordPath } from '../../../server/store/backup-records.ts';
import { compressBackups } from '../../../server/store/backup-rotation.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { expectMode, mountSmall, requirePlace } from '../../support/place.ts';
import { openClub } from '../publish/open-club.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Reads all files of a folder, with the targets of links. */
function readTree(folder: string): Record<string, string> {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    all.flatMap((name) => {
      const stats = lstatSync(join(folder, name));
      return stats.isFile() ? [[name, readFileSync(join(folder, name), 'latin1')]] : [];
    }),
  );
}

const namesAt = ({ backups }: Home) => readdirSync(backups).toSorted();

/** Opens a home with a club and a backup, and a folder that is not chosen yet. */
async function openHome(home?: Home) {
  const club = await openClub();
  const used = home ?? club.home;
  const tools = { ...club.tools, home: used };
  const perform: typeof club.perform = (name, args) =>
    catalogue[name].perform(args, tools) as never;
  const list = async () => (await perform('backup folder list', {})).folders as FolderStatus[];
  const folder = makeTestFolder();
  const { clock } = club;
  return {
    ...{ ...club, home: used, perform, folder },
    tick: () => perform('backup folder tick', {}),
    only: async () => (await list())[0] as FolderStatus,
    failure: async () => (await list())[0]?.failure?.problem,
    list,
    add: (path = folder) => perform('backup folder add', { path }),
    /** Makes a backup after a time. */
    backUp(later = day, reason: 'daily' | 'hand' | 'restore' = 'daily') {
      clock.now += later;
      return createBackup(used, reason, new Date(clock.now)).name;
    },
  };
}

/** Opens a home whose folder has its backup. */
async function openCopied() {
  const opened = await openHome();
  opened.backUp();
  const { path } = await opened.add();
  const { home, backUp, tick } = opened;
  return {
    ...opened,
    path,
    names: () => readdirSync(path).toSorted(),
    /** Makes a backup later, compares the folder, and returns the path of the copy. */
    async next(later?: number) {
      const name = backUp(later);
      await tick();
      return join(path, name);
    },
    expectSame: () => expect(readTree(path)).toEqual(readTree(home.backups)),
  };
}

describe('a folder for backups', () => {
  it('gets those that are there and each new one, for this account alone', async () => {
    const { home, folder, add, backUp, tick, only, clock } = await openHome();
    backUp();
    backUp();
    const { path, backups, state } = await add();
    expect({ backups, state }).toEqual({ backups: 2, state: 'current' });
    expect(basename(path)).toMatch(/^Club Events backups [0-9a-f]{12}$/);
    expect(readTree(path)).toEqual(readTree(home.backups));
    expect(readdirSync(folder)).toEqual([basename(path)]);
    expectMode(path, 0o700);
    for (const name of readdirSync(path)) expectMode(join(path, name), 0o600);
    backUp();
    const createdAt = new Date(clock.now).toISOString();
    expect((await only()).state).toBe('behind');
    clock.now += minute;
    await tick();
    expect(readTree(path)).toEqual(readTree(home.backups));
    expect(await only()).toMatchObject({
      state: 'current',
      backups: 3,
      arrived: { createdAt, at: new Date(clock.now).toISOString() },
    });
    const other = makeTestHome();
    const [newest] = listBackups(home);
    await catalogue.restore.perform(
      { file: join(path, newest?.name ?? '') },
      { ...(await openClub()).tools, home: other },
    );
    expect(existsSync(other.database)).toBe(true);
  });

  it('follows the rotation of the home', { tags: 'long' }, async () => {
    const { home, next, expectSame } = await openCopied();
    for (let count = 0; count < 30; count += 1) await next(3 * day);
    expect(listBackups(home).length).toBeLessThan(20);
    expectSame();
  });

  it('keeps what a home has lost, and gets its new backups', { tags: 'long' }, async () => {
    const { home, next, names, path, only, tick, clock } = await openCopied();
    for (let count = 0; count < 12; count += 1) await next(day);
    const before = names();
    expect(before.length).toBe(2 * listBackups(home).length);
    const [, second] = listBackups(home);
    rmSync(backupPath(home, second?.name ?? ''));
    clock.now += minute;
    await tick();
    expect(names()).toEqual(before);
    rmSync(home.backups, { recursive: true });
    clock.now += 2 * hour;
    await tick();
    expect(names()).toEqual(before);
    const copy = await next(hour);
    expect(existsSync(copy)).toBe(true);
    expect(names()).toEqual(expect.arrayContaining(before));
    expect((await only()).state).toBe('current');
    // The backups in the folder go on as if they were at home.
    for (let count = 0; count < 3; count += 1) await next(day);
    expect(existsSync(join(path, before.at(-2) ?? ''))).toBe(true);
  });

  it('is shared by two homes and a copy of one, and by the files of a person', {
    tags: 'long',
  }, async () => {
    const first = await openCopied();
    const { folder, path, home } = first;
    const second = await openHome();
    second.backUp(0);
    writeFileSync(join(folder, 'letter.txt'), 'Dear Maria');
    cpSync(home.backups, join(folder, 'my own copies'), { recursive: true });
    // By its name no backup of this program, and one without a record.
    const record = JSON.parse(readFileSync(join(path, first.names()[1] ?? ''), 'utf8'));
    writeFileSync(join(path, 'notes.sqlite'), 'mine');
    const notes = JSON.stringify({ ...record, number: 0, reason: 'restore' });
    writeFileSync(join(path, 'notes.sqlite.json'), notes);
    writeFileSync(join(path, '2020-01-01T000000Z-daily.sqlite'), 'mine');
    const before = readTree(folder);
    await second.add(folder);
    const copied = homeAt(join(makeTestFolder(), 'home'));
    cpSync(home.directory, copied.directory, { recursive: true });
    const copy = await openHome(copied);
    copy.clock.now = first.clock.now;
    for (let count = 0; count < 10; count += 1) {
      for (const each of [second, copy]) {
        each.backUp(3 * day);
        await each.tick();
      }
    }
    expect(readTree(folder)).toMatchObject(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('Club'))).toHaveLength(3);
    await first.next(40 * day);
    expect(readTree((await copy.only()).path)).toEqual(readTree(copied.backups));
    expect(readTree((await second.only()).path)).toEqual(readTree(second.home.backups));
    expect(readTree(folder)).toMatchObject({
      'letter.txt': 'Dear Maria',
      [join(basename(path), 'notes.sqlite')]: 'mine',
      [join(basename(path), '2020-01-01T000000Z-daily.sqlite')]: 'mine',
    });
  });

  it('is removed from the list with its backups in place, and goes on with them when it is added again', async () => {
    const { perform, folder, path, names, add, list, backUp, expectSame } = await openCopied();
    await perform('backup folder remove', { folder });
    expect(await list()).toEqual([]);
    expect(names()).toHaveLength(2);
    backUp();
    await add();
    expectSame();
    await expect(perform('backup folder remove', { folder: path })).rejects.toMatchObject({
      code: 'backup_folder_unknown',
    });
  });

  it('is refused in the data directory, twice, and where there is none', async () => {
    const { home, add, folder, list } = await openCopied();
    mkdirSync(join(home.directory, 'own'));
    for (const path of [home.directory, join(home.directory, 'own')]) {
      await expect(add(path)).rejects.toMatchObject({ code: 'file_in_home' });
    }
    await expect(add()).rejects.toMatchObject({ code: 'backup_folder_known' });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(folder, 'nowhere')]) {
      await expect(add(path)).rejects.toMatchObject({ code: 'publish_folder_gone' });
    }
    expect(await list()).toHaveLength(1);
  });

  it('belongs to this computer: no backup contains it, and no restore changes it', async () => {
    const { perform, folder, home, path, list } = await openCopied();
    const { output } = await perform('backup', {});
    expect(readFileSync(output, 'latin1')).not.toContain(basename(folder));
    const before = readFileSync(home.backupFolders, 'utf8');
    await perform('restore', { file: output });
    expect(readFileSync(home.backupFolders, 'utf8')).toBe(before);
    await perform('backup folder remove', { folder });
    await perform('restore', { file: join(path, readdirSync(path)[0] ?? '') });
    expect(await list()).toEqual([]);
  });

  it('is named if the list is damaged, which hides no backup at home', async () => {
    const { home, perform, list } = await openCopied();
    writeFileSync(home.backupFolders, '{');
    await expect(list()).rejects.toMatchObject({
      code: 'backup_folders_damaged',
      values: { path: home.backupFolders },
    });
    expect((await perform('backup list', {})).backups).toHaveLength(1);
  });
});

describe('a copy of a backup', () => {
  it.each([
    ['changed', (path: string) => writeFileSync(path, 'changed')],
    ['cut', (path: string) => truncateSync(path, 4_096)],
    ['removed', (path: string) => rmSync(path)],
    ['without its record', (path: string) => rmSync(recordPath(path))],
    ['with a changed record', (path: string) => writeFileSync(recordPath(path), '{}')],
  ])('that is %s is copied again', async (_, harm) => {
    const { next, clock, tick, only, expectSame } = await openCopied();
    const copy = await next();
    harm(copy);
    clock.now += 2 * hour;
    await tick();
    expectSame();
    expect((await only()).state).toBe('current');
  });

  it('is read whole on the next day if it is the newest, and later if it is an older one', async () => {
    const { home, next, clock, tick, expectSame } = await openCopied();
    const [older, newest] = [await next(), await next()];
    /** Damages a copy without a trace in its size and time. */
    const damage = (path: string) => {
      const { atime, mtime } = statSync(path);
      const bytes = readFileSync(path);
      bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      utimesSync(path, atime, mtime);
    };
    damage(newest);
    damage(older);
    clock.now += day;
    await tick();
    expect(readFileSync(newest)).toEqual(readFileSync(backupPath(home, basename(newest))));
    for (let count = 0; count < 3; count += 1) {
      clock.now += day;
      await tick();
    }
    expectSame();
  });

  it('is not replaced by a backup that is damaged at home, which is named', async () => {
    const { home, next, clock, tick, failure, path, names } = await openCopied();
    const copy = await next();
    const before = readFileSync(copy);
    const atHome = backupPath(home, basename(copy));
    writeFileSync(
      atHome,
      before.map((byte) => byte ^ 1),
    );
    rmSync(join(path, names()[0] ?? ''));
    truncateSync(copy, 100);
    clock.now += 2 * hour;
    await tick();
    expect(await failure()).toMatchObject({ code: 'backup_altered', values: { path: atHome } });
    expect(names()).toHaveLength(4);
    expect(statSync(copy).size).toBe(100);
  });

  it('that only the folder has is named when it is damaged', async () => {
    const { home, next, clock, tick, failure, only } = await openCopied();
    const copy = await next();
    rmSync(backupPath(home, basename(copy)));
    writeFileSync(copy, 'damaged');
    clock.now += 2 * hour;
    await tick();
    expect(await failure()).toMatchObject({ code: 'backup_altered', values: { path: copy } });
    rmSync(copy);
    clock.now += 2 * hour;
    await tick();
    expect((await only()).state).toBe('current');
  });

  it('is replaced by the compressed one of the home, from which a restore works', async () => {
    const { home, next, clock, tick, expectSame, path, names, only } = await openCopied();
    await next();
    const before = names();
    await compressBackups(home, new Date(clock.now));
    clock.now += minute;
    expect((await only()).state).toBe('current');
    await tick();
    expectSame();
    expect(names()).not.toEqual(before);
    expect(await only()).toMatchObject({ state: 'current', backups: 2, failure: null });
    const file = names().find((name) => name.endsWith('.gz')) ?? '';
    const { tools } = await openClub();
    const other = makeTestHome();
    const restore = { file: join(path, file) };
    expect(await catalogue.restore.perform(restore, { ...tools, home: other })).toMatchObject({
      counts: { users: 1 },
    });
    await next();
    await next();
    await compressBackups(home, new Date(clock.now));
    await next();
    expectSame();
  });

  it('that is compressed is copied again, or named if only the folder has it, when it is damaged', async () => {
    const { home, next, clock, tick, expectSame, path, failure, names } = await openCopied();
    await next();
    await compressBackups(home, new Date(clock.now));
    await next();
    const file = names().find((name) => name.endsWith('.gz')) ?? '';
    const copy = join(path, file);
    writeFileSync(copy, 'damaged');
    clock.now += 2 * hour;
    await tick();
    expectSame();
    const whole = readFileSync(copy);
    writeFileSync(backupPath(home, file), 'damaged');
    rmSync(copy);
    clock.now += 2 * hour;
    await tick();
    const atHome = { code: 'backup_altered', values: { path: backupPath(home, file) } };
    expect(await failure()).toMatchObject(atHome);
    writeFileSync(copy, whole);
    rmSync(backupPath(home, file));
    for (let count = 0; count < 2; count += 1) {
      clock.now += 2 * hour;
      await tick();
      expect(await failure()).toBeUndefined();
    }
    writeFileSync(copy, 'damaged');
    for (let count = 0; count < 2; count += 1) {
      clock.now += 2 * hour;
      await tick();
      expect(await failure()).toMatchObject({ code: 'backup_altered', values: { path: copy } });
    }
  });

  it('leaves nothing behind when its program is killed', async () => {
    const { path, names, next, expectSame } = await openCopied();
    writeFileSync(join(path, '.club-events-0123456789abcdef.tmp'), 'half');
    // Between the removals of a copy and of its record.
    const [copy = '', record = ''] = names().slice(-2);
    expect(recordPath(copy)).toBe(record);
    const old = { ...JSON.parse(readFileSync(join(path, record), 'utf8')), number: 1 };
    const lone = { ...old, createdAt: '2020-01-01T00:00:00.000Z' };
    writeFileSync(join(path, '2020-01-01T000000Z-daily.sqlite.json'), JSON.stringify(lone));
    await next();
    expectSame();
  });
});

describe('a folder that is not as it was', () => {
  it('is waited for while it is gone, without a failure', async () => {
    const { folder, backUp, tick, only, clock, expectSame } = await openCopied();
    const away = `${folder} away`;
    onTestFinished(() => rmSync(away, { recursive: true, force: true }));
    renameSync(folder, away);
    clock.now += 2 * hour;
    await tick();
    expect(await only()).toMatchObject({ state: 'current', failure: null });
    backUp();
    await tick();
    expect(await only()).toMatchObject({ state: 'waiting', failure: null, backups: 1 });
    expect(existsSync(folder)).toBe(false);
    renameSync(away, folder);
    clock.now += 2 * hour;
    await tick();
    expect((await only()).state).toBe('current');
    expectSame();
  });

  it('is waited for while its disk is not mounted', { tags: 'long' }, async (context) => {
    const disk = mountSmall(context, 8_000);
    const { folder, add, backUp, tick, only, clock, home } = await openHome();
    const mount = () => execFileSync('mount', ['--bind', disk.folder, folder]);
    mount();
    backUp();
    const { path, isElsewhere } = await add();
    expect(isElsewhere).toBe(true);
    execFileSync('umount', [folder]);
    backUp();
    await tick();
    expect(await only()).toMatchObject({ state: 'waiting', failure: null });
    expect(readdirSync(folder)).toEqual([]);
    mount();
    onTestFinished(() => void execFileSync('umount', [folder]));
    clock.now += 2 * hour;
    await tick();
    expect(readTree(path)).toEqual(readTree(home.backups));
  });

  it('is named while it is read-only, and refused at first', async (context) => {
    const disk = mountSmall(context, 8_000);
    const remount = (access: string) =>
      execFileSync('mount', ['-o', `remount,${access}`, disk.folder]);
    const { add, backUp, tick, failure, list, folder, only, clock } = await openHome();
    backUp();
    remount('ro');
    await expect(add(disk.folder)).rejects.toMatchObject({ code: 'file_read_only' });
    expect(await list()).toEqual([]);
    remount('rw');
    await add(disk.folder);
    await add(folder);
    remount('ro');
    const name = backUp();
    await tick();
    expect((await failure())?.code).toBe('file_read_only');
    expect(String((await failure())?.values['path'])).toBe(disk.folder);
    const { path, state } = (await list())[1] as FolderStatus;
    expect(state).toBe('current');
    expect(readdirSync(path)).toContain(name);
    remount('rw');
    clock.now += minute;
    await tick();
    expect((await only()).state).toBe('current');
  });

  it('is named while it is full, where only expired copies give way to the newest', async (context) => {
    const { add, backUp, tick, only, failure, home, clock } = await openHome();
    backUp();
    const { size } = statSync(backupPath(home, listBackups(home)[0]?.name ?? ''));
    const disk = mountSmall(context, Math.ceil((4.5 * size) / 1024));
    const { path } = await add(disk.folder);
    // Only the last one of a day is kept.
    backUp(minute);
    await tick();
    const [expired] = readdirSync(path);
    writeFileSync(join(disk.folder, 'mine'), Buffer.alloc(2.7 * size));
    const newest = backUp(minute);
    expect(namesAt(home)).not.toContain(expired);
    await tick();
    expect(readdirSync(path)).toContain(newest);
    expect(readdirSync(path)).not.toContain(expired);
    const before = readdirSync(path);
    backUp();
    await tick();
    expect(readdirSync(path)).toEqual(before);
    expect(await failure()).toMatchObject({ code: 'disk_full' });
    expect(String((await failure())?.values['path'])).toBe(disk.folder);
    expect(readdirSync(path).some((name) => name.endsWith('.tmp'))).toBe(false);
    rmSync(join(disk.folder, 'mine'));
    clock.now += 2 * hour;
    await tick();
    expect(await only()).toMatchObject({ state: 'current', failure: null });
  });

  it('gets nothing through a link in the place of a copy, a record, or a folder', async (context) => {
    requirePlace(context, 'symbolic links');
    const { folder, path, next, failure, clock, tick, expectSame, backUp } = await openCopied();
    const outside = makeTestFolder();
    const precious = join(outside, 'precious.txt');
    writeFileSync(precious, 'precious');
    const name = backUp();
    const record = join(path, recordPath(name));
    for (const link of [join(path, name), record]) {
      symlinkSync(precious, link);
      clock.now += minute;
      await tick();
      expect(await failure()).toMatchObject({ code: 'place_not_a_file', values: { path: link } });
      rmSync(link);
    }
    // Others go on.
    symlinkSync(precious, record);
    const other = await next();
    expect(existsSync(recordPath(other))).toBe(true);
    expect((await failure())?.code).toBe('place_not_a_file');
    rmSync(record);
    for (const each of [path, folder]) {
      renameSync(each, `${outside}/away`);
      symlinkSync(outside, each);
      backUp();
      clock.now += minute;
      await tick();
      const code = each === path ? 'file_in_the_way' : 'place_folder_moved';
      expect((await failure())?.code).toBe(code);
      rmSync(each);
      renameSync(`${outside}/away`, each);
    }
    expect(readTree(outside)).toEqual({ 'precious.txt': 'precious' });
    clock.now += minute;
    await tick();
    expect(await failure()).toBeUndefined();
    expectSame();
  });

  it('is the only thing that changes, whatever links another account puts in its way', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'symbolic links');
    const { path, folder, backUp, clock, tick, home } = await openCopied();
    const precious = makeTestFolder();
    cpSync(home.backups, precious, { recursive: true });
    const before = readTree(precious);
    // Puts links in the place of the folder, of its copies and of the next ones, without a pause.
    const attack = `
      const { renameSync, rmSync, symlinkSync, readdirSync } = require('node:fs');
      const [path, folder, precious] = ${JSON.stringify([path, folder, precious])};
      const [name] = readdirSync(precious);
      const attempt = (use) => { try { use(); } catch {} };
      for (let i = 0; ; i += 1) {
        const place = i % 9 === 0 ? folder : path;
        attempt(() => renameSync(place, precious + '-away'));
        attempt(() => symlinkSync(precious, place));
        attempt(() => rmSync(place));
        attempt(() => renameSync(precious + '-away', place));
        for (const each of readdirSync(precious)) {
          attempt(() => symlinkSync(precious + '/' + each, path + '/link'));
          attempt(() => renameSync(path + '/link', path + '/' + each));
        }
      }`;
    const attacker = spawn(process.execPath, ['--eval', attack], { stdio: 'ignore' });
    onTestFinished(() => void attacker.kill('SIGKILL'));
    for (let count = 0; count < choose(400, 100); count += 1) {
      if (count % 4 === 0) backUp(hour);
      clock.now += hour;
      await tick();
    }
    attacker.kill('SIGKILL');
    expect(readTree(precious)).toEqual(before);
  });

  it('names a pipe or a folder in the place of a copy or a record, beside which others go on', async (context) => {
    requirePlace(context, 'named pipes');
    const { path, failure, clock, tick, backUp, expectSame } = await openCopied();
    const name = backUp();
    for (const each of [join(path, name), join(path, recordPath(name))]) {
      expect(spawnSync('mkfifo', [each]).status).toBe(0);
      const other = backUp();
      await tick();
      expect(await failure()).toMatchObject({ code: 'place_not_a_file', values: { path: each } });
      expect(readdirSync(path)).toEqual(expect.arrayContaining([other, recordPath(other)]));
      rmSync(each);
      mkdirSync(each);
      clock.now += minute;
      await tick();
      expect(await failure()).toMatchObject({ code: 'file_is_folder', values: { path: each } });
      rmSync(each, { recursive: true });
    }
    clock.now += minute;
    await tick();
    expectSame();
  });
});
