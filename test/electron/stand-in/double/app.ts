import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { answerChromium, askChromium, options } from './chromium.ts';
import { CommandLine } from './command-line.ts';
import { asElectron, ignore, PreventableEvent, Strict } from './strict.ts';

export type AppEvents = {
  ready: [event: Electron.Event, launchInfo: Electron.NotificationResponse | object];
  'will-finish-launching': [];
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
  activate: [event: Electron.Event, hasVisibleWindows: boolean];
  'browser-window-created': [event: Electron.Event, window: Electron.BrowserWindow];
  'web-contents-created': [event: Electron.Event, webContents: Electron.WebContents];
  'render-process-gone': [
    event: Electron.Event,
    webContents: Electron.WebContents,
    details: Electron.RenderProcessGoneDetails,
  ];
  'child-process-gone': [event: Electron.Event, details: Electron.Details];
  'session-created': [session: Electron.Session];
};

/** Gives an event to listeners; says whether one of them prevented what follows. */
function isPrevented(emit: (event: Electron.Event) => void): boolean {
  const event = new PreventableEvent();
  emit(event as Electron.Event);
  return event.defaultPrevented;
}

export class App extends Strict<AppEvents> {
  name = 'club-events';
  readonly isPackaged = options.packaged;
  readonly commandLine = asElectron<Electron.CommandLine>(new CommandLine());
  readonly dock = undefined;
  #isReady = false;
  #isQuitting = false;
  #isExiting = false;
  readonly #paths = new Map<string, string>([['userData', options.userData]]);
  #login: Electron.Settings = {};
  #lock: string | undefined;
  /** The windows that are open, each with what closes it; false when it stays open. */
  readonly openWindows = new Map<object, () => boolean>();

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
    this.emit('will-finish-launching');
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
    for (const close of this.openWindows.values()) {
      if (close()) continue;
      this.#isQuitting = false;
      return;
    }
    this.#finish();
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

  /** Told by a window that it is gone. */
  lastWindowMayBeGone(): void {
    if (this.#isQuitting || this.openWindows.size > 0) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  relaunch(): void {
    throw new Error('The stand-in cannot start itself again.');
  }

  requestSingleInstanceLock(additionalData?: unknown): boolean {
    const lock = join(this.getPath('userData'), 'SingletonLock');
    mkdirSync(this.getPath('userData'), { recursive: true });
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch {
      if (isAlive(Number(readFileSync(lock, 'utf8')))) {
        const [argv, directory] = [process.argv, process.cwd()];
        const userData = this.getPath('userData');
        void askChromium('tellFirst', { userData, argv, directory, additionalData });
        return false;
      }
      writeFileSync(lock, String(process.pid));
    }
    this.#lock = lock;
    return true;
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock !== undefined;
  }

  releaseSingleInstanceLock(): void {
    if (this.#lock !== undefined) rmSync(this.#lock, { force: true });
    this.#lock = undefined;
  }

  getPath(name: string): string {
    const known = this.#paths.get(name);
    if (known !== undefined) return known;
    if (name === 'exe') return process.execPath;
    if (name === 'temp') return tmpdir();
    if (name === 'home') return homedir();
    if (name === 'logs') return join(this.getPath('userData'), 'logs');
    return join(homedir(), name);
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getAppPath(): string {
    return options.appPath;
  }

  getVersion(): string {
    return JSON.parse(readFileSync(join(options.appPath, 'package.json'), 'utf8')).version;
  }

  getName(): string {
    return this.name;
  }

  setName(name: string): void {
    this.name = name;
  }

  getLocale(): string {
    return options.locale;
  }

  getSystemLocale(): string {
    return options.locale;
  }

  getPreferredSystemLanguages(): string[] {
    return [options.locale];
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

  readonly setAppUserModelId = ignore;
  readonly setAboutPanelOptions = ignore;
  readonly enableSandbox = ignore;
  readonly disableHardwareAcceleration = ignore;
  readonly setActivationPolicy = ignore;
  readonly addRecentDocument = ignore;
  readonly clearRecentDocuments = ignore;
  readonly focus = ignore;
  readonly hide = ignore;
  readonly show = ignore;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const app = new App();
