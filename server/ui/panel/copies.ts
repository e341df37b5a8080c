import { eventMembers } from '../../../db/model.ts';
import type { Event } from '../../contract.ts';

/** What a text about an event is made of, in the words of the page's language. */
export type Words = {
  /** The moment with its zone. */
  readonly when: string;
  /** The state, where it has to be said; null otherwise. */
  readonly state: string | null;
  /** A sentence about the registration; null where nobody said. */
  readonly registration: string | null;
};

/** An event as a text that can stand in an e-mail as it is. */
export function writePlainText({ name, location, description }: Event, words: Words): string {
  const head = [
    words.state === null ? name : `${name} (${words.state})`,
    words.when,
    location,
    words.registration ?? '',
  ];
  const about = description?.trim() ?? '';
  const lines = head.filter((line) => line !== '').join('\n');
  return about === '' ? `${lines}\n` : `${lines}\n\n${about}\n`;
}

/** An event with exactly the members of the contract, in their order. */
export function writeEventJson(event: Event): string {
  return `${JSON.stringify(event, ['id', ...eventMembers], 2)}\n`;
}

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/;

/**
 * The command that asks the service for an event. `KEY` stands for the key, which does not go to
 * the clipboard: from there it would too easily get into an e-mail.
 */
export function writeCurl({ id }: Event, origin: string): string {
  // A proxy cannot reach this machine's own address, and would be sent the key.
  const curl = loopback.test(origin) ? 'curl --noproxy "*"' : 'curl';
  return `${curl} -H "Authorization: Bearer KEY" ${origin}/v1/events/${id}`;
}
