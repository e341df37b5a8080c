import { eachEvent } from '../../db/event-list.ts';
import { eventStatuses, eventTypes, type StoredEvent } from '../../db/model.ts';
import type { Reader } from '../../db/open.ts';
import type { CopyFacts } from '../../server/copy/club-copy.ts';
import { fc } from './random.ts';

/** Every event of a user, by id. */
export function storedEvents(db: Reader, userId: number): StoredEvent[] {
  return [...eachEvent(db, userId)].map(({ sourceKey: _, ...event }) => event);
}

/** Any timestamp that an event can have. */
export const timestamps: fc.Arbitrary<string> = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

type EventParts = {
  readonly id: fc.Arbitrary<number>;
  readonly text: fc.Arbitrary<string>;
  /** The date of the event and the time of its creation. */
  readonly moment?: fc.Arbitrary<string>;
};

/** Generates events of these parts, with members in the order of the contract. */
export function eventsOf({ id, text, moment = timestamps }: EventParts): fc.Arbitrary<StoredEvent> {
  return fc
    .record({
      id,
      name: text.map((any) => `x${any}`),
      date: moment,
      location: text,
      description: fc.option(text),
      status: fc.constantFrom(...eventStatuses),
      eventType: fc.option(fc.constantFrom(...eventTypes)),
      registrationOpen: fc.constantFrom(true, false, undefined),
      createdAt: moment,
    })
    .map(({ registrationOpen, createdAt, ...rest }) =>
      registrationOpen === undefined
        ? { ...rest, createdAt }
        : { ...rest, registrationOpen, createdAt },
    );
}

/** Facts about a club for a copy in a test. */
export const testCopyFacts: CopyFacts = {
  club: 'Rovers',
  userId: 1,
  uidBase: '3f1c',
  timeZone: 'Europe/Berlin',
  revision: 'a1b2.7',
  complete: true,
  asOf: '2026-11-19T08:00:00.000Z',
};
