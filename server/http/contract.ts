import { z } from 'zod';
import { eventStatuses, eventTypes, type StoredEvent } from '../../db/model.ts';
import { type ProblemCode, problems } from './problems.ts';

/** ISO 8601 in UTC with exactly three fraction digits: `2026-05-01T18:00:00.000Z`. */
export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ examples: ['2026-05-01T18:00:00.000Z'] });

/** An integer that JSON represents exactly; it may have more than 32 bits. */
export const EventId = z.int().meta({ format: 'int64' });

/** The event resource, with its members in the order of INTERFACE section 1. */
export const Event = z.strictObject({
  id: EventId,
  name: z.string(),
  date: Timestamp,
  location: z.string().meta({ description: 'Empty when unknown.' }),
  description: z.string().nullable(),
  status: z.enum(eventStatuses),
  eventType: z.enum(eventTypes).nullable(),
  registrationOpen: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Left out when the source of the event never said.' }),
  createdAt: Timestamp,
});

export const EventList = z.strictObject({
  events: z.array(Event),
  removed: z
    .array(EventId)
    .exactOptional()
    .meta({ description: 'Only with "since": the ids of events that were removed.' }),
});

export const SingleEvent = z.strictObject({ event: Event });

export const Health = z.strictObject({ service: z.literal('club-events'), version: z.string() });

export const Ready = z.strictObject({ ready: z.literal(true) });

/** A problem document (RFC 9457). */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().meta({ description: 'The remedy, for people.' }),
  code: z.enum(Object.keys(problems) as ProblemCode[]).meta({
    description: 'The reason, for scripts; it never changes. A later version may have more.',
  }),
  parameter: z
    .string()
    .exactOptional()
    .meta({ description: 'The name of the parameter that is wrong.' }),
});

export type Event = z.infer<typeof Event>;
export type { ProblemCode };

// The compiler checks that stored events conform to the contract.
true satisfies StoredEvent extends Event ? true : false;
