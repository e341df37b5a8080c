import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { ShellApi } from '../../electron/ipc/calls.ts';
import { type AnswerCall, createCalls } from '../../electron/ipc/calls.ts';
import { defaultSettings } from '../../electron/settings/desktop-settings.ts';
import { performInBackground } from '../../server/actions/background.ts';
import type { BridgeMessage, DesktopSettings, DesktopState } from '../../server/actions/bridge.ts';
import { problem } from '../../server/base/errors.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { listUsers } from '../../server/club/user-actions.ts';
import { createWindowKeys } from '../../server/http/window-keys.ts';
import type { ProblemCode } from '../../server/messages/message.ts';
import {
  openSharedPage,
  type PageOptions,
  resetPage,
  type SharedPage,
  showFragment,
} from './browser.ts';
import { makeFolder, removeFolder } from './home.ts';
import { openOnce } from './once.ts';
import { performHere } from './perform.ts';
import { type RunningService, startTestService } from './service.ts';

/** A desktop window around the page, whose dialogs a test answers: the calls are the real ones. */
export type DesktopPage = {
  readonly page: Page;
  readonly service: RunningService;
  readonly desk: DeskOfTest;
  /** Tells the page what the shell would. */
  send(message: BridgeMessage): Promise<void>;
};

/** The answers of the shell, which a test sets, and the requests of the page. */
type DeskOfTest = {
  settings: DesktopSettings;
  /** The files of the next dialog; empty if it is cancelled. */
  chosen: string[];
  /** Path that the next save dialog returns; undefined cancels it. */
  output: string | undefined;
  /** Files that were opened with the program. */
  opened: string[];
  /** The folder of dropped files; a drop contains only their names. */
  readonly folder: string;
  asked: string[];
  state: Partial<DesktopState>;
  /** The sentence with which settings are not changed. */
  refuse: ProblemCode | undefined;
  /** The dialog for another data directory; false when it is cancelled. */
  chooseHome: () => Promise<boolean>;
  /** The current state of the application. */
  read(): DesktopState;
};

/** The part of a desk that a test decides before the page is there. */
type GivenDesk = {
  readonly settings?: Partial<DesktopSettings>;
  readonly state?: Partial<DesktopState>;
  readonly opened?: readonly string[];
};

export type DesktopPageOptions = PageOptions & {
  readonly desk?: GivenDesk;
  /** Performs actions on a thread, as the shell does, for a test that lets one wait. */
  readonly onThread?: boolean;
};

const placeBeside = (fragment: string) =>
  /^#manage=(settings|clubs|about)$/.test(fragment)
    ? { fragment: '#manage=club-settings', sign: '.club-settings' }
    : { fragment: '#manage=settings', sign: '.setting-port' };

const secret = 'a secret of the tests';

function createState(home: Home, baseUrl: string, desk: DeskOfTest): DesktopState {
  return {
    settings: desk.settings,
    service: { kind: 'running', baseUrl, port: Number(new URL(baseUrl).port) },
    update: { kind: 'unavailable' },
    notices: [],
    home: { directory: home.directory, fixed: false },
    versions: { app: '0.1.0', electron: '45', chromium: '150', node: '24', sqlite: '3.50' },
    keyStore: 'system',
    platform: 'linux',
    ...desk.state,
  };
}

/** The desk of a test that has decided nothing more yet. */
function initialDesk({ settings, opened = [], state }: GivenDesk = {}, port: number) {
  return {
    settings: { ...defaultSettings, port, ...settings },
    chosen: [] as string[],
    output: undefined,
    opened: [...opened],
    asked: [] as string[],
    state: { ...state },
    refuse: undefined,
    chooseHome: async () => false,
  };
}

/** A desktop window for several tests. */
type SharedDesktopPage = DesktopPage &
  Omit<SharedPage, 'page'> & {
    /** Resets the answers to those of the test and forgets the requests. */
    reset(desk?: GivenDesk): Promise<void>;
  };

/** Opens the page of a home as the desktop window does, for as long as is wanted. */
export async function openSharedDesktopPage(
  browser: Browser,
  home: Home,
  { desk: given, onThread = false, ...options }: DesktopPageOptions = {},
): Promise<SharedDesktopPage> {
  const service = await startTestService(home, { windowSecret: secret });
  const folder = makeFolder();
  const test: DeskOfTest = {
    ...initialDesk(given, service.port),
    folder,
    read: () => createState(home, service.baseUrl, test),
  };
  let page: Page | undefined;
  const send = async (message: BridgeMessage): Promise<void> => {
    const heard = page?.evaluate((told) => {
      (globalThis as unknown as { __tell: (message: unknown) => void }).__tell(told);
    }, message);
    await heard?.catch((error: unknown) => {
      // The window may have been closed in the meantime, or load a page, which asks for the state itself.
      const isLoading = /context was destroyed/.test(String(error));
      if (!isLoading && page?.isClosed() !== true) throw error;
    });
  };
  const changed = () => void send({ kind: 'state', state: test.read() });
  const desk: ShellApi = {
    perform: (name, args, more) =>
      (onThread ? performInBackground : performHere)(name, args, { home, ...more }),
    listUsers: () => listUsers({}, { home }),
    windowKeys: createWindowKeys(secret),
    // The page may be closed already.
    send: (message) => void send(message).catch(() => undefined),
    report: (error) => {
      throw error;
    },
    pastedTexts: join(folder, 'pasted'),
    chooseFiles: async () => test.chosen.splice(0),
    chooseBackup: async () => test.chosen.shift(),
    chooseBackupFolder: async () => test.chosen.shift(),
    chooseOutput: async (name) => {
      test.asked.push(`save ${name}`);
      return test.output;
    },
    savePdf: async (path) => void test.asked.push(`pdf ${path}`),
    takeOpened: () => test.opened.splice(0),
    state: test.read,
    changeSettings: async (change) => {
      if (test.refuse !== undefined) throw problem(test.refuse);
      test.settings = { ...test.settings, ...change };
      changed();
    },
    chooseHome: () => test.chooseHome(),
    openFile: (path) => void test.asked.push(`open ${path}`),
    showFolder: async (folder) => void test.asked.push(`folder ${folder}`),
    writeMail: async (subject, text) => {
      test.asked.push(`mail ${subject}\n${text}`);
      return text.length < 1_500;
    },
    openLink: async (url) => {
      test.asked.push(`link ${url}`);
      return true;
    },
    confirmHost: async (host) => {
      test.asked.push(`host ${host}`);
      return true;
    },
    checkForUpdate: async () => {
      test.asked.push('check');
      return test.read().update;
    },
    installUpdate: () => void test.asked.push('install'),
    readLicences: () => 'MIT License',
  };
  const { answers } = createCalls(desk);
  const opened = await openSharedPage(browser, service, {
    ...options,
    beforeLoad: async (blank) => {
      page = blank;
      await exposeBridge(blank, answers, folder);
      await options.beforeLoad?.(blank);
    },
  });
  return {
    ...opened,
    service,
    desk: test,
    send,
    async reset(next = given) {
      const settings = { club: test.settings.club, ...next?.settings };
      Object.assign(test, initialDesk({ ...next, settings }, service.port));
      await send({ kind: 'state', state: test.read() });
    },
    close: () =>
      opened
        .close()
        .finally(() => service.close())
        .finally(() => removeFolder(folder)),
  };
}

/** Opens the page of a home as the desktop window does, for the running test. */
export async function openDesktopPage(
  ...of: Parameters<typeof openSharedDesktopPage>
): Promise<DesktopPage> {
  const opened = await openSharedDesktopPage(...of);
  onTestFinished(opened.close);
  return opened;
}

/** Goes from the events to a management screen, as a person does. */
export async function openScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings…' }).click();
  await page.getByRole('navigation').getByRole('button', { name, exact: true }).click();
}

/** A desktop window that tests share. */
export type SharedDesktop = {
  /** The home while tests run. */
  readonly home: Home;
  /** Leads the window, for the running test, to a fragment, and to a club when one is named. */
  show(
    fragment?: string,
    more?: { readonly club?: string; readonly desk?: GivenDesk },
  ): Promise<DesktopPage & { readonly home: Home }>;
};

/** Opens one desktop window for tests that leave it as they found it, but for the place. */
export function shareDesktop(
  browser: { readonly current: Browser },
  prepare: (home: Home) => Promise<unknown>,
  options: DesktopPageOptions = {},
): SharedDesktop {
  const shared = openOnce(async () => {
    const root = makeFolder();
    const home = homeAt(join(root, 'home'));
    await prepare(home);
    const opened = await openSharedDesktopPage(browser.current, home, options);
    // A club that is added while the clubs are read may be missing from the list.
    await opened.page.locator('.club-menu-button').waitFor();
    const close = () => opened.close().finally(() => removeFolder(root));
    return { ...opened, home, close };
  });
  return {
    async show(fragment = '', { club, desk } = {}) {
      const { page, check, reset } = shared.current;
      onTestFinished(check);
      await reset(desk);
      const goTo = (next: string) => showFragment(page, next, { by: placeBeside(next), options });
      if (club !== undefined) {
        await resetPage(page, options);
        await page.evaluate(() => location.assign('#'));
        await page.locator('.club-menu-button').click();
        await page.getByRole('menuitemradio', { name: club, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: club, exact: true }).waitFor();
      }
      await goTo(fragment);
      return shared.current;
    },
    get home() {
      return shared.current.home;
    },
  };
}

/** Puts `clubEvents` in place, as the preload does. */
async function exposeBridge(
  page: Page,
  answers: Readonly<Record<string, AnswerCall>>,
  folder: string,
): Promise<void> {
  // As text: Playwright takes a long answer apart in the page far slower than Electron hands it over.
  await page.exposeFunction('__call', async (name: string, args: unknown) =>
    JSON.stringify(await answers[name]?.(args)),
  );
  await page.addInitScript(
    ({ names, from }) => {
      const own = globalThis as unknown as {
        __call: (name: string, args: unknown) => Promise<string>;
        __tell: (message: unknown) => void;
        clubEvents: object;
      };
      const listeners = new Set<(message: unknown) => void>();
      const call = async (name: string, args: unknown): Promise<unknown> =>
        JSON.parse(await own.__call(name, args));
      own.__tell = (message) => {
        for (const listener of listeners) listener(message);
      };
      own.clubEvents = {
        ...Object.fromEntries(names.map((name) => [name, (args: unknown) => call(name, args)])),
        takeDropped: (files: readonly { name: string }[]) =>
          call('takeDropped', { paths: files.map(({ name }) => `${from}/${name}`) }),
        listen: (listener: (message: unknown) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      };
    },
    { names: Object.keys(answers).filter((name) => name !== 'takeDropped'), from: folder },
  );
}
