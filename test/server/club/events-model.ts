import type { Batch, EditableField, StoredEvent } from '../../../db/model.ts';
import { editableFields } from '../../../db/model.ts';

/** A plain model of the events of one club, their edits by hand and their history. */

type Value = string | boolean | null | undefined;
export type Values = Partial<Record<EditableField, Value>>;

type ModelEvent = {
  readonly id: number;
  /** `hand`, `file` for an id from a file, or name and date of a row without one. */
  readonly origin: string;
  readonly values: Values;
  /** The imported values of the fields that people changed. */
  readonly imported: ReadonlyMap<EditableField, Value>;
};

type Change = { readonly before: ModelEvent | null; after: ModelEvent | null };

type ModelBatch = {
  readonly id: number;
  readonly kind: Batch['kind'];
  readonly source: string;
  readonly undoes: number | null;
  undoneBy: number | null;
  readonly changes: Map<number, Change>;
};

export type FileRow = Values & { readonly id?: number | undefined };

const defaults: Values = { location: '', description: null, status: 'active', eventType: null };

/** Returns the fields with values, as the values of undefined fields are unknown. */
function known(values: Values): [EditableField, Value][] {
  return editableFields
    .filter((field) => values[field] !== undefined)
    .map((field) => [field, values[field]]);
}

const isSame = (one: Values, other: Values) =>
  editableFields.every((field) => one[field] === other[field]);

export function createModel(source: string) {
  let events = new Map<number, ModelEvent>();
  let lastAssigned = 0;
  const batches: ModelBatch[] = [];

  const lastId = () => Math.max(lastAssigned, 0, ...events.keys());

  /** Runs a change as a batch; a result of false rolls it back. */
  function commit(
    head: Pick<ModelBatch, 'kind' | 'source' | 'undoes'>,
    change: (put: (id: number, after: ModelEvent | null) => void) => boolean,
  ): number | undefined {
    const [eventsBefore, assignedBefore] = [new Map(events), lastAssigned];
    const changes: ModelBatch['changes'] = new Map();
    const put = (id: number, after: ModelEvent | null) => {
      const earlier = changes.get(id);
      if (earlier) earlier.after = after;
      else changes.set(id, { before: events.get(id) ?? null, after });
      if (after === null) {
        lastAssigned = lastId();
        events.delete(id);
      } else events.set(id, after);
    };
    if (!change(put)) {
      events = eventsBefore;
      lastAssigned = assignedBefore;
      return undefined;
    }
    if (changes.size === 0) return undefined;
    const id = batches.length + 1;
    batches.push({ id, ...head, undoneBy: null, changes });
    return id;
  }

  const byHand = { kind: 'edit', source: '', undoes: null } as const;

  function edited(event: ModelEvent, changes: Values): ModelEvent {
    const imported = new Map(event.imported);
    for (const [field, value] of known(changes)) {
      if (event.origin === 'hand' || value === event.values[field]) continue;
      const original = imported.has(field) ? imported.get(field) : event.values[field];
      if (original === value) imported.delete(field);
      else imported.set(field, original);
    }
    return {
      ...event,
      values: { ...event.values, ...Object.fromEntries(known(changes)) },
      imported,
    };
  }

  /** Returns changes that also remove the reason of a cancellation that they reverse. */
  function withoutReason({ id, values }: ModelEvent, changes: Values): Values {
    const { status = values.status, description = values.description } = changes;
    if (values.status !== 'cancelled' || status === 'cancelled') return changes;
    const last = batches
      .map((batch) => batch.changes.get(id))
      .findLast(
        (change) =>
          change?.after?.values.status === 'cancelled' &&
          change.before !== null &&
          change.before.values.status !== 'cancelled',
      );
    const reason = last?.after?.values.description;
    const isNew = reason !== last?.before?.values.description;
    return isNew && reason === description ? { ...changes, description: null } : changes;
  }

  /** Applies the values of a file, field by field. */
  function updated(event: ModelEvent, row: Values, overwrite: boolean) {
    const values = { ...event.values };
    const imported = new Map(event.imported);
    let isKept = false;
    for (const [field, value] of known(row)) {
      // An event that a hand cancelled stays cancelled when the file agrees and then changes its mind.
      if (imported.has(field) && value === values[field] && value === 'cancelled')
        imported.set(field, value);
      else if (!imported.has(field) || value === values[field]) imported.delete(field);
      else if (value === imported.get(field)) continue;
      else if (overwrite) imported.delete(field);
      else {
        isKept = true;
        continue;
      }
      values[field] = value;
    }
    return { event: { ...event, values, imported }, isKept };
  }

  function importRows(rows: readonly FileRow[], overwrite: boolean) {
    const counts = { added: 0, changed: 0, unchanged: 0, kept: 0 };
    let isRefused = false;
    const batch = commit({ kind: 'import', source, undoes: null }, (put) => {
      let highest = lastId();
      let assigned: number | undefined;
      const add = (id: number, origin: string, values: Values) => {
        put(id, { id, origin, values: { ...defaults, ...values }, imported: new Map() });
        counts.added += 1;
      };
      for (const { id, ...values } of rows) {
        const origin = `${values.name}|${values.date}`;
        const found =
          id === undefined
            ? [...events.values()].find((event) => event.origin === origin)
            : events.get(id);
        if (found === undefined) {
          if (id === undefined) assigned = Math.max(highest, lastId()) + 1;
          highest = Math.max(highest, id ?? assigned ?? 0);
          add(id ?? highest, id === undefined ? origin : 'file', values);
          continue;
        }
        const isOther = (field: 'name' | 'date') =>
          values[field] !== found.values[field] && values[field] !== found.imported.get(field);
        if (id !== undefined && found.origin !== 'file' && isOther('name') && isOther('date')) {
          isRefused = true;
          return false;
        }
        const { event, isKept } = updated(found, values, overwrite);
        if (isKept) counts.kept += 1;
        if (isSame(event.values, found.values)) {
          counts.unchanged += 1;
          events.set(event.id, event);
        } else {
          counts.changed += 1;
          put(event.id, event);
        }
      }
      if (assigned !== undefined) lastAssigned = assigned;
      return true;
    });
    return isRefused ? 'refused' : { ...counts, ...(batch !== undefined && { batch }) };
  }

  function hasConflict(id: number, { before, after }: Change): boolean {
    const current = events.get(id);
    if (current === undefined) {
      const isAgain = [...events.values()].some(
        ({ origin }) => origin === before?.origin && origin.includes('|'),
      );
      return isAgain || before === null || after !== null;
    }
    if (after === null) return true;
    return editableFields.some(
      (field) =>
        (before === null || before.values[field] !== after.values[field]) &&
        current.values[field] !== after.values[field],
    );
  }

  function reverted(current: ModelEvent, before: ModelEvent, after: ModelEvent): ModelEvent {
    const values: Values = {};
    const imported = new Map<EditableField, Value>();
    for (const field of editableFields) {
      const isValue = before.values[field] !== after.values[field];
      values[field] = (isValue ? before : current).values[field];
      const isEdit =
        before.imported.has(field) !== after.imported.has(field) ||
        before.imported.get(field) !== after.imported.get(field);
      const from = (isEdit ? before : current).imported;
      if (from.has(field)) imported.set(field, from.get(field));
    }
    return { ...before, values, imported };
  }

  function undo(id: number): number | 'refused' {
    const batch = batches[id - 1];
    if (batch === undefined || batch.undoneBy !== null) return 'refused';
    const changes = [...batch.changes];
    if (changes.some(([eventId, change]) => hasConflict(eventId, change))) return 'refused';
    const undone = commit({ kind: 'undo', source: batch.source, undoes: id }, (put) => {
      for (const [eventId, { before, after }] of changes) {
        const current = events.get(eventId);
        const isWhole = before === null || after === null || current === undefined;
        put(eventId, isWhole ? before : reverted(current, before, after));
      }
      return true;
    });
    batch.undoneBy = undone ?? null;
    return undone ?? 'refused';
  }

  return {
    /** Adds an event, or one for each of several dates. */
    add: (values: Values, dates: readonly string[] = []) =>
      commit(byHand, (put) => {
        for (const date of dates.length > 0 ? dates : [values.date]) {
          const id = lastId() + 1;
          const whole = { ...defaults, ...Object.fromEntries(known({ ...values, date })) };
          put(id, { id, origin: 'hand', values: whole, imported: new Map() });
          lastAssigned = id;
        }
        return true;
      }),
    /** Edits events, or none if one is unknown; null removes them. */
    edit: (ids: readonly number[], change: (event: Values) => Values | null) =>
      commit(byHand, (put) => {
        for (const id of new Set(ids)) {
          const event = events.get(id);
          if (event === undefined) return false;
          const changes = change(event.values);
          const after = changes && edited(event, withoutReason(event, changes));
          if (after === null || !isSame(after.values, event.values)) put(id, after);
        }
        return true;
      }),
    importRows,
    undo,
    ids: () => [...events.keys()].toSorted((one, other) => one - other),
    events: (): Partial<StoredEvent>[] =>
      [...events.values()]
        .toSorted((one, other) => one.id - other.id)
        .map(({ id, values }) => ({ id, ...Object.fromEntries(known(values)) })),
    history: () => batches.toReversed().map(describe),
  };
}

/** Returns a batch as the history lists it. */
function describe({ changes, ...batch }: ModelBatch) {
  const all = [...changes];
  const count = (is: (change: Change) => boolean) => all.filter(([, one]) => is(one)).length;
  const [id, only] = all[0] ?? [];
  const isTitled = batch.source === '' && all.length === 1 && only !== undefined;
  const event = only?.before ?? only?.after;
  const fields = editableFields.flatMap((field) => {
    const [before, after] = [only?.before?.values[field], only?.after?.values[field]];
    return only?.before && only.after && before !== after ? [{ field, before, after }] : [];
  });
  return {
    ...batch,
    added: count(({ before }) => before === null),
    leftOut: null,
    setting: null,
    changed: count(({ before, after }) => before !== null && after !== null),
    removed: count(({ before, after }) => before !== null && after === null),
    change: isTitled
      ? {
          kind: only.before === null ? 'added' : only.after === null ? 'removed' : 'changed',
          id,
          name: event?.values.name,
          date: event?.values.date,
          fields,
        }
      : null,
  };
}
