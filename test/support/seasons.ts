import type { EventDraft } from '../../db/model.ts';
import { addDays, type Day, noonOf } from '../../server/dates/days.ts';
import { zoneNamed } from '../../server/dates/zone.ts';

/** A weekly series: its weekdays from 0 for Sunday, its times, and its place. */
type Weekly = readonly [
  name: string,
  weekdays: readonly number[],
  times: string,
  place: string,
  span?: readonly [first: Day, last: Day],
];

/** A written season of a club: what its secretary would have in the list in June. */
export type WrittenSeason = {
  readonly name: string;
  readonly weekly: readonly Weekly[];
  /** The first or another weekday of months: name, number of the week, weekday, times, place. */
  readonly monthly: readonly (readonly [string, number, number, string, string])[];
  /** Events of their own: name, day and time, place, and the line of their end. */
  readonly single: readonly (readonly [string, string, string, string?])[];
  /** Opponents of matches on Saturdays, and the hall or ground. */
  readonly matches: readonly [us: string, opponents: readonly string[], place: string] | undefined;
  /** Events of the next season that are in the list already. */
  readonly coming: readonly (readonly [string, string, string, string?])[];
};

/** The holidays of both seasons, as the calendar of a school authority names them. */
export const holidays: readonly {
  readonly first: Day;
  readonly last: Day;
  readonly name: string;
}[] = [
  { first: '2026-10-05', last: '2026-10-17', name: 'Herbstferien' },
  { first: '2026-12-21', last: '2027-01-02', name: 'Weihnachtsferien' },
  { first: '2027-03-22', last: '2027-04-03', name: 'Osterferien' },
  { first: '2027-05-06', last: '2027-05-07', name: 'Himmelfahrt' },
  { first: '2027-10-11', last: '2027-10-23', name: 'Herbstferien' },
  { first: '2027-12-22', last: '2028-01-05', name: 'Weihnachtsferien' },
  { first: '2028-04-10', last: '2028-04-22', name: 'Osterferien' },
  { first: '2028-05-25', last: '2028-05-26', name: 'Himmelfahrt' },
];

/** The first and the last day of the written seasons, and a day of the June in which they end. */
export const season = { first: '2026-07-01', last: '2027-06-30', today: '2027-06-10' } as const;

const isHoliday = (day: Day) => holidays.some(({ first, last }) => first <= day && day <= last);
const weekdayOf = (day: Day) => noonOf(day).getUTCDay();

export const seasonZone = 'Europe/Berlin';

/** Returns the events of a season with ids; trainings take place neither in holidays nor in July. */
export function writeSeason(written: WrittenSeason): readonly EventDraft[] {
  const clock = zoneNamed(seasonZone);
  const events: EventDraft[] = [];
  const add = (name: string, day: Day, times: string, location: string, note?: string) => {
    const [time = '', end = ''] = times.split('-');
    const date = new Date(clock.instantOf({ day, time })).toISOString();
    const description = note ?? (end === '' ? null : `Bis ${end} Uhr`);
    const createdAt = '2026-06-01T08:00:00.000Z';
    const id = events.length + 1;
    const rest = { location, description, status: 'active', eventType: 'club', createdAt } as const;
    events.push({ id, name, date, ...rest });
  };
  const days = Array.from({ length: 365 }, (_, at) => addDays(season.first, at));
  for (const [
    name,
    weekdays,
    times,
    place,
    span = ['2026-09-01', '2027-06-24'],
  ] of written.weekly) {
    for (const day of days) {
      const isIn = day >= (span[0] ?? '') && day <= (span[1] ?? '');
      if (isIn && weekdays.includes(weekdayOf(day)) && !isHoliday(day))
        add(name, day, times, place);
    }
  }
  for (const [name, week, weekday, times, place] of written.monthly) {
    for (const day of days) {
      const nth = Math.ceil(Number(day.slice(8)) / 7);
      if (nth === week && weekdayOf(day) === weekday && day >= '2026-09' && !isHoliday(day)) {
        add(name, day, times, place);
      }
    }
  }
  const [us = '', opponents = [], ground = ''] = written.matches ?? [];
  const saturdays = days.filter(
    (day) => weekdayOf(day) === 6 && !isHoliday(day) && day > '2026-09',
  );
  opponents.forEach((opponent, at) => {
    const [home, away] = [saturdays[at * 2], saturdays[at * 2 + 1]];
    if (home !== undefined) add(`${us} – ${opponent}`, home, '15:00-17:00', ground);
    if (away !== undefined) add(`${opponent} – ${us}`, away, '14:00', opponent);
  });
  for (const [name, when, place, note] of [...written.single, ...written.coming]) {
    const [day = '', times = ''] = when.split(' ');
    add(name, day, times, place, note);
  }
  return events;
}

const opponents = [
  'SV Moorfeld',
  'TuS Alsum',
  'FC Nordheim',
  'SG Ostheide',
  'VfL Brake',
  'TSV Lehe',
];

/** Ten clubs with about 120 events each. */
export const writtenSeasons: readonly WrittenSeason[] = [
  {
    name: 'FC Hafen',
    weekly: [
      ['Training U15', [2, 4], '18:30-20:00', 'Sportplatz am Deich'],
      ['Alte Herren', [5], '19:30-21:00', 'Sportplatz am Deich'],
    ],
    monthly: [['Vorstandssitzung', 1, 1, '19:30', 'Vereinsheim']],
    single: [
      ['Sommerfest', '2026-08-29 14:00', 'Sportplatz am Deich'],
      ['Hallenturnier', '2026-12-19 10:00-17:00', 'Sporthalle Mühlweg'],
      ['Jahreshauptversammlung', '2027-01-29 19:00', 'Vereinsheim'],
      ['Trainingslager', '2027-05-14', 'Sportschule Wedau', 'Bis So 16. Mai'],
      ['Fotoabend', '2026-11-12 19:00', 'Vereinsheim'],
    ],
    matches: ['FC Hafen', opponents, 'Sportplatz am Deich'],
    coming: [
      ['Blutspende', '2027-09-09 16:00-20:00', 'Sportplatz am Deich'],
      ['Flohmarkt', '2028-02-17 17:00-20:00', 'Sportplatz am Deich'],
    ],
  },
  {
    name: 'HSG Küste',
    weekly: [
      ['Training Damen 1', [1, 3], '20:00-21:30', 'Sporthalle Nord'],
      ['Minihandball', [6], '09:30-10:30', 'Sporthalle Nord', ['2026-09-05', '2027-03-20']],
    ],
    monthly: [['Schiedsrichtertreff', 2, 4, '19:00', 'Klause']],
    single: [
      ['Saisoneröffnung', '2026-09-12 15:00', 'Sporthalle Nord'],
      ['Weihnachtsfeier', '2026-12-12 18:00', 'Klause'],
      ['Beach-Turnier', '2027-06-19 10:00', 'Strandbad', 'Bis So 20. Juni'],
    ],
    matches: ['HSG Küste', opponents, 'Sporthalle Nord'],
    coming: [['Hallenwartung', '2027-11-08 18:00-22:00', 'Sporthalle Nord']],
  },
  {
    name: 'Chorgemeinschaft',
    weekly: [
      ['Probe', [4], '19:30-21:30', 'Gemeindesaal'],
      ['Stimmbildung', [2], '18:00-19:00', 'Gemeindesaal'],
      ['Kinderchor', [3], '16:00-17:00', 'Gemeindesaal'],
    ],
    monthly: [['Singen im Altenheim', 3, 6, '15:00', 'Haus am Park']],
    single: [
      ['Weihnachtskonzert', '2026-12-13 17:00-19:00', 'Stadtkirche'],
      ['Probenwochenende', '2027-02-26 18:00', 'Jugendherberge', 'Bis So 28. Februar'],
      ['Sommerkonzert', '2027-06-20 17:00', 'Stadtpark'],
    ],
    matches: undefined,
    coming: [
      ['Basar', '2027-11-25 15:00-22:00', 'Gemeindesaal'],
      ['Gemeindeversammlung', '2028-03-09 18:00-21:00', 'Gemeindesaal'],
    ],
  },
  {
    name: 'Schachclub',
    weekly: [
      ['Spielabend', [5], '19:00', 'Bürgerhaus'],
      ['Jugendtraining', [2, 4], '17:00-18:30', 'Bürgerhaus'],
    ],
    monthly: [['Blitzturnier', 1, 5, '20:00', 'Bürgerhaus']],
    single: [
      ['Vereinsmeisterschaft, Runde 1', '2026-09-16 19:00', 'Bürgerhaus'],
      ['Vereinsmeisterschaft, Runde 2', '2026-10-21 19:00', 'Bürgerhaus'],
      ['Vereinsmeisterschaft, Runde 3', '2026-11-18 19:00', 'Bürgerhaus'],
      ['Jubiläumsopen', '2027-04-30 18:00', 'Stadthalle', 'Bis So 2. Mai'],
    ],
    matches: ['Schachclub', opponents.slice(0, 4), 'Bürgerhaus'],
    coming: [['Wahl', '2027-09-24 08:00-23:00', 'Bürgerhaus']],
  },
  {
    name: 'Turnverein',
    weekly: [
      ['Gymnastik', [1], '19:00-20:00', 'Turnhalle'],
      ['Yoga', [1], '20:00-21:00', 'Turnhalle'],
      ['Eltern-Kind-Turnen', [3], '16:00-17:00', 'Turnhalle'],
      ['Rückenfit', [5], '09:00-10:00', 'Turnhalle', ['2026-09-04', '2027-03-19']],
    ],
    monthly: [],
    single: [
      ['Sportabzeichen', '2026-09-19 10:00', 'Stadion'],
      ['Nikolausturnen', '2026-12-05 14:00', 'Turnhalle'],
    ],
    matches: undefined,
    coming: [
      ['Blutspende', '2027-10-04 17:00-20:30', 'Turnhalle'],
      ['Blutspende', '2028-03-13 17:00-20:30', 'Turnhalle'],
    ],
  },
  {
    name: 'Tanzclub',
    weekly: [
      ['Standard', [2], '19:30-21:00', 'Saal 1'],
      ['Latein', [4], '19:30-21:00', 'Saal 1'],
      ['Kindertanz', [5], '15:30-16:30', 'Saal 2'],
    ],
    monthly: [['Tanzcafé', 2, 0, '15:00-18:00', 'Saal 1']],
    single: [
      ['Herbstball', '2026-11-07 19:00-23:30', 'Stadthalle'],
      ['Silvesterball', '2026-12-31 20:00', 'Stadthalle'],
    ],
    matches: undefined,
    coming: [['Turnier', '2027-11-30 18:00-23:00', 'Saal 1']],
  },
  {
    name: 'Tennisclub',
    weekly: [
      ['Mannschaftstraining', [1, 4], '18:00-20:00', 'Platz 1-3'],
      ['Jugendtraining', [2], '15:00-17:00', 'Platz 1-3'],
      ['Damenrunde', [3], '10:00-12:00', 'Tennishalle'],
    ],
    monthly: [],
    single: [
      ['Saisoneröffnung', '2027-04-24 11:00', 'Platz 1-3'],
      ['Arbeitsdienst', '2027-04-10 09:00', 'Platz 1-3'],
      ['Arbeitsdienst', '2026-10-24 09:00', 'Platz 1-3'],
    ],
    matches: ['TC Hafen', opponents.slice(0, 3), 'Platz 1-3'],
    coming: [['Hallensanierung', '2027-11-15', 'Tennishalle', 'Bis Fr 26. November']],
  },
  {
    name: 'Pfadfinder',
    weekly: [
      ['Wölflinge', [3], '16:30-18:00', 'Stammesheim'],
      ['Jungpfadfinder', [3], '18:00-19:30', 'Stammesheim'],
      ['Rover', [5], '19:00', 'Stammesheim'],
    ],
    monthly: [['Leiterrunde', 1, 1, '20:00', 'Stammesheim']],
    single: [
      ['Pfingstlager', '2027-05-15', 'Zeltplatz Heide', 'Bis Mo 17. Mai'],
      ['Friedenslicht', '2026-12-13 16:00', 'Stadtkirche'],
      ['Sommerlager', '2026-07-18', 'Westernohe', 'Bis Sa 1. August'],
    ],
    matches: undefined,
    coming: [['Vermietung', '2027-10-06 15:00-22:00', 'Stammesheim']],
  },
  {
    name: 'Feuerwehr',
    weekly: [
      ['Übungsdienst', [2], '19:30-21:30', 'Gerätehaus'],
      ['Jugendfeuerwehr', [4], '18:00-19:30', 'Gerätehaus'],
      ['Kinderfeuerwehr', [6], '10:00-11:30', 'Gerätehaus', ['2026-09-05', '2027-06-19']],
    ],
    monthly: [['Atemschutz', 2, 3, '19:00', 'Gerätehaus']],
    single: [
      ['Osterfeuer', '2027-03-27 18:00', 'Festwiese'],
      ['Tag der offenen Tür', '2026-09-20 11:00-17:00', 'Gerätehaus'],
      ['Ausflug', '2027-06-04', 'Hamburg', 'Bis So 6. Juni'],
    ],
    matches: undefined,
    coming: [
      ['Prüfung', '2027-09-28 18:00-22:00', 'Gerätehaus'],
      ['Wahl', '2028-03-05 08:00-18:00', 'Gerätehaus'],
    ],
  },
  {
    name: 'Musikschule',
    weekly: [
      ['Blockflöte', [1], '15:00-15:45', 'Raum 1'],
      ['Orchester', [3], '18:00-20:00', 'Aula'],
      ['Big Band', [5], '19:00-21:00', 'Aula'],
    ],
    monthly: [['Vorspiel', 4, 2, '18:00', 'Aula']],
    single: [
      ['Adventskonzert', '2026-12-06 16:00', 'Stadtkirche'],
      ['Orchesterfahrt', '2027-06-11', 'Prag', 'Bis So 13. Juni'],
      ['Tag der Musik', '2027-06-19 11:00', 'Marktplatz'],
    ],
    matches: undefined,
    coming: [
      ['Elternabend', '2027-10-01 19:30-21:00', 'Aula'],
      ['Abschlussfeier', '2028-06-14 17:00-22:00', 'Aula'],
    ],
  },
];
