import type { Clock } from '../../../dates/clock.ts';
import { intervalOf, type Noted } from '../../../event/values.ts';

/** Minutes of a row. */
const rowMinutes = 30;
const dayMinutes = 24 * 60;

/** The hours that a week shows, as numbers from 0 to 24. */
export type Hours = { readonly from: number; readonly to: number };

/** Hours that a week shows in any case: those in which clubs meet. */
const usualHours: Hours = { from: 9, to: 21 };

/** Returns the minutes of a day that an event takes on the day on which it begins; undefined without a time. */
function minutesOf(event: Noted, clock: Clock, usualLength: number): Hours | undefined {
  const interval = intervalOf(event, usualLength, clock);
  if (interval === undefined) return undefined;
  const minutesIn = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const start = clock.momentIn(event.date);
  const end = clock.momentIn(new Date(interval.to).toISOString());
  const from = minutesIn(start.time);
  const to = end.day === start.day ? minutesIn(end.time) : dayMinutes;
  // Where clocks go back, an end may read earlier than its start.
  return { from, to: Math.max(to, from + 1) };
}

/** Returns the hours of a week with these events, which contain all of their times. */
export function hoursOf(events: readonly Noted[], clock: Clock, usualLength: number): Hours {
  const times = events.flatMap((event) => minutesOf(event, clock, usualLength) ?? []);
  return {
    from: Math.min(usualHours.from, ...times.map(({ from }) => Math.floor(from / 60))),
    to: Math.max(usualHours.to, ...times.map(({ to }) => Math.ceil(to / 60))),
  };
}

/** Events of a day below each other, in rows of half an hour from the first hour on. */
export type Group<Of> = {
  readonly events: readonly Of[];
  readonly row: number;
  readonly end: number;
};

/** Groups the events of a day by their rows: those that share rows stand below each other. */
export function groupByHours<Of extends Noted>(
  events: readonly Of[],
  { from }: Hours,
  clock: Clock,
  usualLength: number,
): { readonly untimed: readonly Of[]; readonly groups: readonly Group<Of>[] } {
  const untimed: Of[] = [];
  const groups: { events: Of[]; row: number; end: number }[] = [];
  const rowAt = (minutes: number) => (minutes - from * 60) / rowMinutes;
  for (const event of events) {
    const minutes = minutesOf(event, clock, usualLength);
    if (minutes === undefined) {
      untimed.push(event);
      continue;
    }
    const [row, end] = [Math.floor(rowAt(minutes.from)), Math.ceil(rowAt(minutes.to))];
    const last = groups.at(-1);
    if (last !== undefined && row < last.end) {
      last.events.push(event);
      last.end = Math.max(last.end, end);
    } else groups.push({ events: [event], row, end });
  }
  return { untimed, groups };
}

/** Returns the number of rows of some hours. */
export const rowsOf = ({ from, to }: Hours): number => ((to - from) * 60) / rowMinutes;
