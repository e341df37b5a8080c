import { app } from './app.ts';
import { PreventableEvent, Strict } from './strict.ts';

type None = Record<never, never>;
type Template = Electron.MenuItemConstructorOptions;
type Role = NonNullable<Template['role']>;

export type MenuEvents = {
  'menu-will-show': [event: Electron.Event];
  'menu-will-close': [event: Electron.Event];
};

/** What an entry with a role does by itself; what Chromium or the system does is left out. */
const performRole: { readonly [Name in Role]?: (window: Electron.BaseWindow | null) => void } = {
  quit: () => app.quit(),
  close: (window) => window?.close(),
  minimize: (window) => window?.minimize(),
  reload: (window) => (window as Electron.BrowserWindow | null)?.reload(),
  toggleDevTools: (window) =>
    (window as Electron.BrowserWindow | null)?.webContents.toggleDevTools(),
};

export class MenuItem extends Strict<None> {
  readonly id: string;
  readonly type: NonNullable<Template['type']>;
  readonly role: Role | undefined;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  readonly options: Template;
  label: string;
  sublabel: string;
  toolTip: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;

  constructor(options: Template) {
    super();
    this.options = options;
    const { submenu, label, role } = options;
    this.role = role;
    this.submenu = Array.isArray(submenu)
      ? Menu.buildFromTemplate(submenu)
      : (submenu as unknown as Menu | undefined);
    this.id = options.id ?? '';
    this.label = label ?? role ?? '';
    this.type = options.type ?? (submenu === undefined ? 'normal' : 'submenu');
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.accelerator = options.accelerator;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
  }

  click(event: unknown = {}, window: Electron.BaseWindow | null = null): void {
    if (!this.enabled) return;
    if (this.type === 'checkbox') this.checked = !this.checked;
    if (this.type === 'radio') this.checked = true;
    const perform = this.role && performRole[this.role];
    if (perform !== undefined) {
      perform(window);
      return;
    }
    const own = this as unknown as Electron.MenuItem;
    this.options.click?.(own, window ?? undefined, event as Electron.KeyboardEvent);
  }
}

export class Menu extends Strict<MenuEvents> {
  static #application: Menu | null = null;
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly (Template | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const options of template) {
      menu.append(options instanceof MenuItem ? options : new MenuItem(options));
    }
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }

  append(item: MenuItem): void {
    this.items.push(item);
  }

  insert(position: number, item: MenuItem): void {
    this.items.splice(position, 0, item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item;
      const inside = item.submenu?.getMenuItemById(id);
      if (inside) return inside;
    }
    return null;
  }

  popup(): void {
    this.emit('menu-will-show', new PreventableEvent() as Electron.Event);
  }

  closePopup(): void {
    this.emit('menu-will-close', new PreventableEvent() as Electron.Event);
  }
}
