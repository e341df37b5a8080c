import { Strict } from './strict.ts';

export type TrayEvents = {
  click: [event: Electron.KeyboardEvent, bounds: Electron.Rectangle, position: Electron.Point];
};

/** The icon beside the clock; as in Electron, it cannot be told whether the desktop shows it. */
export class Tray extends Strict<TrayEvents> {
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

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }

  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = menu;
  }

  destroy(): void {
    this.menu = null;
  }
}
