import { useSyncExternalStore } from 'react';
import { browserStore } from '../base/storage.ts';
import { type Language, languages } from '../i18n/text.ts';

export const seasonParts = ['status', 'type'] as const;
export type SeasonBy = (typeof seasonParts)[number];

/** What this browser remembers of how its user likes the page. */
export type Preferences = {
  /** Null follows the browser. */
  readonly language: Language | null;
  /** The month a season begins with, from 1. */
  readonly seasonStart: number;
  /** What the bars of the season are made of. */
  readonly seasonBy: SeasonBy;
  /** Whether single letters are commands (WCAG 2.1.4 wants a way to turn them off). */
  readonly letterKeys: boolean;
};

const storageName = 'club-events-preferences';
const listeners = new Set<() => void>();

/** Reads what an older page, or anyone, may have left there. */
function parsePreferences(text: string | null): Preferences {
  let kept: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    kept = Object(JSON.parse(text ?? '{}'));
  } catch {
    // Not JSON: nothing was kept.
  }
  const { language, seasonStart, seasonBy, letterKeys } = kept;
  const isMonth = Number.isInteger(seasonStart) && Number(seasonStart) >= 1;
  return {
    language: Object.keys(languages).includes(String(language)) ? (language as Language) : null,
    seasonStart: isMonth && Number(seasonStart) <= 12 ? Number(seasonStart) : 7,
    seasonBy: seasonParts.find((part) => part === seasonBy) ?? 'status',
    letterKeys: letterKeys !== false,
  };
}

let text = browserStore.getItem(storageName);
let current = parsePreferences(text);

function read(): Preferences {
  const now = browserStore.getItem(storageName);
  if (now !== text) {
    text = now;
    current = parsePreferences(now);
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
