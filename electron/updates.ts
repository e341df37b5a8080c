import { type EventEmitter, once } from 'node:events';
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { UpdateState } from '../server/bridge.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { readKeptFile, writeKeptFile } from './kept-file.ts';
import { UpdateServerError } from './update-guard.ts';
import { updateTexts } from './update-texts.ts';

/** Looks for newer versions, and has them ready to be installed. */
export type Updates = {
  readonly state: (language: Language) => UpdateState;
  /** Looks now, as the user asked. */
  check(): Promise<void>;
  /** Looks by and by, quietly: a minute after the start at the earliest, then every week. */
  schedule(): void;
  /** Installs the version that is ready, which ends the program; or calls `onFailure`, once. */
  install(onFailure: () => void): void;
};

export type UpdateTools = {
  /** The updater; undefined where this build has no place to look for updates. */
  readonly load: (() => Promise<AppUpdater>) | undefined;
  /** Electron's own updater of macOS, which has the last word on a download there. */
  readonly loadNative?: (() => Promise<EventEmitter>) | undefined;
  /** The AppImage that an update replaces. */
  readonly appImage?: string | undefined;
  /** Where it is kept when updates were last looked for. */
  readonly file: string;
  /** Whether the user wants this to be done unasked. */
  readonly isWanted: () => boolean;
  readonly now: () => Date;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
};

/** How long a program may still run once it is to be replaced, in milliseconds. */
const installLimit = 15_000;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

type Found =
  | Exclude<UpdateState, { kind: 'failed' }>
  | { readonly kind: 'failed'; readonly text: keyof (typeof updateTexts)['en'] };

const distrusted = new Set([
  'ERR_CHECKSUM_MISMATCH',
  'ERR_UPDATER_INVALID_UPDATE_INFO',
  'ERR_UPDATER_INVALID_VERSION',
  'ERR_UPDATER_NO_CHECKSUM',
  'ERR_UPDATER_NO_FILES_PROVIDED',
]);

function isUntrusted(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return error instanceof UpdateServerError || distrusted.has(String(code));
}

/** An installation without a signature, which macOS never updates: electron/docs/api/auto-updater.md. */
const unsigned = /code signature/i;

class NoRoomError extends Error {}

/**
 * Throws when an AppImage could not be replaced by a file: electron-updater removes the old one
 * before it moves the new one.
 */
function requireRoom(file: string, appImage: string): void {
  const folder = dirname(appImage);
  if (statSync(file).dev === statSync(folder).dev) return;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < statSync(file).size) throw new NoRoomError(`${folder} is full.`);
}

/** Downloads an update, and waits until macOS has accepted it where it is the one to install it. */
async function download(updater: AppUpdater, found: Available, tools: UpdateTools): Promise<void> {
  const native = await tools.loadNative?.();
  const over = new AbortController();
  const accepted = native && once(native, 'update-downloaded', { signal: over.signal });
  try {
    const downloading = updater.downloadUpdate(found.cancellationToken);
    const [files] = await Promise.all([downloading, accepted]);
    const [file] = files;
    if (tools.appImage !== undefined && file !== undefined) requireRoom(file, tools.appImage);
  } finally {
    over.abort();
  }
}

type Available = NonNullable<Awaited<ReturnType<AppUpdater['checkForUpdates']>>>;

/** Asks the server, and downloads what is newer. Electron-updater checks what it is by its SHA-512. */
async function findUpdate(updater: AppUpdater, tools: UpdateTools): Promise<Found> {
  const result = await updater.checkForUpdates();
  // Installed in another way than this updater knows.
  if (result === null) return { kind: 'unavailable' };
  if (!result.isUpdateAvailable) return { kind: 'current', checkedAt: tools.now().toISOString() };
  await download(updater, result, tools);
  return { kind: 'ready', version: result.updateInfo.version };
}

function textFor(error: unknown): keyof (typeof updateTexts)['en'] {
  if (error instanceof NoRoomError) return 'noRoom';
  return isUntrusted(error) ? 'untrusted' : 'unreachable';
}

/** When updates were last looked for, in milliseconds; 0 when that is not known. */
function readLastCheck(file: string): number {
  try {
    const kept = readKeptFile(file) as { readonly checkedAt?: unknown } | undefined;
    return Date.parse(String(kept?.checkedAt)) || 0;
  } catch {
    // A broken file: they are looked for once more.
    return 0;
  }
}

export function createUpdates(tools: UpdateTools): Updates {
  const { load, file, now, onChange, report } = tools;
  let found: Found = { kind: load === undefined ? 'unavailable' : 'unknown' };
  let updater: AppUpdater | undefined;
  let looking: Promise<void> | undefined;
  let lastTry = 0;

  function keepMoment(): void {
    try {
      writeKeptFile(file, { checkedAt: now().toISOString() });
    } catch (error) {
      report(error);
    }
  }

  async function look(byHand: boolean): Promise<void> {
    if (load === undefined || found.kind === 'ready' || found.kind === 'unavailable') return;
    lastTry = now().getTime();
    try {
      updater ??= await load();
      found = await findUpdate(updater, tools);
      keepMoment();
    } catch (error) {
      report(error);
      if (unsigned.test(String(error))) found = { kind: 'unavailable' };
      else if (byHand) found = { kind: 'failed', text: textFor(error) };
    }
    onChange();
  }

  /** What was tried in vain is tried again the next day. */
  function isDue(): boolean {
    const moment = now().getTime();
    const since = moment - readLastCheck(file);
    // A clock that was set back would put it off for ever.
    return (since < 0 || since >= week) && moment - lastTry >= day;
  }

  function lookOnce(byHand: boolean): Promise<void> {
    looking ??= look(byHand).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function lookWhenDue(): void {
    if (tools.isWanted() && isDue()) void lookOnce(false);
  }

  return {
    state: (language) =>
      found.kind === 'failed'
        ? { kind: 'failed', reason: updateTexts[language][found.text] }
        : found,
    check: () => lookOnce(true),
    schedule() {
      if (load === undefined) return;
      setTimeout(lookWhenDue, minute).unref();
      // By the clock, as a timer of a week stands still while the machine sleeps.
      setInterval(lookWhenDue, hour).unref();
    },
    install(onFailure) {
      let hasFailed = false;
      const fail = (error: unknown) => {
        if (hasFailed) return;
        hasFailed = true;
        report(error);
        onFailure();
      };
      if (found.kind !== 'ready' || updater === undefined) {
        return fail(new Error('There is no update to install.'));
      }
      updater.once('error', fail);
      setTimeout(fail, installLimit, new Error('The update was not installed in time.'));
      updater.quitAndInstall(true, true);
    },
  };
}
