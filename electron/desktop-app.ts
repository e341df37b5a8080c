import { app, clipboard, Notification, nativeTheme, powerMonitor } from 'electron';
import type { MenuScreen } from '../server/actions/bridge.ts';
import type { LongRunning } from '../server/base/long-running.ts';
import { translator } from '../server/messages/messages.ts';
import { openBridge } from './ipc/bridge.ts';
import { createCalls } from './ipc/calls.ts';
import { pageOrigin } from './ipc/origin.ts';
import { createShellApi, showOwnFolder } from './page-calls.ts';
import { createShell, type Shell } from './shell.ts';
import { restartProgram } from './system/login.ts';
import { handleQuitting, type Quitting } from './system/quitting.ts';
import {
  askAboutPage,
  askAboutStopped,
  askToQuit,
  type DialogContext,
  showError,
} from './window/dialogs.ts';
import { setMenu } from './window/menu.ts';
import { servePage } from './window/page-protocol.ts';
import { createTray } from './window/tray.ts';

/** The desktop application. It can run once Electron is ready, and then opens a requested window. */
export type DesktopApp = LongRunning & {
  readonly shell: Shell;
  /** Brings the window to the front, or opens it once the service runs. */
  open(): void;
  /** Opens the window at a screen. */
  show(screen: MenuScreen): void;
};

export function createDesktopApp(): DesktopApp {
  let isRunning = false;
  /** True if the window should open once the service runs. */
  let isRequested = false;
  /** Closes the message box about a stopped service. */
  let explaining: AbortController | undefined;
  /** A reference that keeps the notification and its listeners from being garbage-collected. */
  let announcement: Notification | undefined;

  const shell = createShell({
    onChange: refresh,
    window: {
      mayClose: () => quitting.hasBegun(),
      // Without a tray icon, the user could not open the window again.
      hidesOnClose: async () => shell.settings.current().closeToTray && (await tray.isShown()),
      onHidden: announceHiding,
      onClosed: () => void quitting.quit(),
      onCrashLoop: () => void explainCrashes().catch(shell.faults.report),
      unfinishedWork: () => (jobs.isBusy() ? describeWork() : undefined),
      onSessionEnd: () => quitting.endSession(),
    },
    onOpened: () => {
      open();
      shell.window.send({ kind: 'opened' });
    },
  });
  const { service, window, faults, updates, settings } = shell;
  const dialogContext: DialogContext = {
    window: window.window,
    language: shell.language,
    folder: () => settings.current().folder,
    rememberFolder: (folder) => settings.change({ folder }),
  };
  const shellApi = createShellApi(shell, dialogContext, {
    onSettings: applySettings,
    installUpdate: () => void quitting.quit(installUpdate),
  });
  const { answers, jobs } = createCalls(shellApi);
  const quitting: Quitting = handleQuitting({
    isBusy: jobs.isBusy,
    ask: () => askToQuit(dialogContext),
    end: stop,
    report: faults.report,
  });
  const tray = createTray(
    {
      open,
      copyAddress: () => void copyAddress().catch(faults.report),
      tryAgain: service.retry,
      quit: () => void quitting.quit(),
    },
    faults.report,
  );

  /** Notifies the user once that the program keeps running without its window. */
  function announceHiding(): void {
    if (settings.current().hidingAnnounced || !Notification.isSupported()) return;
    settings.change({ hidingAnnounced: true });
    const body = translator(shell.language())('dialogs:stillRunning');
    announcement = new Notification({ title: 'Club Events', body });
    announcement.on('click', open);
    announcement.show();
  }

  function describeWork() {
    const text = translator(shell.language())('dialogs:busy');
    return { title: `Club Events – ${text}`, ended: jobs.ended() };
  }

  function open(): void {
    isRequested = true;
    if (window.window() !== undefined) window.show();
    else if (isRunning) showOrExplain();
  }

  /** Loads a waiting page, opens a requested window, or explains why the service has stopped. */
  function showOrExplain(): void {
    const { service: status } = shell.state();
    if (window.window() !== undefined) window.loadWaiting();
    else if (isRequested && status.kind === 'running') window.show();
    else if (isRequested && status.kind === 'stopped') {
      void explainStopped(status.reason).catch(faults.report);
    }
  }

  function navigate(screen: MenuScreen): void {
    window.navigate(screen);
    open();
  }

  /** Updates tray, page and window to the current state. */
  function refresh(): void {
    if (!isRunning || quitting.hasBegun()) return;
    const state = shell.state();
    tray.update(state.service, shell.language());
    window.send({ kind: 'state', state });
    if (state.service.kind === 'running') explaining?.abort();
    showOrExplain();
  }

  /** Explains why the service has stopped and does what the user chooses. */
  async function explainStopped(reason: string): Promise<void> {
    if (explaining !== undefined) return;
    explaining = new AbortController();
    const { signal } = explaining;
    const answer = await askAboutStopped(dialogContext, reason, !shell.home().fixed, signal);
    explaining = undefined;
    if (signal.aborted) return;
    isRequested = answer === 'again' || answer === 'folder';
    if (answer === 'again') service.retry();
    if (answer === 'folder') await chooseOtherHome();
    // Without a tray icon, only the invisible service would remain.
    if (answer === 'quit' || (answer === 'later' && !(await tray.isShown()))) await quitting.quit();
    refresh();
  }

  /** Reports repeated crashes of the page and does what the user chooses. */
  async function explainCrashes(): Promise<void> {
    const answer = await askAboutPage(dialogContext);
    if (answer === 'again') window.reload();
    if (answer === 'quit') await quitting.quit();
  }

  async function copyAddress(): Promise<void> {
    const address = shell.baseUrl();
    if (address !== undefined) await clipboard.writeText(address);
  }

  async function chooseOtherHome(): Promise<void> {
    await shellApi.chooseHome().catch(showFailure);
  }

  function applySettings(): void {
    const { theme } = settings.current();
    nativeTheme.themeSource = theme === 'auto' ? 'system' : theme;
    setMenu(shell.language(), app.isPackaged, {
      show: navigate,
      step: (step) => window.send({ kind: 'step', step }),
      openLogs: () => void showOwnFolder(shell, 'logs').catch(showFailure),
      quit: () => void quitting.quit(),
    });
    refresh();
  }

  function showFailure(error: unknown): void {
    void showError(dialogContext, error);
  }

  async function stop(): Promise<void> {
    updates.stop();
    window.window()?.hide();
    await service.stop();
    tray.stop();
  }

  function installUpdate(): void {
    // The new version may start before this one has exited.
    app.releaseSingleInstanceLock();
    updates.install(() => restartProgram(faults.report));
  }

  return {
    shell,
    open,
    show: navigate,
    run() {
      service.run();
      isRunning = true;
      servePage(shell.baseUrl);
      const origin = () => pageOrigin;
      openBridge({ answers, window: window.window, origin, report: faults.report });
      tray.run();
      // Without a question: nobody could answer it during a shutdown.
      powerMonitor.on('shutdown', (event?: Electron.Event) => {
        // Electron's types lack the event. Preventing its default delays the shutdown.
        event?.preventDefault();
        void quitting.endNow();
      });
      // The main process has no event for the network: the service looks at it every 30 seconds.
      powerMonitor.on('resume', service.wake);
      powerMonitor.on('unlock-screen', service.wake);
      applySettings();
      updates.run();
    },
    stop,
  };
}
