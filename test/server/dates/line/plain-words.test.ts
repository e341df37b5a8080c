import { describe, expect, it } from 'vitest';
import { type PlainWords, parsePlainWords } from '../../../../server/dates/line/plain-words.ts';
import { parseSpokenDay } from '../../../../server/dates/line/spoken-day.ts';
import type { Language } from '../../../../server/messages/messages.ts';
import { choose } from '../../../support/long.ts';
import { fc } from '../../../support/random.ts';

/** A Sunday. */
const today = '2026-11-22';
const places = [
  'Sports hall, Mill Lane',
  'Clubhouse',
  'Turnhalle Nord',
  'Gymnase Jean-Moulin',
  'Sporthal De Linde (zaal 2)',
  'Sports hall, North',
  'Café Müller',
  'City',
];

function parse(line: string, language: Language = 'en'): PlainWords {
  return parsePlainWords(line, { today, language, places });
}

/** Formats an event: "Training | 11-24 | 19:00 | Sports hall", then type and status if any. */
function show({ name, day, time, location, eventType, status }: PlainWords): string {
  const date = day?.replace(/^2026-/, '');
  const parts = [name, date, time, location, eventType, status].map((part) => part ?? '');
  return parts
    .join(' | ')
    .replaceAll('  ', ' ')
    .replace(/[ |]+$/, '');
}

/** Lines of "text → expected". */
function cases(table: string): [line: string, expected: string][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.split('→').map((part) => part.trim()) as [string, string]);
}

const english = `
  Training Tue 19:00 Sports hall → Training | 11-24 | 19:00 | Sports hall, Mill Lane
  Training Tue 19:00 sports hall → Training | 11-24 | 19:00 | Sports hall, Mill Lane
  Training Tue 19:00 Sports hall Mill Lane → Training | 11-24 | 19:00 | Sports hall, Mill Lane
  Training Tue 19:00 Sports hall, North → Training | 11-24 | 19:00 | Sports hall, North
  Training Tue 19:00 Old barn → Training | 11-24 | 19:00 | Old barn
  Training Tue 19:00, Old barn → Training | 11-24 | 19:00 | Old barn
  training tue 19:00 at the old barn → training | 11-24 | 19:00 | old barn
  Training on Tuesday at 7pm at the Clubhouse → Training | 11-24 | 19:00 | Clubhouse
  Training Tuesday 7.30 pm → Training | 11-24 | 19:30
  Training Tue 19:00-21:00 Old barn → Training | 11-24 | 19:00 | Old barn
  Training Tue from 7 to 9pm → Training | 11-24 | 19:00
  Training Tue at 19 → Training | 11-24 | 19:00
  Training Tue at 7 → Training at 7 | 11-24
  Meeting Friday at 3 Mill Lane → Meeting | 11-27 | | 3 Mill Lane
  Training Tue 19 → Training 19 | 11-24
  Training Tue,19:00,Old barn → Training | 11-24 | 19:00 | Old barn
  Training Tue with Ben → Training with Ben | 11-24
  Training Friday morning 9:00 → Training | 11-27 | 09:00
  Fri Training → Training | 11-27
  Tue 19:00 Training → Training | 11-24 | 19:00
  Tue 19:00 Training Sports hall → Training | 11-24 | 19:00 | Sports hall, Mill Lane
  Tue 19:00 Training at Queen’s Park → Training | 11-24 | 19:00 | Queen’s Park
  19:00 Tue Training → Training | 11-24 | 19:00
  Tuesday training 19:00 → training | 11-24 | 19:00
  Training at Queen’s Park Tue 19:00 → Training | 11-24 | 19:00 | Queen’s Park
  Training @ barn Tue 19:00 → Training | 11-24 | 19:00 | barn
  Training Tue 19:00 @barn → Training | 11-24 | 19:00 | barn
  Training Clubhouse → Training | | | Clubhouse
  Training Tuesday → Training | 11-24
  Training Tue Old barn 19:00 → Training | 11-24 | 19:00 | Old barn
  Training Sun 10:00 → Training | 11-22 | 10:00
  Training today 18:00 → Training | 11-22 | 18:00
  Training tomorrow → Training | 11-23
  Tomorrow Training → Training | 11-23
  Training the day after tomorrow → Training | 11-24
  Training in 3 days 18:00 → Training | 11-25 | 18:00
  Training in two weeks → Training | 12-06
  Match next Saturday 15:00 → Match | 11-28 | 15:00
  Match next Sunday → Match | 11-29
  Match this Saturday noon → Match | 11-28 | 12:00
  Match 14 March → Match | 2027-03-14
  Match March 14 3pm → Match | 2027-03-14 | 15:00
  Match 14th of March 2028 → Match | 2028-03-14
  Match Sat 28 Nov 15:00 City ground → Match | 11-28 | 15:00 | City ground
  Match Sat 28 15:00 → Match | 11-28 | 15:00
  Match 24/11 → Match | 11-24
  Match 12/24/2026 14:00 → Match | 12-24 | 14:00
  Match 2026-12-05 14:00 → Match | 12-05 | 14:00
  Camp 3–5 December → Camp | 12-03
  Camp Fri–Sun Old barn → Camp | 11-27 | | Old barn
  Camp Fri 19:00 – Sun 16:00 Old barn → Camp | 11-27 | 19:00 | Old barn
  Party 29 Feb → Party 29 Feb
  Rovers v City Sat 15:00 → Rovers v City | 11-28 | 15:00
  Sat 15:00 Rovers v City → Rovers v City | 11-28 | 15:00
  Rovers v City → Rovers v City
  Match Sat 15:00 v City → Match v City | 11-28 | 15:00
  Training (Tue 19:00) → Training | 11-24 | 19:00
  Training Tue 19:00, cancelled → Training | 11-24 | 19:00 | | | cancelled
  Training Tue 19:00 Old barn cancelled → Training | 11-24 | 19:00 | Old barn | | cancelled
  Cancelled: Training Tue 19:00 → Training | 11-24 | 19:00 | | | cancelled
  Training Tue 19:00 (draft) → Training | 11-24 | 19:00 | | | draft
  Cross country Sat 10:00 national → Cross country | 11-28 | 10:00 | | national
  Cross country Sat 10:00 Old barn, regional → Cross country | 11-28 | 10:00 | Old barn | regional
  Cross country Sat 10:00 Old barn (club) → Cross country | 11-28 | 10:00 | Old barn | club`;

const names = `
  Monday Club → Monday Club
  Monday Club Mon 19:00 → Monday Club | 11-23 | 19:00
  The Tuesday Group → The Tuesday Group
  March for charity Sat 10:00 → March for charity | 11-28 | 10:00
  March for charity → March for charity
  Friday night lights Fri 20:00 → Friday night lights | 11-27 | 20:00
  Fun in the sun Sat 10:00 → Fun in the sun | 11-28 | 10:00
  Fun in the sun → Fun in the sun
  Sunday-School trip Sat 10:00 → Sunday-School trip | 11-28 | 10:00
  U19 Training Tue 18:00 → U19 Training | 11-24 | 18:00
  24/7 run Sat 10:00 → 24/7 run | 11-28 | 10:00
  Race 4, 5 December 10:00 → Race 4 | 12-05 | 10:00
  5.4 km run Sat 10:00 → 5.4 km run | 11-28 | 10:00
  Made in Germany → Made in Germany
  Live in Concert at Town hall Sat 20:00 → Live in Concert | 11-28 | 20:00 | Town hall
  Run for a Cause Sat 10:00 → Run for a Cause | 11-28 | 10:00
  Draft Sat 10:00 → Draft | 11-28 | 10:00
  Club dinner Fri 19:00 → Club dinner | 11-27 | 19:00
  National Cross Sat 10:00 → National Cross | 11-28 | 10:00
  Clubhouse → Clubhouse
  Clubhouse cleaning Sat 10:00 → Clubhouse cleaning | 11-28 | 10:00
  Semi-final (U12) Sat 10:00 → Semi-final (U12) | 11-28 | 10:00
  Today’s talent Sat 10:00 → Today’s talent | 11-28 | 10:00
  Version 2.10 → Version 2.10
  31 February party → 31 February party
  Teams 1 to 4 → Teams 1 to 4
  🎉 Tue 19:00 → 🎉 | 11-24 | 19:00`;

const german = `
  Training Di 19:00 Turnhalle → Training | 11-24 | 19:00 | Turnhalle
  Training Di. 19 Uhr Turnhalle Nord → Training | 11-24 | 19:00 | Turnhalle Nord
  Training am Dienstag um 19:30 Uhr in der Turnhalle Nord → Training | 11-24 | 19:30 | Turnhalle Nord
  Training Dienstag 19.30 Uhr → Training | 11-24 | 19:30
  Training Dienstag 19.30 → Training | 11-24 | 19:30
  Training Di 19-21 Uhr → Training | 11-24 | 19:00
  Training Di von 19 bis 21 Uhr → Training | 11-24 | 19:00
  Training Di 10-12 Uhr → Training | 11-24 | 10:00
  Training Di 10-12 → Training | 11-24 | 10:00
  Training Di um 19 → Training | 11-24 | 19:00
  Treffen Sa 15 Uhr am Sportplatz → Treffen | 11-28 | 15:00 | Sportplatz
  Treffen Sa 5.12. 10:00 am Sportplatz → Treffen | 12-05 | 10:00 | Sportplatz
  Skat um 18 Uhr am Freitag → Skat | 11-27 | 18:00
  Training Freitagabend 18 Uhr → Training | 11-27 | 18:00
  Training Freitag Abend 18 Uhr → Training | 11-27 | 18:00
  Training morgen früh um 8 → Training | 11-23 | 08:00
  Putzaktion im März Sa 9 Uhr → Putzaktion im März | 11-28 | 09:00
  Training im Vereinsheim Di 19:00 → Training | 11-24 | 19:00 | Vereinsheim
  Kaffee heute 15 Uhr cafe muller → Kaffee | 11-22 | 15:00 | Café Müller
  Training heute → Training | 11-22
  Training morgen 18 Uhr → Training | 11-23 | 18:00
  Morgen Training → Training | 11-23
  Guten Morgen Frühstück Sa 9 Uhr → Guten Morgen Frühstück | 11-28 | 09:00
  Training übermorgen → Training | 11-24
  Training in 3 Tagen → Training | 11-25
  Training in einer Woche → Training | 11-29
  Spiel nächsten Samstag 15 Uhr → Spiel | 11-28 | 15:00
  Spiel am kommenden Sonntag → Spiel | 11-29
  Sommerfest Sa, 5.12. 14 Uhr → Sommerfest | 12-05 | 14:00
  Sommerfest 5.12.26 14:00 Festwiese → Sommerfest | 12-05 | 14:00 | Festwiese
  Sommerfest am 5. Dezember → Sommerfest | 12-05
  Sommerfest Samstag, den 5. Dezember 2026, 14 Uhr, Festwiese → Sommerfest | 12-05 | 14:00 | Festwiese
  Zeltlager 3.–5. Juli → Zeltlager | 2027-07-03
  Sa 14:00 Sommerfest → Sommerfest | 11-28 | 14:00
  Sommerfest Sa 14:00 mit Grillen → Sommerfest mit Grillen | 11-28 | 14:00
  Maifeier → Maifeier
  Maifeier 1. Mai → Maifeier | 2027-05-01
  Spiel 1 gegen 2 → Spiel 1 gegen 2
  Spiel 1 gegen 2 Sa 15:00 → Spiel 1 gegen 2 | 11-28 | 15:00
  Spiel Sa 15:00 gegen TSV Hausen → Spiel gegen TSV Hausen | 11-28 | 15:00
  1. FC Köln gegen TSV 1860 Sa 15:30 → 1. FC Köln gegen TSV 1860 | 11-28 | 15:30
  Gruppe 2 am Samstag → Gruppe 2 | 11-28
  Die 3 Musketiere Fr 20 Uhr → Die 3 Musketiere | 11-27 | 20:00
  Lauf so schnell es geht → Lauf so schnell es geht
  Samstag-Gruppe Mo 18 Uhr → Samstag-Gruppe | 11-23 | 18:00
  Training Di 19:00 abgesagt → Training | 11-24 | 19:00 | | | cancelled
  Training Di 19:00 fällt aus → Training | 11-24 | 19:00 | | | cancelled
  Entwurf: Sommerfest Sa 14 Uhr → Sommerfest | 11-28 | 14:00 | | | draft
  Meisterschaft Sa 10:00 Stadion, international → Meisterschaft | 11-28 | 10:00 | Stadion | international`;

const french = `
  Entraînement mardi 19h gymnase jean moulin → Entraînement | 11-24 | 19:00 | Gymnase Jean-Moulin
  Entraînement mardi 19h30 au gymnase → Entraînement | 11-24 | 19:30 | gymnase
  Entraînement mardi à 19 h à l’école → Entraînement | 11-24 | 19:00 | école
  Entraînement mar. 19h Gymnase → Entraînement | 11-24 | 19:00 | Gymnase
  Entraînement mardi de 19h à 21h → Entraînement | 11-24 | 19:00
  Entraînement mardi 24 19h → Entraînement | 11-24 | 19:00
  Entraînement aujourd’hui 18h → Entraînement | 11-22 | 18:00
  Entraînement demain → Entraînement | 11-23
  Entraînement après-demain → Entraînement | 11-24
  Entraînement dans 3 jours → Entraînement | 11-25
  Match samedi après-midi → Match après-midi | 11-28
  Match samedi prochain 15h → Match | 11-28 | 15:00
  Match le samedi 28 novembre à 15h → Match | 11-28 | 15:00
  Match 1er décembre → Match | 12-01
  Match 05/12/2026 15h00 Stade national → Match | 12-05 | 15:00 | Stade national
  Concert à La Rochelle samedi 20h → Concert | 11-28 | 20:00 | La Rochelle
  Stage du 3 au 5 juillet → Stage | 2027-07-03
  Jeu de piste samedi 14h → Jeu de piste | 11-28 | 14:00
  Apéritif dim 12h chez Paul → Apéritif | 11-22 | 12:00 | Paul
  Lotissement di 12h → Lotissement | 11-22 | 12:00
  Match samedi 15h annulé → Match | 11-28 | 15:00 | | | cancelled
  Match samedi 15h (brouillon) → Match | 11-28 | 15:00 | | | draft
  Après-midi jeux samedi 14h → Après-midi jeux | 11-28 | 14:00`;

const dutch = `
  Training dinsdag 19:00 sporthal de linde → Training | 11-24 | 19:00 | Sporthal De Linde (zaal 2)
  Training di 19.30 uur in de sporthal → Training | 11-24 | 19:30 | sporthal
  Training op dinsdag om 19 uur bij de Kantine → Training | 11-24 | 19:00 | Kantine
  Training woensdagavond 19:00 → Training | 11-25 | 19:00
  Training ma 19:00 → Training | 11-23 | 19:00
  Training di om 19 → Training | 11-24 | 19:00
  Training di van 19 tot 21 uur → Training | 11-24 | 19:00
  Training vandaag 18:00 → Training | 11-22 | 18:00
  Training morgen → Training | 11-23
  Training overmorgen → Training | 11-24
  Training over 3 dagen → Training | 11-25
  Wedstrijd volgende zaterdag 15:00 → Wedstrijd | 11-28 | 15:00
  Wedstrijd za 28-11 15:00 → Wedstrijd | 11-28 | 15:00
  Wedstrijd za 28 november 15 uur → Wedstrijd | 11-28 | 15:00
  Wedstrijd 5 december 2026 → Wedstrijd | 12-05
  Wedstrijd 5 mei → Wedstrijd | 2027-05-05
  Kamp 3 t/m 5 juli → Kamp | 2027-07-03
  Borrel vr 20u Kantine → Borrel | 11-27 | 20:00 | Kantine
  Zo snel mogelijk → Zo snel mogelijk
  Training di 19:00 afgelast → Training | 11-24 | 19:00 | | | cancelled
  Training di 19:00 op het veld → Training | 11-24 | 19:00 | veld`;

describe('a line of plain words', () => {
  it.each(cases(english))('in English: %s', (line, expected) => {
    expect(show(parse(line))).toBe(expected);
  });

  it.each(cases(names))('with a name that looks like a date or a place: %s', (line, expected) => {
    expect(show(parse(line))).toBe(expected);
  });

  it.each(cases(german))('in German: %s', (line, expected) => {
    expect(show(parse(line, 'de'))).toBe(expected);
  });

  it.each(cases(french))('in French: %s', (line, expected) => {
    expect(show(parse(line, 'fr'))).toBe(expected);
  });

  it.each(cases(dutch))('in Dutch: %s', (line, expected) => {
    expect(show(parse(line, 'nl'))).toBe(expected);
  });

  it('marks the recognised parts', () => {
    const marks = (line: string) =>
      parse(line).parts.map(({ field, start, end }) => `${field}: ${line.slice(start, end)}`);
    expect(marks('Training Tue 19:00 Sports hall')).toEqual([
      'name: Training',
      'date: Tue',
      'time: 19:00',
      'location: Sports hall',
    ]);
    expect(
      marks(' Café-Treff (draft), on Tuesday 24 November at 7pm - at the Café Müller'),
    ).toEqual([
      'name: Café-Treff',
      'status: draft',
      'date: on Tuesday 24 November',
      'time: at 7pm',
      'location: at the Café Müller',
    ]);
    expect(marks('Tue 19:00 Training, with tea')).toEqual([
      'date: Tue',
      'time: 19:00',
      'name: Training, with tea',
    ]);
  });

  it.each([
    ['en', 'Training every Tue except holidays 19:00 until 30 June', 'except holidays'],
    ['de', 'Training jeden Di 19:00 bis 30. Juni außer in den Ferien', 'außer in den Ferien'],
    ['fr', 'Entraînement tous les mardis 19h sauf vacances, 10 fois', 'sauf vacances'],
    ['nl', 'Training elke di 19:00 behalve vakanties tot 30 juni', 'behalve vakanties'],
  ] as const)('leaves out days off in %s: %s', (language, text, exception) => {
    const { name, parts, repetition, time } = parse(text, language);
    expect(name).toBe(text.split(' ')[0]);
    expect(time).toBe('19:00');
    expect(repetition?.exceptDaysOff).toBe(true);
    const [part] = parts.filter(({ field }) => field === 'except' || field === 'repeats').slice(-1);
    expect(text.slice(part?.start, part?.end)).toContain(exception);
  });

  it('takes a weekday for today until its time has passed', () => {
    const dayAt = (line: string, now: string | undefined) =>
      parsePlainWords(line, { today, now, language: 'en', places }).day;
    expect(dayAt('Training Sun 19:00', undefined)).toBe('2026-11-22');
    expect(dayAt('Training Sun 19:00', '18:59')).toBe('2026-11-22');
    expect(dayAt('Training Sun 19:00', '19:00')).toBe('2026-11-29');
    expect(dayAt('Training Sun', '19:00')).toBe('2026-11-22');
    expect(dayAt('Training today 19:00', '20:00')).toBe('2026-11-22');
    expect(dayAt('Training on Sunday 19:00', '20:00')).toBe('2026-11-29');
    expect(dayAt('Training Sun 22 November 19:00', '20:00')).toBe('2026-11-22');
    expect(dayAt('Training Sun 22 19:00', '20:00')).toBe('2026-11-22');
  });

  it('prefers the place that the club uses most', () => {
    const line = 'Training Tue 19:00 Sports hall';
    const place = (known: readonly string[]) =>
      parsePlainWords(line, { today, language: 'en', places: known }).location;
    expect(place(['Sports hall, North', 'Sports hall, Mill Lane'])).toBe('Sports hall, North');
    expect(place(['Sports hall, North', 'SPORTS HALL'])).toBe('SPORTS HALL');
    expect(place([])).toBe('Sports hall');
  });
});

/** Words, numbers and signs that mean something to the parser, and others. */
const pieces = [
  ...'Training Monday Club Tue di so am at in um le the next 3 24 19:00 19 . , - – ( ) @ 14 March'.split(
    ' ',
  ),
  ...'1. Mai 2026 28/11 18h30 bis to und 9-11 uhr demain à draft abgesagt national é ’ 🎉 İ'.split(
    ' ',
  ),
  ...['day after', 'Sports hall', '\u0301', '\u00ad', '\ud800', '\t', 'ᵉʳ', '5.4 km'],
];
const anyLine = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((list) => list.join(' ')),
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const anyLanguage = fc.constantFrom<Language>('en', 'de', 'fr', 'nl');

/** Parts of a line and their meaning, by language. */
const phrases = {
  en: {
    days: {
      Tue: '2026-11-24',
      'on Friday': '2026-11-27',
      'Sat 5 Dec': '2026-12-05',
      tomorrow: '2026-11-23',
    },
    times: { '19:00': '19:00', 'at 7.30 pm': '19:30', '10:15-12:00': '10:15' },
    places: {
      'Sports hall': 'Sports hall, Mill Lane',
      'at the Old barn': 'Old barn',
      Riverside: 'Riverside',
    },
    names: [
      'Training',
      'Monday Club',
      'March for charity',
      'Rovers v Town',
      'Race 4',
      'Quiz, part 2',
    ],
  },
  de: {
    days: {
      Di: '2026-11-24',
      'am Freitag': '2026-11-27',
      '5.12.': '2026-12-05',
      'Sa., 5. Dezember 2026': '2026-12-05',
    },
    times: { '19 Uhr': '19:00', 'um 19:30': '19:30', '10-12 Uhr': '10:00' },
    places: {
      'turnhalle nord': 'Turnhalle Nord',
      'in der Alten Schule': 'Alten Schule',
      Festwiese: 'Festwiese',
    },
    names: ['Training', 'Maifeier', 'Spiel 1 gegen 2', '1. FC Adler – TSV', 'Tag der offenen Tür'],
  },
  fr: {
    days: {
      mardi: '2026-11-24',
      'vendredi prochain': '2026-11-27',
      '5 décembre': '2026-12-05',
      'le 5/12/2026': '2026-12-05',
    },
    times: { '19h': '19:00', 'à 19h30': '19:30', 'de 10h à 12h': '10:00' },
    places: { 'gymnase jean moulin': 'Gymnase Jean-Moulin', 'au stade': 'stade', Mairie: 'Mairie' },
    names: ['Entraînement', 'Jeu de piste', 'Fête du 14 juillet', 'Loto'],
  },
  nl: {
    days: {
      di: '2026-11-24',
      'op vrijdag': '2026-11-27',
      '5 december': '2026-12-05',
      'za 5-12': '2026-12-05',
    },
    times: { '19:00': '19:00', 'om 19.30 uur': '19:30', '10-12 uur': '10:00' },
    places: {
      'sporthal de linde': 'Sporthal De Linde (zaal 2)',
      'bij de kantine': 'kantine',
      Buurthuis: 'Buurthuis',
    },
    names: ['Training', 'Wandeling', 'Oranje tegen blauw', 'Jaarvergadering'],
  },
} satisfies Record<Language, unknown>;

const builtLine = anyLanguage.chain((language) => {
  const { days, times, places: locations, names: titles } = phrases[language];
  return fc.record({
    language: fc.constant(language),
    name: fc.constantFrom(...titles),
    day: fc.constantFrom(...Object.entries(days)),
    time: fc.constantFrom(...Object.entries(times)),
    place: fc.constantFrom(...Object.entries(locations)),
    separator: fc.constantFrom(' ', ', ', '  '),
  });
});

/** Characters that may lie between the parts of a line. */
const separators = /^[\s,;:|.()[\]"–—-]*$/;

describe('any line', () => {
  it('built of a name, a day, a time and a place is read back', () => {
    fc.assert(
      fc.property(builtLine, ({ language, name, day, time, place, separator }) => {
        const line = [name, day[0], time[0], place[0]].join(separator);
        const { parts, end, isDayUnclear, unread, ...read } = parse(line, language);
        expect(read).toEqual({
          name,
          day: day[1],
          time: time[1],
          location: place[1],
          eventType: undefined,
          status: undefined,
        });
        expect(isDayUnclear).toBe(false);
        const fields = ['name', 'date', 'time', ...(end ? ['ends'] : []), 'location'];
        expect(parts.map(({ field }) => field)).toEqual(fields);
      }),
      { numRuns: choose(2000, 300) },
    );
  });

  it('loses no character, and its parts are in order and do not overlap', () => {
    fc.assert(
      fc.property(anyLine, anyLanguage, (line, language) => {
        const { name, day, time, location, parts } = parse(line, language);
        let end = 0;
        for (const part of [...parts, { start: line.length, end: line.length }]) {
          expect(part.start).toBeGreaterThanOrEqual(end);
          expect(line.slice(end, part.start)).toMatch(separators);
          end = part.end;
        }
        expect(end).toBe(line.length);
        const written = parts.filter(({ field }) => field === 'name');
        expect(name).toBe(written.map((part) => line.slice(part.start, part.end)).join(' '));
        expect(parts.every((part) => part.end > part.start)).toBe(true);
        if (day !== undefined) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
        if (time !== undefined) expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
        expect(location).not.toBe('');
      }),
      { numRuns: choose(2000, 300) },
    );
  });
});

describe('a spoken day', () => {
  const spoken: Readonly<Record<Language, string>> = {
    en: `
      14 March → 2027-03-14
      March 14 → 2027-03-14
      next Saturday → 2026-11-28
      saturday → 2026-11-28
      Sunday → 2026-11-22
      next sunday → 2026-11-29
      today → 2026-11-22
      in 2 weeks → 2026-12-06
      next week → 2026-11-29
      next month → 2026-12-01
      March → 2027-03-01
      November → 2026-11-01
      March 2028 → 2028-03-01
      the 14th → 2026-12-14
      22 → 2026-11-22
      14/3 → 2027-03-14
      3/14/2027 → 2027-03-14
      2027-03-14 → 2027-03-14
      last December → 2025-12-01
      last Friday → 2026-11-20
      last week → 2026-11-15
      yesterday → 2026-11-21
      Boxing Day → 2026-12-26
      Easter Monday 2028 → 2028-04-17
      Easter Monday 2030 → 2030-04-22
      Easter Monday 2025 → 2025-04-21
      2026-02-30 →
      2026-13-45 →
      0000-01-01 →
      31 November →
      Training →
      Saturday club →
      0 →
      →`,
    de: `
      14. März → 2027-03-14
      14.3. → 2027-03-14
      nächsten Samstag → 2026-11-28
      Di → 2026-11-24
      übermorgen → 2026-11-24
      nächste Woche → 2026-11-29
      letzten Dezember → 2025-12-01
      letzter Freitag → 2026-11-20
      Ostermontag → 2027-03-29
      Ostermontag 2028 → 2028-04-17
      1. Advent 2027 → 2027-11-28
      am 14. → 2026-12-14`,
    fr: `
      14 mars → 2027-03-14
      le 1er mai → 2027-05-01
      samedi prochain → 2026-11-28
      di → 2026-11-22
      ma → 2026-11-24
      la semaine prochaine → 2026-11-29
      semaine prochaine → 2026-11-29
      décembre dernier → 2025-12-01
      l’année dernière → 2025-11-01
      hier → 2026-11-21
      demain → 2026-11-23`,
    nl: `
      14 maart → 2027-03-14
      volgende zaterdag → 2026-11-28
      ma → 2026-11-23
      overmorgen → 2026-11-24
      vorige december → 2025-12-01
      gisteren → 2026-11-21
      volgende maand → 2026-12-01`,
  };
  const all = (Object.entries(spoken) as [Language, string][]).flatMap(([language, table]) =>
    cases(table).map(([text, expected]) => [language, text, expected] as const),
  );

  it.each(all)('is found in %s: %s', (language, text, expected) => {
    expect(parseSpokenDay(text, { today, language }) ?? '').toBe(expected);
  });

  it('is a day that exists, or none, for any text', () => {
    fc.assert(
      fc.property(anyLine, anyLanguage, (text, language) => {
        const day = parseSpokenDay(text, { today, language });
        if (day !== undefined) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
      }),
    );
  });
});

/** Reads a line on 25 November 2026 for a club with holidays. */
const readWith = (language: Language, line: string) =>
  parsePlainWords(line, {
    today: '2026-11-25',
    now: '10:00',
    language,
    places: ['Sports hall', 'Gymnase', 'Clubhuis', 'Turnhalle'],
    holidays: [{ first: '2027-07-28', last: '2027-09-10', name: 'Sommerferien 2027' }],
  });

describe('two digits behind a date', () => {
  it.each([
    ['de', 'Fest 5.12. 50 Jahre Chor', '2026-12-05', 'Fest 50 Jahre Chor'],
    ['de', 'Lauf 5.12. 10 km', '2026-12-05', 'Lauf 10 km'],
    ['de', 'Treffen 5.12. 27 Personen', '2026-12-05', 'Treffen 27 Personen'],
    ['de', 'Mitternachtsmesse 24.12. 24 Uhr', '2026-12-24', 'Mitternachtsmesse 24 Uhr'],
    ['en', 'Concert 5 Dec 24 musicians', '2026-12-05', 'Concert 24 musicians'],
    ['fr', 'Fête 5 déc. 30 ans du club', '2026-12-05', 'Fête 30 ans du club'],
    ['nl', 'Feest 5 dec 40 jaar club', '2026-12-05', 'Feest 40 jaar club'],
    ['de', 'Fest 5.12. 50', '2026-12-05', 'Fest 50'],
  ] as const)('are no year in %s: %s', (language, line, day, name) => {
    expect(readWith(language, line)).toMatchObject({ day, name, location: undefined });
  });

  it.each([
    ['de', 'Fest 5.12.27 Halle', '2027-12-05'],
    ['de', 'Fest 5. Dezember ’27 Halle', '2027-12-05'],
    ['en', 'Concert 5 Dec 27', '2027-12-05'],
    ['fr', 'Fête 5/12/27 gymnase', '2027-12-05'],
    ['nl', 'Feest 5-12-27', '2027-12-05'],
  ] as const)('are its year in %s: %s', (language, line, day) => {
    expect(readWith(language, line)).toMatchObject({ day, name: line.split(' ')[0] });
  });
});

describe('a part of the day without a time', () => {
  it.each([
    ['de', 'Arbeitsdienst Sa vormittag', '2026-11-28', 'Arbeitsdienst vormittag'],
    ['de', 'Grillen Freitag Nachmittag', '2026-11-27', 'Grillen Nachmittag'],
    ['de', 'Training heute Abend', '2026-11-25', 'Training Abend'],
    ['de', 'Training Freitagabend', '2026-11-27', 'Training Freitagabend'],
    ['en', 'Clean-up Sat morning', '2026-11-28', 'Clean-up morning'],
    ['en', 'Training tonight', '2026-11-25', 'Training tonight'],
    ['fr', 'Nettoyage samedi matin', '2026-11-28', 'Nettoyage matin'],
    ['fr', 'Nettoyage ce soir', '2026-11-25', 'Nettoyage ce soir'],
    ['nl', 'Schoonmaak zaterdagochtend', '2026-11-28', 'Schoonmaak zaterdagochtend'],
  ] as const)('stays in the name in %s: %s', (language, line, day, name) => {
    expect(readWith(language, line)).toMatchObject({ day, name, time: undefined });
  });

  it('does not become the place', () => {
    const { name, location } = readWith('en', 'Training Mon evening Hall');
    expect([name, location]).toEqual(['Training evening', 'Hall']);
  });
});

describe('a repetition with words of time that are not understood', () => {
  it.each([
    ['en', 'Bingo every Thursday in January 14:00', 'in January'],
    ['de', 'Bingo jeden Mittwoch im Januar 14 Uhr', 'im Januar'],
    ['fr', 'Loto tous les lundis de janvier 14h', 'de janvier'],
    ['nl', 'Bingo elke donderdag in januari 14u', 'in januari'],
    ['en', 'Swim daily 7am from 1 to 4 February', 'from 1'],
    ['de', 'Schwimmen täglich 7 Uhr vom 1. bis 5. Februar', 'vom 1.'],
    ['fr', 'Piscine tous les jours 7h du 1er au 4 février', 'du 1er'],
    ['de', 'Übung jeden 1. und 3. Montag im Monat 18 Uhr', 'jeden 1.'],
    ['de', 'Übung jeden 1. Mittwoch im Quartal 18 Uhr', 'im Quartal'],
    ['de', 'Training jeden Di 19 Uhr bis zu den Osterferien', 'bis zu den'],
    ['en', 'Nets every Tue 18:00 until the new hall is open', 'until the new'],
    ['en', 'Yoga every weekend Sat 10:00', 'every weekend'],
  ] as const)('is asked about in %s: %s', (language, line, unread) => {
    const read = readWith(language, line);
    expect(read).toMatchObject({ day: undefined, repetition: undefined, isDayUnclear: true });
    expect(read.unread).toContain(unread);
    // Only the time is taken; the rest of the sentence stays visible.
    const visible = read.parts.filter(({ field }) => field !== 'time');
    expect(visible.map(({ field }) => field)).toEqual(visible.map(() => 'name'));
  });

  it.each([
    ['en', 'Training every Tue 19:00 for U13 until Easter', 'Training for U13'],
    ['de', 'Kaffee und Kuchen jeden Sonntag 15 Uhr bis Ende Juni', 'Kaffee und Kuchen'],
    ['de', 'Chor (50 Jahre) jeden Montag 18 Uhr bis zu den Sommerferien', 'Chor (50 Jahre)'],
    ['en', 'March for charity every Monday 19:00 until June', 'March for charity'],
    ['fr', 'Jeu de piste tous les samedis 14h jusqu’à fin juin', 'Jeu de piste'],
    ['nl', 'Training elke dinsdagavond 20u tot eind juni', 'Training'],
  ] as const)('takes no word of a name for one in %s: %s', (language, line, name) => {
    const read = readWith(language, line);
    expect(read.repetition).toBeDefined();
    expect(read.name).toBe(name);
  });

  it('keeps the time of the evening that a weekday names', () => {
    const { day, time } = readWith('de', 'Probe jeden Dienstagabend 8 Uhr bis Ostern');
    expect([day, time]).toEqual(['2026-12-01', '20:00']);
    expect(readWith('de', 'Probe jeden Dienstagabend bis Ostern').repetition).toBeUndefined();
  });
});

describe('a known place in small letters', () => {
  it.each([
    ['en', 'Training sports hall Tue 19:00', 'Training', 'Sports hall'],
    ['en', 'Training Tue 19:00 sports hall, bring shoes', 'Training bring shoes', 'Sports hall'],
    ['en', 'Training sports hall every Tue 19:00 until June', 'Training', 'Sports hall'],
    ['fr', 'Entraînement gymnase mardi 19h', 'Entraînement', 'Gymnase'],
    ['nl', 'Borrel clubhuis vr 20u', 'Borrel', 'Clubhuis'],
    ['de', 'Training Turnhalle jeden Di 19 Uhr bis Ostern', 'Training', 'Turnhalle'],
  ] as const)('is the place in %s: %s', (language, line, name, location) => {
    expect(readWith(language, line)).toMatchObject({ name, location });
  });

  it('is part of a name that goes on, and no opponent', () => {
    expect(readWith('en', 'Sports hall cleaning Sat 10:00').location).toBeUndefined();
    expect(readWith('nl', 'Rood tegen clubhuis za 14u').location).toBeUndefined();
  });
});

describe('a line with a rare word', () => {
  it.each([
    ['en', 'Fair Fri 30 February', 'Fair Fri 30 February |  |  |  | '],
    ['en', 'Meeting moved from 3 Dec to 10 Dec', 'Meeting moved from 3 Dec to 10 Dec |  |  |  | '],
    [
      'fr',
      'Réunion reportée du 3 au 10 décembre',
      'Réunion reportée du 3 au 10 décembre |  |  |  | ',
    ],
    ['en', 'U11s v Lions Sat 28th KO 10.30', 'U11s v Lions | 2026-11-28 | 10:30 |  | '],
    ['en', 'Match Sat KO 3pm', 'Match | 2026-11-28 | 15:00 |  | '],
    [
      'de',
      'Turnier 5.12. 9 Uhr bis 6.12. 17 Uhr',
      'Turnier | 2026-12-05 | 09:00 | 2026-12-06 17:00 | ',
    ],
    ['de', 'Treffen am Sonnabend 10 Uhr', 'Treffen | 2026-11-28 | 10:00 |  | '],
    ['fr', 'Fête 21 juin 18h-minuit', 'Fête | 2027-06-21 | 18:00 | 00:00 | '],
    ['de', 'Skat heute Abend um 7', 'Skat | 2026-11-25 | 19:00 |  | '],
    ['fr', 'Belote le 1er vendredi du mois 20h', 'Belote | 2026-12-04 | 20:00 |  | '],
    ['de', 'Stammtisch am 1. Freitag im Monat 19 Uhr', 'Stammtisch | 2026-12-04 | 19:00 |  | '],
    ['fr', 'Permanence les mardis 18h', 'Permanence | 2026-12-01 | 18:00 |  | '],
    ['nl', "Kerststukjes maken 's woensdags 19u", 'Kerststukjes maken | 2026-11-25 | 19:00 |  | '],
    ['fr', 'Bureau tous les premiers lundis du mois 18h', 'Bureau | 2026-12-07 | 18:00 |  | '],
    [
      'nl',
      'Bridge om de twee weken op maandag vanaf 11 januari 18u',
      'Bridge | 2027-01-11 | 18:00 |  | ',
    ],
    ['en', 'Nets Tue 18:15 U15 v Ashford', 'Nets U15 v Ashford | 2026-12-01 | 18:15 |  | '],
  ] as const)('in %s: %s', (language, line, expected) => {
    const { name, day = '', time = '', end, location = '' } = readWith(language, line);
    const until = [end?.day, end?.time].filter(Boolean).join(' ');
    expect([name, day, time, until, location].join(' | ')).toBe(expected);
  });
});
