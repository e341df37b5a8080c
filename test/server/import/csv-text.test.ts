import { encode } from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type Content, read, readContents, readRefusal, refusalOf } from './csv-reading.ts';

const names = [
  'Frühlingsfest, groß',
  'Tür; "offen"',
  'Fête d’été\nà Orléans',
  'Coördinatie, reünie',
];
const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
const lineEnds = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const;

const russian =
  'Весенний турнир; Московский клуб любителей шахмат и шашек, открытое первенство города среди школьников';

const bom = '\ufeff';
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(bom + text),
  'UTF-16LE with a mark': (text) => encode(bom + text, 'utf-16le'),
  'UTF-16BE with a mark': (text) => encode(bom + text, 'utf-16be'),
  'UTF-16LE': (text) => encode(text, 'utf-16le'),
  'UTF-16BE': (text) => encode(text, 'utf-16be'),
  'Windows-1252': (text) => encode(text, 'windows-1252'),
  'Mac Roman': (text) => encode(text, 'macintosh'),
};

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function writeTable(delimiter: string, end: string): string {
  const rows = names.map((name) => [quote(name), '2026-05-01', 'Köln'].join(delimiter));
  return [`Name${delimiter}Datum${delimiter}Ort`, ...rows, ''].join(end);
}

const written = Object.keys(encodings).flatMap((encoding) =>
  Object.keys(delimiters).flatMap((delimiter) =>
    Object.keys(lineEnds).map((end) => [encoding, delimiter, end] as const),
  ),
);

describe('a table', () => {
  it.each(written)('says the same in %s with %s and %s', async (encoding, delimiter, end) => {
    const text = writeTable(
      delimiters[delimiter as keyof typeof delimiters],
      lineEnds[end as keyof typeof lineEnds],
    );
    const bytes = encodings[encoding]?.(text) ?? '';
    // Small pieces break characters, marks and line ends.
    for (const size of [65_536, 7, 1]) {
      const { events, notes } = await readContents([bytes], {}, size);
      expect(events.map(({ name }) => name)).toEqual(names);
      expect(new Set(events.map(({ location }) => location))).toEqual(new Set(['Köln']));
      const isPlain = encoding.startsWith('UTF-8') || encoding.endsWith('mark');
      expect(notes).toEqual(isPlain ? [] : [`this was read as ${encoding}.`]);
    }
  });

  it.each([
    ['Windows-1251', russian],
    ['KOI8-R', russian],
    ['ISO-8859-5', russian],
    ['ISO-8859-7', 'Ανοιξιάτικο τουρνουά στην αίθουσα του συλλόγου, Αθήνα'],
    [
      'ISO-8859-9',
      'Bahar şenliği, çocuklar için güzel bir gün olacak; ılık, öğrenciler ve öğretmenler için yarışma, şehir parkında büyük kutlama',
    ],
    ['Windows-1252', 'Vereinsmeisterschaft im Schützenhaus „Grüner Baum“ – für Mädchen'],
    ['Windows-1252', 'Club’s “best” evening – 5 €'],
    ['Windows-1252', 'Spaß'],
    ['Windows-1252', 'Geannuleerde reünie en coördinatie'],
    ['Windows-1252', 'Malmö, Göteborg, Västerås'],
    ['Windows-1252', 'São Paulo, José Muñoz'],
  ])('a table in %s is read as it was written: %s', async (encoding, name) => {
    const bytes = encode(`name,date\n"${name}",2026-05-01\n`, encoding.toLowerCase());
    const { events, notes } = await read(bytes);
    expect(events[0]?.name).toBe(name);
    expect(notes).toEqual([`this was read as ${encoding}.`]);
  });

  it('a table is reported when it begins like a mark of UTF-16', async () => {
    const { notes } = await read(encode('þ,name,date\nx,Þór,2026-05-01\n', 'windows-1252'));
    expect(notes).toEqual(['this was read as Windows-1252.']);
  });

  it('a table is decided by its last byte as well as by its first', { tags: 'long' }, async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => `Event ${at},2026-05-01`);
    const text = `name,date\n${rows.join('\n')}\nKüche,2026-05-01`;
    const { events, notes } = await read(encode(text, 'windows-1252'));
    expect(events.at(-1)?.name).toBe('Küche');
    expect(notes).toEqual(['this was read as Windows-1252.']);
  });

  it('opens a plain UTF-8 file three times', async () => {
    expect((await read('name,date\nKüche,2026-05-01\n')).opened).toBe(3);
  });

  it.each([
    ['sep=;\r\nname;date;location\r\nA, b;2026-05-01;x,y\r\n', 'A, b'],
    ['SEP=,\nname,date,location\nA; b,2026-05-01,"x,y"\n', 'A; b'],
    ['"sep=|"\nname|date|location\nA; b|2026-05-01|x,y\n', 'A; b'],
    ['\ufeffsep=\t\rname\tdate\tlocation\rA; b\t2026-05-01\tx,y\r', 'A; b'],
  ])('a table begins behind a line that names its delimiter: %j', async (text, name) => {
    const { events, places } = await read(text);
    expect(events).toMatchObject([{ name, location: 'x,y' }]);
    expect(places).toEqual(['row 2']);
  });

  it.each([
    ['name;date;location\nA,b,c;2026-05-01;x\nA,b;2026-05-01;y,z\n'],
    ['"a;b;c;d",name,date\n;;;,A,2026-05-01\n'],
    ['Name\tDatum\nA, b; c\t2026-05-01\n'],
    ['\n\nname;"da\nte, x, y";date\nA;b;2026-05-01\n'],
    ['name,date,a;b\nA,2026-05-01,x\n'],
    ['what, where, who, why;name;date\nA;B;2026-05-01\n'],
  ])('a table is cut where most rows are: %j', async (text) => {
    expect((await read(text)).events).toHaveLength(text.startsWith('name;date') ? 2 : 1);
  });

  it('a table may mix line ends, and have them in quotes', async () => {
    const text = 'name,date\r\n"a\r\nb",2026-05-01\nc,2026-05-01\r\r\nd,2026-05-01\n';
    const { events, places } = await read(text);
    expect(events.map(({ name }) => name)).toEqual(['a\r\nb', 'c', 'd']);
    expect(places).toEqual(['row 2', 'row 3', 'row 5']);
  });
});

describe('a file is refused in one sentence that says what to do', () => {
  const head = Buffer.from('name,date\n');
  const bytes = (...parts: readonly (Uint8Array | readonly number[])[]) =>
    Buffer.concat(parts.map((part) => Uint8Array.from(part)));

  it.each([
    ['a picture', bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), /not a text file/],
    ['zeros', Buffer.alloc(1000), /not a text file/],
    ['UTF-32', bytes([0xff, 0xfe, 0, 0], head), /UTF-32 text; save it again as "CSV UTF-8"/],
    [
      'a byte without a character',
      bytes(head, Buffer.from('F\xfcr \x81,2026-05-01', 'latin1')),
      /not UTF-8 text, and its encoding is unclear/,
    ],
    [
      'damaged UTF-8',
      bytes(head, Buffer.from('Müller, Köln, '), [0xff], Buffer.from(',2026-05-01')),
      /UTF-8 text with damaged characters/,
    ],
    [
      'a cut UTF-8 character',
      Buffer.from(`name,date\nKöln,2026-05-01ü`).subarray(0, -1),
      /damaged/,
    ],
    ['a surrogate in UTF-8', bytes([0xef, 0xbb, 0xbf], head, [0xed, 0xa0, 0x80]), /damaged/],
    [
      'half a character in UTF-16',
      encode('\ufeffname,date\na\ud800b,2026-05-01', 'utf-16le'),
      /UTF-16LE text with half of a two-part character/,
    ],
    ['cut UTF-16', encode('\ufeffname,date\na,2026-05-01', 'utf-16be').subarray(0, -1), /half of/],
    [
      'an unknown script',
      bytes(head, Buffer.alloc(900, '\xb7\xfe\xde\xad', 'latin1')),
      /its encoding is unclear/,
    ],
    ['a NUL in a row', 'name,date\na,2026-05-01\nb\0,2026-05-01', /row 3, "name": has a NUL/],
  ])(
    'a file is refused in one sentence that says what to do when it is or has %s',
    async (_, content, sentence) => {
      const message = await readRefusal(content);
      expect(message).toMatch(sentence);
      expect(message).toMatch(/^season\.csv[:,] [^\n]*\(nothing was imported\)\.$/);
      expect(message).not.toContain('\ufffd');
    },
  );

  it.each<[string, (text: string) => Content]>([
    ['grows', (text: string) => `${text}b,2026-05-02\n`],
    ['shrinks', (text: string) => text.slice(0, -20)],
    ['becomes empty', () => ''],
    ['has another letter', (text: string) => text.replace('Aa', 'Ab')],
    ['becomes Windows-1252', (text: string) => encode(text, 'windows-1252')],
  ])(
    'a file is refused in one sentence that says what to do when it %s between two readings',
    async (_, change) => {
      const text = 'name,date\nAa é,01/02/2026\nc,25/12/2026\nd,2026-01-01\n';
      for (const before of [1, 2]) {
        const contents: Content[] = [...Array.from({ length: before }, () => text), change(text)];
        const message = await refusalOf(readContents(contents));
        expect(message).toMatch(/the file changed while it was read; try again|cut off/);
      }
    },
  );

  it('a file is refused in one sentence that says what to do when it vanishes between two readings, with the error of the disk', async () => {
    const gone = Object.assign(new Error('gone'), { syscall: 'open', code: 'ENOENT' });
    const ignore = () => undefined;
    let opened = 0;
    const open = async function* open() {
      opened += 1;
      if (opened === 2) throw gone;
      yield Buffer.from('name,date\na,2026-05-01\n');
    };
    const { reader } = await import('../../../server/import/csv/reader.ts');
    const options = { map: {}, timeZone: 'UTC', now: new Date(), ignore, note: ignore };
    const reading = reader.read({ name: 'season.csv', open }, options)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toBe(gone);
  });
});
