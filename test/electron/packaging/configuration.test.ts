import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPackage } from '@electron/asar';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { addCommandLine } from '../../../electron/packaging/add-command-line.ts';
import { findNode } from '../../../electron/packaging/node-runtime.ts';
import { makeWindowsProgram, nodeFuse } from '../../support/distribution.ts';
import { makeTestFolder } from '../../support/home.ts';
import { expectMode } from '../../support/place.ts';

// Packages for other platforms are made in installers.long.test.ts, and one for Linux in
// application.long.test.ts.

const root = join(import.meta.dirname, '../../..');
const configuration = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));

describe('the configuration of the packages', () => {
  it('the configuration of the packages names existing files', () => {
    const { afterPack, linux, deb, nsis, mac } = configuration;
    const paths = [afterPack, linux.icon, deb.appArmorProfile, nsis.include, mac.entitlements];
    for (const path of [...paths, mac.entitlementsInherit]) {
      expect(path).toEqual(expect.any(String));
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it.each([
    ['linux', 'linux'],
    ['win', 'win32'],
    ['mac', 'darwin'],
  ])('leaves out SQLite for other platforms on %s', (name, platform) => {
    const folder = 'node_modules/better-sqlite3/prebuilds';
    const [{ filter }] = configuration[name].files;
    expect(filter).toEqual(['package.json', `!${folder}/!(${platform}-\${arch}).node`]);
    const binaries = readdirSync(join(root, folder));
    for (const arch of ['x64', 'arm64']) expect(binaries).toContain(`${platform}-${arch}.node`);
  });

  it('the configuration of the packages is not the default for calendars and tables', () => {
    const { linux, mac, win } = configuration;
    expect(linux.mimeTypes).toEqual(['text/calendar', 'text/csv', 'application/json']);
    const kinds = mac.fileAssociations.map(({ ext, rank }: { ext: string; rank: string }) => [
      ext,
      rank,
    ]);
    expect(kinds).toEqual(['ics', 'csv', 'json'].map((ext) => [ext, 'Alternate']));
    expect(win).not.toHaveProperty('fileAssociations');
  });

  it('the configuration of the packages gives each file a name that no upload changes', () => {
    const names = Object.entries(configuration).flatMap(([target, options]) => {
      const name = (options as { artifactName?: string } | null)?.artifactName;
      return name === undefined ? [] : [[target, name] as const];
    });
    // The zip of macOS takes the name of its platform; that of a deb has no blanks by default.
    expect(names.map(([target]) => target)).toEqual(['appImage', 'nsis', 'mac', 'dmg']);
    // `productName` is "Club Events".
    for (const [, name] of names) expect(name).not.toMatch(/ |productName/);
  });

  it('configures no update server by default', () => {
    expect(configuration.publish).toBeNull();
  });
});

describe('the command line of a package', () => {
  function write(folder: string, path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  /** Adds it to a small packed application; gives the folder of resources and the launcher. */
  async function addTo(platform: string, archive: string, node: string, program: Buffer) {
    const folder = makeTestFolder();
    const resources = join(folder, 'resources');
    for (const path of ['server/cli/club-events.js', 'electron/main.js'])
      write(folder, `app/${path}`, '');
    await createPackage(join(folder, 'app'), join(resources, 'app.asar'));
    const nodeFolder = `node-v${process.versions.node}-${archive}`;
    write(folder, `${nodeFolder}/${node}`, program);
    write(folder, `${nodeFolder}/LICENSE`, 'The licence of Node.js');
    vi.stubEnv('CLUB_EVENTS_NODE_ARCHIVES', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const application = { appOutDir: folder, resources, platform, arch: 'arm64' };
    return { resources, launcher: await addCommandLine(application) };
  }

  it('the command line of a package has the Node.js that GitHub Actions installed for its processor', async () => {
    const tools = makeTestFolder();
    const folder = join(tools, 'node', process.versions.node, 'arm64');
    mkdirSync(folder, { recursive: true });
    vi.stubEnv('CLUB_EVENTS_NODE_ARCHIVES', '');
    vi.stubEnv('RUNNER_TOOL_CACHE', tools);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await findNode(process.platform, 'arm64')).toBe(folder);
  });

  it('the command line of a package is a launcher for shells on macOS', async () => {
    const node = Buffer.from('Node.js');
    const { resources, launcher } = await addTo('darwin', 'darwin-arm64', 'bin/node', node);
    expect(launcher).toBe(join(resources, 'bin/club-events'));
    expectMode(launcher, 0o755);
    const text = readFileSync(launcher, 'utf8');
    const files = [...text.matchAll(/"\$here\/(.+?)"/g)].map(([, path = '']) => path);
    const [window, ...inside] = files;
    expect(window).toBe('../../MacOS/Club Events');
    expect(inside).toEqual(['../command-line/node', '../command-line/server/cli/club-events.js']);
    for (const path of inside) expect(existsSync(join(launcher, '..', path)), path).toBe(true);
  });

  it('the command line of a package is the only console program in the folder on PATH on Windows', async () => {
    const node = makeWindowsProgram(`${nodeFuse}:0`);
    const { resources } = await addTo('win32', 'win-arm64', 'node.exe', node);
    expect(readdirSync(join(resources, 'bin'))).toEqual(['club-events.exe']);
    expect(readFileSync(join(resources, 'bin/club-events.exe'), 'latin1')).toContain(
      `${nodeFuse}:1`,
    );
    const commandLine = join(resources, 'command-line');
    expect(readdirSync(commandLine).sort()).toEqual(['LICENSE.node.txt', 'server']);
  });
});
