import { join } from 'node:path';

/** Calls from the fake to the process of the tests, which has Chromium. */
export type ChromiumAnswers = {
  openWindow(window: WindowOptions): Promise<void>;
  closeWindow(at: AtWindow): Promise<void>;
  /** Loads a page; resolves with the reason if that fails. */
  load(page: AtWindow & { readonly url: string }): Promise<string | undefined>;
  send(message: AtWindow & IpcMessage): Promise<void>;
  /** Prints a page to a PDF. */
  print(page: AtWindow & { readonly preferCSSPageSize: boolean }): Promise<Uint8Array>;
  resize(size: AtWindow & { readonly width: number; readonly height: number }): Promise<void>;
  /** The colours of the system, for every page. */
  showTheme(theme: 'system' | 'light' | 'dark'): void;
  /** Notifies the first instance of a second start. */
  notifyFirst(start: SecondStart): void;
};

/** Calls from the process of the tests to the fake. */
export type ElectronAnswers = {
  /** Runs a function of a test in the main process, as Playwright's `evaluate` does. */
  evaluate(code: { readonly source: string; readonly arg: unknown }): unknown;
  /** `ipcRenderer.invoke`, with the frame that it came from. */
  invoke(call: AtWindow & IpcMessage & { readonly frame: FrameOfCall }): unknown;
  mayNavigate(navigation: Navigation): boolean;
  /** Answers a request to the program's own scheme; undefined when it fails. */
  fetch(request: SchemeRequest): Promise<SchemeResponse | undefined>;
  /** Returns whether a window may open; the fake opens none. */
  mayOpen(page: AtWindow & { readonly url: string }): boolean;
  mayUse(permission: PermissionQuestion): Promise<boolean>;
  /** Returns the path for a download; undefined if it is refused. */
  download(file: AtWindow & { readonly url: string; readonly name: string }): string | undefined;
  happened(event: AtWindow & { readonly event: PageEvent; readonly url: string }): void;
  startedAgain(start: SecondStart): void;
};

type AtWindow = { readonly window: number };

export type WindowOptions = AtWindow & {
  readonly width: number;
  readonly height: number;
  /** The path of the built preload. */
  readonly preload: string | undefined;
};

type IpcMessage = { readonly channel: string; readonly args: readonly unknown[] };

export type FrameOfCall = { readonly isMain: boolean; readonly url: string };

export type Navigation = AtWindow & {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly isRedirect: boolean;
};

export type SchemeRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type SchemeResponse = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
};

type PermissionQuestion = AtWindow & {
  readonly permission: string;
  readonly origin: string;
};

export type PageEvent = 'navigated' | 'loaded' | 'crashed' | 'closed';

export type SecondStart = {
  readonly userData: string;
  readonly argv: readonly string[];
  readonly directory: string;
  /** Data for the first instance; it must be serializable. */
  readonly additionalData: unknown;
};

/** Options of the fake, which the environment of the process contains. */
export type FakeOptions = {
  readonly userData: string;
  readonly appPath: string;
  readonly packaged: boolean;
  /** False if there is no display; Chromium's toolkit then ends the process. */
  readonly display: boolean;
  readonly locale: string;
  readonly electron: string;
  readonly chromium: string;
};

/** Compile cache of Node.js, which halves the start time of the TypeScript sources. */
export const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/node-compile');

export const optionsVariable = 'CLUB_EVENTS_FAKE';
