import { expect, it } from 'vitest';
import { emptyTextCell, escapeCell, unescapeCell } from '../../../server/club/csv-cell.ts';
import { fc } from '../../support/random.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", 'a', '\n', '') }),
);

it('restores every text and never writes the start of a formula', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(unescapeCell(escapeCell(text))).toBe(text);
      expect(escapeCell(text)).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

it('reads a lone apostrophe as the empty text, and other cells unchanged', () => {
  expect(unescapeCell(emptyTextCell)).toBe('');
  for (const cell of ['', 'a', "'a", "a'", '=1', "'’"]) expect(unescapeCell(cell)).toBe(cell);
});
