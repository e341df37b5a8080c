import type {
  BridgeMessage,
  DesktopSettings,
  DesktopState,
  OwnFolder,
  UpdateState,
} from '../server/bridge.ts';
import type { WindowKeys } from '../server/window-keys.ts';
import type { Supervisor } from './service.ts';

/** What the calls of the page need of the shell: Electron itself, in a form that tests can make. */
export type Desk = {
  readonly perform: Supervisor['perform'];
  readonly listUsers: Supervisor['listUsers'];
  readonly windowKeys: WindowKeys;
  readonly send: (message: BridgeMessage) => void;
  /** Tells of a fault of ours, for the log. */
  readonly report: (error: unknown) => void;
  readonly chooseFiles: () => Promise<readonly string[]>;
  readonly chooseOutput: (name: string) => Promise<string | undefined>;
  readonly takeOpened: () => readonly string[];
  readonly state: () => DesktopState;
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
  /** False when the dialog was cancelled. */
  readonly chooseHome: () => Promise<boolean>;
  readonly showFolder: (folder: OwnFolder) => Promise<void>;
  readonly openLink: (url: string) => Promise<boolean>;
  readonly checkForUpdate: () => Promise<UpdateState>;
  readonly installUpdate: () => void;
  readonly readLicences: () => string;
};
