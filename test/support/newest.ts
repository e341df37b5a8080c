import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Returns the last change of a file, or of the files below a folder without its builds. */
function changedAt(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'dist');
  // Removing a file changes its folder.
  return Math.max(statSync(path).mtimeMs, ...names.map((name) => changedAt(join(path, name))));
}

/** Returns true if a build is newer than all of its sources. */
export function isNewest(built: string, sources: readonly string[]): boolean {
  if (!existsSync(join(root, built))) return false;
  const at = statSync(join(root, built)).mtimeMs;
  return sources.every((source) => changedAt(join(root, source)) < at);
}
