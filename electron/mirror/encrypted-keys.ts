import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { DesktopState } from '../../server/actions/bridge.ts';
import { type Language, translator } from '../../server/messages/messages.ts';
import type { SourceKey } from '../service/protocol.ts';
import { describeError, type LocalizedText } from '../settings/desktop-settings.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';

/**
 * The keys of online services, and the passwords of web spaces. They are stored encrypted with a key of the system's key store. A
 * system that cannot protect them only keeps them in memory.
 */
export type UpstreamKeys = {
  /** Returns the place for keys. Before the first key it is a guess, since asking may show a prompt. */
  keyStore(): DesktopState['keyStore'];
  /** Encrypts a key. Resolves with undefined if the system cannot protect it. */
  encrypt(key: string): Promise<Buffer | undefined>;
  /** Adds or replaces the key of a source, and saves it if it is encrypted. */
  keep(home: string, key: SourceKey, encrypted: Buffer | undefined): void;
  /** Decrypts the stored keys of a data directory. */
  load(home: string): Promise<void>;
  /** Returns true if there are keys of a data directory, decrypted or not. */
  has(home: string): boolean;
  /** Returns the decrypted keys of a data directory. */
  of(home: string): readonly SourceKey[];
  /** Forgets the keys of a data directory, except those of sources that still exist. */
  retain(home: string, sources: readonly number[]): void;
  /** Problems with the keys, for the user. */
  notices(): readonly LocalizedText[];
};

/** The functions of Electron's `safeStorage` that are used; they work once Electron is ready. */
export type SafeStorage = Pick<
  Electron.SafeStorage,
  'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

type UpstreamKeysOptions = {
  readonly file: string;
  readonly storage: SafeStorage;
  readonly platform: NodeJS.Platform;
  /** Logs an internal error. */
  readonly report: (error: unknown) => void;
  /** Time limit for a key store that is locked and waits for the user, in milliseconds. */
  readonly encryptWithinMs?: number;
};

const StoredKeys = z.strictObject({
  keys: z.array(
    z.strictObject({ home: z.string(), source: z.int(), url: z.string(), encrypted: z.base64() }),
  ),
});
type StoredKey = z.output<typeof StoredKeys>['keys'][number];

/** Prefix of a text that Chromium encrypted with the password in its source, on Linux. */
const unprotected = Buffer.from('v10');

/** Opens the keys in a file; the file is created with the first key. */
export function openUpstreamKeys(options: UpstreamKeysOptions): UpstreamKeys {
  const { file, storage, platform, report, encryptWithinMs = 30_000 } = options;
  const loaded = read(file);
  let stored = loaded.keys;
  /** Keys of this run, by data directory and then by source. */
  const keys = new Map<string, Map<number, SourceKey>>();
  const decrypting = new Map<StoredKey, Promise<void>>();
  const locked = new Set<StoredKey>();
  let saveNotice: LocalizedText | undefined;
  let place: DesktopState['keyStore'] | undefined;

  /** Saves a change. A failure leaves the file unchanged. */
  function save(next: readonly StoredKey[]): void {
    stored = next;
    writeJsonFile(file, { keys: stored });
    loaded.notice = undefined;
    saveNotice = undefined;
  }

  function add(home: string, key: SourceKey): void {
    const ofHome = keys.get(home) ?? new Map<number, SourceKey>();
    keys.set(home, ofHome.set(key.source, key));
  }

  /** Encrypts a key; undefined if that fails or the key store waits too long for the user. */
  async function tryEncrypt(key: string): Promise<Buffer | undefined> {
    const late = delay(encryptWithinMs, undefined, { ref: false });
    try {
      return await Promise.race([storage.encryptStringAsync(key), late]);
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  async function encrypt(key: string): Promise<Buffer | undefined> {
    const encrypted = await tryEncrypt(key);
    // `isAsyncEncryptionAvailable` is also true for the password in Chromium's source.
    const isProtected = platform !== 'linux' || !encrypted?.subarray(0, 3).equals(unprotected);
    place = encrypted !== undefined && isProtected ? 'system' : 'run';
    return isProtected ? encrypted : undefined;
  }

  async function decrypt(entry: StoredKey): Promise<void> {
    const { home, source, url } = entry;
    try {
      const encrypted = Buffer.from(entry.encrypted, 'base64');
      const { result: key, shouldReEncrypt } = await storage.decryptStringAsync(encrypted);
      const renewed = shouldReEncrypt ? await encrypt(key) : undefined;
      // It may have been replaced or removed in the meantime.
      if (!stored.includes(entry)) return;
      if (renewed === undefined) add(home, { source, url, key });
      else keep(home, { source, url, key }, renewed);
    } catch (error) {
      // The entry stays: a key store that is locked now may be open at the next start.
      locked.add(entry);
      report(error);
    }
  }

  function keep(home: string, key: SourceKey, encrypted: Buffer | undefined): void {
    const { source, url } = key;
    add(home, key);
    const others = stored.filter((entry) => entry.home !== home || entry.source !== source);
    const entry = encrypted && { home, source, url, encrypted: encrypted.toString('base64') };
    if (entry === undefined && others.length === stored.length) return;
    try {
      save(entry === undefined ? others : [...others, entry]);
    } catch (error) {
      saveNotice = (language) =>
        translator(language)('desktopSettings:keyUnsaved', {
          url,
          reason: describeError(error, language),
        });
    }
  }

  return {
    keyStore() {
      const isGuessed =
        platform === 'linux' && storage.getSelectedStorageBackend() === 'basic_text';
      return place ?? (isGuessed ? 'run' : 'system');
    },
    encrypt,
    keep,
    async load(home) {
      const ofHome = stored.filter((entry) => entry.home === home);
      for (const entry of ofHome) {
        if (!decrypting.has(entry)) decrypting.set(entry, decrypt(entry));
      }
      await Promise.all(ofHome.map((entry) => decrypting.get(entry)));
    },
    has: (home) => keys.has(home) || stored.some((entry) => entry.home === home),
    of: (home) => [...(keys.get(home)?.values() ?? [])],
    retain(home, sources) {
      const isGone = ({ source }: Pick<StoredKey, 'source'>) => !sources.includes(source);
      for (const key of keys.get(home)?.values() ?? []) {
        if (isGone(key)) keys.get(home)?.delete(key.source);
      }
      const left = stored.filter((entry) => entry.home !== home || !isGone(entry));
      if (left.length === stored.length) return;
      try {
        save(left);
      } catch (error) {
        // The next start removes them from the file.
        report(error);
      }
    },
    notices() {
      const notices = [loaded.notice, saveNotice].filter((notice) => notice !== undefined);
      const ofLocked = stored
        .filter((entry) => locked.has(entry))
        .map(
          ({ url }): LocalizedText =>
            (language) =>
              translator(language)('desktopSettings:keyLocked', { url }),
        );
      return [...notices, ...ofLocked];
    },
  };
}

type Loaded = { keys: readonly StoredKey[]; notice: LocalizedText | undefined };

/** Reads the stored keys; a file that cannot be read must not prevent the start. */
function read(file: string): Loaded {
  try {
    const raw = readJsonFile(file);
    return { keys: raw === undefined ? [] : StoredKeys.parse(raw).keys, notice: undefined };
  } catch {
    return {
      keys: [],
      notice: (language: Language) => translator(language)('desktopSettings:keysUnreadable'),
    };
  }
}
