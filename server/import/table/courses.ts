import { completeDate, type DateOrder, parseDate } from '../../dates/dates.ts';
import { daysBetween, noonOf } from '../../dates/days.ts';
import { type End, listDays } from '../../dates/repetition.ts';
import { readTime } from '../../dates/times.ts';
import { argumentText, displayText, type Message, message } from '../../messages/message.ts';
import { type MatchedColumns, readWeekday } from './columns.ts';
import type { TableLayout } from './header.ts';
import type { Row } from './table.ts';

/** Headings of the number of dates of a course. */
const countForm =
  /^(?:(?:anzahl|zahl)(?: der)? (?:termine|einheiten|abende|treffen|kurstage|male)|einheiten|(?:no\.?|number) of (?:sessions|dates|lessons|classes|weeks)|sessions|lessons|nombre de (?:séances|cours|dates)|séances|aantal (?:lessen|keren|keer|datums)|lessen)$/i;

/** Days from which a single event hardly lasts, with a time of day and without one. */
const minDays = { timed: 14, whole: 28 };

/**
 * Creates the function that describes a row with the dates of a course, such as a first and a last
 * day beside a weekday; undefined for other rows. Its start is a local timestamp, `rangeEnd` the end
 * that its time has.
 */
export function createCourseTest(
  { names }: TableLayout,
  { ends, weekday }: Pick<MatchedColumns, 'ends' | 'weekday'>,
) {
  const countAt = names.findIndex((name) => countForm.test(name));
  return (
    { cells }: Row,
    name: unknown,
    start: unknown,
    rangeEnd: string | undefined,
    order: DateOrder | undefined,
  ): Message | undefined => {
    if (typeof start !== 'string' || !/^\d{4}-\d\d-\d\d/.test(start)) return undefined;
    const [first, time] = [start.slice(0, 10), start.slice(11, 16)];
    const named = readWeekday(cells[weekday ?? -1] ?? '');
    const weekdays = named ?? [noonOf(first).getUTCDay()];
    const count = Number(cells[countAt]?.trim() || Number.NaN);
    const written = parseDate(cells[ends.day ?? -1]?.trim() ?? '', order);
    const last = written && completeDate(written, written.year ?? Number(first.slice(0, 4)))?.day;
    const length = last === undefined || named === undefined ? 0 : daysBetween(first, last);
    const isLong = length >= (time === '' ? minDays.whole : minDays.timed);
    const end: End | undefined =
      count > 1 && count < 100 ? { count } : isLong && last ? { until: last } : undefined;
    if (end === undefined) return undefined;
    const until = rangeEnd ?? readTime(cells[ends.time ?? -1] ?? '')?.slice(0, 5);
    const { days } = listDays({ unit: 'week', interval: 1, weekdays }, first, end);
    const [firstDay, lastDay] = [days[0], days.at(-1)];
    if (firstDay === undefined || lastDay === undefined || days.length < 2) return undefined;
    return message('reason:course', {
      name: displayText(String(name)),
      argument: argumentText(String(name), 'NAME'),
      count: days.length,
      first: noonOf(firstDay).getTime(),
      last: noonOf(lastDay).getTime(),
      until: lastDay,
      start: time === '' ? firstDay : `${firstDay}T${time}`,
      time: time && (until ? ` ${time}-${until}` : ` ${time}`),
      end: until ? message('value:until_option', { until }) : '',
    });
  };
}
