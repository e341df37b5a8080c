import type { Clock } from '../../dates/clock.ts';
import { addDays, type Day, noonOf } from '../../dates/days.ts';
import { moveToDay } from '../../dates/moves.ts';
import { minuteMs } from '../../dates/units.ts';
import { type Interval, intervalOf, lastDayOf, overlap, placeOf } from '../../event/values.ts';
import { teamOf } from '../../event/views.ts';
import type { Event } from '../../http/contract.ts';
import type { DaysOff } from '../base/days-off.ts';

/** An event of a plan: a new one of a file, or one that is here already. */
export type PlannedEvent = {
  readonly key: string;
  /** The index of its file; null for an event that is here already. */
  readonly file: number | null;
  readonly event: Event;
  /** Undefined without a time of day. */
  readonly time: Interval | undefined;
};

/** An answer to a clash. */
export type Answer =
  | { readonly kind: 'leave'; readonly planned: PlannedEvent }
  /** Moves an event that is here to a later day, at its time. */
  | { readonly kind: 'move'; readonly planned: PlannedEvent; readonly day: Day }
  | { readonly kind: 'cancel'; readonly planned: PlannedEvent }
  /** Begins a new event at the end of the other one. */
  | { readonly kind: 'begin'; readonly planned: PlannedEvent; readonly date: string }
  | { readonly kind: 'keep' };

/** A set of events that cannot all take place, at least one of them new. */
export type Clash = {
  readonly id: string;
  /** A place twice, two at the same time for the same team or type, or a day off. */
  readonly kind: 'place' | 'time' | 'dayOff';
  /** The place, or the name of the holiday; empty for `time`. */
  readonly title: string;
  readonly day: Day;
  /** The events in the order of their dates. */
  readonly events: readonly PlannedEvent[];
  readonly answers: readonly Answer[];
};

export type SeasonPlan = {
  readonly first: Day;
  readonly last: Day;
  /** All events of the period, by date. */
  readonly events: readonly PlannedEvent[];
  readonly clashes: readonly Clash[];
  /** The days on which a place is booked for nobody, else the evenings without an event. */
  readonly freeEvenings: readonly Day[];
  /** The place that is booked; null for evenings without an event. */
  readonly freePlace: string | null;
};

/** The values of an event that a check of an import reports. */
type PlannedValues = Pick<
  Event,
  'name' | 'date' | 'location' | 'description' | 'status' | 'eventType'
>;

/** A new event of a file. */
export type NewRow = PlannedValues & { readonly key: string; readonly file: number };

/** Words in a column of places that say whose place it is. */
const noPlaces = new Set([
  ...['home', 'away', 'heim', 'auswärts', 'heimspiel', 'auswärtsspiel', 'thuis', 'uit'],
  ...['domicile', 'à domicile', 'extérieur', 'à l’extérieur', "à l'extérieur"],
]);

/** Ids of new events, which no stored event has together with its place in the plan. */
const firstNewId = Number.MIN_SAFE_INTEGER;

function eventOf(values: PlannedValues, id: number): Event {
  const { name, date, location, description, status, eventType } = values;
  const isPlace = !noPlaces.has(location.trim().toLowerCase());
  const place = isPlace ? location : '';
  return { id, name, date, location: place, description, status, eventType, createdAt: date };
}

/** Returns true for events of the same team; without one, the type decides. */
function isSameGroup({ event: one }: PlannedEvent, { event: other }: PlannedEvent): boolean {
  const [team, otherTeam] = [teamOf(one.name), teamOf(other.name)];
  if (team === otherTeam) return true;
  return (team === '' || otherTeam === '') && one.eventType === other.eventType;
}

/** Words for a place that is booked, without an event that has it. */
const bookingWords =
  /\b(?:book(?:ed|ing)|free|slot|reserv(?:ed|ation)|gebucht|buchung|frei|reserviert|belegung|réserv|libre|créneau|geboekt|vrij|gereserveerd)/iu;

/** Returns true for a booking of a place: its name is the place, or only says that it is booked. */
function isBooking({ event, file }: PlannedEvent): boolean {
  const place = placeOf(event);
  if (file === null || place === '') return false;
  return event.name.trim().toLowerCase() === place || bookingWords.test(event.name);
}

const samePlace = ({ event: one }: PlannedEvent, { event: other }: PlannedEvent) =>
  placeOf(one) !== '' && placeOf(one) === placeOf(other);

/** Returns the kind of the clash of two events; undefined if both can take place. */
function clashKind(one: PlannedEvent, other: PlannedEvent): 'place' | 'time' | undefined {
  // A booking is there for the events of the club.
  if (!overlap(one.time, other.time) || isBooking(one) || isBooking(other)) return undefined;
  if (samePlace(one, other)) return 'place';
  return isSameGroup(one, other) ? 'time' : undefined;
}

const isOn = ({ event }: PlannedEvent) => event.status !== 'cancelled';

/** Joins the events that clash in one way, also over a third one; `timed` are by start. */
function groupsOf(
  timed: readonly PlannedEvent[],
  kind: 'place' | 'time',
): readonly (readonly PlannedEvent[])[] {
  const groups = new Map<PlannedEvent, Set<PlannedEvent>>();
  for (const [index, one] of timed.entries()) {
    for (let at = index + 1; at < timed.length; at += 1) {
      const other = timed[at] as PlannedEvent;
      if ((other.time as Interval).from >= (one.time as Interval).to) break;
      if (one.file === null && other.file === null) continue;
      if (clashKind(one, other) !== kind) continue;
      const joined = new Set([...(groups.get(one) ?? [one]), ...(groups.get(other) ?? [other])]);
      for (const each of joined) groups.set(each, joined);
    }
  }
  return [...new Set(groups.values())].map((group) => timed.filter((each) => group.has(each)));
}

/** Days after an event on which a free one is looked for. */
const maxMove = 14;

/** Returns an event of the plan on another day, at its time. */
function onDay({ event, ...planned }: PlannedEvent, day: Day, context: Context): PlannedEvent {
  const { clock, usualLength } = context;
  const date = moveToDay(event.date, day, clock);
  // Without its note, whose end may name a day.
  const length = planned.time ? planned.time.to - planned.time.from : usualLength * minuteMs;
  const from = Date.parse(date);
  return { ...planned, event: { ...event, date }, time: { from, to: from + length } };
}

type Context = {
  readonly clock: Clock;
  readonly pool: readonly PlannedEvent[];
  readonly daysOff: DaysOff;
  readonly usualLength: number;
};

/** Returns the next day on which an event does not clash and that is not off, if there is one. */
function nextFreeDay(planned: PlannedEvent, context: Context): Day | undefined {
  const { clock, pool, daysOff } = context;
  const first = clock.dayOf(planned.event.date);
  for (let days = 1; days <= maxMove; days += 1) {
    const day = addDays(first, days);
    const moved = onDay(planned, day, context);
    const clashes = pool.some(
      (other) => other.key !== planned.key && clashKind(moved, other) !== undefined,
    );
    if (!clashes && daysOff.namesOn(day).length === 0) return day;
  }
  return undefined;
}

/** Returns the time at which a new event can begin on its day, once the other one is over. */
function laterStart(
  planned: PlannedEvent,
  other: PlannedEvent | undefined,
  { clock, pool }: Context,
): string | undefined {
  const { time, event } = planned;
  if (time === undefined || other?.time === undefined || other.time.to <= time.from) return;
  const from = other.time.to;
  const date = new Date(from).toISOString();
  const moved = {
    ...planned,
    event: { ...event, date },
    time: { from, to: from + time.to - time.from },
  };
  const isSameDay = clock.dayOf(date) === clock.dayOf(event.date);
  const isFree = pool.every(
    (each) => each.key === planned.key || clashKind(moved, each) === undefined,
  );
  return isSameDay && isFree ? date : undefined;
}

/** Returns the possible answers: the new events left out, those here moved or cancelled, or none. */
function answersTo(events: readonly PlannedEvent[], context: Context): Answer[] {
  const here = events.filter(({ file }) => file === null);
  const added = events.filter(({ file }) => file !== null);
  return [
    ...added
      .toSorted((one, other) => (one.file ?? 0) - (other.file ?? 0))
      .map((planned): Answer => ({ kind: 'leave', planned })),
    ...added.flatMap((planned): Answer[] => {
      const [other, ...more] = events.filter(({ key }) => key !== planned.key);
      const date = more.length > 0 ? undefined : laterStart(planned, other, context);
      return date === undefined ? [] : [{ kind: 'begin', planned, date }];
    }),
    ...here.flatMap((planned): Answer[] => {
      const day = nextFreeDay(planned, context);
      return day === undefined ? [] : [{ kind: 'move', planned, day }];
    }),
    ...here.map((planned): Answer => ({ kind: 'cancel', planned })),
    { kind: 'keep' },
  ];
}

function clashesOfTimes(planned: readonly PlannedEvent[], context: Context): Clash[] {
  const timed = planned.filter((each) => each.time !== undefined && isOn(each));
  return (['place', 'time'] as const).flatMap((kind) =>
    groupsOf(timed, kind).map((events): Clash => {
      const { location, date } = (events[0] as PlannedEvent).event;
      const title = kind === 'place' ? location.trim() : '';
      const id = `${kind} ${events.map(({ key }) => key).join(' ')}`;
      const day = context.clock.dayOf(date);
      return { id, kind, title, day, events, answers: answersTo(events, context) };
    }),
  );
}

function clashesOfDaysOff(planned: readonly PlannedEvent[], context: Context): Clash[] {
  return planned.flatMap((each): Clash[] => {
    const day = context.clock.dayOf(each.event.date);
    const [title] = context.daysOff.namesOn(day);
    if (each.file === null || title === undefined || !isOn(each)) return [];
    const events = [each];
    const answers = answersTo(events, context);
    return [{ id: `day off ${each.key}`, kind: 'dayOff', title, day, events, answers }];
  });
}

const maxFreeEvenings = 12;

/** The time of an evening, from which on an event takes it. */
const evening = '18:00';

/** Returns true for an event that takes place in the evening of a day, at least partly. */
function takesEvening(clock: Clock, { event, time }: PlannedEvent, day: Day): boolean {
  if (clock.dayOf(event.date) > day || lastDayOf(event, clock) < day) return false;
  return time === undefined || time.to > clock.instantOf({ day, time: evening });
}

type Period = { readonly from: Day; readonly to: Day };

/** Returns the days of the bookings of a place that no event has. */
function freeBookings(
  bookings: readonly PlannedEvent[],
  planned: readonly PlannedEvent[],
  { clock }: Context,
  { from, to }: Period,
): Day[] {
  const others = planned.filter((each) => isOn(each) && !isBooking(each));
  const isFree = (booking: PlannedEvent) =>
    !others.some((other) => samePlace(other, booking) && overlap(booking.time, other.time));
  const days = bookings.filter(isFree).map(({ event }) => clock.dayOf(event.date));
  return [...new Set(days)].filter((day) => day >= from && day <= to).slice(0, maxFreeEvenings);
}

/** Lists the days from Monday to Friday that are not off and have no event in the evening. */
function freeWeekdays(
  planned: readonly PlannedEvent[],
  { clock, daysOff }: Context,
  { from, to }: Period,
): Day[] {
  const on = planned.filter(isOn);
  const free: Day[] = [];
  for (let day = from; day <= to && free.length < maxFreeEvenings; day = addDays(day, 1)) {
    const weekday = noonOf(day).getUTCDay();
    const isWeekday = weekday >= 1 && weekday <= 5;
    if (!isWeekday || daysOff.namesOn(day).length > 0) continue;
    if (!on.some((each) => takesEvening(clock, each, day))) free.push(day);
  }
  return free;
}

const byDate = ({ event: one }: PlannedEvent, { event: other }: PlannedEvent) =>
  one.date === other.date ? one.id - other.id : one.date < other.date ? -1 : 1;

/**
 * Puts the new events of several files beside those that are here, over the period of the new ones.
 * `changed` are the events that the files change, by id. Events without an end last `usualLength`
 * minutes. Returns undefined without a new event.
 */
export function planSeason(
  rows: readonly NewRow[],
  existing: readonly Event[],
  options: Omit<Context, 'pool'> & {
    readonly changed: ReadonlyMap<number, PlannedValues>;
    readonly today: Day;
  },
): SeasonPlan | undefined {
  const { clock, changed, usualLength, today } = options;
  const days = rows.map(({ date }) => clock.dayOf(date)).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const plannedOf = (key: string, file: number | null, event: Event): PlannedEvent => ({
    key,
    file,
    event,
    time: intervalOf(event, usualLength, clock),
  });
  // Those that an event which is moved could meet, too.
  const bounds = [clock.startOf(first), clock.startOf(addDays(last, maxMove + 1))] as const;
  const here = existing
    .map((event) => {
      const values = changed.get(event.id);
      return values === undefined ? event : eventOf(values, event.id);
    })
    .filter((event) => lastDayOf(event, clock) >= first && event.date < bounds[1])
    .map((event) => plannedOf(`event ${event.id}`, null, event));
  const added = rows.map((row, index) =>
    plannedOf(row.key, row.file, eventOf(row, firstNewId + index)),
  );
  const pool = [...here, ...added].toSorted(byDate);
  const events = pool.filter(({ event }) => clock.dayOf(event.date) <= last);
  const context = { ...options, pool: pool.filter(isOn) };
  const clashes = [...clashesOfTimes(events, context), ...clashesOfDaysOff(events, context)];
  const period = { from: first > today ? first : today, to: last };
  const [booked] = added.filter(isBooking);
  const bookings = booked && events.filter((each) => isBooking(each) && samePlace(each, booked));
  return {
    first,
    last,
    events,
    clashes: clashes.toSorted((one, other) =>
      one.day < other.day ? -1 : one.day > other.day ? 1 : 0,
    ),
    freeEvenings:
      bookings === undefined
        ? freeWeekdays(events, context, period)
        : freeBookings(bookings, events, context, period),
    freePlace: booked?.event.location.trim() ?? null,
  };
}

/** The answers that a person chose, by the id of their clashes. */
export type Answers = ReadonlyMap<string, Answer>;

/**
 * Returns the keys of the new events that are left out: those that the answers name, and those of
 * clashes without an answer.
 */
export function omittedKeys(clashes: readonly Clash[], answers: Answers): ReadonlySet<string> {
  return new Set(
    clashes.flatMap(({ id, events }) => {
      const answer = answers.get(id);
      if (answer === undefined)
        return events.flatMap(({ key, file }) => (file === null ? [] : key));
      return answer.kind === 'leave' ? [answer.planned.key] : [];
    }),
  );
}

/** Returns the events that are here and that the answers move or cancel; a cancellation wins. */
export function changesHere(
  clashes: readonly Clash[],
  answers: Answers,
): readonly Extract<Answer, { readonly kind: 'move' | 'cancel' }>[] {
  const changes = new Map<string, Extract<Answer, { readonly kind: 'move' | 'cancel' }>>();
  for (const { id } of clashes) {
    const answer = answers.get(id);
    if (answer?.kind !== 'move' && answer?.kind !== 'cancel') continue;
    const before = changes.get(answer.planned.key);
    if (before?.kind !== 'cancel') changes.set(answer.planned.key, answer);
  }
  return [...changes.values()];
}

/** Returns the times at which new events begin instead, by their keys. */
export function laterStarts(
  clashes: readonly Clash[],
  answers: Answers,
): ReadonlyMap<string, string> {
  return new Map(
    clashes.flatMap(({ id }) => {
      const answer = answers.get(id);
      return answer?.kind === 'begin' ? [[answer.planned.key, answer.date] as const] : [];
    }),
  );
}

/** Names an event in its clash, the same in the clashes of other weeks. */
const roleOf = ({ file, event }: PlannedEvent) => `${file ?? 'here'} ${event.name.toLowerCase()}`;

/** Returns true for clashes of one kind between events of the same names, such as those of two weekly ones. */
export function areAlike(one: Clash, other: Clash): boolean {
  const sides = ({ kind, title, events }: Clash) =>
    [kind, title.toLowerCase(), ...events.map(roleOf).toSorted()].join('\n');
  return one.id !== other.id && sides(one) === sides(other);
}

/** Returns the answer to a clash that says the same as that to one like it, if there is one. */
export function sameAnswerFor(clash: Clash, answer: Answer): Answer | undefined {
  return clash.answers.find(
    (each) =>
      each.kind === answer.kind &&
      (each.kind === 'keep' ||
        answer.kind === 'keep' ||
        roleOf(each.planned) === roleOf(answer.planned)),
  );
}

/** Returns true for two answers that say the same. */
export function isSameAnswer(one: Answer, other: Answer | undefined): boolean {
  if (other === undefined || one.kind !== other.kind) return false;
  return one.kind === 'keep' || other.kind === 'keep'
    ? true
    : one.planned.key === other.planned.key;
}
