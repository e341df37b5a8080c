import { describe, expect, it } from 'vitest';
import { parseWallTime } from '../../../server/import/ics/local-time.ts';
import { expandRule } from '../../../server/import/ics/occurrences.ts';
import { parseRule } from '../../../server/import/ics/rule.ts';
import type { Message } from '../../../server/messages/message.ts';
import { calendar, event, readText } from '../../support/ics.ts';

const refuse = ({ key }: Message) => expect.unreachable(key) as never;

function wallOf(text: string): number {
  return parseWallTime(text)?.wall ?? Number.NaN;
}

/** The first dates of a rule, as `YYYY-MM-DDTHH:MM`. */
function expand(start: string, text: string, most = 10, from = start, to = '21000101'): string[] {
  const rule = parseRule(text, refuse);
  const until = rule.until?.wall;
  const span = { from: wallOf(from), to: wallOf(to) };
  const walls = expandRule({ rule, start: wallOf(start), until }, span, () => undefined);
  return walls
    .take(most)
    .map((wall) => new Date(wall).toISOString().slice(0, 16))
    .toArray();
}

/** Days of September 1997 and after, as the examples of RFC 5545 section 3.8.5.3 write them. */
const days = (...texts: readonly string[]) => texts.map((text) => `${text}T09:00`);

describe('a recurrence rule', () => {
  it.each([
    ['FREQ=DAILY;COUNT=3', days('1997-09-02', '1997-09-03', '1997-09-04')],
    ['FREQ=DAILY;UNTIL=19970903T120000Z', days('1997-09-02', '1997-09-03')],
    ['FREQ=DAILY;INTERVAL=10;COUNT=3', days('1997-09-02', '1997-09-12', '1997-09-22')],
    ['FREQ=WEEKLY;COUNT=3', days('1997-09-02', '1997-09-09', '1997-09-16')],
    [
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH;COUNT=4',
      days('1997-09-02', '1997-09-04', '1997-09-16', '1997-09-18'),
    ],
    [
      'FREQ=MONTHLY;INTERVAL=2;COUNT=5;BYDAY=1SU,-1SU',
      days('1997-09-02', '1997-09-07', '1997-09-28', '1997-11-02', '1997-11-30'),
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3', days('1997-09-02', '1997-09-28', '1997-10-29')],
    ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', days('1997-09-02', '1997-10-31', '1997-12-31')],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3', days('1997-09-02', '1998-02-13', '1998-03-13')],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4',
      days('1997-09-02', '1997-09-29', '1997-10-30', '1997-11-27'),
    ],
    [
      'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
      days('1997-09-02', '1997-09-04', '1997-10-07'),
    ],
    ['FREQ=YEARLY;BYMONTH=6,7;COUNT=3', days('1997-09-02', '1998-06-02', '1998-07-02')],
    [
      'FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200',
      days('1997-09-02', '2000-01-01', '2000-04-09', '2000-07-18'),
    ],
    ['FREQ=YEARLY;BYDAY=20MO;COUNT=2', days('1997-09-02', '1998-05-18')],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3', days('1997-09-02', '1998-05-11', '1999-05-17')],
    // Weeks that end in the next year, or begin in the year before.
    [
      'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO,SU;COUNT=5',
      days('1997-09-02', '1998-12-28', '1999-01-03', '2004-12-27', '2005-01-02'),
    ],
    ['FREQ=YEARLY;BYWEEKNO=52;BYDAY=SU;COUNT=3', days('1997-09-02', '1997-12-28', '1998-12-27')],
    ['FREQ=YEARLY;BYWEEKNO=-53;BYDAY=MO;COUNT=3', days('1997-09-02', '1997-12-29', '2003-12-29')],
    ['FREQ=YEARLY;BYWEEKNO=1;COUNT=3', days('1997-09-02', '1997-12-30', '1999-01-05')],
    [
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3',
      days('1997-09-02', '1997-11-04', '2001-11-06'),
    ],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=3', days('1997-09-02', '1998-03-05', '1998-03-12')],
    ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z', ['09:00', '12:00', '15:00']],
    ['FREQ=MINUTELY;INTERVAL=90;COUNT=4', ['09:00', '10:30', '12:00', '13:30']],
    ['FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20;COUNT=4', ['09:00', '09:20', '10:00', '10:20']],
    [
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,11;COUNT=5',
      ['09:00', '09:20', '09:40', '11:00', '11:20'],
    ],
    ['FREQ=SECONDLY;INTERVAL=60;BYMINUTE=0,5;COUNT=3', ['09:00', '09:05', '10:00']],
    ['freq=weekly;count=1;', ['09:00']],
  ])('a recurrence rule %s gives the dates that the standard says', (rule, expected) => {
    const full = expected.map((text) => (text.length === 5 ? `1997-09-02T${text}` : text));
    expect(expand('19970902T090000', rule)).toEqual(full);
  });

  it('keeps 29 February to leap years, and never turns it into another day', () => {
    expect(expand('20240229T120000', 'FREQ=YEARLY', 3)).toEqual([
      '2024-02-29T12:00',
      '2028-02-29T12:00',
      '2032-02-29T12:00',
    ]);
  });

  it('finds the first week of a year by WKST', () => {
    const rule = (day: string) => `FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=${day}`;
    expect(expand('19970805T090000', rule('MO'))).toEqual(
      days('1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'),
    );
    expect(expand('19970805T090000', rule('SU'))).toEqual(
      days('1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31'),
    );
  });

  it.each([
    'FREQ=DAILY;INTERVAL=7',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,FR',
    'FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1,15',
    'FREQ=YEARLY;INTERVAL=3;BYMONTH=5',
    'FREQ=HOURLY;INTERVAL=7',
    'FREQ=MINUTELY;INTERVAL=1234;BYHOUR=5',
  ])('a recurrence rule %s gives the same dates when the time before them is skipped', (rule) => {
    const from = '20200101';
    const all = expand('20030501T050000', rule, 1_000_000, '20030501T050000', '20230101');
    const late = expand('20030501T050000', rule, 1_000_000, from, '20230101');
    expect(late.length).toBeGreaterThan(0);
    expect(late).toEqual(all.filter((date) => date >= '2020'));
  });
});

describe('the clock of a series', () => {
  const dates = async (...lines: readonly string[]) =>
    (await readText(calendar(event(...lines)))).records.map(({ values }) => values.date);

  it('the clock of a series moves with summer time, through the gap and the hour that comes twice', async () => {
    const start = 'DTSTART;TZID=Europe/Vienna:20260328T023000';
    expect(await dates(start, 'RRULE:FREQ=DAILY;COUNT=3')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    const autumn = 'DTSTART;TZID=Europe/Vienna:20261024T023000';
    expect(await dates(autumn, 'RRULE:FREQ=DAILY;COUNT=3')).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it.each([
    ['20260503T160000Z', 3],
    ['20260503T155959Z', 2],
    ['20260503T180000', 3],
    ['20260503', 3],
    ['20260430T000000Z', 1],
  ])(
    'the clock of a series ends with UNTIL=%s, in UTC or not, after %i dates',
    async (until, count) => {
      const start = 'DTSTART;TZID=Europe/Vienna:20260501T180000';
      expect(await dates(start, `RRULE:FREQ=DAILY;UNTIL=${until}`)).toHaveLength(count);
    },
  );

  it('leaves out a date by EXDATE in the gap of spring', async () => {
    const start = 'DTSTART;TZID=Europe/Vienna:20260328T023000';
    const exdate = 'EXDATE;TZID=Europe/Vienna:20260329T023000';
    expect(await dates(start, 'RRULE:FREQ=DAILY;COUNT=2', exdate)).toHaveLength(1);
  });
});
