import { hash } from 'node:crypto';

/** Returns the SHA-256 of a key (32 bytes), which is stored and looked up instead of the key. */
export function digestOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
