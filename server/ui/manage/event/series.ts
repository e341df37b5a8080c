import { type Day, isDay, noonOf, partsOf } from '../../../dates/days.ts';
import { readDay } from '../../../dates/line/fields.ts';
import type { DayContext } from '../../../dates/line/line.ts';
import {
  boundsOf,
  type End,
  type Plan,
  planDays,
  type Rule,
  type WrittenRepetition,
} from '../../../dates/repetition.ts';
import { readSpan } from '../../../dates/spans.ts';
import type { DaysOff } from '../../base/days-off.ts';

/** Days that a repetition leaves out at first, with their names, such as "Christmas holidays". */
export const noDaysOff: Pick<DaysOff, 'namesOn'> = { namesOn: () => [] };

/** The dates of a repetition. */
export type Series = Plan & { readonly rule: Rule };

/** The values of a form that are about a repetition. */
type RepetitionValues = {
  /** Such as `week`, `week/2`, `week/1/odd`, `month/1/nth`, `month/1/last` or `month/1/day`; empty for none. */
  readonly repeats: string;
  /** Days of the week, from 0 for Sunday, such as `2,4`. */
  readonly weekdays: string;
  /** The last day or the number of events. */
  readonly until: string;
  /** The days that a person left out, or put back in spite of a day off. */
  readonly except: string;
};

const listOf = (text: string) => text.split(',').filter((item) => item !== '');

/** Returns the days that a person left out or put back. */
export const exceptions = ({ except }: Pick<RepetitionValues, 'except'>): ReadonlySet<Day> =>
  new Set(listOf(except));

/** Returns the value of the exceptions after a day was left out or put back. */
export function withToggled(values: Pick<RepetitionValues, 'except'>, day: Day): string {
  const days = new Set(exceptions(values));
  if (!days.delete(day)) days.add(day);
  return [...days].toSorted().join(',');
}

/** Returns the choice of a repetition that has a rule. */
export function choiceOf({ unit, interval, nth, monthDay, weeks }: Rule): string {
  const ofMonth =
    nth === -1 ? 'last' : nth !== undefined ? 'nth' : monthDay !== undefined ? 'day' : '';
  const kind = weeks ?? ofMonth;
  if (kind === '') return interval === 1 ? unit : `${unit}/${interval}`;
  return `${unit}/${interval}/${kind}`;
}

/**
 * Returns the values of a form for a repetition as written, which begins on a day. Days off are left
 * out anyway: as an exception, they would be put back.
 */
export function writeRepetition(
  written: WrittenRepetition,
  first: Day,
  daysOff: typeof noDaysOff,
): RepetitionValues {
  const { rule } = written;
  const { end, except = [] } = (first === '' ? undefined : boundsOf(written, first)) ?? {};
  const until = end === undefined ? '' : 'until' in end ? end.until : String(end.count);
  const isMonthly = rule.unit === 'month' && rule.nth === undefined;
  return {
    repeats: choiceOf(isMonthly ? { ...rule, monthDay: rule.monthDay ?? 1 } : rule),
    weekdays: rule.weekdays.join(','),
    until,
    except: except.filter((day) => daysOff.namesOn(day).length === 0).join(','),
  };
}

/** Returns the rule of a choice; the day of a month is made from the first date. */
export function ruleOf(
  { repeats, weekdays }: Pick<RepetitionValues, 'repeats' | 'weekdays'>,
  first: Day,
): Rule {
  const [unit, interval = '1', kind] = repeats.split('/');
  const shared = { unit: unit as Rule['unit'], interval: Number(interval) };
  const chosen = listOf(weekdays).map(Number);
  const { date } = partsOf(first);
  if (kind === 'odd' || kind === 'even') return { ...shared, weekdays: chosen, weeks: kind };
  if (kind === 'day') return { ...shared, weekdays: [], monthDay: date };
  if (kind === undefined) return { ...shared, weekdays: unit === 'week' ? chosen : [] };
  const ofMonth = chosen.length > 0 ? chosen : [noonOf(first).getUTCDay()];
  return { ...shared, weekdays: ofMonth, nth: kind === 'last' ? -1 : Math.ceil(date / 7) };
}

/** Reads the last day or the number of events. */
function readEnd(text: string, first: Day, context: DayContext): End | undefined {
  const [, count] = /^(\d{1,3}) ?(?:times|x|mal|fois|keer)?\.?$/i.exec(text.trim()) ?? [];
  if (count !== undefined && Number(count) > 0) return { count: Number(count) };
  if (isDay(text)) return { until: text };
  const span = readSpan(text, context.holidays)?.(first);
  if (span !== undefined) return { until: span.until };
  const day = readDay(text, { ...context, today: first });
  return typeof day === 'string' ? { until: day } : undefined;
}

/** Reads the repetition of a form whose first day is known: its dates, an error, or undefined for none. */
export function readSeries(
  values: RepetitionValues,
  first: Day,
  context: DayContext,
  daysOff: Pick<DaysOff, 'namesOn'>,
): Series | 'untilMissing' | 'untilUnclear' | 'noDates' | undefined {
  if (values.repeats === '') return undefined;
  if (values.until.trim() === '') return 'untilMissing';
  const end = readEnd(values.until, first, context);
  if (end === undefined) return 'untilUnclear';
  const rule = ruleOf(values, first);
  const toggled = exceptions(values);
  const isLeftOut = (day: Day) => daysOff.namesOn(day).length > 0 !== toggled.has(day);
  const plan = planDays(rule, first, end, (all) => new Set(all.filter(isLeftOut)));
  return plan.days.length === 0 ? 'noDates' : { rule, ...plan };
}
