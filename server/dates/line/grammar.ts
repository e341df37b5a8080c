import type { Language } from '../../messages/messages.ts';
import {
  articles,
  type DayPart,
  dayPartPatterns,
  daysOff,
  dayTimes,
  ends,
  joints,
  months,
  numbers,
  oneOf,
  ordinals,
  ordinalWords,
  relative,
  repeats,
  states,
  units,
  usualWeekday,
  weekdays,
  weekNumberWords,
} from '../vocabulary.ts';
import { indexPhrases } from './line.ts';

/** Returns true for a short weekday of another language, which needs a time beside it. */
export function isShortForeign(word: string, language: Language): boolean {
  const isShort = word.length <= 4 || word === 'thurs';
  return isShort && weekdays.has(word) && usualWeekday(word, language) === undefined;
}

/** Returns the words of the numbers that pass a test. */
const numberWords = (test: (number: number, word: string) => boolean) =>
  oneOf([...numbers].filter(([word, number]) => test(number, word)).map(([word]) => word));

/** The alternatives that a name in braces stands for in a pattern. */
const slots: Readonly<Record<string, string>> = {
  wd: oneOf(weekdays.keys()),
  month: `d?(?:${oneOf(months.keys())})`,
  year: '\\d{4}',
  n: `\\d{1,3}|${oneOf(numbers.keys())}`,
  h: `\\d{1,2}|${numberWords((number) => number <= 12)}`,
  hour: numberWords((number, word) => number > 0 && number <= 12 && !/^(?:an?|une)$/.test(word)),
  late: oneOf(dayTimes.french.keys()),
  nth: `[1-5] (?:\\.|${oneOf(ordinals)})|${oneOf(ordinalWords.keys())}`,
  unit: oneOf(units.day, units.week),
  art: oneOf(articles.spoken),
};

/** Compiles words with slots into a pattern that matches whole tokens. */
export function pattern(source: string): RegExp {
  const named = source.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${slots[name]})`);
  return new RegExp(`(?:${named})(?= )`, 'uy');
}

/** Returns which weekday of a month an ordinal means; -1 is the last one. */
export const ordinalOf = (text: string): number => ordinalWords.get(text) ?? Number(text[0]);

export const daysOfUnit = (unit: string): number => (units.day.has(unit) ? 1 : 7);

/** Days by name, counted from today; with the part of the day that some of them name. */
export const namedDays = indexPhrases<{ readonly days: number; readonly part?: DayPart }>([
  [{ days: 0, part: 'evening' }, 'tonight|this evening|ce soir|vanavond'],
  [{ days: 0, part: 'morning' }, 'this morning|ce matin|vanochtend|vanmorgen'],
  [{ days: 0, part: 'afternoon' }, 'this afternoon|cet apres - midi|vanmiddag'],
  [{ days: 0 }, 'today|heute|aujourdhui|vandaag'],
  [{ days: 1 }, 'tomorrow|morgen|demain'],
  [{ days: 2 }, 'the day after tomorrow|day after tomorrow|ubermorgen'],
  [{ days: 2 }, 'apres - demain|apres demain|overmorgen'],
]);

/** Days by name in the past, for going to a date. */
export const pastDays = indexPhrases<number>([
  [-1, 'yesterday|gestern|hier|gisteren'],
  [-2, 'the day before yesterday|vorgestern|avant - hier|avant hier|eergisteren'],
]);

const nthBegin = `(?:(?:${oneOf(articles.nth)}) )*{nth}`;
const weekWords = `(?:${oneOf(units.week)})`;
const weekBegin = `(?:${oneOf(weekNumberWords)})(?: \\.)? (?<number>\\d{1,2})`;
const sundays = oneOf([...weekdays].filter(([, [day]]) => day === 0).map(([word]) => word));

/** Words after a weekday that move it by weeks: "Friday week", "samedi en huit". */
export const offsets = pattern(
  '(?<one>week|en huit|en 8)|(?<two>fortnight|en quinze|en 15)|(?:in|over|dans) {n} {unit}',
);

/** Phrases for a day that begin or end with a weekday. */
export const dayPatterns = {
  nthOfMonth: pattern(`${nthBegin} {wd} (?:(?:of|in|im|des|de|van) )?{month}(?: {year})?`),
  nth: pattern(`${nthBegin} {wd}(?: (?:of the|im|du|des|van de) \\w+)?`),
  advent: pattern(`${nthBegin} (?:(?:${sundays}) (?:(?:of|in|im|de|van) )+)?(?:l|de )?l?advent`),
  weeksBefore: pattern('(?:a )?(?<one>week|fortnight) (?:on|from) {wd}'),
  week: pattern(`${weekBegin} {wd}`),
  weekBehind: pattern(
    `{wd} (?:(?:in|der|de|la) )*${weekBegin}(?! (?:am|pm|a|p|h|u|uhr|uur|:|\\.))`,
  ),
  nextWeek: pattern(
    `(?:${oneOf(relative.next, relative.coming)}) ${weekWords} (?:(?:${oneOf(articles.day)}) )?{wd}`,
  ),
  nextWeekBehind: pattern(
    `{wd} (?:(?:of|de|la|in|der|des) )*(?:(?:${oneOf(relative.next)}) ${weekWords}|${weekWords} prochaine)`,
  ),
  distance: pattern('(?:in|dans|over) (?:(?<fortnight>a fortnight)|{n} {unit})'),
} as const;

const periodWords = `(?:(?<unit>${oneOf(units.week, units.month, units.year)})|{month}|{wd})`;
const periodSides = `(?:(?<next>${oneOf(relative.next, relative.coming)})|(?<last>${oneOf(relative.last)}))`;

/** Periods around today, for going to a date: "last December", "next week". */
export const periods = {
  before: pattern(`(?:(?:the|de|den|der|im|am|in) )*${periodSides} ${periodWords}`),
  behind: pattern(`(?:(?:le|la|l|en) )*l?${periodWords} ${periodSides}`),
} as const;

const ordinalEndings = oneOf(ordinals, ['\\.']);

/** Words before a day that make it another one, none, or one of many. */
export const unclearBefore = new RegExp(
  `(?:^| )(?:${[
    `(?!tou(?:s|tes) (?!les ))(?:${oneOf(repeats.every)})(?: les| other| (?:${oneOf(ordinalWords.keys())}))?`,
    `${oneOf(relative.last, ends.time, daysOff.except)}|jusquau|bis zum|tot en met`,
    'always|at the latest|remembrance|palm|mothering|black|cyber|a week|a fortnight|week after next|alternate|by|before|after|since|instead of|rather than',
    'immer|spatestens|ubernachste woche|ubernachste[nmrs]?|vor|nach|seit|ab|statt|anstatt',
    'toujours|au plus tard|avant|apres|depuis|au lieu d[eu]|plutot que|des|a partir d[eu]|un',
    'altijd|uiterlijk|voor|na|sinds|vanaf|in plaats van|ipv|om de week|om de',
    `\\d{1,2}(?: \\.)? , \\d{1,2}(?: \\.)?(?: (?:,|${oneOf(joints.and)}))?`,
    // Two proposals: "7. oder 8. Mai", "1 of 2 mei".
    `\\d{1,2}(?: (?:${ordinalEndings}))? (?:${oneOf(joints.or, joints.and)}|u \\.|&|\\+)`,
  ].join('|')}) (?:(?:the|le|den|dem|de|am|on|op|a) )?$`,
);

/** Words after a day that make it one of many. */
export const unclearBehind = pattern(
  'weeks|after next|dapres|suivant|(?:after|before|nach|vor|apres|avant|na|voor) (?:easter|christmas|whitsun|ostern|weihnachten|pfingsten|paques|noel|pentecote|pasen|kerst|pinksteren)|sur deux|sur \\d|dernier|passe|of the month|of each month|of every month|du mois|im monat|des monats|van de maand|onwards|ff',
);

/** Words of a repetition; a weekday beside them is not a single day. */
export const repetition = new RegExp(
  `(?:^| )(?:${oneOf(repeats.weekly)}|om de week|(?:${oneOf(repeats.every)}) (?:les )?${weekWords}|alle (?:\\S+ )?(?:${slots['unit']})) `,
);

/** Words of a move: its two days are no range. */
export const move = new RegExp(`(?:^| )(?:${states.moved}|${states.postponed}|avancee?) `);

/** A weekday with an ending that makes it a habit: "Tuesdays", "dienstags". */
export const habitual = pattern(
  `(?:s )?(?:${[...weekdays.keys()].filter((word) => word.length > 4).join('|')})s`,
);

/** Parts of the day as they stand with a time: "7 Uhr abends", "du soir". */
export const dayParts: readonly (readonly [DayPart, RegExp])[] = dayPartPatterns.map(
  ([part, source]) => [part, pattern(source)],
);

/** Times in words; they are of 12 hours unless an hour is above 12. */
export const spokenTimes = {
  half: pattern(
    '(?:{art} )?(?:{n} (?<sign>vor|voor|nach|over|na) )?(?<word>halb|half) (?:(?<past>past) )?{h}',
  ),
  quarter: pattern(
    '(?:{art} )?(?:a )?(?<word>dreiviertel|(?:viertel|kwart|quarter) (?<sign>vor|voor|to|before|nach|over|past|after)) {h}',
  ),
  minutes: pattern(
    `(?:{art} )?(?<n>${numberWords((number) => number === 5 || number === 10 || number === 20)}) (?<sign>vor|voor|nach|over|past|after) {h}`,
  ),
  french: pattern(
    '(?:{art} )?(?:(?<h>\\d{1,2}|midi|{hour}) ?(?:h|heures?)?) (?<rest>et demie?|et quart|moins le quart|quinze|trente|quarante - cinq)',
  ),
  late: pattern(
    '(?:{art} )?(?<late>treize|quatorze|quinze|seize|dix - (?:sept|huit|neuf)|vingt(?: et une| - deux| - trois)?) heures?(?: (?<rest>et demie?|et quart|moins le quart|quinze|trente|quarante - cinq))?',
  ),
  oclock: pattern('(?:{art} )?{hour} (?:oclock|o clock|uhr|uur|heures?)'),
  hour: pattern(`(?:${oneOf(articles.at)}) {hour}`),
} as const;
