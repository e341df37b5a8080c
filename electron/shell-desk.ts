import { mkdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { app, shell as system } from 'electron';
import type { DesktopSettings, OwnFolder } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';
import { createWindowKeys } from '../server/window-keys.ts';
import { readLicences } from './about.ts';
import type { Desk } from './desk.ts';
import { dialogTexts } from './dialog-texts.ts';
import { type Asker, askForFiles, askForFolder, askForLink, askForOutput } from './dialogs.ts';
import { setStartAtLogin, startsAtLogin } from './login.ts';
import { parseExternalUrl } from './origin.ts';
import type { Shell } from './shell.ts';

export type DeskTools = {
  /** The settings are others than before. */
  readonly onSettings: () => void;
  /** Ends the program and installs the update that is ready. */
  readonly installUpdate: () => void;
};

/** Opens one of our folders in the file manager. Throws `unavailable` when that fails. */
export async function showOwnFolder({ home, faults }: Shell, folder: OwnFolder): Promise<void> {
  const path = folder === 'data' ? home().home.directory : faults.folder;
  // Without a fault so far, there is no log.
  if (folder === 'logs') mkdirSync(path, { recursive: true, mode: 0o700 });
  await access(path).catch(() => {
    throw new ClubEventsError('unavailable', `${path} cannot be shown: it does not exist yet.`);
  });
  const opening = system.openPath(path);
  // There, Electron never settles it: platform_util_linux.cc drops the callback.
  if (process.platform === 'linux') return;
  const failure = await opening;
  if (failure === '') return;
  throw new ClubEventsError('unavailable', `${path} cannot be shown: ${failure}`);
}

async function openLink(asker: Asker, text: string): Promise<boolean> {
  const url = parseExternalUrl(text);
  if (url === undefined) {
    throw new ClubEventsError('wrong_usage', 'Only links that begin with https:// can be opened.');
  }
  if (!(await askForLink(asker, url))) return false;
  await system.openExternal(url.href);
  return true;
}

/** What the calls of the page need, by Electron. */
export function createDesk(shell: Shell, asker: Asker, tools: DeskTools): Desk {
  const { settings, service, faults, window, updates, opened } = shell;

  async function changeSettings(change: Partial<DesktopSettings>): Promise<void> {
    const before = settings.current();
    const isStarted = startsAtLogin();
    const { startAtLogin = isStarted } = change;
    // First, as it may fail: a setting that says what is not so would be a lie.
    if (startAtLogin !== isStarted) setStartAtLogin(startAtLogin, shell.language());
    settings.change(change);
    if (settings.current().port !== before.port) shell.serve();
    tools.onSettings();
  }

  async function chooseHome(): Promise<boolean> {
    if (shell.home().fixed) {
      const sentence = 'CLUB_EVENTS_HOME says where the data is; change it there.';
      throw new ClubEventsError('unavailable', sentence);
    }
    const folder = await askForFolder(asker);
    if (folder === undefined) return false;
    const directory = await service.prepareHome(folder);
    // Clubs have other numbers there.
    settings.change({ home: directory, club: null });
    shell.serve();
    tools.onSettings();
    return true;
  }

  return {
    perform: service.perform,
    listUsers: service.listUsers,
    windowKeys: createWindowKeys(shell.windowSecret),
    send: window.send,
    report: faults.report,
    chooseFiles: () => askForFiles(asker),
    chooseOutput: (name) => askForOutput(asker, name),
    takeOpened: opened.take,
    state: shell.state,
    changeSettings,
    chooseHome,
    showFolder: (folder) => showOwnFolder(shell, folder),
    openLink: (text) => openLink(asker, text),
    async checkForUpdate() {
      await updates.check();
      return shell.state().update;
    },
    installUpdate: tools.installUpdate,
    readLicences: () => readLicences(app.getAppPath()) ?? dialogTexts[shell.language()].noLicences,
  };
}
