import { useMemo, useSyncExternalStore } from 'react';
import { dayMs, minuteMs } from '../../dates/units.ts';
import { isDayStart, isSameZone, zoneNamed } from '../../dates/zone.ts';

/** A day of the club's calendar, `YYYY-MM-DD`. */
export type Day = string;

/** Returns the time zone of this computer. */
export const computerZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of the club on view, in which all days and times of the page are meant. */
let current = { name: computerZone(), zone: zoneNamed(computerZone()) };

/** Sets the zone of the club on view; an empty name is that of this computer. */
export function setZone(chosen: string): void {
  const name = chosen || computerZone();
  if (name !== current.name) current = { name, zone: zoneNamed(name) };
}

/** Returns the IANA name of the time zone of the club on view. */
export const zoneName = () => current.name;

/** Returns the clock of the club on view. */
export const clubZone = () => current.zone;

/** Returns true if the club's zone is not that of this computer. */
export const isZoneForeign = () => !isSameZone(current.name, computerZone());

/** Returns the name of the club's zone in brackets, for a text to copy; empty for that of this computer. */
export const zoneNote = () => (isZoneForeign() ? ` (${current.name.replaceAll('_', ' ')})` : '');

/** Returns the moment at which the club's clock shows what that of another zone shows at `moment`. */
export function asSeenIn(zone: string, moment: string): Date {
  return momentAt(new Date(zoneNamed(zone).toWall(Date.parse(moment))));
}

/** Returns a moment as a date whose UTC fields are those of the club's clock. */
export function wallOf(moment: string | Date): Date {
  const instant = typeof moment === 'string' ? Date.parse(moment) : moment.getTime();
  return new Date(current.zone.toWall(instant));
}

/** Returns the moment of a wall-clock time of the club, as `wallOf` returns it. */
export function momentAt(wall: Date): Date {
  return new Date(current.zone.toInstant(wall.getTime()));
}

/** Returns the moment of a day and a time `HH:MM`; one that the clocks skip becomes a later one. */
export function momentOf(day: Day, time: string): Date {
  const { year, month, date } = partsOf(day);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wall = dateAt(year, month, date);
  wall.setUTCHours(hours, minutes);
  return momentAt(wall);
}

/** Returns the time of day of a moment, `HH:MM`. */
export function clockOf(moment: string | Date): string {
  return wallOf(moment).toISOString().slice(11, 16);
}

/** Sorts after every timestamp when compared as text. */
const afterAllTime = '~';

/** Returns the start of a day in UTC; a month or date out of range carries over. */
function dateAt(year: number, month: number, day: number): Date {
  const date = new Date(0);
  // `Date.UTC` would take year 1 for 1901.
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

function format(date: Date): Day {
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  return `${year}-${month}-${String(date.getUTCDate()).padStart(2, '0')}`;
}

/** Checks that a text is a day of the years 0001 to 9999, which its month has. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Splits a day into numbers; months count from 1. */
export function partsOf(day: Day): { year: number; month: number; date: number } {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number);
  return { year, month, date };
}

export function dayOf(moment: string | Date): Day {
  return format(wallOf(moment));
}

/** Returns the start of a day as a timestamp, comparable as text with those of events. */
export function startOf(day: Day): string {
  const { year, month, date } = partsOf(day);
  const start = momentAt(dateAt(year, month, date));
  return start.getUTCFullYear() > 9999 ? afterAllTime : start.toISOString();
}

/** Checks that an event has no time of day, which is stored as the start of its day. */
export function isWithoutTime(moment: string | Date): boolean {
  return isDayStart(current.zone, new Date(moment).getTime());
}

export function addDays(day: Day, count: number): Day {
  const { year, month, date } = partsOf(day);
  return format(dateAt(year, month, date + count));
}

export function addMonths(day: Day, count: number): Day {
  const { year, month } = partsOf(day);
  return format(dateAt(year, month + count, 1));
}

/** Returns the first day of the month. */
export function monthOf(day: Day): Day {
  return `${day.slice(0, day.lastIndexOf('-'))}-01`;
}

type WeekInfo = { readonly firstDay: number };

/** Returns the first weekday of the week for a language tag; weekdays count from Sunday, 0. */
export function weekStartOf(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo;
    readonly weekInfo?: WeekInfo;
  };
  // Some browsers lack week data; Monday is usual for the languages of the page.
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
}

/** Returns the number of days since the start of the week; weekdays count from Sunday, 0. */
export function daysIntoWeek(day: Day, weekStart: number): number {
  return (noonOf(day).getUTCDay() - weekStart + 7) % 7;
}

/** Returns noon of a day in UTC, for formatting. */
export function noonOf(day: Day): Date {
  const { year, month, date } = partsOf(day);
  return new Date(dateAt(year, month, date).getTime() + dayMs / 2);
}

/** Returns the number of days from one day to another. */
export function daysBetween(from: Day, to: Day): number {
  return (noonOf(to).getTime() - noonOf(from).getTime()) / dayMs;
}

/** Interval of clock checks in milliseconds: the clock may be set while the page is open. */
const checkIntervalMs = 10_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, checkIntervalMs);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Returns today, updated after midnight and when the clock is set. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}

/** Returns the start of the current minute, updated as time passes. */
export function useNow(): Date {
  const minute = useSyncExternalStore(subscribe, () => Math.floor(Date.now() / minuteMs));
  return useMemo(() => new Date(minute * minuteMs), [minute]);
}

/** A club's season of twelve months; `end` is exclusive. */
type Season = { readonly first: Day; readonly end: Day };

/** Returns the season that contains a day; `startMonth` counts from 1. */
export function seasonOf(day: Day, startMonth: number): Season {
  const { year, month } = partsOf(day);
  const startYear = month >= startMonth ? year : year - 1;
  const first = `${String(startYear).padStart(4, '0')}-${String(startMonth).padStart(2, '0')}-01`;
  return { first, end: addMonths(first, 12) };
}

/** Names a season: `2026`, or `2026/27` if it spans two years. */
export function seasonName({ first }: Season): string {
  const { year, month } = partsOf(first);
  return month === 1 ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
