import { type ClubNumbers, clubNumbers, mapNumbers } from './club-settings.ts';
import {
  type DaysOffCalendar,
  findDaysOff,
  isSameCalendar,
  putDaysOff,
  removeDaysOff,
} from './days-off.ts';
import type { SettingChange } from './model.ts';
import { connection, type Reader, type Writer } from './open.ts';
import { isTeamStill, putTeam, teamOfText } from './teams.ts';
import { numberColumns, updateUserName } from './users.ts';

export const settingReads = {
  values: `SELECT name, zone, assistant_proposes AS assistantProposes, ${numberColumns}
    FROM users WHERE id = @userId LIMIT 1`,
} as const;

export const settingWrites = {
  zone: 'UPDATE users SET zone = @value WHERE id = @userId',
  assistantProposes: 'UPDATE users SET assistant_proposes = @value WHERE id = @userId',
  ...mapNumbers(
    (name) => `UPDATE users SET ${clubNumbers[name].column} = @value WHERE id = @userId`,
  ),
} as const;

/** The settings of a club that have one value. */
export type SettingValues = {
  readonly name: string;
  /** An IANA name; empty until a writer has opened the database. */
  readonly zone: string;
  readonly assistantProposes: 0 | 1;
} & ClubNumbers;

/** Reads the settings of a user that exists. */
export function readSettings(db: Reader, userId: number): SettingValues {
  const statement = connection(db).prepare<object, SettingValues>(settingReads.values);
  return statement.get({ userId }) as SettingValues;
}

const calendarOf = (text: string | null): DaysOffCalendar | undefined =>
  text === null ? undefined : JSON.parse(text);

/** Returns true if a setting has the value that a change gave it, so that the change can be undone. */
export function isStillSet(
  db: Writer,
  userId: number,
  { setting, before, after }: SettingChange,
): boolean {
  if (setting === 'team') return isTeamStill(db, userId, teamOfText(before), teamOfText(after));
  if (setting !== 'daysOff') return String(readSettings(db, userId)[setting]) === after;
  const calendar = calendarOf(after ?? before);
  if (calendar === undefined) return true;
  const found = findDaysOff(db, userId, calendar);
  // The same days may have been read again since.
  return after === null ? found === undefined : isSameCalendar(calendar, found);
}

/**
 * Sets a setting to the value of `after`, in the transaction of the caller. Returns false for a name
 * that another user, or another team, has.
 */
export function applySetting(
  db: Writer,
  userId: number,
  { setting, before, after }: SettingChange,
): boolean {
  if (setting === 'name') return updateUserName(db, userId, after ?? '');
  if (setting === 'team') return putTeam(db, userId, teamOfText(before), teamOfText(after));
  if (setting !== 'daysOff') {
    const value = setting === 'zone' ? after : Number(after);
    connection(db).prepare(settingWrites[setting]).run({ userId, value });
    return true;
  }
  const [removed, added] = [calendarOf(before), calendarOf(after)];
  const old = removed && findDaysOff(db, userId, removed);
  if (old !== undefined) removeDaysOff(db, userId, old.id);
  if (added !== undefined) putDaysOff(db, userId, added);
  return true;
}
