import { createContext, use, useMemo, useSyncExternalStore } from 'react';
import type { Clock } from '../../dates/clock.ts';
import type { Day } from '../../dates/days.ts';
import { minuteMs } from '../../dates/units.ts';
import { isSameZone, zoneNamed } from '../../dates/zone.ts';

/** Returns the time zone of this computer. */
export const computerZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The clock of the club on view, in which all days and times of the page are meant. */
export const ClockContext = createContext<Clock>(zoneNamed(computerZone()));

/** Returns the clock of the club on view; without a club, that of this computer. */
export const useClock = (): Clock => use(ClockContext);

/** Returns true if the club's zone is not that of this computer. */
export const isZoneForeign = ({ name }: Clock) => !isSameZone(name, computerZone());

/** Returns the moment at which the club's clock shows what that of another zone shows at `moment`. */
export const asSeenIn = (clock: Clock, zone: string, moment: string): Date =>
  clock.momentAt(zoneNamed(zone).wallOf(moment));

/** Interval of clock checks in milliseconds: the clock may be set while the page is open. */
const checkIntervalMs = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function checkClock(): void {
  for (const listener of listeners) listener();
}

/** Follows the clock with one timer for all: each row asks what day it is. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(checkClock, checkIntervalMs);
    document.addEventListener('visibilitychange', checkClock);
  }
  return () => void listeners.delete(listener);
}

/** Returns today, updated after midnight and when the clock is set. */
export function useToday(): Day {
  const clock = useClock();
  return useSyncExternalStore(subscribe, () => clock.dayOf(new Date()));
}

/** Returns the start of the current minute, updated as time passes. */
export function useNow(): Date {
  const minute = useSyncExternalStore(subscribe, () => Math.floor(Date.now() / minuteMs));
  return useMemo(() => new Date(minute * minuteMs), [minute]);
}
