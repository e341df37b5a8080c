import { describe, expect, it } from 'vitest';
import { makeXlsx } from '../../support/workbook.ts';
import { read, readContents } from './csv-reading.ts';
import { setUpInWords } from './set-up.ts';

const months =
  'Januar;Februar;März;April;Mai;Juni;Juli;August;September;Oktober;November;Dezember'.split(';');

/** Returns a year planner with a column of days and a column for each month. */
function planner(entries: Readonly<Record<string, string>>, title = 'Jahresplaner 2027'): string {
  const days = Array.from({ length: 31 }, (_, day) =>
    [day + 1, ...months.map((_month, at) => entries[`${day + 1}.${at + 1}.`] ?? '')].join(';'),
  );
  return [title, ['', ...months].join(';'), ...days].join('\n');
}

async function readEvents(content: string, more: Parameters<typeof readContents>[1] = {}) {
  const { events, places, notes, ignored } = await readContents([content], more);
  const texts = events.map(({ date, name, description }) =>
    [date.slice(0, 16).replace('T00:00', ''), name, description].filter(Boolean).join(' | '),
  );
  return { texts, places, notes, ignored };
}

describe('a year planner', () => {
  it('a year planner gives the events of its cells in the order of their dates', async () => {
    const { texts, places, notes } = await readEvents(
      planner({ '9.1.': 'Empfang 11 Uhr', '14.2.': '19:30 Konzert', '3.1.': 'Probe' }),
    );
    expect(texts).toEqual([
      '2027-01-03 | Probe',
      '2027-01-09T11:00 | Empfang',
      '2027-02-14T19:30 | Konzert',
    ]);
    expect(places).toEqual(['cell B5', 'cell B11', 'cell C16']);
    expect(notes).toContain(
      'This was read as a year planner: 3 events, the first is "Probe" in cell B5.',
    );
  });

  it('lists the holidays, weeks and marks that are no events', async () => {
    const printed = {
      '1.1.': 'Neujahr',
      '4.1.': 'KW 1',
      '2.4.': 'Karfreitag',
      '5.5.': 'x',
      '29.7.': 'Sommerferien',
    };
    const { texts, notes } = await readEvents(planner({ ...printed, '1.5.': 'Neujahrskonzert' }));
    expect(texts).toEqual(['2027-05-01 | Neujahrskonzert']);
    expect(notes).toContain(
      '5 entries of the planner are no events of the club and were left out: "Neujahr", "KW 1", "Karfreitag", ….',
    );
  });

  it('a year planner has one event for the same words on several days, and each day of a time', async () => {
    const days = { '30.7.': 'Lager', '31.7.': 'Lager', '1.8.': 'Lager', '9.8.': 'Lager' };
    const plays = { '1.10.': 'Theater 20 Uhr', '2.10.': 'Theater 20 Uhr' };
    const { texts } = await readEvents(planner({ ...days, ...plays }));
    expect(texts).toEqual([
      '2027-07-30 | Lager | 30. Juli – 1. August',
      '2027-08-09 | Lager',
      '2027-10-01T20:00 | Theater',
      '2027-10-02T20:00 | Theater',
    ]);
  });

  it('a year planner has weekdays and days in the cells of each month, in two halves', async () => {
    const half = (names: readonly string[], at: number, text: string) => {
      const days = Array.from({ length: 31 }, (_, day) =>
        names.map((_month, month) => {
          const date = new Date(Date.UTC(2027, at + month, day + 1));
          if (date.getUTCMonth() !== at + month) return '';
          const weekday = date.toLocaleDateString('de', { weekday: 'short', timeZone: 'UTC' });
          return `${day + 1} ${weekday}${day === 6 && month === 1 ? ` ${text}` : ''}`;
        }),
      );
      return [names, ...days].map((cells) => cells.join(';'));
    };
    const halves = [
      ...half(months.slice(0, 6), 0, 'Umzug'),
      ...half(months.slice(6), 6, 'Ausflug'),
    ];
    const { texts } = await readEvents(['2027', ...halves].join('\n'));
    expect(texts).toEqual(['2027-02-07 | Umzug', '2027-08-07 | Ausflug']);
  });

  it.each([
    ['down', false],
    ['across', true],
  ])('a year planner has every day of a merged cell with the days %s', async (_, isAcross) => {
    const days = Array.from({ length: 31 }, (_day, at) => String(at + 1));
    const rows = [['', ...days], ...months.map((month) => [month, ...days.map(() => '')])];
    // Three days of February, and two of May.
    (rows[2] as string[])[6] = 'Lager';
    (rows[5] as string[])[29] = 'Turnier';
    const cells = isAcross ? rows : rows[0]?.map((_cell, at) => rows.map((row) => row[at] ?? ''));
    const merged = isAcross ? ['G4:I4', 'AD7:AE7'] : ['C8:C10', 'F31:F32'];
    const after = `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
    const { run, stored } = setUpInWords();
    await run({ 'plan.xlsx': makeXlsx([['Jahresplaner 2027'], ...(cells ?? [])], { after }) });
    expect(stored().map(({ name, description }) => [name, description])).toEqual([
      ['Lager', '6.–8. Februar'],
      ['Turnier', '29.–30. Mai'],
    ]);
  });

  it('a year planner names the cells whose lines were joined to one event', async () => {
    const cells = { '9.1.': '"Hufschmied\nVorstand 20 Uhr"', '16.1.': '"Konzert\n19 Uhr"' };
    const { texts, notes } = await readEvents(planner(cells));
    expect(texts).toEqual(['2027-01-09T20:00 | Hufschmied Vorstand', '2027-01-16T19:00 | Konzert']);
    expect(notes).toContain(
      'The lines of 1 cell of the planner were joined to one event: "Hufschmied / Vorstand 20 Uhr". If these are two events, add the second one after the import.',
    );
  });

  it('a year planner is no list of members with a column for each month', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `${at + 1};Mitglied ${at};krank;;dabei`);
    const content = ['Beiträge 2027', 'Nr.;Name;Januar;Februar;März', ...rows].join('\n');
    await expect(readEvents(content)).rejects.toThrow('column_missing');
  });

  it('a year planner asks for its year if neither a title nor a weekday shows it', async () => {
    await expect(readEvents(planner({ '9.1.': 'Empfang' }, 'Planer'))).rejects.toThrow(
      'year_missing',
    );
  });

  it('a year planner is read as an ordinary table if the user wants it so', async () => {
    const { run, stored } = setUpInWords();
    const file = { 'plan.csv': planner({ '9.1.': 'Empfang' }) };
    await expect(run(file, { layout: 'table' })).rejects.toThrow(
      'the events are not in rows, one below the other; copy them into a table with Date, Time, Name',
    );
    await run(file);
    expect(stored()).toHaveLength(1);
  });
});

describe('a list in rounds', () => {
  it('a list in rounds gives each pair the date of its heading, and lists byes and remarks', async () => {
    const { texts, places, notes } = await readEvents(
      `Liga 2026/27;;;
1. Runde – 20.09.2026, 10 Uhr;;;
SK Au;–;SK Bach;5 : 3
SK Chur;–;spielfrei;
2. Runde – 11.10.2026, 10 Uhr;;;
SK Bach;–;SK Chur;
SK Dorf;–;SK Au;
Leiter: K. Weber, Tel. 10.11.12;;;`,
    );
    expect(texts).toEqual([
      '2026-09-20T10:00 | SK Au – SK Bach | 1. Runde',
      '2026-10-11T10:00 | SK Bach – SK Chur | 2. Runde',
      '2026-10-11T10:00 | SK Dorf – SK Au | 2. Runde',
    ]);
    expect(places).toEqual(['row 3', 'row 6', 'row 7']);
    expect(notes).toContain(
      'This was read as a list in rounds: 3 events below 2 dates, the first is "1. Runde – 20.09.2026, 10 Uhr".',
    );
    expect(notes.join()).toContain('Rows 4, 8 have no event and were left out');
  });

  it('a list in rounds has moved matches, which are no headings, and rounds without a date', async () => {
    const { texts, notes } = await readEvents(
      `1. Runde – 20.09.2026, 10 Uhr;
SK Au - SK Bach;
2. Runde – 18.10.2026, 10 Uhr;
SK Bach - SK Chur;
SK Chur - SK Au;verlegt auf 25.10.2026
3. Runde – Termin offen;
SK Au - SK Dorf;
Nachholspiele, 31.10.2026;
SK Dorf - SK Bach;`,
    );
    expect(texts).toEqual([
      '2026-09-20T10:00 | SK Au - SK Bach | 1. Runde',
      '2026-10-18T10:00 | SK Bach - SK Chur | 2. Runde',
      '2026-10-18T10:00 | SK Chur - SK Au | 2. Runde',
      '2026-10-31 | SK Dorf - SK Bach | Nachholspiele',
    ]);
    expect(notes).toContain('Row 5 is cancelled, as it says "verlegt auf 25.10.2026".');
    expect(notes).toContain('Row 6 has no event and was left out: "3. Runde – Termin offen".');
    expect(notes).toContain('Row 7 has no date and was left out: "SK Au - SK Dorf".');
  });

  it('a list in rounds has other events too, with times of their own', async () => {
    const { texts, ignored } = await readEvents(
      `Samstag, 09.01.2027;;
18:00;Probe;Saal
20:00;Konzert;Halle
Sonntag, 10.01.2027;;
10:00;Matinee;Halle`,
    );
    expect(texts).toEqual([
      '2027-01-09T18:00 | Probe',
      '2027-01-09T20:00 | Konzert',
      '2027-01-10T10:00 | Matinee',
    ]);
    expect(ignored).toEqual(['C']);
  });
});

describe('a list in one column', () => {
  it.each([
    [
      'lines that begin with their times, with places behind commas',
      `Samstag, 5. Dezember 2026
14:00 Adventsmarkt
18:00 Konzert, Kirche
Sonntag, 6. Dezember 2026
10.00-11.30 Uhr: Gottesdienst`,
      [
        '2026-12-05 14:00 Adventsmarkt',
        '2026-12-05 18:00 Konzert, Kirche',
        '2026-12-06 10:00 Gottesdienst > Until 11:30',
      ],
      [],
    ],
    [
      'lines that end with their times',
      `5 December 2026
Fair at 2 pm
Concert (18h)
6 December 2026
Service at 10 am`,
      ['2026-12-05 14:00 Fair', '2026-12-05 18:00 Concert', '2026-12-06 10:00 Service'],
      [],
    ],
    [
      'matches with times, and byes',
      `1. Spieltag 05.12.2026
15:00 TV A - TV B
16:30 TV C - TV D
2. Spieltag 16.01.2027
15:00 TV B - TV C
spielfrei: TV A`,
      [
        '2026-12-05 15:00 TV A - TV B > 1. Spieltag',
        '2026-12-05 16:30 TV C - TV D > 1. Spieltag',
        '2027-01-16 15:00 TV B - TV C > 2. Spieltag',
      ],
      ['Row 6 has no event and was left out: "spielfrei: TV A".'],
    ],
    [
      'matches with results, which are no times',
      `1. Spieltag 05.12.2026
TV A - TV B 15:12
TV C - TV D 16:20
2. Spieltag 16.01.2027
TV B - spielfrei
exempt : TV C
TV A - TV D 14:30`,
      [
        '2026-12-05 TV A - TV B 15:12 > 1. Spieltag',
        '2026-12-05 TV C - TV D 16:20 > 1. Spieltag',
        '2027-01-16 TV A - TV D 14:30 > 2. Spieltag',
      ],
      ['Rows 5–6 have no event and were left out: "TV B - spielfrei", "exempt : TV C".'],
    ],
    [
      'days below their months, without headings',
      `Probenplan 1. Halbjahr 2027;;
;;
Januar;;
Mo 11.;19:30;Probe
Sa 23.;10-17 Uhr;Probentag im Gemeindehaus
Februar;;
Mo 1.;19:30;Probe`,
      [
        '2027-01-11 19:30 Probe',
        '2027-01-23 10:00 Probentag im Gemeindehaus > Until 17:00',
        '2027-02-01 19:30 Probe',
      ],
      ['Row 1 above the headings was left out: "Probenplan 1. Halbjahr 2027".'],
    ],
  ])('has %s', async (_, text, events, left) => {
    const reading = await read(text);
    const lines = reading.events.map(({ date, name, location, description }) => {
      const time = date.slice(11, 16) === '00:00' ? '' : ` ${date.slice(11, 16)}`;
      const place = location ? `, ${location}` : '';
      return `${date.slice(0, 10)}${time} ${name}${place}${description ? ` > ${description}` : ''}`;
    });
    expect(lines).toEqual(events);
    expect(reading.ignored).toEqual([]);
    expect(reading.notes.filter((note) => note.includes('left out'))).toEqual(left);
  });
});

describe('a date in columns of day, month and year', () => {
  it.each([
    ['Tag;Monat;Jahr;Was', '9;1;2027', {}],
    ['Was genau;Jahr;Monat;Tag', 'x;2027;Januar;9.', {}],
    ['Tag;Monat;Jahr;Was', '9;1;2027', { date: 'Tag+Monat+Jahr' }],
    ['D;M;Y;What', '9;1;2027', { date: ['M', 'D', 'Y'] }],
    ['J;M;A;Titre', '9;janvier;2027', {}],
  ] as const)('a date in columns of day, month and year %s: %s', async (names, cells, map) => {
    const rows = [0, 1].map((at) => `${cells};Probe ${at}`.replace(/^x;(.*);(Probe \d)$/, '$2;$1'));
    const { texts, notes } = await readEvents([names, ...rows].join('\n'), { map });
    expect(texts).toEqual(['2027-01-09 | Probe 0', '2027-01-09 | Probe 1']);
    expect(notes.join()).toContain('The dates were joined from the columns');
  });
});

describe('several tables in a sheet', () => {
  const match = 'Datum;Spiel;Ort';
  const training = 'Datum;Zeit;Training';

  it('are read together if they stand side by side', async () => {
    const rows = ['5.12.2026;Spiel A;Halle;;7.12.2026;18:00;Yoga', '6.12.2026;Spiel B;;;;;'];
    const { texts, places, notes } = await readEvents(
      [`${match};;${training}`, ...rows].join('\n'),
    );
    expect(texts).toEqual([
      '2026-12-05 | Spiel A',
      '2026-12-06 | Spiel B',
      '2026-12-07T18:00 | Yoga',
    ]);
    expect(places).toEqual(['cell A2', 'cell A3', 'cell E2']);
    expect(notes).toContain('2 tables are read; they begin at A1, E1.');
  });

  it('are read together if they have the same headings side by side, without a gap', async () => {
    const rows = ['Datum;Was;Datum;Was', '5.12.2026;A;9.1.2027;C', '6.12.2026;B;10.1.2027;D'];
    const { texts } = await readEvents(rows.join('\n'));
    expect(texts).toEqual(['2026-12-05 | A', '2026-12-06 | B', '2027-01-09 | C', '2027-01-10 | D']);
  });

  it('are read together if they stand one below the other, with the year of the title above', async () => {
    const rows = ['Saison 2026/27;;', match, '5.12.;Spiel A;Halle', ';;', 'Trainings;;', training];
    const { texts, places, notes } = await readEvents([...rows, '11.1.;18:00;Yoga'].join('\n'));
    expect(texts).toEqual(['2026-12-05 | Spiel A', '2027-01-11T18:00 | Yoga']);
    expect(places).toEqual(['row 3', 'row 7']);
    expect(notes).toContain('2 tables are read; they begin at A2, A6.');
  });

  it('are read from more than two, below and beside each other', async () => {
    const rows = [
      'Datum;Was;;Datum;Was',
      '5.12.2026;A;;6.12.2026;B',
      ';;;;',
      training,
      '7.12.2026;18:00;C',
    ];
    const { texts } = await readEvents(rows.map((row) => row.padEnd(5, ';')).join('\n'));
    expect(texts).toEqual(['2026-12-05 | A', '2026-12-06 | B', '2026-12-07T18:00 | C']);
  });

  it('may lack a column that the user chose', async () => {
    const rows = ['Datum;Ort;Blau', '5.12.2026;A;x', ';;', 'Datum;Fest;Ort', '6.12.2026;B;Halle'];
    const { texts } = await readEvents(rows.join('\n'), { map: { name: 'Blau' } });
    expect(texts).toEqual(['2026-12-05 | x', '2026-12-06 | B']);
  });

  const opponents = 'Datum;Gegner;H/A';
  it.each([
    [
      'side by side',
      ['Spielplan 2027', 'Herren 1;;;;Damen;;', `${opponents};;${opponents}`],
      ['12.01.2027;TV B;H;;13.01.2027;TV B;A'],
      'Row 1 above the headings was left out: "Spielplan 2027".',
    ],
    [
      'without a gap',
      ['Herren 1;;;Damen;;', `${opponents};${opponents}`],
      ['12.01.2027;TV B;H;13.01.2027;TV B;A'],
      '2 tables are read; they begin at A2, D2.',
    ],
    [
      'one below the other',
      ['Herren 1;;', opponents],
      ['12.01.2027;TV B;H', ';;', 'Damen;;', opponents, '13.01.2027;TV B;A'],
      '2 tables are read; they begin at A2, A6.',
    ],
    [
      'below the headings of all',
      [opponents, 'Herren 1;;'],
      ['12.01.2027;TV B;H', 'Damen;;', '13.01.2027;TV B;A'],
      '2 tables are read; they begin at A2, A4.',
    ],
    [
      'below the headings of all, with the year of a title',
      ['Spielplan 2027;;', opponents, 'Herren 1;;'],
      ['12.01.;TV B;H', 'Damen;;', '13.01.;TV B;A'],
      '2 tables are read; they begin at A3, A5.',
    ],
  ])(
    'begin the names of their events with the team above each: %s',
    async (_, head, rows, note) => {
      const width = Math.max(...head.map((row) => row.split(';').length));
      const lines = [...head, ...rows].map((row) => row.split(';').concat(Array(width).fill('')));
      const content = lines.map((cells) => cells.slice(0, width).join(';')).join('\n');
      const { texts, notes } = await readEvents(content);
      expect(texts).toEqual(['2027-01-12 | Herren 1 – TV B (H)', '2027-01-13 | Damen – TV B (A)']);
      expect(notes).toContain(
        'The events of these tables begin with the title above their table: "Herren 1", "Damen".',
      );
      expect(notes).toContain(note);
      expect(notes.join()).not.toMatch(/left out.*(?:Herren|Damen)/);
    },
  );

  it('have titles that are no teams, which are named', async () => {
    const rows = ['Nord;;;Süd;', 'Datum;Gegner;;Datum;Gegner', '12.1.2027;TV B;;13.1.2027;TV C'];
    const { texts, notes } = await readEvents(rows.join('\n'));
    expect(texts).toEqual(['2027-01-12 | TV B', '2027-01-13 | TV C']);
    expect(notes).toContain('Row 1 above the headings was left out: "Nord".');
    expect(notes).toContain('Row 1 above the headings was left out: "Süd".');
  });

  it.each([
    ['Datum;Gegner', 'Alle Herren pünktlich!;', 'TV B'],
    ['Datum;Was', 'Herren 1;', 'Grillfest'],
  ])(
    'are not divided at a remark, or at a team that the names do not need: %s',
    async (header, row, name) => {
      const rows = [header, `12.1.2027;${name}`, row, '13.1.2027;Konzert'];
      const { texts, notes } = await readEvents(rows.join('\n'));
      expect(texts).toEqual([`2027-01-12 | ${name}`, '2027-01-13 | Konzert']);
      expect(notes.join()).toContain(row.replace(';', ''));
    },
  );

  it('are no tables of events without a date and a name in each', async () => {
    const rows = ['Datum;Was;;Datum;Kasse', '5.12.2026;A;;6.12.2026;12'];
    await expect(readEvents(rows.join('\n'))).rejects.toThrow();
  });
});
