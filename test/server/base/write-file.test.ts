import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileError, type Problem } from '../../../server/base/errors.ts';
import { renameFile, writeWholeFile } from '../../../server/base/write-file.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { mountSmall, requirePlace } from '../../support/place.ts';
import { buildShim, commandLine, readOperations, runWithShim } from '../../support/shim.ts';

function makeTarget(folder = makeTestFolder()): string {
  const path = join(folder, 'season.csv');
  writeFileSync(path, 'earlier');
  return path;
}

describe('writeWholeFile', () => {
  it('replaces a file and leaves nothing else behind', () => {
    const path = makeTarget();
    writeWholeFile(path, ['one\n', 'two\n']);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(join(path, '..'))).toEqual(['season.csv']);
  });

  it('keeps the earlier file after a partial write', (context) => {
    const disk = mountSmall(context, 32);
    const path = makeTarget(disk.folder);
    const tooMuch = 'x'.repeat(64 * 1024);
    expect(() => writeWholeFile(path, [tooMuch])).toThrow(/^disk_full /);
    expect(readFileSync(path, 'utf8')).toBe('earlier');
    expect(readdirSync(disk.folder)).toEqual(['season.csv']);
  });

  it('throws an error of its input and keeps the earlier file', () => {
    const path = makeTarget();
    function* broken() {
      yield 'one';
      throw new Error('the database is damaged');
    }
    expect(() => writeWholeFile(path, broken())).toThrow('the database is damaged');
    expect(readFileSync(path, 'utf8')).toBe('earlier');
    expect(readdirSync(join(path, '..'))).toEqual(['season.csv']);
  });

  it('lets two writers of one file finish; the later one wins', () => {
    const path = makeTarget();
    function* interrupted() {
      yield 'outer ';
      writeWholeFile(path, ['inner']);
      yield 'whole';
    }
    writeWholeFile(path, interrupted());
    expect(readFileSync(path, 'utf8')).toBe('outer whole');
    expect(readdirSync(join(path, '..'))).toEqual(['season.csv']);
  });

  it.for(['a device', 'a folder'])('refuses to replace %s', (kind, context) => {
    if (kind === 'a device') requirePlace(context, 'device files');
    const path = kind === 'a device' ? '/dev/null' : makeTestFolder();
    expect(() => writeWholeFile(path, ['x'])).toThrow(/^output_(not_a_file|is_folder) /);
  });

  it.for([
    ['a name that is too long', 'x'.repeat(300), /^file_name_too_long /],
    ['a loop of links', 'loop/season.csv', /^file_link_circle /],
    ['a file as a folder', 'season.csv/season.csv', /^file_below_file /],
    ['a missing folder', 'gone/season.csv', /^file_folder_missing /],
  ] as const)('names the problem with %s', ([, name, sentence], context) => {
    requirePlace(context, 'symbolic links', 'POSIX errors of paths');
    const path = makeTarget();
    symlinkSync('loop', join(path, '../loop'));
    expect(() => writeWholeFile(join(path, '..', name), ['x'])).toThrow(sentence);
  });

  it('reports a busy file as open in another program', (context) => {
    requirePlace(context, 'a busy file');
    const path = makeTarget();
    execFileSync('mount', ['--bind', path, path]);
    onTestFinished(() => void execFileSync('umount', [path]));
    expect(() => writeWholeFile(path, ['x'])).toThrow(/^file_open_elsewhere /);
    expect(readFileSync(path, 'utf8')).toBe('earlier');
  });
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.skipIf(process.platform === 'win32')('the mode of a file (not on Windows)', () => {
  it('is for the owner alone, unless the file is for others', () => {
    const path = makeTarget();
    chmodSync(path, 0o664);
    writeWholeFile(path, ['for others'], { umask: 0o022 });
    expect(modeOf(path)).toBe(0o664);
    writeWholeFile(path, ['private']);
    expect(modeOf(path)).toBe(0o600);
  });

  it('is that of new files of the person for a new export, and stays that of an earlier one', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const folder = makeTestFolder();
    const [fresh, earlier, link] = ['fresh', 'earlier', 'link'].map((name) =>
      join(folder, `${name}.html`),
    ) as [string, string, string];
    writeFileSync(earlier, 'earlier');
    chmodSync(earlier, 0o604);
    symlinkSync('earlier.html', link);
    const umask = process.umask(0o027);
    onTestFinished(() => void process.umask(umask));
    for (const output of [fresh, link]) {
      const args = ['--home', home.directory, 'export', '--user', 'Chess', '--output', output];
      expect(await runCommand(args)).toMatchObject({ status: 0 });
    }
    expect(modeOf(fresh)).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(earlier, 'utf8')).toContain('Event 1');
    expect(modeOf(earlier)).toBe(0o604);
    expect(modeOf(home.database)).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['earlier.html', 'fresh.html', 'link.html']);
  });

  it('stays private for a link into the data directory, which no export replaces', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    writeFileSync(home.upstreamKeys, '{}', { mode: 0o600 });
    const link = join(makeTestFolder(), 'link.html');
    symlinkSync(home.upstreamKeys, link);
    const args = ['--home', home.directory, 'export', '--user', 'Chess', '--output', link];
    expect(await callCommand(args)).toMatchObject({ status: 1, stdout: '' });
    expect(readFileSync(home.upstreamKeys, 'utf8')).toBe('{}');
  });
});

it('has a new file on the disk before it takes the place of the earlier one', async (context) => {
  requirePlace(context, 'file operations that fail');
  const library = buildShim(makeTestFolder());
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1)]);
  const folder = realpathSync(makeTestFolder());
  const log = join(makeTestFolder(), 'operations');
  const command = ['export', '--user', 'Chess', '--output', join(folder, 'season.csv')];
  const settings = { library, folder, log };
  const ended = await runWithShim(commandLine(home.directory, command), settings);
  expect(ended).toMatchObject({ status: 0 });
  const kinds = readOperations(log).map(({ kind }) => kind);
  // Create, write, sync, rename.
  expect(kinds.join('')).toMatch(/^CW+SR$/);
});

describe('a file that another program holds on Windows', () => {
  const failure = Object.assign(new Error('held'), { code: 'EPERM', syscall: 'rename' });

  it('replaces a file on Windows as soon as it is free', () => {
    const path = makeTarget();
    const draft = join(path, '../draft');
    writeFileSync(draft, 'new');
    let attempts = 0;
    const rename: typeof renameSync = (from, to) => {
      attempts += 1;
      if (attempts < 4) throw failure;
      renameSync(from, to);
    };
    renameFile(draft, path, { platform: 'win32', rename, pauses: [1, 1, 1, 1] });
    expect(attempts).toBe(4);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('reports a file that stays open in another program', () => {
    const rename = () => {
      throw failure;
    };
    const run = () => renameFile('a', 'b', { platform: 'win32', rename, pauses: [1, 1] });
    expect(run).toThrow(failure);
    const codeOn = (platform: NodeJS.Platform) =>
      (fileError(failure, 'b', platform) as Problem).code;
    expect(codeOn('win32')).toBe('file_open_elsewhere');
    expect(codeOn('linux')).toBe('file_forbidden');
  });
});
