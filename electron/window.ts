import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { BridgeMessage, ManagingScreen } from '../server/bridge.ts';
import { sendToPage } from './bridge.ts';
import { securePreferences } from './guards.ts';
import { readKeptFile, writeKeptFile } from './kept-file.ts';
import { pageOrigin } from './origin.ts';
import { restorePlace, smallestWindow, standardWindow } from './window-place.ts';

export type WindowOptions = {
  /** Where the window's place is kept. */
  readonly file: string;
  /** Where the service is reached; undefined while it is not. */
  readonly baseUrl: () => string | undefined;
  /** Whether closing the window only hides it. */
  readonly hidesOnClose: () => boolean;
  readonly onClosed: () => void;
  readonly report: (error: unknown) => void;
};

/** The one window of the program, which is made when it is first shown. */
export type MainWindow = {
  readonly window: () => BrowserWindow | undefined;
  /** Brings the window to the front, made if need be; the service has to be running then. */
  show(): void;
  /** Loads a page that could not be loaded while the service was not running. */
  loadMissing(): void;
  /** Leads the page to a screen, or back to the events, now or once it is loaded. */
  leadTo(screen: ManagingScreen | null): void;
  /** Tells the page something; one that is not loaded need not be told. */
  send(message: BridgeMessage): void;
};

const backgrounds = { light: '#ffffff', dark: '#242424' };

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
  if (maximized) made.maximize();
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

  function reloadSoon(of: BrowserWindow): void {
    setTimeout(() => window === of && loadPage(of), reloadAfter);
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
      reloadSoon(made);
    });
  }

  function open(): BrowserWindow {
    const made = makeWindow(options.file);
    tendPage(made);
    made.once('ready-to-show', () => made.show());
    made.on('close', (event) => {
      keepPlace(made);
      if (!options.hidesOnClose()) return;
      event.preventDefault();
      made.hide();
    });
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
    leadTo(to) {
      if (isLoaded) sendToPage(window, { kind: 'show', screen: to });
      else asked = to;
    },
    send(message) {
      if (isLoaded) sendToPage(window, message);
    },
  };
}
