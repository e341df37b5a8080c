import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'ce_';
const randomLength = 30;
const checksumLength = 6;

/** Returns the CRC-32 of the random part in base62; it reveals a mistyped key. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let at = 0; at < checksumLength; at += 1) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/**
 * Creates a key (INTERFACE section 2, "Authentication"): `ce_`, 30 random base62 characters (178
 * bits) and a 6-character checksum. `randomInt` returns integers from 0 to below `limit`.
 */
export function makeKey(randomInt: (limit: number) => number): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]);
  return prefix + random.join('') + checksumOf(random.join(''));
}

/** Returns true for a text in the form of a key with a valid checksum. The key may be unknown. */
export function isWellFormedKey(text: string): boolean {
  const [, random, checksum] = /^ce_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}
