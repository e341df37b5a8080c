import { basename } from 'node:path';
import { z } from 'zod';
import {
  type DaysOffCalendar,
  readAddresses,
  refreshDaysOff,
  type StoredDaysOff,
} from '../../db/days-off.ts';
import type { Writer } from '../../db/open.ts';
import { asUsage, explain, fileError, type Problem, problem } from '../base/errors.ts';
import { requireOtherFile } from '../base/home.ts';
import { changeDaysOff } from '../club/days-off-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { dayMs } from '../dates/units.ts';
import { withReader, withWriter } from '../store/store.ts';
import { type AddressRules, labelOfAddress, parseAddress } from '../web/address.ts';
import { follow } from '../web/follow.ts';
import { webProblem } from '../web/request.ts';
import { readWholeDays, type WholeDays } from './ics/whole-days.ts';
import { loadReader, readOpenable, sourceAt } from './reading.ts';
import type { SourceFile } from './source.ts';

const calendarRules: AddressRules = { http: 'anywhere', invalid: 'days_off_address_invalid' };

/** Returns an address that a person gave, for whose host the window has asked. Throws a problem. */
function addressOf(text: string): URL {
  try {
    return parseAddress(text, calendarRules);
  } catch (error) {
    throw asUsage(error as Problem);
  }
}

/** The maximum length of a calendar in bytes. */
const maxLength = 16_000_000;

/** Reads an address into memory. Throws the problem of a request without an answer. */
async function download(url: URL, onStep: ActionTools['onStep']): Promise<SourceFile> {
  const place = labelOfAddress(url);
  const headers = { accept: 'text/calendar, */*;q=0.5' };
  const limits = { http: 'anywhere', maxLength } as const;
  const reply = await follow(url, { headers, onStep, ...limits }).catch((error) => {
    throw webProblem(error, place);
  });
  if (reply.status !== 200) throw problem('web_refused', { place, status: reply.status });
  async function* open() {
    yield reply.body;
  }
  return { name: place, open };
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
  try {
    return await readOpenable(path, (openable) => readDays(sourceAt(openable), clock));
  } catch (error) {
    throw fileError(error, path);
  }
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
      : await readDays(await download(address, tools.onStep), clock);
  const source = address?.href ?? basename(file ?? '');
  const calendar = {
    kind: address === undefined ? 'file' : 'address',
    name: name || found.name || (address ? labelOfAddress(address) : source.replace(/\.ics$/i, '')),
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
    const days = await readAgain(calendar, { timeZone, now }, tools);
    if (days === undefined) continue;
    const fresh = { id: calendar.id, days, readAt: now.toISOString() };
    await withWriter(tools.home, (db) => refreshDaysOff(db, fresh), tools);
    read += 1;
  }
  return { read, failed: due.length - read };
}

/** Returns the days of an address; undefined if it cannot be read now. */
async function readAgain({ source }: StoredDaysOff, clock: Clock, { onStep }: ActionTools) {
  try {
    return (await readDays(await download(new URL(source), onStep), clock)).days;
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined || failure.code === 'cancelled') throw error;
    return undefined;
  }
}
