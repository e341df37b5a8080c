import { wordsOf } from '../../../db/fold.ts';
import type { Language } from '../../messages/messages.ts';
import { numberOf, units, usualWeekday, weekdays } from '../vocabulary.ts';

const laterWords = /^(?:later|after|spater|nachher|plus tard|apres|verder)$/;
const earlierWords = /^(?:earlier|before|fruher|vorher|plus tot|avant|eerder|vroeger)$/;
const steps = [
  [1, units.minute],
  [60, units.hour],
  [1_440, units.day],
  [10_080, units.week],
] as const;

/**
 * Reads a step such as "30 minutes later" or "1 week earlier" in English, German, French or Dutch, in
 * minutes; undefined for any other text.
 */
export function readStep(text: string): number | undefined {
  const sign = /^\s*([+\-−])/.exec(text)?.[1];
  const [, amount = '', unit = '', ...direction] =
    /^(\d{1,4}|\p{L}+) ?(\p{L}+)(?: (.*))?$/u.exec(wordsOf(text).join(' ')) ?? [];
  const count = numberOf(amount) ?? 0;
  const minutes = steps.find(([, list]) => list.has(unit))?.[0];
  const said = direction[0] ?? '';
  const isLater = said === '' ? sign === '+' : laterWords.test(said);
  const isEarlier = said === '' ? sign !== undefined && sign !== '+' : earlierWords.test(said);
  if (minutes === undefined || count === 0 || isLater === isEarlier) return undefined;
  return count * minutes * (isLater ? 1 : -1);
}

/** Ways to say "a year later", on the same day of the week. */
const yearWords =
  /^(?:next year|in (?:a|1|one) year|(?:a|1|one) year later|(?:im )?nachstes jahr|in einem jahr|(?:ein|1) jahr spater|l (?:an|annee) prochaine?|dans (?:un|1) an|(?:un|1) an plus tard|volgend jaar|over (?:een|1) jaar|(?:een|1) jaar later)$/;

/** Reads a number of days: a step such as "4 weeks later", or "next year" for 52 weeks. */
export function readDays(text: string): number | undefined {
  if (yearWords.test(wordsOf(text).join(' '))) return 364;
  const days = (readStep(text) ?? Number.NaN) / 1_440;
  return Number.isInteger(days) ? days : undefined;
}

/** Reads a day of the week, as a number from 0 for Sunday; undefined for any other text. */
export function readWeekday(text: string, language: Language): number | undefined {
  const word = wordsOf(text).join(' ');
  const [day, other] = weekdays.get(word) ?? [];
  // "Di" is Dienstag in German and dimanche in French.
  return other === undefined ? day : usualWeekday(word, language);
}
