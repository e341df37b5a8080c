import type { ActionName, ActionResult, CommandName } from '../../actions/catalogue.ts';
import { thisMachine } from '../../club/tools.ts';
import type { Moment } from '../../dates/end-line.ts';
import {
  createLocalDates,
  createLocalEnds,
  isSameZone,
  systemZone,
  zoneNamed,
} from '../../dates/zone.ts';
import { type FieldChange, valuesOfFields } from '../../event/changes.ts';
import type { Message } from '../../messages/message.ts';

/** The output of a command: the text of its result, and notes on it. */
export type CommandOutput<Name extends ActionName = ActionName> = {
  /** Returns the text for stdout, or undefined if the action has written its result itself. */
  toText(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns the result for `--json`, if it differs from that of the action. */
  toJson?(result: ActionResult<Name>): Promise<unknown>;
  /** Returns a description of the change, for stderr if stdout cannot be written; by default the text. */
  toUnprinted?(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns notes on the result, for stderr. */
  toNotes?(result: ActionResult<Name>): string[] | Promise<string[]>;
};

/** The output of each command of some actions. */
export type OutputsOf<Actions> = {
  readonly [Name in keyof Actions & CommandName]: CommandOutput<Name>;
};

/** Formats `6,831`, without Intl, which takes longer to load than most commands take to run. */
export function groupDigits(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count, such as `1 event` or `6,831 events`. */
export function count(number: number, noun: string): string {
  return `${groupDigits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats rows in aligned columns under headings; returns `none` if there are no rows. */
export function table(
  headings: readonly string[],
  data: readonly string[][],
  none: string,
): string {
  if (data.length === 0) return none;
  // A name with a line break, as cells of workbooks have them, would look like another row.
  const rows = data.map((row) => row.map((cell) => cell.replace(/\r?\n/g, ' ')));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
}

/** Describes the numbers of events that were added, changed and removed; `none` if there are none. */
export function countsOf(
  numbers: Readonly<Record<'added' | 'changed' | 'removed', number>>,
  none: string,
): string {
  const kinds = (['added', 'changed', 'removed'] as const).filter((kind) => numbers[kind] > 0);
  return kinds.map((kind) => `${count(numbers[kind], 'event')} ${kind}`).join(', ') || none;
}

export type LocalDate = (timestamp: string) => string;

/**
 * Returns a function that formats dates of a club's time zone, with the name of the zone if it is not
 * that of this computer. Without a zone, they are those of this computer.
 */
export function datesOf(timeZone: string): LocalDate {
  const here = systemZone(process.env['TZ']);
  if (timeZone === '') return systemDates();
  const localDate = createLocalDates(timeZone);
  return here !== undefined && isSameZone(timeZone, here)
    ? localDate
    : (timestamp) => `${localDate(timestamp)} (${timeZone})`;
}

/** Returns a function that formats dates of this computer. */
function systemDates(): LocalDate {
  return (timestamp) => createLocalDates(thisMachine.systemTimeZone())(timestamp);
}

export type Translate = (message: Message) => string;

/** Loads the messages on demand, because few commands have any. */
export async function loadWords(): Promise<Translate> {
  return (await import('../../messages/messages.ts')).wordForCommandLine;
}

export function valueText(field: string, value: unknown, localDate: LocalDate): string {
  if (value === undefined) return '(not given)';
  const isDate = field === 'date' || field === 'createdAt';
  return isDate ? localDate(String(value)) : JSON.stringify(value);
}

/** Describes what changes of fields do to an event on the clock of its club; `date` is that before. */
export function changesText(
  changes: readonly FieldChange[],
  date: string,
  timeZone: string,
  moved = (text: string) => `date ${text}`,
): string {
  const localDate = createLocalDates(timeZone);
  const endText = (end: Moment | undefined) => (end ? createLocalEnds(timeZone)(end) : 'none');
  const texts = valuesOfFields(changes, date, zoneNamed(timeZone)).map((change) => {
    const { field, after } = change;
    if (field === 'reason') return `reason ${JSON.stringify(after)}`;
    const { before } = change;
    if (field === 'date')
      return moved(moveText(localDate(String(before)), localDate(String(after))));
    if (field === 'end') return `end ${moveText(endText(change.before), endText(change.after))}`;
    if (field === 'status' && after === 'cancelled') return 'cancelled';
    const [old, next] = [before, after].map((value) =>
      valueText(field, value ?? undefined, localDate),
    );
    return `${field} ${old} → ${next}`;
  });
  return texts.join('; ');
}

export function undoNote(batch: number): string {
  return `"club-events undo ${batch}" undoes this.`;
}

/** Returns two dates, of which the second is shortened to its time on the same day. */
function moveText(before: string, after: string): string {
  const [day, time] = before.split(', ');
  const [newDay, newTime] = after.split(', ');
  return day === newDay && time && newTime ? `${time} → ${newTime}` : `${before} → ${after}`;
}
