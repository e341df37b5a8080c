import { Temporal } from 'temporal-polyfill';
import { afterEach, describe, expect, it } from 'vitest';
import { createZone } from '../../../server/dates/clock.ts';
import { isSameZone, zoneNamed } from '../../../server/dates/zone.ts';
import { writeHtml } from '../../../server/export/html.ts';
import { createSheetRows } from '../../../server/export/sheet.ts';
import { catalogues } from '../../../server/messages/messages.ts';
import { testCopyFacts } from '../../support/events.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';

/** Zones that change by an hour, half of one and a whole day, and that skip or repeat midnight. */
const zones = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Africa/Casablanca',
] as const;

const firstMoment = Date.UTC(1990, 0, 1);
const lastMoment = Date.UTC(2040, 0, 1);

/** The days on which clocks change, whose starts are the likely mistakes. */
function daysOfChanges(zone: string): string[] {
  const days: string[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(firstMoment).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > lastMoment) return days;
    days.push(next.subtract({ nanoseconds: 1 }).toPlainDate().toString());
    days.push(next.toPlainDate().toString());
    at = next;
  }
}

/** Any days of a zone, half of them days on which its clocks change. */
const zonedDays = fc.constantFrom(...zones).chain((zone) => {
  const any = fc
    .integer({ min: firstMoment, max: lastMoment })
    .map((moment) => new Date(moment).toISOString().slice(0, 10));
  const changes = daysOfChanges(zone);
  const days = changes.length === 0 ? any : fc.oneof(any, fc.constantFrom(...changes));
  return fc.record({ zone: fc.constant(zone), day: days });
});

describe('createZone', () => {
  it('agrees with Temporal on any instant and wall time', () => {
    const instants = fc.integer({ min: Date.UTC(1800, 0, 1), max: Date.UTC(2100, 0, 1) });
    const property = fc.property(fc.constantFrom(...zones), instants, (name, instant) => {
      const { toInstant, toWall } = createZone(name);
      const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
      expect(toWall(instant)).toBe(instant + zoned.offsetNanoseconds / 1e6);
      const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC');
      expect(toInstant(instant)).toBe(
        wall.toPlainDateTime().toZonedDateTime(name, { disambiguation: 'compatible' })
          .epochMilliseconds,
      );
    });
    fc.assert(property, { numRuns: choose(20_000, 300) });
  });

  it('agrees with Temporal around every change of the clocks', { tags: 'long' }, () => {
    const property = fc.property(
      zonedDays,
      fc.integer({ min: 0, max: 24 * 60 - 1 }),
      ({ zone, day }, minutes) => {
        const { toInstant } = createZone(zone);
        const wall = Temporal.PlainDate.from(day).toPlainDateTime().add({ minutes });
        const { epochMilliseconds } = wall.toZonedDateTime('UTC');
        expect(toInstant(epochMilliseconds)).toBe(wall.toZonedDateTime(zone).epochMilliseconds);
      },
    );
    fc.assert(property, { numRuns: choose(20_000, 300) });
  });
});

it('knows two names of one zone', () => {
  expect(isSameZone('Asia/Kolkata', 'Asia/Calcutta')).toBe(true);
  expect(isSameZone('Europe/Berlin', 'Europe/London')).toBe(false);
});

describe('an event without a time', () => {
  const variable = process.env['TZ'];
  afterEach(() => {
    if (variable === undefined) delete process.env['TZ'];
    else process.env['TZ'] = variable;
  });

  it('has none in any form, on computers in other zones', () => {
    const property = fc.property(
      zonedDays,
      fc.constantFrom('UTC', ...zones),
      ({ zone, day }, computer) => {
        process.env['TZ'] = computer;
        const clock = zoneNamed(zone);
        // Pacific/Apia has no 30 December 2011.
        const zoned = Temporal.PlainDate.from(day).toZonedDateTime(zone);
        fc.pre(zoned.toPlainDate().toString() === day);
        const date = new Date(zoned.epochMilliseconds).toISOString();
        expect(clock.startOf(day)).toBe(date);
        expect([clock.dayOf(date), clock.isDayStart(date)]).toEqual([day, true]);
        const minuteLater = new Date(zoned.epochMilliseconds + 60_000);
        expect(clock.isDayStart(minuteLater)).toBe(false);
        const event = {
          id: 1,
          name: 'Fair',
          date,
          location: '',
          description: null,
          status: 'active',
          eventType: null,
          createdAt: date,
          sourceKey: null,
        } as const;
        const words = catalogues.en;
        const [, dateCell, timeCell] = createSheetRows({ words, timeZone: zone })(event);
        // A spreadsheet of a day that starts after midnight has the first time of it.
        expect(timeCell).toBeNull();
        expect(dateCell).toMatchObject({ kind: 'date' });
        const options = {
          club: 'Chess',
          now: new Date(0),
          uidBase: '3f1c',
          timeZone: zone,
          usualLength: 120,
          language: 'en-GB',
          words,
          copy: testCopyFacts,
        };
        const html = [...writeHtml([event], options)].join('');
        expect(html).toContain(`data-month="0${day.slice(0, 7)}"`);
        const shown =
          /<time [^>]+><span class="day"><span>[^<]+<\/span> <b>(\d+)<\/b><\/span> <\/time>/;
        expect(Number(shown.exec(html)?.[1])).toBe(Number(day.slice(8)));
      },
    );
    fc.assert(property, { numRuns: choose(3_000, 60) });
  });
});
