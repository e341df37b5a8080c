import { useMemo, useSyncExternalStore } from 'react';
import { type Day, dateAt, dayAt, partsOf } from '../../dates/days.ts';
import { minuteMs } from '../../dates/units.ts';
import { isDayStart, isSameZone, zoneNamed } from '../../dates/zone.ts';

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

export function dayOf(moment: string | Date): Day {
  return dayAt(wallOf(moment));
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
