import { createContext, use } from 'react';
import type { ActionInput, ActionResult } from '../../actions/bridge.ts';
import type { UnannouncedChange } from '../../event/announced.ts';

/** The last message, and the events that members know otherwise. */
export type Announced = ActionResult<'message read'>;
/** The stored state; null before the first message. */
export type StoredAnnounced = ActionInput<'message store'>['announced'];

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
