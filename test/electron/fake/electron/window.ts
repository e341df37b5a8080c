import type { PageEvent } from '../contract.ts';
import { app } from './app.ts';
import { answerChromium, askChromium } from './chromium.ts';
import { asElectron, PreventableEvent, Strict } from './strict.ts';
import { WebContents } from './web-contents.ts';

export type WindowEvents = {
  close: [event: Electron.Event];
  closed: [];
  'ready-to-show': [];
  'leave-full-screen': [];
  'query-session-end': [event: Electron.WindowSessionEndEvent];
  'session-end': [event: Electron.WindowSessionEndEvent];
};

type Bounds = Electron.Rectangle;

const windows = new Map<number, BrowserWindow>();
let made = 0;

/** A window, whose page is one of Chromium's in the process of the tests. */
export class BrowserWindow extends Strict<WindowEvents> {
  readonly #id: number;
  readonly ownContents: WebContents;
  #bounds: Bounds;
  #isVisible: boolean;
  #isMaximized = false;
  #isDestroyed = false;
  #wasShownReady = false;
  #title: string;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    made += 1;
    this.#id = made;
    this.#isVisible = options.show ?? true;
    this.#title = options.title ?? '';
    // After the listeners of programs, which come later.
    this.once('session-end', () => queueMicrotask(() => app.sessionIsOver()));
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    windows.set(this.#id, this);
    app.openWindows.set(this, () => this.close());
    const preload = options.webPreferences?.preload;
    void askChromium('openWindow', { window: this.#id, width, height, preload });
    this.ownContents = new WebContents(this.#id, options.webPreferences ?? {});
  }

  static getAllWindows(): Electron.BrowserWindow[] {
    return [...windows.values()].map((window) => asElectron<Electron.BrowserWindow>(window));
  }

  get webContents(): Electron.WebContents {
    return asElectron<Electron.WebContents>(this.ownContents);
  }

  /** Told what happened in the page. */
  happened(event: PageEvent, url: string): void {
    if (event === 'closed') this.destroy();
    else this.ownContents.happened(event, url);
    if (event !== 'loaded' || this.#wasShownReady) return;
    this.#wasShownReady = true;
    this.emit('ready-to-show');
  }

  getTitle(): string {
    return this.#title;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  loadURL(url: string): Promise<void> {
    return this.ownContents.loadURL(url);
  }

  /** Later, as in Electron: the page may have a say first. */
  close(): void {
    setImmediate(() => {
      if (this.#isDestroyed) return;
      const event = new PreventableEvent() as Electron.Event;
      this.emit('close', event);
      if (event.defaultPrevented) app.windowStays();
      else this.destroy();
    });
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    windows.delete(this.#id);
    app.openWindows.delete(this);
    this.ownContents.destroy();
    void askChromium('closeWindow', { window: this.#id });
    this.emit('closed');
    app.windowIsGone();
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  show(): void {
    this.#isVisible = true;
  }

  hide(): void {
    this.#isVisible = false;
  }

  isVisible(): boolean {
    return this.#isVisible;
  }

  focus(): void {
    // The pages of the fake have no windows of the desktop.
  }

  isMinimized(): boolean {
    return false;
  }

  restore(): void {
    throw new Error('A window of the fake for Electron is never minimised.');
  }

  isFullScreen(): boolean {
    return false;
  }

  setFullScreen(_flag: boolean): void {
    throw new Error('A window of the fake for Electron is never full screen.');
  }

  /** Shows the window, too, as in Electron, where it would be seen empty. */
  maximize(): void {
    if (!this.#isVisible && !this.#wasShownReady) throw new Error('The window is shown empty.');
    this.#isMaximized = true;
    this.#isVisible = true;
  }

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  getBounds(): Bounds {
    return { ...this.#bounds };
  }

  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }

  setBounds(bounds: Partial<Bounds>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    const { width, height } = this.#bounds;
    void askChromium('resize', { window: this.#id, width, height });
  }
}

answerChromium('happened', ({ window, event, url }) => windows.get(window)?.happened(event, url));
