import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ManagingScreen } from '../server/bridge.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { menuTexts } from './menu-texts.ts';

export type MenuActions = {
  /** Shows a screen, or the events for null. */
  readonly show: (screen: ManagingScreen | null) => void;
  readonly openLogs: () => void;
  readonly quit: () => void;
};

type MenuTexts = (typeof menuTexts)[Language];
type Items = MenuItemConstructorOptions[];

const isMac = process.platform === 'darwin';
const separator = { type: 'separator' } as const;

/** Returns a built-in item of Electron with a label; its own labels are English only. */
function roleItem(
  role: NonNullable<MenuItemConstructorOptions['role']>,
  label: string,
): MenuItemConstructorOptions {
  return { id: role, role, label };
}

function screenItem(
  t: MenuTexts,
  { show }: MenuActions,
  screen: ManagingScreen,
  accelerator?: string,
): MenuItemConstructorOptions {
  const item = { id: screen, label: t[screen], click: () => show(screen) };
  return accelerator === undefined ? item : { ...item, accelerator };
}

function quitItem(t: MenuTexts, { quit }: MenuActions): MenuItemConstructorOptions {
  return { id: 'quit', label: t.quit, accelerator: 'CmdOrCtrl+Q', click: () => quit() };
}

function macItems(t: MenuTexts, actions: MenuActions): Items {
  return [
    screenItem(t, actions, 'about'),
    separator,
    screenItem(t, actions, 'settings', 'Cmd+,'),
    separator,
    roleItem('services', t.services),
    separator,
    roleItem('hide', t.hide),
    roleItem('hideOthers', t.hideOthers),
    roleItem('unhide', t.showAll),
    separator,
    quitItem(t, actions),
  ];
}

function fileItems(t: MenuTexts, actions: MenuActions): Items {
  const items: Items = [
    screenItem(t, actions, 'import', 'CmdOrCtrl+O'),
    screenItem(t, actions, 'export', 'CmdOrCtrl+E'),
    screenItem(t, actions, 'history'),
    separator,
    screenItem(t, actions, 'keys'),
    screenItem(t, actions, 'clubs'),
  ];
  const close = roleItem('close', t.closeWindow);
  if (isMac) return [...items, separator, close];
  const settings = screenItem(t, actions, 'settings', 'Ctrl+,');
  return [...items, settings, separator, close, quitItem(t, actions)];
}

function editItems(t: MenuTexts): Items {
  return [
    roleItem('undo', t.undo),
    roleItem('redo', t.redo),
    separator,
    roleItem('cut', t.cut),
    roleItem('copy', t.copy),
    roleItem('paste', t.paste),
    roleItem('selectAll', t.selectAll),
  ];
}

function viewItems(t: MenuTexts, { show }: MenuActions, isPackaged: boolean): Items {
  const items: Items = [
    { id: 'events', label: t.events, accelerator: 'CmdOrCtrl+1', click: () => show(null) },
    separator,
    roleItem('resetZoom', t.actualSize),
    roleItem('zoomIn', t.larger),
    roleItem('zoomOut', t.smaller),
    separator,
    roleItem('togglefullscreen', t.fullScreen),
  ];
  return isPackaged ? items : [...items, roleItem('toggleDevTools', t.developer)];
}

function helpItems(t: MenuTexts, actions: MenuActions): Items {
  const logs = { id: 'logs', label: t.openLogs, click: () => actions.openLogs() };
  return isMac ? [logs] : [logs, screenItem(t, actions, 'about')];
}

export function setMenu(language: Language, isPackaged: boolean, actions: MenuActions): void {
  const t = menuTexts[language];
  const menus: Items = [
    { id: 'file-menu', label: t.file, submenu: fileItems(t, actions) },
    { id: 'edit-menu', label: t.edit, submenu: editItems(t) },
    { id: 'view-menu', label: t.view, submenu: viewItems(t, actions, isPackaged) },
    ...(isMac
      ? [{ ...roleItem('window', t.window), submenu: [roleItem('minimize', t.minimize)] }]
      : []),
    { id: 'help-menu', label: t.help, role: 'help', submenu: helpItems(t, actions) },
  ];
  const appMenu = { id: 'app-menu', label: 'Club Events', submenu: macItems(t, actions) };
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [appMenu, ...menus] : menus));
}
