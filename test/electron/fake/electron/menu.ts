import { asElectron, Strict } from './strict.ts';

type None = Record<never, never>;
type Template = Electron.MenuItemConstructorOptions;

export class MenuItem extends Strict<None> {
  readonly id: string;
  readonly label: string;
  readonly enabled: boolean;
  readonly accelerator: string | null;
  readonly registerAccelerator: boolean;
  readonly role?: NonNullable<Electron.MenuItem['role']>;
  readonly submenu?: Electron.Menu;
  readonly #options: Template;

  constructor(options: Template) {
    super();
    this.#options = options;
    const { submenu, role, id = '', label = '', enabled = true } = options;
    if (role !== undefined) this.role = role as NonNullable<Electron.MenuItem['role']>;
    if (Array.isArray(submenu)) this.submenu = Menu.buildFromTemplate(submenu);
    this.id = id;
    this.label = label;
    this.enabled = enabled;
    this.accelerator = options.accelerator ?? null;
    this.registerAccelerator = options.registerAccelerator ?? true;
  }

  click(event: unknown = {}, window: Electron.BaseWindow | null = null): void {
    if (!this.enabled) return;
    if (this.role !== undefined) throw new Error('The fake for Electron performs no roles.');
    const own = asElectron<Electron.MenuItem>(this);
    this.#options.click?.(own, window ?? undefined, event as Electron.KeyboardEvent);
  }
}

export class Menu extends Strict<None> {
  static #application: Electron.Menu | null = null;
  readonly items: Electron.MenuItem[] = [];

  static buildFromTemplate(template: (Template | Electron.MenuItem)[]): Electron.Menu {
    const menu = new Menu();
    for (const options of template) {
      menu.items.push(asElectron<Electron.MenuItem>(new MenuItem(options as Template)));
    }
    return asElectron<Electron.Menu>(menu);
  }

  static setApplicationMenu(menu: Electron.Menu | null): void {
    Menu.#application = menu;
  }

  static getApplicationMenu(): Electron.Menu | null {
    return Menu.#application;
  }

  popup(_options?: Electron.PopupOptions): void {
    // Recorded by the tests.
  }
}
