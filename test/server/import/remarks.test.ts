import { describe, expect, it } from 'vitest';
import { facts } from '../../../server/messages/facts.ts';
import { calendar, event, readText } from '../../support/ics.ts';
import type { TestCell } from '../../support/workbook.ts';
import { makeXlsx, rowsXml, xlsxParts } from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { read } from './csv-reading.ts';
import { setUpInWords } from './set-up.ts';

/** Remarks that cancel their event, in a note and behind a name. */
const cancelling = `
abgesagt
ABGESAGT!
entfällt
entfällt wegen Ferien
wegen Regen abgesagt
aufgrund von Krankheit leider abgesagt
wurde abgesagt
wird leider abgesagt
leider abgesagt - neuer Termin folgt
abgesagt, Ersatztermin 9.5.
abgesagt, bei Fragen bitte melden
fällt aus
fällt leider aus
fällt heute wegen Sturm aus
fällt krankheitsbedingt aus
Training fällt aus
findet nicht statt
findet leider nicht statt
Kein Training
verlegt auf 9.5.
auf den 9.5. verlegt
verschoben auf den 9.5.
auf unbestimmte Zeit verschoben
cancelled
Canceled: pitch frozen
Cancelled due to rain
has been cancelled
unfortunately cancelled
called off
does not take place
no meeting
postponed to 9 May
postponed until further notice
moved to 9 May
annulé
est annulée
a été annulée
annulé pour cause de pluie
n'a pas lieu
pas de répétition
reporté au 9 mai
afgelast
geannuleerd wegens ziekte
is helaas geannuleerd
gaat niet door
gaat helaas niet door
verplaatst naar 9 mei
annullato
gestaakt
nicht angetreten`;

/** Remarks that do not. */
const harmless = `
bei Regen abgesagt
wird bei Regen abgesagt
entfällt bei schlechtem Wetter
fällt bei Regen aus
falls es regnet, fällt es aus
abgesagt, falls es regnet
nicht abgesagt
wurde nicht abgesagt
fällt nicht aus
findet statt
findet nicht in der Halle statt
Ersatztermin für 5.5. (abgesagt)
Ersatz für das am 5.5. abgesagte Spiel
Nachholspiel, am 5.5. ausgefallen
verschoben vom 9.4.
verlegt in die Halle
verlegt auf 20 Uhr
Absagen bitte bis Freitag
Absage an Frau Müller
Absage bis 20.3. an Trainer
Training am 2.4. entfällt
Kein Training, dafür Weihnachtsfeier
Training statt 6.1. (fällt wegen Feiertag aus)
Bitte rechtzeitig abmelden
Abgesagtes wird nachgeholt
fällt auf einen Feiertag
fällt der Strom aus, dann mit Kerzen
abgesagt?
evtl. abgesagt
kann kurzfristig abgesagt werden
Kein Training für Anfänger
Ausgefallene Hüte sind willkommen
not cancelled
cancelled if wet
if wet, cancelled
may be cancelled
instead of the cancelled match
replaces the match cancelled on 5 May
cancel by Friday
free cancellation until Friday
moved to the small hall
rescheduled from 9 April
moved from 9 April
Is it cancelled?
annulé en cas de pluie
n'est pas annulé
si la sortie est annulée, appelez Anne
remplace la sortie annulée du 5 mai
annulation possible
reporté du 9 avril
niet afgelast
bij regen afgelast
indien afgelast volgt bericht
vervangt de afgelaste wedstrijd`;

const listOf = (text: string) => text.trim().split('\n');

/** Reads one event with a remark; returns its status, and the messages about it. */
async function readRemark(lines: readonly string[]) {
  const { events, notes } = await read(lines.join('\n'));
  return { status: events[0]?.status, notes };
}
const inNote = (remark: string) => ['Datum;Zeit;Was;Info', `1.5.2026;18:00;Fest;"${remark}"`];
const behindName = (remark: string) => ['Datum;Zeit;Was', `1.5.2026;18:00;"Fest - ${remark}"`];

describe.each([
  ['in a note', inNote],
  ['behind a name', behindName],
])('a remark %s', (_, linesOf) => {
  it.each(listOf(cancelling))('cancels its event: %s', async (remark) => {
    const { status, notes } = await readRemark(linesOf(remark));
    expect(status).toBe('cancelled');
    expect(notes).toEqual([expect.stringMatching(/^Row 2 is cancelled, as it says /)]);
  });

  it.each(listOf(harmless))('does not cancel its event: %s', async (remark) => {
    expect((await readRemark(linesOf(remark))).status).not.toBe('cancelled');
  });
});

it.each([
  'Das Konzert ist abgesagt',
  'evtl. abgesagt',
  'abgesagt?',
  'Ersatztermin für 5.5. (abgesagt)',
  'may be cancelled',
  'le concert du soir est annulé',
  'het concert is afgelast',
])('a remark that may cancel its event has a line of its own: %s', async (remark) => {
  const { status, notes } = await readRemark(inNote(remark));
  expect(status).toBeUndefined();
  expect(notes).toEqual([`Row 2 may be cancelled: "${remark}".`]);
});

it.each([
  ...['findet nicht statt', 'abgebrochen', 'nicht angetreten', 'Absage', 'annullato', 'gestaakt'],
  ...['void', "n'a pas lieu", 'has been cancelled'],
])('the status "%s" is cancelled', async (status) => {
  const lines = ['Datum;Was;Status', '1.5.2026;Fest;geplant', `2.5.2026;Lauf;${status}`];
  const { events, notes } = await read(lines.join('\n'));
  expect(events.map((event) => event.status)).toEqual(['active', 'cancelled']);
  expect(notes).toEqual([]);
});

it.each([
  ['Absage', 'x', ''],
  ['Findet statt', 'nein', 'ja'],
  ['Takes place?', 'no', 'yes'],
  ['Gaat door', 'nee', 'ja'],
])('a mark below "%s" cancels its event', async (heading, yes, no) => {
  const lines = [`Datum;Was;${heading}`, `1.5.2026;Fest;${no}`, `2.5.2026;Lauf;${yes}`];
  const { events, notes, ignored } = await read(lines.join('\n'));
  expect(events.map(({ status }) => status)).toEqual([undefined, 'cancelled']);
  expect(notes).toEqual([`Row 3 is cancelled, as it says "${heading}: ${yes}".`]);
  expect(ignored).toEqual([]);
});

it('a day below "Abgesagt am" cancels its event', async () => {
  const lines = ['Datum;Was;Abgesagt am', '1.5.2026;Fest;', '2.5.2026;Lauf;28.4.2026'];
  const { events, notes } = await read(lines.join('\n'));
  expect(events.map(({ status }) => status)).toEqual([undefined, 'cancelled']);
  expect(notes).toEqual(['Row 3 is cancelled, as it says "Abgesagt am: 28.4.2026".']);
});

it.each(['verlegt', 'Verplaatst', 'Rescheduled', 'moved', 'déplacé', 'neu angesetzt'])(
  'the status "%s" asks for a look at the date',
  async (status) => {
    const lines = ['Datum;Was;Status', '1.5.2026;Fest;geplant', `2.5.2026;Lauf;${status}`];
    const { events, notes } = await read(lines.join('\n'));
    expect(events.map((one) => one.status)).toEqual(['active', 'active']);
    expect(notes).toEqual([
      `Row 3 says "${status}". Check that its date and time are the new ones.`,
    ]);
  },
);

it('the status "verlegt auf 20.2.2027" cancels its event, with one line', async () => {
  const lines = ['Datum;Was;Status', '1.5.2026;Fest;geplant', '2.5.2026;Lauf;verlegt auf 9.5.2026'];
  const { events, notes } = await read(lines.join('\n'));
  expect(events.map(({ status }) => status)).toEqual(['active', 'cancelled']);
  expect(notes).toEqual(['Row 3 is cancelled, as it says "verlegt auf 9.5.2026".']);
});

it.each([
  ...['findet am 13.3. statt', 'neuer Termin: 14.03.2027', 'neue Uhrzeit 19:30'],
  ...['Verlegung beantragt', 'Ausweichtermin 20.03.', 'new date: 14 March', 'nouvel horaire : 19h'],
])('a remark of another date or time has a line: %s', async (remark) => {
  const { status, notes } = await readRemark(inNote(remark));
  expect(status).toBeUndefined();
  expect(notes).toEqual([`Row 2 says "${remark}". Check that its date and time are the new ones.`]);
});

it.each(['verlegt vom 9.4.', 'moved from 9 April', 'Nachholtermin für den 9.4.', 'findet statt'])(
  'a remark of the day before has none: %s',
  async (remark) => {
    expect((await readRemark(inNote(remark))).notes).toEqual([]);
  },
);

it('a date below "Nachholtermin" is the new date of its event', async () => {
  const lines = ['Datum;Was;Nachholtermin', '1.5.2026;Fest;', '2.5.2026;Lauf;9.5.2026'];
  const { events, notes } = await read(lines.join('\n'));
  expect(events.map(({ date }) => date.slice(0, 10))).toEqual(['2026-05-01', '2026-05-09']);
  expect(notes).toEqual(['Row 3 was moved. Its new date was taken: "9.5.2026".']);
});

it.each(['entfällt', 'fällt aus', 'cancelled', 'annulé', 'afgelast'])(
  'the word "%s" instead of a time cancels its event',
  async (word) => {
    const lines = ['Datum;Zeit;Was', '1.5.2026;18:00;Fest', `2.5.2026;${word};Lauf`];
    const { events, notes } = await read(lines.join('\n'));
    expect(events.map(({ status, name }) => `${name} ${status}`)).toEqual([
      'Fest undefined',
      'Lauf cancelled',
    ]);
    expect(notes).toEqual([`Row 3 is cancelled, as it says "${word}".`]);
  },
);

describe('a legend', () => {
  it('does not cancel the event of its row if it stands beside the table', async () => {
    const { run, stored } = setUpInWords();
    const rows = [
      ['Datum', 'Was', '', '', '', ''],
      ['1.5.2026', 'Fest', '', '', '', 'abgesagt'],
      ['2.5.2026', 'Lauf', '', '', '', ''],
    ];
    const report = await run({ 'a.xlsx': makeXlsx(rows) });
    expect(stored().map(({ status }) => status)).toEqual(['active', 'active']);
    expect(report.files[0]?.notes).toContain('Row 2 may be cancelled: "abgesagt".');
  });

  it('in words names the rows with a colour', async () => {
    const { run } = setUpInWords();
    const red = (text: string): TestCell => ({
      xml: `<c s="2" t="inlineStr"><is><t>${text}</t></is></c>`,
    });
    const rows = [
      ['rot = abgesagt'],
      ['Datum', 'Was'],
      ['1.5.2026', 'A'],
      [red('2.5.2026'), red('B')],
    ];
    const parts = xlsxParts(rowsXml(rows), { formats: [0] });
    const fills =
      '<fills><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFF0000"/></patternFill></fill></fills>';
    const styles = (parts['xl/styles.xml'] ?? '')
      .replace('</numFmts>', `</numFmts>${fills}`)
      .replace('<xf numFmtId="0"/></cellXfs>', '<xf numFmtId="0" fillId="1"/></cellXfs>');
    const report = await run({ 'a.xlsx': zip({ ...parts, 'xl/styles.xml': styles }) });
    expect(report.files[0]?.notes).toContain(
      'Colours are not read, but "rot = abgesagt" says what one means. Rows with a colour: 4.',
    );
  });
});

describe('a calendar', () => {
  const escaped = (text: string) => text.replace(/[\\,;]/g, '\\$&');
  const statusOf = async (...lines: readonly string[]) => {
    const { records, notes } = await readText(calendar(event(...lines)));
    return { status: records[0]?.values.status, notes };
  };

  it.each(listOf(cancelling))('cancels an event whose name or note says so: %s', async (remark) => {
    const named = await statusOf(`SUMMARY:Fest - ${escaped(remark)}`, 'STATUS:CONFIRMED');
    const noted = await statusOf(`DESCRIPTION:${escaped(remark)}`);
    expect([named.status, noted.status]).toEqual(['cancelled', 'cancelled']);
    expect(noted.notes).toEqual([`1 event is cancelled, as it says "${remark}".`]);
  });

  it.each(listOf(harmless))('leaves an event alone whose note does not: %s', async (remark) => {
    const { status } = await statusOf(`DESCRIPTION:${escaped(remark)}`, 'STATUS:CONFIRMED');
    expect(status).toBe('active');
  });

  it('names all events that are or may be cancelled', async () => {
    const texts = Array.from({ length: 8 }, (_, at) => `Training ${at} fällt aus`);
    const events = [...texts, 'Fest', 'Das Konzert ist abgesagt'].map((text, at) =>
      event(`UID:${at}@x`, `SUMMARY:${text}`),
    );
    const { notes } = await readText(calendar(...events));
    expect(notes).toEqual([
      `8 events are cancelled, as they say so: ${texts.map((text) => `"${text}"`).join(', ')}.`,
      '1 event may be cancelled: "Das Konzert ist abgesagt".',
    ]);
  });

  it.each([
    [['X-CLUB-EVENTS-ID:7'], 'VERSION:2.0'],
    [[], `PRODID:${facts.productId}`],
  ])('of this program keeps the status of its events', async (own, line) => {
    const lines = ['SUMMARY:Training fällt aus', 'STATUS:CONFIRMED', ...own];
    const { records, notes } = await readText(calendar(line, event(...lines)));
    expect(records[0]?.values.status).toBe('active');
    expect(notes).toEqual([]);
  });
});
