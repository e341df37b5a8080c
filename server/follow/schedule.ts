import { dayMs, hourMs, minuteMs } from '../dates/units.ts';

/** The state of the requests for a calendar. Times are in milliseconds. */
export type Schedule = {
  /** The time of the next request. */
  readonly nextAt: number;
  /** The times of the last request and of the last success; null before the first. */
  readonly triedAt: number | null;
  readonly goodAt: number | null;
  /** The interval that the calendar asks for; 0 if it asks for none. */
  readonly asked: number;
  /** The number of pauses in a row that the service asked for. */
  readonly pauses: number;
  /** The time since which the address has answered 404; null if it does not. */
  readonly absentSince: number | null;
};

export const firstSchedule: Schedule = {
  ...{ nextAt: 0, triedAt: null, goodAt: null, asked: 0, pauses: 0, absentSince: null },
};

/** The outcome of a request. */
export type Outcome =
  /** The calendar, or that it has not changed; `asked` is the interval that it asks for. */
  | { readonly kind: 'good'; readonly asked?: number | undefined }
  /** A pause that the service asks for, in milliseconds, or without a length. */
  | { readonly kind: 'pause'; readonly wait?: number | undefined }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed' };

/** The shortest time between two requests that a person starts. */
export const nowEvery = 10 * minuteMs;

/** Time after which an address that answers 404 has gone. */
export const goneAfter = 7 * dayMs;

/** The first pause after a service asked for one, which doubles up to the longest. */
const firstPause = 6 * hourMs;
const longestPause = dayMs;

/** The longest interval that a calendar may ask for. */
const longestInterval = 7 * dayMs;

const isOfGoogle = (host: string) => /(?:^|\.)google(?:usercontent)?\.com$/i.test(host);

/** Returns the interval between two requests for a host without port, in milliseconds. */
export const intervalOf = (host: string, asked = 0): number =>
  Math.max(isOfGoogle(host) ? 3 * hourMs : hourMs, Math.min(asked, longestInterval));

/** Returns the schedule after a request. */
export function scheduleAfter(
  before: Schedule,
  outcome: Outcome,
  { host, now }: { readonly host: string; readonly now: number },
): Schedule {
  const isGood = outcome.kind === 'good';
  const asked = isGood ? (outcome.asked ?? 0) : before.asked;
  const pauses = outcome.kind === 'pause' ? before.pauses + 1 : 0;
  const interval = intervalOf(host, asked);
  const pause = Math.min(firstPause * 2 ** Math.max(0, pauses - 1), longestPause);
  const wait = outcome.kind === 'pause' ? Math.max(pause, outcome.wait ?? 0, interval) : interval;
  return {
    nextAt: now + wait,
    triedAt: now,
    goodAt: isGood ? now : before.goodAt,
    asked,
    pauses,
    absentSince: outcome.kind === 'absent' ? (before.absentSince ?? now) : null,
  };
}

/** Returns true if a request is due; a last one in the future was made by a clock that was ahead. */
export const isDue = ({ nextAt, triedAt }: Schedule, now: number): boolean =>
  now >= nextAt || (triedAt !== null && now < triedAt - minuteMs);

/** Reads the header `Retry-After` as milliseconds (RFC 9110 section 10.2.3); undefined without one. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestInterval) : undefined;
}

/** Reads a duration of iCalendar, such as `PT12H` (RFC 5545 section 3.3.6); undefined for others. */
export function durationOf(text: string): number | undefined {
  const pattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;
  const [, ...parts] = pattern.exec(text.trim()) ?? [];
  const units = [7 * dayMs, dayMs, hourMs, minuteMs, 1_000];
  const ms = units.reduce((sum, unit, at) => sum + Number(parts[at] ?? 0) * unit, 0);
  return ms > 0 ? ms : undefined;
}
