import { hash } from 'node:crypto';
import type { StoredEvent } from './model.ts';

/** Returns the SHA-256 of the JSON of an event, with its members in the order of the contract. */
export function hashEvent(event: StoredEvent): bigint {
  const { id, name, date, location, description, status, eventType, createdAt } = event;
  const { registrationOpen } = event;
  const json = JSON.stringify({
    id,
    name,
    date,
    location,
    description,
    status,
    eventType,
    registrationOpen,
    createdAt,
  });
  return BigInt(`0x${hash('sha256', json)}`);
}

/** Returns a sum of hashes modulo 2^256, as hexadecimal digits. */
export function formatDigest(sum: bigint): string {
  return BigInt.asUintN(256, sum).toString(16).padStart(64, '0');
}

/** Returns the digest of events in any order. */
export function digestOf(events: Iterable<StoredEvent>): string {
  let sum = 0n;
  for (const event of events) sum += hashEvent(event);
  return formatDigest(sum);
}
