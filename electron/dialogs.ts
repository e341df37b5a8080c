import { extname, join } from 'node:path';
import { app, type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { importEndings } from '../server/actions/import/endings.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { dialogTexts } from './dialog-texts.ts';
import { fillIn } from './texts.ts';

/** Above which window, and in which language, the shell asks. */
export type Asker = {
  readonly window: () => BrowserWindow | undefined;
  readonly language: () => Language;
};

const title = 'Club Events';

function textsFor({ language }: Asker) {
  return dialogTexts[language()];
}

/** Asks with buttons, of which the last is for those who close the box; gives the one chosen. */
async function askWith<Name extends string>(
  { window }: Asker,
  buttons: Readonly<Partial<Record<Name, string>>>,
  options: Omit<MessageBoxOptions, 'buttons'>,
): Promise<Name> {
  const names = Object.keys(buttons) as Name[];
  const last = names.length - 1;
  const labels = names.map((name) => buttons[name] ?? '');
  const box = { title, noLink: true, cancelId: last, ...options, buttons: labels };
  const above = window();
  const { response } = await (above
    ? dialog.showMessageBox(above, box)
    : dialog.showMessageBox(box));
  return names[response] ?? (names[last] as Name);
}

/** Asks which files to import; none when the dialog was cancelled. */
export async function askForFiles(asker: Asker): Promise<readonly string[]> {
  const t = textsFor(asker);
  const options = {
    title: t.importFiles,
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: t.eventFiles, extensions: [...importEndings] },
      { name: t.allFiles, extensions: ['*'] },
    ],
  } satisfies Electron.OpenDialogOptions;
  const above = asker.window();
  const { filePaths } = await (above
    ? dialog.showOpenDialog(above, options)
    : dialog.showOpenDialog(options));
  return filePaths;
}

/** Asks where to save; undefined when the dialog was cancelled. */
export async function askForOutput(asker: Asker, name: string): Promise<string | undefined> {
  const t = textsFor(asker);
  const extension = extname(name).slice(1);
  const own = extension === '' ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }];
  const options = {
    defaultPath: join(app.getPath('documents'), name),
    filters: [...own, { name: t.allFiles, extensions: ['*'] }],
  } satisfies Electron.SaveDialogOptions;
  const above = asker.window();
  const { canceled, filePath } = await (above
    ? dialog.showSaveDialog(above, options)
    : dialog.showSaveDialog(options));
  return canceled || filePath === '' ? undefined : filePath;
}

/** Asks for a folder for the data; undefined when the dialog was cancelled. */
export async function askForFolder(asker: Asker): Promise<string | undefined> {
  const options = {
    title: textsFor(asker).chooseHome,
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  } satisfies Electron.OpenDialogOptions;
  const above = asker.window();
  const { filePaths } = await (above
    ? dialog.showOpenDialog(above, options)
    : dialog.showOpenDialog(options));
  return filePaths[0];
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
