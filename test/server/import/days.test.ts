import { describe, expect, it } from 'vitest';
import { planSeries } from '../../../server/club/series.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { makeOds, makeXlsx, type TestCell, tableXml } from '../../support/workbook.ts';
import { setUpInWords } from './set-up.ts';

const { dayOf, timeOf, isDayStart } = zoneNamed('Europe/Berlin');

/** Imports a file; returns its events as `day time name | note`, and the messages about it. */
async function importFile(content: string | Uint8Array, name = 'plan.csv', more = {}) {
  const { run, stored } = setUpInWords();
  const { files } = await run({ [name]: content }, { language: 'de', ...more });
  const events = stored().map(({ date, name: title, description }) => {
    const time = isDayStart(date) ? '' : ` ${timeOf(date)}`;
    return `${dayOf(date)}${time} ${title}${description === null ? '' : ` | ${description}`}`;
  });
  return { events, notes: files.flatMap(({ notes }) => notes), ignored: files[0]?.ignored };
}

const importRows = (...lines: readonly string[]) => importFile(lines.join('\n'));

const refusal = async (...lines: readonly string[]) =>
  importRows(...lines).then(
    ({ events }) => `imported: ${events.join()}`,
    (error: unknown) => (error as Error).message,
  );

describe('a date cell of several days', () => {
  it.each([
    ['31.7.-2.8.2027', '2027-07-31 Lager | Bis Mo 2. August'],
    ['vom 2. bis 6. Januar 2027', '2027-01-02 Lager | Bis Mi 6. Januar'],
    ['du 2 au 6 janvier 2027', '2027-01-02 Lager | Bis Mi 6. Januar'],
    ['2 t/m 6 januari 2027', '2027-01-02 Lager | Bis Mi 6. Januar'],
    ['5-7 June 2027', '2027-06-05 Lager | Bis Mo 7. Juni'],
    ['10.-12.07.2027', '2027-07-10 Lager | Bis Mo 12. Juli'],
    ['12./13.06.2027', '2027-06-12 Lager | Bis So 13. Juni'],
    ['28.12.2026-3.1.2027', '2026-12-28 Lager | Bis So 3. Januar'],
    [
      'Fr 4.12.2026 18 Uhr - So 6.12.2026 11 Uhr',
      '2026-12-04 18:00 Lager | Bis So 6. Dezember, 11:00 Uhr',
    ],
    ['5.-6.12.2026 14-18 Uhr', '2026-12-05 14:00 Lager | Bis So 6. Dezember, 18:00 Uhr'],
  ])('keeps the end of a range: %s', async (cell, event) => {
    expect(await importRows('Datum;Was', `${cell};Lager`)).toMatchObject({
      events: [event],
      notes: [],
    });
  });

  it.each([
    ['28.12.2026;3.1.', '2026-12-28 Lager | Bis So 3. Januar'],
    ['28.12.2026;31.12.', '2026-12-28 Lager | Bis Do 31. Dezember'],
  ])('ends on the next such day if its end has no year: %s', async (cells, event) => {
    expect(await importRows('Von;Bis;Was', `${cells};Lager`)).toMatchObject({
      events: [event],
      notes: [],
    });
  });

  it('has no end that has no year and was before its start', async () => {
    const { events, notes } = await importRows('Von;Bis;Was', '28.12.2026;26.12.;Lager');
    expect(events).toEqual(['2026-12-28 Lager']);
    expect(notes).toEqual([
      '"Bis": "26.12." in row 2 was left out, as it is not a value of this field.',
    ]);
  });

  it.each([
    '5.12. u. 12.12.2026',
    '5.12. und 12.12.2026',
    '5./12./19. Dezember 2026',
    '5./12.12.2026',
  ])('names a list, of which the event has the first day: %s', async (cell) => {
    const { events, notes } = await importRows('Datum;Was', `${cell};Markt`);
    expect(events).toEqual(['2026-12-05 Markt']);
    expect(notes).toEqual([`Row 2 has several days: "${cell}". The event has the first one.`]);
  });

  it('names the days of a match, which takes place on one of them', async () => {
    const { events, notes } = await importRows('Datum;Heim;Gast', '5./6.12.2026;TV A;TV B');
    expect(events).toEqual(['2026-12-05 TV A – TV B']);
    expect(notes).toEqual(['Row 2 has several days: "5./6.12.2026". The event has the first one.']);
  });

  it.each([
    '13.03. - 12.03.2027',
    '13.03.-12.03.',
    '13.03. 19:00 - 12.03. 18:00',
    '13.03.2027 19:00 - 12.03.2027 18:00',
    '13 March - 12 March 2027',
  ])('is refused if its last day is before the first one: %s', async (cell) => {
    expect(await refusal('Plan 2027;', 'Datum;Was', `${cell};Lager`)).toContain(
      `row 3, "Datum" (date): "${cell}" was not understood as a date`,
    );
  });

  it('names a weekday that the last day does not have', async () => {
    const { notes } = await importRows('Datum;Was', 'Sa 5.12. - Mo 6.12.2026;Markt');
    expect(notes).toEqual([expect.stringContaining('the weekday does not fit the date')]);
  });
});

describe('the heading of a round', () => {
  it.each([
    ['1. Spieltag: 05./06.09.2026', '1. Spieltag', '05./06.09.2026'],
    ['1. Spieltag (5.-6.9.2026)', '1. Spieltag', '5.-6.9.2026'],
    ['1. Spieltag – 5. und 6. September 2026', '1. Spieltag', '5. und 6. September 2026'],
    ['Journée 1 : 5 et 6 septembre 2026', 'Journée 1', '5 et 6 septembre 2026'],
    ['Speelronde 1: 5 en 6 september 2026', 'Speelronde 1', '5 en 6 september 2026'],
  ])('gives its first day: %s', async (heading, label, days) => {
    const next = heading.replace(/(?<!\d)0?5(?!\d)/, '19').replace(/(?<!\d)0?6(?!\d)/, '20');
    const { events, notes } = await importRows(`${heading};`, 'TV A;TV B', `${next};`, 'TV B;TV A');
    expect(events).toEqual([
      `2026-09-05 TV A – TV B | ${label}`,
      `2026-09-19 TV B – TV A | ${label}`,
    ]);
    expect(notes.join()).toContain(`2 rows have several days: row 2: "${days}"`);
  });

  it('gives the day behind the number of the round, and no brackets without it', async () => {
    const { events } = await importRows(
      'Spieltag 1 - 05.09.2026;',
      'TV A;TV B',
      'Spieltag 2 (Sa 12.09.2026);',
      'TV B;TV A',
    );
    expect(events).toEqual([
      '2026-09-05 TV A – TV B | Spieltag 1',
      '2026-09-12 TV B – TV A | Spieltag 2',
    ]);
  });

  it.each([
    '2. Runde bis 20.09.2026',
    '2. Runde (spielbar bis 20.09.2026)',
    'Round 2 by 20 Sept 2026',
  ])('is no match day if it is a deadline: %s', async (deadline) => {
    const { events, notes } = await importRows(
      '1. Runde 05.09.2026;',
      'TV A;TV B',
      `${deadline};`,
      'TV B;TV C',
      '3. Runde 10.10.2026;',
      'TV C;TV A',
      'spielfrei:;TV B',
    );
    expect(events).toEqual([
      '2026-09-05 TV A – TV B | 1. Runde',
      '2026-10-10 TV C – TV A | 3. Runde',
    ]);
    expect(notes.join()).toContain('Rows 3, 7 have no event and were left out');
    expect(notes).toContain('Row 4 has no date and was left out: "TV B – TV C".');
  });

  it('is refused with the reason if all are deadlines', async () => {
    const rounds = [
      '1. Runde (spielbar bis 20.09.2026);',
      'A;B',
      '2. Runde (spielbar bis 20.10.2026);',
    ];
    expect(await refusal(...rounds, 'B;C')).toContain(
      'the dates are the last days on which the matches may be played; write the day of each match into a column Date',
    );
  });

  it('stands above times, teams and results', async () => {
    const { events } = await importRows(
      '1. Spieltag (Sa 05.09.2026);;;',
      '10:00;TV A;TV B;3:1',
      '12:00;TV C;TV D;2:2',
      '2. Spieltag (Sa 12.09.2026);;;',
      '10:00;TV B;TV C;1:1',
      '11:00;TV D;TV A;0:1',
    );
    expect(events[0]).toBe('2026-09-05 10:00 TV A – TV B | 1. Spieltag');
    expect(events[3]).toBe('2026-09-12 11:00 TV D – TV A | 2. Spieltag');
  });

  it('stands above events on one of its days', async () => {
    const { events, notes } = await importRows(
      '05.-06.09.2026;;',
      '10:00;Turnier;Platz',
      '12:00;Finale;Platz',
      '12.-13.09.2026;;',
      '10:00;Pokal;Halle',
      '11:00;Endspiel;Halle',
    );
    expect(events[0]).toBe('2026-09-05 10:00 Turnier');
    expect(notes.join()).toContain('4 rows have several days: row 2: "05.-06.09.2026"');
  });
});

describe('a date in words', () => {
  it.each([
    ['Ostern 2027', '2027-03-28'],
    ['1. Advent 2026', '2026-11-29'],
    ['Karfreitag 2027', '2027-03-26'],
    ['Ende Mai 2027', '2027-05-01'],
    ['Mai 2027', '2027-05-01'],
    ['mi-mai 2027', '2027-05-01'],
    ['voraussichtlich 5.12.2026', '2026-12-05'],
    ['KW 12 2027', '2027-03-22'],
    ['KW 1/2026', '2025-12-29'],
  ])('is read, and named unless it is one certain day: %s', async (cell, day) => {
    const { events, notes } = await importRows('Datum;Was', '01.12.2026;Markt', `${cell};Fest`);
    expect(events).toContain(`${day} Fest`);
    const isCertain = /Advent|Karfreitag/.test(cell);
    const note = `Row 3 has no exact date or time: "${cell} → ${day}". Check how it was read.`;
    expect(notes).toEqual(isCertain ? [] : [note]);
  });

  it('gets its year like dates without one', async () => {
    const { events } = await importRows(
      'Termine 2027;',
      'Datum;Was',
      '13.2.;Ball',
      'Karfreitag;Fest',
      'KW 12;Putz',
    );
    expect(events).toEqual(['2027-02-13 Ball', '2027-03-26 Fest', '2027-03-22 Putz']);
    expect(await refusal('Datum;Was', 'Karfreitag;Fest')).toContain('"Karfreitag" has no year');
  });
});

describe('a time cell', () => {
  const importTime = (cell: string, date = '05.12.2026') =>
    importRows('Datum;Zeit;Was', `${date};${cell};Fest`);

  it.each(['10:00 / 12:30', '10.00/12.30', '10/12 Uhr', '10 u. 14 Uhr', '10:00 und 12:30'])(
    'has a second time that is no end: %s',
    async (cell) => {
      const { events, notes } = await importTime(cell);
      expect(events).toEqual(['2026-12-05 10:00 Fest']);
      expect(notes).toEqual([`In row 2, only the first time of "${cell}" was taken.`]);
    },
  );

  it.each([
    ['Sat 11:40 AM', '11:40'],
    ['Viertel nach 7', '19:15'],
    ['halb acht', '19:30'],
    ['mittags', '12:00'],
    ['Treff 8:30, Beginn 9:00', '09:00'],
  ])('is in words: %s', async (cell, time) => {
    const { events, notes } = await importTime(cell);
    expect(events).toEqual([`2026-12-05 ${time} Fest`]);
    expect(notes).toEqual([
      `Row 2 has no exact date or time: "${cell} → ${time}". Check how it was read.`,
    ]);
  });

  it.each([
    ['30.12.1899 18:00:00', '18:00'],
    ['18:30 UTC', '19:30'],
    ['18:30Z', '19:30'],
    ['18:30 GMT+2', '17:30'],
    ['18:30+05:30', '14:00'],
    ['18:30 CET', '18:30'],
    ['18:30 MEZ', '18:30'],
    ['18:30 Uhr (Berlin)', '18:30'],
    ['18:30 UTC-5', '00:30', '2027-01-10'],
  ])('is exact: %s', async (cell, time, day = '2027-01-09') => {
    expect(await importTime(cell, '09.01.2027')).toMatchObject({
      events: [`${day} ${time} Fest`],
      notes: [],
    });
  });

  it.each([
    ['2027-01-09 18:30 UTC', '2027-01-09 19:30 Fest'],
    ['2027-01-09T18:30:00 UTC', '2027-01-09 19:30 Fest'],
    ['Sa 09.01.2027, 23:30 GMT', '2027-01-10 00:30 Fest'],
    ['9 Jan 2027 18:30-20:00 UTC', '2027-01-09 19:30 Fest | Bis 21:00 Uhr'],
    ['2027-01-09 18:30 CET', '2027-01-09 18:30 Fest'],
    ['2027-01-09 18:30 (Berlin)', '2027-01-09 18:30 Fest'],
    ['2027-01-09 18:30 Europe/Berlin', '2027-01-09 18:30 Fest'],
  ])('is exact behind its date: %s', async (cell, event) => {
    expect(await importRows('Beginn;Was', `${cell};Fest`)).toMatchObject({
      events: [event],
      notes: [],
    });
  });

  it.each(['2027-01-09 18:30 EST', '09.01.2027 18:30 Europe/London'])(
    'is refused behind its date in a zone of others: %s',
    async (cell) => {
      expect(await refusal('Beginn;Was', `${cell};Fest`)).toContain(
        `"${cell}" names another time zone than that of the club, Europe/Berlin`,
      );
    },
  );

  it('keeps its end in another zone, and the day that it is here', async () => {
    const { events } = await importRows(
      'Datum;Zeit;Was',
      '09.01.2027;18:30-20:00 UTC;Fest',
      '09.01.2027;23:30 UTC;Nacht',
    );
    expect(events).toEqual(['2027-01-09 19:30 Fest | Bis 21:00 Uhr', '2027-01-10 00:30 Nacht']);
  });

  it.each([
    '18:30 UTC - 20:00 UTC',
    '18:30 (UTC) bis 20:00 (UTC)',
    '18:30 UTC – 20:00',
    '18:30 UTC-20:00',
    '20:30+02:00 - 22:00+02:00',
    '18:30Z - 20:00Z',
    '19:30 CET - 21:00 CET',
  ])('keeps its end if the zone stands behind the start too: %s', async (cell) => {
    expect(await importTime(cell, '09.01.2027')).toMatchObject({
      events: ['2027-01-09 19:30 Fest | Bis 21:00 Uhr'],
      notes: [],
    });
  });

  it.each(['18:30 EST', '18:30 (London)', '18:30 UTC - 20:00 CET'])(
    'is refused in a zone of others: %s',
    async (cell) => {
      expect(await refusal('Datum;Zeit;Was', `09.01.2027;${cell};Fest`)).toContain(
        `"${cell}" names another time zone than that of the club, Europe/Berlin; write the time there, or with its offset, such as 18:30 UTC+1`,
      );
      const remedy = await importTime('18:30 UTC+1', '09.01.2027');
      expect(remedy.events).toEqual(['2027-01-09 18:30 Fest']);
    },
  );

  it.each([
    ['Datum;Zeit (UTC);Was', '10.04.2027;18:30;Fest'],
    ['Datum;Beginn UTC;Was', '10.04.2027;18:30;Fest'],
    ['Beginn (GMT);Was', '2027-04-10 18:30;Fest'],
    ['Beginn UTC;Was', '2027-04-10T18:30;Fest'],
    ['Datum;Zeit;Zeitzone;Was', '10.04.2027;18:30;UTC;Fest'],
    ['Alle Zeiten in UTC;;\nDatum;Zeit;Was', '10.04.2027;18:30;Fest'],
    ['All times are GMT.;;\nDate;Time;Event', '10.04.2027;18:30;Fest'],
    ['Datum;Zeit (UTC+1);Was', '10.04.2027;19:30;Fest'],
    ['Datum;Zeit (UTC);Was', '10.04.2027;21:30 UTC+3;Fest'],
    ['Datum;Zeit (MESZ);Was', '10.04.2027;20:30;Fest'],
    ['Datum;Zeit (Berlin);Was', '10.04.2027;20:30;Fest'],
    ['Datum;Zeit;Zeitzone;Was', '10.04.2027;20:30;Europe/Berlin;Fest'],
    ['Datum;Zeit;Zeitzone;Was', '10.04.2027;20:30;W. Europe (Berlin);Fest'],
    ['Alle Zeiten ohne Gewähr;;\nDatum;Zeit;Was', '10.04.2027;20:30;Fest'],
    ['TRAININGSZEITEN WEST;;\nDATE ET HEURE;Was', '10.04.2027 20:30;Fest'],
  ])('has the zone of its heading, of its row or of all times: %s', async (...lines) => {
    const { events } = await importRows(...lines);
    expect(events).toEqual(['2027-04-10 20:30 Fest']);
  });

  it.each([
    ['Time (UK)', 'Date;Time (UK);Event', '10.04.2027;18:30;Fest'],
    ['Start EST', 'Date;Start EST;Event', '10.04.2027;18:30;Fest'],
    ['Start date (ET)', 'Start date (ET);Event', '2027-04-10 18:30;Fest'],
    ['Europe/London', 'Date;Time;Time zone;Event', '10.04.2027;18:30;Europe/London;Fest'],
    ['All times in EST', 'All times in EST;;\nDate;Time;Event', '10.04.2027;18:30;Fest'],
  ])('is refused below another zone: %s', async (zone, heading, row) => {
    expect(await refusal(heading, row)).toContain(
      `"${zone}" names another time zone than that of the club, Europe/Berlin; write the time there, or with its offset, such as 18:30 UTC+1`,
    );
    if (!row.includes(' ')) {
      const remedy = await importRows(heading, row.replace('18:30', '18:30 UTC+1'));
      expect(remedy.events).toEqual(['2027-04-10 19:30 Fest']);
    }
  });

  it('has an end in the zone of that end, else in its own', async () => {
    const { events, notes, ignored } = await importRows(
      'Datum;Beginn;Ende;Was',
      '09.01.2027;18:00 UTC;20:00 UTC;A',
      '10.01.2027;18:00+03:00;20:00;B',
      '11.01.2027;23:30 UTC;01:00 UTC;C',
    );
    const own = [
      '2027-01-09 19:00 A | Bis 21:00 Uhr',
      '2027-01-10 16:00 B | Bis 18:00 Uhr',
      '2027-01-12 00:30 C | Bis 02:00 Uhr',
    ];
    expect({ events, notes, ignored }).toEqual({ events: own, notes: [], ignored: [] });
    const stamps = await importRows(
      'Start;End;Was',
      '2027-01-09T18:00Z;2027-01-09T20:00Z;A',
      '2027-01-10T18:00:00+03:00;2027-01-10T20:00:00+03:00;B',
      '2027-01-11T23:30Z;2027-01-12T01:00Z;C',
    );
    expect(stamps).toMatchObject({ events: own, notes: [] });
    const below = await importRows('Datum;Beginn (UTC);Ende (UTC);Was', '9.1.2027;18:00;20:00;A');
    expect(below).toMatchObject({ events: own.slice(0, 1), notes: [] });
  });

  it('names a weekday that is not that of the date', async () => {
    const { notes } = await importTime('Sun 11:40');
    expect(notes.join()).toContain('the weekday does not fit the date: "2026-12-05 Sun 11:40"');
  });

  it.each([
    ['19:00 - 18:00', ''],
    ['', '05.12.2026 19:00 - 18:00'],
    ['', '05.12.2026 19:00 - 05.12.2026 18:00'],
  ])('has no end before its start, and names it: %s%s', async (cell, date) => {
    const { events, notes } = await importTime(cell, date || undefined);
    expect(events).toEqual(['2026-12-05 19:00 Fest']);
    expect(notes).toEqual([`In row 2, only the first time of "${cell || date}" was taken.`]);
  });

  it('may be a number, as spreadsheets store 19.30, with an end', async () => {
    const { events, notes } = await importRows(
      'Datum;Von;Bis;Was',
      '05.12.2026;19.3;22.1;Fest',
      '06.12.2026;20;22:00;Lauf',
    );
    expect(events).toEqual([
      '2026-12-05 19:30 Fest | Bis 22:10 Uhr',
      '2026-12-06 20:00 Lauf | Bis 22:00 Uhr',
    ]);
    expect(notes).toEqual([
      'Row 2 has no exact date or time: "19.3 → 19:30". Check how it was read.',
    ]);
    expect(await refusal('Datum;Zeit;Was', '05.12.2026;19.5;Fest')).toContain(
      '"19.5" was not understood',
    );
  });

  it.each(['24:00', '24 Uhr', 'Mitternacht', 'midnight', 'minuit'])(
    'has the end of the day as its end, and a date begins on the next one: %s',
    async (cell) => {
      const { events, ignored } = await importRows(
        'Datum;Von;Bis;Was',
        `05.12.2026;19:00;${cell};Fest`,
        `06.12.2026;19:00;${cell};Lauf`,
      );
      expect(events).toEqual([
        '2026-12-05 19:00 Fest | Bis 00:00 Uhr',
        '2026-12-06 19:00 Lauf | Bis 00:00 Uhr',
      ]);
      expect(ignored).toEqual([]);
      const date = await importRows('Datum;Was', `05.12.2026, ${cell};Fest`);
      expect(date.events).toEqual(['2026-12-06 Fest']);
      expect(date.notes[0]).toContain('is the end of the day');
      const days = await importRows(
        'Von;Ende;Zeit bis;Was',
        `05.12.2026 19:00;06.12.2026;${cell};Fest`,
      );
      expect(days.events).toEqual(['2026-12-05 19:00 Fest | Bis Mo 7. Dezember, 00:00 Uhr']);
    },
  );

  it('has an end in the night, but none of nearly a day', async () => {
    const { events, notes } = await importRows(
      'Datum;Von;Bis;Was',
      '05.12.2026;20:00;02:00;Ball',
      '06.12.2026;18:00;17:00;Fest',
    );
    expect(events).toEqual(['2026-12-05 20:00 Ball | Bis 02:00 Uhr', '2026-12-06 18:00 Fest']);
    expect(notes).toEqual([
      '"Bis": "17:00" in row 3 was left out, as it is not a value of this field.',
    ]);
  });
});

describe('a row at the end of a table', () => {
  it('is no event if it is a total or a legend', async () => {
    const { events, notes } = await importRows(
      'Datum;Zeit;Gegner;Ort;Ergebnis',
      '05.12.2026;10:00;TV B;Halle;28:31',
      '12.12.2026;11:00;TV C;Halle;20:20',
      'Gesamt;2 Spiele;;;28:31',
      ';;rot = fällt aus;;',
    );
    expect(events).toHaveLength(2);
    expect(notes).toEqual([
      'Rows 4–5 have no event and were left out: "Gesamt", "rot = fällt aus".',
    ]);
  });

  it('is no event if it is a total with a formula that has no result', async () => {
    const formula = { xml: '<c><f>SUM(A1:A2)</f></c>' };
    const { events, notes } = await importFile(
      makeXlsx([
        ['Was', 'Datum'],
        ['Ball', '05.12.2026'],
        ['Markt', '06.12.2026'],
        ['Summe', formula],
      ]),
      'plan.xlsx',
    );
    expect(events).toHaveLength(2);
    expect(notes.join()).toContain('Row 4 has no event and was left out: "Summe"');
  });
});

describe('the years of a table', () => {
  it('are named if they are not those of the title', async () => {
    const plan = ['Termine 2027;', 'Datum;Was', '05.12.2026;A', '05.02.2027;B'];
    expect((await importRows(...plan)).notes).toContain(
      'The date in row 3 is not in 2027: 2026-12-05.',
    );
    const season = ['Saison 2026/27;', 'Datum;Was', '05.09.2026;A', '05.09.2027;B', '06.09.2027;C'];
    expect((await importRows(...season)).notes).toContain(
      '2 dates are not in 2026/27: row 4: "2027-09-05", row 5: "2027-09-06".',
    );
  });

  it('are named if they are far from those of the other dates', async () => {
    const { notes } = await importRows(
      'Datum;Was',
      '5.12. 20;A',
      '5.12.2026;B',
      '5.1.2027;C',
      '6.1.2027;D',
      '5.2.2027;E',
      '5.12.3027;F',
      '5.12.1927;G',
    );
    expect(notes).toEqual([
      'Row 2 has no exact date or time: "5.12. 20 → 2020-12-05". Check how it was read.',
      '3 dates are not in 2027: row 2: "2020-12-05", row 7: "3027-12-05", row 8: "1927-12-05".',
    ]);
  });

  it('are named if their two digits may be an hour', async () => {
    const { notes } = await importRows('Datum;Was', '5.12. 24;A', '5. Dez. 26;B', '6.12. 26;C');
    expect(notes).toEqual([
      'Row 2 has no exact date or time: "5.12. 24 → 2024-12-05". Check how it was read.',
    ]);
  });

  it('are named if all dates are past', async () => {
    const { notes } = await importRows('Datum;Was', '5.9.2025;A', '5.3.2026;B');
    expect(notes).toEqual(['All 2 dates are past, the last one is 2026-03-05.']);
    const mixed = await importRows('Datum;Was', '5.9.2025;A', '5.7.2026;B');
    expect(mixed.notes).toEqual([]);
  });
});

describe('the year in a title', () => {
  it.each(['FC Beispiel 2010 - Termine', 'SV Au, Tel. 02034 2027 10', 'TSV 2001 Berg'])(
    'is none of the dates: %s',
    async (title) => {
      const question = await refusal(`${title};`, 'Datum;Was', '05.12.;Feier', '09.01.;Lauf');
      expect(question).toContain('"05.12." has no year, and nothing in the file shows it');
    },
  );

  it.each(['Jahresprogramm 2010', 'Termine 2010', '2010 Kalender'])(
    'is that of the dates: %s',
    async (title) => {
      const { events } = await importRows(`${title};`, 'Datum;Was', '05.12.;Feier');
      expect(events).toEqual(['2010-12-05 Feier']);
    },
  );

  it('has a line if all dates are far from now', async () => {
    const { notes } = await importRows('Datum;Was', '09.01.3027;Fest');
    expect(notes).toEqual(['The date in row 2 is not in 2026: 3027-01-09.']);
  });
});

describe('the first day in the question for the year', () => {
  it.each([
    [
      'goes on from the first row',
      ['05.09.', '13.02.'],
      '2026-09-05',
      ['2026-09-05', '2027-02-13'],
    ],
    ['is to come', ['09.01.', '31.12.'], '2027-01-09', ['2027-01-09', '2027-12-31']],
    [
      'is today without an order',
      ['05.12.', '05.01.', '03.12.', '09.01.'],
      '2026-06-01',
      ['2026-12-05', '2027-01-05', '2026-12-03', '2027-01-09'],
    ],
  ])('%s, and works when pasted', async (_, cells, first, days) => {
    const lines = ['Datum;Was', ...cells.map((cell) => `${cell};Fest`)];
    const question = await refusal(...lines);
    const [, from] = /--from (\S+) \(/.exec(question) ?? [];
    expect(from).toBe(first);
    const window = { from: new Date(zoneNamed('Europe/Berlin').startOf(from ?? '')) };
    const { events } = await importFile(lines.join('\n'), 'plan.csv', { window });
    expect(events).toEqual(days.map((day) => `${day} Fest`));
  });
});

describe('a date that its workbook shows without its year', () => {
  const serial = (day: string) => Date.parse(day) / 86_400_000 + 25_569;
  const cell = (day: string): TestCell => ({ xml: `<c s="2"><v>${serial(day)}</v></c>` });
  const odsCell = (day: string, shown: string): TestCell => ({
    xml: `<table:table-cell office:value-type="date" office:date-value="${day}"><text:p>${shown}</text:p></table:table-cell>`,
  });
  const importDates = (
    format: string | number,
    days: readonly string[],
    { title, weekday }: { readonly title?: string; readonly weekday?: string } = {},
  ) => {
    const rows: TestCell[][] = [
      ...(title === undefined ? [] : [[title]]),
      ['Datum', 'Was', ...(weekday === undefined ? [] : ['Tag'])],
      ...days.map((day) => [cell(day), 'Fest', ...(weekday === undefined ? [] : [weekday])]),
    ];
    return importFile(makeXlsx(rows, { formats: [format] }), 'plan.xlsx');
  };

  it.each(['dd.mm.', 'ddd dd.mm.', 'dd/mm', 16])('has that of the title: %s', async (format) => {
    const { events, notes } = await importDates(format, ['2026-02-13', '2026-03-06'], {
      title: 'Terminplan 2027',
    });
    expect(events).toEqual(['2027-02-13 Fest', '2027-03-06 Fest']);
    expect(notes).toContain(
      '2 dates have no year, in rows 3–4, such as "13.02.". It was taken from "Terminplan 2027": from 2027 on.',
    );
  });

  it('has that of the season, or of the weekdays beside it', async () => {
    const season = await importDates('dd.mm.', ['2026-09-13', '2026-02-13'], {
      title: 'Saison 2026/27',
    });
    expect(season.events).toEqual(['2026-09-13 Fest', '2027-02-13 Fest']);
    expect(season.notes).toContain(
      '"13.02." in row 4 has no year. It was taken from "Saison 2026/27": 2027.',
    );
    const weekday = await importDates('dd.mm.', ['2026-02-13', '2026-03-06'], { weekday: 'Sa' });
    expect(weekday.events).toEqual(['2027-02-13 Fest', '2027-03-06 Fest']);
    expect(weekday.notes).toEqual([
      '2 dates have no year, in rows 2–3, such as "13.02.". Their weekdays fit 2027.',
    ]);
  });

  it('has the stored one if nothing near shows another, and says so', async () => {
    const { events, notes } = await importDates('dd.mm.', ['2026-07-13', '2026-08-06']);
    expect(events).toEqual(['2026-07-13 Fest', '2026-08-06 Fest']);
    expect(notes).toEqual([
      'The sheet does not show the year of 2 dates, such as "13.07." in row 2. It was taken as stored: 2026.',
    ]);
    const old = await importDates('dd.mm.', ['2026-07-13'], { title: 'TSV 2019 Termine' });
    expect(old.events).toEqual(['2026-07-13 Fest']);
    const winter = await importDates('dd.mm.', ['2026-09-13', '2027-03-13'], {
      title: 'Spielplan 2026',
    });
    expect(winter.events).toEqual(['2026-09-13 Fest', '2027-03-13 Fest']);
  });

  it('has that of the title in .ods too', async () => {
    const rows = [
      ['Terminplan 2027'],
      ['Datum', 'Was'],
      [odsCell('2026-02-13', '13.02.'), 'Ball'],
      [odsCell('2026-03-06', 'Fr 06.03.'), 'Markt'],
    ];
    const { events } = await importFile(makeOds(tableXml('Plan', rows)), 'plan.ods');
    expect(events).toEqual(['2027-02-13 Ball', '2027-03-06 Markt']);
  });

  it('keeps a time of its own, and that beside it', async () => {
    const rows = [['Plan 2027'], ['Datum', 'Zeit', 'Was'], [cell('2026-02-13'), '18:00', 'Ball']];
    const { events } = await importFile(makeXlsx(rows, { formats: ['dd.mm.'] }), 'plan.xlsx');
    expect(events).toEqual(['2027-02-13 18:00 Ball']);
  });

  it.each(['mmmm yyyy', 17])('is a month if it has no day either: %s', async (format) => {
    const { events, notes } = await importDates(format, ['2027-05-01']);
    expect(events).toEqual(['2027-05-01 Fest']);
    expect(notes).toEqual([
      'Row 2 has no exact date or time: "2027-05 → 2027-05-01". Check how it was read.',
    ]);
  });

  it('is a month in .ods too', async () => {
    const rows = [
      ['Datum', 'Was'],
      [odsCell('2027-05-01', 'Mai 2027'), 'Ball'],
      [odsCell('2027-06-06', '06.06.27'), 'Markt'],
    ];
    const { notes } = await importFile(makeOds(tableXml('Plan', rows)), 'plan.ods');
    expect(notes).toEqual([expect.stringContaining('2027-05 → 2027-05-01')]);
  });

  it('is the next day at 23:59:16, which a library writes for midnight', async () => {
    const { events } = await importDates('dd.mm.yyyy', ['2026-12-04T23:59:16Z']);
    expect(events).toEqual(['2026-12-05 Fest']);
  });
});

describe('a course', () => {
  const range = ['Kurs;Start;Ende;Tag;Uhrzeit', 'Yoga;11.01.2027;22.03.2027;Montag;18:00-19:30'];

  it.each([
    [range, '2027-03-22', 11, ' --end 19:30'],
    [
      ['Kurs;Beginn;Anzahl Termine;Wochentag;Uhrzeit', 'Yoga;11.01.2027;10;Montag;18:00'],
      '2027-03-15',
      10,
      '',
    ],
  ])('is asked for with the words that add its events', async (lines, last, count, end) => {
    const text = await refusal(...lines);
    expect(text).toContain('"Yoga" looks like a course: every Monday until');
    expect(text).toContain(
      `${count} events; add it with club-events event add --user NAME --name Yoga --date 2027-01-11T18:00${end} --repeat "every Monday until ${last}", and import the other rows with --skip-bad-rows`,
    );
    const repeat = /--repeat "([^"]*)"/.exec(text)?.[1] ?? '';
    const first = '2027-01-11T17:00:00.000Z';
    const options = { except: [], timeZone: 'Europe/Berlin', readDaysOff: () => [] };
    expect(planSeries({ repeat, first, ...options }).dates).toHaveLength(count);
  });

  it('is left out with its reason if the user wants the other rows', async () => {
    const lines = [...range, 'Ausflug;12.01.2027;12.01.2027;Dienstag;10:00'];
    const { events } = await importFile(lines.join('\n'), 'plan.csv', { skipBadRows: true });
    expect(events).toEqual(['2027-01-12 10:00 Ausflug']);
  });

  it('is no camp, and no event of weeks without a weekday', async () => {
    const camp = await importRows('Was;Von;Bis;Tag', 'Lager;31.07.2027;08.08.2027;Sa');
    expect(camp.events).toEqual(['2027-07-31 Lager | Bis So 8. August']);
    const show = await importRows('Was;Von;Bis', 'Ausstellung;11.01.2027;22.03.2027');
    expect(show.events).toEqual(['2027-01-11 Ausstellung | Bis Mo 22. März']);
  });
});
