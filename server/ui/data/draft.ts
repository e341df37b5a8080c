import { useSyncExternalStore } from 'react';
import type { Event } from '../../contract.ts';

/** An event in the form that has not been added yet, as far as the lists show it. */
export type Draft = Pick<Event, 'name' | 'date' | 'location' | 'status' | 'eventType'>;

let draft: Draft | null = null;
const listeners = new Set<() => void>();

/** Shows an event among the others before it is added; null shows none. */
export function setDraft(next: Draft | null): void {
  draft = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useDraft(): Draft | null {
  return useSyncExternalStore(subscribe, () => draft);
}
