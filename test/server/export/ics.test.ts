import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { type ExportedEvent, writeIcs } from '../../../server/export/ics.ts';
import { eventsOf } from '../../support/events.ts';
import { now, readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';

const plain: ExportedEvent = {
  id: 1042,
  name: 'Spring Cup',
  date: '2026-05-01T18:00:00.000Z',
  location: '',
  description: null,
  status: 'active',
  eventType: 'club',
  createdAt: '2026-01-01T00:00:00.000Z',
  sourceKey: null,
};

function write(
  events: readonly ExportedEvent[],
  calendarName = 'Chess',
  timeZone?: string,
): string {
  return [...writeIcs(events, { calendarName, now, uidBase: '3f1c', timeZone })].join('');
}

const zones = fc.constantFrom(
  undefined,
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.string({
    unit: fc.constantFrom('\n', '\r', '\r\n', '\\', ',', ';', ':', '"', ' ', '\t', 'n', 'N'),
    maxLength: 40,
  }),
  fc.string({
    unit: fc.constantFrom(
      '🏃‍♀️',
      'שלום',
      'é',
      '\u202e',
      '\u0085',
      '\u2028',
      '\ufeff',
      '^',
      '\x01',
      'x',
    ),
    maxLength: 60,
  }),
);

const events = eventsOf({ id: fc.maxSafeInteger(), text: texts });

const sourceKeys = fc.oneof(
  fc.constant(null),
  fc.constant('row 5'),
  fc.uuid().map((uid) => `ics:${uid}`),
  fc.uuid().map((uid) => `ics:${uid}:2026-05-01T18:00:00.000Z`),
);

describe('an iCalendar export', () => {
  it('an iCalendar export is restored exactly by an import', async () => {
    const lists = fc.uniqueArray(
      fc.tuple(events, sourceKeys).map(([event, sourceKey]) => ({ ...event, sourceKey })),
      { selector: ({ id }) => id, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(lists, texts, zones, async (list, calendarName, zone) => {
        const { records, notes } = await readText(write(list, calendarName, zone));
        expect(notes).toEqual([]);
        const expected = list.map(({ sourceKey: _, ...event }) => event);
        expect(records.map(({ values }) => values)).toEqual(expected);
        expect(records.every(({ origin }) => origin === undefined)).toBe(true);
      }),
      { numRuns: choose(1000, 60) },
    );
  });

  it('an iCalendar export has all required properties of each event', () => {
    const text = write([
      { ...plain, description: 'a, b; c\\d\ne', status: 'completed', registrationOpen: true },
      { ...plain, id: 7, eventType: null, location: 'Hall', status: 'draft' },
    ]);
    expect(text.split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Club Events//Club Events//EN',
      'CALSCALE:GREGORIAN',
      'NAME:Chess',
      'X-WR-CALNAME:Chess',
      'BEGIN:VEVENT',
      'UID:event-1042.3f1c@club-events.invalid',
      'DTSTAMP:20260601T000000Z',
      'DTSTART:20260501T180000Z',
      'SUMMARY:Spring Cup',
      'DESCRIPTION:a\\, b\\; c\\\\d\\ne',
      'STATUS:CONFIRMED',
      'X-CLUB-EVENTS-STATUS:completed',
      'CATEGORIES:CLUB',
      'CREATED:20260101T000000Z',
      'X-CLUB-EVENTS-REGISTRATION-OPEN:TRUE',
      'X-CLUB-EVENTS-ID:1042',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:event-7.3f1c@club-events.invalid',
      'DTSTAMP:20260601T000000Z',
      'DTSTART:20260501T180000Z',
      'SUMMARY:Spring Cup',
      'LOCATION:Hall',
      'STATUS:TENTATIVE',
      'X-CLUB-EVENTS-TYPE:NONE',
      'CREATED:20260101T000000Z',
      'X-CLUB-EVENTS-ID:7',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('writes local times with their zone, a day without a time as a date, and unclear times in UTC', () => {
    const at = (id: number, date: string) => ({ ...plain, id, date });
    const text = write(
      [
        at(1, '2026-07-01T17:30:00.000Z'),
        at(2, '2026-06-30T22:00:00.000Z'),
        // Both of two equal local times, and a year whose offset has seconds.
        at(3, '2026-10-25T00:30:00.000Z'),
        at(5, '2026-10-25T01:30:00.000Z'),
        at(4, '1890-05-01T12:00:00.000Z'),
      ],
      'Chess',
      'Europe/Berlin',
    );
    expect(text.match(/^DTSTART[;:](?!.{15}\r\nTZOFFSET).*$/gm)).toEqual([
      'DTSTART;TZID=Europe/Berlin:20260701T193000',
      'DTSTART;VALUE=DATE:20260701',
      'DTSTART:20261025T003000Z',
      'DTSTART:20261025T013000Z',
      'DTSTART:18900501T120000Z',
    ]);
    expect(text).toContain('X-WR-TIMEZONE:Europe/Berlin\r\n');
    expect(text).toContain(
      'BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n',
    );
  });

  it('folds lines at 75 octets without splitting a character', () => {
    fc.assert(
      fc.property(events, fc.string({ minLength: 200, maxLength: 300 }), (event, description) => {
        const text = write([{ ...event, description, sourceKey: null }]);
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line.isWellFormed()).toBe(true);
          expect(line).not.toMatch(/[\r\n]/);
        }
      }),
    );
  });

  it('an iCalendar export is read correctly by ical.js', () => {
    const name = 'Ü\\n, "ü"; 🏃‍♀️ '.repeat(20);
    const component = new ICAL.Component(ICAL.parse(write([{ ...plain, name }])));
    const [event] = component.getAllSubcomponents('vevent');
    expect(event?.getFirstPropertyValue('summary')).toBe(name);
    expect(String(event?.getFirstPropertyValue('dtstart'))).toBe('2026-05-01T18:00:00Z');
  });

  it('keeps the UID of an imported event, with a distinct one per date of a series', () => {
    const sourceKey = 'ics:abc@example.org';
    const text = write([
      { ...plain, id: 1, sourceKey },
      { ...plain, id: 2, sourceKey: `${sourceKey}:2026-05-01T18:00:00.000Z` },
      { ...plain, id: 3, sourceKey: 'row 5' },
    ]);
    expect(text.match(/^UID:.*$/gm)).toEqual([
      'UID:abc@example.org',
      'UID:abc@example.org:2026-05-01T18:00:00.000Z',
      'UID:event-3.3f1c@club-events.invalid',
    ]);
  });

  it.each([
    ['Until 22:30\nBring a mug.', 'DTEND;TZID=Europe/Berlin:20260501T223000'],
    ['Bis 02:00 Uhr', 'DTEND;TZID=Europe/Berlin:20260502T020000'],
    ['Jusqu’au dim. 3 mai à 12:00', 'DTEND;TZID=Europe/Berlin:20260503T120000'],
    ['Tot en met zo 3 mei', 'DTEND;TZID=Europe/Berlin:20260504T000000'],
    ['Bring a mug.\nUntil 22:30', undefined],
    ['Until late', undefined],
    [null, undefined],
  ])('ends an event as its note says: %j', async (description, end) => {
    const text = write([{ ...plain, description, sourceKey: null }], 'Chess', 'Europe/Berlin');
    expect(/^DTEND.*$/m.exec(text)?.[0].trim()).toBe(end);
    const { records } = await readText(text);
    expect(records[0]?.values.description).toBe(description);
  });

  it('ends an event without a time after its last day, and blocks its time for subscribers', () => {
    const camp = { ...plain, date: '2026-07-02T22:00:00.000Z', sourceKey: null };
    const subscription = { usualLength: 120 };
    const endsOf = (description: string | null, date = camp.date, timeZone = 'Europe/Berlin') => {
      const options = { calendarName: 'Chess', now, uidBase: '3f1c', timeZone, subscription };
      const text = [...writeIcs([{ ...camp, date, description }], options)].join('');
      return text.match(/^(?:DTEND|TRANSP).*$/gm)?.map((line) => line.trim());
    };
    expect(endsOf('Until Tue 7 July')).toEqual(['DTEND;VALUE=DATE:20260708']);
    expect(endsOf('Until Tue 7 July, 15:00')).toEqual(['DTEND;VALUE=DATE:20260708']);
    expect(endsOf('Until Tue 7 July, 00:00')).toEqual(['DTEND;VALUE=DATE:20260707']);
    // The clocks skip the midnight after the last day.
    const [start, zone] = ['2017-10-13T03:00:00.000Z', 'America/Sao_Paulo'];
    expect(endsOf('Until Sat 14 October', start, zone)).toEqual(['DTEND;VALUE=DATE:20171015']);
    expect(endsOf(null)).toEqual(['TRANSP:TRANSPARENT']);
  });

  it('an iCalendar export is an empty calendar for a club without events', async () => {
    expect(await readText(write([]))).toEqual({ records: [], notes: [] });
  });
});
