import { ignore, PreventableEvent, Strict } from './strict.ts';

export type TrayEvents = {
  click: [event: Electron.KeyboardEvent, bounds: Electron.Rectangle, position: Electron.Point];
  'right-click': [event: Electron.KeyboardEvent, bounds: Electron.Rectangle];
  'double-click': [event: Electron.KeyboardEvent, bounds: Electron.Rectangle];
};

/** The icon beside the clock. */
export class Tray extends Strict<TrayEvents> {
  #title = '';
  #isDestroyed = false;
  image: unknown;
  menu: Electron.Menu | null = null;
  toolTip = '';

  constructor(image: unknown) {
    super();
    this.image = image;
  }

  setImage(image: unknown): void {
    this.image = image;
  }

  readonly setPressedImage = ignore;
  readonly setIgnoreDoubleClickEvents = ignore;
  readonly displayBalloon = ignore;

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }

  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = menu;
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  popUpContextMenu(): void {
    const event = new PreventableEvent() as unknown as Electron.KeyboardEvent;
    this.emit('right-click', event, { x: 0, y: 0, width: 0, height: 0 });
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
}
