import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../server/base/version.ts';
import {
  makeDistribution,
  makeMacDistribution,
  makeWindowsDistribution,
} from '../../support/distribution.ts';
import { fusesThatAreOn, readFuses } from '../../support/fuses.ts';
import { makeFolder, removeFolder } from '../../support/home.ts';
import { packApplication } from '../../support/packing.ts';
import { expectMode, requirePlace } from '../../support/place.ts';

const folder = makeFolder();
const target = join(folder, 'out');
afterAll(() => removeFolder(folder));

const binariesIn = (resources: string) =>
  readdirSync(join(target, resources, 'app.asar.unpacked'), { recursive: true, encoding: 'utf8' })
    .map((path) => basename(path))
    .filter((name) => name.endsWith('.node'));

/** In place of fpm, which makes debs: it keeps what it was told. */
const fpm = `#!${process.execPath}
const { copyFileSync, cpSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
writeFileSync(${JSON.stringify(join(folder, 'args.json'))}, JSON.stringify(args));
for (const arg of args) {
  const [from, to] = arg.split('=');
  if (to === '/usr/share') cpSync(from, ${JSON.stringify(join(folder, 'share'))}, { recursive: true });
  if (to?.endsWith('.desktop')) copyFileSync(from, ${JSON.stringify(join(folder, 'desktop'))});
}
copyFileSync(args[args.indexOf('--after-install') + 1], ${JSON.stringify(join(folder, 'after'))});
writeFileSync(args[args.indexOf('--package') + 1], '');
`;

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const updates = ['-c.publish.provider=generic', '-c.publish.url=https://updates.invalid/'];

describe('a deb with an update server', () => {
  beforeAll(async () => {
    const distribution = await makeDistribution(folder);
    writeFileSync(join(folder, 'fpm'), fpm, { mode: 0o755 });
    const env = { CUSTOM_FPM_PATH: join(folder, 'fpm') };
    const args = ['--linux', 'deb', '--arm64', ...updates];
    await packApplication(args, { distribution, target }, env);
  });

  it('contains the address of the update server', () => {
    const told = readFileSync(
      join(target, 'linux-arm64-unpacked/resources/app-update.yml'),
      'utf8',
    );
    expect(told).toContain('url: https://updates.invalid/\n');
  });

  it('contains SQLite for its processor', () => {
    expect(binariesIn('linux-arm64-unpacked/resources')).toEqual(['linux-arm64.node']);
  });

  it('installs the program, its icons and its menu entry', () => {
    const args: readonly string[] = JSON.parse(read('args.json'));
    const installed = args.filter((arg) => arg.includes('=/')).map((arg) => arg.split('=')[1]);
    expect(installed).toEqual(
      expect.arrayContaining([
        '/opt/Club Events',
        '/usr/share/applications/club-events.desktop',
        '/usr/share/icons/hicolor/16x16/apps/club-events.png',
        '/usr/share/icons/hicolor/512x512/apps/club-events.png',
      ]),
    );
    const share = readdirSync(join(folder, 'share'), { recursive: true, withFileTypes: true });
    const files = share.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual([
      '_club-events',
      'club-events',
      'club-events.1.gz',
      'club-events.fish',
      'copyright',
      'org.clubevents.desktop.metainfo.xml',
    ]);
    const metainfo = read('share/metainfo/org.clubevents.desktop.metainfo.xml');
    expect(metainfo).toContain('<launchable type="desktop-id">club-events.desktop</launchable>');
    const description = args[args.indexOf('--description') + 1] ?? '';
    const [synopsis = '', more = ''] = description.split('\n').map((line) => line.trim());
    expect(synopsis).not.toBe('');
    expect(more).not.toContain(synopsis);
    // Calendars and tables have types of their own already.
    expect(installed.filter((path) => path?.includes('/mime/'))).toEqual([]);
    expect(args).toEqual(expect.arrayContaining(['--license', 'MIT', '--name', 'club-events']));
  });

  it('comes with the deb without the window', (context) => {
    requirePlace(context, 'dpkg-deb');
    const deb = join(target, `club-events-server_${version}_arm64.deb`);
    const list = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' });
    for (const path of ['node', 'server/cli/club-events.js', 'LICENSES.txt']) {
      expect(list).toContain(` ./usr/lib/club-events-server/${path}\n`);
    }
    expect(list.match(/\S+\.node$/gm)).toEqual([expect.stringContaining('/linux-arm64.node')]);
  });

  it('registers calendars and tables, and is listed in the office menu', () => {
    const lines = read('desktop').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'Name=Club Events',
        'Exec="/opt/Club Events/club-events" %U',
        'Icon=club-events',
        'StartupWMClass=club-events',
        'MimeType=text/calendar;text/csv;application/json;x-scheme-handler/club-events;',
        'Categories=Office;Calendar;',
      ]),
    );
  });

  it('installs its launcher as a command, and allows user namespaces only for the window', () => {
    expect(read('after')).toContain("'/usr/bin/club-events' 'club-events'");
    const unpacked = join(target, 'linux-arm64-unpacked');
    expect(readFileSync(join(unpacked, 'club-events'), 'utf8')).toMatch(/^#!\/bin\/sh\n/);
    expect(readFileSync(join(unpacked, 'resources/apparmor-profile'), 'utf8')).toContain(
      'profile "club-events" "/opt/Club Events/club-events-window" flags=(unconfined)',
    );
  });
});

describe('an application for macOS that another platform built', () => {
  const application = 'mac-arm64/Club Events.app';
  const contents = `${application}/Contents`;

  beforeAll(async () => {
    const distribution = await makeMacDistribution(folder);
    await packApplication(['--mac', '--arm64', '--dir'], { distribution, target });
  });

  it('an application for macOS that another platform built has SQLite for macOS, and its fuses set', async () => {
    expect(binariesIn(`${contents}/Resources`)).toEqual(['darwin-arm64.node']);
    expect(await readFuses(join(target, application))).toEqual(fusesThatAreOn);
  });

  it('an application for macOS that another platform built has a launcher for shells', () => {
    const launcher = join(target, contents, 'Resources/bin/club-events');
    expectMode(launcher, 0o755);
    const text = readFileSync(launcher, 'utf8');
    const files = [...text.matchAll(/"\$here\/(.+?)"/g)].map(([, path = '']) => path);
    expect(files).toEqual([
      '../../MacOS/Club Events',
      '../command-line/node',
      '../command-line/server/cli/club-events.js',
    ]);
    for (const path of files) expect(existsSync(join(launcher, '..', path)), path).toBe(true);
  });

  it('opens calendars and tables, but is not their default', () => {
    const list = readFileSync(join(target, contents, 'Info.plist'), 'utf8');
    const kinds = [
      ...list.matchAll(/<key>CFBundleTypeExtensions<\/key>\s*<array>\s*<string>(\w+)/g),
    ];
    expect(kinds.map(([, kind]) => kind)).toEqual(['ics', 'csv', 'json']);
    const ranks = [...list.matchAll(/<key>LSHandlerRank<\/key>\s*<string>(\w+)/g)];
    expect(ranks.map(([, rank]) => rank)).toEqual(['Alternate', 'Alternate', 'Alternate']);
  });

  it('contains the digest of its archive', () => {
    const list = readFileSync(join(target, contents, 'Info.plist'), 'utf8');
    expect(list).toMatch(/<key>Resources\/app\.asar<\/key>\s*<dict>\s*<key>algorithm<\/key>/);
  });
});

describe('an application for Windows that another platform built', () => {
  const unpacked = join(target, 'win-arm64-unpacked');

  beforeAll(async () => {
    const distribution = await makeWindowsDistribution(folder);
    await packApplication(['--win', '--arm64', '--dir'], { distribution, target });
  });

  it('an application for Windows that another platform built has SQLite for its processor, and its fuses set', async () => {
    expect(binariesIn('win-arm64-unpacked/resources')).toEqual(['win32-arm64.node']);
    expect(await readFuses(join(unpacked, 'club-events.exe'))).toEqual(fusesThatAreOn);
  });

  it('an application for Windows that another platform built has only the console program in the folder on PATH', () => {
    expect(readdirSync(join(unpacked, 'resources/bin'))).toEqual(['club-events.exe']);
    const commandLine = join(unpacked, 'resources/command-line');
    expect(readFileSync(join(commandLine, 'LICENSE.node.txt'), 'utf8')).toContain('Node.js');
    expect(existsSync(join(commandLine, 'server/cli/program.js'))).toBe(true);
    const prebuilds = join(commandLine, 'node_modules/better-sqlite3/prebuilds');
    expect(readdirSync(prebuilds)).toEqual(['win32-arm64.node']);
  });
});
