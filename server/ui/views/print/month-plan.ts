import { addDays, addMonths, type Day, daysIntoWeek, partsOf } from '../../../dates/days.ts';

/** A field of the calendar: one day, or in the fifth week two of the same weekday, "23/30". */
export type Cell<T> = {
  /** Empty for a day of another month. */
  readonly label: string;
  readonly entries: readonly T[];
  /** The name of a holiday; empty for an ordinary day. */
  readonly off: string;
};

/** Returns the days of a week; `weekStart` is its first weekday, counted from Sunday, 0. */
export function someWeek(weekStart: number): Day[] {
  // 31 December 2000 was a Sunday.
  return Array.from({ length: 7 }, (_, index) => addDays('2000-12-31', weekStart + index));
}

/**
 * Arranges the entries of a month in weeks. Days of a sixth week that have no entries stand beside
 * those of the fifth; `weekStart` is the first weekday, counted from Sunday, 0. `holidayOn` names the
 * holiday of a day.
 */
export function planMonth<T extends { readonly day: Day }>(
  entries: readonly T[],
  month: Day,
  weekStart: number,
  holidayOn: (day: Day) => string = () => '',
): readonly (readonly Cell<T>[])[] {
  const byDay = new Map<Day, T[]>();
  for (const entry of entries) byDay.set(entry.day, [...(byDay.get(entry.day) ?? []), entry]);
  const length = partsOf(addDays(addMonths(month, 1), -1)).date;
  const skipped = daysIntoWeek(month, weekStart);
  const cellAt = (date: number): Cell<T> => {
    if (date < 1 || date > length) return { label: '', entries: [], off: '' };
    const day = addDays(month, date - 1);
    return { label: String(date), entries: byDay.get(day) ?? [], off: holidayOn(day) };
  };
  const weeks = Array.from({ length: Math.ceil((skipped + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => cellAt(week * 7 + weekday - skipped + 1)),
  );
  const sixth = weeks[5];
  if (sixth === undefined || sixth.some(({ entries: some }) => some.length > 0)) return weeks;
  const fifth = weeks[4]?.map((cell, index) => {
    const { label = '', off = '' } = sixth[index] ?? {};
    return label === '' ? cell : { ...cell, label: `${cell.label}/${label}`, off: cell.off || off };
  });
  return [...weeks.slice(0, 4), fifth ?? []];
}

/**
 * Shares a height among rows: each gets the height of its content and an equal part of the rest. If
 * there is not enough, the highest rows are limited to the same height.
 */
export function shareHeight(needed: readonly number[], available: number): number[] {
  const rest = available - needed.reduce((sum, height) => sum + height, 0);
  if (rest >= 0) return needed.map((height) => height + rest / needed.length);
  let left = available;
  let limit = 0;
  for (const [index, height] of needed.toSorted((one, other) => one - other).entries()) {
    limit = left / (needed.length - index);
    if (height > limit) break;
    left -= height;
  }
  return needed.map((height) => Math.min(height, limit));
}
