import { describe, expect, it } from 'vitest';
import { type ExportedEvent, writeIcs } from '../../../server/export/ics.ts';
import type { DateWindow } from '../../../server/import/source.ts';
import { calendar, event, now, readText as read, readRefusal } from '../../support/ics.ts';

/** Windows names and zones from CLDR: those of Europe and America, and some others. */
const ianaOfWindows = new Map([
  ['GMT Standard Time', 'Europe/London'],
  ['Greenwich Standard Time', 'Atlantic/Reykjavik'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['Central Europe Standard Time', 'Europe/Budapest'],
  ['Central European Standard Time', 'Europe/Warsaw'],
  ['Romance Standard Time', 'Europe/Paris'],
  ['E. Europe Standard Time', 'Europe/Chisinau'],
  ['FLE Standard Time', 'Europe/Kyiv'],
  ['GTB Standard Time', 'Europe/Bucharest'],
  ['Turkey Standard Time', 'Europe/Istanbul'],
  ['Russian Standard Time', 'Europe/Moscow'],
  ['Israel Standard Time', 'Asia/Jerusalem'],
  ['India Standard Time', 'Asia/Kolkata'],
  ['China Standard Time', 'Asia/Shanghai'],
  ['Tokyo Standard Time', 'Asia/Tokyo'],
  ['AUS Eastern Standard Time', 'Australia/Sydney'],
  ['New Zealand Standard Time', 'Pacific/Auckland'],
  ['Atlantic Standard Time', 'America/Halifax'],
  ['Eastern Standard Time', 'America/New_York'],
  ['Central Standard Time', 'America/Chicago'],
  ['Mountain Standard Time', 'America/Denver'],
  ['US Mountain Standard Time', 'America/Phoenix'],
  ['Pacific Standard Time', 'America/Los_Angeles'],
  ['Alaskan Standard Time', 'America/Anchorage'],
  ['Hawaiian Standard Time', 'Pacific/Honolulu'],
  ['E. South America Standard Time', 'America/Sao_Paulo'],
  ['Korea Standard Time', 'Asia/Seoul'],
  ['Argentina Standard Time', 'America/Argentina/Buenos_Aires'],
  ['Egypt Standard Time', 'Africa/Cairo'],
]);

async function readValues(...lines: readonly string[]) {
  const { records } = await read(calendar(event(...lines)));
  expect(records).toHaveLength(1);
  return records[0]?.values;
}

/** The dates of the one series of a calendar, a fraction of `:00.000Z` left out. */
async function readDates(...lines: readonly string[]): Promise<string[]> {
  const { records } = await read(calendar(event(...lines)));
  return records.map(({ values }) => String(values.date).replace(':00.000Z', ''));
}

const vienna = 'DTSTART;TZID=Europe/Vienna:';

describe('a single event', () => {
  it('a single event gives its values, and is known by its UID', async () => {
    const { records, notes } = await read(
      calendar(
        event(
          'UID:x\\,y@b',
          'SEQUENCE:3',
          'SUMMARY;LANGUAGE=de:Läu',
          ' fe\\, "Halle"\\; a\\\\n',
          'LOCATION:Hall',
          'DESCRIPTION;ALTREP="http://a:b;c":one\\ntwo',
          'STATUS:TENTATIVE',
          'CATEGORIES:Sport,Regional',
          'CREATED:20250101T100000Z',
          'X-FOO;A=b:bar',
        ),
      ),
    );
    expect(records).toEqual([
      {
        place: 'event 1',
        origin: { key: 'ics:x,y@b', sequence: 3, stamp: null },
        parts: { end: '', hasNote: true },
        values: {
          name: 'Läufe, "Halle"; a\\n',
          date: '2026-05-01T18:00:00.000Z',
          location: 'Hall',
          description: 'one\ntwo',
          status: 'draft',
          eventType: 'regional',
          createdAt: '2025-01-01T10:00:00.000Z',
        },
      },
    ]);
    expect(notes).toEqual([]);
  });

  it('leaves unspecified fields empty', async () => {
    const file = calendar('BEGIN:VEVENT', 'UID:1', 'DTSTART:20260501T180000Z', 'END:VEVENT');
    const { records } = await read(file);
    expect(records).toEqual([
      {
        place: 'event 1',
        origin: { key: 'ics:1', sequence: 0, stamp: null },
        parts: { takesPlace: 'by status', end: '' },
        values: { name: '(untitled)', date: '2026-05-01T18:00:00.000Z' },
      },
    ]);
  });

  it('a single event without a title gets a name, which is noted once for all', async () => {
    const series = event('UID:2', 'SUMMARY: ', 'RRULE:FREQ=DAILY;COUNT=2');
    const { records, notes } = await read(calendar(event('SUMMARY:'), series, event('UID:3')));
    const names = records.map(({ values }) => values.name);
    expect(names).toEqual(['(untitled)', '(untitled)', '(untitled)', 'Run']);
    expect(notes.at(-1)).toBe('2 events without a title got the name "(untitled)".');
  });

  it.each([
    ['TENTATIVE', 'draft'],
    ['CONFIRMED', 'active'],
    ['cancelled', 'cancelled'],
    ['X-OTHER', undefined],
  ])('a single event of the status %s is %s', async (status, expected) => {
    expect((await readValues(`STATUS:${status}`))?.status).toBe(expected);
  });

  it.each([
    ['in UTC', 'DTSTART:20260501T180000Z', '2026-05-01T18:00:00.000Z'],
    ['in UTC, whatever its zone', 'DTSTART;TZID=Foo:20260501T180000Z', '2026-05-01T18:00:00.000Z'],
    [
      'in an IANA zone',
      'DTSTART;TZID=America/New_York:20260501T180000',
      '2026-05-01T22:00:00.000Z',
    ],
    [
      'in a zone in quotes',
      'DTSTART;TZID="Asia/Tokyo":20260501T180000',
      '2026-05-01T09:00:00.000Z',
    ],
    [
      'in a zone of Outlook',
      'DTSTART;TZID=W. Europe Standard Time:20260501T180000',
      '2026-05-01T16:00:00.000Z',
    ],
    [
      'in a zone of Outlook with a name like IANA',
      'DTSTART;TZID=Eastern Standard Time:20260501T180000',
      '2026-05-01T22:00:00.000Z',
    ],
    ['without a zone', 'DTSTART:20260501T180000', '2026-05-01T16:00:00.000Z'],
    ['of a day', 'DTSTART;VALUE=DATE:20260501', '2026-04-30T22:00:00.000Z'],
    ['in the gap of spring', `${vienna}20260329T023000`, '2026-03-29T01:30:00.000Z'],
    ['in the hour that comes twice', `${vienna}20261025T023000`, '2026-10-25T00:30:00.000Z'],
    ['in the first year', 'DTSTART:19000101T000000Z', '1900-01-01T00:00:00.000Z'],
    ['in a leap second', 'DTSTART:20161231T235960Z', '2016-12-31T23:59:59.000Z'],
  ])('a single event begins %s', async (_, start, expected) => {
    expect((await readValues(start))?.date).toBe(expected);
  });

  it('a single event is local where X-WR-TIMEZONE says, when it says no zone', async () => {
    const events = [event('DTSTART:20260501T180000'), event('UID:2', 'DTSTART:20260501')];
    const { records } = await read(calendar(...events, 'X-WR-TIMEZONE:America/New_York'));
    expect(records.map(({ values }) => values.date)).toEqual([
      '2026-05-01T22:00:00.000Z',
      '2026-05-01T04:00:00.000Z',
    ]);
  });

  it('a single event is local where the import says, when X-WR-TIMEZONE is not known', async () => {
    const { records, notes } = await read(
      calendar('X-WR-TIMEZONE:Mars/Base', event('DTSTART:20260501T180000')),
    );
    expect(records[0]?.values.date).toBe('2026-05-01T16:00:00.000Z');
    expect(notes).toEqual([
      'X-WR-TIMEZONE "Mars/Base" is not known; its times were read as Europe/Berlin.',
    ]);
  });

  it('a single event is taken whatever its year where it is of our own export', async () => {
    const lines = ['X-CLUB-EVENTS-ID:7', 'DTSTART:18960406T120000Z'];
    expect((await readValues(...lines))?.date).toBe('1896-04-06T12:00:00.000Z');
  });

  const september = '2026-09-01T16:00:00.000Z';

  it.each([
    ['/Europe/Berlin', september],
    ['/freeassociation.sourceforge.net/Europe/Berlin', september],
    ['/mozilla.org/20070129_1/Europe/Berlin', september],
    [
      '/softwarestudio.org/Olson_20011030_5/America/Argentina/Buenos_Aires',
      '2026-09-01T21:00:00.000Z',
    ],
    ['posix/Europe/Vaduz', september],
    ['"Europe/Berlin "', september],
    ["'Europe/Berlin'", september],
    ['"(UTC-05:00) Eastern Time (US and Canada)"', '2026-09-01T22:00:00.000Z'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', '2026-09-01T22:00:00.000Z'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', september],
    ['"(UTC) Dublin, Edinburgh, Lisbon, London"', '2026-09-01T17:00:00.000Z'],
    ['"(UTC) Coordinated Universal Time"', '2026-09-01T18:00:00.000Z'],
    ['"(UTC+05:30) Somewhere"', '2026-09-01T12:30:00.000Z'],
    ['"(GMT +01:00)"', '2026-09-01T17:00:00.000Z'],
    ['UTC+01', '2026-09-01T17:00:00.000Z'],
    ['GMT-0330', '2026-09-01T21:30:00.000Z'],
    ['South Africa Standard Time', september],
    ['Singapore Standard Time', '2026-09-01T10:00:00.000Z'],
    ['Newfoundland Standard Time', '2026-09-01T20:30:00.000Z'],
    ['Coordinated Universal Time', '2026-09-01T18:00:00.000Z'],
  ])('a single event is in the zone that %s means', async (name, expected) => {
    const file = calendar(event(`DTSTART;TZID=${name}:20260901T180000`));
    const { records, notes } = await read(file, { timeZone: 'Pacific/Auckland' });
    expect(records.map(({ values }) => values.date)).toEqual([expected]);
    expect(notes).toEqual([]);
  });

  it.each([
    ...['Mars', 'PST', '__proto__', 'UTC+25', 'Customized Time Zone 1', '/a/b/c'],
    ...['"tzone://Microsoft/Custom"', `X${'/x'.repeat(2000)}`],
  ])('a single event is local where its zone %s is not known, with one note', async (name) => {
    const start = `DTSTART;TZID=${name}:20260901T180000`;
    const { records, notes } = await read(calendar(event(start), event('UID:2', start)));
    expect(records.map(({ values }) => values.date)).toEqual([september, september]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /^The time zone ".*" is not known; its times were read as Europe\/Ber/,
    );
  });

  it('a single event is local where X-WR-TIMEZONE says, when its own zone is not known', async () => {
    const start = event('DTSTART;TZID=Mars:20260901T180000');
    const { records, notes } = await read(calendar('X-WR-TIMEZONE:/Asia/Tokyo', start));
    expect(records[0]?.values.date).toBe('2026-09-01T09:00:00.000Z');
    expect(notes[0]).toMatch(/"Mars" is not known; its times were read as \/Asia\/Tokyo/);
  });

  it('a single event has no note for each of a thousand unknown zones', async () => {
    const events = Array.from({ length: 1_000 }, (_, at) =>
      event(`UID:${at}`, `DTSTART;TZID=Zone ${at}:20260901T180000`),
    );
    const { records, notes } = await read(calendar(...events));
    expect(records).toHaveLength(1_000);
    expect(notes).toHaveLength(20);
  });

  it.each([...ianaOfWindows])(
    'a single event is in the zone that Windows calls %s',
    async (name, iana) => {
      const dates = async (zone: string) => {
        const starts = ['20260115T120000', '20260715T120000'];
        const events = starts.map((start) =>
          event(`UID:${start}`, `DTSTART;TZID=${zone}:${start}`),
        );
        return (await read(calendar(...events))).records.map(({ values }) => values.date);
      };
      expect(await dates(name)).toEqual(await dates(iana));
    },
  );

  it('a single event is known by a name made of start and summary where it has no UID', async () => {
    const lines = ['BEGIN:VEVENT', 'DTSTART:20260501T180000Z', 'SUMMARY:Run', 'END:VEVENT'];
    const [first] = (await read(calendar(...lines))).records;
    const { records } = await read(calendar(event('SUMMARY:Other'), ...lines));
    expect(records[1]?.origin?.key).toMatch(/^ics:none:[0-9a-f]{32}$/);
    expect(records[1]?.origin).toEqual(first?.origin);
  });

  it('ignores the creation time that Google writes for an unknown one', async () => {
    expect(await readValues('CREATED:00001231T000000Z')).not.toHaveProperty('createdAt');
  });

  it('a single event has the id, and the exact values, of our own export', async () => {
    const { records } = await read(
      calendar(
        event(
          'X-CLUB-EVENTS-ID:1042',
          'X-CLUB-EVENTS-STATUS:completed',
          'STATUS:CONFIRMED',
          'CATEGORIES:CLUB',
          'X-CLUB-EVENTS-TYPE:NONE',
          'X-CLUB-EVENTS-REGISTRATION-OPEN:FALSE',
          'X-CLUB-EVENTS-DATE:2026-05-01T18:00:00.123Z',
          'X-CLUB-EVENTS-CREATED-AT:2026-01-01T00:00:00.456Z',
        ),
      ),
    );
    expect(records).toEqual([
      {
        place: 'event 1',
        values: {
          id: 1042,
          name: 'Run',
          date: '2026-05-01T18:00:00.123Z',
          location: '',
          description: null,
          status: 'completed',
          eventType: null,
          registrationOpen: false,
          createdAt: '2026-01-01T00:00:00.456Z',
        },
      },
    ]);
  });

  it('leaves what is wrong in our own properties to the check of drafts', async () => {
    expect(
      await readValues(
        'X-CLUB-EVENTS-ID:01x',
        'X-CLUB-EVENTS-STATUS:odd',
        'X-CLUB-EVENTS-TYPE:odd',
        'X-CLUB-EVENTS-REGISTRATION-OPEN:MAYBE',
      ),
    ).toMatchObject({ id: '01x', status: 'odd', eventType: 'odd', registrationOpen: 'MAYBE' });
  });
});

describe('a file', () => {
  it('a file may hold several calendars, each with its own zone', async () => {
    const one = calendar('X-WR-TIMEZONE:Asia/Tokyo', event('UID:1', 'DTSTART:20260501T180000'));
    const two = calendar(event('UID:2', 'DTSTART:20260501T180000'));
    const { records } = await read(one + two);
    expect(records.map(({ place, values }) => [place, values.date])).toEqual([
      ['event 1', '2026-05-01T09:00:00.000Z'],
      ['event 2', '2026-05-01T16:00:00.000Z'],
    ]);
  });

  it('a file is counted where it holds other things than events', async () => {
    const alarm = 'BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM';
    const { records, notes } = await read(
      calendar(
        'BEGIN:VTODO',
        'END:VTODO',
        event(alarm),
        'BEGIN:VTODO',
        'END:VTODO',
        'BEGIN:X-ODD',
        'END:X-ODD',
      ),
    );
    expect(records).toHaveLength(1);
    expect(notes).toEqual(['Not imported: 2 tasks, 1 reminder, 1 other part.']);
  });

  const first = event('SUMMARY:1', 'SEQUENCE:1', 'DTSTAMP:20260103T000000Z');
  const second = event('SUMMARY:2', 'SEQUENCE:2', 'DTSTAMP:20260101T000000Z');
  const newest = event('SUMMARY:new', 'SEQUENCE:2', 'DTSTAMP:20260102T000000Z');

  it.each([
    [[first, second, newest]],
    [[first, newest, second]],
    [[newest, second, first]],
    [[second, newest, first]],
  ])(
    'a file gives the newest revision of an event that it holds more than once',
    async (events) => {
      const { records, notes } = await read(calendar(...events));
      expect(records.map(({ place, values }) => [place, values.name])).toEqual([
        [`event ${events.indexOf(newest) + 1}`, 'new'],
      ]);
      expect(notes).toEqual(['2 older versions of events were left out.']);
    },
  );

  it('a file gives the newest change of a date that it holds more than once', async () => {
    const changes = [first, newest, second].map((text) =>
      text.replace('SUMMARY', 'RECURRENCE-ID:20260501T180000Z\r\nSUMMARY'),
    );
    const { records, notes } = await read(calendar(...changes));
    expect(records.map(({ values }) => values.name)).toEqual(['new']);
    expect(notes).toEqual(['2 older versions of events were left out.']);
  });

  it('a file gives the first of what an event may have once and has twice, and says so', async () => {
    const { records, notes } = await read(calendar(event('SUMMARY:one', 'SUMMARY:two')));
    expect(records[0]?.values.name).toBe('one');
    expect(notes).toEqual(['1 event has a value twice; the first one was used.']);
  });

  it('a file is read in pieces, wherever they break, with line ends and names of any kind', async () => {
    const text = `\ufeff${calendar(event('SUMMARY:é🏃', ' ‍♀️ü', '\tx', 'LOCATION:Hall'))}`;
    const loose = text
      .replaceAll('\r\n', '\n')
      .replace('BEGIN:VEVENT', 'begin:vevent')
      .replace('LOCATION', 'location');
    for (const chunk of [1, 2, 3, 7]) {
      const { records } = await read(loose, { chunk });
      expect(records[0]?.values).toMatchObject({ name: 'é🏃‍♀️üx', location: 'Hall' });
    }
  });

  it('a file may fold its lines inside a character, as some programs do', async () => {
    const bytes = Buffer.from(calendar(event('SUMMARY:aé')));
    const at = bytes.indexOf(0xc3) + 1;
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)]);
    expect((await read(folded)).records[0]?.values.name).toBe('aé');
  });
});

const custom = (...rules: readonly string[]) => [
  'BEGIN:VTIMEZONE',
  'TZID:Club Time',
  'BEGIN:STANDARD',
  'DTSTART:16011028T030000',
  ...rules,
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010325T020000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

describe('a time zone of the file', () => {
  it.each([
    ['in winter', '20260115T120000', '2026-01-15T11:00:00.000Z'],
    ['in summer', '20260715T120000', '2026-07-15T10:00:00.000Z'],
    ['in the gap of spring', '20260329T023000', '2026-03-29T01:30:00.000Z'],
    ['in the hour that comes twice', '20261025T023000', '2026-10-25T00:30:00.000Z'],
    ['after the hour that comes twice', '20261025T033000', '2026-10-25T02:30:00.000Z'],
    ['before most of its rules', '19000101T120000', '1900-01-01T11:00:00.000Z'],
    ['in the last year', '99980715T120000', '9998-07-15T10:00:00.000Z'],
  ])(
    'a time zone of the file is used %s, wherever in the file it is',
    async (_, local, expected) => {
      const { records } = await read(
        calendar(event(`DTSTART;TZID=Club Time:${local}`), ...custom()),
      );
      expect(records[0]?.values.date).toBe(expected);
    },
  );

  it('a time zone of the file gives way to what the machine knows of a zone with an IANA name', async () => {
    const stale = [
      ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
      ...['TZOFFSETFROM:+0500', 'TZOFFSETTO:+0500', 'END:STANDARD', 'END:VTIMEZONE'],
    ];
    const start = 'DTSTART;TZID=Europe/Berlin:20260501T180000';
    const { records } = await read(calendar(...stale, event(start)));
    expect(records[0]?.values.date).toBe('2026-05-01T16:00:00.000Z');
  });

  it('a time zone of the file may be broken as long as no event needs it', async () => {
    const broken = ['BEGIN:VTIMEZONE', 'TZID:Odd', 'END:VTIMEZONE'];
    expect((await read(calendar(...broken, event()))).records).toHaveLength(1);
    const using = calendar(...broken, event('DTSTART;TZID=Odd:20260501T180000'));
    expect(await readRefusal(using)).toBe(
      'club.ics, event 1: the VTIMEZONE "Odd" cannot be used: it has no STANDARD or DAYLIGHT (nothing was imported).',
    );
  });
});

describe('an event that repeats', () => {
  it('an event that repeats becomes single events, each known by the date it was planned for', async () => {
    const { records, notes } = await read(
      calendar(event(`${vienna}20260327T180000`, 'RRULE:FREQ=WEEKLY;COUNT=2', 'SEQUENCE:4')),
    );
    expect(records).toEqual([
      {
        place: 'event 1, on 2026-03-27',
        origin: { key: 'ics:a@b:2026-03-27T17:00:00.000Z', sequence: 4, stamp: null },
        parts: { takesPlace: 'by status', end: '' },
        values: { name: 'Run', date: '2026-03-27T17:00:00.000Z' },
      },
      {
        place: 'event 1, on 2026-04-03',
        origin: { key: 'ics:a@b:2026-04-03T16:00:00.000Z', sequence: 4, stamp: null },
        parts: { takesPlace: 'by status', end: '' },
        values: { name: 'Run', date: '2026-04-03T16:00:00.000Z' },
      },
    ]);
    expect(notes).toEqual([
      'Of repeating events, the dates from 2024-06-01 to 2028-06-01 were imported.',
    ]);
  });

  it('an event that repeats is known by days where it is of days', async () => {
    const { records } = await read(
      calendar(event('DTSTART;VALUE=DATE:20260328', 'RRULE:FREQ=DAILY;UNTIL=20260330')),
    );
    expect(records.map(({ origin, values }) => [origin?.key, values.date])).toEqual([
      ['ics:a@b:2026-03-28', '2026-03-27T23:00:00.000Z'],
      ['ics:a@b:2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['ics:a@b:2026-03-30', '2026-03-29T22:00:00.000Z'],
    ]);
  });

  it('takes dates out and in', async () => {
    expect(
      await readDates(
        `${vienna}20260501T180000`,
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE;TZID=Europe/Vienna:20260502T180000,20260503T180000',
        'EXDATE;VALUE=DATE:20260505',
        'RDATE;TZID=Europe/Vienna:20260510T120000,20260501T180000',
        'RDATE;VALUE=PERIOD:20260511T100000Z/PT1H',
        'EXDATE:20990101T000000Z',
      ),
    ).toEqual(['2026-05-01T16:00', '2026-05-04T16:00', '2026-05-10T10:00', '2026-05-11T10:00']);
  });

  it.each([
    ['Cancelled: Match', 'Match'],
    ['Canceled: Canceled: Match', 'Match'],
    ['Annulé : Concert', 'Concert'],
    ['Fällt aus: Probe', 'Probe'],
    ['Afgelast: Feest', 'Feest'],
    ['Cancelled: ', 'Cancelled: '],
    ['Match (cancelled: rain)', 'Match (cancelled: rain)'],
  ])('a cancelled event has no mark before its name: %s', async (summary, name) => {
    for (const status of [[], ['STATUS:CONFIRMED'], ['STATUS:CANCELLED']]) {
      const lines = ['DTSTART:20260501T180000Z', `SUMMARY:${summary}`, ...status];
      const { records } = await read(calendar(event(...lines)));
      expect(records.map(({ values }) => values)).toMatchObject([{ name, status: 'cancelled' }]);
    }
  });

  it.each(['Cancelled trains: a talk', 'Rescheduled: Match', 'Note: cancelled in 2019'])(
    'an event that takes place keeps its whole name: %s',
    async (summary) => {
      const { records } = await read(
        calendar(event('DTSTART:20260501T180000Z', `SUMMARY:${summary}`)),
      );
      expect(records.map(({ values }) => values.name)).toEqual([summary]);
    },
  );

  it('an event that repeats may have dates and no rule', async () => {
    expect(await readDates('RDATE:20260601T180000Z')).toEqual([
      '2026-05-01T18:00',
      '2026-06-01T18:00',
    ]);
  });

  const series = event('DTSTART:20260501T180000Z', 'RRULE:FREQ=DAILY;COUNT=4', 'SEQUENCE:2');

  it('an event that repeats has dates that were changed, and still known as planned', async () => {
    const change = event(
      'RECURRENCE-ID:20260502T180000Z',
      'DTSTART:20260509T200000Z',
      'SUMMARY:Moved',
      'STATUS:CANCELLED',
    );
    for (const events of [
      [series, change],
      [change, series],
    ]) {
      const { records } = await read(calendar(...events));
      const moved = records.find(({ values }) => values.name === 'Moved');
      expect(records).toHaveLength(4);
      expect(moved?.place).toMatch(/^event [12], on 2026-05-02$/);
      expect(moved?.origin).toEqual({
        key: 'ics:a@b:2026-05-02T18:00:00.000Z',
        sequence: 2,
        stamp: null,
      });
      expect(moved?.values).toEqual({
        name: 'Moved',
        date: '2026-05-09T20:00:00.000Z',
        status: 'cancelled',
      });
    }
  });

  it('an event that repeats has changes from one date on, which move the dates after it too', async () => {
    const range = event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260502T180000Z',
      'DTSTART:20260502T190000Z',
      'SUMMARY:Later',
    );
    const one = event('RECURRENCE-ID:20260503T180000Z', 'DTSTART:20260503T120000Z', 'SUMMARY:Noon');
    const { records } = await read(calendar(series, range, one));
    expect(records.map(({ origin, values }) => [origin?.key, values.name, values.date])).toEqual([
      ['ics:a@b:2026-05-01T18:00:00.000Z', 'Run', '2026-05-01T18:00:00.000Z'],
      ['ics:a@b:2026-05-02T18:00:00.000Z', 'Later', '2026-05-02T19:00:00.000Z'],
      ['ics:a@b:2026-05-03T18:00:00.000Z', 'Noon', '2026-05-03T12:00:00.000Z'],
      ['ics:a@b:2026-05-04T18:00:00.000Z', 'Later', '2026-05-04T19:00:00.000Z'],
    ]);
  });

  it.each([
    ['EXDATE:20260502T180000Z', 2, false],
    ['EXDATE;VALUE=DATE:20260502', 2, false],
    ['EXDATE:20260502T180000Z', 1, true],
    ['EXDATE:20260502T180000Z', 0, true],
  ])(
    'an event that repeats with %s in revision %i has the change of revision 1: %s',
    async (exdate, sequence, has) => {
      const file = calendar(
        event(
          'DTSTART:20260501T180000Z',
          'RRULE:FREQ=DAILY;COUNT=3',
          exdate,
          `SEQUENCE:${sequence}`,
        ),
        event('RECURRENCE-ID:20260502T180000Z', 'SUMMARY:Changed', 'SEQUENCE:1'),
      );
      const names = (await read(file)).records.map(({ values }) => values.name);
      expect(names).toEqual(has ? ['Run', 'Changed', 'Run'] : ['Run', 'Run']);
    },
  );

  it('an event that repeats of days has each once where a change names its day as a midnight in UTC', async () => {
    const change = event(
      ...['DTSTART;VALUE=DATE:20260502', 'RECURRENCE-ID:20260502T000000Z', 'SUMMARY:Changed'],
    );
    const days = ['DTSTART;VALUE=DATE:20260501', 'RRULE:FREQ=DAILY;COUNT=3'];
    for (const zone of ['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland']) {
      const file = calendar(
        `X-WR-TIMEZONE:${zone}`,
        event(...days, 'EXDATE:20260503T000000Z'),
        change,
      );
      const { records } = await read(file);
      expect(records.map(({ values }) => values.name)).toEqual(['Run', 'Changed']);
    }
  });

  it('an event that repeats names its window by the days of the zone of the import', async () => {
    const [from, to] = [new Date('2026-12-29T23:00:00Z'), new Date('2026-12-31T22:59:59.999Z')];
    const file = calendar(event('DTSTART:20261230T200000', 'RRULE:FREQ=DAILY'));
    const { records, notes } = await read(file, { window: { from, to } });
    expect(records).toHaveLength(2);
    expect(notes).toEqual([
      'Of repeating events, the dates from 2026-12-30 to 2026-12-31 were imported.',
    ]);
  });

  it('an event that repeats loses no change of a date that its rule does not give', async () => {
    const change = event('RECURRENCE-ID:20260601T180000Z', 'SUMMARY:Extra');
    const { records } = await read(calendar(series, change));
    expect(records.map(({ values }) => values.name)).toContain('Extra');
  });

  it('an event that repeats may be in the file with the change of one date alone', async () => {
    const { records } = await read(
      calendar(event('RECURRENCE-ID:20200502T180000Z', 'DTSTART:20200502T190000Z')),
    );
    expect(records).toEqual([
      {
        place: 'event 1, on 2020-05-02',
        origin: { key: 'ics:a@b:2020-05-02T18:00:00.000Z', sequence: 0, stamp: null },
        parts: { takesPlace: 'by status', end: '' },
        values: { name: 'Run', date: '2020-05-02T19:00:00.000Z' },
      },
    ]);
  });

  it('an event that repeats is taken within the window, which a caller may choose', async () => {
    const file = calendar(event('DTSTART:19700101T120000Z', 'RRULE:FREQ=YEARLY'));
    const years = async (window?: DateWindow) =>
      (await read(file, { window })).records.map(({ values }) => String(values.date).slice(0, 4));
    expect(await years()).toEqual(['2025', '2026', '2027', '2028']);
    const from = new Date('1969-01-01T00:00:00.000Z');
    const to = new Date('1972-01-01T00:00:00.000Z');
    expect(await years({ from, to })).toEqual(['1970', '1971']);
  });

  it('an event that repeats gives the same names, whenever the file is read', async () => {
    const file = calendar(event(`${vienna}20200101T180000`, 'RRULE:FREQ=WEEKLY;BYDAY=WE,SA'));
    const from = (year: number) => ({
      from: new Date(`${year}-01-01`),
      to: new Date(`${year + 2}-01-01`),
    });
    const keys = async (year: number) =>
      (await read(file, { window: from(year) })).records.map(({ origin }) => origin?.key);
    const [early, late] = [await keys(2025), await keys(2026)];
    const shared = early.filter((key) => late.includes(key));
    expect(shared).toHaveLength(104);
    expect(new Set(early).size).toBe(early.length);
  });
});

describe('an event whose rule is empty', () => {
  it('an event whose rule is empty is a single event, with a note', async () => {
    const lines = ['RRULE:', 'RDATE;VALUE=DATE:', 'EXDATE: ', 'DTSTART:20260501T180000Z'];
    const { records, notes } = await read(calendar(event('UID:1', ...lines)));
    expect(records).toMatchObject([{ origin: { key: 'ics:1', sequence: 0, stamp: null } }]);
    expect(notes).toEqual(['3 empty lines about repetition were left out.']);
  });
});

describe('the end of an event', () => {
  const start = 'DTSTART;TZID=Europe/Berlin:20260501T193000';
  it.each([
    ['a time on the same day', [start, 'DTEND;TZID=Europe/Berlin:20260501T220000'], 'Until 22:00'],
    ['a time in the night', [start, 'DTEND;TZID=Europe/Berlin:20260502T013000'], 'Until 01:30'],
    ['a time in UTC', [start, 'DTEND:20260501T200000Z'], 'Until 22:00'],
    ['a duration', [start, 'DURATION:PT2H30M'], 'Until 22:00'],
    ['another day', [start, 'DURATION:P2D'], 'Until Sun 3 May, 19:30'],
    ['whole days', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260506'], 'Until Tue 5 May'],
    ['weeks', ['DTSTART;VALUE=DATE:20260501', 'DURATION:P1W'], 'Until Thu 7 May'],
    ['one whole day', ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260502'], undefined],
    ['its start', [start, 'DTEND;TZID=Europe/Berlin:20260501T193000'], undefined],
  ])('is the first line of its note: %s', async (_, lines, note) => {
    expect((await readValues(...lines))?.description).toBe(note);
    const noted = await readValues(...lines, 'DESCRIPTION:Bring a mug.');
    expect(noted?.description).toBe([note, 'Bring a mug.'].filter(Boolean).join('\n'));
  });

  it('is in the language of the import', async () => {
    const { records } = await read(calendar(event(start, 'DURATION:P2D')), { language: 'de' });
    expect(records[0]?.values.description).toBe('Bis So 3. Mai, 19:30 Uhr');
  });

  it('moves with each date of a series, also after a change of the clock', async () => {
    const first = 'DTSTART;TZID=Europe/Berlin:20260323T193000';
    const rule = 'RRULE:FREQ=WEEKLY;COUNT=2';
    const { records } = await read(calendar(event(first, 'DURATION:PT2H', rule)));
    expect(records.map(({ values }) => values.description)).toEqual(['Until 21:30', 'Until 21:30']);
  });

  it('is not written twice', async () => {
    const end = 'DTEND;TZID=Europe/Berlin:20260501T220000';
    const noted = await readValues(start, end, 'DESCRIPTION:Bis 22:00\\nBring a mug.');
    expect(noted?.description).toBe('Bis 22:00\nBring a mug.');
  });

  it.each([[null], ['Until 22:00'], ['Bis 22:00 Uhr\nBring a mug.']])(
    'survives an export and a subscription, whose usual length is no end: %j',
    async (description) => {
      const stored: ExportedEvent = {
        ...{ id: 7, name: 'Run', date: '2026-05-01T17:30:00.000Z', location: '', description },
        ...{ status: 'active', eventType: null, createdAt: '2026-01-01T00:00:00.000Z' },
      };
      const options = { calendarName: 'Rovers', now, uidBase: 'x', timeZone: 'Europe/Berlin' };
      const subscription = { changedAt: () => now, usualLength: 120 };
      for (const more of [{}, { subscription }]) {
        const text = [...writeIcs([stored], { ...options, ...more })].join('');
        expect(text.includes('DTEND')).toBe(description !== null || 'subscription' in more);
        const { records } = await read(text);
        expect(records[0]?.values.description).toBe(description);
      }
    },
  );

  it.each([
    ['DTEND;TZID=Europe/Berlin:20260501T190000'],
    ['DTEND:20260430T200000Z'],
    ['DTEND;VALUE=DATE:20260430', 'DTSTART;VALUE=DATE:20260501'],
    ['DTEND:tomorrow'],
    ['DURATION:-PT1H'],
  ])('is left out with a note if it is wrong: %s', async (line, first = start) => {
    const { records, notes } = await read(calendar(event(first, line)));
    expect(records[0]?.values.description).toBeUndefined();
    expect(notes).toEqual([
      '1 event has an end that cannot be read or is before its start; it was imported without an end.',
    ]);
  });
});
