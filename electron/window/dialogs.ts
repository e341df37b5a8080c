import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import {
  app,
  BaseWindow,
  type BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
} from 'electron';
import type { AddressUse } from '../../server/actions/action.ts';
import {
  backupEndings,
  importEndings,
  otherSpreadsheetEndings,
} from '../../server/import/formats.ts';
import { type Language, translator } from '../../server/messages/messages.ts';
import { describeError } from '../settings/desktop-settings.ts';

/** Parent window and language of the dialogs, and the folder in which file dialogs open. */
export type DialogContext = {
  readonly window: () => BrowserWindow | undefined;
  readonly language: () => Language;
  /** The folder last chosen in a file dialog; null before the first one. */
  readonly folder: () => string | null;
  rememberFolder(folder: string): void;
};

const title = 'Club Events';

function translate({ language }: DialogContext) {
  return translator(language());
}

/** Shows and returns the parent window: nobody could answer a dialog of a hidden window. */
function showParent({ window }: DialogContext): BrowserWindow | undefined {
  const parent = window();
  if (parent?.isMinimized()) parent.restore();
  if (parent?.isVisible() === false) parent.show();
  return parent;
}

/**
 * Creates a parent on macOS for a message box that has none. Without a parent, the box blocks the
 * whole program until it is answered, and code cannot close it (message_box_mac.mm, `runModal`).
 */
function createBoxWindow(): BaseWindow | undefined {
  if (process.platform !== 'darwin') return undefined;
  return new BaseWindow({ title, width: 480, height: 300, resizable: false, closable: false });
}

/** Returns the folder in which a dialog opens; undefined for the default of the system. */
function lastFolder({ folder }: DialogContext): string | undefined {
  const last = folder();
  return last !== null && existsSync(last) ? last : undefined;
}

/** Shows a message box and returns the chosen button. Closing the box chooses the last one. */
async function askForButton<Name extends string>(
  context: DialogContext,
  buttons: Readonly<Partial<Record<Name, string>>>,
  options: Omit<MessageBoxOptions, 'buttons'>,
): Promise<Name> {
  const names = Object.keys(buttons) as Name[];
  const last = names.length - 1;
  const labels = names.map((name) => buttons[name] ?? '');
  const box = { title, noLink: true, cancelId: last, ...options, buttons: labels };
  const mainWindow = showParent(context);
  const boxWindow = mainWindow === undefined ? createBoxWindow() : undefined;
  const parent = mainWindow ?? boxWindow;
  const { response } = await (parent
    ? dialog.showMessageBox(parent, box)
    : dialog.showMessageBox(box)
  ).finally(() => boxWindow?.destroy());
  return names[response] ?? (names[last] as Name);
}

/** Shows an open dialog in the last folder. Returns no paths if it was cancelled. */
async function askForPaths(
  context: DialogContext,
  options: OpenDialogOptions,
): Promise<readonly string[]> {
  const defaultPath = lastFolder(context);
  const optionsWithPath = defaultPath === undefined ? options : { ...options, defaultPath };
  const parent = showParent(context);
  const { filePaths } = await (parent
    ? dialog.showOpenDialog(parent, optionsWithPath)
    : dialog.showOpenDialog(optionsWithPath));
  const [first] = filePaths;
  if (first !== undefined) context.rememberFolder(dirname(first));
  return filePaths;
}

/** Asks for files to import. Returns none if the dialog was cancelled. */
export function askForFiles(context: DialogContext): Promise<readonly string[]> {
  const t = translate(context);
  return askForPaths(context, {
    title: t('dialogs:importFiles'),
    properties: ['openFile', 'multiSelections'],
    filters: [
      // Other spreadsheets can be chosen as well; the import says how to save them as .xlsx.
      {
        name: t('dialogs:eventFiles'),
        extensions: [...importEndings, ...otherSpreadsheetEndings],
      },
      { name: t('dialogs:allFiles'), extensions: ['*'] },
    ],
  });
}

/** Asks for a backup to restore; undefined if the dialog was cancelled. */
export async function askForBackup(context: DialogContext): Promise<string | undefined> {
  const t = translate(context);
  const [file] = await askForPaths(context, {
    title: t('dialogs:restoreFile'),
    properties: ['openFile'],
    filters: [
      { name: t('dialogs:backups'), extensions: [...backupEndings] },
      { name: t('dialogs:allFiles'), extensions: ['*'] },
    ],
  });
  return file;
}

/** Asks for the path of an output file; undefined if the dialog was cancelled. */
export async function askForOutput(
  context: DialogContext,
  name: string,
): Promise<string | undefined> {
  const t = translate(context);
  const extension = extname(name).slice(1);
  const ownFilter =
    extension === '' ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }];
  const options = {
    defaultPath: join(lastFolder(context) ?? app.getPath('documents'), name),
    filters: [...ownFilter, { name: t('dialogs:allFiles'), extensions: ['*'] }],
  } satisfies Electron.SaveDialogOptions;
  const parent = showParent(context);
  const { canceled, filePath } = await (parent
    ? dialog.showSaveDialog(parent, options)
    : dialog.showSaveDialog(options));
  if (canceled || filePath === '') return undefined;
  context.rememberFolder(dirname(filePath));
  return filePath;
}

/** Asks for a data folder, or one for backups; undefined if the dialog was cancelled. */
export async function askForFolder(
  context: DialogContext,
  title: 'dialogs:chooseHome' | 'dialogs:chooseBackupFolder',
): Promise<string | undefined> {
  const [folder] = await askForPaths(context, {
    title: translate(context)(title),
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  });
  return folder;
}

/** Asks whether to do something. The default is the second button, which leaves things as they are. */
async function askForConsent(
  context: DialogContext,
  [consent, refusal]: readonly [string, string],
  options: Pick<MessageBoxOptions, 'message' | 'detail' | 'type'>,
): Promise<boolean> {
  const buttons = { consent, refusal };
  return (await askForButton(context, buttons, { ...options, defaultId: 1 })) === 'consent';
}

/** Asks whether to open a link. Shows its host, because a link can look like another one. */
export function askForLink(context: DialogContext, url: URL): Promise<boolean> {
  const t = translate(context);
  return askForConsent(context, [t('dialogs:open'), t('dialogs:cancel')], {
    type: 'question',
    message: t('dialogs:openLink'),
    detail: `${t('dialogs:openLinkDetail', { host: url.host })}\n${url.href.slice(0, 300)}`,
  });
}

/** Asks whether the actions of the page may send something to a host. */
export function askForHost(
  context: DialogContext,
  host: string,
  use: AddressUse,
): Promise<boolean> {
  const t = translate(context);
  return askForConsent(context, [t('dialogs:allow'), t('dialogs:cancel')], {
    type: 'question',
    message: t('dialogs:callHost', { host }),
    detail: t(`dialogs:sends_${use}`),
  });
}

export function askToQuit(context: DialogContext): Promise<boolean> {
  const t = translate(context);
  return askForConsent(context, [t('dialogs:quitAnyway'), t('dialogs:keepRunning')], {
    type: 'warning',
    message: t('dialogs:busy'),
    detail: t('dialogs:busyDetail'),
  });
}

/** Asks what to do about a service that cannot start. `signal` closes the message box. */
export function askAboutStopped(
  context: DialogContext,
  reason: string,
  canChooseHome: boolean,
  signal: AbortSignal,
): Promise<'again' | 'folder' | 'quit' | 'later'> {
  const t = translate(context);
  const others = { quit: t('dialogs:quit'), later: t('dialogs:cancel') };
  const buttons = canChooseHome
    ? { again: t('dialogs:tryAgain'), folder: t('dialogs:otherFolder'), ...others }
    : { again: t('dialogs:tryAgain'), ...others };
  const detail = `${reason}\n\n${t('dialogs:nothingChanged')}`;
  return askForButton(context, buttons, {
    type: 'error',
    message: t('dialogs:cannotRead'),
    detail,
    signal,
  });
}

/** Asks what to do about a page that crashed repeatedly. */
export function askAboutPage(context: DialogContext): Promise<'again' | 'quit' | 'later'> {
  const t = translate(context);
  const buttons = {
    again: t('dialogs:tryAgain'),
    quit: t('dialogs:quit'),
    later: t('dialogs:cancel'),
  };
  return askForButton(context, buttons, {
    type: 'error',
    message: t('dialogs:pageFails'),
    detail: t('dialogs:pageFailsDetail'),
  });
}

/** Shows that the program cannot start (`start`) or has to end (`fault`), with a remedy. */
export function showFatalError(language: Language, kind: 'start' | 'fault', reason: string): void {
  const t = translator(language);
  const [head, remedy] =
    kind === 'start'
      ? [t('dialogs:cannotStart'), t('dialogs:startRemedy')]
      : [t('dialogs:failed'), t('dialogs:failedDetail')];
  dialog.showErrorBox(head, [reason, remedy].filter(Boolean).join('\n\n'));
}

export async function showError(context: DialogContext, error: unknown): Promise<void> {
  const message = describeError(error, context.language());
  await askForButton(context, { ok: 'OK' }, { type: 'error', message });
}
