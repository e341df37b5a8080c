import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { _electron, type Page } from 'playwright-core';
import { pageOrigin } from '../../../electron/ipc/origin.ts';
import { keepOutput, type Runtime, type RuntimeOptions } from './runtime.ts';

const electronPackage = join(import.meta.dirname, '../../../node_modules/electron');
const recorder = join(import.meta.dirname, 'recorder.cjs');

/**
 * Returns the path of Electron's program where it is on this machine. The package is looked at and
 * never imported, as an import downloads the runtime. Throws where `DESKTOP_RUNTIME` is `electron`
 * and the runtime is missing.
 */
export function findElectron(): string | undefined {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const folder = override ?? join(electronPackage, 'dist');
  const note = join(electronPackage, 'path.txt');
  const name = existsSync(note) ? readFileSync(note, 'utf8') : 'electron';
  const path = join(folder, name);
  if (existsSync(path)) return path;
  if (process.env['DESKTOP_RUNTIME'] !== 'electron') return undefined;
  throw new Error(`DESKTOP_RUNTIME asks for Electron, which is not at ${path}.`);
}

/** Says in a sentence which runtime the desktop tests run under. */
export function runtimeNotice(): string {
  const found = findElectron();
  if (found !== undefined) return `Desktop tests run under Electron: ${found}`;
  return 'Desktop tests run under the fake for Electron, whose runtime is not on this machine.';
}

function argumentsFor({ application, userData, args, locale }: RuntimeOptions): string[] {
  const own = application === undefined ? [] : ['-r', recorder, application];
  return [`--user-data-dir=${userData}`, `--lang=${locale}`, ...own, ...args];
}

function whenEnded(child: ChildProcess): Runtime['ended'] {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
}

/** On Windows the program is a child of the shell that Playwright starts. */
function killTree(child: ChildProcess): void {
  if (process.platform === 'win32') spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)]);
  else child.kill('SIGKILL');
}

// Chromium refuses its sandbox to root.
const hasSandbox = process.getuid?.() !== 0;

/** Starts the program without a debugger, which a program that ends by itself does not wait for. */
function startElectron(executablePath: string, options: RuntimeOptions): Runtime {
  const startedAt = performance.now();
  const sandbox = hasSandbox ? [] : ['--no-sandbox'];
  const child = spawn(executablePath, [...sandbox, ...argumentsFor(options)], {
    env: { ...options.env },
    cwd: options.userData,
  });
  const notDriven = async () => {
    throw new Error('This start of the program is not driven.');
  };
  return {
    kind: 'Electron',
    pageOrigin,
    pid: child.pid ?? 0,
    startedAt,
    ended: whenEnded(child),
    page: () => undefined,
    nextPage: notDriven,
    evaluate: notDriven,
    ...keepOutput(child),
    kill: () => void child.kill('SIGKILL'),
    setPaths: notDriven,
  };
}

/** Starts the program under Electron's own runtime. */
export async function launchElectron(
  executablePath: string,
  options: RuntimeOptions,
): Promise<Runtime> {
  if (!options.driven) return startElectron(executablePath, options);
  const startedAt = performance.now();
  const app = await _electron.launch({
    executablePath,
    args: argumentsFor(options),
    env: { ...options.env },
    cwd: options.userData,
    chromiumSandbox: hasSandbox,
  });
  const child = app.process();
  const pages: Page[] = [];
  const keep = (page: Page) => {
    pages.push(page);
    page.on('close', () => void pages.splice(pages.indexOf(page), 1));
  };
  app.windows().forEach(keep);
  app.on('window', keep);
  return {
    kind: 'Electron',
    pageOrigin,
    pid: await app.evaluate(() => process.pid),
    startedAt,
    ended: whenEnded(child),
    page: () => pages.at(-1),
    nextPage: () => app.waitForEvent('window'),
    evaluate: (run, ...arg) => app.evaluate(run as never, arg[0]) as never,
    ...keepOutput(child),
    kill: () => killTree(child),
    setPaths: async () => undefined,
  };
}
