import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { BridgeMessage, MenuScreen } from '../../server/actions/bridge.ts';
import type { Language } from '../../server/messages/messages.ts';
import { sendToPage } from '../ipc/bridge.ts';
import { pageOrigin } from '../ipc/origin.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';
import { securePreferences } from './guards.ts';
import { showContextMenu } from './menu.ts';
import { defaultWindowSize, hideWindow, minWindowSize, restoreBounds } from './window-bounds.ts';

/** Decisions and events that the window leaves to its owner. */
export type WindowListeners = {
  /** Returns whether the window may really close, as during shutdown. */
  readonly mayClose: () => boolean;
  /** Resolves with whether closing the window only hides it. Otherwise it quits the program. */
  readonly hidesOnClose: () => Promise<boolean>;
  readonly onHidden: () => void;
  readonly onClosed: () => void;
  /** Called when the page has crashed too often to be loaded again. */
  readonly onCrashLoop: () => void;
  /** Returns work that the end of the session would undo, and a title that says so. */
  readonly unfinishedWork: () => UnfinishedWork | undefined;
  /** Called when the session of the user ends, which also ends the program. */
  readonly onSessionEnd: () => void;
};

type UnfinishedWork = { readonly title: string; readonly ended: Promise<unknown> };

type WindowOptions = WindowListeners & {
  /** The file with the bounds of the window. */
  readonly file: string;
  /** The base URL of the service; undefined unless it is running. */
  readonly baseUrl: () => string | undefined;
  readonly language: () => Language;
  readonly report: (error: unknown) => void;
};

/** The only window of the program, created when it is first shown. */
export type MainWindow = {
  readonly window: () => BrowserWindow | undefined;
  /** Brings the window to the front, or creates it; the service must be running in that case. */
  show(): void;
  /** Loads the page if it waits for the service. */
  loadWaiting(): void;
  /** Reloads a page that has crashed too often. */
  reload(): void;
  /** Shows a screen, now or once the page has loaded. */
  navigate(screen: MenuScreen): void;
  /** Sends a message to the page; does nothing until the page has loaded. */
  send(message: BridgeMessage): void;
};

const backgrounds = { light: '#ffffff', dark: '#242424' };

/** Delay before a window is shown without its page, in milliseconds. */
const showAfter = 5_000;

function createBrowserWindow(file: string): BrowserWindow {
  const { maximized = false, ...bounds } = readBounds(file) ?? {};
  const created = new BrowserWindow({
    ...defaultWindowSize,
    ...bounds,
    minWidth: minWindowSize.width,
    minHeight: minWindowSize.height,
    show: false,
    title: 'Club Events',
    icon: join(import.meta.dirname, '../icons/window.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: securePreferences(join(import.meta.dirname, '../ipc/preload.cjs')),
  });
  const show = () => {
    clearTimeout(waiting);
    if (created.isDestroyed()) return;
    // Only now, because it shows the window as well.
    if (maximized) created.maximize();
    created.show();
  };
  // With a broken graphics driver, the page may never be ready.
  const waiting = setTimeout(show, showAfter);
  created.once('ready-to-show', show);
  return created;
}

function readBounds(file: string) {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  try {
    return restoreBounds(readJsonFile(file), areas);
  } catch {
    // A broken file: use the default bounds.
    return undefined;
  }
}

/** Delay before a page that failed to load is loaded again, in milliseconds. */
const reloadAfter = 1_000;

/** Delays before a page is loaded again after each crash, in milliseconds; then it is not. */
const crashPauses = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Time without a crash after which their count starts again, in milliseconds. */
const steadyAfter = 60_000;

/** Chromium's code for a load that another one has replaced (ERR_ABORTED). */
const abortedLoad = -3;

/** Returns the address of a screen in the page. */
function addressOf(screen: NonNullable<MenuScreen>): string {
  if (screen === 'newEvent') return '#form=new';
  return screen === 'print' ? '#print=list' : `#manage=${screen}`;
}

function hashOf(address: string): string {
  return URL.parse(address)?.hash ?? '';
}

/** Shows work in the title, by which Windows lists programs that keep the session from ending. */
function showWork(window: BrowserWindow, { title, ended }: UnfinishedWork): void {
  const usual = window.getTitle();
  if (usual === title) return;
  window.setTitle(title);
  void ended.then(() => {
    if (!window.isDestroyed() && window.getTitle() === title) window.setTitle(usual);
  });
}

export function createWindow(options: WindowOptions): MainWindow {
  let window: BrowserWindow | undefined;
  let isLoaded = false;
  /** True while the page waits for the service. */
  let isWaiting = false;
  /** Number of crashes in a row, and the time of the last one. */
  let crashes = { count: 0, at: 0 };
  /** The screen to show once the page has loaded; undefined for no change. */
  let pendingScreen: MenuScreen | undefined;

  function saveBounds(of: BrowserWindow): void {
    try {
      writeJsonFile(options.file, { ...of.getNormalBounds(), maximized: of.isMaximized() });
    } catch (error) {
      options.report(error);
    }
  }

  function loadPage(into: BrowserWindow): void {
    isWaiting = options.baseUrl() === undefined;
    if (isWaiting) return;
    const hash = pendingScreen ? addressOf(pendingScreen) : hashOf(into.webContents.getURL());
    isLoaded = false;
    // `did-fail-load` reports a failure as well, and loads the page again.
    into.loadURL(`${pageOrigin}/${hash}`).catch(() => undefined);
  }

  function reloadSoon(of: BrowserWindow, pause = reloadAfter): void {
    setTimeout(() => window === of && loadPage(of), pause);
  }

  function handleCrash(of: BrowserWindow): void {
    const at = performance.now();
    const count = at - crashes.at > steadyAfter ? 1 : crashes.count + 1;
    crashes = { count, at };
    const pause = crashPauses[count - 1];
    if (pause !== undefined) reloadSoon(of, pause);
    else if (count === crashPauses.length + 1) options.onCrashLoop();
  }

  function watchPage(created: BrowserWindow): void {
    const { webContents } = created;
    webContents.on('did-finish-load', () => {
      isLoaded = true;
      pendingScreen = undefined;
    });
    webContents.on('did-fail-load', (_event, code, _description, _url, isMainFrame) => {
      if (isMainFrame && code !== abortedLoad) reloadSoon(created);
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return;
      options.report(new Error(`The page ended: ${reason}.`));
      handleCrash(created);
    });
    webContents.on('context-menu', (_event, params) => {
      showContextMenu(created, params, options.language());
    });
  }

  async function hideOrQuit(closed: BrowserWindow): Promise<void> {
    const hides = await options.hidesOnClose();
    if (closed.isDestroyed()) return;
    // The user may decide not to quit, and then needs the window.
    if (!hides) return options.onClosed();
    hideWindow(closed);
    options.onHidden();
  }

  function open(): BrowserWindow {
    const created = createBrowserWindow(options.file);
    watchPage(created);
    created.on('close', (event) => {
      saveBounds(created);
      if (options.mayClose()) return;
      event.preventDefault();
      void hideOrQuit(created);
    });
    created.on('query-session-end', (event) => {
      const work = options.unfinishedWork();
      if (work === undefined) return;
      event.preventDefault();
      showWork(created, work);
    });
    created.on('session-end', options.onSessionEnd);
    created.on('closed', () => {
      window = undefined;
      isLoaded = false;
      options.onClosed();
    });
    loadPage(created);
    return created;
  }

  return {
    window: () => window,
    show() {
      if (window === undefined) {
        window = open();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    loadWaiting() {
      if (window !== undefined && isWaiting) loadPage(window);
    },
    reload() {
      crashes = { count: 0, at: 0 };
      if (window !== undefined) loadPage(window);
    },
    navigate(to) {
      if (isLoaded) sendToPage(window, { kind: 'show', screen: to });
      else pendingScreen = to;
    },
    send(message) {
      if (isLoaded) sendToPage(window, message);
    },
  };
}
