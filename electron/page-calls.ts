import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { app, shell as system } from 'electron';
import type { ActionResult, DesktopSettings, OwnFolder } from '../server/actions/bridge.ts';
import { packProblem, problem } from '../server/base/errors.ts';
import { homeAt } from '../server/base/home.ts';
import { writeWholeFile } from '../server/base/write-file.ts';
import { createWindowKeys } from '../server/http/window-keys.ts';
import { translator } from '../server/messages/messages.ts';
import { findSynchronised } from '../server/store/synchronised.ts';
import { parseAddress } from '../server/web/address.ts';
import type { ShellApi } from './ipc/calls.ts';
import { silent } from './service/process.ts';
import type { Shell } from './shell.ts';
import { setStartAtLogin, startsAtLogin } from './system/login.ts';
import {
  askForBackup,
  askForFiles,
  askForFolder,
  askForHost,
  askForLink,
  askForOutput,
  type DialogContext,
} from './window/dialogs.ts';

type ShellApiOptions = {
  readonly onSettings: () => void;
  /** Quits the program and installs the downloaded update. */
  readonly installUpdate: () => void;
};

/** Opens the data or log folder in the file manager. Throws `unavailable` if that fails. */
export async function showOwnFolder({ home, faults }: Shell, folder: OwnFolder): Promise<void> {
  const path = folder === 'data' ? home().home.directory : faults.folder;
  // The folder of logs does not exist before the first entry.
  if (folder === 'logs') mkdirSync(path, { recursive: true, mode: 0o700 });
  await showFolder(path);
}

/** Opens the folder of a published file, which the page names by its id and not by its path. */
async function showPublishedFolder({ perform }: Shell, id: number): Promise<void> {
  const listing = await perform('publish list', {}, silent);
  const { files } = listing as ActionResult<'publish list'>;
  const target = files.find((file) => file.id === id)?.target;
  if (target?.kind !== 'folder') throw problem('publish_unknown', { id });
  await showFolder(dirname(target.path));
}

async function showFolder(path: string): Promise<void> {
  await access(path).catch(() => {
    throw problem('folder_missing', { path });
  });
  const opening = system.openPath(path);
  // On Linux, the promise never settles: platform_util_linux.cc drops the callback.
  if (process.platform === 'linux') return;
  const failure = await opening;
  if (failure === '') return;
  throw problem('folder_not_opened', { path, reason: failure });
}

async function openLink(dialogContext: DialogContext, text: string): Promise<boolean> {
  const url = parseAddress(text, { http: 'nowhere', invalid: 'link_refused' });
  if (!(await askForLink(dialogContext, url))) return false;
  await system.openExternal(url.href);
  return true;
}

/** The longest address that the system passes to a mail program: Windows takes 2,083 characters. */
const maxMail = process.platform === 'win32' ? 2_000 : 30_000;

/** Opens the mail program with an e-mail to nobody. Returns false if only the subject has room. */
async function writeMail(subject: string, text: string): Promise<boolean> {
  const start = `mailto:?subject=${encodeURIComponent(subject.toWellFormed())}`;
  // Lines end as those of e-mails (RFC 6068).
  const body = encodeURIComponent(text.toWellFormed().replaceAll(/\r?\n/g, '\r\n'));
  const whole = `${start}&body=${body}`;
  const isWhole = whole.length <= maxMail;
  await system.openExternal(isWhole ? whole : start);
  return isWhole;
}

/** Returns the licences in the application's folder; undefined if there are none. */
function readLicences(folder: string): string | undefined {
  const files = ['LICENSES.txt', 'LICENSE'].map((name) => join(folder, name));
  const file = files.find((path) => existsSync(path));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

/** Implements the functions behind the calls of the page with Electron. */
export function createShellApi(
  shell: Shell,
  dialogContext: DialogContext,
  options: ShellApiOptions,
): ShellApi {
  const { settings, service, faults, window, updates, opened } = shell;

  async function changeSettings(change: Partial<DesktopSettings>): Promise<void> {
    const previous = settings.current();
    const isEnabled = startsAtLogin();
    const { startAtLogin = isEnabled } = change;
    // First, because it may fail: the saved setting must match the system.
    if (startAtLogin !== isEnabled) setStartAtLogin(startAtLogin);
    settings.change(change);
    if (settings.current().port !== previous.port) shell.serve();
    else service.configure();
    options.onSettings();
  }

  async function savePdf(path: string): Promise<void> {
    const pdf = await window.window()?.webContents.printToPDF({ preferCSSPageSize: true });
    if (pdf !== undefined) writeWholeFile(path, [pdf], { umask: 0o022 });
  }

  async function chooseHome(): Promise<boolean> {
    if (shell.home().fixed) {
      throw problem('home_fixed');
    }
    const folder = await askForFolder(dialogContext, 'dialogs:chooseHome');
    if (folder === undefined) return false;
    const directory = await service.prepareHome(folder);
    // Club ids differ between data directories.
    settings.change({ home: directory, club: null });
    shell.serve();
    const warning = findSynchronised(homeAt(directory));
    if (warning !== undefined) shell.warn(packProblem(warning));
    options.onSettings();
    return true;
  }

  return {
    perform: shell.perform,
    listUsers: service.listUsers,
    windowKeys: createWindowKeys(shell.windowSecret),
    send: window.send,
    report: faults.report,
    chosenFiles: join(app.getPath('userData'), 'chosen-files.json'),
    pastedTexts: join(app.getPath('userData'), 'pasted'),
    chooseFiles: () => askForFiles(dialogContext),
    chooseBackup: () => askForBackup(dialogContext),
    chooseBackupFolder: () => askForFolder(dialogContext, 'dialogs:chooseBackupFolder'),
    chooseOutput: (name) => askForOutput(dialogContext, name),
    savePdf,
    takeOpened: opened.take,
    state: shell.state,
    changeSettings,
    chooseHome,
    showFolder: (folder) =>
      typeof folder === 'number'
        ? showPublishedFolder(shell, folder)
        : showOwnFolder(shell, folder),
    // The page says what to do if nothing opens; on Linux, nobody hears of that.
    openFile: (path) => void system.openPath(path),
    writeMail,
    openLink: (text) => openLink(dialogContext, text),
    confirmHost: (host, use) => askForHost(dialogContext, host, use),
    async checkForUpdate() {
      await updates.check();
      return shell.state().update;
    },
    installUpdate: options.installUpdate,
    readLicences: () =>
      readLicences(app.getAppPath()) ?? translator(shell.language())('dialogs:noLicences'),
  };
}
