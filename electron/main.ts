import { url as inspectorUrl } from 'node:inspector';
import { app } from 'electron';
import { explain } from '../server/errors.ts';
import { leaveAppImage } from './app-image.ts';
import { prepareChromium } from './chromium.ts';
import { argumentsOf, isCommand, runCommand } from './command.ts';
import { tellEnd } from './dialogs.ts';
import { createFront } from './front.ts';
import { guardPages } from './guards.ts';
import { mendStartAtLogin, wasStartedAtLogin } from './login.ts';
import { type HandedOver, readArguments, readHandedOver, screenOfLink } from './opening.ts';
import { pageOrigin } from './origin.ts';
import { registerPageScheme } from './page-protocol.ts';
import { prepareApp, reportChildFaults } from './prepare.ts';
import { settingsTexts } from './settings-texts.ts';
import type { Shell } from './shell.ts';
import { chooseLanguage, fillIn } from './texts.ts';

/** The desktop application, step by step. */
async function runDesktop(started: HandedOver): Promise<void> {
  prepareApp();
  if (!app.requestSingleInstanceLock(started)) return app.quit();
  const front = createFront();
  const { shell } = front;
  catchFaults(shell.faults.report);
  reportChildFaults(shell.faults.report);
  registerPageScheme();
  guardPages({ origin: () => pageOrigin, report: shell.faults.report });
  receiveFiles(front);
  await app.whenReady();
  // Electron starts no process of its own before it is ready.
  shell.serve();
  front.begin();
  mendLogin(shell);
  shell.opened.add(started.files);
  if (started.screen !== undefined) front.show(started.screen);
  else if (!started.hidden && !wasStartedAtLogin()) front.open();
  shell.updates.schedule();
}

/** Takes what other starts of the program and the system open with it. */
function receiveFiles({ shell, open, show }: ReturnType<typeof createFront>): void {
  app.on('second-instance', (_event, _args, _folder, handedOver) => {
    const { files, hidden, screen } = readHandedOver(handedOver);
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

/** Corrects the entry that starts the program at login; a failure is no reason not to start. */
function mendLogin({ faults, notify }: Shell): void {
  try {
    mendStartAtLogin();
  } catch (error) {
    faults.report(error);
    const reason = explain(error)?.message ?? String(error);
    notify((language) => fillIn(settingsTexts[language].autostart, { reason }));
  }
}

/** A fault of ours ends the program, told in a box: what it would do next is anybody's guess. */
function catchFaults(report: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    report(error);
    tellEnd(chooseLanguage(null, app.getLocale()), 'fault', '');
    app.exit(1);
  });
  process.on('unhandledRejection', report);
}

/** Says in a sentence why the program cannot start; nothing was changed by then. */
function tellFailure(error: unknown): void {
  const reason = explain(error)?.message ?? String(error);
  tellEnd(chooseLanguage(null, app.getLocale()), 'start', reason);
  app.exit(1);
}

/** Ends a command that failed unexpectedly; Electron would show a box and go on. */
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
  leaveAppImage(process.env, process.execPath);
  void runDesktop(readArguments(args, process.cwd())).catch(tellFailure);
}
