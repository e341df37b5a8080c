import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { commandLauncher } from './add-command-line.ts';
import { builtDesktop } from './build.ts';
import { mitTerms } from './licences.ts';

/*
 * What Debian expects of a package, and the package without the window. electron-builder's fpm makes
 * the other deb; this one is made with dpkg-deb, which each Debian and Ubuntu has, because fpm is a
 * download that no test can run.
 */

/** The facts of a deb that its files name. */
type DebFacts = {
  readonly version: string;
  readonly homepage: string;
  readonly maintainer: string;
  /** A line with the holders of the copyright. */
  readonly copyright: string;
};

/** The facts of the desktop application, for software centers. */
type ApplicationFacts = DebFacts & {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly desktopFile: string;
  /** The date of the release, such as `2026-11-28`. */
  readonly date: string;
};

const root = join(import.meta.dirname, '../..');
const templates = join(import.meta.dirname, 'server-deb');
const serverName = 'club-events-server';

/** Fills the places `${name}` of a text. Throws if there is no value for one. */
function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has no value for ${name}.`);
    return value;
  });
}

function write(folder: string, path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content, { mode });
}

/** Composes the file `copyright` of a deb, as Debian's policy asks (section 12.5). */
function composeCopyright(copyright: string, licences: string): string {
  return `Club Events
${copyright}

${mitTerms(root).trim()}

The licences of the packages inside are in ${licences}.
`;
}

/** Writes the copyright and AppStream's description of the desktop application below `/usr/share`. */
export function writeApplicationFiles(share: string, facts: ApplicationFacts): void {
  const licences = '/opt/Club Events/resources/LICENSES.txt';
  write(share, 'doc/club-events/copyright', composeCopyright(facts.copyright, licences));
  const template = readFileSync(join(import.meta.dirname, 'metainfo.xml'), 'utf8');
  const developer = facts.copyright.replace(/^Copyright © \d+ /, '');
  const metainfo = fillTemplate(template, { ...facts, developer });
  write(share, `metainfo/${facts.id}.metainfo.xml`, metainfo);
}

/** Runs a command of root as the account of the service, so that all files stay its own. */
const serverCommand = `#!/bin/sh
if [ "$(id -u)" -eq 0 ]; then
  export HOME=/var/lib/club-events
  exec setpriv --reuid=club-events --regid=club-events --init-groups -- "$0" "$@"
fi
export CLUB_EVENTS_HOME="\${CLUB_EVENTS_HOME:-/var/lib/club-events}"
${commandLauncher(`/usr/lib/${serverName}`)}`;

/** Writes the manual page and the completion of shells under the name of the server's command. */
function writeServerShare(share: string): void {
  const rename = (text: string) =>
    text
      .replace(/\bclub(\\?-)events\b/g, '$&$1server')
      .replace('CLUB\\-EVENTS', 'CLUB\\-EVENTS\\-SERVER');
  const from = join(builtDesktop, 'share');
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!/^(man|bash|zsh|fish)/.test(path) || statSync(join(from, path)).isDirectory()) continue;
    const content = readFileSync(join(from, path));
    const renamed = path.endsWith('.gz')
      ? gzipSync(rename(gunzipSync(content).toString()), { level: 9 })
      : rename(content.toString());
    write(share, path.replace('club-events', serverName), renamed);
  }
}

/** Gives files and folders the modes that they have for every account, whatever the umask was. */
function normalizeModes(folder: string): void {
  for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const stats = statSync(join(folder, path));
    const isOpen = stats.isDirectory() || (stats.mode & 0o100) !== 0;
    chmodSync(join(folder, path), isOpen ? 0o755 : 0o644);
  }
}

function kibibytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => Math.ceil(statSync(join(folder, path)).size / 1_024))
    .reduce((sum, size) => sum + size, 0);
}

/** The facts of the deb without the window, for one processor. */
type ServerFacts = DebFacts & { readonly arch: string };

/** Lays out the tree of the deb without the window. */
function layOutServer(tree: string, commandLine: string, facts: ServerFacts): void {
  const program = `usr/lib/${serverName}`;
  cpSync(commandLine, join(tree, program), { recursive: true });
  const template = (name: string) => readFileSync(join(templates, name), 'utf8');
  write(tree, `usr/bin/${serverName}`, serverCommand, 0o755);
  write(tree, `usr/lib/systemd/system/${serverName}.service`, template('service'));
  write(tree, `etc/default/${serverName}`, template('default'));
  writeServerShare(join(tree, 'usr/share'));
  const copyright = composeCopyright(facts.copyright, `/${program}/LICENSES.txt`);
  write(tree, `usr/share/doc/${serverName}/copyright`, copyright);
  const kibibytes = `${kibibytesIn(tree)}`;
  write(tree, 'DEBIAN/control', fillTemplate(template('control'), { ...facts, kibibytes }));
  write(tree, 'DEBIAN/conffiles', `/etc/default/${serverName}\n`);
  for (const name of ['postinst', 'prerm', 'postrm']) {
    write(tree, `DEBIAN/${name}`, template(name), 0o755);
  }
  normalizeModes(tree);
}

/**
 * Makes the deb without the window in a folder, from the command line of a packed application, and
 * returns its path. Throws if dpkg-deb is missing, as on macOS.
 */
export async function makeServerDeb(
  folder: string,
  commandLine: string,
  { version, arch, ...others }: ServerFacts,
): Promise<string> {
  const tree = mkdtempSync(join(tmpdir(), 'club-events-deb-'));
  const facts = {
    ...others,
    // A tilde sorts a pre-release before its release.
    version: version.replaceAll('-', '~'),
    arch: arch === 'x64' ? 'amd64' : arch,
  };
  const path = join(folder, `${serverName}_${facts.version}_${facts.arch}.deb`);
  try {
    layOutServer(tree, commandLine, facts);
    // Debian and Ubuntu have different defaults, and a test takes a faster one.
    const env = { DPKG_DEB_COMPRESSOR_TYPE: 'xz', ...process.env };
    const args = ['--root-owner-group', '--build', tree, path];
    await promisify(execFile)('dpkg-deb', args, { env });
    return path;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
