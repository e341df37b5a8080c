import { constants } from 'node:fs';
import { access, readdir, readFile, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Home } from '../base/home.ts';
import { synchronisedBy } from '../store/synchronised.ts';
import { type Case, type Finding, type Findings, ok, trouble, warning } from './finding.ts';

/** Lists the files of the program in a data directory. */
export async function ownFiles(home: Home): Promise<string[]> {
  const { directory, database, registration, logs } = home;
  const folders = [logs, join(directory, 'backups')];
  const inFolders = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.map((name) => join(folder, name));
    }),
  );
  const beside = ['', '-wal', '-journal'].map((suffix) => database + suffix);
  return [...beside, registration, ...inFolders.flat()];
}

/** Bits of a mode that let other accounts write to a folder or use a file. */
const othersWrite = 0o022;
const othersUse = 0o077;

async function isOpen(path: string, bits: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && (stats.mode & bits) !== 0;
}

/** Returns the code of Node.js for which a file cannot be read and written. */
async function obstacleOf(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

async function findOpenFiles(home: Home, files: readonly string[]): Promise<Finding[]> {
  const openFiles: string[] = [];
  if (await isOpen(home.directory, othersWrite)) openFiles.push(home.directory);
  for (const file of files) if (await isOpen(file, othersUse)) openFiles.push(file);
  return openFiles.map((path) => warning('file_open', { path }));
}

/** Examines the permissions of the data directory and its files. */
export async function probePermissions({ home, platform }: Case): Promise<Findings> {
  const files = await ownFiles(home);
  const findings: Finding[] = platform === 'win32' ? [] : await findOpenFiles(home, files);
  for (const path of [home.directory, ...files]) {
    const obstacle = await obstacleOf(path);
    if (obstacle === 'EROFS') return [...findings, trouble('disk_read_only', { path })];
    if (obstacle === 'EACCES' || obstacle === 'EPERM') {
      findings.push(trouble('file_unusable', { path }));
    }
  }
  return findings.length > 0 ? findings : [ok('files_private')];
}

const megabyte = 1024 * 1024;

/** Free space in MB below which nothing can be saved soon, and below which a warning is due. */
const limits = { full: 20, low: 1024 };

/** Returns the nearest folder of a path that exists. */
async function existingFolder(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined || path === dirname(path) ? path : existingFolder(dirname(path));
}

export async function probeDiskSpace({ home }: Case): Promise<Findings> {
  const { bavail, bsize, blocks } = await statfs(await existingFolder(home.directory));
  // Some network file systems report no size.
  if (blocks === 0) return [];
  const free = Math.floor((bavail * bsize) / megabyte);
  const values = { free, home: home.directory };
  if (free < limits.full) return [trouble('disk_full', values)];
  if (free < limits.low) return [warning('disk_low', values)];
  return [ok('disk_space', { free: Math.floor(free / 1024) })];
}

/** File systems of networks and of programs, on which SQLite's locks are not reliable. */
const networkTypes = /^(nfs\d?|cifs|smb3|smbfs|afs|ceph|9p|davfs|fuse\.(?!overlayfs|snapfuse).+)$/;

/** Decodes a path in /proc/mounts, which has spaces as `\040`. */
function decodeMountPath(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Returns the type of the network file system of a path, by the text of /proc/mounts. */
export function networkTypeOf(path: string, mounts: string): string | undefined {
  const containing = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, point = '', type = '']) => ({ point: decodeMountPath(point), type }))
    .filter(({ point }) => path === point || path.startsWith(point === '/' ? '/' : `${point}/`));
  const nearest = containing.reduce<{ point: string; type: string } | undefined>(
    // A later mount at the same place hides an earlier one.
    (best, mount) => (best && best.point.length > mount.point.length ? best : mount),
    undefined,
  );
  return nearest && networkTypes.test(nearest.type) ? nearest.type : undefined;
}

/** Examines the place of the data directory: a local disk, a network or a synchronised folder. */
export async function probePlace({ home, platform }: Case): Promise<Findings> {
  const path = await realpath(home.directory).catch(() => home.directory);
  const service = synchronisedBy(path);
  if (service !== undefined) return [warning('home_synchronised', { path, service })];
  if (platform === 'win32' && path.startsWith('\\\\')) {
    return [warning('home_on_network', { path, type: 'SMB' })];
  }
  if (platform !== 'linux') return [];
  const type = networkTypeOf(path, await readFile('/proc/mounts', 'utf8').catch(() => ''));
  return type === undefined ? [ok('home_local')] : [warning('home_on_network', { path, type })];
}
