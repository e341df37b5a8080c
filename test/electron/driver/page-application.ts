import { join } from 'node:path';
import process from 'node:process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { builtDesktop } from '../../../electron/packaging/build.ts';
import { makeFolder, removeFolder } from '../../support/home.ts';
import { launchElectron } from './electron-runtime.ts';
import { launchFake, stopChromium } from './fake-runtime.ts';
import type { Runtime, RuntimeOptions } from './runtime.ts';

const timeZone = 'Europe/Berlin';

function launch(program: string, folder: string): Promise<Runtime> {
  const options: RuntimeOptions = {
    application: program === 'fake' ? builtDesktop : undefined,
    userData: join(folder, 'user data'),
    args: [],
    env: {
      ...(process.env as Readonly<Record<string, string>>),
      HOME: folder,
      TZ: timeZone,
      CLUB_EVENTS_HOME: join(folder, 'home'),
    },
    locale: 'en-GB',
    packaged: true,
    display: true,
    driven: true,
  };
  return program === 'fake' ? launchFake(options) : launchElectron(program, options);
}

type NewWindow = { readonly partition: string; readonly width: number; readonly height: number };

/** Opens a window without the bridge, which shows the page as a browser does. */
function openWindow({ BrowserWindow }: typeof Electron.CrossProcessExports, of: NewWindow): void {
  const { partition, ...size } = of;
  const webPreferences = { partition, backgroundThrottling: false };
  const { webContents } = new BrowserWindow({ ...size, useContentSize: true, webPreferences });
  // The guards know the application's own service, and not those of the tests.
  webContents.removeAllListeners('will-navigate');
  webContents.removeAllListeners('will-frame-navigate');
  webContents.removeAllListeners('will-redirect');
  webContents.session.setPermissionCheckHandler(null);
  webContents.session.setPermissionRequestHandler(null);
  webContents.session.removeAllListeners('will-download');
}

/** Applies the options of a browser context to a page, because Electron has no contexts. */
async function applyOptions(page: Page, options: BrowserContextOptions): Promise<void> {
  const { locale, timezoneId, viewport, reducedMotion, permissions: _granted, ...others } = options;
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new Error(`Windows of the application have no ${unknown}.`);
  const cdp = await page.context().newCDPSession(page);
  // Chromium refuses a second override, also of the same value.
  if (locale && locale !== 'en-GB') await cdp.send('Emulation.setLocaleOverride', { locale });
  if (timezoneId && timezoneId !== timeZone) {
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId });
  }
  if (viewport) await page.setViewportSize(viewport);
  if (reducedMotion) await page.emulateMedia({ reducedMotion });
}

/**
 * Starts an application, by the path of a packaged program that takes debuggers, or `fake`. Its
 * windows take the place of a browser's contexts.
 */
export async function launchApplication(program: string): Promise<Browser> {
  const folder = makeFolder();
  const runtime = await launch(program, folder);
  // Its own window, which must not be taken for one of a test.
  if (runtime.page() === undefined) await runtime.nextPage();
  let opened = 0;
  const application = {
    async newContext(options: BrowserContextOptions = {}) {
      opened += 1;
      const page = runtime.nextPage();
      const { width = 1280, height = 800 } = options.viewport ?? {};
      await runtime.evaluate(openWindow, { partition: `test ${opened}`, width, height });
      await applyOptions(await page, options);
      return {
        setDefaultTimeout: async (ms: number) => (await page).setDefaultTimeout(ms),
        newPage: () => page,
        close: async () => (await page).close(),
      };
    },
    async close() {
      runtime.kill();
      await runtime.ended;
      await stopChromium();
      removeFolder(folder);
    },
  };
  return application as unknown as Browser;
}
