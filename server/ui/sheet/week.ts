import type { Day } from '../time/days.ts';
import { addDays } from '../time/days.ts';

type WeekInfo = { readonly firstDay: number };

/** The day that weeks begin with where a language is spoken, 1 for Monday to 7 for Sunday. */
export function firstDayOfWeek(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo;
    readonly weekInfo?: WeekInfo;
  };
  // Not every browser knows; most of the world begins with Monday.
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** Seven days in a row that begin with a day of the week. */
export function someWeek(firstDay: number): Day[] {
  // The first of January 2001 was a Monday.
  return Array.from({ length: 7 }, (_, index) => addDays('2001-01-01', firstDay - 1 + index));
}
