import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);

/** How long the runtime, of about 120 MB, may take to arrive, in milliseconds. */
const patienceMs = 300_000;

/** Fetches Electron's runtime where it is not there yet, without a word. */
async function fetchRuntime(): Promise<void> {
  const install = require.resolve('electron/install.js');
  await promisify(execFile)(process.execPath, [install], { timeout: patienceMs });
}

/**
 * The executable of Electron, fetched when this is its first use, or undefined when it cannot be
 * had. `ELECTRON_OVERRIDE_DIST_PATH` names the folder of another, as with Electron's own command.
 */
export async function findRuntime(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    if (env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined) await fetchRuntime();
    const executable: string = require('electron');
    return existsSync(executable) ? executable : undefined;
  } catch {
    // Why not matters little to those who wanted to see their events: the page shows them, too.
    return undefined;
  }
}
