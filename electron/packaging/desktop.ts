import { spawn } from 'node:child_process';
import { buildDesktop, builtDesktop } from './build.ts';
import { buildPage } from './page.ts';
import { findRuntime } from './runtime.ts';

/** `npm run desktop`: builds the desktop application and starts it from a checkout. */

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

async function buildAll(): Promise<void> {
  await buildPage();
  await buildDesktop();
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

const runtime = await waitForRuntime();
if (runtime === undefined) {
  process.stderr.write(withoutRuntime);
  process.exitCode = 1;
} else {
  await buildAll();
  process.exitCode = await run(runtime, process.argv.slice(2));
}
