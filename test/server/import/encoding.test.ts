import { encode } from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { findEncoding } from '../../../server/import/encoding.ts';
import { calendar, event, readText } from '../../support/ics.ts';
import { read, readRefusal } from './csv-reading.ts';
import { setUp } from './set-up.ts';

const table = (names: readonly string[]) =>
  ['name,date', ...names.map((name) => `"${name}",2026-05-01`)].join('\r\n');

async function namesIn(encoding: string, ...names: readonly string[]) {
  const { events, notes } = await read(encode(table(names), encoding));
  return { names: events.map(({ name }) => name), notes };
}

describe('a short table', () => {
  it.each([
    ['Frühschoppen'],
    ['Weihnachtsfeier für Jung und Alt'],
    ['Straßenfest in Köln'],
    ['Frühschoppen', 'Übungsplatz', 'Größe', 'Ältestenrat', 'Österreich'],
    ['Fête de la musique', 'Élection', 'Randonnée à Orléans', 'Ça ira'],
    ['Reünie in België'],
    ['Reunión en Málaga', 'Niños', 'Peñíscola'],
    ['Kräftemessen in Malmö'],
  ])('a short table of CP850 is read as it was written: %s', async (...names) => {
    expect(await namesIn('cp850', ...names)).toEqual({ names, notes: ['this was read as CP850.'] });
  });

  it.each([
    ['Frühschoppen'],
    ['Fête d’été à Orléans'],
    ['Reünie', 'Coördinatie'],
    ['Straße', 'Köln', 'Österreich'],
  ])('a short table of Mac Roman is read as it was written: %s', async (...names) => {
    const notes = ['this was read as Mac Roman.'];
    expect(await namesIn('macintosh', ...names)).toEqual({ names, notes });
  });

  it.each([
    ['Übungsplatz'],
    ['Frühschoppen', '„Rot“ – weiß & blau… 5 €', 'Müller®, 20°C'],
    ['L’été «\xa0indien\xa0»', 'Œuvre', 'Noël', '5\xa0km'],
    ['Straße', 'Maß', 'Bräu'],
    ['Jan–Feb', 'Café', '¿Qué?', '¡Viva!', '3 m²'],
    ['Ærø', 'Þór', 'Ísland'],
  ])('a short table of Windows-1252 is read as it was written: %s', async (...names) => {
    const notes = ['this was read as Windows-1252.'];
    expect(await namesIn('windows-1252', ...names)).toEqual({ names, notes });
  });

  it.each([
    ['cp850', 'Übungsplatz'],
    ['cp850', 'Ärger'],
    ['cp850', 'Straße'],
    ['cp850', 'voilà'],
    ['cp850', 'île'],
    ['cp850', 'árbol'],
    ['windows-1252', 'Miloš'],
  ])(
    'a short table of %s is refused rather than garbled where more than one makes sense: %s',
    async (...[encoding, name]) => {
      const message = await readRefusal(encode(table([name]), encoding));
      expect(message).toMatch(
        /its encoding is unclear; save it again as "CSV UTF-8", or .*--encoding/,
      );
      const given = findEncoding(encoding);
      const { events } = await read(
        encode(table([name]), encoding),
        given ? { encoding: given } : {},
      );
      expect(events.map((one) => one.name)).toEqual([name]);
    },
  );

  it('a short table is read as the user says, without a note', async () => {
    const { events, notes } = await read(encode(table(['Žižka']), 'cp852'), { encoding: 'cp852' });
    expect(events.map(({ name }) => name)).toEqual(['Žižka']);
    expect(notes).toEqual([]);
  });

  it('a short table is refused when it is not as the user says', async () => {
    const windows = encode(table(['Fr\x81hling']), 'latin1');
    expect(await readRefusal(windows, { encoding: 'windows-1252' })).toMatch(
      /its byte 81 \(hex\) is not a character of Windows-1252/,
    );
    expect(await readRefusal(windows, { encoding: 'utf-8' })).toMatch(/the file is not UTF-8 text/);
  });
});

describe('a calendar', () => {
  const text = calendar(event('SUMMARY:Läufe für\r\n  Ältere', 'LOCATION:Café'), event('UID:2'));
  const namesOf = async (bytes: Uint8Array, encoding?: string) => {
    const { records, notes } = await readText(bytes, { chunk: 7, ...(encoding && { encoding }) });
    return { names: records.map(({ values }) => values.name), notes };
  };

  it.each([
    ['windows-1252', 'Windows-1252'],
    ['cp850', 'CP850'],
  ])('a calendar of %s is read as it was written', async (encoding, name) => {
    expect(await namesOf(encode(text, encoding))).toEqual({
      names: ['Läufe für Ältere', 'Run'],
      notes: [`this was read as ${name}.`],
    });
  });

  it.each(['cp850', 'utf-16le', 'utf-16be'])(
    'a calendar of %s is read as the user says',
    async (encoding) => {
      const { names, notes } = await namesOf(
        encode(`\ufeff${text}`.slice(encoding === 'cp850' ? 1 : 0), encoding),
        encoding,
      );
      expect(names).toEqual(['Läufe für Ältere', 'Run']);
      expect(notes).toEqual([]);
    },
  );

  it('a calendar of UTF-8 stays UTF-8 with a few damaged lines', async () => {
    const bytes = encode(text.replace('LOCATION:Café', 'X-FOO:@'), 'utf-8');
    bytes[bytes.indexOf(0x40, bytes.indexOf('X-FOO'))] = 0xe4;
    expect(await namesOf(bytes)).toEqual({
      names: ['Läufe für Ältere', 'Run'],
      notes: ['1 line was broken and left out.'],
    });
  });
});

it.each([
  ['ansi', 'windows-1252'],
  ['Latin-1', 'windows-1252'],
  ['DOS', 'cp850'],
  ['mac', 'macintosh'],
  ['UTF8', 'utf-8'],
  ['utf-16', 'utf-16le'],
  ['Windows-1250', 'windows-1250'],
  ['ISO-8859-15', 'iso-8859-15'],
  ['shift_jis', 'shift_jis'],
  ['base64', undefined],
  ['klingon', undefined],
  ['constructor', undefined],
])('knows the encoding %s as %s', (name, encoding) => {
  expect(findEncoding(name)).toBe(encoding);
});

it.each([
  ['a column for the time', { map: { time: 'start' } }],
  ['a sheet', { sheet: ['Fixtures'] }],
])('refuses %s for JSON', async (_, options) => {
  const { run } = setUp();
  const attempt = run({ 'a.json': '[]' }, options);
  await expect(attempt).rejects.toMatchObject({ code: 'option_for_tables' });
});

it('takes a sheet for the workbooks among several files', async () => {
  const { run } = setUp();
  const files = {
    'a.json': '[{"name":"A","date":"2026-05-01"}]',
    'b.csv': 'name,date\nB,2026-05-02',
  };
  expect(await run(files, { sheet: ['Fixtures'] })).toMatchObject({ added: 2 });
});

it('refuses another encoding for JSON', async () => {
  const { run } = setUp();
  const attempt = run({ 'a.json': '[]' }, { encoding: 'cp850' });
  await expect(attempt).rejects.toMatchObject({ code: 'json_encoding' });
});
