import { describe, expect, it } from 'vitest';
import { read, readDates, readRefusal } from './csv-reading.ts';

const day = '2026-05-01T00:00:00.000Z';
const evening = '2026-05-01T18:00:00.000Z';

describe('a date', () => {
  it.each([
    ['2026-05-01', day],
    ['2026-05-01T18:00:00.000Z', evening],
    ['2026-05-01 20:00+02:00', evening],
    ['1.5.2026', day],
    ['01.05.2026', day],
    ['01.05.26', day],
    ['1.5.69', '1969-05-01T00:00:00.000Z'],
    ['1.5.68', '2068-05-01T00:00:00.000Z'],
    ['1-5-2026', day],
    ['31/05/2026', '2026-05-31T00:00:00.000Z'],
    ['05/31/2026', '2026-05-31T00:00:00.000Z'],
    ['5/5/2026', '2026-05-05T00:00:00.000Z'],
    ['2026/5/1', day],
    ['2026.05.01', day],
    ['20260501', day],
    [' 1.5.2026 18:00 ', evening],
    ['1.5.2026, 18:00', evening],
    ['1.5.2026 18:00:30', '2026-05-01T18:00:30.000Z'],
    ['1.5.2026 6:00 PM', evening],
    ['1.5.2026 6 p.m.', evening],
    ['1.5.2026 12:30 AM', '2026-05-01T00:30:00.000Z'],
    ['1.5.2026 12:30 PM', '2026-05-01T12:30:00.000Z'],
    ['1.5.2026 18.00 Uhr', evening],
    ['1.5.2026 18:00 Uhr', evening],
    ['1.5.2026 18 Uhr', evening],
    ['1.5.2026 18h00', evening],
    ['1.5.2026 18h', evening],
    ['29.2.2024', '2024-02-29T00:00:00.000Z'],
  ])('a date may be written %s', async (cell, expected) => {
    expect(await readDates([cell])).toEqual([expected]);
  });

  it.each([
    '1.13.2026',
    '0.5.2026',
    '32/13/2026',
    '1.5.2026 18:60',
    '1.5.2026 13:00 PM',
    '1.5.2026 0:30 PM',
    '1.5.2026 18',
    '1.5.2026 soon',
    '1.5/2026',
    '1.5.202',
    '２０２６-05-01',
    '0.5',
    '-3',
    '2958466',
    '60',
    '60.5',
    '2027',
    '5.2027',
    '25568',
  ])('a date is refused when it is not understood: %s', async (cell) => {
    const message = await readRefusal(`name;date\nA;"${cell}"\n`);
    expect(message).toMatch(
      /row 2, "date": .* was not understood as a date; write it like 2026-05-01/,
    );
    expect(message).toContain(JSON.stringify(cell));
  });

  it.each([
    ['31.2.2026', 'February 2026 has only 28 days'],
    ['29.02.2023 18:00', 'February 2023 has only 28 days'],
    ['31/11/2026', 'November 2026 has only 30 days'],
    ['2026-02-31', 'February 2026 has only 28 days'],
  ])('a date is refused with the length of the month: %s', async (cell, days) => {
    const message = await readRefusal(`name;date\nA;"${cell}"\n`);
    expect(message).toContain(`row 2, "date": "${cell}" does not exist: ${days}`);
  });

  it('a date is local time, across the changes of the clock', async () => {
    const cells = ['29.3.2026 02:30', '25.10.2026 02:30', '1.5.2026'];
    expect(await readDates(cells, { timeZone: 'Europe/Berlin' })).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ]);
  });
});

describe('a column of dates with slashes', () => {
  it('a column of dates with slashes is read as its clearest date says, wherever that stands', async () => {
    const dmy = await readDates(['01/05/2026', '2/5/26', '31/05/2026 18:00', '2026-05-01']);
    expect(dmy.map((date) => date.slice(0, 10))).toEqual([
      '2026-05-01',
      '2026-05-02',
      '2026-05-31',
      '2026-05-01',
    ]);
    const mdy = await readDates(['05/01/2026', '5/2/26', '05/31/2026']);
    expect(mdy.map((date) => date.slice(0, 10))).toEqual([
      '2026-05-01',
      '2026-05-02',
      '2026-05-31',
    ]);
  });

  it('a column of dates with slashes is read once more for that, and only when it has to be', async () => {
    const open = async (cells: readonly string[]) =>
      (await read(['name,date', ...cells.map((cell) => `A,${cell}`)].join('\n'))).opened;
    expect(await open(['2026-05-01', '1.5.2026', '31/5/2026', '5/5/2026'])).toBe(3);
    expect(await open(['1/5/2026', '31/5/2026', '2/5/2026'])).toBe(4);
  });

  it('a column of dates with slashes is refused when it says both, with a row for each', async () => {
    const rows = ['Titel;Datum', 'A;31/05/2026', 'B;2026-05-01', 'C;05/31/2026'];
    const wanted =
      /^season\.csv, "Datum" \(date\): "31\/05\/2026" in row 2 has the day first, "05\/31\/2026" in row 4 the month; write all dates in the same order \(/;
    expect(await readRefusal(rows.join('\n'))).toMatch(wanted);
    const ambiguous = [...rows.slice(0, 1), 'Z;1/2/2026', ...rows.slice(1)];
    expect(await readRefusal(ambiguous.join('\n'))).toMatch(/in row 3 .* in row 5/);
  });

  it('a column of dates with slashes is refused when it says nothing, unless the user does', async () => {
    const text = 'Titel;Datum\nA;2026-05-01\nB;5/5/2026\nC;01/02/2026\nD;03/04/2026\n';
    expect(await readRefusal(text)).toMatch(
      /^season\.csv, row 4, "Datum" \(date\): "01\/02\/2026" could begin with its day or its month, .*; give the order with --date-order dmy or --date-order mdy \(/,
    );
    const dates = async (dateOrder: 'dmy' | 'mdy') => {
      const { events, opened } = await read(text, { dateOrder });
      expect(opened).toBe(3);
      return events.map(({ date }) => date.slice(5, 10));
    };
    expect(await dates('dmy')).toEqual(['05-01', '05-05', '02-01', '04-03']);
    expect(await dates('mdy')).toEqual(['05-01', '05-05', '01-02', '03-04']);
  });

  it('a column of dates with slashes is refused where it is not in the order that the user said', async () => {
    const text = 'name,date\nA,31/05/2026\n';
    expect(await readRefusal(text, { dateOrder: 'mdy' })).toMatch(/row 2, "date": "31\/05\/2026"/);
  });

  it('decides for itself, whatever the other one says', async () => {
    const { events, opened } = await read(
      'name,date,createdAt\nA,01/05/2026,01/02/2026\nB,31/05/2026,12/31/2025\n',
    );
    expect(opened).toBe(5);
    expect(
      events.map(({ date, createdAt }) => [date.slice(0, 10), createdAt?.slice(0, 10)]),
    ).toEqual([
      ['2026-05-01', '2026-01-02'],
      ['2026-05-31', '2025-12-31'],
    ]);
    const half = 'name,date,createdAt\nA,31/05/2026,01/02/2026\n';
    expect(await readRefusal(half)).toMatch(/row 2, "createdAt": "01\/02\/2026" could begin/);
  });
});

describe('a column of times', () => {
  const readTime = async (date: string, time: string) =>
    (await read(`name;Datum;Uhrzeit\nA;${date};"${time}"\n`)).events[0]?.date;

  it.each([
    ['1.5.2026', '18:00'],
    ['2026-05-01', '18:00:00'],
    ['31/05/2026', '6:00 PM'],
    ['1.5.2026', '18.00 Uhr'],
    ['1.5.2026', '18h00'],
    ['1.5.2026', '0,75'],
    ['1.5.2026', '0.75'],
    ['1.5.2026 00:00:00', '18:00'],
    ['2026-05-01T00:00', '18:00'],
    ['1.5.2026 18:00', '18:00'],
    ['46143', '0.75'],
  ])('completes its dates: %s, %s', async (date, time) => {
    expect(await readTime(date, time)).toMatch(/^2026-05-(01|31)T18:00:00\.000Z$/);
  });

  it('leaves a date alone where it is empty', async () => {
    expect(await readTime('1.5.2026', ' ')).toBe(day);
    expect(await readTime('2026-05-01T18:00:00.000Z', '')).toBe(evening);
  });

  it.each([
    [
      '1.5.2026',
      'soon',
      /row 2, "Uhrzeit": "soon" was not understood as a time; write it like 18:00/,
    ],
    ['1.5.2026', '18', /"18" was not understood as a time/],
    ['1.5.2026', '0.15', /"0\.15" was not understood as a time/],
    ['1.5.2026 17:00', '18:00', /"18:00" is not the time of the date, 17:00:00; leave one/],
    ['2026-05-01T00:00:00.000Z', '18:00', /row 2, "Uhrzeit": the date .* has a time of its own/],
    ['31.2.2026', '18:00', /row 2, "Datum" \(date\): "31\.2\.2026" does not exist/],
    ['2026-02-31', '18:00', /row 2, "Datum" \(date\): "2026-02-31" does not exist/],
  ])(
    'a column of times is refused where it makes no sense: %s, %s',
    async (date, time, sentence) => {
      expect(await readRefusal(`name;Datum;Uhrzeit\nA;${date};"${time}"\n`)).toMatch(sentence);
    },
  );
});

describe('the number of a date in Excel', () => {
  it.each([
    ['45000.75', '2023-03-15T18:00:00.000Z'],
    ['45000,75', '2023-03-15T18:00:00.000Z'],
    ['45000', '2023-03-15T00:00:00.000Z'],
    ['25569', '1970-01-01T00:00:00.000Z'],
    ['45000.7499999', '2023-03-15T18:00:00.000Z'],
    ['45000.999999', '2023-03-16T00:00:00.000Z'],
    ['2958465.99999', '9999-12-31T23:59:59.000Z'],
  ])('the number of a date in Excel %s is its date', async (cell, expected) => {
    expect(await readDates([cell])).toEqual([expected]);
  });

  it('the number of a date in Excel is local, and noted once for each column', async () => {
    const text = 'name;date;createdAt\nA;2026-05-01;45000.75\nB;45001;45001\n';
    const { events, notes } = await read(text, { timeZone: 'Europe/Berlin' });
    expect(events[0]?.createdAt).toBe('2023-03-15T17:00:00.000Z');
    expect(notes).toEqual([
      "one date is a number; it was read as Excel's, 45001 in row 3 as 2023-03-16.",
      'there are 2 numbers for dates; they were read as those of Excel, 45000.75 in row 2 as 2023-03-15 18:00:00.',
    ]);
  });
});
