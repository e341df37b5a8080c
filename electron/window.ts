import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { BridgeMessage, ManagingScreen } from '../server/bridge.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { sendToPage } from './bridge.ts';
import { showContextMenu } from './context-menu.ts';
import { securePreferences } from './guards.ts';
import { readKeptFile, writeKeptFile } from './kept-file.ts';
import { pageOrigin } from './origin.ts';
import { hideWindow, restorePlace, smallestWindow, standardWindow } from './window-place.ts';

/** Decisions about the window that are not its own. */
export type WindowListeners = {
  /** Whether the window goes when it is closed, as at the end of the program. */
  readonly mayClose: () => boolean;
  /** Whether closing the window only hides it; otherwise it ends the program. */
  readonly hidesOnClose: () => boolean;
  readonly onHidden: () => void;
  readonly onClosed: () => void;
  /** The page crashed again and again, and is not loaded any more. */
  readonly onFailing: () => void;
  /** The user's session ends, and the program with it. */
  readonly onSessionEnd: () => void;
};

export type WindowOptions = WindowListeners & {
  /** Where the window's place is kept. */
  readonly file: string;
  /** Where the service is reached; undefined while it is not. */
  readonly baseUrl: () => string | undefined;
  readonly language: () => Language;
  readonly report: (error: unknown) => void;
};

/** The one window of the program, which is made when it is first shown. */
export type MainWindow = {
  readonly window: () => BrowserWindow | undefined;
  /** Brings the window to the front, made if need be; the service has to be running then. */
  show(): void;
  /** Loads a page that could not be loaded while the service was not running. */
  loadMissing(): void;
  /** Loads a page again that crashed too often. */
  reload(): void;
  /** Leads the page to a screen, or back to the events, now or once it is loaded. */
  leadTo(screen: ManagingScreen | null): void;
  /** Tells the page something; one that is not loaded need not be told. */
  send(message: BridgeMessage): void;
};

const backgrounds = { light: '#ffffff', dark: '#242424' };

/** How long a window waits for its page before it is shown empty, in milliseconds. */
const showAfter = 5_000;

function makeWindow(file: string): BrowserWindow {
  const { maximized = false, ...place } = readPlace(file) ?? {};
  const made = new BrowserWindow({
    ...standardWindow,
    ...place,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    show: false,
    title: 'Club Events',
    icon: join(import.meta.dirname, 'icons', 'window.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: securePreferences(join(import.meta.dirname, 'preload.cjs')),
  });
  const show = () => {
    clearTimeout(waiting);
    if (made.isDestroyed()) return;
    // Only now, as it shows the window as well.
    if (maximized) made.maximize();
    made.show();
  };
  // The page of a machine with a broken graphics driver may never be ready.
  const waiting = setTimeout(show, showAfter);
  made.once('ready-to-show', show);
  return made;
}

function readPlace(file: string) {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  try {
    return restorePlace(readKeptFile(file), areas);
  } catch {
    // A broken file: the window is shown where every new one is.
    return undefined;
  }
}

/** How long to wait before a page that could not be loaded is tried again, in milliseconds. */
const reloadAfter = 1_000;

/** How long to wait before a page that crashed is loaded again, in milliseconds; then no more. */
const crashPauses = [1_000, 2_000, 4_000, 8_000, 16_000];

/** A page that ran for so long, in milliseconds, has not crashed at its start. */
const steadyAfter = 60_000;

/** What Chromium says of a page that another one took the place of. */
const abortedLoad = -3;

/** The place within a page, which its address has after the #. */
function placeWithin(address: string): string {
  return URL.parse(address)?.hash ?? '';
}

export function createWindow(options: WindowOptions): MainWindow {
  let window: BrowserWindow | undefined;
  let isLoaded = false;
  /** Whether the page waits for the service. */
  let isMissing = false;
  /** Crashes in a row, and the moment of the last one. */
  let crashes = { count: 0, at: 0 };
  /** The screen that a page which is not loaded yet is to show. */
  let asked: ManagingScreen | null | undefined;

  function keepPlace(of: BrowserWindow): void {
    try {
      writeKeptFile(options.file, { ...of.getNormalBounds(), maximized: of.isMaximized() });
    } catch (error) {
      options.report(error);
    }
  }

  function loadPage(into: BrowserWindow): void {
    isMissing = options.baseUrl() === undefined;
    if (isMissing) return;
    const place = asked ? `#manage=${asked}` : placeWithin(into.webContents.getURL());
    isLoaded = false;
    // A failure is an event of its own, after which it is loaded again.
    into.loadURL(`${pageOrigin}/${place}`).catch(() => undefined);
  }

  function reloadSoon(of: BrowserWindow, pause = reloadAfter): void {
    setTimeout(() => window === of && loadPage(of), pause);
  }

  function noteCrash(of: BrowserWindow): void {
    const at = performance.now();
    const count = at - crashes.at > steadyAfter ? 1 : crashes.count + 1;
    crashes = { count, at };
    const pause = crashPauses[count - 1];
    if (pause !== undefined) reloadSoon(of, pause);
    else if (count === crashPauses.length + 1) options.onFailing();
  }

  function tendPage(made: BrowserWindow): void {
    const { webContents } = made;
    webContents.on('did-finish-load', () => {
      isLoaded = true;
      asked = undefined;
    });
    webContents.on('did-fail-load', (_event, code, _description, _url, isMainFrame) => {
      if (isMainFrame && code !== abortedLoad) reloadSoon(made);
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return;
      options.report(new Error(`The page ended: ${reason}.`));
      noteCrash(made);
    });
    webContents.on('context-menu', (_event, params) => {
      showContextMenu(made, params, options.language());
    });
  }

  function open(): BrowserWindow {
    const made = makeWindow(options.file);
    tendPage(made);
    made.on('close', (event) => {
      keepPlace(made);
      if (options.mayClose()) return;
      event.preventDefault();
      // The end of the program may be refused, and the window is needed then.
      if (!options.hidesOnClose()) return options.onClosed();
      hideWindow(made);
      options.onHidden();
    });
    made.on('session-end', options.onSessionEnd);
    made.on('closed', () => {
      window = undefined;
      isLoaded = false;
      options.onClosed();
    });
    loadPage(made);
    return made;
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
    loadMissing() {
      if (window !== undefined && isMissing) loadPage(window);
    },
    reload() {
      crashes = { count: 0, at: 0 };
      if (window !== undefined) loadPage(window);
    },
    leadTo(to) {
      if (isLoaded) sendToPage(window, { kind: 'show', screen: to });
      else asked = to;
    },
    send(message) {
      if (isLoaded) sendToPage(window, message);
    },
  };
}
