import { createContext, use } from 'react';
import type { ActionInput, ActionResult } from '../../actions/bridge.ts';
import type { Clock } from '../../dates/clock.ts';
import { changedValues, type ValueChange } from '../../event/changes.ts';
import type { Event } from '../../http/contract.ts';
import { isOver } from './event-queries.ts';

/** The last message, and the events that members know otherwise. */
export type Announced = ActionResult<'message read'>;
/** The stored state; null before the first message. */
export type StoredAnnounced = ActionInput<'message store'>['announced'];

/** A change that nobody was told of. */
export type UnannouncedChange = {
  /** `removed` is an event that was deleted, and `again` one that was cancelled. */
  readonly kind: 'moved' | 'cancelled' | 'removed' | 'new' | 'again' | 'changed';
  readonly event: Event;
  /** The event as members know it; undefined for a new one. */
  readonly before: Event | undefined;
  /** The values that members do not know; empty for a new event. */
  readonly values: readonly ValueChange[];
};

/** An event that members do not expect to take place. */
const isOff = ({ status }: Event) => status === 'cancelled' || status === 'draft';

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
  event: Event,
  before: Event | undefined,
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
  { before: known }: Pick<Announced, 'before'>,
  events: ReadonlyMap<number, Event>,
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

/** Returns the state after a message. The events in `unannounced` stay as members knew them. */
export function stateAfter(
  { announced: { others, batch }, now }: Pick<Announced, 'announced' | 'now'>,
  {
    language,
    unannounced,
  }: { readonly language: string | null; readonly unannounced: ReadonlySet<number> },
): StoredAnnounced {
  const places = new Map(others.map((other) => [other.id, other.batch]));
  return {
    ...now,
    at: new Date().toISOString(),
    language,
    others: Array.from(unannounced, (id) => ({ id, batch: places.get(id) ?? batch })),
  };
}

/** Returns the state after a message about single events. */
export function stateWith(
  { announced: { ...state }, now }: Announced,
  ids: readonly number[],
): StoredAnnounced {
  const others = state.others.filter(({ id }) => !ids.includes(id));
  return { ...state, others: [...others, ...ids.map((id) => ({ id, batch: now.batch }))] };
}

/** The last message to the members, and the changes since then. */
type ClubAnnounced = {
  /** Undefined until it is read, and in a browser. */
  readonly announced: Announced | undefined;
  readonly changes: readonly UnannouncedChange[];
  /** Stores a state; its result is the one before. Throws `BridgeError`. */
  readonly store: (next: StoredAnnounced) => Promise<StoredAnnounced>;
  /** Marks events as told, because a message about them was copied. */
  readonly markAnnounced: (ids: readonly number[]) => void;
};

export const AnnouncedContext = createContext<ClubAnnounced>({
  announced: undefined,
  changes: [],
  store: () => Promise.reject(new Error('Only the desktop window stores what was told.')),
  markAnnounced: () => undefined,
});

export const useAnnounced = (): ClubAnnounced => use(AnnouncedContext);
