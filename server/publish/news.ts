import type { SourcedEvent } from '../../db/event-list.ts';
import type { DatedChange } from '../../db/history.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { dayMs, hourMs } from '../dates/units.ts';
import { changedValues } from '../event/changes.ts';
import type { EventNews } from '../export/members.ts';

/** Time for which a change is news. */
const newsTime = 7 * dayMs;

/** Returns the time from which changes matter to a page of a time: a week before those of a week. */
export function newsSince(asOf: Date): string {
  return new Date(asOf.getTime() - 2 * newsTime).toISOString();
}

/** Time after an event appeared in which a change is a correction, not a move. */
const correctionTime = hourMs;

/** A change as members see it. */
type SeenChange = {
  readonly time: number;
  /** Null for an event that members did not see. */
  readonly before: StoredEvent | null;
  readonly appears: boolean;
  readonly moves: boolean;
};

/** Returns true for a change that members must know: of the days, the times or the place. */
function isMove(before: StoredEvent, after: StoredEvent, clock: Clock): boolean {
  const moves: readonly string[] = ['date', 'end', 'location'];
  return changedValues(before, after, clock).some(({ field }) => moves.includes(field));
}

function seenChange({ at, before, after }: DatedChange, clock: Clock): SeenChange {
  const shown = (event: StoredEvent | null) => (event?.status === 'draft' ? null : event);
  const [from, to] = [shown(before), shown(after)];
  const isImported = before === null && after === null;
  const appears = isImported || (from === null && to !== null);
  const moves = appears || from === null || to === null || isMove(from, to, clock);
  return { time: Date.parse(at), before: from, appears, moves };
}

/** Returns the news of an event from its changes, oldest first; undefined for none. */
function newsOf(
  event: StoredEvent,
  changes: readonly SeenChange[],
  clock: Clock,
): EventNews | undefined {
  const last = changes.findLast(({ moves }) => moves);
  if (last === undefined) return undefined;
  let appearedAt: number | undefined;
  let known: StoredEvent | undefined;
  for (const { time, before, appears } of changes) {
    // From the last move, so that the passing of an earlier one makes no news.
    if (time < last.time - newsTime) continue;
    const isCorrection = appearedAt !== undefined && time - appearedAt < correctionTime;
    if (known === undefined && appears) appearedAt ??= time;
    if (before !== null && !isCorrection) known ??= before;
  }
  const newsAt = (time: number, from: EventNews['before']): EventNews => ({
    before: from,
    changedAt: new Date(time),
    until: new Date(time + newsTime),
  });
  // A place that was open, or is again, is no move.
  const before = known && {
    ...known,
    location: known.location && event.location ? known.location : event.location,
  };
  if (before !== undefined && isMove(before, event, clock)) return newsAt(last.time, before);
  return appearedAt === undefined ? undefined : newsAt(appearedAt, null);
}

/**
 * Returns what is news to members at a time, for a week after each change: events to come whose
 * date, time or place is not the one that they saw a week before its last change, and events that
 * they did not see before. If more than half of the events to come are new, none is: the club has
 * just begun, or has planned a season.
 */
export function findNews(
  events: readonly SourcedEvent[],
  changes: readonly DatedChange[],
  asOf: Date,
  clock: Clock,
): ReadonlyMap<number, EventNews> {
  const byId = Map.groupBy(changes, ({ id }) => id);
  // Those of a whole day began at midnight.
  const coming = events.filter(
    ({ status, date }) => status === 'active' && Date.parse(date) > asOf.getTime() - dayMs,
  );
  const all = coming.flatMap((event): [number, EventNews][] => {
    const seen = (byId.get(event.id) ?? []).map((change) => seenChange(change, clock));
    const news = newsOf(event, seen, clock);
    return news === undefined || news.until <= asOf ? [] : [[event.id, news]];
  });
  const added = all.filter(([, { before }]) => before === null);
  const areNews = added.length * 2 <= coming.length;
  return new Map(areNews ? all : all.filter(([, { before }]) => before !== null));
}

/**
 * Returns how often members saw an event move, and its first date; undefined for fewer than two moves,
 * which its news tell already. What a draft was does not count, nor does a correction.
 */
export function findMemory(changes: readonly DatedChange[], clock: Clock): EventNews['memory'] {
  let appearedAt: number | undefined;
  const dates: string[] = [];
  for (const change of changes) {
    const { time, before, appears } = seenChange(change, clock);
    if (appears) appearedAt = time;
    const isCorrection = appearedAt !== undefined && time - appearedAt < correctionTime;
    const after = change.after?.status === 'draft' ? null : change.after;
    if (isCorrection || before === null || after === null || before.date === after.date) continue;
    dates.push(before.date);
  }
  const [first] = dates;
  return first === undefined || dates.length < 2 ? undefined : { times: dates.length, first };
}

/** Returns the times until which the cancellations of events to come are news, by id. */
export function findCancellations(
  events: readonly SourcedEvent[],
  changes: readonly DatedChange[],
  asOf: Date,
): ReadonlyMap<number, Date> {
  const off = new Set(events.flatMap(({ id, status }) => (status === 'cancelled' ? id : [])));
  const all = changes.flatMap(({ id, at, before, after }): [number, Date][] => {
    const isNow = before?.status === 'active' && after?.status === 'cancelled';
    return off.has(id) && isNow ? [[id, new Date(Date.parse(at) + newsTime)]] : [];
  });
  return new Map(all.filter(([, until]) => until > asOf));
}
