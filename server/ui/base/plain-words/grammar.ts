import { months, weekdays } from '../../../dates/date-words.ts';
import type { Language } from '../../../messages/messages.ts';
import { type DayPart, indexPhrases, words } from './line.ts';

/** Short weekdays of each language; those of another language need a time beside them. */
const shortWeekdays: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words('sun mon tue tues wed weds thu thur thurs fri sat'),
  de: words('so mo di mi do fr sa'),
  fr: words('dim lun mar mer jeu ven sam'),
  nl: words('zo ma di wo do vr za'),
};

/** Returns true for a short weekday of another language. */
export function isShortForeign(word: string, language: Language): boolean {
  const isShort = word.length <= 4 || word === 'thurs';
  return isShort && weekdays.has(word) && !shortWeekdays[language].has(word);
}

/** Small numbers and hours as words, in English, German, French and Dutch. */
const numbers: ReadonlyMap<string, number> = new Map(
  [
    'zero null',
    'a an one ein eins eine einem einer un une een',
    'two zwei deux twee',
    'three drei trois drie',
    'four vier quatre',
    'five funf cinq vijf',
    'six sechs zes',
    'seven sieben sept zeven',
    'eight acht huit',
    'nine neun neuf negen',
    'ten zehn dix tien',
    'eleven elf onze',
    'twelve zwolf douze twaalf',
  ].flatMap((list, value) => list.split(' ').map((word) => [word, value] as const)),
);

/** Numbers that are said for weeks: "in vierzehn Tagen", "dans quinze jours". */
const weekNumbers: ReadonlyMap<string, number> = new Map([
  ...['fourteen', 'vierzehn', 'veertien', 'quatorze', 'quinze'].map((word) => [word, 14] as const),
]);

export function numberOf(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) ? Number(text) : (numbers.get(text) ?? weekNumbers.get(text));
}

const wordOf = (map: Iterable<string>) => [...map].toSorted().toReversed().join('|');

/** The alternatives that a name in braces stands for in a pattern. */
const slots: Readonly<Record<string, string>> = {
  wd: wordOf(weekdays.keys()),
  month: `d?(?:${wordOf(months.keys())})`,
  year: '\\d{4}',
  n: `\\d{1,3}|${wordOf([...numbers.keys(), ...weekNumbers.keys()])}`,
  h: `\\d{1,2}|${wordOf(numbers.keys())}`,
  hour: wordOf([...numbers.keys()].filter((word) => !/^(?:a|an|null|zero|une)$/.test(word))),
  nth: 'first|1 st|erste[nrs]?|1 \\.|premiere?|1 ere?|eerste|1 e|1 ste|second|2 nd|zweite[nrs]?|2 \\.|deuxieme|2 e|2 eme|tweede|2 de|third|3 rd|dritte[nrs]?|3 \\.|troisieme|3 e|3 eme|derde|3 de|fourth|4 th|vierte[nrs]?|4 \\.|quatrieme|4 e|4 eme|vierde|4 de|fifth|5 th|funfte[nrs]?|5 \\.|last|letzte[nrs]?|dernier|laatste',
  unit: 'days?|tag|tagen?|jours?|dag|dagen|weeks?|woche|wochen|semaines?|weken',
  art: 'at|um|om|a|gegen|vers|ab|vanaf|des|from|van|von|de|ca|c|circa|rond|around',
};

/** Compiles words with slots into a pattern that matches whole tokens. */
export function pattern(source: string): RegExp {
  const named = source.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${slots[name]})`);
  return new RegExp(`(?:${named})(?= )`, 'uy');
}

/** Returns which weekday of a month an ordinal means; -1 is the last one. */
export function ordinalOf(text: string): number {
  if (/^(?:last|letzt|dern|laat)/.test(text)) return -1;
  const digit = Number(text[0]);
  if (!Number.isNaN(digit)) return digit;
  const words = [
    /^(?:fir|ers|pre|eer)/,
    /^(?:sec|zwe|deu|twe)/,
    /^(?:thi|dri|tro|der)/,
    /^(?:fou|vie|qua)/,
  ];
  const at = words.findIndex((word) => word.test(text));
  return at < 0 ? 5 : at + 1;
}

export const daysOfUnit = (unit: string): number => (/^(?:d|t|j)/.test(unit) ? 1 : 7);

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

/** Feasts by month and day. */
export const fixedFeasts = indexPhrases<readonly [month: number, day: number]>([
  [[12, 24], 'christmas eve|heiligabend|heiliger abend|reveillon de noel|kerstavond'],
  [[12, 25], 'christmas day|1 . weihnachtstag|erster weihnachtstag|1 . weihnachtsfeiertag'],
  [[12, 25], 'jour de noel|eerste kerstdag|1 e kerstdag'],
  [[12, 26], 'boxing day|2 . weihnachtstag|zweiter weihnachtstag|2 . weihnachtsfeiertag'],
  [[12, 26], 'stephanstag|stefanitag|tweede kerstdag|2 e kerstdag'],
  [[12, 31], 'new years eve|silvester|la saint - sylvestre|saint - sylvestre|saint sylvestre'],
  [[12, 31], 'oudejaarsavond|oudejaarsdag'],
  [[1, 1], 'new years day|neujahr|neujahrstag|le jour de lan|jour de lan|nieuwjaarsdag'],
  [[4, 27], 'koningsdag'],
]);

/** Feasts by their distance from Easter Sunday, in days. */
export const movableFeasts = indexPhrases<number>([
  [-48, 'rosenmontag'],
  [-47, 'shrove tuesday|mardi gras|faschingsdienstag'],
  [-46, 'ash wednesday|aschermittwoch|mercredi des cendres|aswoensdag'],
  [-3, 'maundy thursday|grundonnerstag|jeudi saint|witte donderdag'],
  [-2, 'good friday|karfreitag|vendredi saint|goede vrijdag'],
  [0, 'easter sunday|ostersonntag|dimanche de paques|eerste paasdag|1 e paasdag'],
  [1, 'easter monday|ostermontag|lundi de paques|tweede paasdag|2 e paasdag|paasmaandag'],
  [39, 'ascension day|christi himmelfahrt|himmelfahrt|jeudi de lascension'],
  [39, 'hemelvaartsdag|hemelvaart'],
  [49, 'whit sunday|pfingstsonntag|dimanche de pentecote|eerste pinksterdag|1 e pinksterdag'],
  [50, 'whit monday|pfingstmontag|lundi de pentecote|tweede pinksterdag|2 e pinksterdag'],
  [60, 'fronleichnam'],
]);

/** Words after a weekday that move it by weeks: "Friday week", "samedi en huit". */
export const offsets = pattern(
  '(?<one>week|en huit|en 8)|(?<two>fortnight|en quinze|en 15)|(?:in|over|dans) {n} {unit}',
);

/** Phrases for a day that begin or end with a weekday. */
export const dayPatterns = {
  nthOfMonth: pattern(
    '(?:(?:on|the|am|der|den|le|de|op) )*{nth} {wd} (?:(?:of|in|im|des|de|van) )?{month}(?: {year})?',
  ),
  nth: pattern(
    '(?:(?:on|the|am|der|den|le|de|op) )*{nth} {wd}(?: (?:of the|im|du|des|van de) \\w+)?',
  ),
  advent: pattern(
    '(?:(?:on|the|am|le|op) )*{nth} (?:(?:sunday|sonntag|dimanche|zondag) (?:(?:of|in|im|de|van) )+)?(?:l|de )?l?advent',
  ),
  weeksBefore: pattern('(?:a )?(?<one>week|fortnight) (?:on|from) {wd}'),
  week: pattern('(?:kw|kalenderwoche|week|wk|semaine|sem)(?: \\.)? (?<number>\\d{1,2}) {wd}'),
  weekBehind: pattern(
    '{wd} (?:(?:in|der|de|la) )*(?:kw|kalenderwoche|week|wk|semaine|sem)(?: \\.)? (?<number>\\d{1,2})(?! (?:am|pm|a|p|h|u|uhr|uur|:|\\.))',
  ),
  nextWeek: pattern(
    '(?:next|nachste[nr]?|kommende[nr]?|volgende|komende) (?:week|woche) (?:(?:on|am|op) )?{wd}',
  ),
  nextWeekBehind: pattern(
    '{wd} (?:(?:of|de|la|in|der|des) )*(?:(?:next|nachste[nr]?|volgende) (?:week|woche)|semaine prochaine)',
  ),
  distance: pattern('(?:in|dans|over) (?:(?<fortnight>a fortnight)|{n} {unit})'),
} as const;

const unitsOfTime = '(?<unit>week|month|year|woche|monat|jahr|semaine|mois|an|annee|maand|jaar)';
const periodWords = `(?:${unitsOfTime}|{month}|{wd})`;

/** Periods around today, for going to a date: "last December", "next week". */
export const periods = {
  before: pattern(
    `(?:(?:the|de|den|der|im|am|in) )*(?:(?<next>next|nachste[nmrs]?|kommende[nmrs]?|volgende?|komende)|(?<last>last|past|previous|letzte[nmrs]?|vorige[nmrs]?|vergangene[nmrs]?|vorig|afgelopen)) ${periodWords}`,
  ),
  behind: pattern(
    `(?:(?:le|la|l|en) )*l?${periodWords} (?:(?<next>prochaine?)|(?<last>derniere?|passee?))`,
  ),
} as const;

/** Words before a day that make it another one, none, or one of many. */
export const unclearBefore = new RegExp(
  `(?:^| )(?:${[
    'every(?: other| second)?|each|always|at the latest|remembrance|palm|mothering|black|cyber|a week|a fortnight|week after next|alternate|last|past|previous|until|till|til|by|before|after|since|except|not|instead of|rather than',
    'jede[nmrs]?(?: zweiten| zweite)?|immer|spatestens|ubernachste woche|alle|letzte[nmrs]?|vorige[nmrs]?|ubernachste[nmrs]?|bis|bis zum|vor|nach|seit|ab|statt|anstatt|ausser|außer|nicht',
    'toujours|au plus tard|tous les|toutes les|chaque|dernier|jusquau|jusqua|avant|apres|depuis|sauf|pas|au lieu d[eu]|plutot que|des|a partir d[eu]|un',
    'altijd|uiterlijk|elke|iedere?|vorige|afgelopen|tot|tot en met|voor|na|sinds|vanaf|behalve|niet|in plaats van|ipv|om de week|om de',
    '\\d{1,2}(?: \\.)? , \\d{1,2}(?: \\.)?(?: (?:,|and|und|et|en))?',
    // Two proposals: "7. oder 8. Mai", "1 of 2 mei".
    '\\d{1,2}(?: (?:st|nd|rd|th|er|e|de|\\.))? (?:or|oder|ou|of|and|und|et|en|u|&|\\+)(?: \\.)?',
  ].join('|')}) (?:(?:the|le|den|dem|de|am|on|op|a) )?$`,
);

/** Words after a day that make it one of many. */
export const unclearBehind = pattern(
  'weeks|after next|dapres|suivant|(?:after|before|nach|vor|apres|avant|na|voor) (?:easter|christmas|whitsun|ostern|weihnachten|pfingsten|paques|noel|pentecote|pasen|kerst|pinksteren)|sur deux|sur \\d|dernier|passe|of the month|of each month|of every month|du mois|im monat|des monats|van de maand|onwards|ff',
);

/** Words of a repetition; a weekday beside them is not a single day. */
export const repetition =
  /(?:^| )(?:weekly|fortnightly|biweekly|wochentlich|zweiwochentlich|vierzehntagig|hebdomadaire|wekelijks|tweewekelijks|om de week|(?:every|each|jede|chaque|elke|iedere) (?:week|woche|semaine)|toutes les semaines|alle (?:\S+ )?(?:wochen|tage)) /;

/** Words of a move: its two days are no range. */
export const move =
  /(?:^| )(?:moved|postponed|rescheduled|verlegt|verschoben|reporte|reportee|deplace|deplacee|avance|avancee|verplaatst|verzet|uitgesteld) /;

/** A weekday with an ending that makes it a habit: "Tuesdays", "dienstags". */
export const habitual = pattern(
  `(?:s )?(?:${[...weekdays.keys()].filter((word) => word.length > 4).join('|')})s`,
);

/** Parts of the day as they stand with a time: "7 Uhr abends", "du soir". */
export const dayParts: readonly (readonly [DayPart, RegExp])[] = [
  [
    'morning',
    pattern(
      'in the morning|s?morgens|s morgens|vormittags|am (?:morgen|vormittag)|du matin|s?ochtends|s ochtends',
    ),
  ],
  [
    'afternoon',
    pattern(
      'in the afternoon|nachmittags|mittags|am nachmittag|de lapres - midi|s?middags|s middags',
    ),
  ],
  ['evening', pattern('in the evening|at night|abends|am abend|du soir|s?avonds|s avonds')],
];

/** Returns the part of the day that a word names or ends with: "Abend", "dinsdagavond". */
export function partOf(word: string): DayPart | undefined {
  if (/(?:morning|vormittag|morgen|fruh|matin|ochtend)$/.test(word)) return 'morning';
  if (/(?:afternoon|nachmittag|middag|midi)$/.test(word)) return 'afternoon';
  return /(?:evening|night|abend|soir|avond)$/.test(word) ? 'evening' : undefined;
}

/** Times in words; they are of 12 hours unless an hour is above 12. */
export const spokenTimes = {
  half: pattern(
    '(?:{art} )?(?:{n} (?<sign>vor|voor|nach|over|na) )?(?<word>halb|half) (?:(?<past>past) )?{h}',
  ),
  quarter: pattern(
    '(?:{art} )?(?:a )?(?<word>dreiviertel|(?:viertel|kwart|quarter) (?<sign>vor|voor|to|before|nach|over|past|after)) {h}',
  ),
  minutes: pattern(
    '(?:{art} )?(?<n>funf|zehn|zwanzig|vijf|tien|twintig|five|ten|twenty) (?<sign>vor|voor|nach|over|past|after) {h}',
  ),
  french: pattern(
    '(?:{art} )?(?:(?<h>\\d{1,2}|midi|{hour}) ?(?:h|heures?)?) (?<rest>et demie?|et quart|moins le quart|quinze|trente|quarante - cinq)',
  ),
  late: pattern(
    '(?:{art} )?(?<late>treize|quatorze|quinze|seize|dix - (?:sept|huit|neuf)|vingt(?: et une| - deux| - trois)?) heures?(?: (?<rest>et demie?|et quart|moins le quart|quinze|trente|quarante - cinq))?',
  ),
  oclock: pattern('(?:{art} )?{hour} (?:oclock|o clock|uhr|uur|heures?)'),
  hour: pattern('(?:at|um|om|a|gegen|vers) {hour}'),
} as const;
