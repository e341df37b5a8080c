import {
  type BrowserWindow,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
} from 'electron';
import { type Language, translator } from '../server/messages/messages.ts';

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
