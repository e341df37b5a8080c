import { existsSync, readFileSync, statfsSync } from 'node:fs';

/** The folder of Linux for files in memory. */
const folder = '/dev/shm';

/** The tests of a whole run need a tenth of it at a time. */
const neededBytes = 2 ** 31;

/** Returns a folder in memory with enough room for the tests, or undefined without one. */
export function findMemoryFolder(): string | undefined {
  if (!existsSync(folder) || !existsSync('/proc/mounts')) return undefined;
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , type, options = ''] =
    mounts.findLast((line) => line.split(' ')[1] === folder)?.split(' ') ?? [];
  // Some tests run programs that they put there.
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < neededBytes ? undefined : folder;
}
