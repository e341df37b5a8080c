import { z } from 'zod';
import { type EventDraft, eventStatuses, eventTypes } from '../../../db/model.ts';
import { parseTimestamp } from '../timestamp.ts';
import type { EventField, SourceRecord } from './source.ts';

/** Length limits in UTF-16 code units. They keep a page of 200 events at a bearable size. */
const maxLineLength = 20_000;
const maxTextLength = 200_000;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function invalid(what: string) {
  return ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing; every event needs one' : `${show(input)} ${what}`;
}

/** Returns the problem of a text, or undefined if it can be stored and shown. */
function findTextProblem(value: string, maxLength: number): string | undefined {
  if (value.length > maxLength) return `is longer than ${maxLength} characters; shorten it`;
  if (!value.isWellFormed()) {
    return 'has half of a two-part character (a lone surrogate); type it again';
  }
  return value.includes('\0') ? 'has a NUL character; remove it' : undefined;
}

function text(maxLength: number) {
  return z.string({ error: invalid('is not text') }).check(({ value, issues }) => {
    const message = findTextProblem(value, maxLength);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: invalid(`is not one of ${values.join(', ')}`) });
}

/** The first year accepted from people; earlier ones are typing errors such as 0026. */
export const firstYear = 1900;

export function describeEarly(what: string, year: number): string {
  return `${what} is in the year ${year}; years before ${firstYear} are taken for typing errors`;
}

/** Creates the schema of a canonical date. A check is three times as fast as a transform here. */
function timestamp(timeZone: string) {
  return z.string({ error: invalid('is not a date') }).check((payload) => {
    const { value, issues } = payload;
    const parsed = parseTimestamp(value, timeZone);
    payload.value = parsed ?? value;
    if (parsed !== undefined) {
      const year = Number(value.trim().slice(0, 4));
      // A canonical timestamp may come from an export, which may contain events of any year.
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
    id: z.int({ error: invalid('is not a whole number within ±9007199254740991') }).exactOptional(),
    name: text(maxLineLength).refine((value) => value.trim() !== '', {
      error: 'is empty; every event needs a name',
    }),
    date: timestamp(timeZone),
    location: text(maxLineLength).exactOptional(),
    description: text(maxTextLength).nullable().exactOptional(),
    status: oneOf(eventStatuses).exactOptional(),
    eventType: oneOf(eventTypes).nullable().exactOptional(),
    registrationOpen: z
      .boolean({ error: invalid('is neither true nor false; leave it out if unknown') })
      .exactOptional(),
    createdAt: timestamp(timeZone).exactOptional(),
  });
}

type DraftProblem = { readonly field: EventField; readonly what: string };

export type ParseDraft = (record: SourceRecord) => EventDraft | DraftProblem;

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
