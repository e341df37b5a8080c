import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { closeStore, openReader } from '../../../db/open.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import type { ActionTools } from '../../../server/club/tools.ts';
import { languages } from '../../../server/messages/messages.ts';
import { eventsOf, storedEvents } from '../../support/events.ts';
import {
  addMember,
  createdAt,
  makeEvent,
  makeTestFolder,
  makeTestHome,
} from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { requirePlace } from '../../support/place.ts';
import { fc } from '../../support/random.ts';

function toolsFor(home: Home, write: (piece: string) => void = () => undefined): ActionTools {
  return {
    home,
    now: () => new Date(createdAt),
    randomInt: () => 0,
    systemTimeZone: () => 'Europe/Berlin',
    write: async (piece) => write(String(piece)),
    onProgress: () => undefined,
  };
}

/** Returns the events of a club as `export` writes them to stdout. */
async function exportText(
  home: Home,
  format: string,
  more = {},
  now = new Date(createdAt),
): Promise<string> {
  let text = '';
  const tools = toolsFor(home, (piece) => {
    text += piece;
  });
  await catalogue.export.perform({ user: 'Chess', format, ...more }, { ...tools, now: () => now });
  return text;
}

/** A new club with what a text has, imported as a file of this ending. */
async function importText(text: string, ending: string): Promise<Home> {
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const file = join(makeTestFolder(), `events.${ending}`);
  writeFileSync(file, text);
  await catalogue.import.perform({ files: [file], user: 'Chess' }, toolsFor(home));
  return home;
}

function storedIn(home: Home): StoredEvent[] {
  const db = openReader(home.database);
  const events = storedEvents(db, 1);
  closeStore(db);
  return events;
}

const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('=1+1', '+49', '-', '@x', '\tx', "'", "''", "'=x", '"', ',', '\r\n', ' x ', ''),
  )
  .map((any) => any.replaceAll('\0', ''));

const event = eventsOf({
  id: fc.oneof(fc.integer({ min: -5, max: 50 }), fc.maxSafeInteger()),
  text,
});

describe.each(['json', 'csv', 'ics'])('an export as %s', (format) => {
  it('exports events that an import restores exactly', async () => {
    const events = fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: 30 });
    const property = fc.asyncProperty(events, async (all) => {
      const home = makeTestHome();
      await addMember(home, 'Chess', all);
      const sorted = all.toSorted((left, right) => left.id - right.id);
      expect(storedIn(home)).toEqual(sorted);
      const written = await exportText(home, format);
      const other = await importText(written, format);
      expect(storedIn(other)).toEqual(sorted);
      // Another club has UIDs of its own.
      const withoutUids = (text: string) => text.replace(/^UID:.*$/gm, '');
      expect(withoutUids(await exportText(other, format))).toBe(withoutUids(written));
    });
    await fc.assert(property, { numRuns: choose(15, 3) });
  });

  it('exports every event of a large club', { tags: 'long' }, async () => {
    const home = makeTestHome();
    const all = Array.from({ length: 2_345 }, (_, id) => makeEvent(id));
    await addMember(home, 'Chess', all);
    const other = await importText(await exportText(home, format), format);
    expect(storedIn(other)).toEqual(all);
  });
});

describe('a second export', () => {
  it.each(['csv', 'json', 'xlsx', 'ics', 'html'])(
    'is equal to the first as %s, on a later day',
    async (format) => {
      const home = makeTestHome();
      const dates = { date: '2099-05-01T18:00:00.000Z', createdAt: '2025-11-01T08:00:00.000Z' };
      await addMember(home, 'Chess', [makeEvent(1, dates), makeEvent(2, dates)]);
      const first = await exportText(home, format);
      expect(await exportText(home, format, {}, new Date('2026-03-01T00:00:00Z'))).toBe(first);
    },
  );

  it('has the time of its last change in the calendar entry of an event', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
    const edit = { id: 2, user: 'Chess', changes: { location: 'Hall' } };
    const later = { ...toolsFor(home), now: () => new Date('2026-02-01T08:00:00Z') };
    await catalogue['event edit'].perform(edit, later);
    const calendar = await exportText(home, 'ics', {}, new Date('2026-03-01T00:00:00Z'));
    expect(calendar.match(/^DTSTAMP:.*$/gm)).toEqual([
      'DTSTAMP:20260101T000000Z',
      'DTSTAMP:20260201T080000Z',
    ]);
    const page = await exportText(home, 'html', {}, new Date('2026-03-01T00:00:00Z'));
    expect(page).toContain('As of 1 February 2026.');
  });
});

describe('a CSV export', () => {
  it('writes RFC 4180 without cells that a spreadsheet would run', async () => {
    const home = makeTestHome();
    const names = ['=SUM(A1)', '+1', '-1', '@x', '\tx', "'x", 'a,b', 'say "hi"', 'two\r\nlines'];
    await addMember(
      home,
      'Chess',
      names.map((name, id) => makeEvent(id, { name })),
    );
    const written = await exportText(home, 'csv');
    expect(written.startsWith('id,name,date,location,description,status,')).toBe(true);
    expect(written.replace(/"(?:[^"]|"")*"/g, '').match(/[^\r]\n/)).toBeNull();
    const rows = parse(written, { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(names.length);
    for (const cell of rows.flatMap((row) => Object.values(row))) {
      expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }
    expect(rows.map(({ name }) => name)).toEqual(
      names.map((name) => (/^[=+\-@\t']/.test(name) ? `'${name}` : name)),
    );
  });
});

describe('CSV for spreadsheet programs', () => {
  const spreadsheet = { spreadsheet: ';', timeZone: 'Europe/Berlin' };

  it('CSV for spreadsheet programs has local dates, headings and words in the language of the reader', async () => {
    const home = makeTestHome();
    const more = { registrationOpen: false, createdAt: '2026-01-02T03:04:05.678Z' };
    await addMember(home, 'Chess', [
      makeEvent(1, { ...more, date: '2026-05-01T17:30:00.000Z' }),
      makeEvent(2, { date: '2026-05-01T22:00:00.000Z', description: '' }),
      makeEvent(3, { date: '2026-10-25T01:30:00.000Z', name: '=1+1' }),
    ]);
    const written = await exportText(home, 'csv', { ...spreadsheet, language: 'de' });
    expect(written).toBe(
      [
        '\ufeffName;Datum;Uhrzeit;Ort;Art;Status;Anmeldung;Notiz;ID;Hinzugefügt am',
        'Event 1;2026-05-01;19:30;Clubhouse;Verein;Geplant;Nein;;1;2026-01-02 04:04:05.678',
        "Event 2;2026-05-02;;Clubhouse;Verein;Geplant;;';2;2026-01-01 01:00",
        "'=1+1;2026-10-25T02:30:00+01:00;;Clubhouse;Verein;Geplant;;;3;2026-01-01 01:00",
        '',
      ].join('\r\n'),
    );
  });

  it.each(Object.keys(languages))(
    'CSV for spreadsheet programs is restored exactly by an import in %s',
    async (language) => {
      const events = fc.uniqueArray(event, {
        selector: ({ id }) => id,
        maxLength: 30,
        minLength: 1,
      });
      const property = fc.asyncProperty(events, async (all) => {
        const home = makeTestHome();
        await addMember(home, 'Chess', all);
        const written = await exportText(home, 'csv', { ...spreadsheet, language });
        const other = await importText(written, 'csv');
        expect(storedIn(other)).toEqual(storedIn(home));
      });
      await fc.assert(property, { numRuns: choose(30, 3) });
    },
  );
});

describe('a page for members', () => {
  it('a page for members has the words and dates of its language, or else English ones', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { date: '2099-05-01T18:00:00.000Z' })]);
    expect(await exportText(home, 'html')).toContain('As of 1 January 2026.');
    expect(await exportText(home, 'html', { language: 'de-AT' })).toContain('Jänner 2026');
    expect(await exportText(home, 'html', { language: 'pt-BR' })).toContain('<h3>May 2099</h3>');
    const tokyo = { timeZone: 'Asia/Tokyo' };
    expect(await exportText(home, 'html', tokyo)).toContain(
      '<span>Sat</span> <b>2</b></span> <span class="time"><span>03:00</span>',
    );
  });

  it('a page for members is refused in a language that is not one', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', []);
    const attempt = exportText(home, 'html', { language: 'x!' });
    await expect(attempt).rejects.toMatchObject({ code: 'arguments_invalid' });
  });
});

describe('an export to a file', () => {
  it('replaces the file by a complete one', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const folder = makeTestFolder();
    const output = join(folder, 'season.json');
    writeFileSync(output, 'older');
    const report = await catalogue.export.perform({ user: 'Chess', output }, toolsFor(home));
    expect(report).toEqual({ user: 'Chess', format: 'json', events: 1, output });
    expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual({ events: [makeEvent(1)] });
    expect(readdirSync(folder)).toEqual(['season.json']);
  });

  it('keeps the earlier file when the export cannot be written', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const output = join(makeTestFolder(), 'missing', 'season.json');
    const attempt = catalogue.export.perform({ user: 'Chess', output }, toolsFor(home));
    await expect(attempt).rejects.toMatchObject({ code: 'file_folder_missing' });
    expect(existsSync(output)).toBe(false);
  });

  it.for([
    'events.sqlite',
    'events.sqlite-wal',
    'events.sqlite-shm',
    'service.json',
    'logs/season.csv',
    'new.csv',
  ])('refuses to write %s in the data directory, under any name of it', async (name, context) => {
    requirePlace(context, 'symbolic links');
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    mkdirSync(home.logs);
    const alias = join(makeTestFolder(), 'alias');
    symlinkSync(home.directory, alias);
    const held = openReader(home.database);
    const before = readdirSync(home.directory);
    for (const folder of [home.directory, alias, join(home.logs, '..')]) {
      const request = { user: 'Chess', output: join(folder, name), format: 'csv' };
      await expect(catalogue.export.perform(request, toolsFor(home))).rejects.toMatchObject({
        code: expect.stringMatching(/^file_(is_database|in_home)$/),
      });
    }
    expect(readdirSync(home.directory)).toEqual(before);
    closeStore(held);
    expect(storedIn(home)).toEqual([makeEvent(1)]);
  });

  it('an export to a file asks for the format of a file without a known extension', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    for (const request of [{ user: 'Chess' }, { user: 'Chess', output: '/tmp/x.txt' }]) {
      const attempt = catalogue.export.perform(request, toolsFor(home));
      await expect(attempt).rejects.toMatchObject({ code: 'export_format_missing' });
    }
  });
});

describe('the UIDs of a calendar', () => {
  const uidsOf = (ics: string) => ics.match(/^UID:.*$/gm);

  it('exports UIDs that differ between clubs and stay the same', async () => {
    const homes = [makeTestHome(), makeTestHome()];
    const uids: string[] = [];
    for (const home of homes) {
      await addMember(home, 'Chess', [makeEvent(1)]);
      await addMember(home, 'Rowing', [makeEvent(1)]);
      const first = uidsOf(await exportText(home, 'ics'));
      expect(uidsOf(await exportText(home, 'ics'))).toEqual(first);
      const rowing = join(makeTestFolder(), 'rowing.ics');
      await catalogue.export.perform({ user: 'Rowing', output: rowing }, toolsFor(home));
      uids.push(...(first ?? []), ...(uidsOf(readFileSync(rowing, 'utf8')) ?? []));
    }
    expect(uids).toHaveLength(4);
    expect(new Set(uids).size).toBe(4);
    for (const uid of uids) expect(uid).toMatch(/^UID:event-1\.[0-9a-f]{16}@club-events\.invalid$/);
  });

  it('exports the UIDs of an imported calendar, also inside the page for members', async () => {
    const event = (uid: string, more: string) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:Run\r\n${more}END:VEVENT\r\n`;
    const events = [
      event('run-2026@club.example', 'DTSTART:20260501T180000Z\r\n'),
      event('weekly@club.example', 'DTSTART:20260502T180000Z\r\nRRULE:FREQ=WEEKLY;COUNT=2\r\n'),
    ];
    const home = await importText(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n${events.join('')}END:VCALENDAR\r\n`,
      'ics',
    );
    const uids = uidsOf(await exportText(home, 'ics'));
    expect(uids).toContain('UID:run-2026@club.example');
    expect(new Set(uids).size).toBe(3);
    const html = await exportText(home, 'html');
    const data = /<script type="application\/json" id="calendar">([^<]*)</.exec(html)?.[1];
    expect(uidsOf((JSON.parse(data ?? '') as string[]).join(''))).toEqual(uids);
  });

  it('imports the UIDs of earlier versions', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
    const written = await exportText(home, 'ics');
    const earlier = written.replaceAll(
      /^UID:event-(\d+)\..*$/gm,
      'UID:event-$1@club-events.invalid',
    );
    expect(uidsOf(earlier)).toContain('UID:event-2@club-events.invalid');
    const file = join(makeTestFolder(), 'earlier.ics');
    writeFileSync(file, earlier.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'));
    const report = await catalogue.import.perform({ files: [file], user: 'Chess' }, toolsFor(home));
    expect(report).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
  });
});
