import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connection } from '../../../db/open.ts';
import { insertUser } from '../../../db/users.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { now, setUpInWords as setUp } from './set-up.ts';

const good = '{"id": 1, "name": "Run", "date": "2026-05-01T18:00:00.000Z"}';

describe('JSON', () => {
  const whole = makeEvent(7, { description: 'a\nb', registrationOpen: true });

  it.each([
    ['{"events":[…]}', (events: unknown) => JSON.stringify({ events })],
    ['a list', (events: unknown) => JSON.stringify(events)],
    [
      'with other members around',
      (events: unknown) => JSON.stringify({ a: { events: 5 }, next: 'events', events, z: [1] }),
    ],
    [
      'indented, with a byte order mark',
      (events: unknown) => `\ufeff${JSON.stringify({ events }, null, 2)}\n`,
    ],
  ])('JSON is taken as %s, its values kept', async (_, write) => {
    const { run, stored } = setUp();
    const report = await run({ 'events.json': write([whole, makeEvent(9)]) });
    expect(report).toMatchObject({ added: 2, changed: 0, unchanged: 0 });
    expect(stored()).toEqual([whole, makeEvent(9)]);
  });

  it('fills missing values with the defaults of the contract', async () => {
    const { run, stored } = setUp();
    await run({ 'events.json': `[${good}]` });
    expect(stored()).toEqual([
      {
        id: 1,
        name: 'Run',
        date: '2026-05-01T18:00:00.000Z',
        location: '',
        description: null,
        status: 'active',
        eventType: null,
        createdAt: now.toISOString(),
      },
    ]);
  });

  it('reads members under other names, and lists those that it ignores', async () => {
    const { run, stored } = setUp();
    const file = '[{"id":3,"title":"Run","when":"2026-05-01","__proto__":{"id":9},"x":1}]';
    const report = await run({ 'events.json': file }, { map: { name: 'title', date: 'when' } });
    expect(report.files[0]?.ignored).toEqual(['__proto__', 'x']);
    expect(stored()).toMatchObject([{ id: 3, name: 'Run', date: '2026-04-30T22:00:00.000Z' }]);
  });

  it('takes an unknown location as the empty one', async () => {
    const { run, stored } = setUp();
    await run({ 'events.json': `[${good.replace('}', ', "location": null}')}]` });
    expect(stored()[0]?.location).toBe('');
  });

  it('reads a file in pieces, wherever they break', async () => {
    const { run, stored } = setUp();
    const events = Array.from({ length: 1000 }, (_, at) =>
      makeEvent(at, { description: '🏃‍♀️ é '.repeat(20) }),
    );
    await run({ 'events.json': JSON.stringify({ events }) });
    expect(stored()).toEqual(events);
  });

  const second = (text: string) => `[${good}, ${text}]`;
  const with2 = (member: string) =>
    second(`{"id": 2, "name": "x", "date": "2026-05-01", ${member}}`);

  it.each([
    ['cut off in an event', `[${good}, {"id": 2, "na`, /events\.json: .*cut off/],
    ['cut off between events', `[${good},`, /the data ends too early/],
    ['empty', '', /the data ends too early/],
    ['not JSON', `[${good}, oops]`, /this is not valid JSON \(nothing/],
    ['followed by more', `[${good}] []`, /not valid JSON/],
    ['another thing', '"events"', /must be \{"events": \[…\]\} or a list/],
    ['without events', '{"data": []}', /there is no "events"/],
    ['with events that are no list', '{"events": {"a": 1}}', /"events" is not a list/],
    ['nested too deep', `${'['.repeat(100_000)}`, /nests deeper than 32 levels/],
    ['nested too deep in a member', `{"a":${'['.repeat(100_000)}`, /nests deeper/],
    [
      'not UTF-8',
      Buffer.concat([Buffer.from('["'), Buffer.from([0xff, 0x22, 0x5d])]),
      /not UTF-8 text/,
    ],
    ['with an event that is none', second('5'), /event 2: this is not an object/],
    ['with a list for an event', second('[]'), /event 2: this is not an object/],
    [
      'without a name',
      second('{"id": 2, "date": "2026-05-01"}'),
      /event 2 \(id 2\), "name": is missing/,
    ],
    ['with an empty name', with2('"name": ""'), /event 2 \(id 2\), "name": is empty/],
    ['with a blank name', with2('"name": " \\t"'), /"name": is empty/],
    ['with a name that is no text', with2('"name": 5'), /"name": 5 is not text/],
    ['without a date', second('{"id": 2, "name": "x"}'), /"date": is missing/],
    [
      'with a day that does not exist',
      with2('"date": "2026-02-30"'),
      /event 2 \(id 2\), "date": "2026-02-30" does not exist: February 2026 has only 28 days/,
    ],
    [
      'with a date that is no text',
      with2('"date": 1777651200'),
      /"date": 1777651200 is not a date/,
    ],
    ['with a null date', with2('"date": null'), /"date": null is not a date/],
    [
      'with a wrong createdAt',
      with2('"createdAt": "soon"'),
      /"createdAt": "soon" was not understood as a date/,
    ],
    ['with an id that is text', with2('"id": "2"'), /event 2, "id": "2" is not a whole number/],
    ['with a broken id', with2('"id": 1.5'), /"id": 1\.5 is not a whole number/],
    [
      'with an id too large',
      with2('"id": 9007199254740993'),
      /"id": .*is not a whole number within/,
    ],
    ['with a null id', with2('"id": null'), /"id": null is not a whole number/],
    [
      'with a wrong status',
      with2('"status": "open"'),
      /"status": "open" is not one of draft, active/,
    ],
    ['with a null status', with2('"status": null'), /"status": null is not one of/],
    [
      'with a wrong type',
      with2('"eventType": "Club"'),
      /"eventType": "Club" is not one of national/,
    ],
    [
      'with a wrong registrationOpen',
      with2('"registrationOpen": "yes"'),
      /"registrationOpen": "yes" is neither/,
    ],
    ['with a location that is no text', with2('"location": {}'), /"location": \{\} is not text/],
    ['with a NUL', with2('"description": "a\\u0000b"'), /"description": has a NUL/],
    ['with a lone surrogate', with2('"description": "a\\ud800b"'), /"description": has half of/],
    [
      'with an endless name',
      with2(`"name": "${'x'.repeat(30_000)}"`),
      /"name": is longer than 20000/,
    ],
    [
      'with an id twice',
      second(good),
      /event 2 \(id 1\), "id": this id comes before already, with the name "Run"; give each event its own/,
    ],
  ])('JSON is refused when it is %s, and nothing is changed', async (_, content, sentence) => {
    const { run, stored } = setUp();
    await run({ 'before.json': `[{"id":50,"name":"Before","date":"2026-01-01"}]` });
    const before = stored();
    const failure = await run({ 'events.json': content }).catch((error: unknown) => error);
    const { message } = failure as Error;
    expect(message).toMatch(sentence);
    expect(message).toMatch(/^events\.json[,:] .*\(nothing was imported\)\.$/s);
    expect(message.length).toBeLessThan(400);
    expect(stored()).toEqual(before);
  });

  it('JSON is taken with an id that another user has', async () => {
    const { db, run } = setUp();
    await run({ 'events.json': `[${good}]` });
    const userId = insertUser(db, 'Rowing', now.toISOString()) ?? 0;
    expect(await run({ 'events.json': `[${good}]` }, { userId })).toMatchObject({ added: 1 });
  });
});

describe('JSON with an event a line', () => {
  const line = (id: number, more = '') =>
    `{"id":${id},"name":"Event ${id}","date":"2026-05-01"${more}}`;

  it.each([
    ['events.json', `${line(1)}\n${line(2)}\n`],
    ['events.ndjson', `${line(1)}\r\n\r\n${line(2)}`],
    ['events.jsonl', `\ufeff${line(1)}\n${line(2)}\n\n`],
  ])('JSON with an event a line is taken from %s', async (name, content) => {
    const { run, stored } = setUp();
    expect(await run({ [name]: content })).toMatchObject({ added: 2 });
    expect(stored().map(({ id }) => id)).toEqual([1, 2]);
  });

  it.each([0, 2])(
    'JSON with an event a line is distinguished from an envelope with a name, indented by %i',
    async (indent) => {
      const { run } = setUp();
      const document = JSON.stringify({ name: 'an export', events: [makeEvent(1)] }, null, indent);
      expect(await run({ 'events.json': document })).toMatchObject({ added: 1 });
    },
  );

  it.each([
    [`${line(1)}\n{"id":2,`, /line 2: the data ends too early/],
    [`${line(1)}\n\n[]\n`, /line 3: this is not an object/],
    [
      `${line(1)}\n${line(2).replace('2', '9007199254740993')}`,
      /line 2, "id": .*is not a whole number within/,
    ],
    [`${line(1)}\n${line(2, ',"status":"open"')}`, /line 2 \(id 2\), "status": "open"/],
    [`${line(1)}\n${'x'.repeat(1_100_000)}`, /line 2: the line is longer than/],
  ])('JSON with an event a line is refused with its line', async (content, sentence) => {
    const { run, stored } = setUp();
    await expect(run({ 'events.ndjson': content })).rejects.toThrow(sentence);
    expect(stored()).toEqual([]);
  });
});

describe('a dry run', () => {
  it('reports each row, field by field, and changes nothing', async () => {
    const { run, stored } = setUp();
    await run({ 'a.csv': 'id,name,date,location\n1,Run,2026-05-01,Hall\n2,Swim,2026-05-02,\n' });
    const before = stored();
    const file =
      'id,name,date,location\n1,Run,2026-05-01,Pool\n2,Swim,2026-05-02,\n3,Ride,2026-05-03,\n';
    const options = { dryRun: true, details: true };
    const report = await run({ 'b.csv': file }, options);
    expect(report).toMatchObject({ added: 1, changed: 1, unchanged: 1, skipped: 0 });
    expect(report.batch).toBeUndefined();
    const others = { status: 'active', eventType: null, description: null };
    expect(report.files[0]?.rows).toEqual([
      {
        ...others,
        place: 'row 2',
        kind: 'changed',
        id: 1,
        name: 'Run',
        date: '2026-04-30T22:00:00.000Z',
        location: 'Pool',
        changes: [{ field: 'location', from: 'Hall', to: 'Pool' }],
      },
      {
        ...others,
        place: 'row 4',
        kind: 'added',
        name: 'Ride',
        date: '2026-05-02T22:00:00.000Z',
        location: '',
      },
    ]);
    expect(stored()).toEqual(before);
    expect(await run({ 'b.csv': file })).toMatchObject({ added: 1, changed: 1, batch: 2 });
  });
});

describe('bad rows', () => {
  const file = 'id,name,date\n1,Run,2026-05-01\n2,,2026-05-02\n3,Ride,soon\n1,Again,2026-05-01\n';

  it('bad rows can be left out, each with its reason', async () => {
    const { run, stored } = setUp();
    const report = await run({ 'a.csv': file }, { skipBadRows: true });
    expect(report).toMatchObject({ added: 1, skipped: 3 });
    expect(report.files[0]?.rows).toMatchObject([
      { kind: 'skipped', place: 'row 3, "name"', reason: 'is empty; every event needs a name' },
      { kind: 'skipped', place: 'row 4, "date"' },
      { kind: 'skipped', place: 'row 5, "id"', reason: expect.stringMatching(/comes before/) },
    ]);
    expect(stored().map(({ id }) => id)).toEqual([1]);
  });

  const head = 'name,date,Uhrzeit\nA,2026-05-01,18:00\n';

  it.each([
    [
      'a time that is none',
      'B,2026-05-02,abends',
      'row 3, "Uhrzeit"',
      /"abends" was not understood as a time/,
    ],
    [
      'two times',
      'B,2026-05-02 9:00,10:00',
      'row 3, "Uhrzeit"',
      /is not the time of the date, 09:00:00/,
    ],
    ['a cell too few', 'B,2026-05-02', 'row 3', /more or fewer cells .*\(2, not 3\)/],
    ['a cell too many', 'B,2026-05-02,9:00,x', 'row 3', /\(4, not 3\)/],
    ['text behind a quote', '"B" new "b",2026-05-02,9:00', 'row 3', /text follows a closing/],
  ])('bad rows of CSV refuse the file, or are left out: %s', async (_, row, place, reason) => {
    const { run, stored } = setUp();
    const csv = { 'a.csv': `${head}${row}\n\nC,2026-05-03,9:00\nD,2026-05-04,soon\n` };
    await expect(run(csv)).rejects.toThrow(`a.csv, ${place}: `);
    await expect(run(csv)).rejects.toThrow(reason);
    expect(stored()).toEqual([]);
    const report = await run(csv, { skipBadRows: true });
    expect(report.files[0]?.rows).toMatchObject([
      { kind: 'skipped', place, reason: expect.stringMatching(reason) },
      { kind: 'skipped', place: 'row 6, "Uhrzeit"', reason: expect.any(String) },
    ]);
    expect(stored().map(({ name }) => name)).toEqual(['A', 'C']);
  });

  it.each([
    ['events.json', `[${good},5,{"name":"B","date":"2026-05-01"}]`, 'event 2', /not an object/],
    [
      'a.ndjson',
      `${good}\n{"id":2,\n{"name":"B","date":"2026-05-01"}`,
      'line 2',
      /the data ends too early/,
    ],
  ])('bad rows of JSON are left out from %s', async (name, content, place, reason) => {
    const { run, stored } = setUp();
    const report = await run({ [name]: content }, { skipBadRows: true });
    expect(report.files[0]?.rows).toEqual([
      { kind: 'skipped', place, reason: expect.stringMatching(reason) },
    ]);
    expect(stored().map((event) => event.name)).toEqual(['Run', 'B']);
  });

  it('bad rows do not excuse a file that is broken as a whole', async () => {
    const { run, stored } = setUp();
    const attempt = run({ 'a.csv': `${file}5,"Open` }, { skipBadRows: true });
    await expect(attempt).rejects.toThrow(/never closed/);
    expect(stored()).toEqual([]);
  });
});

describe('a calendar', () => {
  const vevent = (uid: number, ...lines: readonly string[]) =>
    ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20260501T180000Z', ...lines, 'END:VEVENT'].join('\n');
  const calendar = (...events: readonly string[]) =>
    ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\n');

  it('a calendar is refused for its first bad event, or taken without it', async () => {
    const { run, stored } = setUp();
    const ics = calendar(
      vevent(1, 'SUMMARY:A'),
      vevent(2, 'RRULE:COUNT=2'),
      vevent(3, 'SUMMARY:C'),
    );
    await expect(run({ 'a.ics': ics })).rejects.toThrow(
      /^a\.ics, event 2: the RRULE cannot be .* \(nothing was imported\)\.$/,
    );
    expect(stored()).toEqual([]);
    const report = await run({ 'a.ics': ics }, { skipBadRows: true });
    expect(report.files[0]?.rows).toEqual([
      { kind: 'skipped', place: 'event 2', reason: expect.stringMatching(/^the RRULE cannot be/) },
    ]);
    expect(stored().map(({ name }) => name)).toEqual(['A', 'C']);
  });

  it('a calendar is unchanged the second time, untitled events included', async () => {
    const { run, stored } = setUp();
    const ics = calendar(
      vevent(1),
      vevent(2, 'RRULE:FREQ=DAILY;COUNT=2'),
      'BEGIN:VEVENT\nDTSTART:20260503\nEND:VEVENT',
    );
    expect(await run({ 'a.ics': ics })).toMatchObject({ added: 4 });
    expect(await run({ 'a.ics': ics })).toMatchObject({ added: 0, changed: 0, unchanged: 4 });
    expect(new Set(stored().map(({ name }) => name))).toEqual(new Set(['(untitled)']));
  });

  it('a calendar with a later revision and no news changes nothing, and outdates the one before', async () => {
    const { run } = setUp();
    const revision = (sequence: number, name: string) => ({
      'a.ics': calendar(vevent(1, `SEQUENCE:${sequence}`, `SUMMARY:${name}`)),
    });
    await run(revision(1, 'Run'));
    const report = await run(revision(3, 'Run'), { details: true });
    expect(report).toMatchObject({ changed: 0, unchanged: 1 });
    expect(report.batch).toBeUndefined();
    expect(report.files[0]?.rows).toEqual([]);
    expect(await run(revision(2, 'Walk'))).toMatchObject({ changed: 0, skipped: 1 });
    expect(await run(revision(4, 'Walk'))).toMatchObject({ changed: 1 });
  });
});

describe('texts with composed or decomposed letters', () => {
  const composed = { name: 'Fête', location: 'Café' } as const;
  const ics = ({ name, location }: { name: string; location: string }) =>
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260502\nSUMMARY:${name}\nLOCATION:${location}\nEND:VEVENT\nEND:VCALENDAR\n`;

  it.each([
    ['a.csv', ({ name, location }) => `name,date,location\n${name},2026-05-02,${location}\n`],
    ['a.json', (event) => JSON.stringify([{ ...event, date: '2026-05-02' }])],
    ['ids.json', (event) => JSON.stringify([{ id: 1, ...event, date: '2026-05-02' }])],
    ['a.ics', ics],
  ] as [string, typeof ics][])('are the same event in both forms of %s', async (file, write) => {
    const text = write(composed);
    const forms = [text.normalize('NFC'), text.normalize('NFD')];
    expect(new Set(forms).size).toBe(2);
    for (const [first, second] of [forms, forms.toReversed()]) {
      const { run, stored } = setUp();
      expect(await run({ [file]: first as string })).toMatchObject({ added: 1 });
      const again = await run({ [file]: second as string });
      expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
      const [event] = stored();
      expect(event?.name.normalize('NFC')).toBe(composed.name);
      // With an id, an event is as its source has it.
      expect(event?.name === composed.name).toBe(file !== 'ids.json' || first === forms[0]);
    }
  });

  it('texts with composed or decomposed letters find the event that an earlier version stored as the file has it', async () => {
    const { db, run, stored } = setUp();
    const name = composed.name.normalize('NFD');
    const file = { 'a.csv': `name,date\n${name},2026-05-02T18:00:00.000Z\n` };
    await run(file);
    const key = hash('sha256', JSON.stringify([name, '2026-05-02T18:00:00.000Z']), 'base64url');
    connection(db).prepare('UPDATE events SET name = ?, source_key = ?').run(name, `row:${key}:1`);
    expect(await run(file)).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    const later = { 'a.csv': file['a.csv'].replace('18:00', '19:00') };
    expect(await run(later)).toMatchObject({ added: 0, moved: 1 });
    expect(stored().map((event) => event.name)).toEqual([name]);
  });
});

describe('a year before 1900', () => {
  const sentence = /is in the year 26; years before 1900 are treated as typing errors/;

  it.each([
    ['a.csv', 'name,date\nA,02.05.0026\n'],
    ['a.csv', 'name,date\nA,0026-05-02T18:00\n'],
    ['a.json', '[{"name":"A","date":"0026-05-02"}]'],
    [
      'a.ics',
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:00260502\nEND:VEVENT\nEND:VCALENDAR\n',
    ],
  ])('a year before 1900 is refused as a typing error in %s: %s', async (name, content) => {
    const { run } = setUp();
    await expect(run({ [name]: content })).rejects.toThrow(sentence);
    expect(await run({ [name]: content }, { skipBadRows: true })).toMatchObject({ skipped: 1 });
  });

  it.each([
    ['a.csv', 'name,date\nA,1.1.1900\n'],
    ['a.json', '[{"name":"A","date":"1900-01-01"}]'],
  ])(
    'a year before 1900 is not that of the first day of 1900, which is in 1899 in UTC: %s',
    async (name, content) => {
      const { run, stored } = setUp();
      await run({ [name]: content });
      expect(stored()).toMatchObject([{ date: '1899-12-31T23:00:00.000Z' }]);
    },
  );

  it.each([
    ['a.csv', 'id,name,date\n1,A,1896-04-06T12:00:00.000Z\n'],
    ['a.json', '[{"id":1,"name":"A","date":"1896-04-06T12:00:00.000Z"}]'],
  ])('a year before 1900 is taken from an export of this program: %s', async (name, content) => {
    const { run, stored } = setUp();
    await run({ [name]: content });
    expect(stored()).toMatchObject([{ date: '1896-04-06T12:00:00.000Z' }]);
  });
});

describe('a large CSV file for a thread of its own', { tags: 'long' }, () => {
  const description = 'x'.repeat(1_000);
  const row = (id: number, name = `Event ${id}`) => `${id};${name};5.1.2026;${description};?`;
  // Just above the 2 MB from which on a file is large.
  const rows = Array.from({ length: 2_000 }, (_, at) => row(at + 1));
  const write = (lines: readonly string[]) =>
    Buffer.from(['id;name;Datum;description;Größe', ...lines].join('\n'), 'latin1');

  it('a large CSV file for a thread of its own is imported like a small one', {
    tags: 'long',
  }, async () => {
    const { run, stored } = setUp();
    const bad = rows.with(2, row(3, '')).with(1_998, row(1));
    const report = await run({ 'a.csv': write(bad) }, { skipBadRows: true });
    expect(report).toMatchObject({ added: 1_998, skipped: 2, batch: 1 });
    expect(report.files[0]).toMatchObject({
      ignored: ['Größe'],
      notes: expect.arrayContaining(['this was read as Windows-1252.']),
      rows: [{ place: 'row 4, "name"' }, { place: 'row 2000, "id"' }],
    });
    const first = { id: 1, name: 'Event 1', date: '2026-01-04T23:00:00.000Z', description };
    expect(stored()[0]).toMatchObject(first);
    expect(stored()).toHaveLength(1_998);
  });

  it.each([
    ['a bad row', rows.with(1_500, row(1_501, '')).with(1_501, '1'), /^a\.csv, row 1502, "name"/],
    ['a quote that is never closed', rows.with(1_960, '1;"'), /^a\.csv, row 1962: .*never closed/],
    ['a row that is cut off', [...rows, '2001;Ev'], /^a\.csv, row 2002: .*more or fewer cells/],
  ])(
    'a large CSV file for a thread of its own is refused for %s, and nothing is changed',
    async (_, lines, sentence) => {
      const { run, stored } = setUp();
      await expect(run({ 'a.csv': write(lines) })).rejects.toThrow(sentence);
      expect(stored()).toEqual([]);
    },
  );
});

describe('CSV', () => {
  it('CSV is refused for its first bad row, not for a later one', async () => {
    const { run } = setUp();
    const rows = ['id,name,date', '1,Run,2026-05-01', '2,,2026-05-02', '3,Ride'];
    await expect(run({ 'a.csv': rows.join('\n') })).rejects.toThrow(/row 3, "name"/);
    const [head, good, nameless, short] = rows;
    const other = [head, good, short, nameless].join('\n');
    await expect(run({ 'a.csv': other })).rejects.toThrow(/row 3: .*more or fewer cells/);
  });

  it('CSV is taken by the names of its columns, in any case and order', async () => {
    const { run, stored } = setUp();
    const file = [
      'Date,ID,NAME,eventtype,Status,registrationopen,description,location,createdAt',
      '2026-05-01 18:00,7,"Run, ""fast""",Club, Cancelled ,yes,"a\r\nb",Hall,2026-01-01',
      '2026-05-02,8,Swim,,,,,,',
      '',
    ].join('\r\n');
    expect(await run({ 'events.csv': file })).toMatchObject({ added: 2 });
    expect(stored()).toEqual([
      {
        id: 7,
        name: 'Run, "fast"',
        date: '2026-05-01T16:00:00.000Z',
        location: 'Hall',
        description: 'a\r\nb',
        status: 'cancelled',
        eventType: 'club',
        registrationOpen: true,
        createdAt: '2025-12-31T23:00:00.000Z',
      },
      {
        id: 8,
        name: 'Swim',
        date: '2026-05-01T22:00:00.000Z',
        location: '',
        description: null,
        status: 'active',
        eventType: null,
        createdAt: now.toISOString(),
      },
    ]);
  });

  it('CSV is taken with a byte order mark and by mapped columns', async () => {
    const { run, stored } = setUp();
    const file = '\ufeffTitel,Datum,name\nLauf,2026-05-01,no\n';
    const map = { name: 'Titel', date: 'Datum' };
    const report = await run({ 'events.csv': file }, { map });
    expect(report.files[0]?.ignored).toEqual(['name']);
    expect(stored()).toMatchObject([{ id: 1, name: 'Lauf' }]);
  });

  it('CSV is unchanged the second time, and updates what changed the third', async () => {
    const { run, stored } = setUp();
    const rows = ['name,date,location', 'A,2026-05-01,x', 'A,2026-05-01,x', 'B,2026-05-02,'];
    const file = rows.join('\n');
    expect(await run({ 'events.csv': file })).toMatchObject({ added: 3 });
    expect(await run({ 'events.csv': file })).toMatchObject({ added: 0, unchanged: 3 });
    const news = file.replace('B,2026-05-02,', 'B,2026-05-02,Hall\nC,2026-05-03,');
    expect(await run({ 'events.csv': news })).toMatchObject({ added: 1, changed: 1, unchanged: 2 });
    expect(stored().map(({ id, name, location }) => [id, name, location])).toEqual([
      [1, 'A', 'x'],
      [2, 'A', 'x'],
      [3, 'B', 'Hall'],
      [4, 'C', ''],
    ]);
  });

  const head = 'id,name,date,status,eventType,registrationOpen\n1,Run,2026-05-01,,,\n';

  it.each([
    ['empty', '', {}, /^events\.csv: the file is empty/],
    [
      'without a name column',
      'x,y,date\nRun,Hall,2026-05-01\n',
      {},
      /row 1: there is no column "name"; choose one with --map name=COLUMN, of "x", "y", "date"/,
    ],
    ['without a date column', 'name\nRun\n', {}, /row 1: there is no column "date"/],
    [
      'without a mapped column',
      head,
      { name: 'Titel' },
      /row 1: there is no column "Titel" for name; there are "id", "name"/,
    ],
    ['with a column twice', 'name,date,NAME\na,2026-05-01,b\n', {}, /two columns are named "name"/],
    [
      'with a mapped column twice',
      'name,x,x\na,2026-05-01,b\n',
      { date: 'x' },
      /two columns are named "x"/,
    ],
    ['with a short row', `${head}2,Swim\n`, {}, /row 3: the row has more or fewer cells/],
    [
      'with a long row',
      `${head}2,Swim,2026-05-01,,,,more\n`,
      {},
      /row 3: the row has more or fewer/,
    ],
    [
      'with an open quote',
      `${head}2,"Swim,2026-05-01,,,\n`,
      {},
      /row 3: a quote is opened and never closed/,
    ],
    ['with text behind a quote', `${head}2,"Swim"x,2026-05-01,,,\n`, {}, /row 3: text follows/],
    ['with an endless row', `${head}2,"${'x'.repeat(1_100_000)}`, {}, /row 3: the row is longer/],
    [
      'not UTF-8',
      Buffer.from(`${head}2,Fr\x81hl\xfcng,2026-05-01,,,\n`, 'latin1'),
      {},
      /not UTF-8 text/,
    ],
    ['cut off in a character', Buffer.from(`${head}2,Früh`).subarray(0, -1 - 1), {}, /UTF-8|row 3/],
    ['with an empty name', `${head}\n\n2,,2026-05-01,,,\n`, {}, /row 5, "name": is empty/],
    ['with no date in a row', `${head}2,Swim,,,,\n`, {}, /row 3, "date": is missing/],
    [
      'with a day that does not exist',
      `${head}2,"Sw\nim",2026-05-01,,,\n3,x,2026-02-30,,,\n`,
      {},
      /row 4, "date": "2026-02-30"/,
    ],
    [
      'with a broken id',
      `${head}2b,Swim,2026-05-01,,,\n`,
      {},
      /row 3, "id": "2b" is not a whole number/,
    ],
    [
      'with an id too large',
      `${head}9007199254740993,Swim,2026-05-01,,,\n`,
      {},
      /"id": "9007199254740993" is not/,
    ],
    [
      'with a wrong status',
      `${head}2,Swim,2026-05-01,open,,\n`,
      {},
      /"status": "open" is not one of/,
    ],
    ['with a wrong type', `${head}2,Swim,2026-05-01,,world,\n`, {}, /"eventType": "world"/],
    [
      'with a wrong registrationOpen',
      `${head}2,Swim,2026-05-01,,,maybe\n`,
      {},
      /"registrationOpen": "maybe"/,
    ],
    [
      'with an id twice',
      `${head}2,Swim,2026-05-01,,,\n1,Run,2026-05-01,,,\n`,
      {},
      /row 4, "id": this id comes before already, with the name "Run"/,
    ],
    ['with a NUL', `${head}2,S\0wim,2026-05-01,,,\n`, {}, /row 3, "name": has a NUL/],
  ])('CSV is refused when it is %s, and nothing is changed', async (_, content, map, sentence) => {
    const { run, stored } = setUp();
    const failure = await run({ 'events.csv': content }, { map }).catch((error: unknown) => error);
    expect((failure as Error).message).toMatch(sentence);
    expect((failure as Error).message).toMatch(/\(nothing was imported\)\.$/);
    expect(stored()).toEqual([]);
  });

  it('CSV names a mapped column as the file does', async () => {
    const { run } = setUp();
    const file = 'Titel,Datum\nLauf,31.2.2026\n';
    const attempt = run({ 'events.csv': file }, { map: { name: 'Titel', date: 'Datum' } });
    await expect(attempt).rejects.toThrow(/^events\.csv, row 2, "Datum" \(date\): "31\.2\.2026"/);
  });
});

describe('several files', () => {
  it('several files are taken together or not at all', async () => {
    const { run, stored } = setUp();
    const files = { 'a.json': `[${good}]`, 'b.csv': 'name,date\nSwim,2026-13-01\n' };
    await expect(run(files)).rejects.toThrow(/^b\.csv, row 2, "date"/);
    expect(stored()).toEqual([]);
    const report = await run({ ...files, 'b.csv': 'name,date\nSwim,2026-12-01\n' });
    expect(report.files.map(({ file, added }) => [file, added])).toEqual([
      ['a.json', 1],
      ['b.csv', 1],
    ]);
  });

  it('several files may have one event several times, of which the last counts', async () => {
    const { run, stored } = setUp();
    const files = { 'a.json': `[${good}]`, 'b.json': `[${good.replace('Run', 'Walk')}]` };
    expect(await run(files)).toMatchObject({ added: 1, changed: 1 });
    expect(stored()).toMatchObject([{ name: 'Walk' }]);
  });
});

describe('a file', () => {
  it('a file is read as its name ends, or as it is said to be', async () => {
    const { run } = setUp();
    expect(await run({ 'EVENTS.JSON': `[${good}]` })).toMatchObject({ added: 1 });
    expect(await run({ 'events.dat': `[${good}]` }, { format: 'json' })).toMatchObject({
      added: 0,
    });
    const attempt = run({ 'events.log': `[${good}]` });
    await expect(attempt).rejects.toMatchObject({ code: 'import_format_missing' });
    await expect(attempt).rejects.toThrow(
      /events\.log does not end in \.csv, \.json, \.ics, \.xlsx, \.ods; .*--format/,
    );
  });

  it('a file that cannot be read is named', async () => {
    const { run } = setUp();
    const missing = join(makeTestFolder(), 'missing.json');
    await expect(run({}, { files: [missing] })).rejects.toThrow(`${missing} does not exist`);
    const folder = join(makeTestFolder(), 'folder.csv');
    mkdirSync(folder);
    await expect(run({}, { files: [folder] })).rejects.toThrow(`${folder} is a folder`);
  });

  it('a file of any size is read in bounded memory', { tags: 'long' }, async () => {
    const { run } = setUp();
    const rows = Array.from(
      { length: choose(50_000, 20_000) },
      (_, at) => `${at},Event ${at},2026-05-01,${'x'.repeat(200)}`,
    );
    const before = process.memoryUsage.rss();
    const report = await run({ 'large.csv': ['id,name,date,location', ...rows].join('\n') });
    expect(report.added).toBe(rows.length);
    expect(process.memoryUsage.rss() - before).toBeLessThan(choose(250, 130) * 1024 * 1024);
  });
});
