import type { StoredEvent } from '../../db/model.ts';

export type Events = ReadonlyMap<number, StoredEvent>;

/** A proposal as a model knows it. */
export type Made = {
  readonly kind: 'add' | 'change' | 'remove';
  readonly event: StoredEvent | null;
  readonly values: Partial<StoredEvent>;
};

/**
 * Returns the events after the acceptance of proposals, in their order. Takes the events that they
 * add from `fresh`.
 */
export function acceptAll(
  events: Events,
  proposals: readonly Made[],
  fresh: StoredEvent[],
): Events {
  const next = new Map(events);
  for (const { kind, event, values } of proposals) {
    const found = event === null ? undefined : next.get(event.id);
    const current = found?.createdAt === event?.createdAt ? found : undefined;
    if (kind === 'remove') {
      if (current !== undefined) next.delete(current.id);
    } else if (current !== undefined) {
      next.set(current.id, { ...current, ...values });
    } else {
      const added = fresh.shift();
      if (added === undefined) throw new Error('No event was added for a proposal.');
      const { id, createdAt } = added;
      const rest = event ?? added;
      next.set(id, { ...rest, ...values, id, createdAt });
    }
  }
  return next;
}

/** Returns the values of one event that another one does not have. */
function changesOf(other: StoredEvent, values: StoredEvent): Partial<StoredEvent> {
  const differs = ([field, value]: [string, unknown]) =>
    other[field as keyof StoredEvent] !== value;
  return Object.fromEntries(Object.entries(values).filter(differs));
}

/** Returns the events after the undo of a change, which may have changed again since. */
export function undoChange(events: Events, before: Events, after: Events): Events {
  const next = new Map(events);
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [old, changed] = [before.get(id), after.get(id)];
    if (old === changed) continue;
    const current = next.get(id);
    if (old === undefined) next.delete(id);
    else if (changed === undefined || current === undefined) next.set(id, old);
    // Other values may have changed since.
    else next.set(id, { ...current, ...changesOf(changed, old) });
  }
  return next;
}
