/** State of the fake in a page, hidden from the scripts of the page. */
export type World = {
  /** Passes a message of `webContents.send` to the preload script. */
  receive(channel: string, args: readonly unknown[]): void;
  /** Paths of the files that a test chose. */
  readonly paths: WeakMap<object, string>;
};

export const worldName = 'fake for Electron';
export const askName = 'fakeAsk';
export const openName = 'fakeOpen';

type Listener = (event: object, ...args: unknown[]) => void;
type AskMain = (channel: string, args: readonly unknown[]) => Promise<unknown>;
type Preload = (require: (name: string) => unknown, module: object, exports: object) => void;

/**
 * Runs in each page before its own scripts, with nothing but its arguments: gives the preload a
 * module `electron` of its own, and the page what the preload puts across the bridge.
 */
export function installWorld(
  names: { world: string; ask: string; open: string },
  preload: Preload,
): void {
  const globals = globalThis as unknown as Record<string, unknown>;
  const askMain = globals[names.ask] as AskMain;
  const askToOpen = globals[names.open] as (url: string) => Promise<boolean>;
  // The page has neither of these nor, as under Electron, a preload in the frames inside it.
  delete globals[names.ask];
  delete globals[names.open];

  // Chromium cannot be told before it opens a window. A program under the fake never has one opened.
  const openNone = (url: string | URL = 'about:blank') => {
    void askToOpen(new URL(url, document.baseURI).href);
    return null;
  };
  globalThis.open = openNone;
  globalThis.addEventListener('click', (event) => {
    const { target } = event;
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href][target]');
    if (!link || event.defaultPrevented || /^(?:_(?:self|parent|top))?$/.test(link.target)) return;
    event.preventDefault();
    openNone(link.href);
  });
  if (globalThis.top !== globalThis.self) return;

  const listeners = new Map<string, Set<Listener>>();
  const paths = new WeakMap<object, string>();
  const listenersOf = (channel: string) => {
    const known = listeners.get(channel) ?? new Set();
    listeners.set(channel, known);
    return known;
  };
  const world: World = {
    receive(channel, args) {
      for (const listener of listenersOf(channel)) listener({}, ...args);
    },
    paths,
  };
  Object.defineProperty(globalThis, Symbol.for(names.world), { value: world });

  /** Copies a value for the other side of the bridge; functions call back over it. */
  function cross(value: unknown): unknown {
    if (typeof value === 'symbol') throw new TypeError('A symbol cannot cross the bridge.');
    if (typeof value === 'function') {
      return (...args: unknown[]) => cross(value(...args.map(cross)));
    }
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Promise) return value.then(cross);
    if (value instanceof Blob || value instanceof Element) return value;
    if (Array.isArray(value)) return value.map(cross);
    if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cross(inner)]));
  }

  const electron = {
    contextBridge: {
      exposeInMainWorld(key: string, api: unknown) {
        const value = Object.freeze(cross(api));
        Object.defineProperty(globalThis, key, { value, enumerable: true });
      },
    },
    ipcRenderer: {
      invoke: (channel: string, ...args: unknown[]) => askMain(channel, structuredClone(args)),
      on: (channel: string, listener: Listener) => void listenersOf(channel).add(listener),
      off: (channel: string, listener: Listener) => void listenersOf(channel).delete(listener),
    },
    webUtils: {
      getPathForFile(file: unknown) {
        if (file instanceof File) return paths.get(file) ?? '';
        throw new TypeError('getPathForFile expected to receive a File object.');
      },
    },
  };
  const module = { exports: {} };
  preload(
    (name) => {
      if (name === 'electron') return electron;
      throw new Error(`module not found: ${name}`);
    },
    module,
    module.exports,
  );
}
