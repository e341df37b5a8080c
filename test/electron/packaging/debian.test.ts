import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeServerDeb, writeApplicationFiles } from '../../../electron/packaging/debian.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

// The deb without the window, made from a small program, and the files that each deb has. The real
// one is installed in server-deb.long.test.ts.

const root = join(import.meta.dirname, '../../..');
const program = '/usr/lib/club-events-server';
const facts = {
  version: '1.2.3-beta.1',
  homepage: 'https://club.invalid/',
  maintainer: 'The Club <nobody@club.invalid>',
  copyright: 'Copyright © 2026 The Club',
};

const run = (file: string, ...args: readonly string[]) =>
  execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe' });

/** Makes the deb from a small program, some of whose files only their owner can read. */
async function makeDeb(): Promise<string> {
  const folder = makeTestFolder();
  const files = { node: 0o700, 'server/cli/club-events.js': 0o600, 'LICENSES.txt': 0o644 };
  for (const [path, mode] of Object.entries(files)) {
    const file = join(folder, 'program', path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, path, { mode });
  }
  return await makeServerDeb(folder, join(folder, 'program'), { ...facts, arch: 'x64' });
}

describe('the deb without the window', () => {
  beforeEach((context) => requirePlace(context, 'dpkg-deb'));

  it('names its version, its processor and the facts of the project', async () => {
    const deb = await makeDeb();
    expect(deb).toMatch(/\/club-events-server_1\.2\.3~beta\.1_amd64\.deb$/);
    const field = (name: string) => run('dpkg-deb', '--field', deb, name).trim();
    expect(field('Package')).toBe('club-events-server');
    expect(field('Version')).toBe('1.2.3~beta.1');
    expect(field('Architecture')).toBe('amd64');
    expect(field('Homepage')).toBe(facts.homepage);
    expect(field('Maintainer')).toBe(facts.maintainer);
    expect(Number(field('Installed-Size'))).toBeGreaterThan(30);
    // A desktop library would bring hundreds of megabytes.
    const names = field('Depends').replace(/ \(.*?\)/g, '');
    expect(names).toBe('adduser, libc6, libgcc-s1, libstdc++6');
    const [synopsis = '', ...description] = field('Description').split('\n');
    expect(synopsis.length).toBeLessThanOrEqual(80);
    expect(description.join('\n')).not.toContain(synopsis);
  });

  it('has files of root that every account can read, and only programs can be run', async () => {
    const lines = run('dpkg-deb', '--contents', await makeDeb())
      .trim()
      .split('\n');
    const listed = lines.map((line) => {
      const [mode = '', owner = '', , , , path = ''] = line.split(/ +/);
      return { mode, owner, path: path.slice(1) };
    });
    expect([...new Set(listed.map(({ owner }) => owner))]).toEqual(['root/root']);
    const pathsOf = (mode: string) =>
      listed.filter((each) => each.mode === mode).map(({ path }) => path);
    expect(pathsOf('-rwxr-xr-x')).toEqual(['/usr/bin/club-events-server', `${program}/node`]);
    expect(pathsOf('-rw-r--r--').sort()).toEqual([
      '/etc/default/club-events-server',
      `${program}/LICENSES.txt`,
      `${program}/server/cli/club-events.js`,
      '/usr/lib/systemd/system/club-events-server.service',
      '/usr/share/bash-completion/completions/club-events-server',
      '/usr/share/doc/club-events-server/copyright',
      '/usr/share/fish/vendor_completions.d/club-events-server.fish',
      '/usr/share/man/man1/club-events-server.1.gz',
      '/usr/share/zsh/vendor-completions/_club-events-server',
    ]);
    const others = listed.filter(({ mode }) => !/^-r/.test(mode));
    for (const { mode, path } of others) expect(mode, path).toBe('drwxr-xr-x');
  });

  it('has a manual page and a completion for its own command', async () => {
    const folder = makeTestFolder();
    run('dpkg-deb', '--extract', await makeDeb(), folder);
    const share = join(folder, 'usr/share');
    const page = run('gzip', '-dc', join(share, 'man/man1/club-events-server.1.gz'));
    expect(page).toContain('club\\-events\\-server import season.csv');
    expect(page).not.toMatch(/club\\-events(?!\\-server)/);
    const bash = readFileSync(
      join(share, 'bash-completion/completions/club-events-server'),
      'utf8',
    );
    expect(bash).toContain('complete -F _club_events club-events-server\n');
  });

  it('asks for a C library that its programs can use', { tags: 'long' }, async (context) => {
    requirePlace(context, 'packages for Linux');
    const depends = run('dpkg-deb', '--field', await makeDeb(), 'Depends');
    const prebuilds = join(root, 'node_modules/better-sqlite3/prebuilds/linux-{x64,arm64}.node');
    const minors = [process.execPath, ...globSync(prebuilds)].flatMap((path) =>
      [...readFileSync(path, 'latin1').matchAll(/GLIBC_2\.(\d+)\0/g)].map(([, minor]) =>
        Number(minor),
      ),
    );
    expect(depends).toContain(`libc6 (>= 2.${Math.max(...minors)})`);
  });

  it('has a unit that may do no more than it needs', (context) => {
    requirePlace(context, 'systemd-analyze');
    const folder = makeTestFolder();
    const unit = join(folder, 'club-events-server.service');
    writeFileSync(unit, readFileSync(join(root, 'electron/packaging/server-deb/service')));
    // Fails above the exposure, times ten, that the page "On a server" names.
    run('systemd-analyze', 'security', '--offline=true', '--threshold=20', unit);
    // Node.js compiles into memory.
    expect(readFileSync(unit, 'utf8')).not.toMatch(/^MemoryDenyWriteExecute/m);
  });
});

describe('the files of the deb with the window', () => {
  const { appId, linux } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
  const application = {
    ...facts,
    id: appId,
    name: 'Club Events',
    licence: 'MIT',
    desktopFile: 'club-events.desktop',
    date: '2026-11-28',
  };
  function writeFiles() {
    const folder = makeTestFolder();
    writeApplicationFiles(folder, application);
    return join(folder, `metainfo/${appId}.metainfo.xml`);
  }

  it('describe it to software centers, with each text in four languages', () => {
    const metainfo = readFileSync(writeFiles(), 'utf8');
    const values = [`<id>${appId}</id>`, '<project_license>MIT</project_license>'];
    for (const value of [...values, '<release version="1.2.3-beta.1" date="2026-11-28"/>']) {
      expect(metainfo).toContain(value);
    }
    for (const element of ['summary', 'p']) {
      const languages = [
        ...metainfo.matchAll(new RegExp(`<${element}(?: xml:lang="(..)")?>`, 'g')),
      ];
      const own = languages.map(([, language = 'en']) => language).join(' ');
      expect(own).toMatch(/^(en de fr nl ?)+$/);
    }
    expect(metainfo).toContain(`<summary>${linux.synopsis}</summary>`);
  });

  it('are accepted by AppStream', (context) => {
    requirePlace(context, 'appstreamcli');
    expect(run('appstreamcli', 'validate', '--no-net', writeFiles())).toMatch(/successful/);
  });

  it('say more below the synopsis than the synopsis', () => {
    expect(linux.description).not.toContain(linux.synopsis);
    const comments = Object.keys(linux.desktop.entry).filter((name) => /^Comment/.test(name));
    expect(comments).toEqual(['Comment[de]', 'Comment[fr]', 'Comment[nl]']);
  });
});
