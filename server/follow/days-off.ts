import { basename } from 'node:path';
import { z } from 'zod';
import { asUsage, fileError, problem } from '../base/errors.ts';
import { requireOtherFile } from '../base/home.ts';
import { changeDaysOff } from '../club/days-off-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { lastHoliday } from '../dates/days.ts';
import type { WholeDays } from '../import/ics/whole-days.ts';
import { loadReader, readOpenable, sourceAt } from '../import/reading.ts';
import { withReader, withWriter } from '../store/store.ts';
import { type ReadingClock, readDays } from './contents.ts';
import { Address, addFollowed, FollowAdd } from './readings.ts';

/** Reads the days of a file. Throws `days_off_none` for a calendar without whole days. */
async function readPath(path: string, clock: ReadingClock): Promise<WholeDays> {
  try {
    return await readOpenable(path, async (openable) => {
      const file = sourceAt(openable);
      await loadReader('ics', file);
      return await readDays(file, clock);
    });
  } catch (error) {
    throw fileError(error, path);
  }
}

export const AddDaysOff = z.strictObject({
  user: UserName,
  file: z.string().min(1).optional(),
  url: Address.optional(),
  /** A name for the calendar; by default, that of the file or the address. */
  name: z.string().trim().max(200).optional(),
});

type AddedDaysOff = {
  readonly user: string;
  /** The number among the days off, or among the followed calendars. */
  readonly id: number;
  readonly kind: 'file' | 'address';
  readonly name: string;
  /** The number of holidays, and the last day of the last one. */
  readonly holidays: number;
  readonly until: string;
  /** The number of the change in the history; absent for the same days as before, and an address. */
  readonly batch?: number;
  readonly timed: number;
  readonly unreadable: number;
};

/**
 * Adds the whole days of a calendar file to the days off of a club, in place of those that came from a
 * file of that name, or follows those of an address. Throws `days_off_none` for a calendar without
 * whole days.
 */
export async function addDaysOff(
  { user, file, url, name }: z.output<typeof AddDaysOff>,
  tools: ActionTools,
): Promise<AddedDaysOff> {
  if ((file === undefined) === (url === undefined)) throw asUsage(problem('days_off_source'));
  if (url !== undefined) {
    const given = FollowAdd.parse({ user, address: url, daysOff: true, ...(name && { name }) });
    const { id = 0, events, last, leftOut, unreadable, ...found } = await addFollowed(given, tools);
    const counts = { holidays: events, until: last ?? '', timed: leftOut };
    return {
      user,
      id,
      kind: 'address',
      name: found.name,
      ...counts,
      unreadable: unreadable.length,
    };
  }
  const path = file ?? '';
  const { home, now } = tools;
  const timeZone = await withReader(home, (db) => zoneOfClub(db, requireUser(db, user), tools));
  const clock = { timeZone, now: now() };
  requireOtherFile(path, home);
  const { days, timed, unreadable, ...found } = await readPath(path, clock);
  const source = basename(path);
  const calendar = {
    kind: 'file',
    name: name || found.name || source.replace(/\.ics$/i, ''),
    source,
    readAt: clock.now.toISOString(),
    days,
  } as const;
  const stored = await withWriter(
    home,
    (db) => changeDaysOff(db, user, calendar, clock.now),
    tools,
  );
  const counts = {
    holidays: days.length,
    until: lastHoliday(days) ?? '',
    timed,
    unreadable: unreadable.length,
  };
  return { ...stored, kind: 'file', name: calendar.name, ...counts };
}
