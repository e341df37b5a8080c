import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isCommand } from '../../../electron/system/command-line.ts';
import { version } from '../../../server/base/version.ts';
import { makeDistribution } from '../../support/distribution.ts';
import { fusesThatAreOn, readFuses } from '../../support/fuses.ts';
import { makeFolder, makeTestFolder, removeFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { type Packed, packApplication, readPacked } from '../../support/packing.ts';
import { lacking, requirePlace } from '../../support/place.ts';
import { makeClubHome, showsEvents } from '../club-desktop.ts';
import { launchDesktop } from '../driver/desktop.ts';

const folder = makeFolder();
const unpacked = join(folder, 'out/linux-unpacked');
const resources = join(unpacked, 'resources');
// Out of its archive, which Electron alone reads as a folder.
const application = join(folder, 'application');
let packed: Packed;
const isLong = choose(true, false);

beforeAll(async () => {
  const distribution = await makeDistribution(folder);
  await packApplication(['--linux', '--x64', '--dir'], {
    distribution,
    target: join(folder, 'out'),
  });
  packed = readPacked(resources);
  packed.extract(application);
});
afterAll(() => removeFolder(folder));

const read = (path: string) => readFileSync(join(application, path), 'utf8');
const isCode = (path: string) => /\.c?js$/.test(path) && !path.startsWith('server/ui/');

/** The packages that a module of ours imports. */
function packagesIn(text: string): readonly string[] {
  const names = text.matchAll(/(?:\bfrom |\bimport |\bimport\()'((?:@[\w.-]+\/)?\w[\w.-]*)/g);
  return [...names].map(([, name = '']) => name).filter((name) => !/^(electron|node)$/.test(name));
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('the packed application', () => {
  it('contains the programs', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'LICENSES.txt',
        'electron/icons/tray@2x.png',
        'electron/icons/window.png',
        'electron/main.js',
        'electron/ipc/preload.cjs',
        'electron/service/service-main.js',
        'package.json',
        'server/actions/background-worker.js',
        'server/cli/club-events.js',
        'server/ui/dist/index.html',
      ]),
    );
    const ours = packed.files.filter((path) => /^(db|electron|server)\//.test(path));
    const imported = ours.filter(isCode).flatMap((path) => packagesIn(read(path)));
    expect(imported).toContain('better-sqlite3');
    for (const name of imported)
      expect(packed.files).toContain(`node_modules/${name}/package.json`);
  });

  it('the packed application can load each package that the project names', async (context) => {
    requirePlace(context, 'packages for Linux');
    const names = Object.keys(JSON.parse(read('package.json')).dependencies);
    const imports = names.map((name) => `await import('${name}');`);
    // Each is loaded on its platform alone.
    const updaters = ['AppImageUpdater', 'DebUpdater', 'MacUpdater', 'NsisUpdater'];
    const uses = updaters.map((name) => `(await import('electron-updater')).default.${name};`);
    const script = [...imports, ...uses].join('\n');
    const args = ['--input-type=module', '--eval', script];
    await promisify(execFile)(process.execPath, args, { cwd: application });
  });

  it('contains no sources, tests, documents, types or tools', () => {
    const kinds =
      /\.(tsx?|[cm]ts|map|md|c|cpp|h|hpp|gypi?|sh)$|(^|\/)(tests?|docs|bench|examples)\//;
    expect(packed.files.filter((path) => kinds.test(path))).toEqual([]);
    const tools =
      /^test\/|^electron\/packaging\/|^node_modules\/(typescript|vite|react|electron|node-addon-api)\//;
    expect(packed.files.filter((path) => tools.test(path))).toEqual([]);
    const manifest = JSON.parse(read('package.json'));
    expect(manifest).toMatchObject({
      main: 'electron/main.js',
      desktopName: 'club-events.desktop',
    });
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('devDependencies');
  });

  it('contains SQLite only for its platform', () => {
    const binary = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
    expect(packed.files.filter((path) => path.endsWith('.node'))).toEqual([binary]);
    expect(packed.unpacked).toEqual([binary]);
    expect(readdirSync(resources).sort()).toEqual([
      'LICENSES.txt',
      'app.asar',
      'app.asar.unpacked',
      'command-line',
      'default_app.asar',
    ]);
  });

  it('contains only the locales of the program', () => {
    const languages = readdirSync(join(unpacked, 'locales'));
    expect(languages.sort()).toEqual(['de.pak', 'en-US.pak', 'fr.pak', 'nl.pak']);
  });

  // It has 16.2 MB now. What comes along by mistake is larger than the room that is left: the sources
  // of SQLite, a second copy of the page, or the packages of which it is made.
  it('adds less than 18 MB, and as much again for the command line', () => {
    const archive = statSync(join(resources, 'app.asar')).size;
    expect(archive + sizeOf(join(resources, 'app.asar.unpacked'))).toBeLessThan(18_000_000);
    const commandLine = join(resources, 'command-line');
    const node = statSync(join(commandLine, 'node')).size;
    expect(sizeOf(commandLine) - node).toBeLessThan(18_000_000);
  });

  it('the packed application has the licence of each package inside, and those of the page', () => {
    const licences = read('LICENSES.txt');
    expect(readFileSync(join(resources, 'LICENSES.txt'), 'utf8')).toBe(licences);
    const manifests = packed.files.filter((path) =>
      /^node_modules\/(?:.*\/node_modules\/)?(@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    );
    expect(manifests.length).toBeGreaterThan(60);
    for (const path of manifests) {
      const { name, version, license } = JSON.parse(read(path));
      expect(licences).toContain(`\n${name} ${version} (${license})\n`);
    }
    for (const name of ['react', 'react-dom', '@mantine/core', '@tabler/icons', 'uqr']) {
      expect(licences).toMatch(new RegExp(`\n${name} [\\d.]+ \\(MIT\\)\n`));
    }
    expect(readdirSync(unpacked)).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    );
  });

  it('the packed application has its fuses set', async () => {
    expect(await readFuses(join(unpacked, 'club-events-window'))).toEqual(fusesThatAreOn);
  });

  it('opens its window with the events and shows its tray icon', async (context) => {
    requirePlace(context, 'packages for Linux');
    const home = await makeClubHome(makeTestFolder());
    const desktop = await launchDesktop({ application, home });
    await showsEvents(desktop.page);
    expect((await desktop.tray())?.toolTip).toContain('Club Events');
    const told = await desktop.page.evaluate(() => {
      const { clubEvents } = globalThis as unknown as {
        clubEvents: { readLicences(args: null): Promise<unknown> };
      };
      return clubEvents.readLicences(null);
    });
    expect(told).toMatchObject({ ok: true, value: expect.stringContaining('\nkoa 3') });
    expect(await desktop.quit()).toBe(0);
  });
});

const command = join(folder, 'bin/club-events');
const working = join(folder, 'working folder');
const home = join(working, 'home');
const file = join(working, 'Season 2026.csv');
/** An account without rights, which root alone can take. */
const nobody = lacking('the account of root') === undefined ? { uid: 65_534, gid: 65_534 } : {};

type Account = { readonly uid?: number; readonly gid?: number };
type Environment = Readonly<Record<string, string>>;

/** Starts the command with nothing but `env` in its environment, as cron does. */
function start(args: readonly string[], env: Environment, account: Account = nobody) {
  const child = spawn(command, args, { cwd: working, env, ...account });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>(
    (resolve) => {
      child.on('close', (status) => resolve({ status, ...output }));
    },
  );
  return { child, output, ended };
}

const run = (args: readonly string[], env: Environment = {}, account: Account = nobody) =>
  start(args, env, account).ended;

const done = (stdout: string) => ({ status: 0, stdout, stderr: '' });

describe('the command line of a package for Linux', () => {
  beforeEach((context) => requirePlace(context, 'packages for Linux'));
  beforeAll(() => {
    // As the deb has it in /usr/bin.
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(unpacked, 'club-events'), command);
    mkdirSync(working);
    writeFileSync(file, 'Titel:neu,date\nSpring relay,2026-05-01T18:00:00Z\n');
    writeFileSync(join(working, 'export'), '');
    chmodSync(folder, 0o755);
    if (nobody.uid !== undefined) chownSync(working, nobody.uid, nobody.gid);
  });

  it('prints only its own output without a display, environment or rights', async () => {
    expect(await run(['--version'], { NODE_OPTIONS: '--no-such-option' })).toEqual(
      done(`${version}\n`),
    );
    expect(await run(['--home', home, 'url'])).toEqual({
      status: 1,
      stdout: '',
      stderr: `No service runs on ${home}; start one with "club-events serve".\n`,
    });
  });

  it('passes on every argument unchanged', async () => {
    const at = ['--home', home];
    expect(await run(['user', 'add', 'Chess:Youth', ...at])).toMatchObject({ status: 0 });
    if (isLong) {
      const columns = ['--map', 'name=Titel:neu', '--time-zone', 'UTC', '--user', 'Chess:Youth'];
      expect(await run(['import', file, ...columns, ...at])).toMatchObject({ status: 0 });
    }
    const label = ['--label', 'http://127.0.0.1/?a=1&b="2" %PATH% $HOME --type=club'];
    const key = await run(['key', 'create', '--user', 'Chess:Youth', ...label, ...at]);
    expect(key).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ce_\w+\n$/) });
    const { stdout } = await run(['key', 'list', '--json', ...at]);
    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ label: label[1] }] });
    const network = ['--public-url', 'http://10.0.0.5:28470', '--host', '0.0.0.0', '--port', '0'];
    const { child, output, ended } = start(['serve', ...network, ...at], {});
    await expect.poll(() => output.stdout).toContain('\n');
    expect(output.stdout).toMatch(/^http:\/\/10\.0\.0\.5:28470\n/);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
  });

  it('the command line of a package for Linux ends with status 2 after a typing error, and opens no window', async () => {
    expect(await run(['exprot', '--user', 'Chess'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        "Wrong usage: unknown command 'exprot' (Did you mean export?). Add --help to see the options and examples.\n",
    });
    if (isLong) expect(await run(['seson.csv'])).toMatchObject({ status: 2, stdout: '' });
  });

  const starts: readonly (readonly string[])[] = [
    [],
    ['--hidden'],
    ['--disable-gpu', 'serve'],
    ['Season 2026.csv'],
    ['file:///data/season.csv'],
    ['club-events://open'],
    ['export'],
    ['Export'],
    ['no-such-file.csv'],
    ['.'],
    ['http://127.0.0.1:28470/'],
    ['--home=/nowhere', 'url'],
    ['--help'],
  ];
  // Each of the others is a start of Node.js.
  const fewStarts = starts.filter((args) => !/^(Export|no-such|http:|--h[eo])/.test(args[0] ?? ''));
  it.each(choose(starts, fewStarts).map((args) => ({ args })))(
    'decides about the window as the program itself: $args',
    async ({ args }) => {
      const former = process.cwd();
      process.chdir(working);
      onTestFinished(() => process.chdir(former));
      const { stdout } = await run(args);
      const window = `window: ${args.join(' ')}\n`;
      if (isCommand(args)) expect(stdout).not.toContain('window: ');
      else expect(stdout).toBe(window);
    },
  );

  it('ignores arguments that an AppImage or script adds before the command', async () => {
    expect(await run(['--no-sandbox', '--', '--version'])).toEqual(done(`${version}\n`));
    expect(await run(['--no-sandbox', '--hidden'])).toEqual(
      done('window: --no-sandbox --hidden\n'),
    );
  });

  it('works as root, for whom it opens no window', async (context) => {
    requirePlace(context, 'the account of root');
    const root = { uid: 0, gid: 0 };
    expect(await run(['--version'], {}, root)).toEqual(done(`${version}\n`));
    expect(await run([], {}, root)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Club Events does not open its window as root; start it from your own account. Commands such as "club-events serve" work.\n',
    });
    // Not a file is left in the folder of the program, where only root can write.
    const commandLine = join(unpacked, 'resources/command-line');
    expect(readdirSync(join(commandLine, 'node_modules'))).not.toContain('.cache');
  });
});
