import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import type { Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { builtDesktop } from '../../../electron/packaging/build.ts';
import type { DesktopSettings } from '../../../server/actions/bridge.ts';
import type { Home } from '../../../server/base/home.ts';
import { faultsOf } from '../../support/browser.ts';
import { makeFolder, makeTestFolder, removeFolder } from '../../support/home.ts';
import { patience } from '../../support/patience.ts';
import { findElectron, launchElectron } from './electron-runtime.ts';
import { launchFake } from './fake-runtime.ts';
import type { DialogAnswers, DialogName, Record, RecordedCall } from './record.ts';
import type { Evaluate, Runtime } from './runtime.ts';

export type DesktopOptions = {
  /** The data directory, set in the environment; the default one if undefined. */
  readonly home?: Home;
  /** The folder of the settings; a new one by default. */
  readonly userData?: string;
  /** Arguments, such as a file to open. */
  readonly args?: readonly string[];
  readonly settings?: Partial<DesktopSettings>;
  readonly env?: Readonly<globalThis.Record<string, string>>;
  readonly locale?: string;
  /** True, the default, to wait for the window. */
  readonly opensWindow?: boolean;
  /** The value of `app.isPackaged`; fake only. */
  readonly packaged?: boolean;
  /** The folder of the built application. */
  readonly application?: string;
  /** False if the desktop has no tray; `refused` if that does not take the icon. */
  readonly tray?: boolean | 'refused';
  /** True if there is a display. */
  readonly display?: boolean;
  /** False for a start that ends by itself, such as a command. */
  readonly driven?: boolean;
  /** Matches expected errors of the page. */
  readonly mayFail?: RegExp;
};

/** A running desktop application, driven by a test. */
export type Desktop = {
  readonly kind: Runtime['kind'];
  readonly pid: number;
  /** Start time of the process, from `performance.now`. */
  readonly startedAt: number;
  /** The origin of the application's page, as Chromium has it. */
  readonly pageOrigin: string;
  /** The page of the newest window; throws when there is none. */
  readonly page: Page;
  nextPage(): Promise<Page>;
  readonly userData: string;
  readonly evaluate: Evaluate;
  /** Answers the next dialog of a kind; a dialog without an answer is cancelled. */
  answer<Name extends DialogName>(dialog: Name, answer: DialogAnswers[Name]): Promise<void>;
  /** Returns all recorded dialogs, links, folders and notifications. */
  calls(): Promise<readonly RecordedCall[]>;
  /** Chooses an entry of the menu by its id or its label. */
  clickMenu(name: string): Promise<void>;
  /** Chooses an entry of the tray's menu by its id or its label. */
  clickTray(name: string): Promise<void>;
  /** Returns the tooltip of the tray icon and the labels of its menu. */
  tray(): Promise<{ readonly toolTip: string; readonly labels: readonly string[] } | undefined>;
  /** Drops files on the element of a selector. */
  dropFiles(selector: string, paths: readonly string[]): Promise<void>;
  /** Calls `ipcRenderer.invoke` in a frame; fake only. */
  invokeFrom?(frame: Frame, channel: string, args: readonly unknown[]): Promise<unknown>;
  /** Quits like a user and resolves with the exit code. */
  quit(): Promise<number | string | null>;
  readonly ended: Runtime['ended'];
  stdout(): string;
  stderr(): string;
};

const electron = findElectron();

let desktops = 0;

/** Returns the first of ten ports that no other desktop of a test run uses. */
function takePorts(): number {
  desktops += 1;
  // Below the ports that systems give out; worker processes have neighbouring ids.
  return 10_000 + (process.pid % 200) * 100 + (desktops % 10) * 10;
}

/** Writes settings, merged with the existing ones. A file that need not change may be broken. */
function writeSettings(userData: string, settings: Partial<DesktopSettings> | undefined): void {
  const file = join(userData, 'settings.json');
  mkdirSync(userData, { recursive: true });
  const exists = existsSync(file);
  if (exists && settings === undefined) return;
  const older = exists ? JSON.parse(readFileSync(file, 'utf8')) : { port: takePorts() };
  writeFileSync(file, `${JSON.stringify({ ...older, ...settings })}\n`);
}

/** Variables without which a program finds neither the display nor the session bus. */
const sessionNames = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** On Windows nothing starts without the system's own variables. */
function sessionVariables(hasDisplay: boolean): globalThis.Record<string, string> {
  const entries = Object.entries(process.env).filter(
    ([name]) => process.platform === 'win32' || sessionNames.includes(name),
  );
  const shown = entries.filter(([name]) => hasDisplay || !name.includes('DISPLAY'));
  return Object.fromEntries(shown) as globalThis.Record<string, string>;
}

/** Writes a fake `gdbus` that reports a tray with the icon of its caller, and returns its folder. */
function makeSessionBus(folder: string, tray: boolean | 'refused'): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const item = tray === 'refused' ? '' : "':1.1/Item'";
  const script = `#!/bin/sh
case "$*" in
  *GetAll*) echo "({'Items': <[${item}]>, 'IsStatusNotifierHostRegistered': <${tray !== false}>},)" ;;
  *) echo "(uint32 $PPID,)" ;;
esac
`;
  writeFileSync(join(programs, 'gdbus'), script, { mode: 0o755 });
  return programs;
}

async function waitForWindow(runtime: Runtime): Promise<void> {
  if (runtime.page() !== undefined) return;
  const opened = await Promise.race([runtime.nextPage(), runtime.ended]);
  if (typeof opened === 'object' && opened !== null) return;
  throw new Error(`The program ended (${opened}) without a window: ${runtime.stderr()}`);
}

/** A started desktop and the errors of its page. */
type Started = { readonly desktop: Desktop; readonly takeFaults: () => readonly string[] };

/** Starts the desktop application in a folder; passes a function that ends it to `atEnd`. */
async function startDesktop(
  options: DesktopOptions,
  folder: string,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Started> {
  const { userData = join(folder, 'user data'), home, settings, display = true } = options;
  const { driven = true } = options;
  const programs = makeSessionBus(folder, options.tray ?? true);
  writeSettings(userData, settings);
  const runtimeOptions = {
    application: options.application ?? builtDesktop,
    userData,
    args: options.args ?? [],
    locale: options.locale ?? 'en-GB',
    packaged: options.packaged ?? false,
    display,
    driven,
    env: {
      ...sessionVariables(display),
      PATH: [programs, process.env['PATH']].join(delimiter),
      HOME: folder,
      TZ: 'Europe/Berlin',
      ...(home !== undefined && { CLUB_EVENTS_HOME: home.directory }),
      ...options.env,
    },
  };
  const runtime = await (electron === undefined
    ? launchFake(runtimeOptions)
    : launchElectron(electron, runtimeOptions));
  atEnd(async () => {
    runtime.kill();
    await runtime.ended;
  });
  const faults: string[][] = [];
  const watch = (page: Page) => {
    page.setDefaultTimeout(patience);
    faults.push(faultsOf(page, (origin) => origin === runtime.pageOrigin || isLoopback(origin)));
  };
  if (options.opensWindow ?? true) {
    await waitForWindow(runtime);
    const page = runtime.page();
    if (page !== undefined) watch(page);
  } else if (driven) void runtime.nextPage().then(watch);
  const isFault = (text: string) => !options.mayFail?.test(text);
  return {
    desktop: createDesktop(runtime, userData),
    takeFaults: () => faults.flatMap((ofPage) => ofPage.splice(0)).filter(isFault),
  };
}

/** Throws if the page has had errors since the last call. */
function requireNoFaults(takeFaults: Started['takeFaults']): void {
  const faults = takeFaults();
  if (faults.length > 0) throw new Error(`The page has errors: ${faults.join('; ')}`);
}

/** Starts the desktop application for the running test, which fails if its page has errors. */
export async function launchDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const { desktop, takeFaults } = await startDesktop(options, makeTestFolder(), onTestFinished);
  onTestFinished(() => requireNoFaults(takeFaults));
  return desktop;
}

/**
 * Starts the desktop application once for the tests of a block or file. Recorded calls and answers
 * are reset before each test, which fails if the page has errors.
 */
export function shareDesktop(
  makeOptions: (folder: string) => DesktopOptions | Promise<DesktopOptions>,
): { readonly current: Desktop } {
  const ends: (() => Promise<void> | void)[] = [];
  let started: Started | undefined;
  let hasEnded = false;
  const shared = {
    get current() {
      if (started === undefined) throw new Error('The desktop is available only in tests.');
      return started.desktop;
    },
  };
  beforeAll(async () => {
    const folder = makeFolder();
    ends.push(() => removeFolder(folder));
    started = await startDesktop(await makeOptions(folder), folder, (end) => ends.push(end));
    void started.desktop.ended.then(() => {
      hasEnded = true;
    });
  });
  beforeEach(async () => {
    if (!hasEnded) await shared.current.evaluate(forget);
  });
  afterEach(() => started && requireNoFaults(started.takeFaults));
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return shared;
}

/** Origins of test servers. */
const isLoopback = (origin: string) => /^http:\/\/127\.0\.0\.1:\d+$/.test(origin);

function createDesktop(runtime: Runtime, userData: string): Desktop {
  const { evaluate, ended } = runtime;
  const currentPage = (): Page => {
    const page = runtime.page();
    if (page === undefined) throw new Error('There is no window.');
    return page;
  };
  return {
    kind: runtime.kind,
    pid: runtime.pid,
    startedAt: runtime.startedAt,
    pageOrigin: runtime.pageOrigin,
    get page() {
      return currentPage();
    },
    nextPage: runtime.nextPage,
    userData,
    evaluate,
    ended,
    stdout: runtime.stdout,
    stderr: runtime.stderr,
    ...(runtime.invokeFrom && { invokeFrom: runtime.invokeFrom }),
    answer: (kind, answer) => evaluate(addAnswer, { kind, answer }),
    calls: () => evaluate(readCalls),
    clickMenu: (name) => evaluate(clickMenu, name),
    clickTray: (name) => evaluate(clickTray, name),
    tray: () => evaluate(readTray),
    async dropFiles(selector, paths) {
      const page = currentPage();
      const input = '#files-of-the-test';
      await page.evaluate(addFileInput, input.slice(1));
      await page.setInputFiles(input, [...paths]);
      await runtime.setPaths(input);
      const transfer = await page.evaluateHandle(takeFiles, input);
      for (const type of ['dragenter', 'dragover', 'drop']) {
        await page.dispatchEvent(selector, type, { dataTransfer: transfer });
      }
    },
    async quit() {
      // Later, so that this call is answered before the program ends.
      await evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
      return ended;
    },
  };
}

// The functions below run in other processes and cannot use this module.

type Module = typeof Electron.CrossProcessExports;

function forget(): void {
  const record = Reflect.get(globalThis, 'desktopRecord') as Record;
  record.calls = [];
  record.answers = {};
}

function addAnswer(_: Module, { kind, answer }: { kind: string; answer: unknown }): void {
  const { answers } = Reflect.get(globalThis, 'desktopRecord') as Record;
  const queue = answers[kind] ?? [];
  answers[kind] = queue;
  queue.push(answer);
}

function readCalls(_: Module): readonly RecordedCall[] {
  return (Reflect.get(globalThis, 'desktopRecord') as Record).calls;
}

function clickMenu({ Menu, BrowserWindow }: Module, name: string): void {
  const find = (menu: Electron.Menu | null | undefined): Electron.MenuItem | undefined => {
    for (const item of menu?.items ?? []) {
      if (item.id === name || item.label === name) return item;
      const inside = find(item.submenu);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };
  const item = find(Menu.getApplicationMenu());
  if (item === undefined) throw new Error(`The menu has no entry "${name}".`);
  const [window] = BrowserWindow.getAllWindows();
  item.click({}, window, window?.webContents);
}

function clickTray(_: Module, name: string): void {
  const { trays } = Reflect.get(globalThis, 'desktopRecord') as Record;
  const items = trays.at(-1)?.menu?.items ?? [];
  const item = items.find(({ id, label }) => id === name || label === name);
  if (item === undefined) throw new Error(`The tray has no entry "${name}".`);
  item.click({}, undefined, undefined);
}

function readTray(_: Module) {
  const tray = (Reflect.get(globalThis, 'desktopRecord') as Record).trays.at(-1);
  if (tray === undefined) return undefined;
  const labels = (tray.menu?.items ?? []).map(({ label }) => label);
  return { toolTip: tray.toolTip, labels };
}

function addFileInput(id: string): void {
  document.getElementById(id)?.remove();
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', id, multiple: true, hidden: true });
  document.body.append(input);
}

function takeFiles(selector: string): DataTransfer {
  const transfer = new DataTransfer();
  const chosen = document.querySelector<HTMLInputElement>(selector)?.files ?? [];
  for (const file of chosen) transfer.items.add(file);
  return transfer;
}
