/** A number, a word or a sign of a cell, without accents and in lower case. */
export type Token = {
  readonly kind: 'number' | 'word' | 'sign';
  readonly text: string;
  /** True if a blank stands in front. */
  readonly hasGap: boolean;
};

/** Length limit in UTF-16 code units; no date is longer. */
const maxLength = 100;

/** Characters that do not change the meaning: accents, soft hyphens, apostrophes, degree signs. */
const silent = /[\p{M}\p{Cf}'’°º]/gu;

/** Splits a cell into tokens; a text that is too long has none. */
export function tokenize(cell: string): readonly Token[] {
  const trimmed = cell.trim();
  if (trimmed.length > maxLength) return [];
  const text = trimmed
    .normalize('NFD')
    .replace(silent, '')
    .replaceAll('ᵉʳ', 'er')
    .replace(/[()[\]"]/g, ' ')
    .replace(/\p{Pd}|−/gu, '-')
    .toLowerCase();
  return [...text.matchAll(/\d+|\p{L}+|\S/gu)].map(({ 0: part, index }) => ({
    kind: /^\d/.test(part) ? 'number' : /^\p{L}/u.test(part) ? 'word' : 'sign',
    text: part,
    hasGap: /\s/.test(text.charAt(index - 1)),
  }));
}

/** Maps the words of each line to the number of the line; a word may stand in several lines. */
function indexLines(lines: readonly string[], first: number): ReadonlyMap<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    for (const word of line.split(' ')) {
      index.set(word, [...(index.get(word) ?? []), at + first]);
    }
  }
  return index;
}

/**
 * Weekdays in English, German, French and Dutch, from 0 for Sunday. "Di" is Tuesday in German and
 * Dutch but Sunday in French; "ma" is Monday in Dutch but Tuesday in French.
 */
export const weekdays = indexLines(
  [
    'sunday sun su sonntag son so dimanche dim di zondag zon zo',
    'monday mon mo montag lundi lun lu maandag maa ma',
    'tuesday tues tue tu dienstag die di mardi mar ma dinsdag din',
    'wednesday weds wed we mittwoch mit mi mercredi mer me woensdag woe wo',
    'thursday thurs thur thu th donnerstag don do jeudi jeu je donderdag',
    'friday fri fr freitag fre vendredi ven ve vrijdag vrij vri vr',
    'saturday sat sa samstag sonnabend sam samedi zaterdag zat za',
  ],
  0,
);

/** Months in English, German, French and Dutch, from 1. */
export const months: ReadonlyMap<string, number[]> = indexLines(
  [
    'january jan januar janner jaenner janvier janv januari',
    'february feb februar feber fevrier fevr fev februari',
    'march mar marz maerz mrz mars maart mrt maa',
    'april apr avril avr',
    'may mai mei',
    'june jun juni juin',
    'july jul juli juillet juill juil',
    'august aug aout aou augustus',
    'september sept sep septembre',
    'october oct oktober okt octobre',
    'november nov novembre',
    'december dec dezember dez decembre',
  ],
  1,
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Words before a date that add nothing to it. */
export const dateArticles = words('am den der dem vom von the on from le du op van');

/** Endings of a day of the month: 1st, 2nd, 1er, 2de. */
export const ordinals = words('st nd rd th er re e eme ste de');

/** Words between the ends of a range or between the parts of a list. */
export const rangeWords = words('bis und u to till until thru through and au et a tot en tm');

/** Signs between the ends of a range or between the parts of a list. */
export const rangeSigns = words('- / + &');

/** Words before a time of day. */
export const timeArticles = words(
  'um ab ca circa etwa gegen von at from about approx a vers environ des de partir om vanaf rond omstreeks van',
);

export const hourWords = words('h hr hrs uhr u uur heure heures');

/** Words for 12:00. Midnight is left out: it could begin or end a day. */
export const noonWords = words('noon midday midi');

/** Words for an unknown end: 19:30 – open end. */
export const openEnds = words('open end ende fin einde late');

/** Texts for an unknown time or an event without one, without blanks and signs. */
export const noTimes = words(
  'allday fullday wholeday ganztagig ganztagig ganztags ganzertag ganzentag toutelajournee journeeentiere journee heledag gehele dag tba tbd tbc tobeannounced tobeconfirmed offen nochoffen open nn unbekannt unknown inconnu onbekend ntb nadertebepalen adeterminer adefinir aconfirmer aucune keine none geen na',
);
