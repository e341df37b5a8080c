import type { EventStatus } from '../../../db/model.ts';

/** Whether a state has to be said to people who come: that an event was, or will be, says its date. */
export function isNotable(status: EventStatus): boolean {
  return status === 'cancelled' || status === 'draft';
}
