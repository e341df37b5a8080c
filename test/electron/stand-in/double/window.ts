import type { PageEvent } from '../contract.ts';
import { app } from './app.ts';
import { answerChromium, askChromium } from './chromium.ts';
import { asElectron, ignore, PreventableEvent, Strict } from './strict.ts';
import { WebContents } from './web-contents.ts';

export type WindowEvents = {
  close: [event: Electron.Event];
  closed: [];
  show: [];
  hide: [];
  focus: [];
  blur: [];
  'ready-to-show': [];
  resize: [];
  resized: [];
  move: [];
  moved: [];
  maximize: [];
  unmaximize: [];
  minimize: [];
  restore: [];
  'enter-full-screen': [];
  'leave-full-screen': [];
  'page-title-updated': [event: Electron.Event, title: string, explicitSet: boolean];
  'session-end': [event: Electron.WindowSessionEndEvent];
  unresponsive: [];
  responsive: [];
};

type Bounds = Electron.Rectangle;

const windows = new Map<number, BrowserWindow>();
let made = 0;

/** A window, whose page is one of Chromium's in the process of the tests. */
export class BrowserWindow extends Strict<WindowEvents> {
  readonly id: number;
  readonly ownContents: WebContents;
  menu: Electron.Menu | null = null;
  title: string;
  autoHideMenuBar: boolean;
  readonly options: Electron.BrowserWindowConstructorOptions;
  #bounds: Bounds;
  #isVisible: boolean;
  #isFocused = false;
  #isMaximized = false;
  #isMinimized = false;
  #isFullScreen = false;
  #isDestroyed = false;
  #wasShownReady = false;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    made += 1;
    this.id = made;
    this.options = options;
    this.title = options.title ?? '';
    this.autoHideMenuBar = options.autoHideMenuBar ?? false;
    this.#isVisible = options.show ?? true;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    windows.set(this.id, this);
    app.openWindows.set(this, () => this.#closeOrStay());
    const preload = options.webPreferences?.preload;
    void askChromium('openWindow', { window: this.id, width, height, preload });
    const event = new PreventableEvent() as Electron.Event;
    app.emit('browser-window-created', event, asElectron<Electron.BrowserWindow>(this));
    this.ownContents = new WebContents(this.id, options.webPreferences ?? {});
  }

  static getAllWindows(): Electron.BrowserWindow[] {
    return [...windows.values()].map((window) => asElectron<Electron.BrowserWindow>(window));
  }

  static getFocusedWindow(): Electron.BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  }

  static fromId(id: number): Electron.BrowserWindow | null {
    const window = windows.get(id);
    return window === undefined ? null : asElectron<Electron.BrowserWindow>(window);
  }

  static fromWebContents(contents: Electron.WebContents): Electron.BrowserWindow | null {
    return BrowserWindow.fromId(contents.id);
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

  loadURL(url: string): Promise<void> {
    return this.ownContents.loadURL(url);
  }

  reload(): void {
    this.ownContents.reload();
  }

  /** False when a listener keeps the window open. */
  #closeOrStay(): boolean {
    const event = new PreventableEvent() as Electron.Event;
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    this.destroy();
    return true;
  }

  close(): void {
    if (!this.#isDestroyed) this.#closeOrStay();
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    windows.delete(this.id);
    app.openWindows.delete(this);
    this.ownContents.destroy();
    void askChromium('closeWindow', { window: this.id });
    this.emit('closed');
    app.lastWindowMayBeGone();
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  show(): void {
    this.showInactive();
    this.focus();
  }

  showInactive(): void {
    if (this.#isVisible) return;
    this.#isVisible = true;
    this.emit('show');
  }

  hide(): void {
    if (!this.#isVisible) return;
    this.#isVisible = false;
    this.blur();
    this.emit('hide');
  }

  isVisible(): boolean {
    return this.#isVisible;
  }

  focus(): void {
    if (this.#isFocused) return;
    this.#isFocused = true;
    this.emit('focus');
  }

  blur(): void {
    if (!this.#isFocused) return;
    this.#isFocused = false;
    this.emit('blur');
  }

  isFocused(): boolean {
    return this.#isFocused;
  }

  minimize(): void {
    this.#isMinimized = true;
    this.emit('minimize');
  }

  restore(): void {
    this.#isMinimized = false;
    this.emit('restore');
  }

  isMinimized(): boolean {
    return this.#isMinimized;
  }

  maximize(): void {
    this.#isMaximized = true;
    this.#isVisible = true;
    this.emit('maximize');
  }

  unmaximize(): void {
    this.#isMaximized = false;
    this.emit('unmaximize');
  }

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  setFullScreen(flag: boolean): void {
    this.#isFullScreen = flag;
    this.emit(flag ? 'enter-full-screen' : 'leave-full-screen');
  }

  isFullScreen(): boolean {
    return this.#isFullScreen;
  }

  isNormal(): boolean {
    return !this.#isMaximized && !this.#isMinimized && !this.#isFullScreen;
  }

  getBounds(): Bounds {
    return { ...this.#bounds };
  }

  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }

  setBounds(bounds: Partial<Bounds>): void {
    const before = this.#bounds;
    this.#bounds = { ...before, ...bounds };
    const { x, y, width, height } = this.#bounds;
    if (x !== before.x || y !== before.y) this.emit('move');
    if (width === before.width && height === before.height) return;
    this.emit('resize');
    void askChromium('resize', { window: this.id, width, height });
  }

  getSize(): number[] {
    return [this.#bounds.width, this.#bounds.height];
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  getPosition(): number[] {
    return [this.#bounds.x, this.#bounds.y];
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }

  getTitle(): string {
    return this.title;
  }

  setTitle(title: string): void {
    this.title = title;
  }

  setMenu(menu: Electron.Menu | null): void {
    this.menu = menu;
  }

  removeMenu(): void {
    this.menu = null;
  }

  setAutoHideMenuBar(hide: boolean): void {
    this.autoHideMenuBar = hide;
  }

  readonly setMenuBarVisibility = ignore;
  readonly setMinimumSize = ignore;
  readonly setIcon = ignore;
  readonly setBackgroundColor = ignore;
  readonly setSkipTaskbar = ignore;
  readonly setProgressBar = ignore;
  readonly flashFrame = ignore;
  readonly center = ignore;
  readonly moveTop = ignore;
}

answerChromium('happened', ({ window, event, url }) => windows.get(window)?.happened(event, url));
