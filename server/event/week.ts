import type { StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { addDays, type Day } from '../dates/days.ts';
import type { UnannouncedChange } from './announced.ts';
import { dayCount, isOver, lastDayOf, type Noted } from './values.ts';

/** An event of some days, with its change that nobody was told of. */
export type WeekItem = {
  /** The event; one that was deleted, as members know it. */
  readonly event: StoredEvent;
  readonly change: UnannouncedChange | undefined;
};

/** The events that are on, for members: the days, both inclusive, and their events by date. */
export type Week = {
  readonly first: Day;
  readonly last: Day;
  readonly items: readonly WeekItem[];
  /** The first event after these days. */
  readonly next: StoredEvent | undefined;
};

type WeekChoice = {
  /** The number of days from today on. */
  readonly days: number;
  readonly now: Date;
  /** Returns true for the events of the team that is chosen. */
  readonly isChosen?: (event: StoredEvent) => boolean;
};

/** Returns true for an event that members could still come to: it is no draft and has not begun, or lasts for days. */
function isToCome(clock: Clock, event: Noted, now: Date): boolean {
  if (event.status === 'draft') return false;
  if (!isOver(clock, event, now)) return true;
  return dayCount(event, clock) > 1 && lastDayOf(event, clock) >= clock.dayOf(now);
}

/**
 * Lists what is on in the days from today on. An event that moved away from these days or was deleted
 * is among them, as members expect it there. `events` are all events of the club.
 */
export function listWeek(
  clock: Clock,
  events: Iterable<StoredEvent>,
  changes: readonly UnannouncedChange[],
  { days, now, isChosen = () => true }: WeekChoice,
): Week {
  const first = clock.dayOf(now);
  const last = addDays(first, days - 1);
  const end = clock.startOf(addDays(last, 1));
  const isOn = (event: StoredEvent) => event.date < end && isToCome(clock, event, now);
  const byId = new Map(changes.map((change) => [change.event.id, change]));
  const expected = ({ before }: UnannouncedChange) =>
    before !== undefined && before.status !== 'cancelled' && isOn(before);
  const items: WeekItem[] = [];
  let next: StoredEvent | undefined;
  const add = (event: StoredEvent, change: UnannouncedChange | undefined) => {
    const versions = [event, ...(change?.before ? [change.before] : [])];
    if (versions.some(isChosen)) items.push({ event, change });
  };
  for (const event of events) {
    const change = byId.get(event.id);
    if (isOn(event) || (change !== undefined && expected(change))) add(event, change);
    const isLater =
      event.date >= end && (event.status === 'active' || event.status === 'completed');
    if (isLater && isChosen(event) && (next === undefined || event.date < next.date)) next = event;
  }
  for (const change of changes) {
    if (change.kind === 'removed' && expected(change)) add(change.event, change);
  }
  const dateOf = ({ event, change }: WeekItem) =>
    isOn(event) ? event.date : (change?.before?.date ?? event.date);
  const sorted = items.toSorted((one, other) =>
    dateOf(one) < dateOf(other)
      ? -1
      : dateOf(one) > dateOf(other)
        ? 1
        : one.event.id - other.event.id,
  );
  return { first, last, items: sorted, next };
}

/** Returns the changes that the events of a message contain. */
export const changesIn = (items: readonly WeekItem[]): readonly UnannouncedChange[] =>
  items.flatMap(({ change }) => change ?? []);
