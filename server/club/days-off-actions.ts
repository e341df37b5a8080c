import { z } from 'zod';
import {
  type AnyDaysOff,
  type DaysOffCalendar,
  findDaysOff,
  isStoredDaysOff,
  readDaysOff,
  refreshDaysOff,
  type StoredDaysOff,
} from '../../db/days-off.ts';
import { editEvents } from '../../db/event-edit.ts';
import type { Writer } from '../../db/open.ts';
import { Day } from '../../db/stored-json.ts';
import { problem } from '../base/errors.ts';
import { withReader, withWriter } from '../store/store.ts';
import type { ActionTools } from './tools.ts';
import { requireOwnSettings, requireUser, UserName } from './user-actions.ts';

/** A calendar of days off, for people and the page. */
type ShownDaysOff = Omit<AnyDaysOff, 'userId'>;

export const ListDaysOff = z.strictObject({ user: UserName });

/** Lists the days off of a club, by calendar, also of those that it follows. */
export function listDaysOff(
  { user }: z.output<typeof ListDaysOff>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ user: string; calendars: ShownDaysOff[] }> {
  return withReader(home, (db) => {
    const stored = readDaysOff(db, requireUser(db, user));
    return { user, calendars: stored.map(({ userId: _, ...calendar }) => calendar) };
  });
}

const maxDays = 5_000;
const maxName = 200;

const Calendar = z.strictObject({
  kind: z.enum(['public', 'file']),
  name: z.string().max(maxName),
  source: z.string().max(2_000),
  readAt: z.iso.datetime(),
  days: z.array(Day.extend({ name: z.string().max(maxName) }).strict()).max(maxDays),
});

export const PutDaysOff = z.strictObject({ user: UserName, calendar: Calendar });

type StoredChange = {
  readonly user: string;
  readonly id: number;
  /** The number of the change in the history; absent for the same days as before. */
  readonly batch?: number;
};

const calendarOf = ({ id: _, userId: __, ...calendar }: StoredDaysOff): DaysOffCalendar => calendar;

const textOf = (calendar: DaysOffCalendar | undefined) =>
  calendar === undefined ? null : JSON.stringify(calendar);

/** Stores a calendar in place of an earlier one with the same source, as one change of the history. */
export function changeDaysOff(
  db: Writer,
  user: string,
  calendar: DaysOffCalendar,
  now: Date,
): StoredChange {
  const userId = requireUser(db, user);
  requireOwnSettings(db, userId);
  const found = findDaysOff(db, userId, calendar);
  const before = found && calendarOf(found);
  const isSame = textOf(before && { ...before, readAt: calendar.readAt }) === textOf(calendar);
  if (found !== undefined && isSame) {
    refreshDaysOff(db, { ...calendar, id: found.id });
    return { user, id: found.id };
  }
  const change = {
    setting: 'daysOff',
    before: textOf(before),
    after: textOf(calendar),
  } as const;
  const edit = { userId, now: now.toISOString() };
  const { batch } = editEvents(db, edit, ({ set }) => set(change));
  const id = findDaysOff(db, userId, calendar)?.id ?? 0;
  return { user, id, ...(batch !== undefined && { batch }) };
}

/** Stores public holidays, or the days of a file, in place of an earlier one with the same source. */
export function storeDaysOff(
  { user, calendar }: z.output<typeof PutDaysOff>,
  tools: ActionTools,
): Promise<StoredChange> {
  const store = (db: Writer) => changeDaysOff(db, user, calendar, tools.now());
  return withWriter(tools.home, store, tools);
}

export const RemoveDaysOff = z.strictObject({ user: UserName, id: z.int() });

/** Removes a calendar of days off and returns it. Throws `days_off_unknown`. */
export function deleteDaysOff(
  { user, id }: z.output<typeof RemoveDaysOff>,
  tools: ActionTools,
): Promise<{ user: string; removed: DaysOffCalendar; batch?: number }> {
  const remove = (db: Writer) => {
    const userId = requireUser(db, user);
    requireOwnSettings(db, userId);
    const found = readDaysOff(db, userId)
      .filter(isStoredDaysOff)
      .find((calendar) => calendar.id === id);
    if (found === undefined) throw problem('days_off_unknown', { user, id });
    const removed = calendarOf(found);
    const change = { setting: 'daysOff', before: textOf(removed), after: null } as const;
    const edit = { userId, now: tools.now().toISOString() };
    const { batch } = editEvents(db, edit, ({ set }) => set(change));
    return { user, removed, ...(batch !== undefined && { batch }) };
  };
  return withWriter(tools.home, remove, tools);
}
