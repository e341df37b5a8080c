import { addDays } from '../../../dates/days.ts';
import { dayMs } from '../../../dates/units.ts';
import type { DayOff } from '../../base/days-off.ts';

/** A country, or a region of one: `DE`, `DE-BY`. */
type Region = { readonly code: string; readonly name: string };

/** The years whose holidays are stored: the last one, this one and ten more. */
const [yearsBefore, yearsAhead] = [1, 10];

// Loaded on demand: the rules of all countries are larger than the rest of the page.
const load = async () => (await import('date-holidays')).default;

/** Lists the countries and their regions by their names in a language. */
export async function listRegions(language: string): Promise<readonly Region[]> {
  const Holidays = await load();
  const holidays = new Holidays();
  const { compare } = new Intl.Collator(language);
  const countries = new Intl.DisplayNames(language, { type: 'region' });
  return Object.entries(holidays.getCountries(language))
    .map(([code, name]) => [code, countries.of(code) ?? name] as const)
    .flatMap(([code, name]) => [
      { code, name },
      ...Object.entries(holidays.getStates(code, language) ?? {}).map(([state, stateName]) => ({
        code: `${code}-${state}`,
        name: `${name}, ${stateName}`,
      })),
    ])
    .toSorted((one, other) => compare(one.name, other.name));
}

/** Returns the days of a public holiday; `date` is its local start, such as `2027-01-01 00:00:00`. */
function daysOf(props: {
  readonly date: string;
  readonly start: Date;
  readonly end: Date;
  readonly name: string;
}): DayOff {
  const { date, start, end, name } = props;
  const first = date.slice(0, 10);
  // One with a change of clocks has an hour more or less.
  const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
  return { first, last: addDays(first, length - 1), name };
}

/** Returns the public holidays of a region around a year, with their names in a language. */
export async function publicHolidays(
  code: string,
  { language, year }: { readonly language: string; readonly year: number },
): Promise<DayOff[]> {
  const Holidays = await load();
  const [country = '', ...state] = code.split('-');
  const holidays =
    state.length > 0 ? new Holidays(country, state.join('-')) : new Holidays(country);
  const years = Array.from({ length: yearsBefore + 1 + yearsAhead }, (_, at) => year - 1 + at);
  return years.flatMap((each) =>
    holidays
      .getHolidays(each, language)
      .filter(({ type }) => type === 'public')
      .map(daysOf),
  );
}
