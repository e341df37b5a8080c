import { z } from 'zod';
import type { StoredEvent } from '../../db/model.ts';
import { asUsage, problem } from '../base/errors.ts';
import { addDays, type Day, isDay } from '../dates/days.ts';
import { zoneNamed } from '../dates/zone.ts';
import { endingSeason, type LeftOutEvent, planNextSeason } from '../event/season.ts';
import { editAs } from './event-actions.ts';
import { descriptionAt } from './event-values.ts';
import type { ActionTools } from './tools.ts';
import { UserName } from './user-actions.ts';

/** The longest season that a person could mean, in weeks. */
const maxWeeks = 106;

export const NextSeason = z.strictObject({
  user: UserName,
  /** The days of the last season, inclusive; by default, the season that ends or has ended. */
  from: z.string().optional(),
  to: z.string().optional(),
  weeks: z.int().min(1).max(maxWeeks).default(52),
  /** Words of names whose events do not come again, with commas between them. */
  without: z.string().default(''),
  dryRun: z.boolean().default(false),
});

type SeasonResult = {
  readonly user: string;
  readonly from: Day;
  readonly to: Day;
  readonly weeks: number;
  readonly dryRun: boolean;
  readonly timeZone: string;
  /** The new events; in a dry run, their ids are those of last season's. */
  readonly events: readonly Pick<StoredEvent, 'id' | 'name' | 'date'>[];
  readonly leftOut: readonly (Omit<LeftOutEvent, 'event'> & {
    readonly id: number;
    readonly event: string;
  })[];
  /** The number of the change in the history; absent if nothing changed. */
  readonly batch?: number;
};

function requireDay(name: 'from' | 'to', text: string | undefined, usual: Day): Day {
  if (text === undefined) return usual;
  if (isDay(text)) return text;
  throw asUsage(problem('import_bound_invalid', { option: `--${name}`, text }));
}

/**
 * Adds the events of last season again, as one change. Throws `season_empty` without an event in its
 * days.
 */
export function addNextSeason(
  { user, weeks, without, dryRun, ...days }: z.output<typeof NextSeason>,
  tools: ActionTools,
): Promise<SeasonResult> {
  return editAs({ user }, tools, ({ timeZone, now, readDaysOff, readSettings, readEvents }) => {
    const clock = zoneNamed(timeZone);
    const { usualLength, seasonStart } = readSettings();
    const season = endingSeason(clock.dayOf(now), seasonStart);
    const from = requireDay('from', days.from, season.first);
    const to = requireDay('to', days.to, addDays(season.end, -1));
    return ({ add }) => {
      const plan = planNextSeason(readEvents(), {
        ...{ clock, from, to, weeks, usualLength, daysOff: readDaysOff() },
        without: without.split(','),
        describe: (event, date) => descriptionAt(event, date, timeZone),
      });
      if (plan.events.length + plan.leftOut.length === 0) {
        throw problem('season_empty', { from, to });
      }
      const events = plan.events.map(({ event, date, description }) => {
        const { id, name, location, eventType } = event;
        if (dryRun) return { id, name, date };
        const added = add({ name, date, location, description, eventType });
        if (added === undefined) throw problem('event_ids_exhausted');
        return added;
      });
      const leftOut = plan.leftOut.map(({ event: { id, name: event }, ...more }) => ({
        ...{ id, event },
        ...more,
      }));
      return { from, to, weeks, dryRun, events, leftOut };
    };
  });
}
