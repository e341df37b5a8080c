import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { readCopy, readCopyBytes, writeCopy } from '../../../server/copy/club-copy.ts';
import { findCopyInPage, writeCopyInPage } from '../../../server/copy/page.ts';
import { writeJson } from '../../../server/export/export.ts';
import { arbitraryDamage, damage } from '../../support/damage.ts';
import { eventsOf, testCopyFacts } from '../../support/events.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { fc } from '../../support/random.ts';

const events = [
  makeEvent(1, { description: '</script><!-- "quoted" \\ 🏃 \u2028', registrationOpen: true }),
  makeEvent(-2, { location: '', eventType: null }),
  makeEvent(9007199254740991, { status: 'cancelled' }),
] as StoredEvent[];
const written = writeCopy(events, testCopyFacts);
const whole = Buffer.from(written);

describe('a copy of a club', () => {
  it('has all events and facts, also in a page', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('</script>', '<!--', '\u2028', '🏃', '\u0000'),
    );
    const property = fc.property(fc.array(eventsOf({ id: fc.maxSafeInteger(), text })), (list) => {
      const each = writeCopy(list, testCopyFacts);
      const copy = readCopy(each);
      expect(copy?.events).toEqual(list);
      expect(copy?.head).toMatchObject(testCopyFacts);
      const page = Buffer.from(`<p>Season</p>${writeCopyInPage(each)}</body>`);
      expect(readCopyBytes(page)).toEqual(copy);
    });
    fc.assert(property, { numRuns: choose(1_000, 30) });
  });

  it('is a list of events for a reader that knows no copies', () => {
    expect(JSON.parse(written).events).toEqual(events);
    expect(written.split('\n').filter((line) => line.startsWith('{"id"'))).toHaveLength(3);
  });

  it(`is refused in each of ${choose(10_000, 300)} damaged, cut and foreign forms`, () => {
    const pieces = [...written.matchAll(/"\w+":|[{}[\],\n]/g)].map(([piece]) => Buffer.from(piece));
    const foreign = fc.oneof(
      fc.string().map((any) => Buffer.from(any)),
      fc.uint8Array().map((any) => Buffer.from(any)),
      fc.json().map((any) => Buffer.from(any)),
      fc.array(fc.json()).map((list) => Buffer.from(`{"events":[${list.join(',')}]}`)),
      fc.shuffledSubarray(events).map((some) => Buffer.from([...writeJson(some)].join(''))),
    );
    const damaged = fc
      .array(arbitraryDamage(pieces), { minLength: 1, maxLength: 3 })
      .map((mutations) => Buffer.from(mutations.reduce(damage, whole)));
    const bit = fc
      .tuple(fc.nat(whole.length - 1), fc.nat(7))
      .map(([at, power]) =>
        Buffer.from(whole.map((byte, index) => (index === at ? byte ^ (1 << power) : byte))),
      );
    const cut = fc.nat(whole.length - 1).map((length) => whole.subarray(0, length));
    let refused = 0;
    const property = fc.property(fc.oneof(bit, damaged, cut, foreign), (bytes) => {
      fc.pre(!bytes.equals(whole));
      expect(readCopyBytes(bytes)).toBeUndefined();
      const page = Buffer.concat([Buffer.from('<html>'), bytes, Buffer.from('</html>')]);
      expect(readCopyBytes(page)).toBeUndefined();
      refused += 1;
    });
    fc.assert(property, { numRuns: choose(10_000, 300) });
    expect(refused).toBe(choose(10_000, 300));
  });

  it('is refused in a page if one byte of it is changed or missing', () => {
    const page = writeCopyInPage(written);
    const from = page.indexOf('data-sha256');
    const numbers = fc.integer({ min: from, max: page.indexOf('</script>') });
    const property = fc.property(numbers, fc.constantFrom('', 'x', '\0'), (at, other) => {
      const changed = page.slice(0, at) + other + page.slice(at + 1);
      fc.pre(changed !== page);
      expect(findCopyInPage(changed)).toBeOneOf(['damaged', 'none']);
    });
    fc.assert(property, { numRuns: choose(2_000, 60) });
  });
});
