import type { Inspection } from '../../db/inspect.ts';
import type { StoreError } from '../../db/open.ts';
import type { Problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { FindingCode, MessageValues, TroubleCode } from '../messages/message.ts';
import type { FoundService } from '../service/registration.ts';
import type { Backup } from '../store/backup-records.ts';

/** The result of a test; a warning or a problem has a remedy with the same values. */
export type Finding = {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly code: FindingCode;
  readonly values: MessageValues;
};

export function ok(code: Exclude<FindingCode, TroubleCode>, values: MessageValues = {}): Finding {
  return { level: 'ok', code, values };
}

export function warning(code: TroubleCode, values: MessageValues = {}): Finding {
  return { level: 'warning', code, values };
}

export function trouble(code: TroubleCode, values: MessageValues = {}): Finding {
  return { level: 'problem', code, values };
}

/** The environment of a process: variables, system and clock. */
export type Surroundings = {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly now: Date;
};

/** All that the probes look at. They read files and make requests, but write nothing. */
export type Case = Surroundings & {
  readonly home: Home;
  /** The base URL of the script. */
  readonly address: URL;
  /** False if the address is the usual one, because none was given. */
  readonly isAddressGiven: boolean;
  /** The text that was given as a key; undefined if none was given. */
  readonly keyText: string | undefined;
  readonly services: readonly FoundService[];
  /** The state of the database, or the reason for which it cannot be opened. */
  readonly store: Inspection | StoreError;
  /** The backups, newest first. */
  readonly backups: readonly Backup[];
  /** The reason why the newest backup cannot be restored, if any. */
  readonly flaw: Problem | undefined;
};

export type Findings = readonly Finding[];
