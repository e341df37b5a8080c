import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Keys of the desktop window, derived from a secret that lives as long as the program. They are not
 * stored, and become invalid when the program ends.
 */
export type WindowKeys = {
  keyFor(userId: number): string;
  /** Returns the user of a key, or undefined if it is not such a key. */
  userOf(key: string): number | undefined;
};

const keyForm = /^cew_([1-9]\d{0,15})_/;

export function createWindowKeys(secret: string): WindowKeys {
  function keyFor(userId: number): string {
    const code = createHmac('sha256', secret).update(String(userId)).digest('base64url');
    return `cew_${userId}_${code}`;
  }
  return {
    keyFor,
    userOf(key) {
      const userId = Number(keyForm.exec(key)?.[1]);
      if (!Number.isSafeInteger(userId)) return undefined;
      const [actual, expected] = [Buffer.from(key), Buffer.from(keyFor(userId))];
      return actual.length === expected.length && timingSafeEqual(actual, expected)
        ? userId
        : undefined;
    },
  };
}
