import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/** The state of a listening socket in /proc/net/tcp. */
const listening = '0A';

/** Finds the inodes of the sockets that listen on a port, in the text of /proc/net/tcp. */
export function listeningInodes(table: string, port: number): string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(ending) && state === listening)
    .map((columns) => columns[9] ?? '');
}

/** Returns the program of a process if it has one of these sockets. */
async function programWith(pid: string, sockets: ReadonlySet<string>): Promise<string | undefined> {
  try {
    for (const fd of await readdir(`/proc/${pid}/fd`)) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`);
      if (sockets.has(target)) return basename(await readlink(`/proc/${pid}/exe`));
    }
  } catch (error) {
    // The process has ended, or belongs to another account.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  }
  return undefined;
}

/**
 * Returns the name of the program that listens on a port. Returns undefined for a program of another
 * account, and on systems other than Linux.
 */
export async function findPortOwner(
  port: number,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const inodes = tables.flatMap((table) => listeningInodes(table, port));
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(pids.map((pid) => programWith(pid, sockets)));
  return programs.find((program) => program !== undefined);
}
