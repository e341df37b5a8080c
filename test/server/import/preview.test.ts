import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeStore, openReader } from '../../../db/open.ts';
import { prepareUserReads } from '../../../db/users.ts';
import { type ActionResult, catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { addMember, makeTestHome } from '../../support/home.ts';
import { worded } from '../../support/words.ts';
import { makeXlsx } from '../../support/workbook.ts';
import { writeTestFile } from './files.ts';
import { type Worded, wordAll } from './set-up.ts';

type Preview = Worded<ActionResult<'import preview'>>;

async function previewAt(path: string, args: object = {}, home = makeTestHome()): Promise<Preview> {
  const tools = { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
  const given = { files: [path], timeZone: 'Europe/Berlin', ...args };
  try {
    return wordAll(await catalogue['import preview'].perform(given, tools));
  } catch (error) {
    throw worded(error);
  }
}

const preview = (name: string, content: string | Uint8Array, args: object = {}) =>
  previewAt(writeTestFile(name, content), args);

const takenAs = ({ columns }: Preview) =>
  Object.fromEntries(columns.map((column) => [column.name, column.takenAs]));

describe('the preview of a CSV file', () => {
  it('shows the field of each column, with samples, and the events of the rows', async () => {
    const shown = await preview(
      'season.csv',
      'Titel;Datum;Uhrzeit;Ort;Kosten\nSommerfest;1.5.2026;18:00;Halle;5\nTurnier;2.5.2026;;Halle;5',
    );
    expect(shown).toMatchObject({ file: 'season.csv', format: 'csv', problems: [], failure: null });
    expect(shown.columns).toEqual([
      { name: 'Titel', samples: ['Sommerfest', 'Turnier'], takenAs: 'name' },
      { name: 'Datum', samples: ['1.5.2026', '2.5.2026'], takenAs: 'date' },
      { name: 'Uhrzeit', samples: ['18:00'], takenAs: 'time' },
      { name: 'Ort', samples: ['Halle'], takenAs: 'location' },
      { name: 'Kosten', samples: ['5'], takenAs: null },
    ]);
    const location = 'Halle';
    expect(shown.rows).toEqual([
      {
        place: 'row 2',
        values: { name: 'Sommerfest', date: '2026-05-01T16:00:00.000Z', location },
        problem: null,
      },
      {
        place: 'row 3',
        values: { name: 'Turnier', date: '2026-05-01T22:00:00.000Z', location },
        problem: null,
      },
    ]);
  });

  it('the preview of a CSV file goes by the map, also where it takes a column away', async () => {
    const content = 'Titel,Datum,Status,Stand\nA,2026-05-01,abgesagt,aktiv';
    expect(takenAs(await preview('a.csv', content))).toMatchObject({ Status: 'status' });
    const map = { status: 'Stand' };
    const mapped = await preview('a.csv', content, { map });
    expect(takenAs(mapped)).toMatchObject({ Status: null, Stand: 'status' });
    expect(mapped.rows[0]).toMatchObject({ values: { status: 'active' }, problem: null });
    const without = await preview('a.csv', content, { map: { status: null } });
    expect(takenAs(without)).toMatchObject({ Status: null, Stand: null });
    expect(without.rows[0]?.values).not.toHaveProperty('status');
  });

  it('the preview of a CSV file names columns that are missing, unknown, doubled or ambiguous', async () => {
    const missing = await preview('a.csv', 'x,y\nA,B');
    expect(missing.problems).toEqual([
      { kind: 'missing', field: 'name', reason: 'notInRows' },
      { kind: 'missing', field: 'date', reason: 'notInRows' },
    ]);
    expect(missing.rows).toEqual([{ place: 'row 2', values: {}, problem: null }]);
    const map = { name: 'Titel', date: 'x' };
    const other = await preview('a.csv', 'Titel,Titel,Beginn,Start\nA,B,C,D', { map });
    expect(other.problems).toEqual([
      { kind: 'repeated', field: 'name', name: 'Titel' },
      { kind: 'unknown', field: 'date', name: 'x' },
    ]);
    const { problems } = await preview('a.csv', 'Titel,Beginn,Start\nA,B,C');
    expect(problems).toEqual([{ kind: 'ambiguous', field: 'date', columns: ['Beginn', 'Start'] }]);
    const none = await preview('a.csv', 'Titel,Datum\nA,2026-05-01', { map: { name: null } });
    expect(none.problems).toEqual([{ kind: 'missing', field: 'name' }]);
  });

  it('the preview of a CSV file asks for the order of day and month only where no row shows it', async () => {
    const open = await preview('a.csv', 'name,date\nA,1/2/2026\nB,3/4/2026');
    expect(open.problems).toEqual([
      { kind: 'dateOrder', field: 'date', place: 'row 2', cell: '1/2/2026' },
    ]);
    expect(open.dates).toEqual({ haveSlashes: true, order: null, areLocal: false });
    expect(open.rows[0]).toEqual({
      place: 'row 2',
      values: { name: 'A', date: '1/2/2026' },
      problem: null,
    });
    const chosen = await preview('a.csv', 'name,date\nA,1/2/2026', { dateOrder: 'mdy' });
    expect(chosen).toMatchObject({ problems: [], dates: { haveSlashes: true, order: 'mdy' } });
    expect(chosen.rows[0]?.values.date).toBe('2026-01-01T23:00:00.000Z');
    const late = ['name,date', ...Array.from({ length: 50 }, () => 'A,1/2/2026'), 'B,31/1/2026'];
    const told = await preview('a.csv', late.join('\n'));
    expect(told).toMatchObject({ problems: [], dates: { haveSlashes: true, order: 'dmy' } });
  });

  it('the preview of a CSV file gives the reason for each bad row, and for the refusal of the file', async () => {
    const rows = ['id,name,date', '1,A,2026-02-30', '2,,2026-05-01', '3,C,2026-05-01'];
    const bad = await preview('a.csv', rows.join('\n'));
    expect(bad.rows.map(({ problem }) => problem?.field)).toEqual(['date', 'name', undefined]);
    expect(bad.rows[0]?.problem?.reason).toContain('"2026-02-30" does not exist');
    expect(bad.rows[0]?.values.date).toBe('2026-02-30');
    const cut = await preview('a.csv', 'name,date\nA,2026-05-01\nB');
    expect(cut.failure).toBeNull();
    expect(cut.rows[1]).toEqual({
      place: 'row 3',
      values: {},
      problem: { reason: expect.stringMatching(/^the row has more or fewer cells/) },
    });
    const late = await preview(
      'a.csv',
      'name,date,Uhrzeit\nA,2026-05-01,abends\nB,2026-05-01,9:00',
    );
    expect(late.rows.map(({ place, problem }) => [place, problem?.reason])).toEqual([
      ['row 2, "Uhrzeit"', '"abends" was not understood as a time; write it like 18:00'],
      ['row 3', undefined],
    ]);
    const mixed = await preview('a.csv', 'name,date\nA,1/2/2026\nB,13/1/2026\nC,1/13/2026');
    expect(mixed.failure).toBeNull();
    const quarrel = await preview('a.csv', 'name,date\nB,13/1/2026\nC,1/13/2026');
    expect(quarrel.failure?.values['reason']).toMatch(/write all dates in the same order/);
    expect(quarrel.dates.haveSlashes).toBe(true);
  });

  it('notes how the file was read where that is not plain', async () => {
    const latin = await preview('a.csv', Buffer.from('Titel;Datum\nJubil\xe4um;45000', 'latin1'));
    expect(latin.notes[0]).toBe('this was read as Windows-1252.');
    expect(latin.notes[1]).toMatch(/^one date is a number/);
    expect(latin.rows[0]?.values.name).toBe('Jubiläum');
  });

  it('reads the file as the user says', async () => {
    const bytes = Buffer.from('name,date\n\x9abungsplatz,2026-05-01', 'latin1');
    await expect(preview('a.csv', bytes)).rejects.toThrow(/its encoding is unclear/);
    const { rows, notes } = await preview('a.csv', bytes, { encoding: 'DOS' });
    expect(rows[0]?.values.name).toBe('Übungsplatz');
    expect(notes).toEqual([]);
    await expect(preview('a.csv', bytes, { encoding: 'klingon' })).rejects.toMatchObject({
      code: 'encoding_unknown',
      message: expect.stringMatching(
        /^"klingon" is not an encoding; usual ones are utf-8, .*cp850/,
      ),
    });
  });

  it('says whether the time zone matters', async () => {
    const areLocal = async (date: string) =>
      (await preview('a.csv', `name,date\nA,${date}`)).dates.areLocal;
    expect(await areLocal('2026-05-01T18:00')).toBe(true);
    expect(await areLocal('2026-05-01T18:00:00+02:00')).toBe(false);
  });

  it('the preview of a CSV file is bounded: so many rows, short samples, a bearable number of columns', {
    tags: 'long',
  }, async () => {
    const header = Array.from({ length: 16_384 }, (_, at) => `c${at}`);
    const row = header.map(() => 'x');
    row[0] = 'y'.repeat(10_000);
    const wide = await preview('a.csv', [header, ...Array(5).fill(row)].map(String).join('\n'), {
      map: { name: 'c0', date: 'c16383' },
      rows: 2,
    });
    expect(wide.columns).toHaveLength(301);
    expect(wide.rows).toHaveLength(2);
    expect(JSON.stringify(wide).length).toBeLessThan(50_000);
  });

  it.each([
    ['an empty file', '', /^a\.csv: the file is empty/],
    ['a workbook', makeXlsx([['a']]), /this is a workbook; change the end of its name to .xlsx/],
    ['a quote that is never closed', '"name,date', /a quote is opened and never closed/],
  ])('refuses %s as an import does', async (_, content, reason) => {
    await expect(preview('a.csv', content)).rejects.toThrow(reason);
  });
});

describe('the preview of a JSON file', () => {
  it('the preview of a JSON file has its members as columns', async () => {
    const events = [
      { Titel: 'A', date: '2026-05-01T18:00:00Z', tags: ['x'] },
      { Titel: 'B', date: '2026-05-02', location: null },
    ];
    const open = await preview('a.json', JSON.stringify({ events }));
    expect(open.problems).toEqual([{ kind: 'missing', field: 'name' }]);
    const shown = await preview('a.json', JSON.stringify(events), { map: { name: 'Titel' } });
    expect(takenAs(shown)).toEqual({
      Titel: 'name',
      date: 'date',
      tags: null,
      location: 'location',
    });
    expect(shown.columns[2]?.samples).toEqual(['["x"]']);
    expect(shown.rows[1]).toEqual({
      place: 'event 2',
      values: { name: 'B', date: '2026-05-01T22:00:00.000Z', location: '' },
      problem: null,
    });
    expect(shown.dates.areLocal).toBe(true);
    const gone = await preview('a.json', JSON.stringify(events), { map: { name: 'Name' } });
    expect(gone.problems).toEqual([{ kind: 'unknown', field: 'name', name: 'Name' }]);
  });

  it('the preview of a JSON file is that of events one a line, before any member is known', async () => {
    const shown = await preview('a.jsonl', '{"Was":"A","Wann":"2026-05-01"}\n{"Was":"B"}\n');
    expect(takenAs(shown)).toEqual({ Was: null, Wann: null });
    const map = { name: 'Was', date: 'Wann' };
    const { rows } = await preview('a.jsonl', '{"Was":"A","Wann":"2026-05-01"}\n{"Was":"B"}', {
      map,
    });
    expect(rows.map(({ problem }) => problem?.field)).toEqual([undefined, 'date']);
  });

  it.each([
    ['what is cut off', '{"events":[', /the data ends too early/],
    ['what is not JSON', 'name,date', /not valid JSON/],
  ])('refuses %s as an import does', async (_, content, reason) => {
    await expect(preview('a.json', content)).rejects.toThrow(reason);
  });
});

it('shows the values of a list that are no events as bad rows', async () => {
  const event = { name: 'A', date: '2026-05-01T18:00:00Z' };
  const { columns, failure, problems, rows } = await preview('a.json', JSON.stringify([1, event]));
  expect({ failure, problems }).toEqual({ failure: null, problems: [] });
  expect(columns.map(({ name }) => name)).toEqual(['name', 'date']);
  expect(rows.map(({ place, problem }) => [place, problem])).toEqual([
    ['event 1', { reason: 'this is not an object' }],
    ['event 2', null],
  ]);
});

describe('the preview of a calendar', () => {
  it('shows the first events and asks for nothing', async () => {
    const event = (at: number, start: string) =>
      `BEGIN:VEVENT\nUID:${at}\nDTSTAMP:20260101T000000Z\nSUMMARY:E${at}\n${start}\nEND:VEVENT\n`;
    const calendar = (start: string) =>
      `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n${event(1, start)}${event(2, start)}END:VCALENDAR\n`;
    const shown = await preview('a.ics', calendar('DTSTART:20260501T180000Z'), { rows: 1 });
    expect(shown).toMatchObject({ format: 'ics', columns: [], problems: [] });
    expect(shown.rows).toHaveLength(1);
    expect(shown.rows[0]?.values).toMatchObject({ name: 'E1', date: '2026-05-01T18:00:00.000Z' });
    expect(shown.dates.areLocal).toBe(false);
    const local = await preview('a.ics', calendar('DTSTART:20260501T180000'));
    expect(local.dates.areLocal).toBe(true);
    expect(local.rows[0]?.values.date).toBe('2026-05-01T16:00:00.000Z');
  });
});

it('shows the bad events of a calendar among the others', async () => {
  const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
  const good = event('UID:2', 'SUMMARY:B', 'DTSTART:20260501T180000Z');
  const lines = ['BEGIN:VCALENDAR', ...event('UID:1'), ...good, 'END:VCALENDAR', ''];
  const { failure, rows } = await preview('a.ics', lines.join('\n'));
  expect(failure).toBeNull();
  expect(rows.map(({ place, problem }) => [place, problem])).toEqual([
    ['event 1', { reason: 'the DTSTART is missing; every event needs one' }],
    ['event 2', null],
  ]);
});

describe('a preview', () => {
  it('changes nothing', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    await previewAt(writeTestFile('a.csv', 'name,date\nA,2026-05-01'), {}, home);
    const db = openReader(home.database);
    const users = prepareUserReads(db).all();
    closeStore(db);
    expect(users.map(({ events }) => events)).toEqual([0]);
  });

  it('a preview is of one file, which is not the database', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    await expect(previewAt(home.database, { format: 'csv' }, home)).rejects.toThrow(
      /is the database itself/,
    );
    await expect(previewAt('/nowhere/a.csv')).rejects.toThrow(/does not exist/);
    await expect(previewAt('a.csv', { files: ['a.csv', 'b.csv'] })).rejects.toMatchObject({
      code: 'arguments_invalid',
    });
  });
});

const data = join(import.meta.dirname, '../../../../shared/data');
const available = existsSync(data);
if (!available) {
  process.stderr.write('Skipped: previews of the real data, which is not beside this checkout.\n');
}

describe.skipIf(!available)('the preview of real data', () => {
  it('finds name, date and city of the conferences by itself, and the rest by the map', async () => {
    const csv = join(data, 'conferences.csv');
    const open = await previewAt(csv);
    expect(open.problems).toEqual([]);
    // The last day is in the note.
    const fields = ['date', 'name', 'location', 'description'];
    expect(Object.keys(open.rows[0]?.values ?? {})).toEqual(fields);
    const map = { location: 'city', description: 'url' };
    const shown = await previewAt(csv, { map });
    expect(shown.problems).toEqual([]);
    expect(shown.rows[0]?.values).toEqual({
      name: 'Rubyfuza',
      date: '2013-02-06T23:00:00.000Z',
      location: 'Cape Town',
      description: 'http://rubyfuza.org',
    });
  });

  it('finds nothing to ask of the JSON conferences and of the matches', async () => {
    for (const name of ['conferences.json', 'matches.ics']) {
      const shown = await previewAt(join(data, name));
      expect(shown).toMatchObject({ problems: [], failure: null });
      expect(shown.rows).toHaveLength(10);
      expect(shown.rows.every(({ problem }) => problem === null)).toBe(true);
    }
  });
});
