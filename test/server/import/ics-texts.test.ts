import { expect, it } from 'vitest';
import { textOfHtml } from '../../../server/import/html.ts';
import { calendar, event, readText } from '../../support/ics.ts';
import { read } from './csv-reading.ts';

it.each([
  [
    '<p>Erste Zeile</p><p>Zweite <b>Zeile</b>&nbsp;<a href="https://example.org">Link</a></p>',
    'Erste Zeile\nZweite Zeile Link (https://example.org)',
  ],
  [
    'Treff 9 Uhr<br>Abfahrt 10 Uhr<br/><br/>Bitte pünktlich',
    'Treff 9 Uhr\nAbfahrt 10 Uhr\n\nBitte pünktlich',
  ],
  ['<ul><li>Kuchen</li><li>Salat</li></ul>', '- Kuchen\n- Salat'],
  ['<a href="https://example.org/">https://example.org</a>', 'https://example.org'],
  [
    '<a href="mailto:a@b.example">Anna</a>, <a href="tel:+4312">+4312</a>',
    'Anna (a@b.example), +4312',
  ],
  ['<html-blob><u></u>Probe<u></u></html-blob>', 'Probe'],
  ['<html><head><style>p { color: red }</style></head><body>Fest</body></html>', 'Fest'],
  ['Fest &amp; Feier &#8211; K&ouml;ln &#x1F600;', 'Fest & Feier – Köln 😀'],
  // A name, not an element.
  ['<CODE/CRAFTS> &amp; friends', '<CODE/CRAFTS> & friends'],
  ['<table><tr><td>Tor</td><td>10</td></tr></table>', 'Tor 10'],
])('a note in HTML becomes text: %s', async (html, text) => {
  const description = html.replace(/[,;\\]/g, '\\$&');
  const { records } = await readText(calendar(event(`DESCRIPTION:${description}`)));
  expect(records[0]?.values.description).toBe(text);
});

it.each([
  'A < B > C, 1 <2 <3',
  'Anna <anna@club.example>',
  '<untitled> & more',
  '&c; &nosuch; &#0; &#xD800;',
  'two\n\n\n\nlines  \n',
])('a text that is not HTML stays as it is: %j', (text) => {
  expect(textOfHtml(text)).toBe(text);
});

it('a long text with many beginnings of elements takes little time', () => {
  const started = process.cpuUsage();
  for (const piece of ['<a href="', '<style>', '<!doctype ', ' ', '<a href="x">', '&#', '<']) {
    textOfHtml(`<p>${piece.repeat(200_000 / piece.length)}`);
  }
  expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
});

it('the title and the place of an event in a calendar are text on one line', async () => {
  const lines = ['SUMMARY:<b>Fest</b> &amp\\; Feier<br>', 'LOCATION:Saal<br>Köln'];
  const { records } = await readText(calendar(event(...lines)));
  expect(records[0]?.values).toMatchObject({ name: 'Fest & Feier', location: 'Saal Köln' });
  const picture = await readText(calendar(event('SUMMARY:<img src=x>')));
  expect(picture.records[0]?.values).toMatchObject({ name: '<img src=x>' });
});

it('an export of this program keeps its texts', async () => {
  const lines = ['SUMMARY:Fest &amp\\; <b>', 'DESCRIPTION:FrÃ¼h<br>', 'X-CLUB-EVENTS-ID:7'];
  const { records } = await readText(calendar(event(...lines)));
  expect(records[0]?.values).toMatchObject({ name: 'Fest &amp; <b>', description: 'FrÃ¼h<br>' });
});

it('a calendar whose texts were encoded twice has them as they were written', async () => {
  const { records } = await readText(calendar(event('SUMMARY:FrÃ¼hlingsfest â€“ KÃ¶ln')));
  expect(records[0]?.values.name).toBe('Frühlingsfest – Köln');
});

it('a table whose texts were encoded twice has them as they were written, with a note', async () => {
  const lines = [
    'Datum;Was;Ort',
    '1.5.2026;FrÃ¼hlingsfest;Ãœbersee',
    '2.5.2026;Café “Â” ÉÄ – Ç;Öl',
  ];
  const { events, notes } = await read(lines.join('\n'));
  expect(events.map(({ name, location }) => [name, location])).toEqual([
    ['Frühlingsfest', 'Übersee'],
    ['Café “Â” ÉÄ – Ç', 'Öl'],
  ]);
  expect(notes).toEqual([
    'Some texts were encoded twice. "FrÃ¼hlingsfest" was read as "Frühlingsfest".',
  ]);
});

it('the mark of MySQL for no value is none', async () => {
  const { events } = await read('Datum,Was,Ort,Bemerkung\n2026-05-01,Fest,\\N,\\N');
  expect(events[0]).toMatchObject({ location: '', description: null });
});

it('reads the texts of vCalendar 1.0', async () => {
  const lines = [
    'SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:F=C3=BCrst, sp=',
    '=C3=A4ter',
    'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Zeile 1=0D=0AZeile 2',
    'LOCATION;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCnchen',
  ];
  const text = calendar(event(...lines)).replace('VERSION:2.0', 'VERSION:1.0');
  const { records } = await readText(text);
  expect(records[0]?.values).toMatchObject({
    name: 'Fürst, später',
    description: 'Zeile 1\nZeile 2',
    location: 'München',
  });
});
