import type { EventDraft } from '../../db/model.ts';
import { makeEvent } from '../support/home.ts';

/** Returns the events of a step of the busy writer: one that it changes, and two new ones. */
export function stepEvents(step: number): EventDraft[] {
  return [
    makeEvent(1, { name: `Step ${step}` }),
    makeEvent(2 * step, { description: `First of step ${step}` }),
    makeEvent(2 * step + 1, { description: `Second of step ${step}` }),
  ];
}
