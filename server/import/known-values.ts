import type { EventRecord } from '../../db/event-rows.ts';
import type { EventDraft, StoredEvent } from '../../db/model.ts';
import { descriptionAt } from '../club/event-values.ts';
import { zoneNamed } from '../dates/zone.ts';
import { markedName } from '../event/matching.ts';
import { joinNote, noteOf } from '../event/values.ts';
import type { RecordParts } from './source.ts';
import { saysCancelled } from './table/remarks.ts';

/** The parts that at least one event of a file has. */
export type FileParts = { readonly times: boolean; readonly ends: boolean };

/** Returns an event with the values that its source gave, without those that people edited. */
const sourceValues = ({ event, edits }: EventRecord) =>
  ({ ...event, ...edits }) as Pick<StoredEvent, 'name' | 'date' | 'description' | 'status'>;

/**
 * Creates the function that completes an event of a file by the one that is here: what the file does
 * not contain stays as it was. It also says whether the file no longer cancels the event.
 */
export function createKnownValues(file: FileParts, timeZone: string) {
  const clock = zoneNamed(timeZone);

  /** Returns true if the name or the note that a source gave cancels the event. */
  function saidCancelled(source: ReturnType<typeof sourceValues>): boolean {
    const lines = [source.name, ...noteOf(source, clock).text.split('\n')];
    return lines.some((line) => saysCancelled(line) !== false);
  }

  /** Returns the date, with the time that is known if the file has none. */
  function dateOf({ hasNoTime }: RecordParts, { date }: EventDraft, known: string): string {
    const before = clock.momentIn(known);
    if (!hasNoTime || file.times || before.time === '') return date;
    return new Date(clock.instantOf({ day: clock.dayOf(date), time: before.time })).toISOString();
  }

  /** Returns the note, with the end and the text that are known if the file has none. */
  function noteAt(
    { end, hasNote = false }: RecordParts,
    { description }: EventDraft,
    source: ReturnType<typeof sourceValues>,
    date: string,
  ): string | null | undefined {
    const isAllThere = hasNote && (end !== undefined || file.ends);
    const isNothingThere = !hasNote && end === undefined && !file.ends;
    if (isAllThere || (isNothingThere && date === source.date)) return description;
    const moved = { ...source, date, description: descriptionAt(source, date, timeZone) };
    const known = noteOf(moved, clock);
    const own = description ?? '';
    const text = end ? own.slice(end.length).replace(/^\n/, '') : own;
    return joinNote(end ?? (file.ends ? '' : known.endLine), hasNote ? text : known.text);
  }

  return (
    { parts }: { readonly parts?: RecordParts | undefined },
    draft: EventDraft,
    record: EventRecord | null | undefined,
  ): { readonly draft: EventDraft; readonly takesPlace: boolean } => {
    if (!record) return { draft, takesPlace: false };
    const { name } = record.event;
    // A name that differs in the marks between two teams only stays.
    const isSameName = name !== draft.name && markedName(name) === markedName(draft.name);
    const named = isSameName ? { ...draft, name } : draft;
    const source = sourceValues(record);
    if (parts === undefined) {
      if ('description' in draft || draft.date === source.date)
        return { draft: named, takesPlace: false };
      // The end moves with its event.
      const description = descriptionAt(source, draft.date, timeZone);
      return { draft: { ...named, description }, takesPlace: false };
    }
    const date = dateOf(parts, draft, source.date);
    const description = noteAt(parts, draft, source, date);
    return {
      draft: { ...named, date, ...(description !== undefined && { description }) },
      takesPlace:
        parts.takesPlace === 'by status' ||
        (parts.takesPlace === 'by text' && saidCancelled(source)),
    };
  };
}
