import { z } from 'zod';
import { readFollowedEvents } from '../../db/calendars.ts';
import { readEarlierImports } from '../../db/event-import.ts';
import { eachEvent } from '../../db/event-list.ts';
import type { StoredEvent } from '../../db/model.ts';
import { asUsage, problem } from '../base/errors.ts';
import { addDays, type Day, holidaysOn, isDay } from '../dates/days.ts';
import { zoneNamed } from '../dates/zone.ts';
import {
  endingSeason,
  findFixtures,
  type LeftOutReason,
  planNextSeason,
  type SeasonGroup,
  type SeasonRow,
} from '../event/season.ts';
import { withReader } from '../store/store.ts';
import { addTo, EventNumber, editAs, valuesOn } from './event-actions.ts';
import { descriptionAt } from './event-values.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './user-actions.ts';

/** The longest season that a person could mean, in weeks. */
const maxWeeks = 106;

const Ids = z.array(EventNumber).max(1_000_000).default([]);

export const NextSeason = z.strictObject({
  user: UserName,
  /** The days of the last season, inclusive; by default, the season that ends or has ended. */
  from: z.string().optional(),
  to: z.string().optional(),
  weeks: z.int().min(1).max(maxWeeks).default(52),
  /** Words of names whose events do not come again, with commas between them. */
  without: z.string().default(''),
  /** The groups that are taken, or not, other than by default. */
  groups: z.record(z.string(), z.boolean()).default({}),
  /** Ids of last season's events that are left out, put back on a day off, or added in spite of a clash. */
  out: Ids,
  back: Ids,
  both: Ids,
  dryRun: z.boolean().default(false),
});

/** A new event; in a dry run, its id is that of last season's. */
type NewSeasonEvent = Pick<StoredEvent, 'id' | 'name' | 'date'> & {
  /** The date of last season's event. */
  readonly before: string;
  /** The holiday on its days, for one that was put back. */
  readonly dayOff?: string;
  /** True if a cancelled event of its name is on that day. */
  readonly isBesideCancelled?: true;
};

/** An event of last season that does not come again, with the date that it would have. */
type LeftOutEvent = Pick<StoredEvent, 'id' | 'date'> & {
  readonly event: string;
  readonly before: string;
  readonly reason: LeftOutReason;
  /** The holiday, or the event at its place. */
  readonly name?: string;
};

type SeasonResult = {
  readonly user: string;
  readonly from: Day;
  readonly to: Day;
  readonly weeks: number;
  readonly dryRun: boolean;
  readonly timeZone: string;
  readonly groups: readonly SeasonGroup[];
  readonly events: readonly NewSeasonEvent[];
  readonly leftOut: readonly LeftOutEvent[];
  /** The number of the change in the history; absent if nothing changed. */
  readonly batch?: number;
};

function requireDay(name: 'from' | 'to', text: string | undefined, usual: Day): Day {
  if (text === undefined) return usual;
  if (isDay(text)) return text;
  throw asUsage(problem('import_bound_invalid', { option: `--${name}`, text }));
}

function leftOutOf({ event, date, reason, dayOff, clash }: SeasonRow): LeftOutEvent[] {
  if (reason === undefined) return [];
  const name = reason === 'day off' ? dayOff : reason === 'clash' ? clash?.name : undefined;
  const why = { reason, ...(name !== undefined && { name }) };
  return [{ id: event.id, event: event.name, before: event.date, date, ...why }];
}

/**
 * Adds the events of last season again, as one change. Throws `season_empty` without an event in its
 * days.
 */
export function addNextSeason(
  { user, weeks, without, dryRun, groups, out, back, both, ...days }: z.output<typeof NextSeason>,
  tools: ActionTools,
): Promise<SeasonResult> {
  return editAs({ user }, tools, ({ timeZone, now, readEvents, ...club }) => {
    const clock = zoneNamed(timeZone);
    const { usualLength, seasonStart } = club.readSettings();
    const season = endingSeason(clock.dayOf(now), seasonStart);
    const from = requireDay('from', days.from, season.first);
    const to = requireDay('to', days.to, addDays(season.end, -1));
    return (edit) => {
      const all = readEvents();
      const daysOff = club.readDaysOff();
      const { rows, ...plan } = planNextSeason(all, {
        ...{ clock, from, to, weeks, usualLength },
        holidayOn: (day) => holidaysOn(day, daysOff)[0]?.name,
        fixtures: new Set(findFixtures(all, club.readImports(), club.readFollowed())),
        without: without.split(','),
        choices: { groups, out, back, both },
        describe: (event, date) => descriptionAt(event, date, timeZone),
      });
      if (rows.length === 0) throw problem('season_empty', { from, to });
      const events = rows.flatMap((row): NewSeasonEvent[] => {
        const { event, date, description, reason, dayOff, isBesideCancelled } = row;
        if (reason !== undefined) return [];
        const more = {
          before: event.date,
          ...(dayOff !== undefined && { dayOff }),
          ...(isBesideCancelled && { isBesideCancelled }),
        };
        if (dryRun) return [{ id: event.id, name: event.name, date, ...more }];
        return [{ ...addTo(edit, valuesOn(event, { date, description })), ...more }];
      });
      const leftOut = rows.flatMap(leftOutOf);
      return { from, to, weeks, dryRun, ...plan, events, leftOut };
    };
  });
}

export const SeasonFixtures = z.strictObject({ user: UserName });

/** Lists the events that are the federation's, but that their names do not show as matches. */
export function listFixtures(
  { user }: z.output<typeof SeasonFixtures>,
  tools: ActionTools,
): Promise<{ readonly user: string; readonly fixtures: readonly number[] }> {
  return withReader(tools.home, (db) => {
    const userId = requireUser(db, user);
    const imports = readEarlierImports(db, userId);
    const all = imports.size === 0 ? [] : [...eachEvent(db, userId)];
    return { user, fixtures: findFixtures(all, imports, readFollowedEvents(db, userId)) };
  });
}
