import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { options } from '../versions.ts';
import { answerChromium, askChromium } from './chromium.ts';
import { CommandLine } from './command-line.ts';
import { asElectron, ignore, PreventableEvent, Strict } from './strict.ts';

export type AppEvents = {
  ready: [event: Electron.Event, launchInfo: Electron.NotificationResponse | object];
  'before-quit': [event: Electron.Event];
  'will-quit': [event: Electron.Event];
  quit: [event: Electron.Event, exitCode: number];
  'window-all-closed': [];
  'second-instance': [
    event: Electron.Event,
    argv: string[],
    workingDirectory: string,
    additionalData: unknown,
  ];
  'open-file': [event: Electron.Event, path: string];
  'open-url': [event: Electron.Event, url: string];
  activate: [event: Electron.Event, hasVisibleWindows: boolean];
  'web-contents-created': [event: Electron.Event, webContents: Electron.WebContents];
  'child-process-gone': [event: Electron.Event, details: Electron.Details];
};

/** Gives an event to listeners; says whether one of them prevented what follows. */
function isPrevented(emit: (event: Electron.Event) => void): boolean {
  const event = new PreventableEvent();
  emit(event as Electron.Event);
  return event.defaultPrevented;
}

export class App extends Strict<AppEvents> {
  readonly name = 'club-events';
  readonly isPackaged = options.packaged;
  readonly #switches = new CommandLine();
  readonly commandLine = asElectron<Electron.CommandLine>(this.#switches);
  #isReady = false;
  #isQuitting = false;
  #isExiting = false;
  readonly #paths = new Map<string, string>([
    ['userData', options.userData],
    ['exe', process.execPath],
  ]);
  #login: Electron.Settings = {};
  #lock: string | undefined;
  /** The open windows, each with the function that closes it. */
  readonly openWindows = new Map<object, () => void>();

  constructor() {
    super();
    answerChromium('startedAgain', ({ argv, directory, additionalData }) => {
      this.emit('second-instance', this.#event(), [...argv], directory, additionalData);
    });
  }

  #event(): Electron.Event {
    return new PreventableEvent() as Electron.Event;
  }

  /** Starts the toolkit and becomes ready; called when the main module has ended. */
  begin(): void {
    // Electron's `exit` ends the process at once; this one has messages to deliver first.
    if (this.#isExiting) return;
    if (!options.display) {
      process.stderr.write('Missing X server or $DISPLAY\n');
      process.exit(1);
    }
    this.#isReady = true;
    this.emit('ready', this.#event(), {});
  }

  isReady(): boolean {
    return this.#isReady;
  }

  async whenReady(): Promise<void> {
    if (!this.#isReady) await new Promise<void>((resolve) => this.once('ready', () => resolve()));
  }

  quit(): void {
    if (this.#isQuitting) return;
    if (isPrevented((event) => this.emit('before-quit', event))) return;
    this.#isQuitting = true;
    for (const close of this.openWindows.values()) close();
    if (this.openWindows.size === 0) this.#finish();
  }

  /** Ends the process at once, as Electron does on Windows, unless the program has begun to quit. */
  sessionIsOver(): void {
    if (!this.#isQuitting) process.exit(0);
  }

  /** Called by a window that a listener keeps open. */
  windowStays(): void {
    this.#isQuitting = false;
  }

  /** Called by a window that is gone. */
  windowIsGone(): void {
    if (this.openWindows.size > 0) return;
    if (this.#isQuitting) this.#finish();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #finish(): void {
    this.#isQuitting = false;
    if (isPrevented((event) => this.emit('will-quit', event))) return;
    this.exit(0);
  }

  exit(exitCode = 0): void {
    this.#isExiting = true;
    this.emit('quit', this.#event(), exitCode);
    this.releaseSingleInstanceLock();
    // What was sent has to arrive first.
    if (process.send === undefined) process.exit(exitCode);
    process.send({ kind: 'done', turn: 0, value: undefined }, () => process.exit(exitCode));
  }

  requestSingleInstanceLock(additionalData?: unknown): boolean {
    const userData = this.getPath('userData');
    const lock = join(userData, 'SingletonLock');
    mkdirSync(userData, { recursive: true });
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch {
      if (isAlive(Number(readFileSync(lock, 'utf8')))) {
        const [argv, directory] = [process.argv, process.cwd()];
        void askChromium('notifyFirst', { userData, argv, directory, additionalData });
        return false;
      }
      writeFileSync(lock, String(process.pid));
    }
    this.#lock = lock;
    return true;
  }

  releaseSingleInstanceLock(): void {
    if (this.#lock !== undefined) rmSync(this.#lock, { force: true });
    this.#lock = undefined;
  }

  getPath(name: string): string {
    return this.#paths.get(name) ?? join(homedir(), name);
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getAppPath(): string {
    return options.appPath;
  }

  getLocale(): string {
    return this.#isReady ? options.locale : '';
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    this.#login = settings;
  }

  getLoginItemSettings(): Electron.LoginItemSettings {
    const openAtLogin = this.#login.openAtLogin ?? false;
    const executableWillLaunchAtLogin = openAtLogin;
    const launched = { wasOpenedAtLogin: false, launchItems: [] };
    return { openAtLogin, executableWillLaunchAtLogin, status: 'not-registered', ...launched };
  }

  enableSandbox(): void {
    this.#switches.removeSwitch('no-sandbox');
  }

  readonly relaunch = ignore;
  readonly setAppUserModelId = ignore;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const app = new App();
