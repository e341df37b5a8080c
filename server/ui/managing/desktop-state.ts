import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import type { DesktopSettings, DesktopState } from '../../bridge.ts';
import { unwrap } from './actions.ts';
import { bridge, requireBridge } from './bridge.ts';

/** How the application stands: undefined before it is told, an error when it cannot be. */
let current: DesktopState | Error | undefined;
let isListening = false;
const listeners = new Set<() => void>();

function take(state: DesktopState | Error): void {
  current = state;
  for (const listener of listeners) listener();
}

/** Listens as long as the page is there; what is told meanwhile is newer than the first answer. */
function beginToListen(): void {
  isListening = true;
  requireBridge().listen((message) => {
    if (message.kind === 'state') take(message.state);
  });
  const takeFirst = (state: DesktopState | Error) => {
    if (current === undefined) take(state);
  };
  unwrap(requireBridge().readState(null)).then(takeFirst, takeFirst);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (bridge !== undefined && !isListening) beginToListen();
  return () => void listeners.delete(listener);
}

const read = () => current;

/** How the application stands, as it says itself whenever that changes; undefined in a browser. */
export function useDesktopState(): DesktopState | undefined {
  const state = useSyncExternalStore(subscribe, read);
  if (state instanceof Error) throw state;
  return state;
}

/** Changes settings of the application, which hold at once. Throws `BridgeError`. */
export async function changeSettings(change: Partial<DesktopSettings>): Promise<void> {
  take(await unwrap(requireBridge().changeSettings(change)));
}

function themeNow(otherwise: MantineColorScheme): MantineColorScheme {
  return current === undefined || current instanceof Error ? otherwise : current.settings.theme;
}

let forgetTheme: (() => void) | undefined;

/** Keeps the theme among the application's settings, as the page's own storage ends with its port. */
export const desktopTheme: MantineColorSchemeManager = {
  get: themeNow,
  set(theme) {
    // A theme that could not be kept is seen all the same, until the program ends.
    if (theme !== themeNow('auto')) changeSettings({ theme }).catch(() => undefined);
  },
  subscribe(onChange) {
    let before = themeNow('auto');
    forgetTheme = subscribe(() => {
      const theme = themeNow('auto');
      if (theme === before) return;
      before = theme;
      onChange(theme);
    });
  },
  unsubscribe: () => forgetTheme?.(),
  clear: () => undefined,
};
