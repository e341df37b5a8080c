import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { reader } from '../../../server/import/json/reader.ts';
import { choose } from '../../support/long.ts';
import { worded } from '../../support/words.ts';

const good = '{"id": 1, "name": "Run", "date": "2026-05-01T18:00:00.000Z"}';
const mebibyte = 1024 * 1024;

/** A piece of a file that goes on with the same text without an end. */
const fill = (text: string) => Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));

describe('an endless JSON document', () => {
  it.each([
    ['one endless text', `{"events":[${good},{"name":"`, 'x'],
    ['one endless number', `{"events":[${good},{"id":`, '9'],
    ['one endless event', `{"events":[${good},{`, choose('"a":1,', `"a":"${'x'.repeat(99)}",`)],
    ['anything but events', '{"a":[', choose('1,', `${'1'.repeat(99)},`)],
    ['blanks', ' ', ' '],
  ])(
    'an endless JSON document is refused after 64 MB of it were read: %s',
    async (_, start, rest) => {
      let read = 0;
      const piece = fill(rest);
      function* pieces() {
        yield Buffer.from(start);
        while (read < 100 * mebibyte) {
          read += piece.length;
          yield piece;
        }
      }
      const options = {
        map: {},
        timeZone: 'Europe/Berlin',
        now: new Date('2026-06-01T00:00:00.000Z'),
        ignore: () => undefined,
        note: () => undefined,
      };
      const file = {
        name: 'events.json',
        open: () => {
          read = 0;
          return Readable.from(pieces(), { highWaterMark: 1 });
        },
      };
      const reading = (async () => {
        for await (const records of reader.read(file, options)) void [...records];
      })().catch((error: unknown) => {
        throw worded(error);
      });
      await expect(reading).rejects.toThrow(/larger than 64 MB; save it as JSON Lines/);
      expect(read).toBeGreaterThan(63 * mebibyte);
      expect(read).toBeLessThan(65 * mebibyte);
    },
  );
});
