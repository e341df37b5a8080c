import { existsSync } from 'node:fs';
import { askChromium } from './chromium.ts';
import { ignore, Strict } from './strict.ts';

type None = Record<never, never>;

/** Opens nothing: what is asked of it is recorded by the tests. */
export class Shell extends Strict<None> {
  openExternal: (url: string) => Promise<void> = async (url) => ignore(url);

  async openPath(path: string): Promise<string> {
    return existsSync(path) ? '' : 'Failed to open path';
  }

  readonly showItemInFolder = ignore;
  readonly beep = ignore;
}

/** A clipboard of its own, so that a test does not change that of its developer. */
export class Clipboard extends Strict<None> {
  #text = '';

  async readText(): Promise<string> {
    return this.#text;
  }

  async writeText(text: string): Promise<void> {
    this.#text = text;
  }

  clear(): void {
    this.#text = '';
  }
}

export type ThemeEvents = { updated: [] };

/** The colours of the system, which the pages are shown in. */
export class NativeTheme extends Strict<ThemeEvents> {
  #source: 'system' | 'light' | 'dark' = 'system';

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source;
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    this.#source = source;
    void askChromium('showTheme', source);
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}

export type ScreenEvents = {
  'display-added': [event: Electron.Event, newDisplay: Electron.Display];
  'display-removed': [event: Electron.Event, oldDisplay: Electron.Display];
};

const area = { x: 0, y: 0, width: 1920, height: 1080 };
const onlyDisplay = {
  id: 1,
  label: 'stand-in',
  bounds: area,
  workArea: area,
  size: { width: area.width, height: area.height },
  workAreaSize: { width: area.width, height: area.height },
  scaleFactor: 1,
  rotation: 0,
  internal: true,
} as Electron.Display;

/** One display, of a common size. */
export class Screen extends Strict<ScreenEvents> {
  getPrimaryDisplay(): Electron.Display {
    return onlyDisplay;
  }

  getAllDisplays(): Electron.Display[] {
    return [onlyDisplay];
  }

  getDisplayMatching(_area: Electron.Rectangle): Electron.Display {
    return onlyDisplay;
  }

  getDisplayNearestPoint(_point: Electron.Point): Electron.Display {
    return onlyDisplay;
  }

  getCursorScreenPoint(): Electron.Point {
    return { x: 0, y: 0 };
  }
}

export type PowerEvents = {
  suspend: [];
  resume: [];
  shutdown: [];
  'lock-screen': [];
  'unlock-screen': [];
};

/** A machine that sleeps when a test says so. */
export class PowerMonitor extends Strict<PowerEvents> {
  isOnBatteryPower(): boolean {
    return false;
  }
}

export type NotificationEvents = { click: []; close: []; show: [] };

/** A message on the desktop. */
export class Notification extends Strict<NotificationEvents> {
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    this.emit('show');
  }

  close(): void {
    this.emit('close');
  }
}

/** A picture, known by where it came from. */
export class NativeImage extends Strict<None> {
  readonly path: string;

  constructor(path: string) {
    super();
    this.path = path;
  }

  isEmpty(): boolean {
    return this.path === '' || !existsSync(this.path);
  }

  isTemplateImage(): boolean {
    return false;
  }

  readonly setTemplateImage = ignore;

  resize(_options: Electron.ResizeOptions): Electron.NativeImage {
    return this as unknown as Electron.NativeImage;
  }
}

/** Makes pictures. */
export class NativeImages extends Strict<None> {
  createFromPath(path: string): Electron.NativeImage {
    return new NativeImage(path) as unknown as Electron.NativeImage;
  }

  createEmpty(): Electron.NativeImage {
    return this.createFromPath('');
  }
}
