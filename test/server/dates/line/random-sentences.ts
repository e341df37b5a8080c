import { addDays, type Day, daysIntoWeek, partsOf } from '../../../../server/dates/days.ts';
import type { Language } from '../../../../server/messages/messages.ts';
import { fc } from '../../../support/random.ts';

/** A Wednesday; the sentences are written at 10:00. */
export const today = '2026-11-25';

/** Places that the club has used, as it writes them. */
export const places = ['Sports hall', 'Turnhalle', 'Gymnase', 'Clubhuis'];

/** A sentence, and what the person who wrote it means. */
export type Meant = {
  readonly text: string;
  readonly language: Language;
  /** Words of the name, in their order. */
  readonly name: string;
  /** The day, or the first one of a repetition; empty if the sentence has to be asked about. */
  readonly day: Day;
  readonly time: string;
  readonly end: string;
  readonly place: string;
  readonly weekdays: readonly number[];
  /** The last possible day of a repetition, or the number of its dates. */
  readonly until: string;
  readonly except: string;
};

type Piece = Partial<Omit<Meant, 'text' | 'language'>> & { readonly text: string };

const listOf = (text: string) => text.split('|');

/** Words of each language: names, days, months, and pieces with their meaning behind "=". */
const words = {
  en: {
    names: 'Training|Quiz night|U15 v Ashford|Summer party|March for charity|Choir (50 years)|Café',
    weekdays: 'Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday',
    months: 'January|February|March|April|May|June|July|August|September|October|November|December',
    dates: '{wd} {d} {m}|{d} {m}|{d} {m} {y}|on {d} {m}|{m} {d}, {y}',
    times:
      '19:00=19:00|7.30 pm=19:30|at 18:15=18:15|7pm=19:00|19:00-20:30=19:00-20:30|from 7 to 9pm=19:00-21:00',
    parts: 'morning|afternoon|evening',
    behind: '24 musicians|10 km|30 places|50 years of singing',
    places: 'sports hall=Sports hall|at the Old barn=Old barn|@ barn=barn',
    every: 'every {wd}|each {wd}|{wd}s|weekly on {wd}s|every week on {wd}',
    weekday: 'every weekday|weekdays',
    untils:
      'until 30 June=2027-06-30|until Easter=2027-03-28|until June=2027-06-30|until the end of March=2027-03-31|for 10 weeks=+69|10 times=10|until 12 May 2027=2027-05-12',
    except: 'except {d} {m}|except on {d} {m} {y}',
    asked:
      'in January|until the new hall is open|from 1 to 4 February|except when it rains|until the summer holidays|in the first quarter of the year',
  },
  de: {
    names:
      'Training|Vorstand|1. FC Adler – TSV|Sommerfest|Maifeier|Chor (50 Jahre)|Tag der offenen Tür',
    weekdays: 'Sonntag|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag',
    months: 'Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember',
    dates:
      '{wd} {d}.{n}.|{d}. {m}|{d}. {m} {y}|am {d}.{n}.|{d}.{n}.{y}|{d}.{n}.{yy}|{wd}, den {d}. {m}',
    times:
      '19 Uhr=19:00|19:30=19:30|um 18.15 Uhr=18:15|19-20:30 Uhr=19:00-20:30|von 19 bis 21 Uhr=19:00-21:00|ab 18 Uhr=18:00',
    parts: 'Vormittag|Nachmittag|Abend|vormittag',
    behind: '50 Jahre|10 km|24 Personen|12 Teams',
    places: 'turnhalle=Turnhalle|in der Alten Schule=Alten Schule|bei Uta=Uta',
    every: 'jeden {wd}|{wd}s|immer {wd}s|jede Woche {wd}s',
    weekday: 'jeden Werktag|werktags|unter der Woche',
    untils:
      'bis 30. Juni=2027-06-30|bis Ostern=2027-03-28|bis Ende Juni=2027-06-30|bis Juni=2027-06-30|10 Wochen lang=+69|10 mal=10|bis zum 12.5.2027=2027-05-12',
    except: 'außer am {d}.{n}.|außer {d}. {m}|ohne den {d}.{n}.{y}',
    asked:
      'im Januar|bis die Halle fertig ist|vom 1. bis 4. Februar|außer bei Regen|bis zu den Sommerferien|im Quartal',
  },
  fr: {
    names: 'Entraînement|Loto|Jeu de piste|Fête d’été|Chorale (50 ans)|Bureau',
    weekdays: 'dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi',
    months: 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
    dates: '{wd} {d} {m}|{d} {m}|le {d} {m} {y}|le {wd} {d} {m}|{d}/{n}/{y}',
    times:
      '19h=19:00|19h30=19:30|à 18h15=18:15|19h-20h30=19:00-20:30|de 19h à 21h=19:00-21:00|dès 18h=18:00',
    parts: 'matin|après-midi|soir',
    behind: '30 ans du club|10 km|24 musiciens',
    places: 'gymnase=Gymnase|à la mairie=mairie|chez Paul=Paul',
    every: 'tous les {wd}s|chaque {wd}|les {wd}s',
    weekday: 'chaque jour ouvré|en semaine',
    untils:
      'jusqu’au 30 juin=2027-06-30|jusqu’à Pâques=2027-03-28|jusqu’à fin juin=2027-06-30|jusqu’en juin=2027-06-30|pendant 10 semaines=+69|10 fois=10|jusqu’au 12 mai 2027=2027-05-12',
    except: 'sauf le {d} {m}|sauf le {d} {m} {y}',
    asked:
      'en janvier|jusqu’à la fermeture|du 1er au 4 février|sauf s’il pleut|jusqu’aux grandes vacances|de janvier',
  },
  nl: {
    names: 'Training|Bridge|Oranje tegen blauw|Jaarvergadering|Koor (50 jaar)|Wandeling',
    weekdays: 'zondag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag',
    months:
      'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december',
    dates: '{wd} {d} {m}|{d} {m}|{d} {m} {y}|op {d} {m}|{wd} {d}-{n}',
    times:
      '19u=19:00|19:30=19:30|om 18.15 uur=18:15|19-20:30 uur=19:00-20:30|van 19 tot 21 uur=19:00-21:00|vanaf 18u=18:00',
    parts: 'ochtend|middag|avond',
    behind: '40 jaar club|10 km|24 muzikanten',
    places: 'clubhuis=Clubhuis|in de kantine=kantine|bij Jan=Jan',
    every: 'elke {wd}|iedere {wd}|{wd}s',
    weekday: 'elke werkdag|doordeweeks',
    untils:
      'tot 30 juni=2027-06-30|tot Pasen=2027-03-28|tot eind juni=2027-06-30|t/m juni=2027-06-30|10 weken lang=+69|10 keer=10|tot en met 12 mei 2027=2027-05-12',
    except: 'behalve {d} {m}|behalve op {d} {m} {y}',
    asked:
      'in januari|tot de zaal klaar is|van 1 tot 4 februari|behalve bij regen|tot de zomervakantie|in het kwartaal',
  },
} satisfies Record<Language, Readonly<Record<string, string>>>;

/** Writes a day as a template says. */
function write(language: Language, template: string, day: Day): string {
  const { weekdays, months } = words[language];
  const { year, month, date } = partsOf(day);
  const values: Readonly<Record<string, string>> = {
    wd: listOf(weekdays)[daysIntoWeek(day, 0)] ?? '',
    d: String(date),
    m: listOf(months)[month - 1] ?? '',
    n: String(month),
    y: String(year),
    yy: String(year % 100),
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

const anyOf = (list: string) => fc.constantFrom(...listOf(list));
const nextWeekday = (from: Day, weekday: number) =>
  addDays(from, (weekday - daysIntoWeek(from, 0) + 7) % 7);

/** A day within the next 300 days, with or without words behind it. */
const anyDay = (language: Language): fc.Arbitrary<Piece> =>
  fc
    .record({ template: anyOf(words[language].dates), ahead: fc.integer({ min: 1, max: 300 }) })
    .map(({ template, ahead }) => {
      const day = addDays(today, ahead);
      return { text: write(language, template, day), day };
    });

const anyTime = (language: Language): fc.Arbitrary<Piece> =>
  anyOf(words[language].times).map((row) => {
    const [text = '', value = ''] = row.split('=');
    const [time = '', end = ''] = value.split('-');
    return { text, time, end };
  });

const anyPlace = (language: Language): fc.Arbitrary<Piece> =>
  anyOf(words[language].places).map((row) => {
    const [text = '', place = ''] = row.split('=');
    return { text, place };
  });

const anyName = (language: Language, list: 'names' | 'parts' | 'behind'): fc.Arbitrary<Piece> =>
  anyOf(words[language][list]).map((name) => ({ text: name, name }));

const nothing = fc.constant<Piece>({ text: '' });

/** One event: with a time, or with a part of the day or other words that stay in the name. */
const single = (language: Language): fc.Arbitrary<readonly Piece[]> =>
  fc.oneof(
    fc.tuple(anyName(language, 'names'), anyDay(language), anyTime(language), anyPlace(language)),
    fc.tuple(anyName(language, 'names'), anyDay(language), anyTime(language)),
    fc.tuple(anyDay(language), anyTime(language), anyName(language, 'names')),
    fc.tuple(anyName(language, 'names'), anyDay(language), anyName(language, 'behind')),
    fc.tuple(
      anyName(language, 'names'),
      fc.integer({ min: 0, max: 6 }).map((weekday) => {
        const day = nextWeekday(today, weekday);
        return { text: write(language, '{wd}', day), day };
      }),
      anyName(language, 'parts'),
    ),
  );

/** The rule of a repetition, its end and an exception, or words that nobody understands. */
const repeated = (language: Language): fc.Arbitrary<readonly Piece[]> =>
  fc
    .record({
      name: anyName(language, 'names'),
      time: anyTime(language),
      place: fc.oneof(anyPlace(language), nothing),
      weekday: fc.integer({ min: 0, max: 6 }),
      isFiveDays: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
      every: anyOf(words[language].every),
      five: anyOf(words[language].weekday),
      until: anyOf(words[language].untils),
      except: fc.option(anyOf(words[language].except)),
      asked: fc.option(anyOf(words[language].asked), { freq: 4 }),
      order: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ name, time, place, weekday, isFiveDays, order, ...row }) => {
      const from = time.time === '' || (time.time ?? '') > '10:00' ? today : addDays(today, 1);
      const day = isFiveDays ? from : nextWeekday(from, weekday);
      const rule: Piece = {
        text: isFiveDays ? row.five : write(language, row.every, day),
        day,
        weekdays: isFiveDays ? [1, 2, 3, 4, 5] : [weekday],
      };
      const left = addDays(day, 7);
      const except: Piece =
        row.except === null
          ? { text: '' }
          : { text: write(language, row.except, left), except: left };
      const [untilText = '', value = ''] = row.until.split('=');
      const until: Piece = {
        text: untilText,
        until: value.startsWith('+') ? addDays(day, Number(value)) : value,
      };
      if (row.asked !== null) {
        const visible = [name.text, rule.text, row.asked].join(' ');
        const empty = { day: '', weekdays: [], until: '', except: '' };
        return [
          { text: name.text, name: visible },
          { text: rule.text },
          { text: row.asked },
          { ...time, ...empty },
        ];
      }
      const orders = [
        [name, rule, time, place, except, until],
        [name, rule, except, until, time, place],
        [rule, time, name, except, until],
      ];
      return orders[order] ?? [];
    });

/** Puts the pieces of a sentence together, and what they mean. */
function join(language: Language, pieces: readonly Piece[]): Meant {
  const all = pieces.filter(({ text }) => text !== '');
  const text = all.map((piece) => piece.text).join(' ');
  const names = all.flatMap(({ name }) => name ?? []);
  const none = { day: '', time: '', end: '', place: '', weekdays: [], until: '', except: '' };
  return { ...none, ...Object.assign({}, ...all), text, language, name: names.join(' ') };
}

/** Sentences in four languages, the same ones at each run. */
export const randomSentences: readonly Meant[] = fc.sample(
  fc
    .constantFrom<Language>('en', 'de', 'fr', 'nl')
    .chain((language) =>
      fc.oneof(single(language), repeated(language)).map((pieces) => join(language, pieces)),
    ),
  { seed: 49, numRuns: 500 },
);
