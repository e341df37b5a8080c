import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, CDPSession, Download, Frame, Page } from 'playwright-core';
import type { ElectronAnswers, FrameOfCall, PageEvent, WindowOptions } from '../contract.ts';
import type { Ask } from '../wire.ts';
import { watchNavigation } from './navigation.ts';
import { settlePermissions } from './permissions.ts';
import { toChromium, toElectron } from './scheme.ts';
import { askName, installWorld, openName, type World, worldName } from './world.ts';

/** The page behind a `BrowserWindow`. */
export type FakeWindow = {
  readonly page: Page;
  load(url: string): Promise<string | undefined>;
  send(channel: string, args: readonly unknown[]): Promise<void>;
  /** Calls the main process as a script in this frame would that had Electron's own means. */
  invokeFrom(frame: Frame, channel: string, args: readonly unknown[]): Promise<unknown>;
  /** Tells the page's preload where a file came from that is in an input of files. */
  setPaths(input: string): Promise<void>;
};

function scriptOf(preload: string | undefined): string {
  const source = preload === undefined ? '' : readFileSync(preload, 'utf8');
  const names = JSON.stringify({ world: worldName, ask: askName, open: openName });
  return `(${installWorld})(${names}, function (require, module, exports) {${source}\n});`;
}

async function saveDownload(
  download: Download,
  window: number,
  ask: Ask<ElectronAnswers>,
): Promise<void> {
  const [url, name] = [toElectron(download.url()), download.suggestedFilename()];
  const path = await ask('download', { window, url, name });
  await (path === undefined ? download.cancel() : download.saveAs(path));
}

function sendEvents(page: Page, tell: (event: PageEvent) => void): void {
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) tell('navigated');
  });
  page.on('load', () => tell('loaded'));
  page.on('crash', () => tell('crashed'));
  page.on('close', () => tell('closed'));
}

async function setPaths(page: Page, cdp: CDPSession, input: string): Promise<void> {
  const expression = `[...document.querySelector(${JSON.stringify(input)}).files]`;
  const { result } = await cdp.send('Runtime.evaluate', { expression });
  const list = await cdp.send('Runtime.getProperties', {
    objectId: result.objectId ?? '',
    ownProperties: true,
  });
  const files = list.result.filter(({ name }) => /^\d+$/.test(name));
  const paths = await Promise.all(
    files.map(async ({ value }) => {
      const { path } = await cdp.send('DOM.getFileInfo', { objectId: value?.objectId ?? '' });
      return path;
    }),
  );
  await page.evaluate(
    ([name, selector, known]) => {
      const world = Reflect.get(globalThis, Symbol.for(name)) as World;
      const chosen = document.querySelector<HTMLInputElement>(selector)?.files ?? [];
      known.forEach((path, index) => {
        const file = chosen[index];
        if (file !== undefined) world.paths.set(file, path);
      });
    },
    [worldName, input, paths] as const,
  );
}

/** Opens the page of a window in a context, with the preload in place. */
export async function openWindow(
  browser: Browser,
  context: BrowserContext,
  { window, width, height, preload }: WindowOptions,
  ask: Ask<ElectronAnswers>,
): Promise<FakeWindow> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const whole = await browser.newBrowserCDPSession();
  // The browser may go with the page.
  page.on('close', () => void whole.detach().catch(() => undefined));
  const invokeFrom = (frame: Frame, channel: string, args: readonly unknown[]) => {
    const from: FrameOfCall = { isMain: frame === page.mainFrame(), url: toElectron(frame.url()) };
    return ask('invoke', { window, frame: from, channel, args });
  };
  const mayOpen = (url: string) => ask('mayOpen', { window, url: toElectron(url) });
  // First, so that they are there when the script below looks for them.
  await page.exposeBinding(askName, ({ frame }, channel: string, args: unknown[]) =>
    invokeFrom(frame, channel, args),
  );
  await page.exposeBinding(openName, (_source, url: string) => mayOpen(url));
  await page.addInitScript({ content: scriptOf(preload) });
  await page.setViewportSize({ width, height });
  const load = await watchNavigation(
    cdp,
    page,
    (request) => ask('mayNavigate', { window, ...request }),
    ({ url, method, headers }) => ask('fetch', { url, method, headers }),
  );
  // What the script in the page does not stop, such as a click with Ctrl.
  cdp.on('Page.windowOpen', ({ url }) => void mayOpen(url));
  page.on('popup', (popup) => void popup.close());
  page.on('download', (download) => void saveDownload(download, window, ask));
  sendEvents(page, (event) => void ask('happened', { window, event, url: toElectron(page.url()) }));
  await cdp.send('Page.enable');
  return {
    page,
    async load(url) {
      const { href, origin } = new URL(toChromium(url));
      await settlePermissions(whole, cdp, origin, (permission) =>
        ask('mayUse', { window, permission, origin: toElectron(origin) }),
      );
      return load(href);
    },
    invokeFrom,
    setPaths: (input) => setPaths(page, cdp, input),
    send: (channel, args) =>
      page.evaluate(
        ([name, to, given]) => {
          const world = Reflect.get(globalThis, Symbol.for(name)) as World | undefined;
          world?.receive(to, given);
        },
        [worldName, channel, args] as const,
      ),
  };
}
