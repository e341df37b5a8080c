import { useMemo } from 'react';
import { addDays, type Day, type Season, seasonOf } from '../../dates/days.ts';
import {
  endingSeason,
  type NextSeason,
  planNextSeason,
  type SeasonChoices,
} from '../../event/season.ts';
import { endWords } from '../../event/times.ts';
import { movedNote } from '../../event/values.ts';
import { browserStore } from '../base/storage.ts';
import { useClubSettings } from './club-settings.ts';
import { useDaysOff } from './days-off.ts';
import { useVisibleEvents } from './visible-events.tsx';

/** Choices for the next season that this window remembers for a club, from one year to the next. */
type Remembered = {
  /** The groups that a person took, or did not, other than by default. */
  readonly groups: Readonly<Record<string, boolean>>;
  /** The first day of the season for which the offer was declined; null for none. */
  readonly declined: Day | null;
};

const nameOf = (account: string) => `club-events-season ${account}`;

/** Reads the stored choices, which another version of the page may have written. */
export function readRemembered(account: string): Remembered {
  let stored: Partial<Record<keyof Remembered, unknown>> = {};
  try {
    stored = Object(JSON.parse(browserStore.getItem(nameOf(account)) ?? '{}'));
  } catch {
    // Not JSON: nothing is remembered.
  }
  const groups = Object.entries(Object(stored.groups)).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
  const { declined } = stored;
  return {
    groups: Object.fromEntries(groups),
    declined: typeof declined === 'string' ? declined : null,
  };
}

export function remember(account: string, change: Partial<Remembered>): void {
  const next = { ...readRemembered(account), ...change };
  browserStore.setItem(nameOf(account), JSON.stringify(next));
}

/** The seasons of a club that have events, and the one whose events come next. */
type Seasons = {
  /** The newest first. */
  readonly seasons: readonly Season[];
  readonly ending: Season | undefined;
};

/** Returns the seasons from which events can be taken. */
export function useSeasons(): Seasons {
  const { all, clock, today } = useVisibleEvents();
  const { seasonStart } = useClubSettings();
  return useMemo(() => {
    const byFirst = new Map<Day, Season>();
    for (const { date } of all?.events ?? []) {
      const season = seasonOf(clock.dayOf(date), seasonStart);
      byFirst.set(season.first, season);
    }
    const seasons = [...byFirst.values()].toSorted((one, other) =>
      one.first < other.first ? 1 : -1,
    );
    const ending = endingSeason(today, seasonStart);
    // Without events in it, an earlier one; a club may also begin with the events to come.
    const best = seasons.find(({ first }) => first <= ending.first) ?? seasons.at(-1);
    return { seasons, ending: best };
  }, [all, clock, today, seasonStart]);
}

/** The last plan and what it was made of: the list asks for it again whenever it comes back. */
let lastPlan: { readonly of: readonly unknown[]; readonly plan: NextSeason } | undefined;

/** Returns the plan of the season after one; undefined without one, or before all events are read. */
export function useSeasonPlan(request: {
  readonly season: Season | undefined;
  readonly weeks: number;
  readonly fixtures: ReadonlySet<number> | undefined;
  readonly choices: SeasonChoices;
}): NextSeason | undefined {
  const { season, weeks, fixtures, choices } = request;
  const { all, clock } = useVisibleEvents();
  const { usualLength } = useClubSettings();
  const daysOff = useDaysOff();
  const isWhole = all?.pastRead && all.comingRead;
  const events = isWhole ? all.events : undefined;
  return useMemo(() => {
    if (events === undefined || season === undefined || fixtures === undefined) return undefined;
    const { first, end } = season;
    const of = [events, first, end, weeks, fixtures, choices, clock, usualLength, daysOff];
    if (lastPlan?.of.every((value, at) => value === of[at])) return lastPlan.plan;
    const plan = planNextSeason(events, {
      ...{ clock, weeks, usualLength, fixtures, choices },
      from: first,
      to: addDays(end, -1),
      without: [],
      holidayOn: (day) => daysOff.namesOn(day)[0],
      describe: (event, date) => movedNote(event, date, [clock, clock], endWords),
    });
    lastPlan = { of, plan };
    return plan;
  }, [events, season, weeks, fixtures, choices, clock, usualLength, daysOff]);
}
