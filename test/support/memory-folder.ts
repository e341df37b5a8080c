import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** The folder of Linux for files in memory. */
const memory = '/dev/shm';

/** The tests of a whole run need a tenth of it at a time. */
const neededBytes = 2 ** 31;

function hasRoom(): boolean {
  if (!existsSync(memory) || !existsSync('/proc/mounts')) return false;
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , type, options = ''] =
    mounts.findLast((line) => line.split(' ')[1] === memory)?.split(' ') ?? [];
  // Some tests run programs that they put there.
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= neededBytes;
}

/**
 * Creates a folder in memory for the files of tests. It is removed when this process ends, with what
 * tests left there. Returns undefined without enough room.
 */
export function makeMemoryFolder(): string | undefined {
  if (!hasRoom()) return undefined;
  const folder = mkdtempSync(join(memory, 'club-events-tests-'));
  // Some tests run commands as another account.
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
