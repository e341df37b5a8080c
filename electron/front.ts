import { app, Notification, powerMonitor } from 'electron';
import type { ManagingScreen } from '../server/bridge.ts';
import { openBridge } from './bridge.ts';
import { createCalls } from './calls.ts';
import { dialogTexts } from './dialog-texts.ts';
import { type Asker, askAboutPage, askAboutStopped, askToQuit, tellProblem } from './dialogs.ts';
import { restartProgram } from './login.ts';
import { setMenu } from './menu.ts';
import { pageOrigin } from './origin.ts';
import { servePage } from './page-protocol.ts';
import { type Quitting, takeQuitting } from './quitting.ts';
import { applyTheme, copyAddress, createShell, type Shell } from './shell.ts';
import { createDesk, showOwnFolder } from './shell-desk.ts';
import { createTray, type TraySign } from './tray.ts';

/** What the user sees of the shell: window, menu and tray, each leading to the others. */
export type Front = {
  readonly shell: Shell;
  /** Shows all of it, from when Electron is ready on; the window only if it was asked for. */
  begin(): void;
  /** Brings the window to the front, as soon as there is something to show in it. */
  open(): void;
  /** Brings the window to the front, at a screen or at the events. */
  show(screen: ManagingScreen | null): void;
};

export function createFront(): Front {
  let tray: TraySign | undefined;
  let hasBegun = false;
  /** Whether the window is to be shown once the service runs. */
  let isWanted = false;
  /** Closes the box about a service that has stopped. */
  let explaining: AbortController | undefined;
  /** Kept, as it is collected with its listeners otherwise. */
  let announcement: Notification | undefined;

  const shell = createShell({
    onChange: refresh,
    window: {
      mayClose: () => quitting.hasBegun(),
      // Without a sign in the tray, nothing would be left to open the window again.
      hidesOnClose: () => isTrayShown() && shell.settings.current().closeToTray,
      onHidden: announceHiding,
      onClosed: () => void quitting.quit(),
      onFailing: () => void explainFailing().catch(shell.faults.report),
      onSessionEnd: () => void quitting.endNow(),
    },
    onOpened: () => {
      open();
      shell.window.send({ kind: 'opened' });
    },
  });
  const { service, window, faults, updates, settings } = shell;
  const asker: Asker = {
    window: window.window,
    language: shell.language,
    folder: () => settings.current().folder,
    keepFolder: (folder) => settings.change({ folder }),
  };
  const desk = createDesk(shell, asker, {
    onSettings: applySettings,
    installUpdate: () => void quitting.quit(installUpdate),
  });
  const { answers, jobs } = createCalls(desk);
  const quitting: Quitting = takeQuitting({
    isBusy: jobs.isBusy,
    ask: () => askToQuit(asker),
    end,
    report: faults.report,
  });

  function isTrayShown(): boolean {
    return tray?.isShown() ?? false;
  }

  /** Says once that the program goes on without its window. */
  function announceHiding(): void {
    if (settings.current().hidingAnnounced || !Notification.isSupported()) return;
    settings.change({ hidingAnnounced: true });
    const body = dialogTexts[shell.language()].goesOn;
    announcement = new Notification({ title: 'Club Events', body });
    announcement.on('click', open);
    announcement.show();
  }

  function open(): void {
    isWanted = true;
    // Some desktops have their tray only some time after the login.
    void tray?.look();
    if (window.window() !== undefined) window.show();
    else if (hasBegun) meetWindow();
  }

  /** Shows the window where one is wanted and can be, and else says why it cannot. */
  function meetWindow(): void {
    const { service: stands } = shell.state();
    if (window.window() !== undefined) window.loadMissing();
    else if (isWanted && stands.kind === 'running') window.show();
    else if (isWanted && stands.kind === 'stopped') {
      void explainStopped(stands.reason).catch(faults.report);
    }
  }

  function leadTo(screen: ManagingScreen | null): void {
    window.leadTo(screen);
    open();
  }

  /** Brings everything in line with how the application stands. */
  function refresh(): void {
    if (!hasBegun || quitting.hasBegun()) return;
    const state = shell.state();
    tray?.update(state.service, shell.language());
    window.send({ kind: 'state', state });
    if (state.service.kind === 'running') explaining?.abort();
    meetWindow();
  }

  /** Says why there is nothing to show, and does what the user chooses. */
  async function explainStopped(reason: string): Promise<void> {
    if (explaining !== undefined) return;
    explaining = new AbortController();
    const { signal } = explaining;
    const answer = await askAboutStopped(asker, reason, !shell.home().fixed, signal);
    explaining = undefined;
    if (signal.aborted) return;
    isWanted = answer === 'again' || answer === 'folder';
    if (answer === 'again') service.retry();
    if (answer === 'folder') await chooseOtherHome();
    // Without a sign in the tray, nothing would be left of the program but its service.
    if (answer === 'quit' || (answer === 'later' && !isTrayShown())) await quitting.quit();
    refresh();
  }

  /** Says that the page crashes again and again, and does what the user chooses. */
  async function explainFailing(): Promise<void> {
    const answer = await askAboutPage(asker);
    if (answer === 'again') window.reload();
    if (answer === 'quit') await quitting.quit();
  }

  async function chooseOtherHome(): Promise<void> {
    const answer = await answers.chooseHome(null);
    if (!answer.ok) await tellProblem(asker, answer.message);
  }

  function applySettings(): void {
    applyTheme(shell);
    setMenu(shell.language(), app.isPackaged, {
      show: leadTo,
      openLogs: () => void showOwnFolder(shell, 'logs').catch(tell),
      quit: () => void quitting.quit(),
    });
    refresh();
  }

  function tell(error: unknown): void {
    void tellProblem(asker, error instanceof Error ? error.message : String(error));
  }

  async function end(): Promise<void> {
    window.window()?.hide();
    // Before the service: what they had begun is taken back first.
    await jobs.cancelAll();
    await service.close();
    tray?.remove();
    faults.close();
  }

  function installUpdate(): void {
    // The new version may be started before this one is gone.
    app.releaseSingleInstanceLock();
    updates.install(() => restartProgram(faults.report));
  }

  return {
    shell,
    open,
    show: leadTo,
    begin() {
      hasBegun = true;
      servePage(shell.baseUrl);
      const origin = () => pageOrigin;
      openBridge({ answers, window: window.window, origin, report: faults.report });
      const actions = {
        open,
        copyAddress: () => void copyAddress(shell).catch(faults.report),
        tryAgain: service.retry,
        quit: () => void quitting.quit(),
      };
      tray = createTray(actions, faults.report);
      // Without a question, which nobody could answer then.
      powerMonitor.on('shutdown', (event?: Electron.Event) => {
        // Its types leave the event out, which puts the shutdown off.
        event?.preventDefault();
        void quitting.endNow();
      });
      applySettings();
    },
  };
}
