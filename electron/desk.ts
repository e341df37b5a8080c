import type {
  BridgeMessage,
  DesktopSettings,
  DesktopState,
  OwnFolder,
  UpdateState,
} from '../server/bridge.ts';
import type { WindowKeys } from '../server/window-keys.ts';
import type { Supervisor } from './service.ts';

/** Functions of the shell behind the calls of the page; tests replace them without Electron. */
export type Desk = {
  readonly perform: Supervisor['perform'];
  readonly listUsers: Supervisor['listUsers'];
  readonly windowKeys: WindowKeys;
  readonly send: (message: BridgeMessage) => void;
  /** Logs an internal error. */
  readonly report: (error: unknown) => void;
  readonly chooseFiles: () => Promise<readonly string[]>;
  readonly chooseOutput: (name: string) => Promise<string | undefined>;
  readonly takeOpened: () => readonly string[];
  readonly state: () => DesktopState;
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
  /** Resolves with false if the dialog was cancelled. */
  readonly chooseHome: () => Promise<boolean>;
  readonly showFolder: (folder: OwnFolder) => Promise<void>;
  readonly openLink: (url: string) => Promise<boolean>;
  readonly checkForUpdate: () => Promise<UpdateState>;
  readonly installUpdate: () => void;
  readonly readLicences: () => string;
};
