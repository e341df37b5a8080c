import { describe, expect, it } from 'vitest';
import { eventFields } from '../../../db/model.ts';
import { read, readRefusal } from './csv-reading.ts';

const whole = {
  id: 7,
  name: 'Lauf',
  date: '2026-05-01T18:00:00.000Z',
  location: 'Halle',
  description: 'Text',
  status: 'cancelled',
  eventType: 'club',
  registrationOpen: true,
  createdAt: '2026-01-02T00:00:00.000Z',
};

describe('a header', () => {
  it.each([
    [
      'ID;Veranstaltung;Datum;Uhrzeit;Ort;Beschreibung;Status;Art;Anmeldung offen;Erstellt',
      '7;Lauf;1.5.2026;18:00;Halle;Text;abgesagt;Verein;ja;2.1.2026',
    ],
    [
      'ID;Titel;Beginn;Zeit;Ort;Beschreibung;Status;Typ;Anmeldung-offen;Erstellt am',
      '7;Lauf;01.05.26;18.00 Uhr;Halle;Text;Abgesagt;Club;wahr;2026-01-02',
    ],
    [
      'id,title,start,time,place,description,status,type,registration open,created',
      '7,Lauf,2026-05-01,6:00 PM,Halle,Text,Canceled,club,Yes,2026-01-02',
    ],
    [
      'Id;Événement;Début;Heure;Lieu;Description;Statut;Type;Inscriptions ouvertes;Créé',
      '7;Lauf;1.5.2026;18h00;Halle;Text;annulé;Club;oui;2-1-2026',
    ],
    [
      'Id;Naam;Datum;Tijd;Plaats;Omschrijving;Status;Soort;Inschrijving open;Aangemaakt',
      '7;Lauf;1-5-2026;18:00:00;Halle;Text;geannuleerd;Vereniging;waar;2-1-2026',
    ],
    [
      ' ID ;NAME;DATE;location;  Beschreibung;STATUS;event_type;Registration_Open;created-at',
      '7;Lauf;2026-05-01 18:00;Halle;Text;cancelled;club;x;2026-01-02',
    ],
  ])('a header may be in any of the languages: %s', async (header, row) => {
    const { events, ignored } = await read(`${header}\n${row}\n`);
    expect(events).toEqual([whole]);
    expect(ignored).toEqual([]);
  });

  it('a header is meant by a word for events before "name", by the names of other fields before their words, and by a map before all', async () => {
    const text = 'Titel,name,Datum,date\nA,B,2026-05-01,2026-05-02\n';
    const own = await read(text);
    expect(own.events).toMatchObject([{ name: 'A', date: '2026-05-02T00:00:00.000Z' }]);
    expect(own.ignored).toEqual(['name', 'Datum']);
    const mapped = await read(text, { map: { name: 'name', date: 'Datum' } });
    expect(mapped.events).toMatchObject([{ name: 'B', date: '2026-05-01T00:00:00.000Z' }]);
    expect(mapped.ignored).toEqual(['Titel', 'date']);
  });

  it('a header does not take a column for two fields', async () => {
    const { events } = await read('Titel,Ort,Datum\nA,B,2026-05-01\n', { map: { name: 'Ort' } });
    expect(events).toEqual([{ name: 'B', date: '2026-05-01T00:00:00.000Z' }]);
  });

  it.each([
    [
      'Titel,Veranstaltung,Datum',
      /row 1: the columns "Titel", "Veranstaltung" could both be the name; choose one with --map name=COLUMN/,
    ],
    ['name,Kosten,Datum,Beginn', /"Datum", "Beginn" could both be the date; .*--map date=COLUMN/],
    [
      'name,Name,date',
      /two columns are named "name"; choose one with --map name=COLUMN, of "A", "B"/,
    ],
  ])('a header is refused when it is not clear: %s', async (header, sentence) => {
    expect(await readRefusal(`${header}\na,b,2026-05-01,2026-05-02\n`)).toMatch(sentence);
  });

  it('a header is refused when two columns could be the time', async () => {
    const refusal = await readRefusal('name,date,Uhrzeit,Zeit\nA,2026-05-01,18:00,19:00\n');
    expect(refusal).toMatch(/"Uhrzeit", "Zeit" could both be the time; .*--map time=COLUMN/);
  });

  it('a header is refused when two columns could be the name', async () => {
    const refusal = await readRefusal('x,y,date\na,b,2026-05-01\n');
    expect(refusal).toMatch(/there is no column "name"; choose one with --map name=COLUMN, of/);
  });

  it('a header may repeat names that are not needed, leave some empty and have hostile ones', async () => {
    const header = 'x,x,,,__proto__,constructor,toString,name,date';
    const { events, ignored } = await read(`${header}\n1,2,3,4,5,6,7,A,2026-05-01\n`);
    expect(events).toEqual([{ name: 'A', date: '2026-05-01T00:00:00.000Z' }]);
    expect(ignored).toEqual(['x', 'x', '__proto__', 'constructor', 'toString']);
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  });

  it('a header may map a column with a hostile name', async () => {
    const { events } = await read('__proto__,date\nA,2026-05-01\n', { map: { name: '__proto__' } });
    expect(events).toMatchObject([{ name: 'A' }]);
  });
});

describe('a word', () => {
  const head = 'name,date,status,eventType,registrationOpen\n';
  const readWords = async (words: string) => (await read(`${head}A,2026-05-01,${words}\n`)).events;

  it.each([
    ['draft', 'Entwurf BROUILLON concept Draft'],
    ['active', 'aktiv actif actief ACTIVE'],
    ['completed', 'abgeschlossen terminé Terminée afgerond'],
    ['cancelled', 'abgesagt annulé ANNULÉE geannuleerd canceled'],
  ])('a word is understood as the status %s: %s', async (status, words) => {
    for (const word of words.split(' '))
      expect(await readWords(`${word},,`)).toMatchObject([{ status }]);
  });

  it.each([
    ['regional', 'regional Régional régionale regionaal'],
    ['national', 'National nationale nationaal'],
    ['international', 'internationale internationaal INTERNATIONAL'],
    ['club', 'Verein Club vereniging'],
  ])('a word is understood as the type %s: %s', async (eventType, words) => {
    for (const word of words.split(' '))
      expect(await readWords(`,${word},`)).toMatchObject([{ eventType }]);
  });

  it.each([
    [true, 'true yes 1 ja oui wahr vrai waar x X'],
    [false, 'false no 0 nein non nee falsch faux onwaar NEIN'],
  ])('a word is understood as open or closed registration: %s', async (registrationOpen, words) => {
    for (const word of words.split(' ')) {
      expect(await readWords(`,,${word}`)).toMatchObject([{ registrationOpen }]);
    }
    expect((await readWords(',,'))[0]).not.toHaveProperty('registrationOpen');
  });

  it.each([
    ['constructor,,', /row 2, "status": "constructor" is not one of/],
    [',__proto__,', /row 2, "eventType": "__proto__" is not one of/],
    [',,constructor', /row 2, "registrationOpen": "constructor" is neither/],
    ['yes,,', /row 2, "status": "yes" is not one of/],
  ])('a word that means nothing is refused: %s', async (words, sentence) => {
    expect(await readRefusal(`${head}A,2026-05-01,${words}\n`)).toMatch(sentence);
  });
});

describe('a cell', () => {
  it('a cell that was protected from being a formula is its own text again', async () => {
    const cells = ["'=1+1", "'-x", "'@x", "''x", "'x", "'", ''];
    for (const [cell, text] of cells.map((cell, at) => [
      cell,
      ['=1+1', '-x', '@x', "'x", "'x", '', null][at],
    ])) {
      const { events } = await read(`name,date,description\nA,2026-05-01,"${cell}"\n`);
      expect(events[0]?.description).toBe(text);
    }
    const { events } = await read(`name,date,location,id\n'=A,2026-05-01,'+B,'-7\n`);
    expect(events).toMatchObject([{ name: '=A', location: '+B', id: -7 }]);
  });
});

it('has a name of its own for every field', async () => {
  const row = eventFields.map(
    (field) => ({ date: '2026-05-01', createdAt: '2026-05-01' })[field as 'date'] ?? '',
  );
  const text = `${eventFields.join(',')}\n${row.join(',').replace(',', ',A')}\n`;
  expect((await read(text)).ignored).toEqual([]);
});
