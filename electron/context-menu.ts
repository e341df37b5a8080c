import {
  type BrowserWindow,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
} from 'electron';
import type { Language } from '../server/ui/i18n/text.ts';
import { menuTexts } from './menu-texts.ts';

/** Shows the context menu of a text field or of selected text; Electron has no default one. */
export function showContextMenu(
  window: BrowserWindow,
  { editFlags, isEditable, selectionText }: ContextMenuParams,
  language: Language,
): void {
  const t = menuTexts[language];
  const copy = { role: 'copy', label: t.copy, enabled: editFlags.canCopy } as const;
  const editing: MenuItemConstructorOptions[] = [
    { role: 'undo', label: t.undo, enabled: editFlags.canUndo },
    { role: 'redo', label: t.redo, enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', label: t.cut, enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: t.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: t.selectAll, enabled: editFlags.canSelectAll },
  ];
  if (isEditable) Menu.buildFromTemplate(editing).popup({ window });
  else if (selectionText !== '') Menu.buildFromTemplate([copy]).popup({ window });
}
