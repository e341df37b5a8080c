import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkCommandLine, checkWindow } from './smoke.ts';

/**
 * `npm run try-package KIND [-- --headless]`: installs the package of a kind from
 * `dist` on this machine, runs the smoke tests on it, removes it, and looks for leftovers. Use it
 * only on a machine that is discarded afterwards.
 */

/** An installed package. */
type Trial = {
  /** The command of its command line. */
  readonly command: readonly string[];
  /** The executable that opens its window; the package for a server has none. */
  readonly program?: string;
  uninstall(): void;
  /** Lists files and registry entries that remain after the removal. */
  leftovers(): readonly string[];
};

const dist = join(import.meta.dirname, '../../dist');
const isRoot = process.getuid?.() === 0;

function run(file: string, ...args: readonly string[]): string {
  return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function runAsRoot(file: string, ...args: readonly string[]): void {
  if (isRoot) run(file, ...args);
  else run('sudo', file, ...args);
}

const existing = (paths: readonly string[]) => paths.filter((path) => existsSync(path));

/** Returns the package for the processor of this machine. Throws unless there is exactly one. */
function findPackage(ending: string, isServer = false): string {
  const names = { x64: ['x64', 'amd64', 'x86_64'], arm64: ['arm64', 'aarch64'] };
  const own: readonly string[] = names[process.arch as keyof typeof names] ?? [];
  const found = readdirSync(dist).filter(
    (name) =>
      name.endsWith(ending) &&
      name.startsWith('club-events-server_') === isServer &&
      own.some((arch) => name.includes(arch)),
  );
  const [name, second] = found;
  if (name === undefined || second !== undefined) {
    throw new Error(`Expected one ${ending} for ${process.arch} in ${dist}: ${found.join(', ')}`);
  }
  return resolve(dist, name);
}

function installDeb(): Trial {
  runAsRoot('apt-get', 'install', '--yes', findPackage('.deb'));
  return {
    command: ['/usr/bin/club-events'],
    program: '/opt/Club Events/club-events',
    uninstall: () => runAsRoot('apt-get', 'purge', '--yes', 'club-events'),
    leftovers: () =>
      existing([
        '/opt/Club Events',
        '/usr/bin/club-events',
        '/usr/share/applications/club-events.desktop',
        '/etc/apparmor.d/club-events',
      ]),
  };
}

/** Installs the package for a server, and checks that its unit runs as its account. */
function installServer(): Trial {
  runAsRoot('apt-get', 'install', '--yes', findPackage('.deb', true));
  const unit = 'club-events-server.service';
  const retries = ['--retry', '30', '--retry-delay', '1', '--retry-all-errors'];
  run('curl', '--silent', '--fail', ...retries, 'http://127.0.0.1:28470/ready');
  const pid = run('systemctl', 'show', '--value', '--property=MainPID', unit).trim();
  const account = run('stat', '--format=%U', `/proc/${pid}`).trim();
  if (account !== 'club-events') throw new Error(`The unit runs as ${account}.`);
  return {
    command: ['/usr/bin/club-events-server'],
    uninstall() {
      runAsRoot('apt-get', 'purge', '--yes', 'club-events-server');
      if (!existsSync('/var/lib/club-events')) throw new Error('The data is gone.');
      runAsRoot('rm', '-r', '/var/lib/club-events');
    },
    leftovers: () =>
      existing([
        '/etc/default/club-events-server',
        '/usr/bin/club-events',
        '/usr/bin/club-events-server',
        '/usr/lib/club-events-server',
        `/etc/systemd/system/multi-user.target.wants/${unit}`,
      ]),
  };
}

function openAppImage(): Trial {
  const folder = mkdtempSync(join(tmpdir(), 'club-events-appimage-'));
  const program = join(folder, 'club-events.AppImage');
  copyFileSync(findPackage('.AppImage'), program);
  chmodSync(program, 0o755);
  return {
    command: [program],
    program,
    uninstall: () => rmSync(folder, { recursive: true }),
    leftovers: () => [],
  };
}

function openDmg(): Trial {
  const volume = mkdtempSync(join(tmpdir(), 'club-events-dmg-'));
  const app = '/Applications/Club Events.app';
  run('hdiutil', 'attach', findPackage('.dmg'), '-nobrowse', '-readonly', '-mountpoint', volume);
  try {
    run('ditto', join(volume, 'Club Events.app'), app);
  } finally {
    run('hdiutil', 'detach', volume);
  }
  return {
    command: [join(app, 'Contents/Resources/bin/club-events')],
    program: join(app, 'Contents/MacOS/Club Events'),
    uninstall: () => rmSync(app, { recursive: true }),
    leftovers: () => [],
  };
}

const registryKeys = [
  'HKCU\\Software\\Classes\\ClubEvents.File',
  'HKCU\\Software\\Classes\\club-events',
];

function isInRegistry(key: string): boolean {
  try {
    execFileSync('reg', ['query', key], { stdio: 'ignore' });
    return true;
  } catch {
    // `reg query` fails if the key does not exist.
    return false;
  }
}

function installExe(): Trial {
  run(findPackage('.exe'), '/S');
  const folder = join(process.env['LOCALAPPDATA'] ?? '', 'Programs\\club-events');
  return {
    command: [join(folder, 'resources\\bin\\club-events.exe')],
    program: join(folder, 'club-events.exe'),
    uninstall: () => void run(join(folder, 'Uninstall Club Events.exe'), '/S'),
    leftovers: () => [
      ...existing([folder]),
      ...registryKeys.filter(isInRegistry),
      // While the program is installed, the user's PATH contains its command line.
      ...run('reg', 'query', 'HKCU\\Environment')
        .split('\n')
        .filter((line) => line.includes(folder)),
    ],
  };
}

const kinds: Readonly<Record<string, () => Trial>> = {
  deb: installDeb,
  server: installServer,
  AppImage: openAppImage,
  dmg: openDmg,
  exe: installExe,
};

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [kind = '', ...options] = process.argv.slice(2);
const install = kinds[kind];
if (install === undefined) throw new Error(`Name a kind: ${Object.keys(kinds).join(', ')}.`);
const trial = install();
try {
  await checkCommandLine(trial.command);
  report('The command line does the same as that of the sources.');
  if (trial.program !== undefined && !options.includes('--headless')) {
    await checkWindow(trial.program);
    report('The program starts without its window, answers and ends.');
  }
} finally {
  trial.uninstall();
}
// On Windows, a copy of the uninstaller continues after its process has ended.
for (let tries = 0; tries < 60 && trial.leftovers().length > 0; tries += 1) await delay(1_000);
const leftovers = trial.leftovers();
if (leftovers.length > 0) throw new Error(`Still there: ${leftovers.join(', ')}`);
report('It is removed, and nothing of the program is left.');
