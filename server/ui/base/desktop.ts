import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type {
  ActionInput,
  ActionName,
  ActionResult,
  Answer,
  Bridge,
  BridgeErrorCode,
  DesktopSettings,
  DesktopState,
  Progress,
} from '../../actions/bridge.ts';
import type { MessageValues } from '../../messages/message.ts';

/** The API that the desktop window exposes to the page; undefined in a browser. */
export const bridge = (globalThis as { readonly clubEvents?: Bridge }).clubEvents;

/** Returns the bridge. Throws in a browser. */
export function requireBridge(): Bridge {
  if (bridge === undefined) throw new Error('The bridge exists only in the desktop window.');
  return bridge;
}

/** A failed call to the desktop application: a problem with its values, or a bug. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly code: BridgeErrorCode;
  readonly values: MessageValues;

  constructor(code: BridgeErrorCode, values: MessageValues = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the value of an answer. Throws `BridgeError` if the call failed. */
export async function unwrap<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const settled = await answer;
  if (settled.ok) return settled.value;
  throw new BridgeError(settled.code, settled.values);
}

export type PerformOptions = {
  readonly onProgress?: (progress: Progress) => void;
  /** Cancels a cancellable action and discards what it has done so far. */
  readonly signal?: AbortSignal;
};

/** Performs an action of the catalogue. Its file arguments are tokens. Throws `BridgeError`. */
export async function perform<Name extends ActionName>(
  name: Name,
  args: ActionInput<Name>,
  { onProgress, signal }: PerformOptions = {},
): Promise<ActionResult<Name>> {
  const bridge = requireBridge();
  const job = crypto.randomUUID();
  const cancel = () => void bridge.cancel({ job });
  const stop = bridge.listen((message) => {
    if (message.kind === 'progress' && message.job === job) onProgress?.(message.progress);
  });
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const value = await unwrap(bridge.perform({ job, name, args }));
    // The catalogue types the result of each action; the bridge returns `unknown` for all.
    return value as ActionResult<Name>;
  } finally {
    signal?.removeEventListener('abort', cancel);
    stop();
  }
}

/** The latest state; undefined before the first answer, an error if it cannot be read. */
let current: DesktopState | Error | undefined;
let isListening = false;
const listeners = new Set<() => void>();

function publish(state: DesktopState | Error): void {
  current = state;
  for (const listener of listeners) listener();
}

/** Listens for the lifetime of the page. A pushed state is newer than the first answer. */
function startListening(): void {
  isListening = true;
  requireBridge().listen((message) => {
    if (message.kind === 'state') publish(message.state);
  });
  const publishFirst = (state: DesktopState | Error) => {
    if (current === undefined) publish(state);
  };
  unwrap(requireBridge().readState(null)).then(publishFirst, publishFirst);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (bridge !== undefined && !isListening) startListening();
  return () => void listeners.delete(listener);
}

const read = () => current;

/**
 * Returns the state of the application and follows its changes; undefined in a browser and before
 * the first answer. Throws if the state cannot be read.
 */
export function useDesktopState(): DesktopState | undefined {
  const state = useSyncExternalStore(subscribe, read);
  if (state instanceof Error) throw state;
  return state;
}

/** Changes settings of the application, which take effect at once. Throws `BridgeError`. */
export async function changeSettings(change: Partial<DesktopSettings>): Promise<void> {
  publish(await unwrap(requireBridge().changeSettings(change)));
}

function currentTheme(fallback: MantineColorScheme): MantineColorScheme {
  return current === undefined || current instanceof Error ? fallback : current.settings.theme;
}

let unsubscribeTheme: (() => void) | undefined;

/** Stores the theme in the settings; browser storage is tied to the port, which can change. */
export const desktopTheme: MantineColorSchemeManager = {
  get: currentTheme,
  set(theme) {
    // A theme that cannot be saved still applies until the program ends.
    if (theme !== currentTheme('auto')) changeSettings({ theme }).catch(() => undefined);
  },
  subscribe(onChange) {
    let before = currentTheme('auto');
    unsubscribeTheme = subscribe(() => {
      const theme = currentTheme('auto');
      if (theme === before) return;
      before = theme;
      onChange(theme);
    });
  },
  unsubscribe: () => unsubscribeTheme?.(),
  clear: () => undefined,
};

/** Returns the base URL for scripts; if the service is not running, with the configured port. */
export function useServiceUrl(): string {
  const state = useDesktopState();
  if (state === undefined) return location.origin;
  const { service, settings } = state;
  return service.kind === 'running' ? service.baseUrl : `http://127.0.0.1:${settings.port}`;
}
