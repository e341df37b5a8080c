import { basename } from 'node:path';
import { z } from 'zod';
import {
  type DaysOffCalendar,
  readAddresses,
  refreshDaysOff,
  type StoredDaysOff,
} from '../../db/days-off.ts';
import type { Writer } from '../../db/open.ts';
import { asUsage, explain, problem } from '../base/errors.ts';
import { requireOtherFile } from '../base/home.ts';
import { changeDaysOff } from '../club/days-off-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { dayMs } from '../dates/units.ts';
import { withReader, withWriter } from '../store/store.ts';
import { readWholeDays, type WholeDays } from './ics/whole-days.ts';
import { loadReader, readOpenable, sourceAt } from './reading.ts';
import type { SourceFile } from './source.ts';

/** Limits on what an address may send: bytes, and milliseconds. */
const maxBytes = 16_000_000;
const timeoutMs = 30_000;

/** Returns an address of the web, for whose host the window has asked. Throws a problem. */
function addressOf(text: string): URL {
  const url = URL.parse(text.trim());
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  if (!isWeb || url.username !== '' || url.password !== '') {
    throw asUsage(problem('days_off_address_invalid'));
  }
  return url;
}

/** Reads an address into memory. Throws `days_off_unreachable`. */
async function download(url: URL): Promise<SourceFile> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw problem('days_off_refused', { url: url.href, status: answer.status });
    for await (const piece of answer.body ?? []) {
      length += piece.length;
      if (length > maxBytes) throw problem('days_off_too_long', { url: url.href });
      pieces.push(piece);
    }
  } catch (error) {
    // A failed connection is a TypeError, and a timeout a DOMException.
    if (error instanceof TypeError || error instanceof DOMException) {
      throw problem('days_off_unreachable', { url: url.href });
    }
    throw error;
  }
  async function* open() {
    yield* pieces;
  }
  return { name: url.hostname, open };
}

type Clock = { readonly timeZone: string; readonly now: Date };

/** Reads the whole days of a calendar. Throws `days_off_none` for one without any. */
async function readDays(file: SourceFile, clock: Clock): Promise<WholeDays> {
  await loadReader('ics', file);
  const found = await readWholeDays(file, clock);
  if (found.days.length > 0) return found;
  throw problem('days_off_none', { file: file.name, count: found.timed });
}

async function readPath(path: string, clock: Clock): Promise<WholeDays> {
  return await readOpenable(path, (openable) => readDays(sourceAt(openable), clock));
}

export const AddDaysOff = z.strictObject({
  user: UserName,
  file: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  /** A name for the calendar; by default, that of the file or the address. */
  name: z.string().trim().max(200).optional(),
});

type AddedDaysOff = DaysOffCalendar & {
  readonly user: string;
  readonly id: number;
  /** The number of the change in the history; absent for the same days as before. */
  readonly batch?: number;
  readonly timed: number;
  readonly unreadable: number;
};

/**
 * Adds the whole days of a calendar file, or of an address, to the days off of a club. They replace
 * earlier ones from there. Throws `days_off_none` for a calendar without whole days.
 */
export async function addDaysOff(
  { user, file, url, name }: z.output<typeof AddDaysOff>,
  tools: ActionTools,
): Promise<AddedDaysOff> {
  if ((file === undefined) === (url === undefined)) throw asUsage(problem('days_off_source'));
  const { home, now } = tools;
  const timeZone = await withReader(home, (db) => zoneOfClub(db, requireUser(db, user), tools));
  const clock = { timeZone, now: now() };
  if (file !== undefined) requireOtherFile(file, home);
  const address = url === undefined ? undefined : addressOf(url);
  const found =
    address === undefined
      ? await readPath(file ?? '', clock)
      : await readDays(await download(address), clock);
  const source = address?.href ?? basename(file ?? '');
  const calendar = {
    kind: address === undefined ? 'file' : 'address',
    name: name || (address?.hostname ?? source.replace(/\.ics$/i, '')),
    source,
    readAt: clock.now.toISOString(),
    days: found.days,
  } as const;
  const store = (db: Writer) => {
    const { timed, unreadable } = found;
    return { ...changeDaysOff(db, user, calendar, clock.now), ...calendar, timed, unreadable };
  };
  return await withWriter(home, store, tools);
}

export const RefreshDaysOff = z.strictObject({});

type Refreshed = { readonly read: number; readonly failed: number };

/**
 * Reads the addresses of days off that were last read a day ago. If that fails, as it does without a
 * connection, the days of the last time stay, with their date.
 */
export async function refreshAll(
  _: z.output<typeof RefreshDaysOff>,
  tools: ActionTools,
): Promise<Refreshed> {
  const now = tools.now();
  const before = new Date(now.getTime() - dayMs).toISOString();
  const due = await withReader(tools.home, (db) =>
    readAddresses(db, before).map((calendar) => ({
      calendar,
      timeZone: zoneOfClub(db, calendar.userId, tools),
    })),
  );
  let read = 0;
  for (const { calendar, timeZone } of due) {
    const days = await readAgain(calendar, { timeZone, now });
    if (days === undefined) continue;
    const fresh = { id: calendar.id, days, readAt: now.toISOString() };
    await withWriter(tools.home, (db) => refreshDaysOff(db, fresh), tools);
    read += 1;
  }
  return { read, failed: due.length - read };
}

/** Returns the days of an address; undefined if it cannot be read now. */
async function readAgain({ source }: StoredDaysOff, clock: Clock) {
  try {
    return (await readDays(await download(addressOf(source)), clock)).days;
  } catch (error) {
    if (explain(error) === undefined) throw error;
    return undefined;
  }
}
