import { z } from 'zod';
import { type EventDraft, type EventField, eventStatuses, eventTypes } from '../../db/model.ts';
import { completeDate, parseDate } from '../dates/dates.ts';
import {
  displayValue,
  type Message,
  type MessageKey,
  type MessageValue,
  message,
} from '../messages/message.ts';
import { parseTimestamp } from './timestamp.ts';

/** Length limits in UTF-16 code units. They keep a page of 200 events at a bearable size. */
const maxLineLength = 20_000;
const maxTextLength = 200_000;

/** Reasons for refusing a value, as Zod reports them; `message` finds the rest of the values. */
type ReasonKey = Extract<MessageKey, `reason:${string}`>;

function invalid(key: ReasonKey) {
  return ({ input }: { readonly input?: unknown }) =>
    (input === undefined ? 'reason:value_missing' : key) satisfies ReasonKey;
}

/** Returns the problem of a text, or undefined if it can be stored and shown. */
function findTextProblem(value: string, maxLength: number): ReasonKey | undefined {
  if (value.length > maxLength) return 'reason:text_too_long';
  if (!value.isWellFormed()) return 'reason:text_lone_surrogate';
  return value.includes('\0') ? 'reason:text_nul' : undefined;
}

function text(maxLength: number) {
  return z.string({ error: invalid('reason:not_text') }).check(({ value, issues }) => {
    const key = findTextProblem(value, maxLength);
    if (key === undefined) return;
    issues.push({ code: 'custom', message: key, input: value, params: { limit: maxLength } });
  });
}

function oneOf<const Values extends readonly string[]>(key: ReasonKey, values: Values) {
  return z.enum(values, { error: invalid(key) });
}

/** The first year accepted from people; earlier ones are typing errors such as 0026. */
export const firstYear = 1900;

/** Returns the reason for refusing a date of an early year. */
export function earlyReason(value: MessageValue, year: number): Message {
  return message('reason:year_too_early', { value, year, first: firstYear });
}

/** Creates the schema of a canonical date. A check is three times as fast as a transform here. */
function timestamp(timeZone: string) {
  return z.string({ error: invalid('reason:not_a_date') }).check((payload) => {
    const { value, issues } = payload;
    const parsed = parseTimestamp(value, timeZone);
    payload.value = parsed ?? value;
    if (parsed === undefined) {
      issues.push({ code: 'custom', message: 'reason:date_not_understood', input: value });
      return;
    }
    const year = Number(value.trim().slice(0, 4));
    // A canonical timestamp may come from an export, which may contain events of any year.
    if (year >= firstYear || parsed === value) return;
    issues.push({ code: 'custom', message: 'reason:year_too_early', input: value });
  });
}

/** Returns true for the error of a formula, such as "#N/A" or "Err:502". */
export function isFormulaError(cell: string): boolean {
  return /^(?:#(?:N\/[AVB]|NV|[\p{L}/0]+ ?[!?])|#{4,}|(?:Err|Fehler):\d{3})$/iu.test(cell);
}

/** Returns the reason why a date cannot be read, such as a month with fewer days. */
export function dateReason(text: string): Message {
  const value = displayValue(text);
  if (isFormulaError(text)) return message('reason:formula_error', { value });
  // The day of an ISO 8601 date is read even if a time or an offset follows it.
  const [day] = /^\d{4}-\d\d-\d\d(?=[Tt ])/.exec(text.trim()) ?? [text];
  const date = parseDate(day, undefined);
  if (date === undefined) return message('reason:date_not_understood', { value });
  const month = message(`month:m${date.month}` as MessageKey);
  // Without a year, 29 February may exist.
  const { year = 2000 } = date;
  if (completeDate(date, year) !== undefined)
    return message('reason:date_not_understood', { value });
  const days = new Date(Date.UTC(year, date.month, 0)).getUTCDate();
  return date.year === undefined
    ? message('reason:no_such_day', { value, month, days })
    : message('reason:month_too_short', { value, month, year, days });
}

function createSchema(timeZone: string) {
  return z.object({
    id: z.int({ error: invalid('reason:not_an_id') }).exactOptional(),
    name: text(maxLineLength).refine((value) => value.trim() !== '', {
      error: 'reason:name_empty' satisfies ReasonKey,
    }),
    date: timestamp(timeZone),
    location: text(maxLineLength).exactOptional(),
    description: text(maxTextLength).nullable().exactOptional(),
    status: oneOf('reason:status_unknown', eventStatuses).exactOptional(),
    eventType: oneOf('reason:type_unknown', eventTypes).nullable().exactOptional(),
    registrationOpen: z.boolean({ error: invalid('reason:not_a_boolean') }).exactOptional(),
    createdAt: timestamp(timeZone).exactOptional(),
  });
}

export type DraftProblem = { readonly field: EventField; readonly reason: Message };

/** Returns the reason of a Zod issue, whose message is its key. */
function reasonOf(issue: z.core.$ZodIssue, value: unknown): Message {
  const key = issue.message as ReasonKey;
  if (key === 'reason:date_not_understood') return dateReason(String(value));
  if (key === 'reason:year_too_early') {
    return earlyReason(displayValue(value), Number(String(value).trim().slice(0, 4)));
  }
  const limit = issue.code === 'custom' ? Number(issue.params?.['limit'] ?? 0) : 0;
  return message(key, { value: displayValue(value), limit });
}

/**
 * Composes the letters of an event without an id, which is known by its name: files of macOS spell é
 * in two characters. An event with an id keeps its texts exactly, as an export gave them.
 */
function composeTexts(draft: EventDraft): EventDraft {
  if (draft.id !== undefined) return draft;
  const texts = Object.entries(draft).map(([field, value]) => [
    field,
    typeof value === 'string' ? value.normalize('NFC') : value,
  ]);
  return Object.fromEntries(texts);
}

/** Unchecked values by field; unknown values are absent. */
type DraftValues = Readonly<Partial<Record<EventField, unknown>>>;

export type ParseDraft = (record: { readonly values: DraftValues }) => EventDraft | DraftProblem;

export function createDraftParser(timeZone: string): ParseDraft {
  const schema = createSchema(timeZone);
  return ({ values }) => {
    const result = schema.safeParse(values);
    if (result.success) return composeTexts(result.data);
    const issue = result.error.issues[0] as z.core.$ZodIssue;
    const field = issue.path[0] as EventField;
    return { field, reason: reasonOf(issue, values[field]) };
  };
}
