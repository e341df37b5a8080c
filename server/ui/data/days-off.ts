import { createContext, use } from 'react';
import type { ActionResult } from '../../actions/bridge.ts';
import { createDaysOff, type DaysOff } from '../base/days-off.ts';

/** A calendar of days off of the club. */
export type DaysOffCalendar = ActionResult<'days-off list'>['calendars'][number];

/** The calendars of the club, and the days off that they make together. */
type ClubDaysOff = {
  readonly calendars: readonly DaysOffCalendar[];
  readonly daysOff: DaysOff;
};

/** Combines the calendars of a club. */
export function combineDaysOff(calendars: readonly DaysOffCalendar[]): ClubDaysOff {
  return { calendars, daysOff: createDaysOff(calendars) };
}

/** A club without days off, as in a browser, which never gets them. */
const noDaysOff = combineDaysOff([]);

export const DaysOffContext = createContext<ClubDaysOff>(noDaysOff);

/**
 * Returns the days off of the club: their names on a day, those of a period, and those among some
 * dates, such as the dates of a repetition.
 */
export function useDaysOff(): DaysOff {
  return use(DaysOffContext).daysOff;
}

/** Returns true for a club that has calendars of days off. */
export function useHasDaysOff(): boolean {
  return use(DaysOffContext).calendars.length > 0;
}
