import type { DayOff } from '../../../db/days-off.ts';
import { addDays, type Day } from '../../dates/days.ts';
import { dayMs } from '../../dates/units.ts';
import { message } from '../../messages/message.ts';
import { RecordError, type SourceFile, type SourceOptions } from '../source.ts';
import { readComponents } from './components.ts';
import { lengthOf } from './ends.ts';
import { isSeries, readName, uidOf, untitled } from './event.ts';
import { decodeCalendar } from './lines.ts';
import { formatDate } from './local-time.ts';
import { type Component, findText } from './property.ts';
import { expandSeries } from './series.ts';
import { surveyFile } from './survey.ts';

/** Limits on hostile files: days of rules that are examined, and holidays. */
const maxSteps = 500_000;
const maxHolidays = 5_000;

/** The longest holiday, in days; a longer one is a mistake. */
const maxLength = 366;

/** The whole days of a calendar, and its events that were left out. */
export type WholeDays = {
  /** The name of the calendar; undefined without one. */
  readonly name: string | undefined;
  readonly days: readonly DayOff[];
  /** The number of events with a time of day. */
  readonly timed: number;
  /** The names of events that cannot be read. */
  readonly unreadable: readonly string[];
};

/**
 * Reads the events of a calendar that last whole days, and the dates of those that repeat within
 * ten years. Events with a time of day and unreadable ones are counted and left out. Throws a problem
 * if the file is not a calendar.
 */
export async function readWholeDays(
  source: SourceFile,
  { timeZone, now }: Pick<SourceOptions, 'timeZone' | 'now'>,
): Promise<WholeDays> {
  const note = () => undefined;
  const options = { map: {}, timeZone, now, ignore: note, note };
  const file = await decodeCalendar(source, options);
  const survey = await surveyFile(file, options);
  const year = now.getUTCFullYear();
  const window = { from: new Date(Date.UTC(year - 1, 0)), to: new Date(Date.UTC(year + 10, 0)) };
  let steps = 0;
  const countSteps = (count: number) => {
    steps += count;
    if (steps > maxSteps) throw new RecordError(message('calendarReason:rules_too_complex'));
  };
  const context = { times: survey.times, window, countSteps };
  const days: DayOff[] = [];
  let calendarName: string | undefined;
  let timed = 0;
  const unreadable: string[] = [];

  function read(event: Component): void {
    const start = survey.times.readStart(event);
    const status = findText(event, 'STATUS')?.trim().toUpperCase();
    if (!start.isDate) timed += 1;
    if (!start.isDate || status === 'CANCELLED' || days.length >= maxHolidays) return;
    const count = Math.round((lengthOf(event, start, survey.times) ?? 0) / dayMs);
    const length = Math.min(Math.max(count, 1), maxLength);
    const name = readName(event).trim().slice(0, 200);
    const add = (first: Day) => days.push({ first, last: addDays(first, length - 1), name });
    if (!isSeries(event)) {
      add(formatDate(start.wall));
      return;
    }
    const changes = survey.ownsUid(event) ? survey.changes.get(uidOf(event))?.values() : undefined;
    for (const { day } of expandSeries(event, changes ?? [], context)) add(day);
  }

  for await (const component of readComponents(file)) {
    if (component.kind === 'VCALENDAR') {
      const found = findText(component, 'X-WR-CALNAME') ?? findText(component, 'NAME');
      calendarName = found?.trim().slice(0, 200) || undefined;
    }
    if (component.kind !== 'VEVENT') continue;
    if (survey.isNewest(component) === false) continue;
    try {
      read(component);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      unreadable.push(findText(component, 'SUMMARY')?.trim() || untitled);
    }
  }
  const sorted = days.toSorted((one, other) => (one.first < other.first ? -1 : 1));
  return { name: calendarName, days: sorted.slice(0, maxHolidays), timed, unreadable };
}
