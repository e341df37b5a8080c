import { wordsOf } from '../../../../db/fold.ts';
import { weekdays } from '../../../dates/date-words.ts';
import { addDays, type Day } from '../days.ts';
import { formatsOf } from '../format.ts';

const oneWords = /^(?:an?|one|eine?n?|une?|een)$/;
const laterWords = /^(?:later|after|spater|nachher|plus tard|apres|verder)$/;
const earlierWords = /^(?:earlier|before|fruher|vorher|plus tot|avant|eerder|vroeger)$/;
const units: readonly (readonly [minutes: number, words: RegExp])[] = [
  [1, /^(?:min|mins|minutes?|minuten?|minuut)$/],
  [60, /^(?:h|hours?|std|stunden?|heures?|uur|uren)$/],
  [1_440, /^(?:days?|tage?|tagen|jours?|dag|dagen)$/],
  [10_080, /^(?:weeks?|wochen?|semaines?|weken)$/],
];

/**
 * Reads a step such as "30 minutes later" or "1 week earlier" in English, German, French or Dutch, in
 * minutes; undefined for any other text.
 */
export function readStep(text: string): number | undefined {
  const sign = /^\s*([+\-−])/.exec(text)?.[1];
  const [, amount = '', unit = '', ...direction] =
    /^(\d{1,4}|\p{L}+) ?(\p{L}+)(?: (.*))?$/u.exec(wordsOf(text).join(' ')) ?? [];
  const count = oneWords.test(amount) ? 1 : Number(amount);
  const minutes = units.find(([, words]) => words.test(unit))?.[0];
  const said = direction[0] ?? '';
  const isLater = said === '' ? sign === '+' : laterWords.test(said);
  const isEarlier = said === '' ? sign !== undefined && sign !== '+' : earlierWords.test(said);
  if (minutes === undefined || !(count > 0) || isLater === isEarlier) return undefined;
  return count * minutes * (isLater ? 1 : -1);
}

/** 4 January 1970 was a Sunday. */
const sunday: Day = '1970-01-04';

/** Reads a day of the week, as a number from 0 for Sunday; undefined for any other text. */
export function readWeekday(text: string, language: string): number | undefined {
  const word = wordsOf(text).join(' ');
  const formats = formatsOf(language);
  // "Di" is Dienstag in German and dimanche in French.
  const own = Array.from({ length: 7 }, (_, day) => day).find((day) =>
    (['longWeekday', 'weekday'] as const).some(
      (name) => wordsOf(formats.on(name, addDays(sunday, day))).join(' ') === word,
    ),
  );
  const known = weekdays.get(word) ?? [];
  return own ?? (known.length === 1 ? known[0] : undefined);
}
