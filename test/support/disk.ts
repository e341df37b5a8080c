import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { makeTestFolder } from './home.ts';

/** Mounts a file system of a size in KiB for the running test; otherwise returns the reason. */
export function mountSmall(
  kibibytes: number,
  access: 'rw' | 'ro' = 'rw',
): { folder: string } | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'a small file system can only be mounted by root on Linux';
  }
  const folder = makeTestFolder();
  const options = ['-t', 'tmpfs', '-o', `size=${kibibytes}k,${access}`, 'tmpfs', folder];
  try {
    execFileSync('mount', options, { stdio: 'pipe' });
  } catch (error) {
    return `a small file system cannot be mounted here: ${(error as Error).message}`;
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return { folder };
}
