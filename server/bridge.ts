import type { z } from 'zod';
import type { ActionName, ActionResult, catalogue } from './actions/catalogue.ts';
import type { Progress } from './actions/import/progress.ts';
import type { ActionErrorCode } from './errors.ts';
import type { Language } from './ui/i18n/text.ts';

/**
 * What the desktop window offers the page as `globalThis.clubEvents`: the preload makes it, the
 * shell answers it, the page alone uses it. In a browser there is none.
 */
export type Bridge = {
  readonly [Name in keyof BridgeCalls]: (
    args: BridgeCalls[Name]['args'],
  ) => Promise<Answer<BridgeCalls[Name]['value']>>;
} & {
  /** Takes files that were dropped on the page: where they are goes past it, to the shell. */
  takeDropped(files: readonly File[]): Promise<Answer<readonly ChosenFile[]>>;
  /** Hears what the shell has to tell, until the function that it gives is called. */
  listen(listener: (message: BridgeMessage) => void): () => void;
};

/** Errors do not cross the bridge whole; sentences do. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: BridgeErrorCode; readonly message: string };

/** `refused`: the call is not the page's to make; `internal`: a fault of ours, told in the log. */
export type BridgeErrorCode = ActionErrorCode | 'refused' | 'internal';

/** Every call of the page: what it gives and what it gets. */
export type BridgeCalls = {
  /** Performs an action of the catalogue. Files in its arguments are tokens, never paths. */
  readonly perform: { readonly args: ActionRequest; readonly value: unknown };
  /** Gives up an action under way; what it had begun is taken back. False: it was over. */
  readonly cancel: { readonly args: { readonly job: string }; readonly value: boolean };
  /** What opens a club to this window: the one asked for, else the last or the first one. */
  readonly openSession: {
    readonly args: { readonly club: number | null };
    readonly value: Session | null;
  };
  /** Asks for files to import; none when the dialog was cancelled. */
  readonly chooseFiles: { readonly args: null; readonly value: readonly ChosenFile[] };
  /** Asks where to save, with a name proposed; null when the dialog was cancelled. */
  readonly chooseOutput: {
    readonly args: { readonly name: string };
    readonly value: ChosenFile | null;
  };
  /** The files that were opened with the program and wait to be imported, each told once. */
  readonly takeOpened: { readonly args: null; readonly value: readonly ChosenFile[] };
  readonly readState: { readonly args: null; readonly value: DesktopState };
  readonly changeSettings: {
    readonly args: Partial<DesktopSettings>;
    readonly value: DesktopState;
  };
  /** Asks for another data directory and serves that; null when the dialog was cancelled. */
  readonly chooseHome: { readonly args: null; readonly value: DesktopState | null };
  /** Opens a folder of ours in the file manager. */
  readonly showFolder: { readonly args: { readonly folder: OwnFolder }; readonly value: null };
  /** Opens a link of an event in the browser, after asking; https alone. */
  readonly openLink: { readonly args: { readonly url: string }; readonly value: boolean };
  readonly checkForUpdate: { readonly args: null; readonly value: UpdateState };
  /** Ends the program and installs the update that was found. */
  readonly installUpdate: { readonly args: null; readonly value: null };
  /** The licences of everything inside, as text. */
  readonly readLicences: { readonly args: null; readonly value: string };
};

/** What the shell tells without being asked. */
export type BridgeMessage =
  | { readonly kind: 'progress'; readonly job: string; readonly progress: Progress }
  /** Files were opened with the program: `takeOpened` gives them. */
  | { readonly kind: 'opened' }
  /** The service, the settings or the update stand otherwise than before. */
  | { readonly kind: 'state'; readonly state: DesktopState }
  /** The menu leads to a screen, or back to the events. */
  | { readonly kind: 'show'; readonly screen: ManagingScreen | null };

/** An action to perform, under a name by which its progress is told and it can be cancelled. */
export type ActionRequest<Name extends ActionName = ActionName> = {
  readonly job: string;
  readonly name: Name;
  readonly args: ActionInput<Name>;
};

export type ActionInput<Name extends ActionName> = z.input<(typeof catalogue)[Name]['arguments']>;
export type { ActionName, ActionResult, Progress };

/** A file the user chose. The page knows it by its token and its name, not by where it is. */
export type ChosenFile = {
  readonly token: string;
  readonly name: string;
  /** In bytes; null for one that is not there yet. */
  readonly size: number | null;
};

export type Club = { readonly id: number; readonly name: string };

/** What the page reads with: a key of this window, which ends with the program. */
export type Session = {
  readonly key: string;
  /** A name for the club that lasts longer than the key, for what the page remembers of it. */
  readonly account: string;
  readonly club: Club;
};

export const managingScreens = [
  'import',
  'export',
  'history',
  'keys',
  'clubs',
  'settings',
  'about',
] as const;
export type ManagingScreen = (typeof managingScreens)[number];

export const ownFolders = ['data', 'logs'] as const;
export type OwnFolder = (typeof ownFolders)[number];

export const themes = ['auto', 'light', 'dark'] as const;

/** What the user can set in the desktop application; kept on this machine, outside the data. */
export type DesktopSettings = {
  /** Null follows the system. */
  readonly language: Language | null;
  readonly theme: (typeof themes)[number];
  /** Where the service is to listen; it takes one of the next when another program has it. */
  readonly port: number;
  /** Whether closing the window leaves the program in the tray. */
  readonly closeToTray: boolean;
  readonly startAtLogin: boolean;
  readonly checkForUpdates: boolean;
  /** The club that the window shows. */
  readonly club: number | null;
};

export type ServiceState =
  | { readonly kind: 'starting' }
  /** `port` differs from that of the settings when another program has that one. */
  | { readonly kind: 'running'; readonly baseUrl: string; readonly port: number }
  | { readonly kind: 'stopped'; readonly reason: string };

export type UpdateState =
  /** This build was made without a place to look for updates. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'current'; readonly checkedAt: string }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type DesktopState = {
  readonly settings: DesktopSettings;
  readonly service: ServiceState;
  readonly update: UpdateState;
  /** Sentences about what was found wrong at the start, such as settings that cannot be read. */
  readonly notices: readonly string[];
  readonly home: {
    readonly directory: string;
    /** Whether the environment says where the data is, so that it cannot be chosen here. */
    readonly fixed: boolean;
  };
  readonly versions: {
    readonly app: string;
    readonly electron: string;
    readonly chromium: string;
    readonly node: string;
    readonly sqlite: string;
  };
  readonly platform: 'win32' | 'darwin' | 'linux';
};
