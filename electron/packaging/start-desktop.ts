import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { buildDesktop, buildPage, builtDesktop } from './build.ts';

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
async function findRuntime(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    if (env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined) await fetchRuntime();
    const executable: string = require('electron');
    return existsSync(executable) ? executable : undefined;
  } catch {
    // The caller suggests a browser for any failure.
    return undefined;
  }
}

const withoutRuntime =
  'Electron’s runtime is not on this machine and could not be fetched; run npm start, which shows the same page in a browser.\n';

const fetchNotice = 'Fetching Electron’s runtime, about 120 MB; this is done once.\n';

/** Finds the runtime; prints a notice if that takes longer than three seconds. */
async function waitForRuntime(): Promise<string | undefined> {
  const timer = setTimeout(() => process.stderr.write(fetchNotice), 3_000);
  try {
    return await findRuntime(process.env);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the built application and returns its exit status. */
function run(runtime: string, args: readonly string[]): Promise<number> {
  // The terminal of an editor built on Electron may set this variable.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawn(runtime, [builtDesktop, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
}

/** `npm run desktop`: builds the desktop application and starts it. Returns its exit status. */
async function startDesktop(args: readonly string[]): Promise<number> {
  const runtime = await waitForRuntime();
  if (runtime === undefined) {
    process.stderr.write(withoutRuntime);
    return 1;
  }
  await buildPage();
  await buildDesktop();
  return run(runtime, args);
}

if (import.meta.main) process.exitCode = await startDesktop(process.argv.slice(2));
