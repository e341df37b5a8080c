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
  /** Installs the version that is ready and ends the program; false when that does not work. */
  install(): boolean;
};

export type UpdateTools = {
  /** The updater; undefined where this build has no place to look for updates. */
  readonly load: (() => Promise<AppUpdater>) | undefined;
  /** Where it is kept when updates were last looked for. */
  readonly file: string;
  /** Whether the user wants this to be done unasked. */
  readonly isWanted: () => boolean;
  readonly now: () => Date;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
};

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

/** Asks the server, and downloads what is newer. Electron-updater checks what it is by its SHA-512. */
async function findUpdate(updater: AppUpdater, now: () => Date): Promise<Found> {
  const result = await updater.checkForUpdates();
  // Installed in another way than this updater knows.
  if (result === null) return { kind: 'unavailable' };
  if (!result.isUpdateAvailable) return { kind: 'current', checkedAt: now().toISOString() };
  await updater.downloadUpdate(result.cancellationToken);
  return { kind: 'ready', version: result.updateInfo.version };
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
    if (load === undefined || found.kind === 'ready') return;
    lastTry = now().getTime();
    try {
      updater ??= await load();
      found = await findUpdate(updater, now);
      keepMoment();
    } catch (error) {
      report(error);
      if (byHand)
        found = { kind: 'failed', text: isUntrusted(error) ? 'untrusted' : 'unreachable' };
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
    install() {
      if (found.kind !== 'ready' || updater === undefined) return false;
      let failed = false;
      updater.once('error', (error) => {
        report(error);
        failed = true;
      });
      updater.quitAndInstall(true, true);
      return !failed;
    },
  };
}
