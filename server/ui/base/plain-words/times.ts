import { weekdays } from '../../../dates/date-words.ts';
import { skipStops, timesAt } from '../../../dates/times.ts';
import { canEnd, canStart, type FoundTime, type Line, textAt, words } from './line.ts';

/** Words before an hour alone: "at 19", "um 19". */
const hourArticles = words('at um a om @ vers gegen ab from vanaf des');

/** Words that make a number a time in any place of the line. */
const clockWords = words('h oclock uhr u uur heure heures noon midday midi am pm a p');

/** Returns true for the preposition in "Gruppe 2 am Samstag", which is no half of the day. */
function isGermanAm({ tokens, context }: Line, at: number): boolean {
  const [before, am, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (am?.text !== 'am' || !am.hasGap) return false;
  return context.language === 'de' || before?.text === 'uhr' || weekdays.has(next?.text ?? '');
}

/** Returns the time that begins at a token. */
export function timeAt(line: Line, at: number): FoundTime | undefined {
  const { tokens } = line;
  const am = [1, 2, 3, 4, 5].map((next) => at + next).find((next) => isGermanAm(line, next));
  for (const [time, to] of timesAt(am === undefined ? tokens : tokens.slice(0, am), at)) {
    if (!canEnd(line, to)) continue;
    const isCertain = tokens
      .slice(at, to)
      .some(
        ({ kind, text }, index) =>
          text === ':' || (kind === 'word' && clockWords.has(text) && (index > 0 || to === at + 1)),
      );
    return { from: at, to, value: time.slice(0, 5), isCertain };
  }
  const hour = tokens[at + 1];
  if (!hourArticles.has(textAt(line, at)) || hour?.kind !== 'number') return undefined;
  // "At 7" could be in the morning or in the evening.
  if (Number(hour.text) < 8 || Number(hour.text) > 23 || !canEnd(line, at + 2)) return undefined;
  return { from: at, to: at + 2, value: `${hour.text.padStart(2, '0')}:00`, isCertain: false };
}

/** Returns the time after a date, after a comma or not. */
export function timeAfter(line: Line, at: number): FoundTime | undefined {
  const next = skipStops(line.tokens, at);
  return timeAt(line, /^[-|;]$/.test(textAt(line, next)) ? next + 1 : next);
}

export function findTimes(line: Line): readonly FoundTime[] {
  const times: FoundTime[] = [];
  for (let at = 0; at < line.tokens.length; ) {
    const time = canStart(line, at) ? timeAt(line, at) : undefined;
    if (time !== undefined) times.push(time);
    at = time?.to ?? at + 1;
  }
  return times;
}
