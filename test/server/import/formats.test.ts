import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { type ImportFormat, importFormats } from '../../../server/import/formats.ts';
import { makeTestHome } from '../../support/home.ts';
import { makeOds, makeXlsx, tableXml } from '../../support/workbook.ts';
import { writeTestFile } from './files.ts';
import { setUp } from './set-up.ts';

/** The same two events and the same mistakes in each format, as files of other programs have them. */
type Samples = {
  readonly events: string | Buffer;
  /** One good event and one whose date does not exist. */
  readonly badDate: string | Buffer;
  /** One good event and one without a name, where the format requires one. */
  readonly noEvents: string | Buffer;
};

const samples: Readonly<Record<ImportFormat, Samples>> = {
  csv: {
    events: 'name,date\nZürich 中文,2026-05-01T18:00:00Z\n"Open, ""day"" 2",2026-05-02T18:00:00Z\n',
    badDate: 'name,date\nGood,2026-05-01T18:00:00Z\nBad,2026-11-31\n',
    noEvents: 'name,date\n',
  },
  json: {
    events: JSON.stringify({
      events: [
        { name: 'Zürich 中文', date: '2026-05-01T18:00:00Z' },
        { name: 'Open, "day" 2', date: '2026-05-02T18:00:00Z' },
      ],
    }),
    badDate: JSON.stringify([
      { name: 'Good', date: '2026-05-01T18:00:00Z' },
      { name: 'Bad', date: '2026-11-31' },
    ]),
    noEvents: '{"events":[]}',
  },
  ics: {
    events: calendarOf(
      ['Zürich 中文', '20260501T180000Z'],
      ['Open\\, "day" 2', '20260502T180000Z'],
    ),
    badDate: calendarOf(['Good', '20260501T180000Z'], ['Bad', '20261131T180000Z']),
    noEvents: calendarOf(),
  },
  xlsx: workbooksBy((rows) => makeXlsx(rows)),
  ods: workbooksBy((rows) => makeOds(tableXml('Sheet1', rows))),
};

function workbooksBy(make: (rows: readonly (readonly string[])[]) => Buffer): Samples {
  const header = ['name', 'date'];
  return {
    events: make([
      header,
      ['Zürich 中文', '2026-05-01T18:00:00Z'],
      ['Open, "day" 2', '2026-05-02T18:00:00Z'],
    ]),
    badDate: make([header, ['Good', '2026-05-01T18:00:00Z'], ['Bad', '2026-11-31']]),
    noEvents: make([header]),
  };
}

function calendarOf(...events: readonly (readonly [name: string, start: string])[]): string {
  const lines = events.flatMap(([name, start]) => [
    'BEGIN:VEVENT',
    `UID:${start}@example.org`,
    `DTSTART:${start}`,
    `SUMMARY:${name}`,
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

function previewFile(name: string, content: string | Buffer) {
  const write = async () => undefined;
  const tools = { ...thisMachine, home: makeTestHome(), write, onProgress: () => undefined };
  const args = { files: [writeTestFile(name, content)], timeZone: 'Europe/Berlin' };
  return catalogue['import preview'].perform(args, tools);
}

const dates = ['2026-05-01T18:00:00.000Z', '2026-05-02T18:00:00.000Z'];
const names = ['Zürich 中文', 'Open, "day" 2'];

describe.each(importFormats)('importing %s', (format) => {
  const { events, badDate, noEvents } = samples[format];
  const file = `season.${format}`;

  it('adds the events of a file', async () => {
    const { run, stored } = setUp();
    expect(await run({ [file]: events })).toMatchObject({ added: 2, changed: 0, skipped: 0 });
    expect(stored().map(({ name }) => name)).toEqual(names);
    expect(stored().map(({ date }) => date)).toEqual(dates);
  });

  if (typeof events === 'string') {
    it('reads a file that begins with a byte order mark', async () => {
      const { run, stored } = setUp();
      await run({ [file]: `\ufeff${events}` });
      expect(stored().map(({ name }) => name)).toEqual(names);
    });
  }

  it('changes nothing when the same file is imported again', async () => {
    const { run, stored } = setUp();
    await run({ [file]: events });
    const before = stored();
    const again = await run({ [file]: events });
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    expect(again.batch).toBeUndefined();
    expect(stored()).toEqual(before);
  });

  it('changes nothing in a dry run, and reports what it would do', async () => {
    const { run, stored } = setUp();
    expect(await run({ [file]: events }, { dryRun: true, details: true })).toMatchObject({
      added: 2,
      files: [{ rows: [{ kind: 'added' }, { kind: 'added' }] }],
    });
    expect(stored()).toEqual([]);
  });

  it('refuses a file with a bad event, and names its place and the reason', async () => {
    const { run, stored } = setUp();
    await expect(run({ [file]: badDate })).rejects.toMatchObject({
      code: 'place_refused',
      values: { file, place: { key: expect.any(String) }, reason: { key: expect.any(String) } },
    });
    expect(stored()).toEqual([]);
  });

  it('skips a bad event on request, with its place and the reason', async () => {
    const { run, stored } = setUp();
    const report = await run({ [file]: badDate }, { skipBadRows: true });
    expect(report).toMatchObject({ added: 1, skipped: 1 });
    expect(report.files[0]?.rows).toEqual([
      expect.objectContaining({
        kind: 'skipped',
        place: expect.objectContaining({ key: expect.any(String) }),
        reason: expect.objectContaining({ key: expect.any(String) }),
      }),
    ]);
    expect(stored().map(({ name }) => name)).toEqual(['Good']);
  });

  it('reports a file without events as such', async () => {
    const { run } = setUp();
    expect(await run({ [file]: noEvents })).toMatchObject({ added: 0, skipped: 0 });
  });

  it.each([
    ['an empty file', ''],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a text of another kind', '%PDF-1.7\n%âãÏÓ\n'],
  ])('refuses %s', async (_, content) => {
    const { run, stored } = setUp();
    await expect(run({ [file]: content })).rejects.toMatchObject({
      code: expect.stringMatching(/^(file|place)_refused$/),
    });
    expect(stored()).toEqual([]);
  });

  it('previews the events that it imports', async () => {
    const { run, stored } = setUp();
    const preview = await previewFile(file, events);
    await run({ [file]: events });
    expect(preview.failure).toBeNull();
    expect(preview.rows.map(({ values }) => [values.name, values.date])).toEqual(
      stored().map(({ name, date }) => [name, date]),
    );
  });

  it('previews a bad event with the reason for which it is refused', async () => {
    const { run } = setUp();
    const preview = await previewFile(file, badDate);
    const report = await run({ [file]: badDate }, { skipBadRows: true });
    const [, bad] = preview.rows;
    expect(report.files[0]?.rows).toMatchObject([{ reason: bad?.problem?.reason }]);
  });
});
