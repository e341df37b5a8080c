import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pageOrigin } from '../../../electron/ipc/origin.ts';
import { launchBrowser } from '../../support/browser.ts';
import { hostWindows } from '../fake/chromium/host.ts';
import { toChromium } from '../fake/chromium/scheme.ts';
import type { FakeWindow } from '../fake/chromium/window.ts';
import {
  compileCache,
  type FakeOptions,
  optionsVariable,
  type SecondStart,
} from '../fake/contract.ts';
import { keepOutput, type Runtime, type RuntimeOptions } from './runtime.ts';

const start = join(import.meta.dirname, '../fake/start.ts');
const hooks = join(import.meta.dirname, '../fake/hooks.ts');
const recorder = join(import.meta.dirname, 'recorder.cjs');
const electronManifest = join(import.meta.dirname, '../../../node_modules/electron/package.json');

const readVersion = (manifest: string): string =>
  JSON.parse(readFileSync(manifest, 'utf8')).version;

let browser: Promise<Browser> | undefined;

/**
 * Starts Chromium for all programs under the fake in this worker process, where it is there before
 * any of them. Playwright stops it when the worker exits.
 */
async function startChromium(): Promise<Browser> {
  if (!(await browser)?.isConnected()) browser = launchBrowser();
  return browser as Promise<Browser>;
}

export async function stopChromium(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** The programs that run, by their folder of user data: a second start is told to the first. */
const running = new Map<string, (start: SecondStart) => void>();

function startProgram(
  { application, userData, args, env, locale, packaged, display }: RuntimeOptions,
  chromium: string,
): ChildProcess {
  if (application === undefined) throw new Error('The fake runs an application in a folder.');
  const { main } = JSON.parse(readFileSync(join(application, 'package.json'), 'utf8'));
  const electron = readVersion(electronManifest);
  const options: FakeOptions = {
    userData,
    appPath: application,
    packaged,
    display,
    locale,
    electron,
    chromium,
  };
  const program = ['--import', hooks, '--import', recorder, start, join(application, main)];
  return spawn(process.execPath, [...program, ...args], {
    cwd: userData,
    env: {
      ...env,
      NODE_COMPILE_CACHE: compileCache,
      [optionsVariable]: JSON.stringify(options),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** The folder of user data keeps what pages store, as Electron's does. */
function storageOf(userData: string): string {
  return join(userData, 'local-storage.json');
}

function openContext(
  chromium: Browser,
  { userData, locale }: RuntimeOptions,
): Promise<BrowserContext> {
  const storage = storageOf(userData);
  return chromium.newContext({
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...(existsSync(storage) && { storageState: storage }),
  });
}

/** Starts the program under the fake. */
export async function launchFake(options: RuntimeOptions): Promise<Runtime> {
  const { userData } = options;
  const chromium = await startChromium();
  mkdirSync(userData, { recursive: true });
  const context = await openContext(chromium, options);
  const startedAt = performance.now();
  const child = startProgram(options, chromium.version());
  const opened: ((page: Page) => void)[] = [];
  const pages: Page[] = [];
  const host = hostWindows(
    {
      // One that ended meanwhile hears nothing any more.
      send: (message) => void child.send(message as object, () => undefined),
      listen: (hear) => void child.on('message', hear),
    },
    chromium,
    context,
    {
      onWindow: (window) => void window.then(({ page }) => keep(page)),
      notifyFirst: (start) => running.get(start.userData)?.(start),
    },
  );
  function keep(page: Page): void {
    pages.push(page);
    page.on('close', () => void pages.splice(pages.indexOf(page), 1));
    for (const tell of opened.splice(0)) tell(page);
  }
  const first = (start: SecondStart) => void host.ask('startedAgain', start);
  if (!running.has(userData)) running.set(userData, first);

  const output = keepOutput(child);
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('exit', async (code, signal) => {
      if (running.get(userData) === first) running.delete(userData);
      if (existsSync(userData)) {
        writeFileSync(storageOf(userData), JSON.stringify(await context.storageState()));
      }
      await context.close();
      resolve(signal ?? code);
    });
  });
  const newest = (): Promise<FakeWindow> | undefined => [...host.windows.values()].at(-1);
  return {
    kind: 'fake',
    pageOrigin: toChromium(pageOrigin),
    pid: child.pid ?? 0,
    startedAt,
    ended,
    page: () => pages.at(-1),
    nextPage: () => new Promise((resolve) => opened.push(resolve)),
    evaluate: (run, ...[arg]) => host.ask('evaluate', { source: String(run), arg }) as never,
    ...output,
    kill: () => void child.kill('SIGKILL'),
    setPaths: async (input) => (await newest())?.setPaths(input),
    invokeFrom: async (frame, channel, args) => (await newest())?.invokeFrom(frame, channel, args),
  };
}
