import { z } from 'zod';
import {
  type DaysOffCalendar,
  putDaysOff,
  readDaysOff,
  removeDaysOff,
  type StoredDaysOff,
} from '../../db/days-off.ts';
import type { Writer } from '../../db/open.ts';
import { problem } from '../base/errors.ts';
import { withReader, withWriter } from '../store/store.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './user-actions.ts';

/** A calendar of days off, for people and the page. */
export type ShownDaysOff = Omit<StoredDaysOff, 'userId'>;

export const ListDaysOff = z.strictObject({ user: UserName });

/** Lists the days off of a club, by calendar. */
export function listDaysOff(
  { user }: z.output<typeof ListDaysOff>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ user: string; calendars: ShownDaysOff[] }> {
  return withReader(home, (db) => {
    const stored = readDaysOff(db, requireUser(db, user));
    return { user, calendars: stored.map(({ userId: _, ...calendar }) => calendar) };
  });
}

const Day = z.iso.date();
const maxDays = 5_000;
const maxName = 200;

const Calendar = z.strictObject({
  // Not an address: a person confirms its host before it is read.
  kind: z.enum(['public', 'file']),
  name: z.string().max(maxName),
  source: z.string().max(2_000),
  readAt: z.iso.datetime(),
  days: z
    .array(z.strictObject({ first: Day, last: Day, name: z.string().max(maxName) }))
    .max(maxDays),
});

export const PutDaysOff = z.strictObject({ user: UserName, calendar: Calendar });

/** Stores public holidays, or the days of a file, in place of an earlier one with the same source. */
export function storeDaysOff(
  { user, calendar }: z.output<typeof PutDaysOff>,
  tools: ActionTools,
): Promise<{ user: string; id: number }> {
  const store = (db: Writer) => ({ user, id: putDaysOff(db, requireUser(db, user), calendar) });
  return withWriter(tools.home, store, tools);
}

export const RemoveDaysOff = z.strictObject({ user: UserName, id: z.int() });

/** Removes a calendar of days off and returns it. Throws `days_off_unknown`. */
export function deleteDaysOff(
  { user, id }: z.output<typeof RemoveDaysOff>,
  tools: ActionTools,
): Promise<{ user: string; removed: DaysOffCalendar }> {
  const remove = (db: Writer) => {
    const userId = requireUser(db, user);
    const found = readDaysOff(db, userId).find((calendar) => calendar.id === id);
    if (found === undefined) throw problem('days_off_unknown', { user, id });
    removeDaysOff(db, userId, id);
    const { id: _, userId: __, ...removed } = found;
    return { user, removed };
  };
  return withWriter(tools.home, remove, tools);
}
