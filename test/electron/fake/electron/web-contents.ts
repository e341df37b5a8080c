import type { FrameOfCall, Navigation, PageEvent } from '../contract.ts';
import { app } from './app.ts';
import { answerChromium, askChromium } from './chromium.ts';
import { defaultSession, type Permission, type Session } from './session.ts';
import { asElectron, PreventableEvent, Strict } from './strict.ts';

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
  'render-process-gone': [event: Electron.Event, details: Electron.RenderProcessGoneDetails];
  'context-menu': [event: Electron.Event, params: Electron.ContextMenuParams];
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

  constructor(url: string, parent: Electron.WebFrameMain | null) {
    super();
    this.url = url;
    this.parent = parent;
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
  #url = '';
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

  /** The frame that a call came from. */
  frameOf({ isMain, url }: FrameOfCall): WebFrameMain | null {
    if (!all.has(this.id)) return null;
    const main = asElectron<Electron.WebFrameMain>(new WebFrameMain(this.#url, null));
    return new WebFrameMain(url, isMain ? null : main);
  }

  /** Returns true unless a listener prevents the navigation. */
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
    throw new Error('The fake for Electron can open no window for a page.');
  }

  happened(event: PageEvent, url: string): void {
    this.#url = url;
    if (event === 'loaded') this.emit('did-finish-load');
    if (event === 'crashed') {
      const details = { reason: 'crashed', exitCode: 1 } as const;
      this.emit('render-process-gone', new PreventableEvent() as Electron.Event, details);
    }
  }

  async loadURL(url: string): Promise<void> {
    const problem = await askChromium('load', { window: this.id, url });
    if (problem === undefined) return;
    const event = new PreventableEvent() as Electron.Event;
    const code = errorCodes[problem] ?? -2;
    this.emit('did-fail-load', event, code, problem, url, true, 1, 1);
    throw Object.assign(new Error(`${problem} (${code}) loading '${url}'`), { code: problem, url });
  }

  send(channel: string, ...args: unknown[]): void {
    void askChromium('send', { window: this.id, channel, args });
  }

  async printToPDF({ preferCSSPageSize = false }: Electron.PrintToPDFOptions): Promise<Buffer> {
    return Buffer.from(await askChromium('print', { window: this.id, preferCSSPageSize }));
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }

  getURL(): string {
    return this.#url;
  }

  /** Like Electron's method, which its type definitions omit. */
  getLastWebPreferences(): Electron.WebPreferences {
    return this.#preferences;
  }

  openDevTools(): void {
    this.#areDevToolsOpen = this.#preferences.devTools !== false;
  }

  isDevToolsOpened(): boolean {
    return this.#areDevToolsOpen;
  }

  /** Called by the window when it is gone. */
  destroy(): void {
    all.delete(this.id);
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
