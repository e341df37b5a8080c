import type { Event } from '../../http/contract.ts';
import { addDays, type Day, dayOf, noonOf } from '../base/days.ts';
import type { DaysOff } from '../base/days-off.ts';
import { samePlaceEvents } from './event-queries.ts';

/** An event of a plan: a new one of a file, or one that is here already. */
export type PlannedEvent = {
  readonly key: string;
  /** The index of its file; null for an event that is here already. */
  readonly file: number | null;
  readonly event: Event;
};

/** A set of events that cannot all take place, at least one of them new. */
export type Clash = {
  readonly id: string;
  readonly kind: 'place' | 'dayOff';
  /** The place, or the name of the holiday. */
  readonly title: string;
  readonly day: Day;
  /** The events in the order of their dates. */
  readonly events: readonly PlannedEvent[];
};

export type SeasonPlan = {
  readonly first: Day;
  readonly last: Day;
  /** All events of the period, by date. */
  readonly events: readonly PlannedEvent[];
  readonly clashes: readonly Clash[];
  /** Days without an event in the evening, soonest first. */
  readonly freeEvenings: readonly Day[];
};

/** A new event as the check of an import reports it. */
export type NewRow = {
  readonly key: string;
  readonly file: number;
  readonly name: string;
  readonly date: string;
  readonly location: string;
};

/** Words in a column of places that say whose place it is. */
const noPlaces = new Set([
  ...['home', 'away', 'heim', 'auswärts', 'heimspiel', 'auswärtsspiel', 'thuis', 'uit'],
  ...['domicile', 'à domicile', 'extérieur', 'à l’extérieur', "à l'extérieur"],
]);

/** Ids of new events, which no stored event has together with its place in the plan. */
const firstNewId = Number.MIN_SAFE_INTEGER;

function newEvent({ name, date, location }: NewRow, id: number): Event {
  const isPlace = !noPlaces.has(location.trim().toLowerCase());
  return {
    id,
    name,
    date,
    location: isPlace ? location : '',
    description: null,
    status: 'active',
    eventType: null,
    createdAt: date,
  };
}

/** Joins events that are at one place at nearly the same time, also over a third one. */
function clashesOfPlaces(planned: readonly PlannedEvent[]): Clash[] {
  const all = planned.map(({ event }) => event);
  const byId = new Map(planned.map((each) => [each.event.id, each]));
  const seen = new Set<number>();
  const clashes: Clash[] = [];
  for (const one of planned) {
    if (seen.has(one.event.id)) continue;
    const group = new Set([one.event.id]);
    for (const id of group) {
      const { event } = byId.get(id) as PlannedEvent;
      for (const other of samePlaceEvents(event, all).clashes) group.add(other.id);
    }
    for (const id of group) seen.add(id);
    const events = planned.filter(({ event }) => group.has(event.id));
    if (events.length === 1 || events.every(({ file }) => file === null)) continue;
    const { location, date } = one.event;
    const id = `place ${events.map(({ key }) => key).join(' ')}`;
    clashes.push({ id, kind: 'place', title: location.trim(), day: dayOf(date), events });
  }
  return clashes;
}

function clashesOfDaysOff(planned: readonly PlannedEvent[], daysOff: DaysOff): Clash[] {
  return planned.flatMap((each): Clash[] => {
    const day = dayOf(each.event.date);
    const [title] = daysOff.namesOn(day);
    if (each.file === null || title === undefined) return [];
    return [{ id: `day off ${each.key}`, kind: 'dayOff', title, day, events: [each] }];
  });
}

const maxFreeEvenings = 12;

/** Lists the days from Monday to Friday that are not off and have no event. */
function freeEveningsOf(
  planned: readonly PlannedEvent[],
  daysOff: DaysOff,
  { from, to }: { readonly from: Day; readonly to: Day },
): Day[] {
  const full = new Set(
    planned
      .filter(({ event }) => event.status !== 'cancelled')
      .map(({ event }) => dayOf(event.date)),
  );
  const free: Day[] = [];
  for (let day = from; day <= to && free.length < maxFreeEvenings; day = addDays(day, 1)) {
    const weekday = noonOf(day).getUTCDay();
    const isWeekday = weekday >= 1 && weekday <= 5;
    if (isWeekday && !full.has(day) && daysOff.namesOn(day).length === 0) free.push(day);
  }
  return free;
}

/**
 * Puts the new events of several files beside those that are here, over the period of the new ones.
 * `changed` are the ids of events that the files change, with their new dates and places. Returns
 * undefined without a new event.
 */
export function planSeason(
  rows: readonly NewRow[],
  existing: readonly Event[],
  {
    changed,
    daysOff,
    today,
  }: {
    readonly changed: ReadonlyMap<number, Pick<Event, 'name' | 'date' | 'location'>>;
    readonly daysOff: DaysOff;
    readonly today: Day;
  },
): SeasonPlan | undefined {
  const days = rows.map(({ date }) => dayOf(date)).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const here = existing
    .map((event) => ({ ...event, ...changed.get(event.id) }))
    .filter(({ date }) => dayOf(date) >= first && dayOf(date) <= last)
    .map((event) => ({ key: `event ${event.id}`, file: null, event }));
  const added = rows.map((row, index) => ({
    key: row.key,
    file: row.file,
    event: newEvent(row, firstNewId + index),
  }));
  const events = [...here, ...added].toSorted((one, other) =>
    one.event.date === other.event.date
      ? one.event.id - other.event.id
      : one.event.date < other.event.date
        ? -1
        : 1,
  );
  const clashes = [...clashesOfPlaces(events), ...clashesOfDaysOff(events, daysOff)];
  const from = first > today ? first : today;
  return {
    first,
    last,
    events,
    clashes: clashes.toSorted((one, other) =>
      one.day < other.day ? -1 : one.day > other.day ? 1 : 0,
    ),
    freeEvenings: freeEveningsOf(events, daysOff, { from, to: last }),
  };
}

/**
 * Returns the keys of the new events that are left out: those that the answers name, and those of
 * clashes without an answer.
 */
export function omittedKeys(
  clashes: readonly Clash[],
  answers: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  return new Set(
    clashes.flatMap(({ id, events }) => [
      ...(answers.get(id) ?? events.flatMap(({ key, file }) => (file === null ? [] : key))),
    ]),
  );
}
