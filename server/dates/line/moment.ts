import { addDays, type Day } from '../days.ts';
import { skipRange, skipStops } from '../times.ts';
import { articles, type DayPart, joints, weekdays } from '../vocabulary.ts';
import { foundDayAt } from './days.ts';
import { move } from './grammar.ts';
import { canStart, type FoundDay, type FoundTime, type Line, type Part, textAt } from './line.ts';
import { findTimes, isTimeOf, timeAt } from './times.ts';

/** Returns true for a date that names its weekday. */
function hasWeekday({ tokens }: Line, { from, to }: FoundDay): boolean {
  return tokens.slice(from, to).some(({ text }) => weekdays.has(text));
}

/** Returns two days side by side as one; undefined if other words lie between them. */
function join(line: Line, one: FoundDay, other: FoundDay): FoundDay | undefined {
  const { tokens } = line;
  const isTimeBetween = one.time !== undefined && one.time.from >= one.to;
  const from = isTimeBetween ? Math.max(one.to, one.time.to) : one.to;
  const otherFrom = Math.min(other.from, other.time?.from ?? other.from);
  const between = tokens.slice(from, Math.max(from, otherFrom)).map(({ text }) => text);
  const time = one.time ?? other.time;
  const score = Math.max(one.score, other.score);
  const unclear = { ...one, to: other.to, time, score, isUnclear: true };
  const words = between.filter((text) => text !== '.');
  const isSide = words.length === 0 || words.join('') === ',';
  if (isSide && one.kind === 'foreign') return other;
  if (isSide && other.kind === 'foreign') return one;
  if (isSide) {
    if (one.value === other.value && !one.end && !other.end) {
      const [part = other.part, partRun = other.partRun] = [one.part, one.partRun];
      const areTwo = one.partRun !== undefined && other.partRun !== undefined;
      const isUnclear = one.isUnclear || other.isUnclear || areTwo;
      return { ...unclear, kind: other.kind, part, partRun, isUnclear };
    }
    // "Sam" may be a person, and "Fête du 14 juillet" a feast.
    if (one.kind === 'weekday' && other.kind === 'written' && hasWeekday(line, other)) return other;
    if (one.kind === 'feast' || (textAt(line, one.from) === 'du' && !one.end)) return other;
    return unclear;
  }
  const last = words.at(-1) ?? '';
  const isList = joints.choice.has(last) && (words.length === 1 || /^\d\d?$/.test(words[0] ?? ''));
  if (isList && words.length <= 3) return unclear;
  const rangeAt = skipStops(tokens, from);
  if (skipRange(tokens, rangeAt) !== otherFrom) return undefined;
  let { value } = other;
  if (other.kind === 'weekday') while (value <= one.value) value = addDays(value, 7);
  const isRange = value > one.value && !one.end && !other.end && !move.test(` ${line.joined}`);
  if (!isRange || one.isUnclear || (other.isUnclear && !other.isUntil)) return unclear;
  const to = Math.max(other.to, other.time?.to ?? 0);
  const end = { from: rangeAt, value, ...(other.time && { time: other.time }) };
  return { ...one, to, score, end };
}

/** Returns the days of a line, those side by side as one. */
function findDays(line: Line, times: readonly FoundTime[]): readonly FoundDay[] {
  const days: FoundDay[] = [];
  for (let at = 0; at < line.tokens.length; ) {
    const found = canStart(line, at) ? foundDayAt(line, at, times) : undefined;
    if (found !== undefined) {
      const before = days.at(-1);
      const joined = before === undefined ? undefined : join(line, before, found);
      if (joined !== undefined) days.pop();
      days.push(joined ?? found);
    }
    at = found?.to ?? at + 1;
  }
  return days;
}

/** Returns the day that a line most probably means. */
function findDay(line: Line, times: readonly FoundTime[]): FoundDay | undefined {
  const hasTime = times.some(({ isCertain }) => isCertain);
  const all = findDays(line, times);
  const days = all.filter(({ score }) => score >= (hasTime ? 1 : 2));
  const [best, ...others] = days.toSorted((one, other) => other.score - one.score);
  if (best === undefined) return undefined;
  const isOther = ({ value }: FoundDay) => value !== best.value;
  const isMoved = move.test(` ${line.joined}`) && all.some(isOther);
  const hasEqual = others.some(
    (day) => day.score === best.score && (isOther(day) || day.isUnclear),
  );
  const { end, time } = best;
  // On Monday to Friday at 19:00, there are five evenings.
  const isEvening = end?.time === undefined && time?.end !== undefined;
  const isBetween = end && time && time.from > best.from && time.from < end.from;
  const isBare = best.kind === 'weekday' && time !== undefined && !isBetween;
  const isDaily = end !== undefined && (isEvening || isBare);
  return { ...best, isUnclear: best.isUnclear || isMoved || hasEqual || isDaily };
}

/** Returns the start of a line: that beside the day, or the only one. */
function findTime(
  line: Line,
  found: FoundDay | undefined,
  times: readonly FoundTime[],
): FoundTime | undefined {
  if (found?.time?.value !== undefined) return found.time;
  // Away from the day, "3h" is rather a duration than a time of the night.
  const isNight = ({ value }: FoundTime) => value !== undefined && value < '06:00';
  const certain = times.filter(
    (time) => time.isCertain && !isEnd(time) && isOutside(time, found) && !isNight(time),
  );
  const [only] = found?.time !== undefined && !isEnd(found.time) ? [] : certain;
  if (only === undefined || certain.length > 1) return undefined;
  return found?.part === undefined ? only : timeAt(line, only.from, found.part);
}

function isOutside({ from, to }: FoundTime, day: FoundDay | undefined): boolean {
  return day === undefined || to <= day.from || from >= day.to;
}

function isEnd({ value, end }: FoundTime): boolean {
  return value === undefined && end !== undefined;
}

/** The last moment of an event; a time without a day is on the day of its start. */
export type End = { readonly day: Day | undefined; readonly time: string | undefined };

/** Returns the date, the time and the end of a line, and the words that could be another date. */
export function findMoment(
  line: Line,
  named?: DayPart,
): {
  parts: Part[];
  day: Day | undefined;
  time: string | undefined;
  end: End | undefined;
  unclear: FoundDay | undefined;
} {
  const times = findTimes(line, named);
  const found = findDay(line, times);
  const sure = found?.isUnclear === false ? found : undefined;
  const time = findTime(line, found, times);
  const { today, now } = line.context;
  const isToday = sure?.value === today && sure.kind === 'weekday';
  const isOver = now !== undefined && time?.value !== undefined && time.value <= now;
  const day = isToday && isOver ? addDays(today, 7) : sure?.value;
  const isTime = time?.value !== undefined && isTimeOf(day ?? today, time.value, line.context);
  const until =
    time?.end === undefined
      ? times.find((other) => isEnd(other) && isOutside(other, found))
      : isTime
        ? time
        : undefined;
  const hasEnd = until !== undefined && sure?.end === undefined;
  const parts: Part[] = [];
  if (sure !== undefined) {
    // The "from" of a range belongs to it.
    const isFrom = sure.end && articles.range.has(textAt(line, sure.from - 1));
    const from = isFrom ? sure.from - 1 : sure.from;
    const to = sure.end?.from ?? sure.to;
    const isInside = time !== undefined && time.from > sure.from && time.from < to;
    const end = isInside ? time.from : to;
    // A part of the day says nothing else without a time.
    const name = isTime ? undefined : sure.partRun;
    if (name) parts.push({ ...name, field: 'name' });
    for (const run of [
      { from, to: name?.from ?? end },
      { from: name?.to ?? end, to: end },
    ]) {
      if (run.to > run.from) parts.push({ ...run, field: 'date' });
    }
    if (sure.end) parts.push({ from: sure.end.from, to: sure.to, field: 'ends' });
  }
  if (time !== undefined && isTime) {
    parts.push({
      from: time.from,
      to: hasEnd ? Math.min(time.endAt, time.to) : time.to,
      field: 'time',
    });
  }
  if (hasEnd) parts.push({ from: until.endAt, to: until.to, field: 'ends' });
  parts.sort((one, other) => one.from - other.from);
  const last = sure?.end && { day: sure.end.value, time: sure.end.time?.value };
  const end = last ?? (hasEnd ? { day: undefined, time: until.end } : undefined);
  return {
    parts,
    day,
    time: isTime ? time?.value : undefined,
    end,
    unclear: sure === undefined ? found : undefined,
  };
}
