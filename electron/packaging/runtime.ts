import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);

/** Time limit for the download of the runtime, of about 120 MB, in milliseconds. */
const downloadLimitMs = 300_000;

/** Downloads Electron's runtime, unless it is installed, without output. */
async function fetchRuntime(): Promise<void> {
  const install = require.resolve('electron/install.js');
  await promisify(execFile)(process.execPath, [install], { timeout: downloadLimitMs });
}

/**
 * Returns the executable of Electron, downloaded at its first use; undefined if that fails.
 * `ELECTRON_OVERRIDE_DIST_PATH` names the folder of another one, as for Electron's own command.
 */
export async function findRuntime(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    if (env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined) await fetchRuntime();
    const executable: string = require('electron');
    return existsSync(executable) ? executable : undefined;
  } catch {
    // The caller suggests a browser for any failure.
    return undefined;
  }
}
