import type { StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { changedValues, type ValueChange } from './changes.ts';
import { isOver } from './values.ts';

/** An event as members know it; null for one that they do not know. */
export type KnownEvent = { readonly id: number; readonly event: StoredEvent | null };

/** A change that nobody was told of. */
export type UnannouncedChange = {
  /** `removed` is an event that was deleted, and `again` one that was cancelled. */
  readonly kind: 'moved' | 'cancelled' | 'removed' | 'new' | 'again' | 'changed';
  readonly event: StoredEvent;
  /** The event as members know it; undefined for a new one. */
  readonly before: StoredEvent | undefined;
  /** The values that members do not know; empty for a new event. */
  readonly values: readonly ValueChange[];
};

/** An event that members do not expect to take place. */
const isOff = ({ status }: StoredEvent) => status === 'cancelled' || status === 'draft';

/** The values of which a message tells. */
const announced: Readonly<Partial<Record<ValueChange['field'], UnannouncedChange['kind']>>> = {
  date: 'moved',
  end: 'moved',
  location: 'moved',
  name: 'changed',
  note: 'changed',
};

function changeOf(
  clock: Clock,
  event: StoredEvent,
  before: StoredEvent | undefined,
): UnannouncedChange | undefined {
  if (before === undefined || isOff(before)) {
    const kind = before?.status === 'cancelled' ? 'again' : 'new';
    return isOff(event) ? undefined : { kind, event, before: undefined, values: [] };
  }
  const values = changedValues(before, event, clock);
  if (event.status === 'cancelled') return { kind: 'cancelled', event, before, values };
  const kinds = values.map(({ field }) => announced[field]);
  const kind = kinds.includes('moved') ? 'moved' : kinds.find((each) => each !== undefined);
  return isOff(event) || kind === undefined ? undefined : { kind, event, before, values };
}

/**
 * Lists the changes of events to come against what members were told, by date. An event that changed
 * twice counts once, and one that changed back does not count. `events` are all events of the club.
 */
export function listUnannounced(
  clock: Clock,
  known: readonly KnownEvent[],
  events: ReadonlyMap<number, StoredEvent>,
  now: Date,
): readonly UnannouncedChange[] {
  const changes = known.flatMap(({ id, event: before }): UnannouncedChange[] => {
    const event = events.get(id);
    if (![before, event].some((each) => each && !isOver(clock, each, now))) return [];
    if (event !== undefined) return [changeOf(clock, event, before ?? undefined) ?? []].flat();
    const isExpected = before !== null && !isOver(clock, before, now) && !isOff(before);
    return isExpected ? [{ kind: 'removed', event: before, before, values: [] }] : [];
  });
  return changes.toSorted((one, other) => (one.event.date < other.event.date ? -1 : 1));
}
