import type { Language } from '../messages/messages.ts';

// Every word of a date in English, German, French and Dutch: readers of cells, headings, ends,
// repetitions and lines derive their lists and patterns from it. Words are as a tokenizer gives
// them: in lower case, without accents and apostrophes. Phrases, which "|" separates, have a blank
// between their tokens.

/** Returns the words of some lists, which blanks separate. */
export function words(...lists: readonly (string | Iterable<string>)[]): ReadonlySet<string> {
  const all = lists.flatMap((list) => (typeof list === 'string' ? list.split(' ') : [...list]));
  return new Set(all.filter((word) => word !== ''));
}

/** Returns the alternatives of a pattern; one that begins with another one stands before it. */
export function oneOf(...lists: readonly (string | Iterable<string>)[]): string {
  return [...words(...lists)].toSorted().toReversed().join('|');
}

/** Words in each language. */
type Words = Readonly<Record<Language, string>>;
type Index = ReadonlyMap<string, number>;

/** Maps the words of lists, which commas separate, to the numbers of their lists. */
function indexLists(lists: string, first: number): Index {
  const each = [...lists.split(',').entries()];
  return new Map(each.flatMap(([at, list]) => [...words(list)].map((word) => [word, at + first])));
}

function indexWords(lists: Words, first: number): Readonly<Record<Language, Index>> {
  const { en, de, fr, nl } = lists;
  const [english, german, french, dutch] = [en, de, fr, nl].map((list) => indexLists(list, first));
  return { en: english, de: german, fr: french, nl: dutch } as Record<Language, Index>;
}

const pairsOf = (index: Readonly<Record<Language, Index>>) =>
  Object.values(index).flatMap((each) => [...each]);

/** Weekdays from Sunday: their names and usual short forms, and behind "+" other short ones. */
const weekdayNames: Words = {
  en: 'sunday sun +su,monday mon +mo,tuesday tue tues +tu,wednesday wed weds +we,thursday thu thur thurs +th,friday fri +fr,saturday sat +sa',
  de: 'sonntag so +son,montag mo,dienstag di +die,mittwoch mi +mit,donnerstag do +don,freitag fr +fre,samstag sonnabend sa +sam',
  fr: 'dimanche dim +di,lundi lun +lu,mardi mar +ma,mercredi mer +me,jeudi jeu +je,vendredi ven +ve,samedi sam',
  nl: 'zondag zo +zon,maandag ma +maa,dinsdag di +din,woensdag wo +woe,donderdag do,vrijdag vr +vrij +vri,zaterdag za +zat',
};
const weekdaysOf = indexWords(weekdayNames, 0);

/**
 * Weekdays by any of their names, from 0 for Sunday. "Di" is Tuesday in German and Dutch but Sunday
 * in French; "ma" is Monday in Dutch but Tuesday in French.
 */
export const weekdays: ReadonlyMap<string, number[]> = new Map(
  [...Map.groupBy(pairsOf(weekdaysOf), ([word]) => word.replace('+', ''))].map(([word, pairs]) => [
    word,
    [...new Set(pairs.map(([, day]) => day))].sort(),
  ]),
);

/** Returns the weekday that a name or a usual short form means in a language. */
export const usualWeekday = (word: string, language: Language) => weekdaysOf[language].get(word);

/** Returns the weekday of a word. */
export function weekdayOf(word: string, isFrench: boolean): number | undefined {
  const days = weekdays.get(word) ?? [];
  const french = weekdaysOf.fr.get(word) ?? weekdaysOf.fr.get(`+${word}`);
  return days.length > 1 ? days.find((day) => (day === french) === isFrench) : days[0];
}

export const monthNames = indexWords(
  {
    en: 'january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,october oct,november nov,december dec',
    de: 'januar jan janner jaenner,februar feb feber,marz maerz mrz,april apr,mai,juni jun,juli jul,august aug,september sept sep,oktober okt,november nov,dezember dez',
    fr: 'janvier janv,fevrier fevr fev,mars,avril avr,mai,juin,juillet juill juil,aout aou,septembre sept,octobre oct,novembre nov,decembre dec',
    nl: 'januari jan,februari feb,maart mrt maa,april apr,mei,juni jun,juli jul,augustus aug,september sep,oktober okt,november nov,december dec',
  },
  1,
);

/** Months, from 1. */
export const months: Index = new Map(pairsOf(monthNames));

const numbersOf = indexWords(
  {
    en: 'zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,,fourteen,,,,,,twenty',
    de: 'null,ein eins eine einem einen einer,zwei,drei,vier,funf,sechs,sieben,acht,neun,zehn,elf,zwolf,,vierzehn,,,,,,zwanzig',
    fr: ',un une,deux,trois,quatre,cinq,six,sept,huit,neuf,dix,onze,douze,treize,quatorze,quinze,seize',
    nl: ',een,twee,drie,vier,vijf,zes,zeven,acht,negen,tien,elf,twaalf,,veertien,,,,,,twintig',
  },
  0,
);
export const englishNumbers = numbersOf.en;

/** Small numbers in words; "a" is one. */
export const numbers: Index = new Map([...pairsOf(numbersOf), ['a', 1], ['an', 1]]);

/** Returns the number of a text of digits or of a word. */
export function numberOf(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : numbers.get(text);
}

/** Ordinals up to the fifth, and -1 for the last. */
export const ordinalWords: Index = new Map([
  ...indexLists(
    'first erste ersten erster erstes premier premiere premiers premieres eerste,second zweite zweiten zweiter zweites deuxieme deuxiemes seconde tweede,third dritte dritten dritter drittes troisieme troisiemes derde,fourth vierte vierten vierter viertes quatrieme vierde,fifth funfte funften funfter funftes cinquieme vijfde',
    1,
  ),
  ...indexLists(
    'last letzte letzten letzter letztes dernier derniere derniers dernieres laatste',
    -1,
  ),
]);

/** Endings of a day of the month: 1st, 2nd, 1er, 2de. */
export const ordinals = words('st nd rd th er ere re e eme ste de');

/** Parts of a month or a year, by which it is cut. */
export const monthParts: ReadonlyMap<string, 'end' | 'middle'> = new Map([
  ...['end', 'ende', 'fin', 'eind', 'einde'].map((word) => [word, 'end'] as const),
  ...['mid', 'middle', 'mitte', 'mi', 'half', 'medio'].map((word) => [word, 'middle'] as const),
]);

/** Units of time. */
export const units = {
  minute: words('min mins minute minutes minuten minuut'),
  hour: words('h hour hours std stunde stunden heure heures uur uren'),
  day: words('day days tag tage tagen jour jours dag dagen'),
  week: words('week weeks woche wochen semaine semaines weken'),
  month: words('month months monat monate monaten monats mois maand maanden'),
  year: words('year years jahr jahre jahren jahres an ans annee annees jaar jaren'),
} as const;

const adverbs = {
  day: words('daily taglich quotidiennement dagelijks'),
  week: words('weekly wochentlich hebdomadaire wekelijks'),
  month: words('monthly monatlich mensuel mensuellement maandelijks'),
  year: words('yearly annually jahrlich annuel annuellement jaarlijks'),
};

/** Units of dates. */
export type DateUnit = keyof typeof adverbs;
const dateUnits = ['day', 'week', 'month', 'year'] as const;

/** Returns the unit of dates of a word such as "weeks". */
export const unitOf = (word: string | undefined): DateUnit | undefined =>
  dateUnits.find((unit) => units[unit].has(word ?? ''));

/** Returns the unit of dates of an adverb such as "weekly". */
export const unitOfAdverb = (word: string | undefined): DateUnit | undefined =>
  dateUnits.find((unit) => adverbs[unit].has(word ?? ''));

const onDay = 'on am den le op';

/** Words of a repetition. */
export const repeats = {
  every: words(
    'every each jede jedem jeden jeder jedes alle chaque tous toutes elk elke ieder iedere',
  ),
  weekly: words(adverbs.week, 'fortnightly biweekly zweiwochentlich vierzehntagig tweewekelijks'),
  times: words('times x mal fois keer'),
  /** Before a rule, to which they add nothing. */
  before: words(onDay, 'the der de les s always immer toujours altijd'),
  /** Before a length such as "10 weeks", or behind it. */
  during: words('for fur pendant durant gedurende voor'),
  long: words('long lang'),
  /** Monday to Friday. */
  workdays: [
    'weekday|weekdays|workday|workdays|working day|working days',
    'wochentag|wochentags|werktag|werktags|arbeitstag|arbeitstags|unter der woche',
    'jour ouvre|jours ouvres|jour de semaine|jours de semaine|en semaine',
    'weekdag|weekdagen|werkdag|werkdagen|doordeweeks|door de week',
  ].flatMap((phrases) => phrases.split('|')),
  /** Weeks by their number: "odd weeks". */
  oddWeeks: words('odd ungerade ungeraden ungerader impaire impaires oneven'),
  evenWeeks: words('even gerade geraden gerader paire paires'),
  /** Words that make a text French. */
  french: words('chaque tous toutes les le jours semaine semaines mois fois dernier jusquau'),
};

/** Words before the number of a week. */
export const weekNumberWords = words('kw kalenderwoche week wk semaine sem');

const and = 'and und et en';
const or = 'or oder ou of';
/** Words that may stand before an end and between the ends of a range, and those only before it. */
const till = 'till bis tot';
const until = 'until jusqua';
const through = 'to through thru';

/** Words and signs between two things. */
export const joints = {
  and: words(and),
  or: words(or),
  /** A list, which is no range: "Tue and Thu". */
  list: words(and, 'u plus & + /'),
  choice: words(and, or, 'u plus & + / ,'),
  /** Between the ends of a range or between the parts of a list. */
  range: words(till, through, and, 'until a au u tem tm'),
  /** Before the end of a range, or before the last day of a repetition. */
  till: words(till, 'until through t'),
  rangeSigns: words('- / + &'),
  weekdays: words(till, 'to through a au'),
  teams: words('v vs versus gegen contre tegen'),
};

/** Words before an end. */
export const ends = {
  day: words(till, until, through, 'jusquau jusquaux jusquen jusque au'),
  time: words(till, until, 'til'),
  /** An unknown end: 19:30 – open end. */
  open: words('open end ende fin einde late'),
};

/** Beginnings of the line of an end, as it is written. */
export const endStarts: Readonly<Record<Language, RegExp>> = {
  en: /^(?:until|till?) /i,
  de: /^bis (?:zum )?/i,
  fr: /^jusqu['’ ]?(?:à|au?) /i,
  nl: /^(?:tot (?:en met )?|t\/m )/i,
};

/** Words such as "except school holidays". */
export const daysOff = {
  except: words(
    'except excluding not ausser außer ohne nicht sauf hors excepte pas behalve buiten uitgezonderd niet',
  ),
  fillers: words(
    'during in on the any school public bank days wahrend an am den der die freien freie pendant les la le de des jours tijdens op de vrije',
  ),
  names: words(
    'holiday holidays off ferien schulferien feiertag feiertagen feiertage tage tagen vacances feries conge conges scolaires vakantie vakanties schoolvakantie schoolvakanties feestdag feestdagen dagen',
  ),
};

const the = 'the der dem den das la le les de het t';
const fromDay = 'from von van du';
const atHour = 'at um om a gegen vers';
const fromHour = 'ab from vanaf des';
const about = 'ca c circa etwa about around approx environ rond omstreeks';
const between = 'between zwischen entre tussen';

/** Articles and prepositions. */
export const articles = {
  the: words(the),
  /** Before a weekday, which is a date then: "on Tuesday". */
  day: words(onDay),
  /** Before a date, to which they add nothing. */
  date: words(onDay, fromDay, 'der dem vom zum the les'),
  /** Before an ordinal and a weekday. */
  nth: words(onDay, 'the der de'),
  /** Before the first day of a range, or of a repetition. */
  range: words(fromDay, 'de vom'),
  from: words(fromHour, 'starting seit partir'),
  /** Before a day, a month or a feast, to which they add nothing. */
  span: words(onDay, fromDay, the, 'des of in im en met um zu zum zur vom au aux'),
  /** Before an hour alone: "at 19". */
  at: words(atHour),
  hour: words(atHour, fromHour),
  between: words(between),
  /** Before a time in words, or any time of day. */
  spoken: words(atHour, fromHour, about, 'van von de'),
  time: words(
    atHour,
    fromHour,
    about,
    between,
    'van von de v partir beginn start debut aanvang ko kickoff anstoß anstoss',
  ),
  /** Before a part of the day: 8 h de l’après-midi, 7 in the evening. */
  dayPart: words('du de des la lapres apres in the at am s'),
  /** Before a place, in any language or in one. */
  place: words('at in im bei beim auf a au aux dans chez bij'),
  /** Before the name of a person. */
  person: words('bei chez bij'),
  placeOf: { en: words(), de: words('am'), fr: words(), nl: words('op te') },
} as const;

/** Words of a time of day. */
export const dayTimes = {
  hour: words('h hr hrs oclock uhr u uur heure heures'),
  noon: words('noon midday midi'),
  midnight: words('midnight mitternacht minuit middernacht'),
  /** Hours from 13 to 23 in French. */
  french: new Map(
    'treize,quatorze,quinze,seize,dix - sept,dix - huit,dix - neuf,vingt,vingt et une,vingt - deux,vingt - trois'
      .split(',')
      .map((word, at) => [word, 13 + at]),
  ),
  /** Marks behind the time of a match, as click-TT has them: moved, exchanged. */
  marks: words('v t u h *'),
  /** Before the name of a text that has the time: "s. Aushang", "voir affiche". */
  references: words('s siehe lt laut gemass see cf voir selon zie volgens'),
  /** Texts for an event without a time, or with one that is not known yet, without blanks and signs. */
  none: words(
    'allday fullday wholeday none na ganztagig ganztags ganzertag ganzentag keine toutelajournee journeeentiere journee aucune heledag geheledag nvt geen',
  ),
  unknown: words(
    'tba tbd tbc tobeannounced tobeconfirmed open unknown offen nochoffen nn ka unbekannt folgt wirdnochbekanntgegeben nnb nochnichtbekannt nochunbekannt nochnichtfestgelegt stehtnochnichtfest notyetknown tobedecided inconnu adeterminer adefinir aconfirmer nc noncommunique onbekend ntb nadertebepalen nb nognietbekend nachabsprache nabspr nachvereinbarung nv nachbedarf beiwind jenachwetter jenachwind imanschluss byarrangement byappointment weatherpermitting asrequired aconvenir surrendezvous surrdv inoverleg naoverleg volgt',
  ),
};

/** Names of parts of a year, and of feasts, by which a repetition could be bound. */
export const periodWords = words(
  'quarter quarters quartal trimestre kwartaal semester season saison seizoen term trimester schuljahr',
  'spring summer autumn winter fruhling fruhjahr sommer herbst printemps automne hiver lente zomer herfst',
  'easter christmas xmas whitsun pentecost ostern weihnachten pfingsten paques noel pentecote pasen kerst kerstmis pinksteren',
  'weekend weekends wochenende wochenenden end ends ende',
  daysOff.names,
);

/** A part of a day, which tells 7 in the morning from 7 in the evening. */
export type DayPart = 'morning' | 'afternoon' | 'evening';

const noon: Words = { en: '', de: 'mittag', fr: '', nl: 'middag' };
const night: Words = { en: 'night', de: 'nacht', fr: 'nuit', nl: 'nacht' };
/** Names of the parts of the day. */
const parts: Readonly<Record<DayPart, Words>> = {
  morning: { en: 'morning', de: 'morgen vormittag fruh', fr: 'matin', nl: 'morgen ochtend' },
  afternoon: { en: 'afternoon', de: `${noon.de} nachmittag`, fr: '', nl: `${noon.nl} namiddag` },
  evening: { en: `evening ${night.en}`, de: 'abend', fr: 'soir', nl: 'avond' },
};
const partNames = Object.entries(parts) as [DayPart, Words][];

/** Returns a part as it stands behind a time: abends, 's avonds, (in the) evening. */
function behindTime({ en, de, fr, nl }: Words): ReadonlySet<string> {
  const adverbs = [...words(de, nl), ...[...words(nl)].map((name) => `s${name}`)];
  return words(en, fr, new Set(adverbs.map((name) => `${name}s`)));
}

/** Parts of the day behind a time on a clock of twelve hours: 8 Uhr abends, 8 h du soir. */
export const dayParts: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['noon', behindTime(noon)],
  ['night', behindTime(night)],
  ['morning', words(behindTime(parts.morning), 'fruh vorm vm')],
  ['evening', words(behindTime(parts.afternoon), behindTime(parts.evening), 'abend midi nachm nm')],
];

/** Parts of a day behind its name: "Friday morning", "Freitagabend". */
export const dayPartWords = words(...partNames.flatMap(([, names]) => Object.values(names)));

/** Sources of patterns for the parts of the day as they stand with a time: "abends", "du soir". */
export const dayPartPatterns = partNames.map(([part, { en, de, fr, nl }]) => {
  const french = fr === '' ? 'de lapres - midi' : `du (?:${oneOf(fr)})`;
  const others = `(?:in the|at) (?:${oneOf(en)})|am (?:${oneOf(de)})|(?:s ?)?(?:${oneOf(de, nl)})s`;
  return [part, `${french}|${others}`] as const;
});

const endings = partNames.map(
  ([part, names]) => [part, new RegExp(`(?:${oneOf(...Object.values(names))})$`)] as const,
);

const anyPart = new RegExp(`(?:${oneOf(dayPartWords)})$`);

/** Returns a word without the part of the day at its end: Freitagabend, morgenavond. */
export const withoutPart = (word: string): string => word.replace(anyPart, '');

/** Returns the part of the day that a word names or ends with: "Abend", "dinsdagavond". */
export function partOf(word: string): DayPart | undefined {
  return word === 'midi' ? 'afternoon' : endings.find(([, ending]) => ending.test(word))?.[0];
}

/** Words beside a period or a weekday. */
export const relative = {
  /** "Next Saturday" can mean one a week later than "coming Saturday". */
  next: words(
    'next nachste nachstem nachsten nachster nachstes prochain prochaine volgend volgende',
  ),
  coming: words('coming kommende kommendem kommenden kommender kommendes komende aanstaande'),
  this: words('this diese diesen dieser dieses ce cet cette deze dit'),
  last: words(
    'last past previous letzte letztem letzten letzter letztes vorige vorigem vorigen voriger voriges vergangene vergangenem vergangenen vergangener vergangenes dernier derniere passe passee vorig afgelopen',
  ),
};

/** Words by which an event does not take place, or on another day. */
export const states = {
  cancelled:
    'cancelled|canceled|called off|abgesagt|entfallt|entfaellt|fallt aus|faellt aus|ausgefallen|annule|annulee|annules|annulees|supprime|supprimee|geannuleerd|afgelast|vervalt|vervallen|gaat niet door',
  postponed: 'postponed|verschoben|abgesetzt|reporte|reportee|uitgesteld',
  moved: 'moved|rescheduled|verlegt|neu angesetzt|deplace|deplacee|verplaatst|verzet',
  draft: 'draft|entwurf|brouillon|concept',
} as const;

/** Types of events. */
export const types = {
  club: 'club|verein|vereinsintern|vereniging',
  regional: 'regional|regionale|regionaal',
  national: 'national|nationale|nationaal',
  international: 'international|internationale|internationaal',
} as const;

/** The teams of a match, as headings are written. */
export const teams = {
  home: { en: 'Home', de: 'Heim', fr: 'Domicile', nl: 'Thuis' },
  away: { en: 'Away', de: 'Gast', fr: 'Extérieur', nl: 'Uit' },
} as const satisfies Record<string, Words>;

/** Phrases of feasts, by month and day or by the days from Easter Sunday. */
export const feasts: {
  readonly fixed: readonly (readonly [readonly [month: number, day: number], string])[];
  readonly movable: readonly (readonly [number, string])[];
  /** Feasts that last some days; as a single day, they are not known exactly. */
  readonly seasons: readonly (readonly [readonly [number, number] | number, string, number])[];
} = {
  fixed: [
    [[12, 24], 'christmas eve|heiligabend|heiliger abend|reveillon de noel|kerstavond'],
    [
      [12, 25],
      'christmas day|1 . weihnachtstag|erster weihnachtstag|1 . weihnachtsfeiertag|erster weihnachtsfeiertag',
    ],
    [[12, 25], 'jour de noel|eerste kerstdag|1 e kerstdag'],
    [
      [12, 26],
      'boxing day|2 . weihnachtstag|zweiter weihnachtstag|2 . weihnachtsfeiertag|zweiter weihnachtsfeiertag',
    ],
    [[12, 26], 'stephanstag|stefanitag|tweede kerstdag|2 e kerstdag'],
    [[12, 31], 'new years eve|silvester|la saint - sylvestre|saint - sylvestre|saint sylvestre'],
    [[12, 31], 'oudejaarsavond|oudejaarsdag'],
    [[1, 1], 'new years day|neujahr|neujahrstag|le jour de lan|jour de lan|nieuwjaarsdag'],
    [[4, 27], 'koningsdag'],
  ],
  movable: [
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
  ],
  seasons: [
    [[12, 24], 'christmas|xmas|weihnachten|noel|kerst|kerstmis', 3],
    [[1, 1], 'new year|nouvel an|nieuwjaar', 1],
    [0, 'easter|ostern|paques|pasen', 2],
    [49, 'whitsun|pentecost|pfingsten|pentecote|pinksteren', 2],
  ],
};
