import { askChromium } from './chromium.ts';
import { ignore, Strict } from './strict.ts';

type None = Record<never, never>;

/** Opens nothing: what is asked of it is recorded by the tests. */
export class Shell extends Strict<None> {
  openExternal: (url: string) => Promise<void> = async (url) => ignore(url);
  openPath: (path: string) => Promise<string> = async (path) => path && '';
}

/** A clipboard of its own, so that a test does not change that of its developer. */
export class Clipboard extends Strict<None> {
  #text = '';

  async readText(): Promise<string> {
    return this.#text;
  }

  async writeText(text: string): Promise<void> {
    this.#text = text;
  }
}

export type ThemeEvents = { updated: [] };

/** The colours of the system, which the pages are shown in. */
export class NativeTheme extends Strict<ThemeEvents> {
  #source: 'system' | 'light' | 'dark' = 'system';
  /** The taskbar's colours, which `themeSource` does not change. */
  readonly shouldUseDarkColorsForSystemIntegratedUI = false;

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source;
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    this.#source = source;
    void askChromium('showTheme', source);
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}

const area = { x: 0, y: 0, width: 1920, height: 1080 };

/** One display, of a common size. */
export class Screen extends Strict<None> {
  getAllDisplays(): Electron.Display[] {
    return [{ workArea: area } as Electron.Display];
  }
}

export type PowerEvents = { shutdown: []; resume: []; 'unlock-screen': [] };

/** A machine that sleeps, wakes and is shut down when a test says so. */
export class PowerMonitor extends Strict<PowerEvents> {}

/** The prefix of texts that Chromium encrypts with the password in its source. */
const unprotected = Buffer.from('v10');

/** A Linux desktop without a key store. */
export class SafeStorage extends Strict<None> {
  getSelectedStorageBackend(): ReturnType<Electron.SafeStorage['getSelectedStorageBackend']> {
    return 'basic_text';
  }

  async encryptStringAsync(text: string): Promise<Buffer> {
    return Buffer.concat([unprotected, Buffer.from(text)]);
  }

  async decryptStringAsync(encrypted: Buffer): Promise<Electron.DecryptStringAsyncReturnValue> {
    if (!encrypted.subarray(0, 3).equals(unprotected)) {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.');
    }
    return { shouldReEncrypt: false, result: encrypted.subarray(3).toString() };
  }
}

/** Keeps no crash reports; it tells whether they would be sent. */
export class CrashReporter extends Strict<None> {
  #uploads = true;

  start({ uploadToServer = true }: Electron.CrashReporterStartOptions): void {
    this.#uploads = uploadToServer;
  }

  getUploadToServer(): boolean {
    return this.#uploads;
  }
}

/** A message on the desktop. */
export class Notification extends Strict<None> {
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    // Recorded by the tests.
  }
}
