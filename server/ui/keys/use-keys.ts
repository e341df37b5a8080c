import { useEffect, useEffectEvent } from 'react';
import { useVisibleEvents } from '../events/shown.tsx';
import { usePlace } from '../place/use-place.ts';
import { usePreferences } from '../shell/preferences.ts';
import { bindings } from './bindings.ts';

/** Types of inputs that take no text. */
const nonTextTypes = new Set(['radio', 'checkbox', 'button', 'submit', 'reset']);

function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !nonTextTypes.has(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

/** Checks for an open dialog, menu or list with keys of its own; the event panel has none. */
function isCovered(): boolean {
  const covers = document.querySelectorAll(
    '[role="dialog"]:not(.panel), [role="menu"], [role="listbox"]',
  );
  return Array.from(covers).some((cover) => cover.checkVisibility());
}

/** Returns the name of a key in `bindings`; undefined with modifier keys. */
function nameOf(event: KeyboardEvent): string | undefined {
  const { key, code, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  // Some layouts need Shift for digits and signs; there the digit keys also work without Shift.
  const isLetter = /^\p{L}$/u.test(key);
  if (isLetter && shiftKey) return undefined;
  if (isLetter) return key.toLowerCase();
  if (!shiftKey && /^Digit\d$/.test(code)) return code.slice(-1);
  return key;
}

/** Handles single-key shortcuts; users can turn them off (WCAG 2.2, 2.1.4). */
export function useKeys(openHelp: () => void): void {
  const shown = useVisibleEvents();
  const place = usePlace();
  const { letterKeys } = usePreferences();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!letterKeys || event.defaultPrevented || takesLetters(event.target)) return;
    const name = nameOf(event) ?? '';
    if (!Object.hasOwn(bindings, name) || isCovered()) return;
    event.preventDefault();
    bindings[name]?.({ shown, place, openHelp });
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
