import type { EventStatus } from '../../../db/model.ts';

/** Checks that a status must be shown to visitors; the date implies `active` and `completed`. */
export function isNotable(status: EventStatus): boolean {
  return status === 'cancelled' || status === 'draft';
}
