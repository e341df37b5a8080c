import type { EditableField, StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { type Moment, moveEnd } from '../dates/end-line.ts';
import { noteOf, reasonOf } from './values.ts';

/** A field of an event as the history, an import or a proposal changes it. */
export type FieldChange = {
  readonly field: keyof StoredEvent;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** A value of an event that differs between two versions. A note has its values one by one. */
export type ValueChange =
  | (FieldChange & { readonly field: Exclude<EditableField, 'description'> })
  | {
      readonly field: 'end';
      readonly before: Moment | undefined;
      readonly after: Moment | undefined;
    }
  /** Why the event is cancelled. */
  | { readonly field: 'reason'; readonly after: string }
  | { readonly field: 'note'; readonly before: string; readonly after: string };

/** A version of an event, as far as it is known. */
export type Version = Partial<Pick<StoredEvent, EditableField>> & { readonly date: string };

/** The order in which people read changes. */
const fields = [
  'name',
  'date',
  'location',
  'eventType',
  'status',
  'registrationOpen',
] as const satisfies readonly EditableField[];

const isSameMoment = (one: Moment | undefined, other: Moment | undefined) =>
  one?.day === other?.day && one?.time === other?.time;

/** Lists what a new note changes: an end that moved with the event is no change. */
function noteChanges(before: Version, after: Version, clock: Clock): readonly ValueChange[] {
  const noted = ({ date, description = null, status }: Version) => ({ date, description, status });
  const [old, next] = [noted(before), noted(after)];
  const [from, to] = [noteOf(old, clock), noteOf(next, clock)];
  const moved = from.end && moveEnd(from.end, clock.momentIn(old.date), clock.momentIn(next.date));
  const isEndKept = isSameMoment(from.end, to.end) || isSameMoment(moved, to.end);
  const reason = reasonOf(old, next, clock);
  // Forwards for a cancellation, backwards for an event that takes place after all.
  const oldReason = reasonOf(next, old, clock);
  const rest = (text: string, line: string) =>
    line === '' ? text : text.slice(line.length).replace(/^\r?\n/, '');
  const [oldText, text] = [rest(from.text, oldReason), rest(to.text, reason)];
  return [
    ...(isEndKept ? [] : [{ field: 'end', before: from.end, after: to.end } as const]),
    ...(reason === '' ? [] : [{ field: 'reason', after: reason } as const]),
    ...(oldText === text ? [] : [{ field: 'note', before: oldText, after: text } as const]),
  ];
}

/** Lists the values in which two versions of an event differ, on the clock of its club. */
export function changedValues(
  before: Version,
  after: Version,
  clock: Clock,
): readonly ValueChange[] {
  const changed = fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field], after: after[field] }));
  const isNoted = before.description !== after.description;
  return isNoted ? [...changed, ...noteChanges(before, after, clock)] : changed;
}

/** Lists the values that changes of fields of an event change; `date` is that before them. */
export function valuesOfFields(
  changes: readonly FieldChange[],
  date: string,
  clock: Clock,
): readonly ValueChange[] {
  const version = (side: 'before' | 'after') =>
    ({
      date,
      ...Object.fromEntries(changes.map((change) => [change.field, change[side]])),
    }) as Version;
  return changedValues(version('before'), version('after'), clock);
}
