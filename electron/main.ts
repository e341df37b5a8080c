import { url as inspectorUrl } from 'node:inspector';
import { app, crashReporter } from 'electron';
import { translator } from '../server/messages/messages.ts';
import { createDesktopApp, type DesktopApp } from './desktop-app.ts';
import { pageOrigin } from './ipc/origin.ts';
import { chooseLanguage, describeError } from './settings/desktop-settings.ts';
import type { Shell } from './shell.ts';
import { removeAppImageFolders } from './system/app-image.ts';
import { prepareChromium } from './system/chromium.ts';
import { argumentsOf, isCommand, runCommand } from './system/command-line.ts';
import { repairStartAtLogin, wasStartedAtLogin } from './system/login.ts';
import {
  type LaunchOptions,
  readArguments,
  readLaunchOptions,
  screenOfLink,
} from './system/opening.ts';
import { showFatalError } from './window/dialogs.ts';
import { guardPages } from './window/guards.ts';
import { registerPageScheme } from './window/page-protocol.ts';

async function runDesktop(started: LaunchOptions): Promise<void> {
  prepareApp();
  if (!app.requestSingleInstanceLock(started)) return app.quit();
  const desktop = createDesktopApp();
  const { shell } = desktop;
  handleUncaughtErrors(shell.faults.report);
  reportChildFaults(shell.faults.report);
  registerPageScheme();
  guardPages({ origin: () => pageOrigin, report: shell.faults.report });
  receiveFiles(desktop);
  await app.whenReady();
  // Electron cannot start a utility process before it is ready.
  desktop.run();
  repairLoginEntry(shell);
  shell.opened.add(started.files);
  if (started.screen !== undefined) desktop.show(started.screen);
  else if (!started.hidden && !wasStartedAtLogin()) desktop.open();
}

/** Sets up crash reports and quitting before Electron is ready. */
function prepareApp(): void {
  // Crash reports stay in the folder `Crashpad` beside the settings.
  crashReporter.start({ uploadToServer: false });
  // Otherwise Electron would quit when the window of a message box closes.
  app.on('window-all-closed', () => undefined);
}

/** Reports unexpected ends of Chromium's other processes, such as the GPU process. */
function reportChildFaults(report: (error: unknown) => void): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    report(new Error(`The process "${type}" of Chromium ended: ${reason}, ${exitCode}.`));
  });
}

/** Handles files and links that the system or later starts of the program open. */
function receiveFiles({ shell, open, show }: DesktopApp): void {
  app.on('second-instance', (_event, _args, _folder, launchOptions) => {
    const { files, hidden, screen } = readLaunchOptions(launchOptions);
    shell.opened.add(files);
    if (screen !== undefined) show(screen);
    else if (!hidden) open();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    shell.opened.add([path]);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    const screen = screenOfLink(link);
    if (screen === undefined) open();
    else show(screen);
  });
  app.on('activate', open);
}

/** Repairs the entry that starts the program at login; a failure does not prevent the start. */
function repairLoginEntry({ faults, notify }: Shell): void {
  try {
    repairStartAtLogin();
  } catch (error) {
    faults.report(error);
    notify((language) =>
      translator(language)('desktopSettings:autostart', { reason: describeError(error, language) }),
    );
  }
}

/** Shows a dialog and exits after an uncaught exception, because the state is then unknown. */
function handleUncaughtErrors(report: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    report(error);
    showFatalError(chooseLanguage(null, app.getLocale()), 'fault', '');
    app.exit(1);
  });
  process.on('unhandledRejection', report);
}

/** Shows why the program cannot start; nothing has been changed by then. */
function showStartFailure(error: unknown): void {
  const language = chooseLanguage(null, app.getLocale());
  showFatalError(language, 'start', describeError(error, language));
  app.exit(1);
}

/** Ends a command after an unexpected error; Electron would show a dialog and go on. */
function endCommand(error: unknown): void {
  const trace = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`Club Events failed; please report this:\n${trace}\n`);
  app.exit(1);
}

const args = argumentsOf({ argv: process.argv, isPackaged: app.isPackaged });
if (isCommand(args)) {
  process.on('uncaughtException', endCommand);
  process.on('unhandledRejection', endCommand);
  // Electron opens the display only after this module has ended, so a command needs none.
  app.exit(await runCommand(args));
} else {
  prepareChromium(app, process, inspectorUrl());
  removeAppImageFolders();
  void runDesktop(readArguments(args, process.cwd())).catch(showStartFailure);
}
