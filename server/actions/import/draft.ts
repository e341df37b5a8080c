import { z } from 'zod';
import { type EventDraft, eventStatuses, eventTypes } from '../../../db/model.ts';
import type { EventField, SourceRecord } from './source.ts';
import { parseTimestamp } from './timestamp.ts';

/** The longest texts that are taken, in UTF-16 code units; a page of 200 events stays bearable. */
const longestLine = 20_000;
const longestText = 200_000;

/** A value as messages show it: short, and on one line. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function complain(what: string) {
  return ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing; every event needs one' : `${show(input)} ${what}`;
}

/** What is wrong with a text; undefined when it can be stored and shown. */
function flawOf(value: string, longest: number): string | undefined {
  if (value.length > longest) return `is longer than ${longest} characters; shorten it`;
  if (!value.isWellFormed()) {
    return 'has half of a two-part character (a lone surrogate); type it again';
  }
  return value.includes('\0') ? 'has a NUL character; remove it' : undefined;
}

function text(longest: number) {
  return z.string({ error: complain('is not text') }).check(({ value, issues }) => {
    const message = flawOf(value, longest);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: complain(`is not one of ${values.join(', ')}`) });
}

/** The first year that is taken from people: earlier ones are typing errors such as 0026. */
export const firstYear = 1900;

/** The sentence about a date in an earlier year. */
export function describeEarly(what: string, year: number): string {
  return `${what} is in the year ${year}; years before ${firstYear} are taken for typing errors`;
}

/** A date, which becomes canonical; by a check, as a transform takes three times as long. */
function timestamp(timeZone: string) {
  return z.string({ error: complain('is not a date') }).check((payload) => {
    const { value, issues } = payload;
    const parsed = parseTimestamp(value, timeZone);
    payload.value = parsed ?? value;
    if (parsed !== undefined) {
      const year = Number(value.trim().slice(0, 4));
      // The full form of the contract is that of an export, which may have an event of any year.
      if (year >= firstYear || parsed === value) return;
      issues.push({ code: 'custom', message: describeEarly(show(value), year), input: value });
      return;
    }
    const message = `${show(value)} is not a date that exists; write it like 2026-05-01, 2026-05-01T18:00 or 2026-05-01T18:00:00Z`;
    issues.push({ code: 'custom', message, input: value });
  });
}

function createSchema(timeZone: string) {
  return z.object({
    id: z
      .int({ error: complain('is not a whole number within ±9007199254740991') })
      .exactOptional(),
    name: text(longestLine).refine((value) => value.trim() !== '', {
      error: 'is empty; every event needs a name',
    }),
    date: timestamp(timeZone),
    location: text(longestLine).exactOptional(),
    description: text(longestText).nullable().exactOptional(),
    status: oneOf(eventStatuses).exactOptional(),
    eventType: oneOf(eventTypes).nullable().exactOptional(),
    registrationOpen: z
      .boolean({ error: complain('is neither true nor false; leave it out if unknown') })
      .exactOptional(),
    createdAt: timestamp(timeZone).exactOptional(),
  });
}

/** What is wrong with which field of a record, and what to do about it. */
export type DraftProblem = { readonly field: EventField; readonly what: string };

export type ParseDraft = (record: SourceRecord) => EventDraft | DraftProblem;

/** Makes the check that every event of a file has to pass on its way in. */
export function createDraftParser(timeZone: string): ParseDraft {
  const schema = createSchema(timeZone);
  return ({ values }) => {
    const result = schema.safeParse(values);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const field = issue?.path[0] as EventField;
    return { field, what: issue?.message ?? 'is not valid' };
  };
}
