import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { languages } from '../../../server/messages/messages.ts';
import { eventsOf, timestamps } from '../../support/events.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';

function toolsFor(home: Home, write: (piece: string) => void = () => undefined) {
  return {
    ...thisMachine,
    home,
    write: async (piece: string | Uint8Array) => write(String(piece)),
    onProgress: () => undefined,
  };
}

async function exportJson(home: Home): Promise<string> {
  let text = '';
  const tools = toolsFor(home, (piece) => {
    text += piece;
  });
  await catalogue.export.perform({ user: 'Chess', format: 'json' }, tools);
  return text;
}

/** Expects that a workbook of the events, imported elsewhere, gives the same events. */
async function expectRestored(
  events: readonly EventDraft[],
  { language = 'en', timeZone = 'Europe/Berlin' } = {},
): Promise<void> {
  const [home, other] = [makeTestHome(), makeTestHome()];
  await addMember(home, 'Chess', events);
  await addMember(other, 'Chess');
  const output = join(makeTestFolder(), 'season.xlsx');
  await catalogue.export.perform({ user: 'Chess', output, language, timeZone }, toolsFor(home));
  const request = { files: [output], user: 'Chess', timeZone };
  const report = await catalogue.import.perform(request, toolsFor(other));
  expect(report.added).toBe(events.length);
  expect(await exportJson(other)).toBe(await exportJson(home));
}

const trickyTexts = [
  ...['=1+1', '+49', '-', '@x', "'", "''", "'=x", "'x", ' x ', '\t', '\u00a0x', '007', '1e5'],
  ...['TRUE', '2026-05-01', '19:30', '#REF!', 'Name', 'Date', 'Total', 'Summe', '5.5.', 'null'],
  ...['two\nlines', 'two\r\nlines', 'one\r', '\n', 'a & <b> "c"', '&amp;', ']]>', '<!--'],
  ...['\u0001', '\u007f\u0085', '\uffff\ufffe', '_x000D_', '_x000d\u0002', '_x005F_x0041_'],
  ...['🏃‍♀️', 'e\u0301é', '\u202eabc', '\u2028', 'שלום', 'x'.repeat(19_999)],
];

const trickyDates = [
  // Midnight, seconds and milliseconds in Berlin.
  ...['2026-05-01T22:00:00.000Z', '2026-05-01T17:30:01.000Z', '2026-05-01T17:30:00.001Z'],
  // Around the ends of summer time, and of winter time.
  ...['2026-10-24T23:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ...['2026-10-25T02:30:00.000Z', '2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.000Z'],
  ...['0001-01-01T00:00:00.000Z', '1899-12-31T23:00:00.000Z', '1900-02-28T12:00:00.000Z'],
  ...['1900-03-01T12:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T22:59:59.999Z'],
  ...['9999-12-31T23:59:59.999Z'],
];

describe('a workbook that is imported again', () => {
  it('restores texts', async () => {
    const events = trickyTexts.flatMap((text, at) => [
      // A name is not blank.
      makeEvent(3 * at, { name: text.trim() === '' ? `x${text}` : text }),
      makeEvent(3 * at + 1, { location: text }),
      makeEvent(3 * at + 2, { description: text }),
    ]);
    await expectRestored(events);
  });

  it('restores dates', async () => {
    await expectRestored(trickyDates.map((date, id) => makeEvent(id, { date, createdAt: date })));
  });

  it('restores absent and empty values', async () => {
    const registrations = [{}, { registrationOpen: true }, { registrationOpen: false }];
    await expectRestored([
      ...registrations.map((more, id) => makeEvent(id, more)),
      makeEvent(3, { description: null, eventType: null, location: '' }),
      makeEvent(4, { description: '', eventType: 'club' }),
      makeEvent(-5, { description: 'x'.repeat(32_767) }),
      makeEvent(Number.MAX_SAFE_INTEGER),
      makeEvent(Number.MIN_SAFE_INTEGER),
    ]);
  });

  const event = eventsOf({
    id: fc.integer({ min: -5, max: 1_000 }),
    text: fc
      .oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom(...trickyTexts, ''))
      .map((text) => text.replaceAll('\0', '')),
    moment: fc.oneof(timestamps, fc.constantFrom(...trickyDates)),
  });

  it.each(choose(Object.keys(languages), ['de']))(
    'restores places that are numbers in %s',
    async (language) => {
      await expectRestored([makeEvent(1, { location: '007' }), makeEvent(2, { location: '12' })], {
        language,
      });
    },
  );

  it.each(choose(Object.keys(languages), ['de']))('restores any event in %s', async (language) => {
    const property = fc.asyncProperty(
      fc.uniqueArray(event, { selector: ({ id }) => id, minLength: 1, maxLength: 30 }),
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Apia'),
      (events, timeZone) => expectRestored(events, { language, timeZone }),
    );
    await fc.assert(property, { numRuns: choose(30, 3) });
  });
});
