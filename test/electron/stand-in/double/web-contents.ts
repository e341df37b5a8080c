import type { FrameOfCall, Navigation, PageEvent } from '../contract.ts';
import { app } from './app.ts';
import { answerChromium, askChromium } from './chromium.ts';
import { DownloadItem } from './download-item.ts';
import { defaultSession, type Permission, type Session } from './session.ts';
import { asElectron, ignore, PreventableEvent, Strict } from './strict.ts';

type NavigationEvent = Electron.Event<Electron.WebContentsWillNavigateEventParams>;

export type WebContentsEvents = {
  'will-navigate': [details: NavigationEvent];
  'will-frame-navigate': [details: NavigationEvent];
  'will-redirect': [details: NavigationEvent];
  'will-attach-webview': [
    event: Electron.Event,
    webPreferences: Electron.WebPreferences,
    params: Record<string, string>,
  ];
  'did-start-loading': [];
  'did-stop-loading': [];
  'did-finish-load': [];
  'did-fail-load': [
    event: Electron.Event,
    errorCode: number,
    errorDescription: string,
    validatedURL: string,
    isMainFrame: boolean,
    frameProcessId: number,
    frameRoutingId: number,
  ];
  'dom-ready': [];
  'render-process-gone': [event: Electron.Event, details: Electron.RenderProcessGoneDetails];
  unresponsive: [];
  responsive: [];
  'preload-error': [event: Electron.Event, preloadPath: string, error: Error];
  'before-input-event': [event: Electron.Event, input: Electron.Input];
  'context-menu': [event: Electron.Event, params: Electron.ContextMenuParams];
  'zoom-changed': [event: Electron.Event, zoomDirection: 'in' | 'out'];
  destroyed: [];
};

/** Chromium's numbers for why a page could not be loaded; -2 stands for the rest. */
const errorCodes: Readonly<Record<string, number>> = {
  ERR_ABORTED: -3,
  ERR_CONNECTION_REFUSED: -102,
};

type WindowOpenHandler = (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse;

/** A frame of a page: the page itself, or one inside it. */
export class WebFrameMain extends Strict<Record<never, never>> {
  readonly url: string;
  readonly parent: Electron.WebFrameMain | null;
  readonly detached = false;

  constructor(url: string, parent: Electron.WebFrameMain | null) {
    super();
    this.url = url;
    this.parent = parent;
  }

  get origin(): string {
    return URL.parse(this.url)?.origin ?? 'null';
  }

  get top(): Electron.WebFrameMain {
    return this.parent ?? asElectron<Electron.WebFrameMain>(this);
  }

  isDestroyed(): boolean {
    return false;
  }
}

const all = new Map<number, WebContents>();

export function contentsOfWindow(window: number): WebContents | undefined {
  return all.get(window);
}

export class WebContents extends Strict<WebContentsEvents> {
  readonly id: number;
  readonly ownSession: Session = defaultSession;
  zoomFactor = 1;
  #url = '';
  #isLoading = false;
  #isDestroyed = false;
  #areDevToolsOpen = false;
  #openHandler: WindowOpenHandler | undefined;
  readonly #preferences: Electron.WebPreferences;

  constructor(id: number, preferences: Electron.WebPreferences) {
    super();
    this.id = id;
    this.#preferences = preferences;
    all.set(id, this);
    const event = new PreventableEvent() as Electron.Event;
    app.emit('web-contents-created', event, asElectron<Electron.WebContents>(this));
  }

  get session(): Electron.Session {
    return asElectron<Electron.Session>(this.ownSession);
  }

  get mainFrame(): Electron.WebFrameMain {
    return asElectron<Electron.WebFrameMain>(new WebFrameMain(this.#url, null));
  }

  /** The frame that a call came from. */
  frameOf({ isMain, url }: FrameOfCall): WebFrameMain | null {
    if (this.#isDestroyed) return null;
    return new WebFrameMain(url, isMain ? null : this.mainFrame);
  }

  /** Whether the page may go where it wants to, by those who listen. */
  mayNavigate({ url, isMainFrame, isRedirect }: Navigation): boolean {
    const details = { url, isMainFrame, isSameDocument: false, frame: null, initiator: null };
    const event = Object.assign(new PreventableEvent(), details) as unknown as NavigationEvent;
    if (isRedirect) this.emit('will-redirect', event);
    else {
      this.emit('will-frame-navigate', event);
      if (isMainFrame) this.emit('will-navigate', event);
    }
    return !event.defaultPrevented;
  }

  mayOpen(url: string): boolean {
    const details = { url, frameName: '', features: '', disposition: 'foreground-tab' };
    const answer = this.#openHandler?.(details as Electron.HandlerDetails);
    if (answer?.action === 'deny') return false;
    throw new Error('The stand-in for Electron can open no window for a page.');
  }

  happened(event: PageEvent, url: string): void {
    this.#url = url;
    const own = new PreventableEvent() as Electron.Event;
    if (event === 'loaded') {
      this.emit('dom-ready');
      this.#isLoading = false;
      this.emit('did-finish-load');
      this.emit('did-stop-loading');
    }
    if (event === 'crashed') {
      const details = { reason: 'crashed', exitCode: 1 } as const;
      this.emit('render-process-gone', own, details);
      app.emit('render-process-gone', own, asElectron<Electron.WebContents>(this), details);
    }
  }

  async loadURL(url: string): Promise<void> {
    this.#isLoading = true;
    this.emit('did-start-loading');
    const problem = await askChromium('load', { window: this.id, url });
    this.#isLoading = false;
    if (problem === undefined) return;
    const event = new PreventableEvent() as Electron.Event;
    const code = errorCodes[problem] ?? -2;
    this.emit('did-fail-load', event, code, problem, url, true, 1, 1);
    throw Object.assign(new Error(`${problem} (${code}) loading '${url}'`), { code: problem, url });
  }

  reload(): void {
    void askChromium('reload', { window: this.id });
  }

  reloadIgnoringCache(): void {
    this.reload();
  }

  send(channel: string, ...args: unknown[]): void {
    void askChromium('send', { window: this.id, channel, args });
  }

  executeJavaScript(code: string): Promise<unknown> {
    return askChromium('execute', { window: this.id, code });
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }

  getURL(): string {
    return this.#url;
  }

  isLoading(): boolean {
    return this.#isLoading;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  isCrashed(): boolean {
    return false;
  }

  /** As Electron's own, which its definitions leave out. */
  getLastWebPreferences(): Electron.WebPreferences {
    return this.#preferences;
  }

  openDevTools(): void {
    this.#areDevToolsOpen = this.#preferences.devTools !== false;
  }

  closeDevTools(): void {
    this.#areDevToolsOpen = false;
  }

  toggleDevTools(): void {
    if (this.#areDevToolsOpen) this.closeDevTools();
    else this.openDevTools();
  }

  isDevToolsOpened(): boolean {
    return this.#areDevToolsOpen;
  }

  setZoomFactor(factor: number): void {
    this.zoomFactor = factor;
  }

  getZoomFactor(): number {
    return this.zoomFactor;
  }

  setZoomLevel(level: number): void {
    this.zoomFactor = 1.2 ** level;
  }

  getZoomLevel(): number {
    return Math.log(this.zoomFactor) / Math.log(1.2);
  }

  readonly focus = ignore;

  print(_options?: unknown, answer?: (success: boolean, failureReason: string) => void): void {
    answer?.(true, '');
  }

  /** Told by the window that it is gone. */
  destroy(): void {
    this.#isDestroyed = true;
    all.delete(this.id);
    this.emit('destroyed');
    this.removeAllListeners();
  }
}

answerChromium('mayNavigate', (navigation) => {
  return contentsOfWindow(navigation.window)?.mayNavigate(navigation) ?? false;
});
answerChromium('mayOpen', ({ window, url }) => contentsOfWindow(window)?.mayOpen(url) ?? false);
answerChromium('mayUse', async ({ window, permission, origin }) => {
  const contents = contentsOfWindow(window);
  if (contents === undefined) return false;
  const own = asElectron<Electron.WebContents>(contents);
  return contents.ownSession.isGranted(own, permission as Permission, origin);
});
answerChromium('download', ({ window, url, name }) => {
  const contents = contentsOfWindow(window);
  if (contents === undefined) return undefined;
  return contents.ownSession.beginDownload(asElectron<Electron.WebContents>(contents), url, name);
});
answerChromium('downloaded', () => DownloadItem.finishLast());
