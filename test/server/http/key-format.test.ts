import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isWellFormedKey, makeKey } from '../../../server/club/key-actions.ts';

describe('a key', () => {
  it('makes a key of ce_, 30 base62 characters and a checksum of 6', () => {
    for (let round = 0; round < 200; round += 1) {
      const key = makeKey((limit) => randomInt(limit));
      expect(key).toMatch(/^ce_[0-9A-Za-z]{36}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
  });

  it('makes a key from 30 random numbers below 62 only', () => {
    const limits: number[] = [];
    const key = makeKey((limit) => limits.push(limit) - 1);
    expect(limits).toEqual(Array(30).fill(62));
    // The checksum was computed by another program: zlib's crc32, written in base62.
    expect(key).toBe('ce_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp');
  });

  it('detects every mistyped character of a key', () => {
    const key = makeKey((limit) => randomInt(limit));
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1)), `${at}`).toBe(false);
    }
    expect(isWellFormedKey(key.slice(0, -1))).toBe(false);
    expect(isWellFormedKey(`${key}0`)).toBe(false);
  });
});
