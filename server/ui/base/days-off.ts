import { holidaysOn } from '../../dates/days.ts';

/** A holiday: its first and its last day as `YYYY-MM-DD`. */
export type DayOff = { readonly first: string; readonly last: string; readonly name: string };

/** A calendar of days off. Public holidays give their name to days inside school holidays. */
type DaysOffSource = {
  readonly kind: 'public' | 'file' | 'address';
  readonly days: readonly DayOff[];
};

/** A holiday within a period, and its days there. */
type HolidayInPeriod = {
  readonly name: string;
  readonly isPublic: boolean;
  readonly days: readonly string[];
};

/** The days off of a club. */
export type DaysOff = {
  /** All holidays, by their first day. */
  readonly holidays: readonly DayOff[];
  /** Returns the names of the holidays on a day, a public one first; empty for an ordinary day. */
  namesOn(day: string): readonly string[];
  /** Returns true for a public holiday. */
  isPublic(day: string): boolean;
  /** Returns the holidays that begin or last in a period, by their first day; both ends count. */
  between(first: string, last: string): readonly (DayOff & { readonly isPublic: boolean })[];
  /**
   * Returns which of some days are off, under the holiday that names them: a public holiday inside
   * school holidays has its own entry.
   */
  among(days: readonly string[]): readonly HolidayInPeriod[];
};

/** Combines the calendars of a club. */
export function createDaysOff(sources: readonly DaysOffSource[]): DaysOff {
  const all = sources
    .flatMap(({ kind, days }) => days.map((day) => ({ ...day, isPublic: kind === 'public' })))
    .toSorted((one, other) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0));
  const known = new Map<string, typeof all>();
  const on = (day: string) => {
    const found =
      known.get(day) ??
      holidaysOn(day, all).toSorted((one, other) => Number(other.isPublic) - Number(one.isPublic));
    known.set(day, found);
    return found;
  };
  return {
    holidays: all,
    namesOn: (day) => [...new Set(on(day).map(({ name }) => name))],
    isPublic: (day) => on(day)[0]?.isPublic ?? false,
    between: (from, to) => all.filter(({ first, last }) => first <= to && last >= from),
    among(days) {
      const found = new Map<string, { name: string; isPublic: boolean; days: string[] }>();
      for (const day of days) {
        const [holiday] = on(day);
        if (holiday === undefined) continue;
        const { name, isPublic, first } = holiday;
        const key = `${first} ${name}`;
        const entry = found.get(key) ?? { name, isPublic, days: [] };
        entry.days.push(day);
        found.set(key, entry);
      }
      return [...found.values()];
    },
  };
}
