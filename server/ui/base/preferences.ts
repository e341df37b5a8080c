import { useSyncExternalStore } from 'react';
import { type Language, languages } from '../../messages/messages.ts';
import { browserStore } from './storage.ts';

/** Preferences of the user, stored in this browser. */
type Preferences = {
  /** Chosen language; null follows the browser. */
  readonly language: Language | null;
  /** First month of a season, from 1. */
  readonly seasonStart: number;
  /** True if single-key shortcuts are on; WCAG 2.1.4 requires a way to turn them off. */
  readonly letterKeys: boolean;
  /** True if a copy shows none of its proposals. */
  readonly onlyLooks: boolean;
};

const storageName = 'club-events-preferences';
const listeners = new Set<() => void>();

/** Parses stored preferences, which another version of the page may have written. */
function parsePreferences(text: string | null): Preferences {
  let stored: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    stored = Object(JSON.parse(text ?? '{}'));
  } catch {
    // Not JSON: the defaults apply.
  }
  const { language, seasonStart, letterKeys, onlyLooks } = stored;
  const isMonth = Number.isInteger(seasonStart) && Number(seasonStart) >= 1;
  return {
    language: Object.keys(languages).includes(String(language)) ? (language as Language) : null,
    seasonStart: isMonth && Number(seasonStart) <= 12 ? Number(seasonStart) : 7,
    letterKeys: letterKeys !== false,
    onlyLooks: onlyLooks === true,
  };
}

let text = browserStore.getItem(storageName);
let current = parsePreferences(text);

function read(): Preferences {
  const latest = browserStore.getItem(storageName);
  if (latest !== text) {
    text = latest;
    current = parsePreferences(latest);
  }
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, read);
}

export function changePreferences(change: Partial<Preferences>): void {
  browserStore.setItem(storageName, JSON.stringify({ ...read(), ...change }));
  for (const listener of listeners) listener();
}
