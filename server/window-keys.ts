import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Keys for the program's own window: made from a secret that lives as long as the program, so that
 * none is ever stored, and all of them end with it.
 */
export type WindowKeys = {
  keyFor(userId: number): string;
  /** The user whose key this is; undefined when it is none of these. */
  userOf(key: string): number | undefined;
};

const form = /^cew_([1-9]\d{0,15})_/;

export function createWindowKeys(secret: string): WindowKeys {
  function keyFor(userId: number): string {
    const code = createHmac('sha256', secret).update(String(userId)).digest('base64url');
    return `cew_${userId}_${code}`;
  }
  return {
    keyFor,
    userOf(key) {
      const userId = Number(form.exec(key)?.[1]);
      if (!Number.isSafeInteger(userId)) return undefined;
      const [given, right] = [Buffer.from(key), Buffer.from(keyFor(userId))];
      return given.length === right.length && timingSafeEqual(given, right) ? userId : undefined;
    },
  };
}
