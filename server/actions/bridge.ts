import type { KeyStore, User } from '../../db/model.ts';
import type { Progress } from '../club/tools.ts';
import type { MessageValues, PackedProblem } from '../messages/message.ts';
import type { Language } from '../messages/messages.ts';
import type {
  ActionInput,
  ActionName,
  ActionResult,
  CancellableName,
  ReadName,
} from './catalogue.ts';

/**
 * The API of the desktop window for the page, `globalThis.clubEvents`. The preload script defines
 * it and the shell implements it; it does not exist in a browser.
 */
export type Bridge = {
  readonly [Name in keyof BridgeCalls]: (
    args: BridgeCalls[Name]['args'],
  ) => Promise<Answer<BridgeCalls[Name]['value']>>;
} & {
  /** Registers files that were dropped on the page. Only the shell sees their paths. */
  takeDropped(files: readonly File[]): Promise<Answer<readonly ChosenFile[]>>;
  /** Subscribes to messages of the shell; returns a function that unsubscribes. */
  listen(listener: (message: BridgeMessage) => void): () => void;
};

/** The result of a call. The page words the problems. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: BridgeErrorCode; readonly values?: MessageValues };

/** `refused`: the page may not make this call; `internal`: a bug, which is logged. */
export type BridgeErrorCode = PackedProblem['code'] | 'refused' | 'internal';

export type BridgeCalls = {
  /** Performs an action of the catalogue. Its arguments name files by token, never by path. */
  readonly perform: { readonly args: ActionRequest; readonly value: unknown };
  /** Cancels an action and rolls back its changes; false if it has ended or cannot be cancelled. */
  readonly cancel: { readonly args: { readonly job: string }; readonly value: boolean };
  /**
   * Opens a club: the requested one, else the last one shown, else the first by name. Null if there
   * is no club.
   */
  readonly openSession: {
    readonly args: { readonly club: number | null };
    readonly value: Session | null;
  };
  /** Asks for files to import; empty if the dialog was cancelled. */
  readonly chooseFiles: { readonly args: null; readonly value: readonly ChosenFile[] };
  /** Asks for a backup to restore; null if the dialog was cancelled. */
  readonly chooseBackup: { readonly args: null; readonly value: ChosenFile | null };
  /** Asks for a folder that gets the backups; null if the dialog was cancelled. */
  readonly chooseBackupFolder: { readonly args: null; readonly value: ChosenFile | null };
  /** Asks for a file to save to and proposes a name; null if the dialog was cancelled. */
  readonly chooseOutput: {
    readonly args: { readonly name: string };
    readonly value: ChosenFile | null;
  };
  /** Saves the page, as it is printed, to a chosen file. */
  readonly savePdf: { readonly args: { readonly file: string }; readonly value: null };
  /** Returns the files that were opened with the program, each only once. */
  readonly takeOpened: { readonly args: null; readonly value: readonly ChosenFile[] };
  /** Writes a pasted table to a file of the program, to import it. */
  readonly takePasted: {
    readonly args: { readonly name: string; readonly text: string };
    readonly value: ChosenFile;
  };
  readonly readState: { readonly args: null; readonly value: DesktopState };
  readonly changeSettings: {
    readonly args: Partial<DesktopSettings>;
    readonly value: DesktopState;
  };
  /** Asks for another data directory and serves it; null if the dialog was cancelled. */
  readonly chooseHome: { readonly args: null; readonly value: DesktopState | null };
  /** Opens a folder in the file manager: one of the program, or that of a published file by its id. */
  readonly showFolder: {
    readonly args: { readonly folder: OwnFolder | number };
    readonly value: null;
  };
  /**
   * Opens the mail program with a new e-mail to nobody; false if the text is too long for that, and the
   * e-mail has only the subject.
   */
  readonly writeMail: {
    readonly args: { readonly subject: string; readonly text: string };
    readonly value: boolean;
  };
  /** Opens an https link in the browser after a confirmation; false if the user declines. */
  readonly openLink: { readonly args: { readonly url: string }; readonly value: boolean };
  readonly checkForUpdate: { readonly args: null; readonly value: UpdateState };
  /** Quits the program and installs the update. */
  readonly installUpdate: { readonly args: null; readonly value: null };
  /** Returns the licences of all bundled software, as text. */
  readonly readLicences: { readonly args: null; readonly value: string };
};

/** A message that the shell sends on its own. */
export type BridgeMessage =
  | { readonly kind: 'progress'; readonly job: string; readonly progress: Progress }
  /** Files were opened with the program; `takeOpened` returns them. */
  | { readonly kind: 'opened' }
  /** The status of the service, the settings or the update changed. */
  | { readonly kind: 'state'; readonly state: DesktopState }
  /** A menu item navigates. */
  | { readonly kind: 'show'; readonly screen: MenuScreen }
  /** A menu item undoes or redoes, in the focused text field or else the last change. */
  | { readonly kind: 'step'; readonly step: 'undo' | 'redo' };

/** An action to perform; `job` identifies it in progress messages and in `cancel`. */
export type ActionRequest<Name extends ActionName = ActionName> = {
  readonly job: string;
  readonly name: Name;
  readonly args: ActionInput<Name>;
};

export type { ActionInput, ActionName, ActionResult, CancellableName, Progress, ReadName };

/** A file that the user chose. The page gets its token and name, but not its path. */
export type ChosenFile = {
  readonly token: string;
  readonly name: string;
  /** Size in bytes; null if the file does not exist yet. */
  readonly size: number | null;
};

/** A club with its settings. */
export type Club = Omit<User, 'createdAt' | 'events' | 'keys'>;

/** The access of the page to a club. */
export type Session = {
  /** A key of this window, valid until the program ends. */
  readonly key: string;
  /** An identifier of the club that outlives the key, for preferences that the page stores. */
  readonly account: string;
  readonly club: Club;
};

/** The addresses of the management screens; some are of a section of a screen. */
export const managingScreens = [
  'sources',
  'import',
  'proposals',
  'sync',
  'share',
  'week',
  'message',
  'export',
  'history',
  'backups',
  'keys',
  'club-settings',
  'settings',
  'clubs',
  'about',
  'help',
] as const;
export type ManagingScreen = (typeof managingScreens)[number];

/** A destination of the menu: the events (null), their print view, the form for a new one, or a screen. */
export type MenuScreen = ManagingScreen | 'newEvent' | 'print' | null;

export const ownFolders = ['data', 'logs'] as const;
export type OwnFolder = (typeof ownFolders)[number];

export const themes = ['auto', 'light', 'dark'] as const;

/** Choices for the time between two syncs with an online service, in minutes; null for none. */
export const syncIntervals = [5, 15, 30, 60, null] as const;
export type SyncInterval = (typeof syncIntervals)[number];

/** The settings of the desktop application, stored on this machine outside the data directory. */
export type DesktopSettings = {
  /** Null means the language of the system. */
  readonly language: Language | null;
  readonly theme: (typeof themes)[number];
  /** The preferred port of the service; if it is not available, one of the next is used. */
  readonly port: number;
  /** True if the program stays in the tray when its window is closed. */
  readonly closeToTray: boolean;
  readonly startAtLogin: boolean;
  readonly checkForUpdates: boolean;
  /** The time between two syncs with online services, in minutes; null if only a person starts one. */
  readonly syncMinutes: SyncInterval;
  /** The club that the window shows. */
  readonly club: number | null;
};

export type ServiceState =
  | { readonly kind: 'starting' }
  /** `port` differs from the settings if the preferred one is not available. */
  | { readonly kind: 'running'; readonly baseUrl: string; readonly port: number }
  | { readonly kind: 'stopped'; readonly reason: string };

export type UpdateState =
  /** This build has no update URL. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'current'; readonly checkedAt: string }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly reason: string };

export type DesktopState = {
  readonly settings: DesktopSettings;
  readonly service: ServiceState;
  readonly update: UpdateState;
  /** Messages about problems at the start, such as settings that cannot be read. */
  readonly notices: readonly string[];
  readonly home: {
    readonly directory: string;
    /** True if an environment variable sets the directory, so that it cannot be changed here. */
    readonly fixed: boolean;
  };
  readonly versions: {
    readonly app: string;
    readonly electron: string;
    readonly chromium: string;
    readonly node: string;
    readonly sqlite: string;
  };
  readonly keyStore: Exclude<KeyStore, 'file'>;
  readonly platform: 'win32' | 'darwin' | 'linux';
};
