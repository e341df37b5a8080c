import { createContext, use, useMemo } from 'react';
import type { ActionInput } from '../../actions/bridge.ts';
import type { Event } from '../../http/contract.ts';
import type { Day } from '../base/days.ts';
import { createSharedValue } from '../base/shared-value.ts';

/** A change of several events, which is one entry in the history. */
export type EventsChange = ActionInput<'events change'>['change'];

/** The changes that a person can make in the views. Each shows a notice with Undo, or its error. */
export type Editor = {
  /**
   * Moves an event to another day, at the same time of day; with `follow` the view shows that day.
   * Moves of an event while their notice is shown are one change.
   */
  readonly moveTo: (
    event: Event,
    day: Day,
    options?: { readonly follow: boolean },
  ) => Promise<void>;
  /** Changes several events at once; resolves to true if it succeeded. */
  readonly change: (ids: readonly number[], change: EventsChange) => Promise<boolean>;
};

export const EditorContext = createContext<Editor | undefined>(undefined);

/** Returns the editor; undefined in a browser, which can only read. */
export function useEditor(): Editor | undefined {
  return use(EditorContext);
}

/** An event in the form that has not been added yet, as far as the lists show it. */
export type Draft = Pick<
  Event,
  'name' | 'date' | 'location' | 'description' | 'status' | 'eventType'
>;

/** The draft that the lists show among the events; null for none. */
export const draft = createSharedValue<Draft | null>(null);

/** Id of the event of the draft: none of the service has it. */
export const draftId = Number.NEGATIVE_INFINITY;

/** Returns the draft as an event for the lists; null for none. */
export function useDraftEvent(): Event | null {
  const shown = draft.use();
  return useMemo(() => shown && { ...shown, id: draftId, createdAt: shown.date }, [shown]);
}
