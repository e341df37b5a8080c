import { eventMembers } from '../../../db/model.ts';
import type { Event } from '../../contract.ts';

/** Parts of a text about an event, in the language of the page. */
export type Words = {
  /** Date and time with the time zone. */
  readonly when: string;
  /** Status, if it must be shown; null otherwise. */
  readonly state: string | null;
  /** Sentence about the registration; null if it is unknown. */
  readonly registration: string | null;
};

/** Formats an event as text for an e-mail. */
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

/** Formats an event as JSON with exactly the members of the contract, in their order. */
export function writeEventJson(event: Event): string {
  return `${JSON.stringify(event, ['id', ...eventMembers], 2)}\n`;
}

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/;

/**
 * Returns a curl command that reads an event. `KEY` is a placeholder: the key must not get to the
 * clipboard and from there into an e-mail.
 */
export function writeCurl({ id }: Event, origin: string): string {
  // A proxy would receive the key and could not reach the loopback address of this machine.
  const curl = loopback.test(origin) ? 'curl --noproxy "*"' : 'curl';
  return `${curl} -H "Authorization: Bearer KEY" ${origin}/v1/events/${id}`;
}
