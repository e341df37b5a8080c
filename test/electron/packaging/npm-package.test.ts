// @module-tag long
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { packNpmPackage, writeNpmPackage } from '../../../electron/packaging/npm-package.ts';
import { callTool, startAssistant } from '../../server/mcp/assistant.ts';
import { runCommand, startServe } from '../../support/command.ts';
import {
  addMember,
  makeEvent,
  makeFolder,
  makeTestHome,
  removeFolder,
} from '../../support/home.ts';
import { lacking, requirePlace } from '../../support/place.ts';

const root = join(import.meta.dirname, '../../..');
const folder = makeFolder();

/** The package as npm installs it, below `node_modules`, where Node.js does not strip types. */
const installed = join(folder, 'node_modules/club-events');
const cli = join(installed, 'server/cli/club-events.js');
const read = (path: string) => readFileSync(join(installed, path), 'utf8');

let files: string[] = [];
let tarball = '';

beforeEach((context) => requirePlace(context, 'symbolic links'));

beforeAll(() => {
  if (lacking('symbolic links') !== undefined) return;
  writeNpmPackage(join(folder, 'npm'));
  tarball = packNpmPackage(join(folder, 'npm'), folder);
  mkdirSync(installed, { recursive: true });
  // In the folder, as GNU tar takes a colon in the path of Windows for a host.
  execFileSync('tar', ['-xzf', '../../club-events-0.1.0.tgz', '--strip-components=1'], {
    cwd: installed,
  });
  files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll('\\', '/'),
    );
  for (const name of Object.keys(JSON.parse(read('package.json')).dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
});

afterAll(() => removeFolder(folder));

describe('the npm package', () => {
  it('contains the compiled programs and the built page, and nothing else', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'LICENSES.txt',
        'README.md',
        'package.json',
        'server/cli/club-events.js',
        'server/actions/background-worker.js',
        'server/mcp/server.js',
        'server/ui/dist/index.html',
        'share/man/man1/club-events.1.gz',
      ]),
    );
    const strays = files.filter((path) =>
      /\.(tsx?|[cm]ts|map)$|(^|\/)(tests?|electron)\//.test(path),
    );
    expect(strays).toEqual([]);
    // It has 2.04 MB now; what comes along by mistake is larger than the room that is left.
    expect(statSync(tarball).size).toBeLessThan(2_500_000);
  });

  it('depends on what it imports, and not on the updater of the desktop', () => {
    const { bin, dependencies, scripts, devDependencies } = JSON.parse(read('package.json'));
    expect(bin).toEqual({ 'club-events': 'server/cli/club-events.js' });
    expect([scripts, devDependencies]).toEqual([undefined, undefined]);
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies;
    const others = Object.keys(own).filter((name) => !Object.hasOwn(dependencies, name));
    expect(others).toEqual(['electron-updater']);
  });

  it('names the licences of what is bundled with the page', () => {
    expect(read('LICENSES.txt')).toContain('react-dom ');
    expect(read('LICENSES.txt')).not.toContain('electron-updater');
  });

  it('serves a demo with its page', async () => {
    const home = makeTestHome();
    const args = ['--home', home.directory, '--demo', '--port', '0', '--json'];
    const serving = await startServe(args, onTestFinished, { cli });
    const { baseUrl, key } = JSON.parse(serving.firstLine);
    const page = await fetch(baseUrl);
    expect(await page.text()).toContain('<div id="page">');
    const list = await fetch(`${baseUrl}/v1/events`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect((await list.json()).events.length).toBeGreaterThan(10);
    expect((await fetch(`${baseUrl}/openapi.json`)).status).toBe(200);
    expect(await serving.end('SIGTERM')).toBe(0);
  });

  it('serves an assistant', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { name: 'Blitz' })]);
    const client = await startAssistant(home, {
      command: [process.execPath, cli, '--home', home.directory, 'mcp'],
    });
    expect((await callTool(client, 'get_event', { id: 1 })).text).toContain('Blitz');
  });

  it('imports a file, which a background thread reads', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const file = join(root, 'server/import/examples/season.csv');
    const args = [
      '--home',
      home.directory,
      'import',
      file,
      '--user',
      'Chess',
      '--dry-run',
      '--json',
    ];
    const { status, stdout } = await runCommand(args, { cli });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).added).toBeGreaterThan(0);
  });

  it('prints the completion of a shell', async () => {
    const { stdout } = await runCommand(['completion', 'bash'], { cli });
    expect(stdout).toContain('complete -F _club_events club-events');
  });
});
