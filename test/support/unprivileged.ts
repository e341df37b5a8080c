import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { makeFolder, removeFolder } from './home.ts';

type Unprivileged = { readonly uid?: number; readonly env?: Readonly<Record<string, string>> };

/** Compile cache of that user, who has no permission to write to the usual one. */
const compiled = makeFolder();
afterAll(() => removeFolder(compiled));

let unprivileged: Unprivileged | string | undefined;

/** A user for whom permissions hold; root, as whom tests may run, is above them. */
export function findUnprivileged(): Unprivileged | string {
  unprivileged ??= tryUnprivileged();
  return unprivileged;
}

function tryUnprivileged(): Unprivileged | string {
  if (process.getuid?.() !== 0)
    return process.getuid ? {} : 'this platform has no such permissions';
  const uid = 65_534;
  try {
    // A start of the program would take far longer than a look at one of its last modules.
    const module = join(import.meta.dirname, '../../server/cli/program.ts');
    const env = { NODE_COMPILE_CACHE: compiled };
    chownSync(compiled, uid, uid);
    const script = `require('node:fs').readFileSync(${JSON.stringify(module)})`;
    execFileSync(process.execPath, ['--eval', script], { uid, gid: uid, env, stdio: 'pipe' });
    return { uid, env };
  } catch (error) {
    return `an unprivileged user cannot run the program here: ${(error as Error).message}`;
  }
}
