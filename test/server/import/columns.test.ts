import { describe, expect, it } from 'vitest';
import type { SourceOptions, TakenColumns } from '../../../server/import/source.ts';
import { reader } from '../../../server/import/workbook/reader.ts';
import { makeXlsx, rowsXml } from '../../support/workbook.ts';
import { read, readRefusal } from './csv-reading.ts';
import { setUpInWords } from './set-up.ts';
import { options, sourceOf } from './workbook-reading.ts';

/** Reads a table given as lines; returns each event as `date time name, location`, and the rest. */
async function readTable(lines: readonly string[], options: Partial<SourceOptions> = {}) {
  const all: TakenColumns[] = [];
  const taken = (columns: TakenColumns) => void all.push(columns);
  const { events, notes } = await read(lines.join('\n'), { taken, ...options });
  const columns = all.flatMap(({ fields }) =>
    fields.map(({ field, columns: names }) => [field, names.join('+')]),
  );
  return {
    events,
    names: events.map(({ name }) => name),
    texts: events.map(
      ({ date, name, location }) =>
        `${date.slice(0, 16)} ${name}${location ? `, ${location}` : ''}`,
    ),
    taken: Object.fromEntries(columns) as Record<string, string>,
    notes,
  };
}

describe('the name of an event', () => {
  const persons = ['05.12.2026;14:00;Adventsmarkt;Platz;Uta Muster'];
  const more = '06.12.2026;10:30;Nikolauslauf;Feld;Ali Beispiel';

  it.each([
    'Veranstaltung',
    'Titel',
    'Event',
    'Title',
    'Thema',
    'Was',
    'Kurs',
    'Programm',
    'Activité',
    'Dienst',
  ])('is read from "%s" before "Name", which may be a person', async (heading) => {
    const lines = [`Datum;Uhrzeit;${heading};Ort;Name`, ...persons, more];
    expect((await readTable(lines)).taken).toMatchObject({ name: heading });
    const swapped = lines.map((line) => line.split(';').reverse().join(';'));
    expect((await readTable(swapped)).names).toEqual(['Adventsmarkt', 'Nikolauslauf']);
  });

  it.each(['Nom', 'Naam', 'Name'])(
    'is asked for beside "%s" if both may be it',
    async (heading) => {
      const lines = ['x', 'y', 'z'].map((part) => `${part}fest;Tanz;1.5.2026`);
      expect(await readRefusal([`${heading};Programm;Datum`, ...lines].join('\n'))).toMatch(
        `"${heading}", "Programm" could both be the name`,
      );
    },
  );

  it.each([
    ['Vorname;Name', 'Uta;Muster'],
    ['Name;E-Mail', 'Uta Muster;u@example.org'],
    ['Name Trainer', 'Uta Muster'],
    ['Name der Gruppe', 'Die Flotten'],
    ['Event organiser', 'Uta Muster'],
    ['Trainer', 'Uta Muster'],
  ])('is never read from "%s"', async (headings, cells) => {
    const lines = [`Datum;${headings}`, `1.5.2026;${cells}`, `2.5.2026;${cells}`];
    expect(await readRefusal(lines.join('\n'))).toMatch('there is no column "name"');
  });

  it.each([
    ['Name Trainer;Thema', 'Uta Muster;Yoga', 'Yoga'],
    ['Titel Leitung;Was', 'Dr.;Konzert', 'Konzert'],
    ['Name des Vereins;Aktivität', 'TV A;Lauf', 'Lauf'],
    ['Meet up before event;Heading', '15;Away game', 'Away game'],
    ['Class;Regatta', 'All;Spring Cup', 'Spring Cup'],
    ['Spiel;Turnier', '3;Stadtpokal', 'Stadtpokal'],
    ['Event;Description', '1;Concert', 'Concert'],
    ['Rennen;Bootsklasse', '1;Vierer mit', 'Vierer mit'],
  ])('is read from the better of %s', async (headings, cells, name) => {
    const lines = [`Datum;${headings}`, `1.5.2026;${cells}`, `2.5.2026;${cells}`];
    expect((await readTable(lines)).names).toEqual([name, name]);
  });

  it('is asked for if two columns have the same kind of values', async () => {
    const lines = [
      'Fecha;Equipo local;Equipo visitante',
      '17/10/2026;Club A;Club B',
      '24/10/2026;Club C;Club A',
      '31/10/2026;Club A;Club D',
    ];
    expect(await readRefusal(lines.join('\n'))).toMatch('"Equipo local", "Equipo visitante"');
  });
});

describe('the date and the time of an event', () => {
  it.each(['Anmeldedatum', 'Geburtsdatum', 'Rechnungsdatum', 'Datum Eingang', 'Due date'])(
    'are never read from "%s"',
    async (heading) => {
      for (const own of ['Spieltermin', 'Spielabend']) {
        const lines = [`${heading};${own};Was`, '1.2.2026;1.5.2026;Lauf', '3.2.2026;8.5.2026;Fest'];
        expect((await readTable(lines)).taken).toMatchObject({ date: own });
      }
    },
  );

  it('are asked for if one heading only contains a word for them', async () => {
    const lines = ['Druckdatum;Spielabend;Was', '1.2.2026;1.5.2026;Lauf', '1.2.2026;8.5.2026;Fest'];
    expect(await readRefusal(lines.join('\n'))).toMatch('"Druckdatum", "Spielabend"');
  });

  it('are not durations', async () => {
    const film = await readTable(['Datum;Film;Laufzeit', '1.5.2026;Nacht;01:38']);
    expect(film.texts).toEqual(['2026-05-01T00:00 Nacht']);
    const hours = await readTable(['Datum;Was;Std.', '1.5.2026;Kurs;01:30']);
    expect(hours.texts).toEqual(['2026-05-01T00:00 Kurs']);
    expect(hours.notes[0]).toMatch(
      'All times in the column "Std." are between midnight and 5:00. They may be durations',
    );
    const early = await readTable(['Date;Time;Event', '1.5.2026;3:30;Match']);
    expect(early.texts).toEqual(['2026-05-01T03:30 Match']);
    expect(early.notes[0]).toMatch('Check whether they are durations.');
  });

  it('are read from "À" only without another start', async () => {
    const lines = ['Date;À;Quoi', '1.5.2026;18:45;Bal'];
    const { texts, notes } = await readTable(lines);
    expect(texts).toEqual(['2026-05-01T18:45 Bal']);
    expect(notes).toEqual(['The column "À" was taken as time because of its values.']);
    const range = await readTable(['Date;De;À;Quoi', '1.5.2026;18:45;20:00;Bal']);
    expect(range.events).toMatchObject([{ description: 'Until 20:00' }]);
  });
});

describe('a match', () => {
  it('without a name has its opponent and its side, as in TeamSnap', async () => {
    const lines = [
      'Date,Name,Opponent Name,Home or Away',
      '2026-04-06,Practice,,Home',
      '2026-04-11,,Hudson Ridge,Home',
      '2026-04-12,,Catskill Crush,Away',
    ];
    expect((await readTable(lines)).names).toEqual([
      'Practice',
      'Hudson Ridge (H)',
      'Catskill Crush (A)',
    ]);
  });

  it.each([
    ['TTC Au;TTC Au II;TTF Berg;', 'TTC Au II – TTF Berg'],
    ['TTC Au;Herren II;TTF Berg;Herren', 'TTC Au Herren II – TTF Berg Herren'],
    ['SV Cham;;TTC Au;TTC Au II', 'SV Cham – TTC Au II'],
  ])('of click-TT has the teams of its clubs: %s', async (teams, name) => {
    const lines = [
      'Termin;HeimVereinName;HeimMannschaft;GastVereinName;GastMannschaft',
      `12.01.2027 20:00;${teams}`,
      '13.01.2027 20:00;TV Dorf;;TV Elz;',
    ];
    expect((await readTable(lines)).names).toEqual([name, 'TV Dorf – TV Elz']);
  });

  it.each(['Mannschaft;Gegner', 'Team;Opponent', 'Équipe;Adversaire', 'Altersklasse;Gegner'])(
    'of %s has both teams',
    async (headings) => {
      const lines = [`Datum;${headings}`, '1.5.2026;Herren 1;TV B', '2.5.2026;Damen;SC C'];
      expect((await readTable(lines)).names).toEqual(['Herren 1 – TV B', 'Damen – SC C']);
    },
  );

  it('gets its own team from the row above if the list writes that once', async () => {
    const lines = ['Datum;Mannschaft;Gegner', '1.5.2026;Herren 1;TV B', '2.5.2026;;SC C'];
    const { names, notes } = await readTable([...lines, '8.5.2026;Damen;SC D', '9.5.2026;;']);
    expect(names).toEqual(['Herren 1 – TV B', 'Herren 1 – SC C', 'Damen – SC D']);
    expect(notes).toContain('Row 3 names no team. It got that of the row above: "Herren 1".');
  });

  it('has a line if only one of its teams is known', async () => {
    const lines = ['Datum;Heim;Gast', '1.5.2026;TV A;TV B', '2.5.2026;TV A;'];
    const { names, notes } = await readTable(lines);
    expect(names).toEqual(['TV A – TV B', 'TV A']);
    expect(notes).toContain('Row 3 has only one team: "TV A".');
  });

  it.each([
    ['Gegner;Heim;Auswärts', 'x;', ';x'],
    ['Opponent;Home;Away', '✓;', ';✓'],
    ['Tegenstander;Thuis;Uit', 'ja;nee', 'nee;ja'],
    ['Adversaire;Domicile;Extérieur', '1;', ';1'],
    ['Gegner;Heim', 'ja', 'nein'],
    ['Opponent;Home or Away', 'Home', 'Away'],
    ['Gegner;Ort', 'Heim', 'Auswärts'],
    ['Adversaire;Dom/Ext', 'Domicile', 'Extérieur'],
  ])('of %s has its side', async (headings, home, away) => {
    const lines = [`Datum;Zeit;${headings}`, `13.9.2026;12:00;TV B;${home}`];
    const { names } = await readTable([...lines, `27.9.2026;17:30;SC C;${away}`]);
    expect(names).toEqual(['TV B (H)', 'SC C (A)']);
  });

  it.each([
    'Spielnummer',
    'Spiel-Nr.',
    'Spielkennung',
    'Match No.',
    'Match #',
    'Game ID',
    'Wedstrijdnummer',
    'N° de match',
  ])('has its own number in "%s"', async (heading) => {
    const lines = [
      `${heading};Datum;Heim;Gast`,
      '701;1.5.2026;TV A;TV B',
      '702;2.5.2026;TV C;TV A',
    ];
    const { events, taken } = await readTable(lines);
    expect(events.map(({ id }) => id)).toEqual([undefined, undefined]);
    expect(taken).toMatchObject({ number: heading, name: 'Heim+Gast' });
  });
});

describe('the place of an event', () => {
  it.each([
    ['Ort;Ort Rechnung', 'Park;Musterstr. 1', 'Park'],
    ['Halle;Halle frei', 'Nord;ja', 'Nord'],
    ['Stadtbad', 'Nordbad', 'Nordbad'],
    ['Bad', 'Nordbad', 'Nordbad'],
    ['Turnierstätte', 'Nord', 'Nord'],
    ['Kirche', 'St. Martin', 'St. Martin'],
  ])('is read from %s', async (headings, cells, place) => {
    const { events } = await readTable([`Datum;Was;${headings}`, `1.5.2026;Fest;${cells}`]);
    expect(events).toMatchObject([{ location: place }]);
  });
});

it.each([
  ['Datum;Was', ';Fest', [4], []],
  ['Datum;Was;Gruppe', ';Fest;Mini', [4], [5]],
  ['Datum;Was;Bemerkung', ';Fest;Mini', [4], []],
  ['Datum;Was;Ort', ';Fest;Mini', [4], []],
])(
  'names rows that are equal, each of which is an event: %s',
  async (heading, cells, equal, alike) => {
    const lines = [heading, `1.5.2026${cells}`, '2.5.2026;Lauf;', `1.5.2026${cells}`];
    if (cells.includes('Mini')) lines.push(`1.5.2026${cells.replace('Mini', 'Maxi')}`);
    const rows = lines.map((line) => line.split(';').slice(0, heading.split(';').length).join(';'));
    const { names, notes } = await readTable(rows);
    expect(names).toHaveLength(lines.length - 1);
    expect(notes).toEqual([
      ...equal.map((row) => `Row ${row} is equal to a row above. Each of them is an event.`),
      ...alike.map(
        (row) =>
          `Row ${row} differs from a row above only in columns that are not imported. Each of them is an event.`,
      ),
    ]);
  },
);

describe('several columns of events', () => {
  it.each([
    ['Datum;Vormittag;Nachmittag', 'Putzen;Fest', 'Lauf;', 'name'],
    ['Datum;Morgens;Abends', 'Lauf;Feier', 'Lauf;Kino', 'name'],
    ['Date;Matin;Après-midi', 'Course;Fête', 'Loto;', 'name'],
    ['Datum;Halle 1;Halle 2', 'Turnen;Tanz', 'Yoga;', 'name'],
    ['Datum;Herren;Damen', 'TV B;SC C', 'TV D;', 'name'],
    ['Fecha;Equipo local;Equipo visitante', 'CD Uno;CD Dos', 'CD Uno;CD Tres', 'name'],
    ['Was;1. Termin;2. Termin', '', '', 'date'],
    ['Was;Datum 1;Datum 2', '', '', 'date'],
    ['Was;Termin 1;Termin 2', '', '', 'date', 'ISO'],
    ['Datum;Uhrzeit 1;Uhrzeit 2;Was', '18:00;20:00;A', '18:00;20:00;B', 'time'],
  ])('are asked for, and the answers work: %s', async (headings, one, other, field, form = '') => {
    const days = form === 'ISO' ? ['2027-03-13', '2027-03-20'] : ['13.03.2027', '20.03.2027'];
    const lines =
      field === 'date'
        ? [headings, `Yoga;${days.join(';')}`, `Kino;${days[0]};`]
        : [headings, `${days[0]};${one}`, `${days[1]};${other}`];
    const [, first = '', second] = headings.split(';');
    expect(await readRefusal(lines.join('\n'))).toContain(
      `the columns "${first}", "${second}" could both be the ${field}; choose one with --map ${field}=COLUMN, or write each event into a row of its own`,
    );
    const { names, taken } = await readTable(lines, { map: { [field]: first } });
    expect(names).toHaveLength(2);
    expect(taken).toMatchObject({ [field]: first });
  });

  it('are none beside a name, or for helpers', async () => {
    const lines = ['Datum;Was;Helfer 1;Helfer 2', '1.5.2026;Fest;Uta;Ali', '2.5.2026;Lauf;Ali;'];
    expect((await readTable(lines)).names).toEqual(['Fest', 'Lauf']);
  });
});

describe('the sheets of teams', () => {
  const heading = ['Datum', 'Zeit', 'Gegner'];
  const sheet = (...rows: readonly (readonly string[])[]) => rowsXml([heading, ...rows]);
  const rows = [heading, ['1.5.2027', '15:00', 'TV A']];

  it('begin the names of their matches, which are all kept', async () => {
    const { run, stored } = setUpInWords();
    const more = {
      Herren: rowsXml(rows),
      U15: sheet(['1.5.2027', '15:00', 'TV A'], ['8.5.2027', '15:00', 'SC B']),
    };
    const report = await run({ 'a.xlsx': makeXlsx([], { more }) });
    expect(stored().map(({ name }) => name)).toEqual(['Herren – TV A', 'U15 – TV A', 'U15 – SC B']);
    expect(report.files[0]?.notes).toContain(
      'The events of these sheets begin with the name of their sheet: "Herren", "U15".',
    );
  });

  it('are asked for if they may be copies', async () => {
    for (const name of ['alt', 'Termine (2)', 'Kopie von Termine', 'Old']) {
      const { run, stored } = setUpInWords();
      const more = { [name]: sheet(['8.5.2027', '15:00', 'SC B']) };
      const file = { 'a.xlsx': makeXlsx(rows, { more }) };
      await expect(run(file)).rejects.toThrow(
        `may be copies or older versions: "${name}"; choose one with --sheet NAME`,
      );
      const shown = await reader.preview(sourceOf(file['a.xlsx']), options, 10);
      expect(shown).toMatchObject({
        failure: { code: 'file_refused' },
        table: { sheets: ['Termine', name] },
      });
      await run(file, { sheet: ['Termine'] });
      expect(stored().map(({ name: own }) => own)).toEqual(['TV A']);
    }
  });

  it('may begin in another column', async () => {
    const { run, stored } = setUpInWords();
    const moved = [heading, ['8.5.2027', '15:00', 'SC B']].map((cells) => ['', ...cells]);
    await run({ 'a.xlsx': makeXlsx(rows, { more: { Rückrunde: rowsXml(moved) } }) });
    expect(stored().map(({ name }) => name)).toEqual(['TV A', 'SC B']);
  });
});

it('reports the columns of each table once', async () => {
  const { run } = setUpInWords();
  const report = await run({
    'a.csv': 'Datum;Uhrzeit;Veranstaltung;Ort\n1.5.2027;18:00;Fest;Park',
  });
  expect(report.files[0]?.taken).toEqual([
    {
      fields: [
        { field: 'name', columns: ['Veranstaltung'] },
        { field: 'date', columns: ['Datum'] },
        { field: 'time', columns: ['Uhrzeit'] },
        { field: 'location', columns: ['Ort'] },
      ],
    },
  ]);
});
