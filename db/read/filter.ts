import type { EventStatus, EventType } from '../model.ts';

/** The conditions on listed events; null means no condition. */
export type EventFilter = {
  readonly statuses: readonly EventStatus[] | null;
  readonly eventTypes: readonly (EventType | 'none')[] | null;
  /** The period of `date`: `from` inclusive, `to` exclusive. */
  readonly from: string;
  readonly to: string;
  /** Sorted; each must begin a word of the event's name, location or description. */
  readonly words: readonly string[];
};

/** Texts that come before and after every timestamp. */
export const beforeEveryDate = '';
export const afterEveryDate = ':';
