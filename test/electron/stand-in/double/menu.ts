import { app } from './app.ts';
import { asElectron, PreventableEvent, Strict } from './strict.ts';

type None = Record<never, never>;
type Template = Electron.MenuItemConstructorOptions;
type Role = NonNullable<Electron.MenuItem['role']>;

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
  readonly role?: Role;
  readonly accelerator: string | null;
  readonly submenu?: Electron.Menu;
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
    if (role !== undefined) this.role = role as Role;
    if (Array.isArray(submenu)) this.submenu = Menu.buildFromTemplate(submenu);
    else if (submenu !== undefined) this.submenu = submenu;
    this.id = options.id ?? '';
    this.label = label ?? role ?? '';
    this.type = options.type ?? (submenu === undefined ? 'normal' : 'submenu');
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.accelerator = options.accelerator ?? null;
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
  static #application: Electron.Menu | null = null;
  readonly ownItems: MenuItem[] = [];

  static buildFromTemplate(template: (Template | Electron.MenuItem)[]): Electron.Menu {
    const menu = new Menu();
    for (const options of template) {
      const isMade = (options as object) instanceof MenuItem;
      const item = isMade ? options : new MenuItem(options as Template);
      menu.append(asElectron<Electron.MenuItem>(item));
    }
    return asElectron<Electron.Menu>(menu);
  }

  static setApplicationMenu(menu: Electron.Menu | null): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Electron.Menu | null {
    return Menu.#application;
  }

  get items(): Electron.MenuItem[] {
    return this.ownItems.map((item) => asElectron<Electron.MenuItem>(item));
  }

  append(item: Electron.MenuItem): void {
    this.ownItems.push(asElectron<MenuItem>(item));
  }

  insert(position: number, item: Electron.MenuItem): void {
    this.ownItems.splice(position, 0, asElectron<MenuItem>(item));
  }

  getMenuItemById(id: string): Electron.MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item;
      const inside = item.submenu?.getMenuItemById(id);
      if (inside) return inside;
    }
    return null;
  }

  popup(_options?: Electron.PopupOptions): void {
    this.emit('menu-will-show', new PreventableEvent() as Electron.Event);
  }

  closePopup(): void {
    this.emit('menu-will-close', new PreventableEvent() as Electron.Event);
  }
}
