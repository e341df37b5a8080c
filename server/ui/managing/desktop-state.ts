import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type { DesktopSettings, DesktopState } from '../../bridge.ts';
import { unwrap } from './actions.ts';
import { bridge, requireBridge } from './bridge.ts';

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
