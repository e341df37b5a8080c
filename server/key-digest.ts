import { hash } from 'node:crypto';

/** What is stored of a key, and what a request's key is looked up by: its SHA-256, 32 bytes. */
export function digestOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
