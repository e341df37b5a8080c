import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../server/import/source.ts';
import { calendar, readText } from '../../support/ics.ts';
import {
  makeOds,
  makeXlsx,
  rowsXml,
  type TestCell,
  tableXml,
  xlsxParts,
} from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { read, readRefusal } from './csv-reading.ts';
import { setUp, setUpInWords, wordAll } from './set-up.ts';

/** Reads a table given as lines; returns each event as `date time name`, and the messages. */
async function readLines(lines: readonly string[], options: Partial<SourceOptions> = {}) {
  const { events, notes, ignored } = await read(lines.join('\n'), options);
  const texts = events.map(({ date, name }) => `${date.slice(0, 16)} ${name}`);
  return { texts, events, notes, ignored };
}

describe('a pairing', () => {
  it('a pairing has the home team of its column, not the host of the hall', async () => {
    const { texts, ignored } = await readLines([
      'Datum;Uhrzeit;Mannschaft 1;Mannschaft 2;Austragungsort;Gastgeber',
      '26.09.2026;16:00;VC Au II;SSV Bach;Halle;TV Tal',
      '26.09.2026;18:00;TV Tal;SSV Bach;Halle;TV Tal',
    ]);
    expect(texts).toEqual([
      '2026-09-26T16:00 VC Au II – SSV Bach',
      '2026-09-26T18:00 TV Tal – SSV Bach',
    ]);
    expect(ignored).toEqual(['Gastgeber']);
    const english = await readLines([
      'Date,Time,Home Team,Visitors,Host,Venue',
      '2026-09-26,15:00,Lions,Tigers,Bears RC,Park',
    ]);
    expect(english.texts).toEqual(['2026-09-26T15:00 Lions – Tigers']);
  });

  it('a pairing has the host as its home team only if there is no other, with a note', async () => {
    const { texts, notes } = await readLines(['Datum;Gastgeber;Gast', '26.9.2026;TV Tal;SSV Bach']);
    expect(texts).toEqual(['2026-09-26T00:00 TV Tal – SSV Bach']);
    expect(notes).toEqual([
      'The column "Gastgeber" was taken as the home team, because no other column has one. Check the pairings.',
    ]);
  });

  it('a pairing is asked for if two columns have different home teams', async () => {
    const lines = 'Datum;Heim;Heimteam;Gast\n26.9.2026;SV Au;TV Tal;SSV Bach';
    expect(await readRefusal(lines)).toMatch(/"Heim", "Heimteam"/);
  });

  it('keeps whether it is at home', async () => {
    const { texts, events } = await readLines([
      'Datum;Gegner;Heim/Auswärts;Ort',
      '3.10.2026;SV Bach;H;Halle',
      '10.10.2026;SV Bach;A;Talhalle',
      '17.10.2026;TV Au;;Halle',
    ]);
    expect(texts).toEqual([
      '2026-10-03T00:00 SV Bach (H)',
      '2026-10-10T00:00 SV Bach (A)',
      '2026-10-17T00:00 TV Au',
    ]);
    expect(events[0]?.location).toBe('Halle');
  });
});

describe('a row that is no event', () => {
  it('a row that is no event may be a total with a number where the date was', async () => {
    const { texts, notes } = await readLines([
      'Datum;Uhrzeit;Titel',
      '1.5.2026;19:00;Probe',
      '2.5.2026;;Fest',
      '2;;Termine gesamt',
    ]);
    expect(texts).toEqual(['2026-05-01T19:00 Probe', '2026-05-02T00:00 Fest']);
    expect(notes).toEqual(['Row 4 has no event and was left out: "Termine gesamt".']);
  });

  it.each(['Summe;;Termine: 2;15', 'Ergebnis;;;15', 'Gesamt;;2 Termine;', 'Stand;;heute;'])(
    'a row that is no event may be a total in words: %s',
    async (row) => {
      const { texts, notes } = await readLines([
        'Datum;Uhrzeit;Titel;Karten',
        '1.5.2026;19:00;Probe;7',
        '2.5.2026;;Fest;8',
        row,
      ]);
      expect(texts).toHaveLength(2);
      expect(notes).toEqual([
        `Row 4 has no event and was left out: "${row.slice(0, row.indexOf(';'))}".`,
      ]);
    },
  );

  it.each(['2027;;Jubiläum', '5.2027;;Fest', '2;19:00;Probe'])(
    'a row that is no event is not one whose date is a year or has a time: %s',
    async (row) => {
      const refusal = await readRefusal(`Datum;Uhrzeit;Titel\n1.5.2026;19:00;Probe\n${row}`);
      expect(refusal).toMatch(/row 3, .* was not understood/);
    },
  );
});

describe('a row that does not take place', () => {
  it.each(['BYE', 'NO FIXTURE', 'spielfrei', 'Relâche'])(
    'a row that does not take place is left out: %s',
    async (name) => {
      const lines = ['Date,Opponent,H/A', '2026-09-05,Ilkley,H', `2026-09-12,${name},`];
      const { texts, notes } = await readLines(lines);
      expect(texts).toEqual(['2026-09-05T00:00 Ilkley (H)']);
      expect(notes).toEqual([`Row 3 has no event and was left out: "${name}".`]);
    },
  );

  it.each([
    'HALF TERM – NO MEETING',
    'Verschoben auf den 9.5.',
    'reporté au 30 janvier',
    'P-P (frozen)',
    'abgelehnt',
  ])('a row that does not take place is cancelled with a note: %s', async (text) => {
    const { events, notes } = await readLines(['Datum;Was;Info', `1.5.2026;Fest;${text}`]);
    expect(events[0]?.status).toBe('cancelled');
    expect(notes).toEqual([`Row 2 is cancelled, as it says "${text}".`]);
  });

  it('a row that does not take place is none that was moved from another day', async () => {
    const lines = ['Datum;Was;Info', '1.5.2026;Fest;verschoben vom 9.4.'];
    expect((await readLines(lines)).events[0]?.status).toBeUndefined();
  });
});

describe('a time', () => {
  it('a time of the evening is in the evening', async () => {
    const { texts, notes } = await readLines([
      'Datum;Zeit;Was',
      '1.5.2026;8 Uhr abends;Fest',
      "2.5.2026;7.30 uur 's avonds;Feest",
      '3.5.2026;3 h de l’après-midi;Fête',
      '4.5.2026;9 Uhr morgens;Lauf',
      '5.5.2026 7:30 in the evening;;Party',
    ]);
    expect(texts.map((text) => text.slice(11, 16))).toEqual([
      '20:00',
      '19:30',
      '15:00',
      '09:00',
      '19:30',
    ]);
    expect(notes).toEqual([]);
  });

  it('a time that is not known yet is named', async () => {
    const { texts, notes } = await readLines([
      'Datum;Zeit;Was',
      '1.5.2026;tba;A',
      '2.5.2026;?;B',
      '3.5.2026;ganztägig;C',
      '4.5.2026 n.V.;;D',
    ]);
    expect(texts).toHaveLength(4);
    expect(notes).toEqual(['3 rows have no time yet, such as "tba" in row 2.']);
  });

  it('a time may have the marks of click-TT', async () => {
    const { texts, notes } = await readLines([
      'Termin;Heim;Gast',
      'Do 24.09.2026 20:00 v;TTC Au;TTC Bach',
      'Fr 25.09.2026 20:00;TTC Au;TTC Tal',
    ]);
    expect(texts[0]).toBe('2026-09-24T20:00 TTC Au – TTC Bach');
    expect(notes).toEqual(['In row 2, only the first time of "Do 24.09.2026 20:00 v" was taken.']);
    const star = await readLines(['Datum;Zeit;Was', '1.5.2026;19:30*;Spiel']);
    expect(star.texts).toEqual(['2026-05-01T19:30 Spiel']);
  });

  it('at the end of a day is the start of the next one, with a note', async () => {
    const { texts, notes } = await readLines([
      'Datum;Zeit;Was',
      '31.12.2026;24:00;Feuerwerk',
      '24.12.2026;12 midnight;Mass',
    ]);
    expect(texts).toEqual(['2027-01-01T00:00 Feuerwerk', '2026-12-25T00:00 Mass']);
    expect(notes).toEqual([
      'In 2 rows, the time is the end of the day: row 2: "24:00", row 3: "12 midnight". These events begin at 00:00 on the next day.',
    ]);
  });

  it('a time with a Z is in UTC', async () => {
    const lines = ['date,time,name', '2026-05-01,18:00Z,Run'];
    expect((await readLines(lines, { timeZone: 'Europe/Berlin' })).texts).toEqual([
      '2026-05-01T18:00 Run',
    ]);
  });
});

describe('a column', () => {
  it('a column of weekdays is compared with the dates', async () => {
    const { notes } = await readLines([
      'Tag;Datum;Was',
      'Fr;1.5.2026;Fest',
      'Fr;2.5.2026;Lauf',
      'Mo.;3.5.2026;Kino',
    ]);
    expect(notes).toEqual([
      'In 2 rows, the weekday does not fit the date: row 3: "Fr 2026-05-02", row 4: "Mo. 2026-05-03". The dates were taken.',
    ]);
  });

  it('a column of prices is no time', async () => {
    const { texts } = await readLines(['Datum;Was;Extra', '1.5.2026;Fest;12.50']);
    expect(texts).toEqual(['2026-05-01T00:00 Fest']);
  });

  it('a column of persons is not the name of the events without a question', async () => {
    const lines = 'Name;E-Mail;Veranstaltung;Datum\nAnna;a@b.example;Fest;1.5.2026';
    expect(await readRefusal(lines)).toMatch(/"Name", "Veranstaltung"/);
  });
});

describe('the end of an event', () => {
  const notesOf = async (lines: readonly string[], options: Partial<SourceOptions> = {}) =>
    (await readLines(lines, options)).events.map(({ description }) => description);

  it('the end of an event is the first line of its note, in the language of the reader', async () => {
    const lines = ['Datum;Beginn;Ende;Titel;Bemerkung', '1.5.2026;18:00;22:00;Fest;Kuchen'];
    expect(await notesOf(lines)).toEqual(['Until 22:00\nKuchen']);
    expect(await notesOf(lines, { language: 'de-AT' })).toEqual(['Bis 22:00 Uhr\nKuchen']);
    expect(await notesOf(lines, { language: 'fr' })).toEqual(['Jusqu’à 22:00\nKuchen']);
    expect(await notesOf(lines, { language: 'nl-BE' })).toEqual(['Tot 22:00 uur\nKuchen']);
  });

  it('the end of an event may be in the cell of the time or of the date', async () => {
    const lines = ['Datum;Zeit;Titel', '1.5.2026;19.30–22 Uhr;A', '2.5.2026 14:00 - 17:30;;B'];
    expect(await notesOf(lines)).toEqual(['Until 22:00', 'Until 17:30']);
  });

  it('the end of an event is no second beginning, which has a note', async () => {
    const { events, notes } = await readLines([
      'Datum;Zeit;Titel',
      '1.5.2026;14:00 und 20:00;A',
      '2.5.2026 14 + 20 Uhr;;B',
      '3.5.2026;zwischen 14 und 16 Uhr;C',
    ]);
    expect(events.map(({ description }) => description)).toEqual([
      undefined,
      undefined,
      'Until 16:00',
    ]);
    expect(notes).toEqual([
      'In 2 rows, only the first time was taken: row 2: "14:00 und 20:00", row 3: "2.5.2026 14 + 20 Uhr".',
    ]);
  });

  it('the end of an event may be on another day, and is left out if it says nothing new', async () => {
    const lines = [
      'Subject,Start Date,Start Time,End Date,End Time',
      'Camp,2026-05-01,18:00,2026-05-03,12:00',
      'Disco,2026-05-01,20:00,2026-05-02,02:00',
      'Holiday,2026-05-01,,2026-05-02,00:00',
      'Fair,2026-05-01,,2026-05-04,00:00',
      'Talk,2026-05-01,18:00,2026-05-01,18:00',
    ];
    expect(await notesOf(lines)).toEqual([
      'Until Sun 3 May, 12:00',
      'Until 02:00',
      undefined,
      'Until Sun 3 May',
      undefined,
    ]);
  });

  it('the end of an event that cannot be read, or is before the start, has a note', async () => {
    const { events, notes } = await readLines([
      'Datum;Beginn;Ende;Datum bis;Titel',
      '1.5.2026;18:00;spät;;A',
      '2.5.2026;18:00;20:00;1.5.2026;B',
      '3.5.2026;18:00;22:00;3.5.2026;C',
    ]);
    expect(events.map(({ description }) => description)).toEqual([
      undefined,
      undefined,
      'Until 22:00',
    ]);
    expect(notes).toEqual([
      '"Ende": 2 values were left out, from row 2 on, as they are not values of this field: "spät", "20:00".',
    ]);
  });

  it('the end of an event is not added if the user chose the columns of the note', async () => {
    const lines = ['Datum;Ende;Titel;Info', '1.5.2026;22:00;Fest;x'];
    expect(await notesOf(lines, { map: { description: 'Info' } })).toEqual(['x']);
  });

  it('the end of an event is in the columns that the user chose for it', async () => {
    const lines = [
      'Datum;Zeit;Ende;Aufräumen;Abreise;Titel;Info',
      '1.5.2026;18:00;22:00;23:30;3.5.2026;Fest;x',
    ];
    const notesWith = (map: SourceOptions['map']) => notesOf(lines, { map });
    expect(await notesWith({ description: 'Info', ends: 'Ende' })).toEqual(['Until 22:00\nx']);
    expect(await notesWith({ ends: 'Aufräumen' })).toEqual(['Until 23:30\nx']);
    expect(await notesWith({ ends: ['Abreise', 'Ende'] })).toEqual(['Until Sun 3 May, 22:00\nx']);
    expect(await notesWith({ ends: null })).toEqual(['x']);
  });

  it('the end of an event is a time or a day in one column', async () => {
    const lines = ['Datum;Zeit;Ende;Titel', '1.5.2026;18:00;22:00;A', '2.5.2026;9:00;3.5.2026;B'];
    expect(await notesOf(lines)).toEqual(['Until 22:00', 'Until Sun 3 May']);
  });

  it('a column that the user chose for the end, but has none, has a note', async () => {
    const lines = ['Datum;Titel;Raum', '1.5.2026;Fest;Saal'];
    const { notes } = await readLines(lines, { map: { ends: 'Raum' } });
    expect(notes).toEqual([
      '"Raum": "Saal" in row 2 was left out, as it is not a value of this field.',
    ]);
  });
});

describe('a value that was dropped has a note', () => {
  it('a value that was dropped has a note if it is the error of a formula', async () => {
    const { events, notes } = await readLines([
      'Datum;Was;Ort',
      '1.5.2026;Fest;#N/A',
      '2.5.2026;Lauf;#BEZUG!',
    ]);
    expect(events.map(({ location }) => location)).toEqual(['', '']);
    expect(notes).toEqual([
      '2 formulas have errors, such as "#N/A" in row 2. These cells were read as empty.',
    ]);
  });

  it('a value that was dropped has a note if a column has the new date of moved events', async () => {
    const { texts, notes, ignored } = await readLines([
      'Termin;Uhrzeit;Neuer Termin;Was',
      '1.5.2026;18:00;;Fest',
      '2.5.2026;18:00;9.5.2026;Lauf',
      '3.5.2026;18:00;10.5.2026 20:00;Spiel',
      '4.5.2026;18:00;offen;Kino',
    ]);
    expect(texts).toEqual([
      '2026-05-01T18:00 Fest',
      '2026-05-09T18:00 Lauf',
      '2026-05-10T20:00 Spiel',
      '2026-05-04T18:00 Kino',
    ]);
    expect(ignored).toEqual([]);
    expect(notes).toEqual([
      expect.stringContaining('"offen" in row 5'),
      '2 rows were moved. Their new dates were taken: row 3: "9.5.2026", row 4: "10.5.2026 20:00".',
    ]);
  });

  it.each([
    ['verlegt auf 9.5.2026', 'cancelled'],
    ['moved to 9 May', 'cancelled'],
    ['déplacé au 9 mai', 'cancelled'],
    ['verplaatst naar 9 mei', 'cancelled'],
    ['verlegt auf 20 Uhr', 'active'],
    ['moved to the small hall', 'active'],
  ])('a text that an event was moved counts only with a date: %s', async (text, status) => {
    const { run, stored } = setUp();
    const lines = [
      'Datum;Zeit;Was;Bemerkung',
      '1.5.2026;18:00;Fest;',
      `2.5.2026;18:00;Lauf;${text}`,
    ];
    await run({ 'a.csv': lines.join('\n') });
    expect(stored().map((event) => event.status)).toEqual(['active', status]);
    expect(stored()[1]?.description).toBe(text);
  });

  it.each([
    ['Abgesagt', 'x', ''],
    ['Cancelled?', 'Yes', 'No'],
    ['Annulé', 'oui', 'non'],
    ['Afgelast', 'ja', 'nee'],
  ])('a mark in a column "%s" cancels its event, with a note', async (heading, yes, no) => {
    const { run, stored } = setUpInWords();
    const lines = [`Datum;Was;${heading}`, `1.5.2026;Fest;${no}`, `2.5.2026;Lauf;${yes}`];
    const { files } = await run({ 'a.csv': lines.join('\n') });
    expect(stored().map(({ status }) => status)).toEqual(['active', 'cancelled']);
    expect(files[0]?.notes).toContain(`Row 3 is cancelled, as it says "${heading}: ${yes}".`);
    expect(files[0]?.ignored).toEqual([]);
  });

  it('a value that was dropped has a note once, not twice', async () => {
    const { notes, ignored } = await readLines(['Datum;Was;Typ', '1.5.2026;Fest;Meisterschaft']);
    expect(notes).toEqual([expect.stringContaining('"Typ"')]);
    expect(ignored).toEqual([]);
  });
});

it.each(['Anlage', 'Sportanlage', 'Tennisanlage'])('"%s" is a place', async (heading) => {
  const { events } = await readLines([`Datum;Was;${heading}`, '1.5.2026;Fest;TC Au']);
  expect(events[0]?.location).toBe('TC Au');
});

it('a quote within a cell of CSV is part of it', async () => {
  const { texts } = await readLines([
    'Datum;Was',
    '1.5.2026;Tanz mit "Die Xaver"',
    '2.5.2026;Ball',
  ]);
  expect(texts).toEqual(['2026-05-01T00:00 Tanz mit "Die Xaver"', '2026-05-02T00:00 Ball']);
});

const heading = ['Datum', 'Titel'];

describe('the sheets of a workbook', () => {
  const season = {
    Rückrunde: rowsXml([heading, ['2.3.2027', 'C'], ['9.3.2027', 'B']]),
    Kontakte: rowsXml([['Name', 'Telefon']]),
    Feste: rowsXml([
      ['Wann', 'Fest'],
      ['1.7.2027', 'D'],
    ]),
  };
  const first = [heading, ['1.9.2026', 'A'], ['9.3.2027', 'B']];

  it('the sheets of a workbook are read together if they have the same headings; others with events are named', async () => {
    const { run, stored } = setUpInWords();
    const report = await run({ 'a.xlsx': makeXlsx(first, { more: season }) }, { details: true });
    expect(stored().map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(report.files[0]?.rows.map(({ place }) => place)).toEqual([
      'sheet "Termine", row 2',
      'sheet "Termine", row 3',
      'sheet "Rückrunde", row 2',
    ]);
    expect(report.files[0]?.notes).toEqual([
      '2 sheets with the same headings are read together: "Termine", "Rückrunde".',
      'These sheets are not read: "Kontakte", "Feste".',
      '"Feste" has events too, under other headings; import it with --sheet "Feste", or all with one --sheet NAME for each of "Termine", "Rückrunde", "Feste".',
      '1 event is in two sheets and was read once: "B, 2027-03-09". If these are two events, give them different names.',
    ]);
  });

  it('the sheets of a workbook are not read together if the user chose one', async () => {
    const { run, stored } = setUp();
    await run({ 'a.xlsx': makeXlsx(first, { more: season }) }, { sheet: ['Rückrunde'] });
    expect(stored().map(({ name }) => name)).toEqual(['C', 'B']);
  });

  it('sheets of a workbook with other headings are read in one pass if the user chose them', async () => {
    const { run, stored } = setUp();
    const sheet = ['Termine', 'Feste'];
    const report = await run({ 'a.xlsx': makeXlsx(first, { more: season }) }, { sheet });
    expect(stored().map(({ name }) => name)).toEqual(['A', 'B', 'D']);
    expect(report.files[0]?.taken.map((table) => table.sheet)).toEqual(sheet);
  });

  it('the sheets of a workbook have their own notes, questions and corrections', async () => {
    const { run, stored } = setUp();
    const more = { Zwei: rowsXml([heading, ['31.2.2027', 'B'], ['3', 'Summe']]) };
    const file = { 'a.xlsx': makeXlsx([heading, ['31.2.2027', 'A']], { more }) };
    const report = await run(file, { skipBadRows: true });
    expect(wordAll(report.files[0]?.rows)).toMatchObject([
      { place: 'sheet "Termine", row 2, "Datum" (date)' },
      { place: 'sheet "Zwei", row 2, "Datum" (date)', correctable: { sheet: 'Zwei' } },
    ]);
    expect(wordAll(report.files[0]?.notes)).toContain(
      '"Zwei": Row 3 has no event and was left out: "Summe".',
    );
    const corrections = ['Termine', 'Zwei'].map((sheet, at) => {
      return { file: 0, row: 2, sheet, field: 'date', text: `${at + 1}.3.2027` } as const;
    });
    await run(file, { corrections });
    expect(stored()).toMatchObject([
      { name: 'A', date: '2027-02-28T23:00:00.000Z' },
      { name: 'B', date: '2027-03-01T23:00:00.000Z' },
    ]);
  });
});

describe('a workbook', () => {
  const column = 'Datum;Titel;Zeit'.split(';');

  it('refuses a date whose formula has no result', async () => {
    const { run, stored } = setUpInWords();
    const formula = { xml: '<c r="A3"><f>A2+7</f><v></v></c>' };
    const rows = [column, ['1.5.2026', 'A', '18:00'], [formula, 'B', '18:00']];
    await expect(run({ 'a.xlsx': makeXlsx(rows) })).rejects.toThrow(
      'row 3, "Datum" (date): "#CALC!" is a formula without a result',
    );
    const error = [column, ['1.5.2026', 'A', '18:00'], ['#VALUE!', 'B', '18:00']];
    await expect(run({ 'a.xlsx': makeXlsx(error) })).rejects.toThrow('row 3, "Datum"');
    expect(stored()).toEqual([]);
  });

  it('a workbook has notes on its comments', async () => {
    const { run } = setUpInWords();
    const parts = xlsxParts(rowsXml([column, ['1.5.2026', 'A', '18:00']]));
    const relationships = `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="../comments1.xml"/></Relationships>`;
    const report = await run({
      'a.xlsx': zip({
        ...parts,
        'xl/worksheets/_rels/sheet1.xml.rels': relationships,
        'xl/comments1.xml':
          '<comments><commentList><comment ref="B2"><text><r><t>Moved!</t></r></text></comment></commentList></comments>',
      }),
    });
    const note = 'Comments on cells are not imported: row 2: "Moved!".';
    expect(report.files[0]?.notes).toEqual([note]);
    const cell = {
      xml: '<table:table-cell office:value-type="string"><office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Jan</dc:creator><text:p>Moved!</text:p></office:annotation><text:p>B</text:p></table:table-cell>',
    };
    const ods = makeOds(tableXml('Plan', [column, ['2.5.2026', cell, '']]));
    expect((await run({ 'b.ods': ods })).files[0]?.notes).toEqual([note]);
  });

  it('a workbook names the rows in the colour of a legend', async () => {
    const { run } = setUpInWords();
    const filled = (text: string) => ({
      xml: `<c s="2" t="inlineStr"><is><t>${text}</t></is></c>`,
    });
    const rows = [
      [filled('rot'), '= abgesagt'],
      column,
      ['1.5.2026', 'A'],
      ['2.5.2026', filled('B')],
    ];
    const parts = xlsxParts(rowsXml(rows), { formats: [0] });
    const fills =
      '<fills><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFF0000"/></patternFill></fill></fills>';
    const styles = (parts['xl/styles.xml'] ?? '')
      .replace('</numFmts>', `</numFmts>${fills}`)
      .replace('<xf numFmtId="0"/></cellXfs>', '<xf numFmtId="0" fillId="1"/></cellXfs>');
    const report = await run({ 'a.xlsx': zip({ ...parts, 'xl/styles.xml': styles }) });
    expect(report.files[0]?.notes).toContain(
      'Colours are not read. Rows in the colour of "rot = abgesagt": 4.',
    );
  });
});

describe('a cell that is struck through', () => {
  const rich = (...runs: readonly string[]): TestCell => ({
    xml: `<c t="inlineStr"><is>${runs.join('')}</is></c>`,
  });
  const struckRun = (text: string) => `<r><rPr><strike/></rPr><t>${text}</t></r>`;
  const plainRun = (text: string) => `<r><rPr><strike val="0"/></rPr><t>${text}</t></r>`;
  const styled = (style: number, text: string): TestCell => ({
    xml: `<c s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`,
  });

  const withStyle = (rows: readonly (readonly TestCell[])[]) => {
    const parts = xlsxParts(rowsXml(rows), { formats: [0] });
    const fonts = '<fonts><font/><font><strike/></font></fonts>';
    const styles = (parts['xl/styles.xml'] ?? '')
      .replace('</numFmts>', `</numFmts>${fonts}`)
      .replace('<xf numFmtId="0"/></cellXfs>', '<xf numFmtId="0" fontId="1"/></cellXfs>');
    return zip({ ...parts, 'xl/styles.xml': styles });
  };

  it('cancels its event in .xlsx, in its style or in its text', async () => {
    const rows = [
      ['Datum', 'Titel', 'Ort'],
      ['1.5.2026', 'A', styled(2, 'Saal')],
      ['2.5.2026', styled(2, 'B'), 'Saal'],
      [styled(2, '3.5.2026'), 'C', 'Saal'],
      ['4.5.2026', rich(struckRun('D')), 'Saal'],
      ['5.5.2026', rich(struckRun('alt'), plainRun(' E')), 'Saal'],
    ];
    const { run, stored } = setUpInWords();
    const report = await run({ 'a.xlsx': withStyle(rows) });
    expect(stored().map(({ name, status }) => `${name} ${status}`)).toEqual([
      'A active',
      'B cancelled',
      'C cancelled',
      'D cancelled',
      'E active',
    ]);
    expect(report.files[0]?.notes).toEqual([
      'In row 6, a part of a text is struck through and was left out. "E" was read.',
      '3 rows are cancelled, as they are struck through: row 3: "B", row 4: "3.5.2026", row 5: "D".',
      'All 5 dates are past, the last one is 2026-05-05.',
    ]);
  });

  it('is named if it is only the time, or the end', async () => {
    const rows = [
      ['Datum', 'Zeit', 'Ende', 'Titel'],
      ['1.5.2027', styled(2, '18:00'), '20:00', 'A'],
      ['2.5.2027', '18:00', styled(2, '20:00'), 'B'],
      ['3.5.2027', styled(2, '18:00'), '20:00', styled(2, 'C')],
    ];
    const { run, stored } = setUpInWords();
    const report = await run({ 'a.xlsx': withStyle(rows) });
    expect(stored().map(({ status }) => status)).toEqual(['active', 'active', 'cancelled']);
    expect(report.files[0]?.notes).toEqual([
      '2 times are struck through: row 2: "18:00", row 3: "20:00". They were taken; check whether they are still right.',
      'Row 4 is cancelled, as "C" is struck through.',
    ]);
  });

  it('cancels its event in .ods', async () => {
    const style =
      '<style:style style:name="ce1" style:family="table-cell"><style:text-properties style:text-line-through-style="solid"/></style:style>';
    const struck = {
      xml: '<table:table-cell table:style-name="ce1" office:value-type="string"><text:p xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">B</text:p></table:table-cell>',
    };
    const { run, stored } = setUp();
    await run({
      'a.ods': makeOds(tableXml('Plan', [heading, ['1.5.2026', 'A'], ['2.5.2026', struck]]), style),
    });
    expect(stored().map(({ status }) => status)).toEqual(['active', 'cancelled']);
  });
});

it('a date of a calendar with a stray Z is a date', async () => {
  const dates = ['DTSTART;VALUE=DATE:20260510Z', 'RDATE;VALUE=DATE:20260610Z'];
  const lines = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Fest', ...dates, 'END:VEVENT'];
  const { records } = await readText(calendar(lines.join('\r\n')));
  expect(records.map(({ values }) => values.date)).toEqual([
    '2026-05-09T22:00:00.000Z',
    '2026-06-09T22:00:00.000Z',
  ]);
});

describe('a file', () => {
  it('a file with macros is read without them', async () => {
    const { run } = setUp();
    const parts = xlsxParts(rowsXml([heading, ['1.5.2026', 'A']]));
    const types = (parts['[Content_Types].xml'] ?? '').replaceAll(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
      'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
    );
    const file = zip({ ...parts, '[Content_Types].xml': types, 'xl/vbaProject.bin': 'x' });
    expect(await run({ 'plan.xlsm': file })).toMatchObject({ added: 1 });
  });

  it.each(['ics', 'csv', 'json'])(
    'a file of zeros is refused at its start: .%s',
    async (ending) => {
      const { run } = setUpInWords();
      const zeros = { [`plan.${ending}`]: new Uint8Array(600) };
      await expect(run(zeros)).rejects.toThrow('this is not a text file');
    },
  );

  it('a file that marks an open table is refused with the reason', async () => {
    const { run } = setUpInWords();
    const lock = { '~$plan.xlsx': 'Anna'.padEnd(165) };
    await expect(run(lock)).rejects.toThrow('a table that is open in Excel; choose the table');
  });
});

describe('a row without a date', () => {
  it.each(['n.n.b.', 'n.N.', 'tbd', 'offen', 'n.t.b.', '?'])(
    'is left out and named: %s',
    async (cell) => {
      const lines = ['Datum;Was', '09.01.2027;Lauf', `${cell};Fest`, '16.01.2027;Ball'];
      const { events, notes } = await read(lines.join('\n'));
      expect(events.map(({ name }) => name)).toEqual(['Lauf', 'Ball']);
      expect(notes).toEqual(['Row 3 has no date and was left out: "Fest".']);
    },
  );

  it('has that of the row above, whose cell is named, unless its team plays there at that time', async () => {
    const { events, notes } = await read(
      [
        'Datum;Zeit;Heim;Gast',
        '09.01.2027;15:00;TV A;TV B',
        ';15:00;TV A;TV F',
        '16.01.2027;15:00;TV C;TV A',
        ';17:00;TV A 2;TV G',
      ].join('\n'),
    );
    expect(events.map(({ date, name }) => `${date.slice(0, 16)} ${name}`)).toEqual([
      '2027-01-09T15:00 TV A – TV B',
      '2027-01-16T15:00 TV C – TV A',
      '2027-01-16T17:00 TV A 2 – TV G',
    ]);
    expect(notes).toEqual([
      'Row 3 has no date and was left out: "TV A – TV F".',
      'Row 5 has a time but no date. It got the date of the row above: "16.01.2027".',
    ]);
  });

  it('is left out and named if it is a match, also among open dates', async () => {
    const { events, notes } = await read(
      ['Datum;Heim;Gast', '09.01.2027;TV A;TV B', ';TV A;TV D', 'tba;TV A;TV E', ';TV A;TV F'].join(
        '\n',
      ),
    );
    expect(events).toHaveLength(1);
    expect(notes).toEqual([
      'Rows 3–5 have no date and were left out: "TV A – TV D", "TV A – TV E", "TV A – TV F".',
    ]);
  });

  it('has no other day than that in another column', async () => {
    const lines = ['Alt am;Neu am;Zeit;Was', '9.1.2027;10.1.2027;15:00;A', '16.1.2027;;15:00;B'];
    const { events } = await read(lines.slice(0, 2).join('\n'), { map: { date: 'Neu am' } });
    expect(events.map(({ date }) => date.slice(0, 10))).toEqual(['2027-01-10']);
    const refusal = await readRefusal(lines.join('\n'), { map: { date: 'Neu am' } });
    expect(refusal).toContain('row 3');
  });
});

describe('a row without a name', () => {
  const lines = [
    'Datum;Zeit;Was;Ort',
    '13.03.2027;10:00;Turnen;Halle',
    '27.03.2027;11:00;Lauf;Wald',
  ];

  it.each(['20.03.2027;11:00;;', '20.03.2027;;;Halle', '20.03.2027;11:00;;Halle', '20.03.2027;;;'])(
    'is left out and named: %s',
    async (row) => {
      const { events, notes } = await read([...lines, row].join('\n'));
      expect(events.map(({ name }) => name)).toEqual(['Turnen', 'Lauf']);
      const text = row.split(';').filter(Boolean).join(' ');
      expect(notes).toEqual([`Row 4 has no name and was left out: "${text}".`]);
    },
  );

  it('is left out if it is a match without teams', async () => {
    const rows = ['Datum;Zeit;Heim;Gast', '13.03.2027;10:00;TV A;TV B', '20.03.2027;11:00;;'];
    const { events, notes } = await read(rows.join('\n'));
    expect(events).toHaveLength(1);
    expect(notes).toEqual(['Row 3 has no name and was left out: "20.03.2027 11:00".']);
  });

  it('is refused if most rows have none, or if it has an id', async () => {
    const rows = [...lines.slice(0, 2), '20.03.2027;11:00;;Halle', '27.03.2027;11:00;;Wald'];
    expect(await readRefusal(rows.join('\n'))).toMatch('row 3, "Was" (name): is empty');
    const withId = 'id;date;name\n1;2027-03-13;A\n2;2027-03-14;';
    expect(await readRefusal(withId)).toMatch('row 3, "name": is empty');
  });
});

it('a row that is skipped is not called cancelled', async () => {
  const { run, stored } = setUpInWords();
  const lines = [
    'Datum;Was;Bemerkung',
    '13.03.2027;Turnen;abgesagt',
    '31.02.2027;Kino;abgesagt',
    '31.02.2027;Lauf;verlegt von gestern',
  ];
  const report = await run({ 'a.csv': lines.join('\n') }, { skipBadRows: true });
  expect(stored().map(({ name, status }) => `${name} ${status}`)).toEqual(['Turnen cancelled']);
  expect(report.files[0]?.notes).toEqual(['Row 2 is cancelled, as it says "abgesagt".']);
});

it('HTML in a table becomes text', async () => {
  const lines = [
    'Datum;Was;Ort;Bemerkung',
    '13.03.2027;"<b>Fest</b> &amp; Feier<br>im Park";"Halle<br/>Nord";"<p>Eins</p><p>Zwei</p>"',
    '14.03.2027;R&D < 3 & mehr;"A\nB";1 < 2',
    '15.03.2027;<img src=x>;;',
  ];
  const { events } = await read(lines.join('\n'));
  expect(events).toMatchObject([
    { name: 'Fest & Feier im Park', location: 'Halle Nord', description: 'Eins\nZwei' },
    { name: 'R&D < 3 & mehr', location: 'A\nB', description: '1 < 2' },
    { name: '<img src=x>' },
  ]);
});

describe('a new day, time or place of an event that was moved', () => {
  it.each([
    [
      'Datum alt;Datum neu;Zeit;Was;Ort',
      '9.1.2027;10.1.2027;17:00;Fest;Süd',
      '16.1.2027;;17:00;Lauf;Süd',
    ],
    [
      'Datum;Zeit;Was;Ort;Neues Datum;Neue Zeit',
      '9.1.2027;15:00;Fest;Süd;10.1.2027;17:00',
      '16.1.2027;15:00;Lauf;Süd;;17:00',
    ],
    [
      'Date;Horaire;Activité;Lieu;Nouvel horaire',
      '10.01.2027;15h;Fest;Süd;17h',
      '16.01.2027;17h;Lauf;Süd;',
    ],
    ['Datum;Zeit;Was;Ort;neuer Ort', '10.1.2027;17:00;Fest;Nord;Süd', '16.1.2027;17:00;Lauf;Süd;'],
  ])('stands for the old one: %s', async (...lines) => {
    const { events } = await read(lines.join('\n'));
    expect(
      events.map(({ date, name, location }) => `${date.slice(0, 16)} ${name}, ${location}`),
    ).toEqual(['2027-01-10T17:00 Fest, Süd', '2027-01-16T17:00 Lauf, Süd']);
  });
});
