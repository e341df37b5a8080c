import type { DraftOutcome } from '../../db/event-import.ts';
import { eventMembers, type KeptEdit, type StoredEvent } from '../../db/model.ts';
import type { Message } from '../messages/message.ts';
import type { TableField, TableRow } from './source.ts';

/** A changed field of an event, before and after; an unknown value is undefined. */
type FieldChange = {
  readonly field: keyof StoredEvent;
  readonly from?: unknown;
  readonly to?: unknown;
};

/** An event as it is after the import, for a list and a calendar. */
type ReportedEvent = Pick<StoredEvent, 'name' | 'date' | 'location' | 'status' | 'eventType'> & {
  /** Only the beginning of a long one. */
  readonly description: string | null;
};

/** The result of one row of a file, or the expected result in a dry run. */
type RowReport = { readonly place: Message } & (
  | ({ readonly kind: 'added' } & ReportedEvent)
  | ({
      /** An event with another date is `moved`. */
      readonly kind: 'changed' | 'moved';
      readonly id: number;
      readonly changes: readonly FieldChange[];
    } & ReportedEvent)
  /** An event whose edits by hand were kept, although the file has other values. */
  | ({
      readonly kind: 'kept';
      readonly id: number;
      readonly edits: readonly KeptEdit[];
    } & ReportedEvent)
  | { readonly kind: 'skipped'; readonly reason: Message; readonly correctable?: CorrectableRow }
);

/** A row of a table that can be imported once the user has corrected a cell. */
export type CorrectableRow = TableRow & {
  readonly field: TableField;
  /** Values that may be meant, as text that the import understands; most likely first. */
  readonly suggestions: readonly string[];
};

type ImportCounts = {
  readonly added: number;
  readonly moved: number;
  /** Events with other changes than a move. */
  readonly changed: number;
  readonly unchanged: number;
  readonly skipped: number;
  /** Events with kept edits, which also count as moved, changed or unchanged. */
  readonly kept: number;
  /** Events to come of the earlier version of the file that are no longer in it; they stay. */
  readonly missing: number;
};

/** An event that stays although the file no longer has it. */
export type MissingEvent = Pick<StoredEvent, 'id' | 'name' | 'date' | 'location'>;

type FileReport = ImportCounts & {
  readonly file: string;
  /** Columns or members that were not imported, as the file names them. */
  readonly ignored: readonly string[];
  /** Messages about data that was left out or reinterpreted. */
  readonly notes: readonly Message[];
  /**
   * Skipped and moved rows, those with kept edits and, with `details`, added and changed ones; at
   * most `maxRows` of each kind.
   */
  readonly rows: readonly RowReport[];
  /** At most `maxRows` of the events that are no longer in the file. */
  readonly missingEvents: readonly MissingEvent[];
};

export type ImportReport = ImportCounts & {
  readonly files: readonly FileReport[];
  /** The number of new events that `omit` left out; absent without any. */
  readonly leftOut?: number;
  /** The number of events that `changes` moved or cancelled; absent without any. */
  readonly changedHere?: number;
  /** The number of the import in the history; absent if nothing changed. */
  readonly batch?: number;
};

/** Maximum number of ignored names in a report; a hostile file could have millions. */
export const maxIgnored = 50;

/** Length of a description in a report, in UTF-16 code units; the line of an end is shorter. */
const maxDescription = 200;

export type FileRecorder = {
  ignore(name: string): void;
  note(note: Message): void;
  take(place: Message, outcome: DraftOutcome & { kind: 'added' | 'changed' | 'unchanged' }): void;
  miss(events: readonly MissingEvent[]): void;
  skip(place: Message, reason: Message, correctable?: CorrectableRow): void;
  report(): FileReport;
};

function changesOf(before: StoredEvent, event: StoredEvent): FieldChange[] {
  return eventMembers
    .filter((field) => before[field] !== event[field])
    .map((field) => ({ field, from: before[field], to: event[field] }));
}

function reportedEvent({
  name,
  date,
  location,
  status,
  eventType,
  description,
}: StoredEvent): ReportedEvent {
  const beginning = description === null ? null : description.slice(0, maxDescription);
  return { name, date, location, status, eventType, description: beginning };
}

/** Creates the recorder of a file, whose report has at most `maxRows` rows of each kind. */
export function createFileRecorder(
  file: string,
  {
    details,
    maxRows = Number.POSITIVE_INFINITY,
  }: { readonly details: boolean; readonly maxRows?: number | undefined },
): FileRecorder {
  const counts = { added: 0, moved: 0, changed: 0, unchanged: 0, skipped: 0, kept: 0, missing: 0 };
  const ignored = new Set<string>();
  const notes: Message[] = [];
  const rows: RowReport[] = [];
  let missingEvents: readonly MissingEvent[] = [];
  return {
    ignore(name) {
      if (ignored.size < maxIgnored) ignored.add(name);
    },
    note: (note) => void notes.push(note),
    take(place, outcome) {
      const isMoved = outcome.kind === 'changed' && outcome.before.date !== outcome.event.date;
      const kind = isMoved ? 'moved' : outcome.kind;
      counts[kind] += 1;
      const event = { id: outcome.event.id, ...reportedEvent(outcome.event) };
      if (outcome.kind !== 'added' && outcome.kept !== undefined) {
        counts.kept += 1;
        if (counts.kept <= maxRows)
          rows.push({ place, kind: 'kept', ...event, edits: outcome.kept });
      }
      if (!(details || isMoved) || outcome.kind === 'unchanged' || counts[kind] > maxRows) return;
      if (kind === 'added') rows.push({ place, kind, ...reportedEvent(outcome.event) });
      else if (outcome.kind === 'changed') {
        const changes = changesOf(outcome.before, outcome.event);
        rows.push({ place, kind: isMoved ? 'moved' : 'changed', ...event, changes });
      }
    },
    miss(events) {
      counts.missing += events.length;
      missingEvents = events.slice(0, maxRows);
    },
    skip(place, reason, correctable) {
      counts.skipped += 1;
      if (counts.skipped > maxRows) return;
      rows.push({ place, kind: 'skipped', reason, ...(correctable && { correctable }) });
    },
    report: () => ({ file, ...counts, ignored: [...ignored], notes, rows, missingEvents }),
  };
}

export function sumCounts(files: readonly FileReport[]): ImportCounts {
  const sum = (count: keyof ImportCounts) => files.reduce((all, file) => all + file[count], 0);
  return {
    added: sum('added'),
    moved: sum('moved'),
    changed: sum('changed'),
    unchanged: sum('unchanged'),
    skipped: sum('skipped'),
    kept: sum('kept'),
    missing: sum('missing'),
  };
}
