import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import type { EventDraft, StoredEvent } from '../../../db/model.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import type { WorkbookError } from '../../../server/export/sheet.ts';
import { writeXlsx } from '../../../server/export/xlsx.ts';
import { catalogues, type Language, languages } from '../../../server/messages/messages.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';

/** Returns the tools of an action in Berlin, and the bytes that it writes to stdout. */
function makeTools() {
  const pieces: Uint8Array[] = [];
  const tools = {
    ...thisMachine,
    home: makeTestHome(),
    systemTimeZone: () => 'Europe/Berlin',
    write: async (piece: string | Uint8Array) => void pieces.push(Buffer.from(piece)),
    onProgress: () => undefined,
  };
  return { tools, pieces };
}

/** Exports the events of a club to a file and returns its path. */
async function exportWorkbook(events: readonly EventDraft[], more = {}): Promise<string> {
  const { tools } = makeTools();
  await addMember(tools.home, 'Chess', events);
  const output = join(makeTestFolder(), 'season.xlsx');
  await catalogue.export.perform({ user: 'Chess', output, ...more }, tools);
  return output;
}

function partOf(path: string, part: string): string {
  const bytes = unzipSync(readFileSync(path))[part];
  if (bytes === undefined) throw new Error(`There is no ${part}.`);
  return strFromU8(bytes);
}

/** Rounds the dates of a row; this reader cuts them off, a millisecond too early. */
function roundDates(row: readonly unknown[]): readonly unknown[] {
  return row.map((cell) =>
    cell instanceof Date ? new Date(Math.round(cell.getTime() / 10) * 10) : cell,
  );
}

const sheetPart = 'xl/worksheets/sheet1.xml';

describe('a workbook', () => {
  it('a workbook has headings, and local dates that another reader finds', async () => {
    const path = await exportWorkbook([
      makeEvent(7, {
        name: 'Summer fair',
        date: '2026-05-01T17:30:00.000Z',
        description: 'Bring cake',
        registrationOpen: true,
        createdAt: '2026-01-02T03:04:05.680Z',
      }),
      makeEvent(8, { date: '2026-05-01T22:00:00.000Z', eventType: null, location: '' }),
    ]);
    expect((await readSheet(path)).map(roundDates)).toEqual([
      'Name,Date,Time,Place,Type,Status,Registration,Note,ID,Added'.split(','),
      [
        'Summer fair',
        new Date('2026-05-01'),
        // A time of day is a part of day 0.
        new Date('1899-12-30T19:30:00Z'),
        'Clubhouse',
        'Club',
        'Planned',
        'Yes',
        'Bring cake',
        7,
        new Date('2026-01-02T04:04:05.680Z'),
      ],
      [
        'Event 8',
        new Date('2026-05-02'),
        null,
        null,
        null,
        'Planned',
        null,
        null,
        8,
        new Date('2026-01-01T01:00:00Z'),
      ],
    ]);
  });

  it('a workbook has a frozen header, a filter over all rows and widths', async () => {
    const path = await exportWorkbook([1, 2, 3].map((id) => makeEvent(id)));
    const sheet = partOf(path, sheetPart);
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2"');
    expect(sheet).toContain('<autoFilter ref="A1:J4"/>');
    expect(sheet.match(/<col [^>]*customWidth="1"\/>/g)).toHaveLength(10);
    expect(partOf(path, 'xl/workbook.xml')).toContain("'Events'!$A$1:$J$4</definedName>");
  });

  it('a workbook is complete without events', async () => {
    const path = await exportWorkbook([]);
    expect(await readSheet(path)).toHaveLength(1);
    expect(partOf(path, sheetPart)).toContain('<autoFilter ref="A1:J1"/>');
  });

  it.each(Object.keys(languages) as Language[])(
    'a workbook has the words of %s',
    async (language) => {
      const path = await exportWorkbook([makeEvent(1)], { language });
      const { spreadsheet, event } = catalogues[language];
      const [header = [], row = []] = await readSheet(path);
      expect(header[1]).toBe(spreadsheet.date);
      expect(header[7]).toBe(spreadsheet.description);
      expect(row.slice(4, 6)).toEqual([event.club, event.active]);
      expect(partOf(path, 'xl/workbook.xml')).toContain(`<sheet name="${spreadsheet.title}"`);
    },
  );

  it('uses the time zone of the request', async () => {
    const path = await exportWorkbook([makeEvent(1, { date: '2026-05-01T17:30:00.000Z' })], {
      timeZone: 'Asia/Tokyo',
    });
    const [, row] = await readSheet(path);
    expect(row?.[1]).toEqual(new Date('2026-05-02'));
  });

  it('a workbook has texts and never formulas', async () => {
    const names = ['=1+1', '+1', '-1', '@x', "'x", "'=x", "'", '007', '1/2', ' two ', 'a & <b>'];
    const path = await exportWorkbook(names.map((name, id) => makeEvent(id, { name })));
    expect(partOf(path, sheetPart)).not.toContain('<f>');
    const rows = await readSheet(path, { trim: false });
    expect(rows.slice(1).map(([name]) => name)).toEqual(
      // An import removes the apostrophe in front of another one, and of a formula.
      names.map((name) => (name === "'=x" || name === "'" ? `'${name}` : name)),
    );
  });

  it('escapes what XML cannot hold, and texts that look escaped', async () => {
    const name = 'a\u0001b\r\nc\uffff_x0041_ _x0041\u0002 \u{1f3c3} <&>';
    const path = await exportWorkbook([makeEvent(1, { name })]);
    expect(partOf(path, sheetPart)).toContain(
      '>a_x0001_b_x000D_\nc_xFFFF__x005F_x0041_ _x005F_x0041_x0002_ \u{1f3c3} &lt;&amp;&gt;<',
    );
  });

  it('a workbook has ids of more than 15 digits as texts', async () => {
    const ids = [-1, 999_999_999_999_999, Number.MAX_SAFE_INTEGER];
    const path = await exportWorkbook(ids.map((id) => makeEvent(id)));
    const rows = await readSheet(path);
    expect(rows.slice(1).map((row) => row[8])).toEqual([ids[0], ids[1], String(ids[2])]);
  });

  it('a workbook can be written to stdout', async () => {
    const { tools, pieces } = makeTools();
    await addMember(tools.home, 'Chess', [makeEvent(1)]);
    await catalogue.export.perform({ user: 'Chess', format: 'xlsx' }, tools);
    expect(await readSheet(Buffer.concat(pieces))).toHaveLength(2);
  });
});

describe('a workbook that cannot hold everything', () => {
  it('a workbook holds a text of 32,767 characters', async () => {
    const description = 'x'.repeat(32_767);
    const path = await exportWorkbook([makeEvent(1, { description })]);
    const [, row] = await readSheet(path);
    expect(row?.[7]).toBe(description);
  });

  it('a workbook that cannot hold everything is refused for a longer text, and an earlier file stays', async () => {
    const { tools } = makeTools();
    const description = 'x'.repeat(32_768);
    await addMember(tools.home, 'Chess', [makeEvent(1), makeEvent(2, { description })]);
    const folder = makeTestFolder();
    const output = join(folder, 'season.xlsx');
    writeFileSync(output, 'older');
    const attempt = catalogue.export.perform({ user: 'Chess', output }, tools);
    await expect(attempt).rejects.toMatchObject({
      code: 'text_too_long_for_cell',
      values: { name: 'Event 2', length: 32_768, limit: 32_767 },
    });
    expect(readFileSync(output, 'utf8')).toBe('older');
    expect(readdirSync(folder)).toEqual(['season.xlsx']);
  });

  const events = [1, 2, 3].map((id) => makeEvent(id)) as StoredEvent[];
  const options = { words: catalogues.en, timeZone: 'UTC' };

  it.each([
    ['more rows than Excel has', { cell: 100, rows: 3, bytes: 100_000 }, 2],
    ['more bytes than a ZIP file has', { cell: 100, rows: 4, bytes: 2_000 }, 3],
  ])('a workbook that cannot hold everything is refused for %s', (_, limits, rows) => {
    expect(() => [...writeXlsx(events, options, limits)]).toThrow(
      expect.objectContaining({
        problem: { code: 'too_many_events_for_workbook', values: { rows } },
      } satisfies Partial<WorkbookError>),
    );
    const enough = { cell: 100, rows: 4, bytes: 100_000 };
    expect([...writeXlsx(events, options, enough)].length).toBeGreaterThan(0);
  });

  it('a workbook that cannot hold everything is refused for a time zone that does not exist', async () => {
    const output = join(makeTestFolder(), 'season.xlsx');
    const { tools } = makeTools();
    await addMember(tools.home, 'Chess');
    const request = { user: 'Chess', output, timeZone: 'Mars/Base' };
    const attempt = catalogue.export.perform(request, tools);
    await expect(attempt).rejects.toMatchObject({ code: 'time_zone_unknown' });
    expect(existsSync(output)).toBe(false);
  });
});
