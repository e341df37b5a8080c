import { skipRange, skipStops } from '../../../dates/times.ts';
import { addDays, type Day } from '../days.ts';
import { namedDayAt, type RelativeDay, weekdayAt, weekdaysAndWords, writtenDayAt } from './days.ts';
import {
  canStart,
  type FoundDay,
  type FoundTime,
  type Line,
  type Part,
  placeStart,
  textAt,
} from './line.ts';
import { findTimes, timeAfter } from './times.ts';

/** Returns true if the date ends its phrase: nothing, a sign, a number or a place follows. */
function endsPhrase(line: Line, at: number): boolean {
  const token = line.tokens[at];
  if (token === undefined || token.kind === 'number') return true;
  return (token.kind === 'sign' && !/[&+]/.test(token.text)) || placeStart(line, at) !== undefined;
}

/** Rates a day that is not certain by the words around it, from 1 to 3. */
function scoreOf(line: Line, { from, to, kind }: RelativeDay): number {
  if (kind === 'certain' || kind === 'exact') return 4;
  if (kind === 'foreign') return 0;
  if (endsPhrase(line, to)) return 3;
  if (kind === 'named') return 2;
  // "Monday Club" and "the Tuesday group" are names.
  const isPlain = from > 0 || !weekdaysAndWords.has(textAt(line, from));
  return kind === 'short' && isPlain ? 2 : 1;
}

/** Returns the day that begins at a token, with the time beside it. */
function dayAt(line: Line, at: number, times: readonly FoundTime[]): FoundDay | undefined {
  const written = writtenDayAt(line, at, times);
  const relative =
    written === undefined ? (weekdayAt(line, at) ?? namedDayAt(line, at)) : undefined;
  const found = written ?? relative;
  if (found === undefined) return undefined;
  const before = times.find(({ to }) => skipStops(line.tokens, to) === at);
  const time = written?.time ?? timeAfter(line, found.to) ?? before;
  const score = relative === undefined ? 4 : scoreOf(line, relative);
  const isWeekday = !['exact', 'named', undefined].includes(relative?.kind);
  return { ...found, time, isWeekday, score: time === undefined ? score : 5 };
}

function findDay(line: Line, times: readonly FoundTime[]): FoundDay | undefined {
  const hasTime = times.some(({ isCertain }) => isCertain);
  let best: FoundDay | undefined;
  for (let at = 0; at < line.tokens.length; at += 1) {
    const found = canStart(line, at) ? dayAt(line, at, times) : undefined;
    if (found === undefined || found.score < (hasTime ? 1 : 2)) continue;
    if (best === undefined || found.score > best.score) best = found;
  }
  return best;
}

/** Returns the position after the end of a range: Fri 19:00 – Sun 16:00. */
function skipEnd(line: Line, at: number): number {
  const next = skipRange(line.tokens, at);
  const end = next === undefined ? undefined : dayAt(line, next, []);
  return end === undefined ? at : Math.max(end.to, end.time?.to ?? 0);
}

/** Returns the date and the time of a line. */
export function findMoment(line: Line): {
  parts: Part[];
  day: Day | undefined;
  time: string | undefined;
} {
  const times = findTimes(line);
  const found = findDay(line, times);
  const time =
    found === undefined
      ? times.find(({ isCertain }) => isCertain)
      : (found.time ??
        times.find(
          ({ isCertain, from, to }) => isCertain && (to <= found.from || from >= found.to),
        ));
  const parts: Part[] = [];
  if (found !== undefined) parts.push({ ...found, field: 'date' });
  if (time !== undefined) parts.push({ ...time, field: 'time' });
  parts.sort((one, other) => one.from - other.from);
  const last = parts.at(-1);
  if (found !== undefined && last !== undefined) {
    parts[parts.length - 1] = { ...last, to: skipEnd(line, last.to) };
  }
  const { today, now } = line.context;
  const isToday = found?.value === today && found.isWeekday;
  const isOver = now !== undefined && time !== undefined && time.value <= now;
  const day = isToday && isOver ? addDays(today, 7) : found?.value;
  return { parts, day, time: time?.value };
}
