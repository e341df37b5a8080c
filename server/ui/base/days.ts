import { useMemo, useSyncExternalStore } from 'react';
import type { Clock } from '../../dates/clock.ts';
import type { Day } from '../../dates/days.ts';
import { minuteMs } from '../../dates/units.ts';
import { isSameZone, zoneNamed } from '../../dates/zone.ts';

/** Returns the time zone of this computer. */
export const computerZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of the club on view, in which all days and times of the page are meant. */
let current = zoneNamed(computerZone());

/** Sets the zone of the club on view; an empty name is that of this computer. */
export function setZone(chosen: string): void {
  const name = chosen || computerZone();
  if (name !== current.name) current = zoneNamed(name);
}

/** Returns the IANA name of the time zone of the club on view. */
export const zoneName = () => current.name;

/** Returns the clock of the club on view. */
export const clubZone = (): Clock => current;

/** Returns true if the club's zone is not that of this computer. */
export const isZoneForeign = () => !isSameZone(current.name, computerZone());

/** Returns the name of the club's zone in brackets, for a text to copy; empty for that of this computer. */
export const zoneNote = () => (isZoneForeign() ? ` (${current.name.replaceAll('_', ' ')})` : '');

/** Returns the moment at which the club's clock shows what that of another zone shows at `moment`. */
export const asSeenIn = (zone: string, moment: string): Date =>
  current.momentAt(zoneNamed(zone).wallOf(moment));

// The clock of the club on view, for the many places that need one answer of it.
export const wallOf: Clock['wallOf'] = (moment) => current.wallOf(moment);
export const clockOf: Clock['timeOf'] = (moment) => current.timeOf(moment);
export const dayOf: Clock['dayOf'] = (moment) => current.dayOf(moment);
export const startOf: Clock['startOf'] = (day) => current.startOf(day);
export const isWithoutTime: Clock['isDayStart'] = (moment) => current.isDayStart(moment);

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
