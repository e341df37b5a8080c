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

  it('keeps what was asked for last', () => {
    const { recall, made } = makeMemo({ most: 2 });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) recall(key);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps no more than fits, and nothing that is too large by itself', () => {
    const { recall, made, state } = makeMemo({ most: 100, size: textSize(10) });
    recall('a', 'xxxx');
    recall('b', 'xxxx');
    recall('c', 'xxxx');
    recall('b');
    recall('a', 'xxxx');
    expect(made).toEqual(['a', 'b', 'c', 'a']);
    recall('large', 'x'.repeat(11));
    recall('large', 'x'.repeat(11));
    expect(made.slice(4)).toEqual(['large', 'large']);
    state.version = 2;
    recall('a', 'xxxxxxxxxx');
    recall('a');
    expect(made.slice(6)).toEqual(['a']);
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
