import { type EventEmitter, once } from 'node:events';
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { UpdateState } from '../../server/actions/bridge.ts';
import type { LongRunning } from '../../server/base/long-running.ts';
import { dayMs, hourMs, minuteMs } from '../../server/dates/units.ts';
import { type catalogues, type Language, translator } from '../../server/messages/messages.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';

/**
 * Finds, downloads and installs newer versions. While it runs, it checks silently: every week, at
 * the earliest a minute after the start.
 */
export type Updates = LongRunning & {
  readonly state: (language: Language) => UpdateState;
  /** The version whose installation began before this start and did not succeed. */
  readonly failedVersion: string | undefined;
  /** Checks now, at the request of the user. */
  check(): Promise<void>;
  /** Installs the downloaded version, which ends the program. Calls `onFailure` once on failure. */
  install(onFailure: () => void): void;
};

export type UpdateTools = {
  /** Loads the updater; undefined if this build has no update server. */
  readonly load: (() => Promise<AppUpdater>) | undefined;
  /** Loads Squirrel, the updater of macOS, which must accept each download there. */
  readonly loadNative?: (() => Promise<EventEmitter>) | undefined;
  /** The AppImage that an update replaces. */
  readonly appImage?: string | undefined;
  /** The file with the time of the last check, and the version that is being installed. */
  readonly file: string;
  /** The version of the running program. */
  readonly version: string;
  readonly isEnabled: () => boolean;
  readonly now: () => Date;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
};

/** Time limit for the program to end once an installation has begun, in milliseconds. */
const installLimit = 15_000;

/**
 * Time limit for the server to describe its newest version, in milliseconds. electron-updater's own
 * limit waits for the event `socket`, which requests of Electron do not emit.
 */
const checkLimit = 60_000;

type Found =
  | Exclude<UpdateState, { kind: 'failed' }>
  | { readonly kind: 'failed'; readonly text: keyof (typeof catalogues)['en']['updates'] };

/** Errors of electron-updater about the content from the server, rather than the connection. */
const untrusted = new Set([
  'ERR_CHECKSUM_MISMATCH',
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_NO_CHECKSUM',
  'ERR_UPDATER_NO_FILES_PROVIDED',
]);

/** Error of an unsigned program, which macOS never updates, says the page autoUpdater of Electron. */
const unsigned = /code signature/i;

class NoRoomError extends Error {}

/**
 * Throws if there is no room to replace the AppImage: electron-updater removes the old file before
 * it moves the new one.
 */
function requireRoom(file: string, appImage: string): void {
  const folder = dirname(appImage);
  if (statSync(file).dev === statSync(folder).dev) return;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < statSync(file).size) throw new NoRoomError(`${folder} is full.`);
}

/** Configures an updater to act only on request, and to install only newer versions. */
function configureUpdater(updater: AppUpdater): AppUpdater {
  updater.autoDownload = false;
  // Otherwise macOS would check the download only after the program has ended.
  updater.autoInstallOnAppQuit = process.platform === 'darwin';
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // Only whole files with a checksum: no file is assembled by instructions of the server.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // The default is an id of this installation, by which a server could track it.
  updater.requestHeaders = { 'x-user-staging-id': 'none' };
  // Failures are also reported as rejections.
  updater.logger = null;
  return updater;
}

/** Downloads an update and, if Squirrel installs it, waits until Squirrel has accepted it. */
async function download(updater: AppUpdater, found: Available, tools: UpdateTools): Promise<void> {
  const native = await tools.loadNative?.();
  const finished = new AbortController();
  const accepted = native && once(native, 'update-downloaded', { signal: finished.signal });
  try {
    const downloading = updater.downloadUpdate(found.cancellationToken);
    const [files] = await Promise.all([downloading, accepted]);
    const [file] = files;
    if (tools.appImage !== undefined && file !== undefined) requireRoom(file, tools.appImage);
  } finally {
    finished.abort();
  }
}

type Available = NonNullable<Awaited<ReturnType<AppUpdater['checkForUpdates']>>>;

/** Returns the answer of the update server. Throws if it takes too long. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error('The update server did not answer in time.');
    timer = setTimeout(reject, checkLimit, error);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Checks the server and downloads a newer version, which electron-updater verifies by SHA-512. */
async function findUpdate(updater: AppUpdater, tools: UpdateTools): Promise<Found> {
  const result = await inTime(updater.checkForUpdates());
  // The updater does not support the way in which the program was installed.
  if (result === null) return { kind: 'unavailable' };
  const { isUpdateAvailable, updateInfo } = result;
  // `allowPrerelease` concerns releases on GitHub only.
  const isPrerelease = updateInfo.version.includes('-');
  if (!isUpdateAvailable || isPrerelease) {
    return { kind: 'current', checkedAt: tools.now().toISOString() };
  }
  await download(updater, result, tools);
  return { kind: 'ready', version: updateInfo.version };
}

function textFor(error: unknown): keyof (typeof catalogues)['en']['updates'] {
  if (error instanceof NoRoomError) return 'noRoom';
  const code = (error as { readonly code?: unknown } | null)?.code;
  return untrusted.has(String(code)) ? 'untrusted' : 'unreachable';
}

type Stored = { readonly checkedAt?: unknown; readonly installing?: unknown };

function readStored(file: string): Stored {
  try {
    return (readJsonFile(file) ?? {}) as Stored;
  } catch {
    // A broken file only causes one more check.
    return {};
  }
}

export function createUpdates(tools: UpdateTools): Updates {
  const { load, file, version, now, onChange, report } = tools;
  let found: Found = { kind: load === undefined ? 'unavailable' : 'unknown' };
  let updater: AppUpdater | undefined;
  let checking: Promise<void> | undefined;
  let lastAttempt = 0;
  const timers: NodeJS.Timeout[] = [];

  function save(change: Stored): void {
    try {
      writeJsonFile(file, { ...readStored(file), ...change });
    } catch (error) {
      report(error);
    }
  }

  // Installers run after the program has ended, so only the next start can see a failure.
  const { installing } = readStored(file);
  if (installing !== undefined) save({ installing: undefined });
  const hasFailed = typeof installing === 'string' && installing !== version;

  async function runCheck(isManual: boolean): Promise<void> {
    if (load === undefined || found.kind === 'ready' || found.kind === 'unavailable') return;
    lastAttempt = now().getTime();
    try {
      updater ??= configureUpdater(await load());
      found = await findUpdate(updater, tools);
      save({ checkedAt: now().toISOString() });
    } catch (error) {
      report(error);
      if (unsigned.test(String(error))) found = { kind: 'unavailable' };
      else if (isManual) found = { kind: 'failed', text: textFor(error) };
    }
    onChange();
  }

  /** Returns whether a week has passed since the last check and a day since the last attempt. */
  function isDue(): boolean {
    const time = now().getTime();
    const since = time - (Date.parse(String(readStored(file).checkedAt)) || 0);
    // A clock that was set back must not delay the check for ever.
    return (since < 0 || since >= 7 * dayMs) && time - lastAttempt >= dayMs;
  }

  function checkOnce(isManual: boolean): Promise<void> {
    checking ??= runCheck(isManual).finally(() => {
      checking = undefined;
    });
    return checking;
  }

  function checkIfDue(): void {
    if (tools.isEnabled() && isDue()) void checkOnce(false);
  }

  return {
    failedVersion: hasFailed ? installing : undefined,
    state: (language) =>
      found.kind === 'failed'
        ? { kind: 'failed', reason: translator(language)(`updates:${found.text}`) }
        : found,
    check: () => checkOnce(true),
    run() {
      if (load === undefined) return;
      // A timer of a week would stop while the machine sleeps, so compare the time every hour.
      timers.push(
        setTimeout(checkIfDue, minuteMs).unref(),
        setInterval(checkIfDue, hourMs).unref(),
      );
    },
    stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
    },
    install(onFailure) {
      let isReported = false;
      const fail = (error: unknown) => {
        if (isReported) return;
        isReported = true;
        report(error);
        onFailure();
      };
      if (found.kind !== 'ready' || updater === undefined) {
        return fail(new Error('There is no update to install.'));
      }
      save({ installing: found.version });
      updater.once('error', fail);
      // A deb is installed before this returns, after a person has typed a password.
      updater.quitAndInstall(true, true);
      setTimeout(fail, installLimit, new Error('The update was not installed in time.'));
    },
  };
}
