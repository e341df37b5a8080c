import { finishEvents } from './event-digest.ts';
import { prepareEventIds } from './event-ids.ts';
import { eventDefaults } from './event-import.ts';
import {
  type EventImage,
  type EventRecord,
  type EventValues,
  handPrefix,
  imageAfterEdit,
  noEdits,
  prepareEventWrites,
  withValues,
} from './event-rows.ts';
import { canContinue, type EarlierEdit, prepareBatchLog, prepareCancellations } from './history.ts';
import type { EditableField, SettingChange, StoredEvent } from './model.ts';
import { inTransaction, type Writer } from './open.ts';
import { applySetting } from './settings.ts';

export type NewEvent = EventValues & Pick<StoredEvent, 'name' | 'date'>;

/** Changes of events in one transaction. */
export type EventEdit = {
  read(id: number): StoredEvent | undefined;
  /** Reads an event before and after its last cancellation; undefined for one that had none. */
  cancellation(
    id: number,
  ): { readonly before: StoredEvent; readonly after: StoredEvent } | undefined;
  /** Adds an event; returns undefined if no id is left that JSON represents exactly. */
  add(values: NewEvent): StoredEvent | undefined;
  /** Changes an existing event; returns undefined if it has these values already. */
  change(id: number, values: EventValues): StoredEvent | undefined;
  /** Removes an existing event. */
  remove(id: number): void;
  /** Changes a setting of the user, one in each edit; returns false for a name that is taken. */
  set(change: SettingChange): boolean;
  /** Returns the number of the edit in the history; undefined before the first change. */
  batch(): number | undefined;
};

type NewEdit = {
  readonly userId: number;
  readonly now: string;
  /** An edit to merge this one into, if it is still the newest. */
  readonly continues?: EarlierEdit | undefined;
};

/**
 * Edits events by hand, as one batch of the history or as part of an earlier one. Returns the result of `edit` and the id of the
 * batch, which is undefined if nothing changed. An error in `edit` rolls everything back.
 */
export function editEvents<T>(
  db: Writer,
  { userId, now, continues }: NewEdit,
  edit: (events: EventEdit) => T,
): { readonly result: T; readonly batch: number | undefined } {
  return inTransaction(db, () => {
    const events = prepareEventWrites(db, userId);
    const ids = prepareEventIds(db, userId);
    const batch = { userId, kind: 'edit', source: '', createdAt: now, undoes: null } as const;
    const isContinued = continues !== undefined && canContinue(db, userId, continues);
    const log = prepareBatchLog(db, batch, isContinued ? continues.batch : undefined);

    function existing(id: number): EventRecord {
      const record = events.byId(id);
      if (record === undefined) throw new Error(`There is no event ${id}.`);
      return record;
    }

    const result = edit({
      read: (id) => events.byId(id)?.event,
      cancellation: prepareCancellations(db, userId),
      add(values) {
        const id = ids.assign();
        if (id === undefined) return undefined;
        const { name, date } = values;
        const event = withValues({ ...eventDefaults, name, date, id, createdAt: now }, values);
        const sourceKey = `${handPrefix}${id}`;
        const revision = { sourceSequence: null, sourceStamp: null };
        const image: EventImage = { event, sourceKey, ...revision, edits: noEdits };
        events.insert(image);
        log.note(id, null, image);
        return existing(id).event;
      },
      change(id, values) {
        const record = existing(id);
        const image = imageAfterEdit(record, values);
        if (image === undefined) return undefined;
        events.update(record, image);
        log.note(id, record, image);
        return existing(id).event;
      },
      remove(id) {
        const record = existing(id);
        events.remove(record);
        ids.reserve();
        log.note(id, record, null);
      },
      set(change) {
        if (change.before === change.after) return true;
        const isSet = applySetting(db, userId, change);
        if (isSet) log.noteSetting(change);
        return isSet;
      },
      batch: log.id,
    });
    ids.save();
    finishEvents(db, userId, events);
    return { result, batch: log.finish() };
  });
}

/** Notes the value of a source that a person has seen beside the edited one, which stays. */
export function noteSourceValue(
  db: Writer,
  userId: number,
  {
    id,
    field,
    value,
  }: Pick<StoredEvent, 'id'> & {
    readonly field: EditableField;
    readonly value: string | number | null;
  },
): void {
  inTransaction(db, () => {
    const events = prepareEventWrites(db, userId);
    const record = events.byId(id);
    if (record === undefined) return;
    events.revise(record, { ...record, edits: { ...record.edits, [field]: value } });
  });
}
