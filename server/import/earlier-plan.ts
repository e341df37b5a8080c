import {
  type EarlierEvent,
  type EventImport,
  type Identity,
  isRecurrence,
} from '../../db/event-import.ts';
import type { EventRecord } from '../../db/event-rows.ts';
import type { EventDraft, StoredEvent } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import { dayMs } from '../dates/units.ts';
import {
  type Identifying,
  isOtherEvent,
  isSamePlace,
  matchEvents,
  mayBeSame,
  spelledName,
  teamsOf,
} from '../event/matching.ts';
import type { MissingEvent } from './report.ts';
import { withoutRemark } from './table/remarks.ts';

/** An event of the file whose name an event here has, too. */
type Coming = Identifying & { readonly position: number };

/** Distance of two events with one UID, from which a calendar has numbered its events again. */
const reusedAfter = 30 * dayMs;

/** Checks that a file may have another event under the key of one that is here. */
function mayBeOther({ origin, record }: Identity, draft: EventDraft): boolean {
  if (record === undefined || isRecurrence(origin.key)) return false;
  const { event, edits } = record;
  // The rows of one name and moment have numbers, which change with their order.
  if (!origin.key.startsWith('ics:')) {
    return !isSamePlace(
      { place: draft.location },
      { place: String(edits.location ?? event.location) },
    );
  }
  const names = [event.name, String(edits.name ?? event.name)];
  return isOtherEvent({ names, date: event.date }, draft);
}

/** Checks that a calendar has given the identifier of an event to another one. */
function isReusedFor(event: Coming | undefined, record: EventRecord | undefined): boolean {
  if (event === undefined || record === undefined) return false;
  const { name, date, location: place } = record.event;
  const apart = Math.abs(Date.parse(event.date) - Date.parse(date));
  return apart > reusedAfter && !mayBeSame(event, { name, date, place, number: undefined });
}

/** Distance from which an event may be one of another season. */
const halfSeason = 180 * dayMs;

/** The weeks by which next season's events are later. */
const seasonWeeks = { from: 50, to: 54 } as const;

/** Returns the weeks by which an event that is over comes again about a year later. */
export function weeksToNextSeason(before: string, after: string, now: Date): number | undefined {
  const weeks = Math.round((Date.parse(after) - Date.parse(before)) / (7 * dayMs));
  const isSeason = weeks >= seasonWeeks.from && weeks <= seasonWeeks.to;
  return isSeason && Date.parse(before) < now.getTime() ? weeks : undefined;
}

/** Returns the number of an event that was added again for another season, by its id in the file. */
export const numberOfId = (id: number) => `id ${id}`;

/** Finds the events of a file among those that are here, when a plan comes again. */
export function createEarlierPlan(
  batch: EventImport,
  { clock, now }: { readonly clock: Clock; readonly now: Date },
) {
  let imports: ReadonlyMap<number, number> | undefined;
  const planned = (event: EarlierEvent) => ({
    ...event,
    name: withoutRemark(event.name),
    isCancelled: event.record.event.status === 'cancelled',
    get plan() {
      imports ??= batch.earlierImports();
      return imports.get(event.record.event.id);
    },
  });
  /** Reads the events that are here, with what finds them. */
  const readHere = () => {
    const known = batch.earlier().map(planned);
    return {
      known,
      byRow: new Map(known.map((event) => [event.record.row, event])),
      names: new Set(known.map(({ name }) => teamsOf(name))),
      numbers: new Set(known.flatMap(({ number }) => number ?? [])),
    };
  };
  // A file whose events have ids needs none of them.
  let here: ReturnType<typeof readHere> | undefined;
  const coming: Coming[] = [];
  const found = new Map<Coming, ReturnType<typeof planned>>();
  const open = new Map<number, Identity>();

  /** The events that are here, by their numbers and by their names and moments. */
  let copies: ReadonlyMap<string, readonly EarlierEvent[]> | undefined;
  const momentOf = (name: string, date: string) => `${date} ${spelledName(name)}`;

  return {
    /**
     * Returns the event that an import added again for the id of another one, if it is nearer to the
     * event of the file.
     */
    addedAgain({ id, date }: StoredEvent, draft: EventDraft): EventRecord | undefined {
      const apartFrom = (one: string) => Math.abs(Date.parse(one) - Date.parse(draft.date));
      if (apartFrom(date) < halfSeason) return undefined;
      here ??= readHere();
      copies ??= Map.groupBy(
        here.known.filter(({ record }) => record.sourceKey?.startsWith('row:')),
        (event) => event.number ?? momentOf(event.name, event.date),
      );
      const [nearest] = [numberOfId(id), momentOf(draft.name, draft.date)]
        .flatMap((key) => copies?.get(key) ?? [])
        .filter((event) => event.record.event.id !== id && apartFrom(event.date) < apartFrom(date))
        .sort((one, other) => apartFrom(one.date) - apartFrom(other.date));
      return nearest?.record;
    },

    /** Takes an event of the file; returns true if `resolve` has to find it among others. */
    defers(position: number, draft: EventDraft, identity: Identity, number?: string): boolean {
      here ??= readHere();
      const { known, byRow, names, numbers } = here;
      if (known.length === 0) return false;
      const isUnknown = identity.record === undefined || mayBeOther(identity, draft);
      const name = withoutRemark(draft.name);
      const isNamed = names.has(teamsOf(name));
      const isDeferred =
        isUnknown &&
        (isNamed || identity.record !== undefined || (number !== undefined && numbers.has(number)));
      if (isDeferred) open.set(position, identity);
      const same = isUnknown ? undefined : byRow.get(identity.record?.row ?? 0);
      if (!isDeferred && same === undefined) return false;
      const { date, location: place } = draft;
      const event = { name, date, place, number, position };
      coming.push(event);
      if (same !== undefined) found.set(event, same);
      return isDeferred;
    },

    /** Returns the identities of the deferred events by their positions, and those not certain. */
    resolve() {
      const { known = [], byRow } = here ?? {};
      const { pairs, unsure } = matchEvents(known, coming, found, { clock, now });
      const taken = new Set([...found.values(), ...pairs.values()].map(({ record }) => record.row));
      const paired = new Map<number, EarlierEvent>();
      for (const [event, one] of pairs) {
        found.set(event, one);
        paired.set(event.position, one);
      }
      const identities = new Map<number, Identity>();
      const events = new Map(coming.map((event) => [event.position, event]));
      let reused = 0;
      for (const [position, identity] of open) {
        const { record } = identity;
        const other = paired.get(position)?.record;
        const event = events.get(position);
        const isReused = other === undefined && isReusedFor(event, record);
        if (isReused) reused += 1;
        // The event with this key is another one of the file.
        const isNew = isReused || (record !== undefined && taken.has(record.row));
        const same = isNew || other ? undefined : byRow?.get(record?.row ?? 0);
        if (event && same) found.set(event, same);
        const as = other ?? (isNew ? null : record);
        identities.set(position, as === record ? identity : { ...identity, as });
      }
      // The dates of a series that a later revision lacks are cancelled, not moved.
      const isSeries = ({ position }: Coming) => isRecurrence(open.get(position)?.origin.key ?? '');
      return { identities, unsure: unsure.filter((event) => !isSeries(event)), reused };
    },

    /** Returns the events to come of the earlier version of the file that it no longer has. */
    missing(): MissingEvent[] {
      const isToCome = ({ date }: EarlierEvent) => Date.parse(date) > now.getTime();
      const matched = new Set<EarlierEvent>([...found.values()].filter(isToCome));
      const namesOfFile = new Set(coming.map(({ name }) => spelledName(name)));
      if (namesOfFile.size === 0) return [];
      const toCome = (here?.known ?? []).filter((event) => event.isImported && isToCome(event));
      const byImport = Map.groupBy(toCome, ({ plan }) => plan);
      byImport.delete(undefined);
      const isNamed = ({ name }: EarlierEvent) => namesOfFile.has(spelledName(name));
      // Another plan of the club has few names of this one, or none.
      const versions = [...byImport.values()].filter(
        (events) =>
          events.filter((one) => matched.has(one) || isNamed(one)).length * 2 >= events.length,
      );
      return versions
        .flat()
        .filter((event) => !matched.has(event))
        .flatMap(({ record }) => {
          const event = batch.read(record.event.id);
          if (event === undefined || event.status === 'cancelled') return [];
          const { id, name, date, location } = event;
          return { id, name, date, location };
        });
    },
  };
}
