import type { Day } from '../time/days.ts';
import { addDays } from '../time/days.ts';

type WeekInfo = { readonly firstDay: number };

/** Returns the first day of the week for a language tag, 1 for Monday to 7 for Sunday. */
export function firstDayOfWeek(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo;
    readonly weekInfo?: WeekInfo;
  };
  // Some browsers lack week data; Monday is the most common.
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** Returns seven consecutive days that start with a weekday, 1 for Monday. */
export function someWeek(firstDay: number): Day[] {
  // The first of January 2001 was a Monday.
  return Array.from({ length: 7 }, (_, index) => addDays('2001-01-01', firstDay - 1 + index));
}
