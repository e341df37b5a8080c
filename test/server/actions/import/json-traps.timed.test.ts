import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.ts';

const good = '{"id": 1, "name": "Run", "date": "2026-05-01T18:00:00.000Z"}';

describe('a JSON file that is a trap', () => {
  const digits = (count: number) => '1,'.repeat(count);

  it.each([
    ['one endless text', () => `{"events":[${good},{"name":"${'x'.repeat(50_000_000)}`],
    ['one endless number', () => `{"events":[${good},{"id":${'9'.repeat(50_000_000)}`],
    ['one endless event', () => `{"events":[${good},{${'"a":1,'.repeat(8_000_000)}`],
    ['anything but events', () => `{"a":[${digits(25_000_000)}1],"events":[]}`],
    ['blanks', () => ' '.repeat(50_000_000)],
    // Tried again when the machine itself, busy with something else, was slow.
  ])('is refused soon: %s', { retry: 2 }, async (_, make) => {
    const { run, stored } = setUp();
    const content = make();
    const begun = performance.now();
    await expect(run({ 'events.json': content })).rejects.toThrow(/next 2 MB hold no whole event/);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(stored()).toEqual([]);
  });
});
