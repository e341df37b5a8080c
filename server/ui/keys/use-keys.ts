import { useEffect, useEffectEvent } from 'react';
import { useVisibleEvents } from '../events/shown.tsx';
import { usePlace } from '../place/use-place.ts';
import { usePreferences } from '../shell/preferences.ts';
import { bindings } from './bindings.ts';

/** Inputs into which nothing is typed. */
const untyped = new Set(['radio', 'checkbox', 'button', 'submit', 'reset']);

function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !untyped.has(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

/** Whether something lies over the page that has keys of its own; the panel leaves us ours. */
function isCovered(): boolean {
  const covers = document.querySelectorAll(
    '[role="dialog"]:not(.panel), [role="menu"], [role="listbox"]',
  );
  return Array.from(covers).some((cover) => cover.checkVisibility());
}

/** The name of a key among the bindings, if it stands alone. */
function nameOf(event: KeyboardEvent): string | undefined {
  const { key, code, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  // On some keyboards digits and signs take Shift, on others digits are what they are without it.
  const isLetter = /^\p{L}$/u.test(key);
  if (isLetter && shiftKey) return undefined;
  if (isLetter) return key.toLowerCase();
  if (!shiftKey && /^Digit\d$/.test(code)) return code.slice(-1);
  return key;
}

/** Lets single keys be commands, as long as their user wants it (WCAG 2.2, 2.1.4). */
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
