import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../server/base/errors.ts';
import { reader } from '../../../server/import/ics/reader.ts';
import { problemMessage } from '../../../server/messages/message.ts';
import { wordForCommandLine, wordProblem } from '../../../server/messages/messages.ts';
import { calendar, event, now, readRefusal, readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { workedMs } from '../../support/measure.ts';
import { createRandom } from '../../support/random.ts';

const one = event('UID:1');

/** Returns the sentence with which a file is refused. Fails if this takes long. */
async function refusalOf(content: string | Uint8Array): Promise<string> {
  const began = workedMs();
  const refusal = await readRefusal(content);
  // Far above what it takes: a machine that is busy works at half its speed.
  expect(workedMs() - began).toBeLessThan(6000);
  expect(refusal).toMatch(/^club\.ics[:,] [^\n]{1,300} \(nothing was imported\)\.$/);
  return refusal;
}

const bytes = (...values: readonly number[]) => Buffer.from(values);

describe('a damaged file is refused in a sentence', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['empty', '', /: the file is empty/],
    ['blank', '\r\n\r\n', /: the file is empty/],
    ['not iCalendar', 'name,date\r\nRun,2026-05-01\r\n', /: this is not an iCalendar file/],
    ['an event without a calendar', one, /: this is not an iCalendar file/],
    ['cut off in an event', calendar(one).slice(0, -32), /event 1: .*ends here, inside a VEVENT/],
    ['cut off after an event', `BEGIN:VCALENDAR\n${one}\n`, /after event 1: .*inside a VCALENDAR/],
    ['a ZIP archive', Buffer.concat([Buffer.from('PK\x03\x04'), bytes(0, 255)]), /ZIP archive/],
    ['UTF-16', Buffer.from(`\ufeff${calendar(one)}`, 'utf16le'), /UTF-16/],
    [
      'an event in an event',
      calendar('BEGIN:VEVENT', one),
      /event 1: BEGIN:VEVENT has no END:VEVENT/,
    ],
    [
      'nested events',
      `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(choose(100_000, 10_000))}`,
      /inside a VEVENT/,
    ],
    ['nested parts', `BEGIN:VCALENDAR\n${'BEGIN:X-A\n'.repeat(100_000)}`, /deeper than 8 levels/],
    ['a wrong end', calendar(event('END:VTODO')), /event 1: END:VTODO has no BEGIN:VTODO/],
    ['a line of 30 MB', Buffer.alloc(30_000_000, 'A'), /line 1: the line is longer than/],
    ['a folded line without end', `BEGIN:VCALENDAR\nA:b\n${' x\n'.repeat(1_000_001)}`, /longer/],
    ['many lines in an event', calendar(event('RDATE:20260101\r\n'.repeat(20_001))), /more than/],
  ])('a damaged file is refused in a sentence: %s', async (_, content, expected) => {
    expect(await refusalOf(content)).toMatch(expected);
  });

  it('a file above 32 MiB', async () => {
    const block = Buffer.from(`X-A:${'b'.repeat(994)}\r\n`.repeat(1000));
    async function* open() {
      yield Buffer.from('BEGIN:VCALENDAR\r\n');
      for (let at = 0; at < 100; at += 1) yield block;
    }
    const nothing = () => undefined;
    const options = { map: {}, timeZone: 'UTC', now, ignore: nothing, note: nothing };
    const reading = reader.read({ name: 'club.ics', open }, options)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject({
      code: 'file_refused',
      values: { file: 'club.ics', reason: { key: 'calendarReason:calendar_too_large' } },
    });
  });
});

describe('a bad event is refused in a sentence that names it', () => {
  const start = 'DTSTART:20260501T180000Z';
  const badEvents: readonly (readonly [name: string, lines: readonly string[], RegExp])[] = [
    ['a day that does not exist', ['DTSTART:20260230'], /the DTSTART "20260230" is not a date/],
    ['a time that does not exist', ['DTSTART:20260201T250000Z'], /the DTSTART "20260201T250000Z"/],
    ['an offset', ['DTSTART:20260201T100000+0100'], /the DTSTART .* is not a date/],
    ['an empty start', ['DTSTART:'], /the DTSTART "" is not a date/],
    ['two starts in one', ['DTSTART:20260201,20260202'], /the DTSTART has more than one date/],
    ['a year that no date has', ['DTSTART:00000101'], /the DTSTART "00000101" is not a date/],
    ['a date before the year 1', ['DTSTART:00010101'], /its date is outside the years 1 to 9999/],
    ['a year before 1900', ['DTSTART:18991231T235959Z'], /: 1899-12-31 is in the year 1899/],
    [
      'a year that is a typing error',
      ['DTSTART:00260502'],
      /: 0026-05-02 is in the year 26; years bef/,
    ],
    ['a NUL byte', ['SUMMARY:a\0b'], /the SUMMARY in line \d+ is damaged/],
    ['a wrong sign', ['SUMMARY=a'], /the SUMMARY in line \d+ is damaged/],
    ['a broken line', ['SUMMARY:a', 'b'], /the SUMMARY is cut off: line \d+ is not "NAME:value"/],
    ['a rule without FREQ', ['RRULE:COUNT=2'], /the RRULE cannot be used: it has no FREQ/],
    ['a date that is none', ['RDATE:soon'], /RDATE/],
    ['a wrong end of a rule', ['RRULE:FREQ=DAILY;UNTL=20260101'], /"UNTL=20260101" is not known/],
    ['a wrong creation', ['CREATED:soon'], /the CREATED "soon" is not a date/],
    ['a wrong sequence', ['SEQUENCE:x'], /the SEQUENCE "x" is not a whole number/],
    ['a wrong exception', [start, 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:x'], /the EXDATE "x"/],
    ['parameters without end', ['SUMMARY;A="b:c'], /the SUMMARY has parameters that never end/],
    ['long parameters', [`SUMMARY;${'A=b;'.repeat(200_000)}C=d:e`], /too long/],
    ['text that is none', ['SUMMARY;VALUE=INTEGER:5'], /the SUMMARY is not text: "5"/],
    ['an own text that is none', ['X-CLUB-EVENTS-NAME:/w=='], /is not text in Base64/],
  ];

  it.each(badEvents)(
    'a bad event is refused in a sentence that names it: %s',
    async (_, lines, expected) => {
      const message = await refusalOf(calendar(event('UID:0'), event('UID:1', ...lines)));
      expect(message).toMatch(/^club\.ics, event 2: /);
      expect(message).toMatch(expected);
    },
  );

  it('a start that is missing', async () => {
    const message = await refusalOf(calendar('BEGIN:VEVENT', 'UID:1', 'END:VEVENT'));
    expect(message).toMatch(/^club\.ics, event 1: the DTSTART is missing; every event needs one/);
  });

  it.each([
    ['FREQ=SECONDLY', /gives more than 10000 dates between 2024-06-01 and 2028-06-01/],
    ['FREQ=HOURLY;COUNT=1000000000', /gives more than 10000 dates/],
    ['FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8,9,10;BYMINUTE=1,2,3,4', /gives more than 10000 dates/],
    [
      'FREQ=YEARLY;BYSECOND=1,2,3,4,5,6;BYMINUTE=1,2,3;BYDAY=MO;BYHOUR=1,2,3,4,5,6',
      /more than 10000/,
    ],
    ['FREQ=SECONDLY;BYMINUTE=0;BYSECOND=61', /"BYSECOND=61" is not possible/],
    ['FREQ=DAILY;INTERVAL=0', /the RRULE cannot be used: "INTERVAL=0" is not possible/],
    ['FREQ=DAILY;INTERVAL=-1', /"INTERVAL=-1" is not possible/],
    ['FREQ=DAILY;COUNT=5x', /"COUNT=5X" is not possible/],
    ['FREQ=DAILY;COUNT=1;COUNT=2', /"COUNT" appears twice/],
    ['FREQ=FORTNIGHTLY', /it has no FREQ out of YEARLY/],
    ['FREQ=DAILY;UNTIL=20260230', /"UNTIL=20260230" is not possible/],
    ['FREQ=DAILY;RSCALE=HEBREW', /"RSCALE=HEBREW" is not known/],
    ['FREQ=DAILY;__PROTO__=1', /"__PROTO__=1" is not known/],
    ['BYDAY', /"BYDAY" is not known/],
    ['FREQ=WEEKLY;BYDAY=0MO', /"BYDAY=0MO" is not possible/],
    ['FREQ=MONTHLY;BYMONTHDAY=0', /"BYMONTHDAY=0" is not possible/],
  ])('the rule %s', async (rule, expected) => {
    const message = await refusalOf(calendar(event(), event('UID:2', `RRULE:${rule}`)));
    expect(message).toMatch(/^club\.ics, event 2: the RRULE /);
    expect(message).toMatch(expected);
  });

  it('a bad event is refused in a sentence that names it: in the window, by its title and in the language of the user', async () => {
    const rule = 'RRULE:FREQ=DAILY;UNTL=20260101';
    const error = await readText(calendar(event('SUMMARY:Training', rule))).catch(
      (reason: unknown) => reason,
    );
    if (!(error instanceof Problem)) throw error;
    expect(wordProblem(error, 'de')).toMatch(
      /^club\.ics, „Training“ \(Termin 1\): die Regel, nach der .* „UNTL=20260101“ ist unbekannt/,
    );
  });

  it('many rules that each take long', { tags: 'long' }, async () => {
    const rule = 'RRULE:FREQ=MINUTELY;INTERVAL=7;COUNT=1000000000;BYMONTH=1;BYMONTHDAY=1;BYHOUR=3';
    const events = Array.from({ length: 300 }, (_, at) =>
      event(`UID:${at}`, 'DTSTART:19000101T000000Z', rule),
    );
    expect(await refusalOf(calendar(...events))).toMatch(/takes too long to compute/);
  });

  // It counts against the limit of the rules before.
  it('many dates that are taken out', { tags: 'long' }, async () => {
    const dates = Array.from({ length: 50_000 }, () => '20260501T180000').join();
    const series = (uid: number) =>
      event(`UID:${uid}`, 'RRULE:FREQ=DAILY;COUNT=2', `EXDATE;TZID=Europe/Berlin:${dates}`);
    const file = calendar(series(1), series(2), series(3));
    expect(await refusalOf(file)).toMatch(/event 2: .*takes too long to compute/);
  });

  // Zones have the limit of rules.
  it('many time zones that each take long', { tags: 'long' }, async () => {
    const zones = Array.from({ length: 100 }, (_, at) =>
      [
        ...['BEGIN:VTIMEZONE', `TZID:Z${at}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
        ...['RRULE:FREQ=YEARLY', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'END:STANDARD'],
        ...['END:VTIMEZONE', event(`UID:${at}`, `DTSTART;TZID=Z${at}:90000101T000000`)],
      ].join('\r\n'),
    );
    expect(await refusalOf(calendar(...zones))).toMatch(/its rules take too long/);
  });

  it('a time zone whose rule never ends', async () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'];
    const rule = ['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=SECONDLY', 'END:STANDARD'];
    const file = calendar(
      ...[...zone, ...rule, 'END:VTIMEZONE'],
      event('DTSTART;TZID=Odd:20260501T180000'),
    );
    expect(await refusalOf(file)).toMatch(
      /event 1: the VTIMEZONE "Odd" cannot be used: its clock changes more than/,
    );
  });
});

describe('what is odd but harmless is taken', () => {
  const organizer = ['ORGANIZER;CN=Ada Lovelace;CUTYPE=INDIVIDUAL:mailto:ad', 'a@example.org'];

  it.each<[string, string, string]>([
    [
      'a broken line of a property that is not needed',
      calendar(event(...organizer), one),
      '1 line',
    ],
    ['a property with a wrong sign', calendar(event('X-RADIUS=49.9'), one), '1 line'],
    ['broken lines between events', calendar(one, 'oops', event('UID:2'), 'oops'), '2 lines'],
    ['a NUL byte that is not needed', calendar(event('X-A:a\0b'), one), '1 line'],
    ['a stray end', calendar(one, 'END:VTODO', event('UID:2')), '1 line'],
  ])('what is odd but harmless is taken: %s, with a note', async (_, content, lines) => {
    const { records, notes } = await readText(content);
    expect(records).toHaveLength(2);
    expect(notes).toEqual([`${lines} ${lines === '1 line' ? 'was' : 'were'} broken and left out.`]);
  });

  it('text after the end of the calendar, with a note', async () => {
    const after = `${calendar(one)}X-COMMENT:cached 2026-05-01\r\n-- \r\n`;
    const { records, notes } = await readText(after);
    expect(records).toHaveLength(1);
    expect(notes).toEqual(['2 lines after the end of the calendar were left out.']);
  });

  it('an event after the end of the calendar', async () => {
    const { records } = await readText(`${calendar(one)}${event('UID:2')}\r\n`);
    expect(records).toHaveLength(2);
  });

  it.each<[string, number]>([
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 1],
    ['FREQ=YEARLY;INTERVAL=999999999999999', 1],
    ['FREQ=DAILY;COUNT=1000000000;UNTIL=20260503', 3],
    ['FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=6MO', 1],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 1],
    ...choose<[string, number][]>([['FREQ=SECONDLY;INTERVAL=60;BYSECOND=30', 1]], []),
  ])('the rule %s, which gives %i dates', async (rule, count) => {
    const began = workedMs();
    const { records } = await readText(calendar(event(`RRULE:${rule}`)));
    expect(records).toHaveLength(count);
    // Far above what it takes: a machine that is busy works at half its speed.
    expect(workedMs() - began).toBeLessThan(6000);
  });

  it('a daily series that is counted since 1970', async () => {
    const lines = ['DTSTART:19700101T180000Z', 'RRULE:FREQ=DAILY;COUNT=1000000000'];
    expect((await readText(calendar(event(...lines)))).records).toHaveLength(1461);
  });

  it('what is odd but harmless is taken: names that JavaScript gives a meaning', async () => {
    const { records } = await readText(
      calendar(
        event('__proto__:x', 'constructor:y', 'SUMMARY;__proto__=x;constructor=y;toString=z:Run'),
      ),
    );
    expect(records[0]?.values).toEqual({ name: 'Run', date: '2026-05-01T18:00:00.000Z' });
  });
});

describe('one bad event of a calendar', () => {
  const series = ['DTSTART:20260501T180000Z', 'RRULE:FREQ=DAILY;COUNT=2'];
  const good = [event('UID:2'), event('UID:3', ...series)];

  /** The places of bad events, and of the others. */
  async function readPlaces(...events: readonly string[]) {
    const bytes = Buffer.from(calendar(...events));
    const file = { name: 'club.ics', open: () => Readable.from([bytes]) };
    const nothing = () => undefined;
    const options = { map: {}, timeZone: 'UTC', now, ignore: nothing, note: nothing };
    const [bad, sound]: [string[], string[]] = [[], []];
    for await (const records of reader.read(file, options)) {
      for (const record of records) {
        ('problem' in record ? bad : sound).push(wordForCommandLine(record.place));
      }
    }
    return { bad, sound };
  }

  it.each([
    ['has no start', 'BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT'],
    ['has no end', 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260501'],
    ['has a part without an end', event('BEGIN:VALARM')],
    ['has a day that does not exist', event('DTSTART:20240230T100000')],
    ['has a rule without FREQ', event('RRULE:COUNT=2')],
    ['has a rule with a wrong count', event('RRULE:FREQ=DAILY;COUNT=-1')],
    ['has a rule with a wrong part', event('RRULE:FREQ=DAILY;UNTL=20270101')],
    ['has a date that is none', event('RDATE:soon')],
    ['has a wrong sequence', event('SEQUENCE:1.5')],
    ['has too many dates', event('RRULE:FREQ=SECONDLY')],
    ['has too many properties', event('RDATE:20260101\r\n'.repeat(20_001).trim())],
    ['has a broken title', event('SUMMARY;VALUE=INTEGER:5')],
    ['is of the year 26', event('DTSTART:00260502')],
  ])('one bad event of a calendar that %s leaves the others as they are', async (_, bad) => {
    expect(await readPlaces(bad, ...good)).toEqual({
      bad: ['event 1'],
      sound: ['event 2', 'event 3, on 2026-05-01', 'event 3, on 2026-05-02'],
    });
    const other = await readPlaces(...good, bad);
    expect(other.bad).toEqual(['event 3']);
    expect(other.sound).toHaveLength(3);
  });

  it('one bad event of a calendar that changes a date of a series leaves the series as it is', async () => {
    const change = event('UID:3', 'RECURRENCE-ID:20260502T180000Z', 'DTSTART:20260231');
    expect(await readPlaces(change, ...good)).toEqual({
      bad: ['event 1'],
      sound: ['event 2', 'event 3, on 2026-05-01', 'event 3, on 2026-05-02'],
    });
  });

  it('one bad event of a calendar that is a series leaves its changes as they are', async () => {
    const change = event('UID:1', 'RECURRENCE-ID:20260502T180000Z');
    for (const events of [
      [event('UID:1', 'RRULE:COUNT=2'), change],
      [change, event('UID:1', 'RRULE:COUNT=2')],
    ]) {
      const { bad, sound } = await readPlaces(...events);
      expect([bad.length, sound.length]).toEqual([1, 1]);
    }
  });
});

const good = calendar(
  ...['X-WR-TIMEZONE:Europe/Berlin', 'BEGIN:VTIMEZONE', 'TZID:Club', 'BEGIN:STANDARD'],
  ...['DTSTART:19701025T030000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'],
  ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD', 'END:VTIMEZONE'],
  event('UID:1', 'SUMMARY;LANGUAGE=de:Läufe\\, "Halle" 🏃', 'CATEGORIES:Club', 'STATUS:CONFIRMED'),
  event('UID:2', 'DTSTART;TZID=Club:20260501T180000', 'RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=9'),
  event('UID:2', 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Club:20260515T180000', 'SEQUENCE:1'),
  event('UID:3', 'DTSTART;VALUE=DATE:20260501', 'RRULE:FREQ=MONTHLY;UNTIL=20270101T000000Z'),
  event('UID:4', 'X-CLUB-EVENTS-ID:7', 'X-CLUB-EVENTS-NAME:UnVu', 'CREATED:20260101T000000Z'),
  event('UID:5', 'RDATE:20260601T180000Z', 'EXDATE:20260601T180000Z', 'BEGIN:VALARM\r\nEND:VALARM'),
);

/** A few bytes changed, cut out, moved or repeated. */
function mutate(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let mutated = Buffer.from(bytes);
  for (let times = 1 + random(3); times > 0; times -= 1) {
    const at = random(mutated.length);
    const piece = mutated.subarray(at, at + random(40));
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at + piece.length)];
    const kind = random(9);
    if (kind === 0) mutated[at] = random(256);
    else if (kind === 1) mutated[at] = ';:,="\\0123456789TZ\r\n '.charCodeAt(random(22));
    else if (kind === 2) mutated = Buffer.concat([before, after]);
    else if (kind === 3) mutated = Buffer.concat([before, piece, piece, after]);
    else if (kind === 4) mutated = Buffer.concat([before, after, piece]);
    else if (kind === 5) mutated[at] = (mutated[at] ?? 0) ^ (1 << random(8));
    else if (/\d/.test(String.fromCharCode(mutated[at] ?? 0))) mutated[at] = 48 + random(10);
  }
  return mutated;
}

describe('a file that was changed at random', () => {
  const runs = Number(process.env['FUZZ_RUNS'] ?? choose(1000, 40));

  it('a file that was changed at random is taken, or refused in a sentence, soon', async () => {
    const random = createRandom(5545);
    expect((await readText(good)).records).toHaveLength(21);
    const outcomes = { taken: 0, refused: 0 };
    for (let run = 0; run < runs; run += 1) {
      const mutated = mutate(Buffer.from(good), random);
      const began = workedMs();
      try {
        await readText(mutated);
        outcomes.taken += 1;
      } catch (error) {
        if (!(error instanceof Problem)) {
          throw new Error(`run ${run}: ${JSON.stringify(mutated.toString())}`, { cause: error });
        }
        const refusal = wordForCommandLine(problemMessage(error));
        expect(refusal).toMatch(/^club\.ics[:,] .* \(nothing was imported\)\.$/);
        outcomes.refused += 1;
      }
      expect(workedMs() - began, `run ${run}`).toBeLessThan(5_000);
    }
    expect(outcomes.taken).toBeGreaterThan(runs / 10);
    expect(outcomes.refused).toBeGreaterThan(runs / 10);
  });
});

const matches = join(import.meta.dirname, '../../../../shared/data/matches.ics');
const available = existsSync(matches);
if (!available) {
  process.stderr.write('Skipped: the real matches, which are not beside this checkout.\n');
}

describe.skipIf(!available)('151 real matches', () => {
  it('151 real matches are read, every one with its name, date, end and description', async () => {
    const bytes = readFileSync(matches);
    const text = bytes.toString().replace(/\r?\n[ \t]/g, '');
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeStyle: 'short',
      timeZone: 'Europe/Berlin',
    });
    const expected = text
      .split('BEGIN:VEVENT')
      .slice(1)
      .map((block) => {
        const of = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(block)?.[1] ?? '';
        const dateOf = (name: string) =>
          of(name).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6.000Z');
        const end = clock.format(new Date(dateOf('DTEND')));
        const plain = (value: string) =>
          value.replaceAll(/\\(.)/g, (_, next) => (next === 'n' ? '\n' : next));
        return {
          key: `ics:${of('UID')}`,
          name: plain(of('SUMMARY')),
          date: dateOf('DTSTART'),
          description: [`Until ${end}`, plain(of('DESCRIPTION'))].filter(Boolean).join('\n'),
        };
      });
    const { records, notes } = await readText(bytes);
    expect(records).toHaveLength(151);
    expect(
      records.map(({ origin, values: { name, date, description } }) => ({
        key: origin?.key,
        name,
        date,
        description,
      })),
    ).toEqual(expected);
    expect(notes).toEqual([]);
  });
});
