import {
  type BrowserWindow,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
} from 'electron';
import type { MenuScreen } from '../../server/actions/bridge.ts';
import type { Catalogue } from '../../server/messages/message.ts';
import { type Language, translator } from '../../server/messages/messages.ts';

/** Shows the context menu of a text field or of selected text; Electron has no default one. */
export function showContextMenu(
  window: BrowserWindow,
  { editFlags, isEditable, selectionText }: ContextMenuParams,
  language: Language,
): void {
  const t = translator(language);
  const copy = { role: 'copy', label: t('menu:copy'), enabled: editFlags.canCopy } as const;
  const editing: MenuItemConstructorOptions[] = [
    { role: 'undo', label: t('menu:undo'), enabled: editFlags.canUndo },
    { role: 'redo', label: t('menu:redo'), enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: t('menu:cut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: t('menu:paste'), enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: t('menu:selectAll'), enabled: editFlags.canSelectAll },
  ];
  if (isEditable) Menu.buildFromTemplate(editing).popup({ window });
  else if (selectionText !== '') Menu.buildFromTemplate([copy]).popup({ window });
}

type MenuActions = {
  readonly show: (screen: MenuScreen) => void;
  readonly step: (step: 'undo' | 'redo') => void;
  readonly openLogs: () => void;
  readonly quit: () => void;
};

type Translate = ReturnType<typeof translator>;
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
  t: Translate,
  { show }: MenuActions,
  screen: Extract<MenuScreen, keyof Catalogue['menu']>,
  accelerator?: string,
): MenuItemConstructorOptions {
  const item = { id: screen, label: t(`menu:${screen}`), click: () => show(screen) };
  return accelerator === undefined ? item : { ...item, accelerator };
}

function quitItem(t: Translate, { quit }: MenuActions): MenuItemConstructorOptions {
  return { id: 'quit', label: t('menu:quit'), accelerator: 'CmdOrCtrl+Q', click: () => quit() };
}

function macItems(t: Translate, actions: MenuActions): Items {
  return [
    screenItem(t, actions, 'about'),
    separator,
    screenItem(t, actions, 'settings', 'Cmd+,'),
    separator,
    roleItem('services', t('menu:services')),
    separator,
    roleItem('hide', t('menu:hide')),
    roleItem('hideOthers', t('menu:hideOthers')),
    roleItem('unhide', t('menu:showAll')),
    separator,
    quitItem(t, actions),
  ];
}

function fileItems(t: Translate, actions: MenuActions): Items {
  const items: Items = [
    screenItem(t, actions, 'newEvent', 'CmdOrCtrl+N'),
    separator,
    screenItem(t, actions, 'import', 'CmdOrCtrl+O'),
    separator,
    screenItem(t, actions, 'week'),
    screenItem(t, actions, 'print', 'CmdOrCtrl+P'),
    screenItem(t, actions, 'export', 'CmdOrCtrl+E'),
    separator,
    screenItem(t, actions, 'sources'),
    screenItem(t, actions, 'share'),
    screenItem(t, actions, 'history'),
    screenItem(t, actions, 'keys'),
  ];
  const close = roleItem('close', t('menu:closeWindow'));
  if (isMac) return [...items, separator, close];
  const settings = screenItem(t, actions, 'settings', 'Ctrl+,');
  return [...items, settings, separator, close, quitItem(t, actions)];
}

function editItems(t: Translate, { step }: MenuActions): Items {
  const stepItem = (id: 'undo' | 'redo', accelerator: string): MenuItemConstructorOptions => ({
    id,
    label: t(`menu:${id}`),
    accelerator,
    // The page and its text fields handle the key themselves.
    registerAccelerator: false,
    click: () => step(id),
  });
  return [
    stepItem('undo', 'CmdOrCtrl+Z'),
    stepItem('redo', 'Shift+CmdOrCtrl+Z'),
    separator,
    roleItem('cut', t('menu:cut')),
    roleItem('copy', t('menu:copy')),
    roleItem('paste', t('menu:paste')),
    roleItem('selectAll', t('menu:selectAll')),
  ];
}

function viewItems(t: Translate, { show }: MenuActions, isPackaged: boolean): Items {
  const items: Items = [
    { id: 'events', label: t('menu:events'), accelerator: 'CmdOrCtrl+1', click: () => show(null) },
    separator,
    roleItem('resetZoom', t('menu:actualSize')),
    roleItem('zoomIn', t('menu:larger')),
    roleItem('zoomOut', t('menu:smaller')),
    separator,
    roleItem('togglefullscreen', t('menu:fullScreen')),
  ];
  return isPackaged ? items : [...items, roleItem('toggleDevTools', t('menu:developer'))];
}

function helpItems(t: Translate, actions: MenuActions): Items {
  const help = screenItem(t, actions, 'help', isMac ? undefined : 'F1');
  const logs = { id: 'logs', label: t('menu:openLogs'), click: () => actions.openLogs() };
  const items: Items = [help, separator, logs];
  return isMac ? items : [...items, screenItem(t, actions, 'about')];
}

export function setMenu(language: Language, isPackaged: boolean, actions: MenuActions): void {
  const t = translator(language);
  const menus: Items = [
    { id: 'file-menu', label: t('menu:file'), submenu: fileItems(t, actions) },
    { id: 'edit-menu', label: t('menu:edit'), submenu: editItems(t, actions) },
    { id: 'view-menu', label: t('menu:view'), submenu: viewItems(t, actions, isPackaged) },
    ...(isMac
      ? [
          {
            ...roleItem('window', t('menu:window')),
            submenu: [roleItem('minimize', t('menu:minimize'))],
          },
        ]
      : []),
    { id: 'help-menu', label: t('menu:helpMenu'), role: 'help', submenu: helpItems(t, actions) },
  ];
  const appMenu = { id: 'app-menu', label: 'Club Events', submenu: macItems(t, actions) };
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [appMenu, ...menus] : menus));
}
