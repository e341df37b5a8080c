import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { beforeAll, onTestFinished, type TestContext } from 'vitest';
import { openOnce } from './once.ts';
import { patience } from './patience.ts';

/** The first numbers of a version of Electron and of the Chromium that it contains. */
export const electronChromium = { electron: 45, chromium: 156 } as const;

/** Chromium and Chrome as people install them. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns whether a program is there, and a Chromium of Electron's version. */
function isOfElectron(path: string): boolean {
  if (!existsSync(path)) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return new RegExp(`\\b${electronChromium.chromium}\\.\\d`).test(stdout);
}

/**
 * Unpacks a package's Chromium once for each account and version. The package alone would share the
 * file among all accounts, and run the program of another one.
 */
async function unpackChromium(): Promise<string> {
  const { uid } = userInfo();
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  const version = manifest.devDependencies['@sparticuz/chromium'];
  const folder = join(tmpdir(), `club-events-chromium-${version}-${uid}`);
  if (!existsSync(folder)) {
    const unfinished = mkdtempSync(`${folder}-`);
    const { TMPDIR } = process.env;
    try {
      // The package unpacks into the folder for temporary files.
      process.env['TMPDIR'] = unfinished;
      const { default: packaged } = await import('@sparticuz/chromium');
      await packaged.executablePath();
      renameSync(unfinished, folder);
    } catch (error) {
      // Another worker may have finished first.
      if (!existsSync(folder)) throw error;
      rmSync(unfinished, { recursive: true, force: true });
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
  }
  if (lstatSync(folder).uid !== uid) throw new Error(`${folder} belongs to another account.`);
  return join(folder, 'chromium');
}

/** Returns a Chromium of Electron's version where one is installed, otherwise a package's. */
export async function findBrowser(candidates: readonly string[] = installed): Promise<string> {
  return candidates.find(isOfElectron) ?? (await unpackChromium());
}

/** The browser of this worker process. */
let executable: Promise<string> | undefined;

function testedBrowser(): Promise<string> {
  executable ??= Promise.resolve(process.env['TEST_BROWSER'] ?? findBrowser());
  return executable;
}

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

export async function launchBrowser(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: await testedBrowser(), args: [...args, ...more] });
}

/** Starts a browser that keeps its data in a folder, as a user's browser does. */
export async function launchWithProfile(folder: string): Promise<BrowserContext> {
  const executablePath = await testedBrowser();
  return chromium.launchPersistentContext(folder, { executablePath, args, locale: 'en-GB' });
}

/** The desktop application in whose windows the tests of the page run; a browser without one. */
const application = process.env['PAGE_APPLICATION'];

async function launchApplication(program: string): Promise<Browser> {
  // No literal, as the driver of the desktop is compiled with the types of a page.
  const driver = '../electron/driver/page-application.ts';
  const { launchApplication: launch } = (await import(driver)) as {
    launchApplication: typeof launchApplication;
  };
  return launch(program);
}

/** The running one, which the files of this process share. */
let running: Browser | undefined;

/**
 * Provides a browser for the tests of a file. The files of a worker share it, in separate contexts.
 * Tests must not close it; Playwright does when the worker exits.
 */
export function sharedBrowser(): { readonly current: Browser } {
  beforeAll(async () => {
    if (!running?.isConnected()) running = await launchBrowser();
  });
  return {
    get current() {
      if (running === undefined) throw new Error('The browser is open only while tests run.');
      return running;
    },
  };
}

/** Provides a browser, or the application that takes its place, for the tests of a file. */
export function testBrowser(): { readonly current: Browser } {
  return application === undefined
    ? sharedBrowser()
    : openOnce(() => launchApplication(application));
}

/** Opens a second tab of the same browser; skips the running test in the application. */
export function openTab(page: Page, test: TestContext): Promise<Page> {
  if (application !== undefined) test.skip('the application has no tabs');
  return page.context().newPage();
}

/** Records forbidden acts of a page: errors, and requests to other origins. */
export function faultsOf(page: Page, isOwnOrigin: (origin: string) => boolean): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const isRefusal = /Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = isOwnOrigin(url.origin) || url.protocol === 'blob:' || url.protocol === 'data:';
    if (!isOwn) faults.push(`request to ${url.origin}`);
  });
  return faults;
}

/** The size of a page unless a test says otherwise. */
const wide = { width: 1280, height: 800 };

export type PageOptions = BrowserContextOptions & {
  readonly key?: string;
  readonly fragment?: string;
  /** The one kind of fault that is to be expected. */
  readonly mayFail?: RegExp;
  /** Called before the page is loaded. */
  readonly beforeLoad?: (page: Page) => Promise<unknown>;
};

/** A page for several tests. */
export type SharedPage = {
  readonly page: Page;
  /** Throws if the page did something forbidden since the last call. */
  check(): void;
  /** Closes the page, and throws when it was at fault. */
  close(): Promise<void>;
};

const pageTimeZone = 'Europe/Berlin';

/** Returns the present day on a page, as YYYY-MM-DD. It differs from that in UTC for an hour or two. */
export function pageToday(): string {
  return new Intl.DateTimeFormat('sv', { timeZone: pageTimeZone }).format(new Date());
}

/** Opens a page like `openPage`, but the caller closes it. */
export async function openSharedPage(
  browser: Browser,
  { baseUrl }: { readonly baseUrl: string },
  { key, fragment = '', mayFail, beforeLoad, ...options }: PageOptions = {},
): Promise<SharedPage> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: pageTimeZone,
    viewport: wide,
    // Transitions have neither their final place nor colours yet.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = faultsOf(page, (origin) => origin === new URL(baseUrl).origin);
  if (key !== undefined) {
    // As after a sign-in: what belongs to the tab alone.
    await page.addInitScript((text) => sessionStorage.setItem('club-events-key', text), key);
  }
  await beforeLoad?.(page);
  await page.goto(`${baseUrl}/${fragment}`);
  const check = () => {
    const unexpected = faults.splice(0).filter((fault) => !mayFail?.test(fault));
    if (unexpected.length > 0) throw new Error(`The page is at fault: ${unexpected.join('; ')}`);
  };
  return {
    page,
    check,
    async close() {
      await context.close();
      check();
    },
  };
}

/**
 * Opens the page of a service for the running test, in a context of its own. The test fails when
 * the page throws, breaks its content security policy, or asks another machine for anything.
 */
export async function openPage(...of: Parameters<typeof openSharedPage>): Promise<Page> {
  const { page, close } = await openSharedPage(...of);
  onTestFinished(close);
  return page;
}

/** A place of a page, and a selector for what is seen there alone. */
type KnownPlace = { readonly fragment: string; readonly sign: string };

/** Removes the routes, the size, the media, the pointer and the overlays of the last test. */
export async function resetPage(page: Page, options: PageOptions): Promise<void> {
  await page.unrouteAll();
  await page.emulateMedia({ media: null, colorScheme: 'light', forcedColors: 'none' });
  await page.setViewportSize(options.viewport ?? wide);
  await page.mouse.move(0, 0);
  await page.keyboard.press('Escape');
}

/**
 * Navigates a shared page to a fragment by way of another one, so that every view is created again
 * and only stored data is left of the last test. The options are those of its opening.
 */
export async function showFragment(
  page: Page,
  fragment: string,
  { by, options }: { readonly by: KnownPlace; readonly options: PageOptions },
): Promise<void> {
  const goTo = (next: string) => page.evaluate(`location.assign(${JSON.stringify(next || '#')})`);
  await resetPage(page, options);
  await goTo(by.fragment);
  await page.locator(by.sign).first().waitFor();
  await page.evaluate('document.activeElement?.blur()');
  await goTo(fragment);
  await page.locator(by.sign).first().waitFor({ state: 'detached' });
}

/** Gives a page a clock that a test can set forward; for `beforeLoad`. */
export function installClock(page: Page): Promise<void> {
  return page.clock.install();
}

/** Brings a page with such a clock to its next reading, for which it would pause some seconds. */
export function passPause(page: Page): Promise<void> {
  return page.clock.fastForward(6_000);
}

/** Makes the page read the events at once, as when its user returns to it. */
export async function readAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

/** The fragment of a page's address, as it is read. `page.url()` may be a step behind the page. */
export async function fragmentOf(page: Page): Promise<string> {
  return decodeURIComponent(await page.evaluate<string>('location.hash'));
}

/** Chooses an entry of the open menu with the keyboard. */
export async function pressItem(page: Page, name: string | RegExp): Promise<void> {
  // The menu takes the focus after it opened: a key pressed before would reach another entry.
  await page.locator('[role=menu]:focus-within').waitFor();
  await page.getByRole('menuitem', { name }).press('Enter');
}
