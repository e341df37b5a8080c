import type { EventStatus, EventType } from '../model.ts';

/** What a listed event has to be like; null for "whatever". */
export type EventFilter = {
  readonly statuses: readonly EventStatus[] | null;
  readonly eventTypes: readonly (EventType | 'none')[] | null;
  /** The first moment, and the first one after. */
  readonly from: string;
  readonly to: string;
  /** Sorted; each begins a word of the event's texts. */
  readonly words: readonly string[];
};

/** Texts that come before and after every timestamp. */
export const beforeEveryDate = '';
export const afterEveryDate = ':';
