import type { Browser, BrowserContext } from 'playwright-core';
import type { ChromiumAnswers, ElectronAnswers, SecondStart } from '../contract.ts';
import { type Ask, connect, type Port } from '../wire.ts';
import { type FakeWindow, openWindow } from './window.ts';

type Host = {
  readonly ask: Ask<ElectronAnswers>;
  /** The windows that are open, the last one last. */
  readonly windows: ReadonlyMap<number, Promise<FakeWindow>>;
};

const colorSchemes = { system: null, light: 'light', dark: 'dark' } as const;

/** Gives a program that runs on the fake its windows, in a context of their own. */
export function hostWindows(
  port: Port,
  browser: Browser,
  context: BrowserContext,
  {
    onWindow,
    notifyFirst,
  }: {
    readonly onWindow: (window: Promise<FakeWindow>) => void;
    readonly notifyFirst: (start: SecondStart) => void;
  },
): Host {
  const windows = new Map<number, Promise<FakeWindow>>();
  let colorScheme: 'light' | 'dark' | null = null;

  async function windowOf(id: number): Promise<FakeWindow> {
    const window = await windows.get(id);
    if (window === undefined) throw new Error(`There is no window ${id}.`);
    return window;
  }

  const answers: ChromiumAnswers = {
    async openWindow(options) {
      const opening = openWindow(browser, context, options, ask);
      windows.set(options.window, opening);
      onWindow(opening);
      await (await opening).page.emulateMedia({ colorScheme });
    },
    async closeWindow({ window }) {
      const { page } = await windowOf(window);
      windows.delete(window);
      await page.close();
    },
    load: async ({ window, url }) => (await windowOf(window)).load(url),
    send: async ({ window, channel, args }) => (await windowOf(window)).send(channel, args),
    print: async ({ window, ...options }) => (await windowOf(window)).page.pdf(options),
    resize: async ({ window, ...size }) => (await windowOf(window)).page.setViewportSize(size),
    async showTheme(theme) {
      colorScheme = colorSchemes[theme];
      for (const window of windows.values()) {
        await (await window).page.emulateMedia({ colorScheme });
      }
    },
    notifyFirst,
  };
  const ask = connect<ElectronAnswers>(port, answers);
  return { ask, windows };
}
