import { describe, expect, it } from 'vitest';
import { createMemo } from '../../db/read/memo.ts';

/** A memo whose version is set by hand, and what it was asked to make. */
function makeMemo(bounds: Parameters<typeof createMemo<string>>[1]) {
  const made: string[] = [];
  const state = { version: 1 };
  const memo = createMemo<string>(() => state.version, bounds);
  const recall = (key: string, value = key) =>
    memo.recall(key, () => {
      made.push(key);
      return value;
    });
  return { recall, made, state };
}

const textSize = (most: number) => ({ most, of: (text: string) => text.length });

describe('a memo', () => {
  it('makes a value once for as long as the database stays as it is', () => {
    const { recall, made, state } = makeMemo({ most: 10 });
    expect([recall('a'), recall('a'), recall('b')]).toEqual(['a', 'a', 'b']);
    expect(made).toEqual(['a', 'b']);
    state.version = 2;
    recall('a');
    expect(made).toEqual(['a', 'b', 'a']);
  });

  it('keeps what is asked for again, and forgets what is not', () => {
    const { recall, made } = makeMemo({ most: 4 });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a']) recall(key);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e']);
    recall('b');
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
  });

  it('keeps no more than fits, and nothing that is too large for half of the room', () => {
    const { recall, made, state } = makeMemo({ most: 100, size: textSize(16) });
    for (const key of ['a', 'b', 'c', 'd', 'e']) recall(key, 'xxxx');
    expect(made.splice(0)).toEqual(['a', 'b', 'c', 'd', 'e']);
    // The last and the two before it, of which each generation holds two.
    for (const key of ['e', 'd', 'c']) recall(key, 'xxxx');
    expect(made).toEqual([]);
    recall('a', 'xxxx');
    expect(made.splice(0)).toEqual(['a']);
    recall('large', 'x'.repeat(9));
    recall('large', 'x'.repeat(9));
    expect(made.splice(0)).toEqual(['large', 'large']);
    state.version = 2;
    recall('a', 'x'.repeat(8));
    recall('a');
    expect(made).toEqual(['a']);
  });

  it('stays within its bounds whatever is asked for by 100,000 users', () => {
    const number = { most: 1_000, size: textSize(1_000_000) };
    const size = { most: 1_000_000, size: textSize(5_000) };
    for (const bounds of [number, size]) {
      const { recall, made } = makeMemo(bounds);
      const users = Array.from({ length: 100_000 }, (_, at) => `user ${at}`);
      for (const user of users) recall(user, 'xxxxx');
      made.length = 0;
      // From the newest to the oldest: what is not made again was kept.
      for (const user of users.toReversed()) recall(user, 'xxxxx');
      const kept = users.length - made.length;
      expect(kept).toBeGreaterThanOrEqual(500);
      expect(kept).toBeLessThanOrEqual(1_000);
    }
  });

  it('remembers no failure', () => {
    const memo = createMemo<string>(() => 1, { most: 10 });
    const fail = () => {
      throw new Error('none');
    };
    expect(() => memo.recall('a', fail)).toThrow('none');
    expect(memo.recall('a', () => 'some')).toBe('some');
  });
});
