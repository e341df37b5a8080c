/** A number, a word or a sign of a text, without accents and in lower case. */
export type Token = {
  readonly kind: 'number' | 'word' | 'sign';
  readonly text: string;
  /** True if a blank stands in front. */
  readonly hasGap: boolean;
  /** Range of the tokenized characters, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
};

/** Length limit in UTF-16 code units; no date is longer. */
const maxLength = 100;

/** Characters that do not change the meaning: accents, soft hyphens, apostrophes, degree signs. */
const silent = /[\p{M}\p{Cf}'’°º]/gu;

/** Removes accents and the differences between blanks, dashes and brackets. */
function simplify(text: string): string {
  return text
    .replace(/(?<=\d)([⁰¹²³⁴-⁹]{2})(?!\d)/gu, (minutes) => `:${minutes.normalize('NFKC')}`)
    .normalize('NFD')
    .replace(silent, '')
    .replaceAll('ᵉ', 'e')
    .replaceAll('ʳ', 'r')
    .replace(/\p{Pd}|−/gu, '-');
}

/** Returns true for a text that `simplify` leaves as it is; most are. */
function isSimple(text: string): boolean {
  return /^[ -&(-~]*$/.test(text);
}

function kindOf(text: string): Token['kind'] {
  const code = text.charCodeAt(0);
  if (code >= 48 && code <= 57) return 'number';
  return (code >= 97 && code <= 122) || /^\p{L}/u.test(text) ? 'word' : 'sign';
}

/** Splits a simplified text into tokens. */
function split(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let hasGap = false;
  let start = 0;
  for (const part of text.match(/\d+|\p{L}+|[\s()[\]"]+|./gu) ?? []) {
    const isBlank = /^[\s()[\]"]/.test(part);
    const end = start + part.length;
    if (!isBlank) tokens.push({ kind: kindOf(part), text: part, hasGap, start, end });
    hasGap = isBlank;
    start = end;
  }
  return tokens;
}

/** Splits a cell into tokens; a text that is too long has none. */
export function tokenize(cell: string): readonly Token[] {
  const trimmed = cell.trim();
  if (trimmed.length > maxLength) return [];
  // Most dates need no simplification, which takes longer than everything else.
  return split((isSimple(trimmed) ? trimmed : simplify(trimmed)).toLowerCase());
}

/** Splits a line into tokens whose ranges are those of the line itself. */
export function tokenizeLine(line: string): readonly Token[] {
  if (isSimple(line)) return split(line.toLowerCase());
  let text = '';
  const origins: number[] = [];
  let at = 0;
  for (const character of line) {
    const simple = simplify(character).toLowerCase();
    for (let unit = 0; unit < simple.length; unit += 1) origins.push(at);
    text += simple;
    at += character.length;
  }
  origins.push(line.length);
  // Accents and apostrophes behind a character belong to it.
  return split(text).map((token) => ({
    ...token,
    start: origins[token.start] ?? line.length,
    end: origins[token.end] ?? line.length,
  }));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
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

/** Months that may stand before their day: in German, Mai 26 is a month of 2026. */
export const englishMonths = words(
  'january jan february feb march mar april apr may june jun july jul august aug september sept sep october oct november nov december dec',
);

/** Words before a date that add nothing to it. */
export const dateArticles = words('am den der dem vom von zum the on from le les du op van');

/** Endings of a day of the month: 1st, 2nd, 1er, 2de. */
export const ordinals = words('st nd rd th er re e eme ste de');

/** Words between the ends of a range or between the parts of a list. */
export const rangeWords = words('bis und u tem to till until thru through and au et a tot en tm');

/** Signs between the ends of a range or between the parts of a list. */
export const rangeSigns = words('- / + &');

/** Words before a time of day. */
export const timeArticles = words(
  'um ab v ca circa etwa gegen von zwischen beginn at from about approx between start a vers environ des de partir entre debut om vanaf rond omstreeks van tussen aanvang',
);

export const hourWords = words('h hr hrs oclock uhr u uur heure heures');

/** Words for 12:00. Midnight is left out: it could begin or end a day. */
export const noonWords = words('noon midday midi');

/** Parts of the day behind a time on a clock of twelve hours: 8 Uhr abends, 8 h du soir. */
export const dayParts: ReadonlyMap<string, 'morning' | 'noon' | 'evening' | 'night'> = new Map(
  (
    [
      ['morning', 'morning morgens fruh vormittags vorm matin ochtends smorgens sochtends vm'],
      ['noon', 'mittags middags smiddags'],
      [
        'evening',
        'afternoon evening nachmittags nachm abends abend soir midi avonds savonds namiddags nm',
      ],
      ['night', 'night nachts nuit snachts'],
    ] as const
  ).flatMap(([part, list]) => list.split(' ').map((word) => [word, part] as const)),
);

/** Words before a part of the day: 8 h de l’après-midi, 7 in the evening. */
export const dayPartArticles = words('du de des la lapres apres in the at am s');

/** Words for an unknown end: 19:30 – open end. */
export const openEnds = words('open end ende fin einde late');

/** Marks behind the time of a match, as click-TT has them: moved, exchanged. */
export const timeMarks = words('v t u h *');

/** Words before the name of a text that has the time: "s. Aushang", "voir affiche". */
export const references = words('s siehe lt laut gemass see cf voir selon zie volgens');

/** Texts for an event without a time, without blanks and signs. */
export const wholeDays = words(
  'allday fullday wholeday none na ganztagig ganztags ganzertag ganzentag keine toutelajournee journeeentiere journee aucune heledag geheledag nvt geen',
);

/** Texts for a time that is not known yet, without blanks and signs. */
export const openTimes = words(
  'tba tbd tbc tobeannounced tobeconfirmed open unknown offen nochoffen nn ka unbekannt folgt wirdnochbekanntgegeben inconnu adeterminer adefinir aconfirmer onbekend ntb nadertebepalen nb nachabsprache nabspr nachvereinbarung nv nachbedarf beiwind jenachwetter jenachwind imanschluss byarrangement byappointment weatherpermitting asrequired aconvenir surrendezvous surrdv inoverleg naoverleg volgt',
);
