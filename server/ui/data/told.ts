import { createContext, use } from 'react';
import type { ActionResult } from '../../actions/bridge.ts';
import { dayMs } from '../../dates/units.ts';
import type { Event } from '../../http/contract.ts';
import { isOver } from './event-queries.ts';

/** The events as the members know them; null before the first message. */
export type Told = ActionResult<'message read'>['told'];
type KnownState = NonNullable<Told>;
export type ToldEvent = KnownState['events'][number];

/** A change that nobody was told of. */
export type UntoldChange = {
  /** `removed` is an event that was deleted. */
  readonly kind: 'moved' | 'cancelled' | 'removed' | 'new' | 'changed';
  readonly event: ToldEvent;
  /** The event as members know it; undefined for a new one. */
  readonly before: ToldEvent | undefined;
};

/** Returns the parts of an event that a message to the members contains. */
export function toldEventOf({ id, name, date, location, status, description }: Event): ToldEvent {
  const [note = ''] = (description ?? '').split('\n', 1);
  return { id, name, date, location, status, note: note.trim() };
}

/** An event that members do not expect to take place. */
const isOff = ({ status }: ToldEvent) => status === 'cancelled' || status === 'draft';

function kindOf(event: ToldEvent, before: ToldEvent | undefined): UntoldChange['kind'] | undefined {
  if (before === undefined || isOff(before)) return isOff(event) ? undefined : 'new';
  if (isOff(event)) return event.status === 'cancelled' ? 'cancelled' : undefined;
  if (event.date !== before.date || event.location !== before.location) return 'moved';
  return event.name !== before.name || event.note !== before.note ? 'changed' : undefined;
}

/**
 * Lists the changes of events to come against what members were told, by date. An event that changed
 * twice counts once, and one that changed back does not count. `events` are all events of the club.
 */
export function listUntold(
  told: KnownState,
  events: readonly Event[],
  now: Date,
): readonly UntoldChange[] {
  const known = new Map(told.events.map((event) => [event.id, event]));
  const changes: UntoldChange[] = [];
  const isToCome = (event: ToldEvent) => !isOver(event, now);
  for (const each of events) {
    const before = known.get(each.id);
    known.delete(each.id);
    const event = toldEventOf(each);
    if (!isToCome(event) && !(before && isToCome(before))) continue;
    const kind = kindOf(event, before);
    if (kind !== undefined) changes.push({ kind, event, before });
  }
  for (const before of known.values()) {
    if (isToCome(before) && !isOff(before))
      changes.push({ kind: 'removed', event: before, before });
  }
  return changes.toSorted((one, other) => (one.event.date < other.event.date ? -1 : 1));
}

/** Time for which the state of an event is stored after it, in milliseconds. */
const keptMs = 31 * dayMs;

/** Returns the state after a message. The events in `untold` stay as members knew them. */
export function stateAfter(
  told: Told,
  events: readonly Event[],
  {
    now,
    language,
    untold,
  }: {
    readonly now: Date;
    readonly language: string | null;
    readonly untold: ReadonlySet<number>;
  },
): KnownState {
  const oldest = new Date(now.getTime() - keptMs).toISOString();
  const current = events.map(toldEventOf).filter(({ id }) => !untold.has(id));
  const before = (told?.events ?? []).filter(({ id }) => untold.has(id));
  const kept = [...current, ...before].filter(
    ({ date, status }) => date >= oldest && status !== 'draft',
  );
  return { at: now.toISOString(), language, events: kept };
}

/** The events as the members know them, and the changes since then. */
type ClubTold = {
  /** Undefined until it is read, and in a browser. */
  readonly told: Told | undefined;
  readonly changes: readonly UntoldChange[];
  /** Stores a state; its result is the one before. Throws `BridgeError`. */
  readonly store: (next: Told) => Promise<Told>;
  /** Marks events as told, because a message about them was copied. */
  readonly markTold: (ids: readonly number[]) => void;
};

export const ToldContext = createContext<ClubTold>({
  told: undefined,
  changes: [],
  store: () => Promise.reject(new Error('Only the desktop window stores what was told.')),
  markTold: () => undefined,
});

export const useTold = (): ClubTold => use(ToldContext);
