import { expect, it } from 'vitest';
import { parsePlainWords } from '../../../../server/dates/line/plain-words.ts';

const places = Array.from({ length: 500 }, (_, index) => `Hall ${index}, Mill Lane`);

/** Returns the median time of parsing a line, in milliseconds. */
function measure(line: string): number {
  const runs = Array.from({ length: 15 }, () => {
    const start = performance.now();
    parsePlainWords(line, { today: '2026-11-22', language: 'de', places });
    return performance.now() - start;
  });
  return runs.toSorted((one, other) => one - other)[7] ?? 0;
}

it.each([
  'Training Di 19:00 Turnhalle',
  'Sommerfest der Jugend Samstag, den 5. Dezember 2026, 14 Uhr, in der Turnhalle am Markt, abgesagt',
  'Lager Fr 3. Juli 19:00 – So 5. Juli 16:00 Hall 499',
])('parses a line while it is typed, in under 5 ms: %s', (line) => {
  expect(measure(line)).toBeLessThan(5);
});

it.each(['1. ', 'Sa ', '1-', 'am in ', '19:00 - ', '1. Mai und ', '2/3 ', 'Sa. 1. - ', 'x, '])(
  'parses any long line in under 50 ms, and 10,000 characters in under 20 ms: %s',
  (piece) => {
    expect(measure(piece.repeat(300).slice(0, 300))).toBeLessThan(50);
    expect(measure(piece.repeat(10_000).slice(0, 10_000))).toBeLessThan(20);
  },
);
