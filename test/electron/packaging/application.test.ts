import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDistribution } from '../../support/distribution.ts';
import { fusesThatAreOn, readFuses } from '../../support/fuses.ts';
import { makeFolder, removeFolder } from '../../support/home.ts';
import { type Packed, packApplication, readPacked, runsPacked } from '../../support/packing.ts';

const folder = makeFolder();
const unpacked = join(folder, 'out/linux-unpacked');
const resources = join(unpacked, 'resources');
const application = join(folder, 'application');
let packed: Packed;

beforeAll(async () => {
  const distribution = await makeDistribution(folder);
  await packApplication(['--linux', '--x64', '--dir'], {
    distribution,
    target: join(folder, 'out'),
  });
  packed = readPacked(resources);
  packed.extract(application);
}, 60_000);
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
  it('has what runs', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'LICENSES.txt',
        'electron/icons/tray@2x.png',
        'electron/icons/window.png',
        'electron/main.js',
        'electron/preload.cjs',
        'electron/service-main.js',
        'package.json',
        'server/actions/background-worker.js',
        'server/cli.js',
        'server/ui/dist/index.html',
      ]),
    );
    const ours = packed.files.filter((path) => /^(db|electron|server)\//.test(path));
    const imported = ours.filter(isCode).flatMap((path) => packagesIn(read(path)));
    expect(imported).toContain('better-sqlite3');
    for (const name of imported)
      expect(packed.files).toContain(`node_modules/${name}/package.json`);
  });

  it.runIf(runsPacked)('can load each package that the project names', async () => {
    const names = Object.keys(JSON.parse(read('package.json')).dependencies);
    const imports = names.map((name) => `await import('${name}');`);
    // Each is loaded on its platform alone.
    const updaters = ['AppImageUpdater', 'DebUpdater', 'MacUpdater', 'NsisUpdater'];
    const uses = updaters.map((name) => `(await import('electron-updater')).default.${name};`);
    const script = [...imports, ...uses].join('\n');
    const args = ['--input-type=module', '--eval', script];
    await promisify(execFile)(process.execPath, args, { cwd: application });
  });

  it('has no sources, tests, documents, types or tools', () => {
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

  it('has SQLite for its platform alone, and beside the archive only its command line', () => {
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

  it('speaks the languages of the program alone', () => {
    const languages = readdirSync(join(unpacked, 'locales'));
    expect(languages.sort()).toEqual(['de.pak', 'en-US.pak', 'fr.pak', 'nl.pak']);
  });

  it('is less than 10 MB, and as much again for the command line beside its Node.js', () => {
    const archive = statSync(join(resources, 'app.asar')).size;
    expect(archive + sizeOf(join(resources, 'app.asar.unpacked'))).toBeLessThan(10_000_000);
    const commandLine = join(resources, 'command-line');
    const node = statSync(join(commandLine, 'node')).size;
    expect(sizeOf(commandLine) - node).toBeLessThan(10_000_000);
  });

  it('has the licence of each package inside, and those of the page', () => {
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
    for (const name of ['react', 'react-dom', '@mantine/core', '@tabler/icons-react', 'uqr']) {
      expect(licences).toMatch(new RegExp(`\n${name} [\\d.]+ \\(MIT\\)\n`));
    }
    expect(readdirSync(unpacked)).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    );
  });

  it('has its fuses set', async () => {
    expect(await readFuses(join(unpacked, 'club-events-window'))).toEqual(fusesThatAreOn);
  });
});
