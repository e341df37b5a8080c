import { writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { argumentsOf, isCommand } from '../../electron/system/command-line.ts';
import {
  createOpenedFiles,
  readArguments,
  readLaunchOptions,
  screenOfLink,
} from '../../electron/system/opening.ts';
import { createProgram } from '../../server/cli/program.ts';
import { makeTestFolder } from '../support/home.ts';

const folder = join(import.meta.dirname, 'folder');

describe('the arguments of the desktop application', () => {
  it('the arguments of the desktop application name files to open by path or URL', () => {
    const args = [
      'season.csv',
      '/data/Fixtures.ICS',
      pathToFileURL('/data/old events.json').href,
      'file://elsewhere.example/share/remote.csv',
      'file:',
      'notes.log',
      'csv',
      '--inspect=1.csv',
      '.csv',
      'lines.ndjson',
      'club.sqlite',
      'Club.sqlite.GZ',
    ];
    expect(readArguments(args, folder)).toEqual({
      files: [
        join(folder, 'season.csv'),
        resolve('/data/Fixtures.ICS'),
        resolve('/data/old events.json'),
        // A path of Windows can name a file of another machine.
        ...(sep === '\\' ? ['\\\\elsewhere.example\\share\\remote.csv'] : []),
        join(folder, 'lines.ndjson'),
        join(folder, 'club.sqlite'),
        join(folder, 'Club.sqlite.GZ'),
      ],
      hidden: false,
    });
  });

  it('the arguments of the desktop application hide the window at login', () => {
    expect(readArguments(['--hidden'], folder)).toEqual({ files: [], hidden: true });
  });

  it('the arguments of the desktop application run a command if the first one is a command', () => {
    const options = ['--help', '-h', '--version', '-V', '--home', '--home=/data', '--json'];
    const typingErrors = ['exprot', 'Export', 'no-such-file.csv', '.', 'http://127.0.0.1:28470/'];
    for (const first of [...options, ...typingErrors]) {
      expect(isCommand([first, 'season.csv']), first).toBe(true);
    }
  });

  it('the arguments of the desktop application open the window otherwise', () => {
    const urls = ['file:///data/season.csv', 'club-events://open'];
    for (const args of [[], ['--hidden'], ['--disable-gpu', 'serve'], ...urls.map((url) => [url])])
      expect(isCommand(args)).toBe(false);
    expect(isCommand([import.meta.filename])).toBe(false);
  });

  it('the arguments of the desktop application run a command even if a file has its name', () => {
    const working = process.cwd();
    process.chdir(makeTestFolder());
    onTestFinished(() => process.chdir(working));
    writeFileSync('export', '');
    writeFileSync('Season.csv', '');
    expect(isCommand(['export'])).toBe(true);
    expect(isCommand(['Season.csv'])).toBe(false);
  });

  it('the arguments of the desktop application name commands only in lower case', () => {
    const { stdout, stderr } = process;
    const commands = createProgram({ stdout, stderr, env: {} }).commands.map((one) => one.name());
    expect(commands.length).toBeGreaterThan(5);
    // The launcher of packages takes words like these for commands, too.
    expect(commands.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([]);
  });

  it('the arguments of the desktop application follow one word in a package and two in a checkout', () => {
    expect(argumentsOf({ argv: ['club-events', 'url'], isPackaged: true })).toEqual(['url']);
    expect(argumentsOf({ argv: ['electron', '.', 'url'], isPackaged: false })).toEqual(['url']);
    const appImage = ['club-events', '--no-sandbox', '--', 'url'];
    expect(argumentsOf({ argv: appImage, isPackaged: true })).toEqual(['url']);
    const label = ['key', 'create', '--label', '--no-sandbox'];
    expect(argumentsOf({ argv: ['club-events', ...label], isPackaged: true })).toEqual(label);
    expect(argumentsOf({ argv: ['club-events', '--no-sandbox'], isPackaged: true })).toEqual([]);
  });
});

describe('a second start', () => {
  it('passes on its files', () => {
    const launchOptions = { files: ['/data/a.csv'], hidden: false };
    expect(readLaunchOptions(structuredClone(launchOptions))).toEqual(launchOptions);
  });

  it.each([
    null,
    undefined,
    'a.csv',
    { files: 'a.csv', hidden: false },
    { files: [1], hidden: false },
    { files: Array.from({ length: 1_000 }, () => 'a.csv'), hidden: false },
  ])('a second start that says %j only brings the window to the front', (raw) => {
    expect(readLaunchOptions(raw)).toEqual({ files: [], hidden: false });
  });

  it('passes on the screen of a link', () => {
    const { screen, ...rest } = readArguments(['club-events://show/keys'], folder);
    expect(screen).toBe('keys');
    expect(readLaunchOptions({ ...rest, screen }).screen).toBe('keys');
    expect(readLaunchOptions({ ...rest, screen: 'elsewhere' })).toEqual({
      files: [],
      hidden: false,
    });
  });

  it('a second start cannot pass on anything but files to import', () => {
    const raw = { files: ['/etc/passwd', '/data/a.ics'], hidden: false };
    expect(readLaunchOptions(raw).files).toEqual(['/data/a.ics']);
  });
});

describe('opened files', () => {
  it('opened files are returned once each', () => {
    const messages: string[] = [];
    const opened = createOpenedFiles(() => messages.push('opened'));
    opened.add([]);
    opened.add(['/data/notes.log']);
    expect(messages).toEqual([]);
    opened.add(['/data/a.csv', '/data/b.ics']);
    opened.add(['/data/a.csv']);
    expect(messages).toEqual(['opened', 'opened']);
    expect(opened.take()).toEqual(['/data/a.csv', '/data/b.ics']);
    expect(opened.take()).toEqual([]);
  });
});

describe('a link of the program', () => {
  it.each([
    ['club-events://show/keys', 'keys'],
    ['CLUB-EVENTS://show/History/', 'history'],
    ['club-events://show/elsewhere', undefined],
    ['club-events://show/toString', undefined],
    ['club-events://show/keys?key=1', undefined],
    ['club-events://show/keys#key=1', undefined],
    ['club-events://show/../keys', undefined],
    ['club-events://show/keys\n', undefined],
    ['club-events://keys', undefined],
    ['club-events:show/keys', undefined],
    [' club-events://show/keys', undefined],
    ['https://show/keys', undefined],
  ])('a link of the program %j shows %s', (link, screen) => {
    expect(screenOfLink(link)).toBe(screen);
  });
});
