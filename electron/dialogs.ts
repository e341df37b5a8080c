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
import { importEndings } from '../server/actions/import/endings.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { dialogTexts } from './dialog-texts.ts';
import { fillIn } from './texts.ts';

/** Above which window, and in which language, the shell asks. */
export type Asker = {
  readonly window: () => BrowserWindow | undefined;
  readonly language: () => Language;
  /** The folder that a dialog was last answered in. */
  readonly folder: () => string | null;
  keepFolder(folder: string): void;
};

const title = 'Club Events';

function textsFor({ language }: Asker) {
  return dialogTexts[language()];
}

/** The window that a dialog belongs to, which is shown first: nobody answers one that is hidden. */
function parentOf({ window }: Asker): BrowserWindow | undefined {
  const parent = window();
  if (parent?.isMinimized()) parent.restore();
  if (parent?.isVisible() === false) parent.show();
  return parent;
}

/**
 * Makes a small window for a box that has no other. Without one, macOS stops the whole program until
 * the box is answered, and nothing can close it (message_box_mac.mm, `runModal`).
 */
function makeBoxWindow(): BaseWindow | undefined {
  if (process.platform !== 'darwin') return undefined;
  return new BaseWindow({ title, width: 480, height: 300, resizable: false, closable: false });
}

/** The folder that a dialog begins in; undefined for the one of the system. */
function lastFolder({ folder }: Asker): string | undefined {
  const last = folder();
  return last !== null && existsSync(last) ? last : undefined;
}

/** Asks with buttons, of which the last is for those who close the box; gives the one chosen. */
async function askWith<Name extends string>(
  asker: Asker,
  buttons: Readonly<Partial<Record<Name, string>>>,
  options: Omit<MessageBoxOptions, 'buttons'>,
): Promise<Name> {
  const names = Object.keys(buttons) as Name[];
  const last = names.length - 1;
  const labels = names.map((name) => buttons[name] ?? '');
  const box = { title, noLink: true, cancelId: last, ...options, buttons: labels };
  const parent = parentOf(asker);
  const made = parent === undefined ? makeBoxWindow() : undefined;
  const above = parent ?? made;
  const { response } = await (above
    ? dialog.showMessageBox(above, box)
    : dialog.showMessageBox(box)
  ).finally(() => made?.destroy());
  return names[response] ?? (names[last] as Name);
}

/** Shows an open dialog where the last one was answered; no paths when it was cancelled. */
async function askForPaths(asker: Asker, options: OpenDialogOptions): Promise<readonly string[]> {
  const defaultPath = lastFolder(asker);
  const given = defaultPath === undefined ? options : { ...options, defaultPath };
  const above = parentOf(asker);
  const { filePaths } = await (above
    ? dialog.showOpenDialog(above, given)
    : dialog.showOpenDialog(given));
  const [first] = filePaths;
  if (first !== undefined) asker.keepFolder(dirname(first));
  return filePaths;
}

/** Asks which files to import; none when the dialog was cancelled. */
export function askForFiles(asker: Asker): Promise<readonly string[]> {
  const t = textsFor(asker);
  return askForPaths(asker, {
    title: t.importFiles,
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: t.eventFiles, extensions: [...importEndings] },
      { name: t.allFiles, extensions: ['*'] },
    ],
  });
}

/** Asks where to save; undefined when the dialog was cancelled. */
export async function askForOutput(asker: Asker, name: string): Promise<string | undefined> {
  const t = textsFor(asker);
  const extension = extname(name).slice(1);
  const own = extension === '' ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }];
  const options = {
    defaultPath: join(lastFolder(asker) ?? app.getPath('documents'), name),
    filters: [...own, { name: t.allFiles, extensions: ['*'] }],
  } satisfies Electron.SaveDialogOptions;
  const above = parentOf(asker);
  const { canceled, filePath } = await (above
    ? dialog.showSaveDialog(above, options)
    : dialog.showSaveDialog(options));
  if (canceled || filePath === '') return undefined;
  asker.keepFolder(dirname(filePath));
  return filePath;
}

/** Asks for a folder for the data; undefined when the dialog was cancelled. */
export async function askForFolder(asker: Asker): Promise<string | undefined> {
  const [folder] = await askForPaths(asker, {
    title: textsFor(asker).chooseHome,
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  });
  return folder;
}

/** Whether a link may be opened; the host is told, as a link can look like another. */
export async function askForLink(asker: Asker, url: URL): Promise<boolean> {
  const t = textsFor(asker);
  const answer = await askWith(
    asker,
    { open: t.open, cancel: t.cancel },
    {
      type: 'question',
      message: t.openLink,
      detail: `${fillIn(t.openLinkDetail, { host: url.host })}\n${url.href.slice(0, 300)}`,
      defaultId: 1,
    },
  );
  return answer === 'open';
}

/** Whether to end although something is under way. */
export async function askToQuit(asker: Asker): Promise<boolean> {
  const t = textsFor(asker);
  const answer = await askWith(
    asker,
    { quit: t.quitAnyway, stay: t.keepRunning },
    { type: 'warning', message: t.busy, detail: t.busyDetail, defaultId: 1 },
  );
  return answer === 'quit';
}

/** What to do about a service that cannot start; the box goes when the signal comes. */
export function askAboutStopped(
  asker: Asker,
  reason: string,
  canChooseHome: boolean,
  signal: AbortSignal,
): Promise<'again' | 'folder' | 'quit' | 'later'> {
  const t = textsFor(asker);
  const others = { quit: t.quit, later: t.cancel };
  const buttons = canChooseHome
    ? { again: t.tryAgain, folder: t.otherFolder, ...others }
    : { again: t.tryAgain, ...others };
  const detail = `${reason}\n\n${t.staysUntouched}`;
  return askWith(asker, buttons, { type: 'error', message: t.cannotRead, detail, signal });
}

/** Asks what to do about a page that crashed again and again. */
export function askAboutPage(asker: Asker): Promise<'again' | 'quit' | 'later'> {
  const t = textsFor(asker);
  const buttons = { again: t.tryAgain, quit: t.quit, later: t.cancel };
  return askWith(asker, buttons, {
    type: 'error',
    message: t.pageFails,
    detail: t.pageFailsDetail,
  });
}

/** Says that the program cannot start or go on, in one sentence with a remedy. */
export function tellEnd(language: Language, kind: 'start' | 'fault', reason: string): void {
  const t = dialogTexts[language];
  const [head, remedy] =
    kind === 'start' ? [t.cannotStart, t.startRemedy] : [t.failed, t.failedDetail];
  dialog.showErrorBox(head, [reason, remedy].filter(Boolean).join('\n\n'));
}

/** Says in a box what could not be done. */
export async function tellProblem(asker: Asker, message: string): Promise<void> {
  await askWith(asker, { ok: 'OK' }, { type: 'error', message });
}
