import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { beginEventImport } from '../../db/event-import.ts';
import type { EventDraft } from '../../db/model.ts';
import { fileError } from '../base/errors.ts';
import { homeAt } from '../base/home.ts';
import { addDays } from '../dates/days.ts';
import { minuteMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import { withWriter } from '../store/store.ts';
import { type SeasonEvent, season } from './demo-season.ts';
import { createKey } from './key-actions.ts';
import type { ActionTools } from './tools.ts';
import { addUser } from './user-actions.ts';

const demoClub = 'Harbour Runners';

/**
 * Days from the creation of a demo event to its start. Events further ahead count as created within
 * the last two days.
 */
const leadDays = 45;

const firstId = 101;

export const AddDemo = z.strictObject({});

/** Adds the demo club to the user's own data. It can be removed like any other club. */
export async function addDemo(
  _: z.infer<typeof AddDemo>,
  tools: ActionTools,
): Promise<{ id: number; name: string; zone: string }> {
  const user = await addUser({ name: demoClub }, tools);
  await addDemoEvents(user, tools);
  return user;
}

function addDemoEvents(
  { id: userId, zone }: { readonly id: number; readonly zone: string },
  { home, now }: ActionTools,
): Promise<void> {
  const moment = now();
  return withWriter(home, (db) => {
    const batch = beginEventImport(db, { userId, now: moment.toISOString(), source: 'demo' });
    for (const draft of demoEvents(moment, zone)) batch.apply(draft);
    batch.commit();
  });
}

type Demo = {
  readonly directory: string;
  readonly key: string;
  /** Removes the directory. */
  remove(): void;
};

/**
 * Creates the demo club in a temporary directory, away from the user's data. Each start needs a new
 * one: its season is around today and its key can be shown only once.
 */
export async function createDemo(tools: Omit<ActionTools, 'home'>): Promise<Demo> {
  const directory = makeDirectory();
  const home = homeAt(directory);
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    await addDemo({}, { ...tools, home });
    const { key } = await createKey({ user: demoClub, label: 'demo' }, { ...tools, home });
    return { directory, key, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeDirectory(): string {
  const base = join(tmpdir(), 'club-events-demo-');
  try {
    return mkdtempSync(base);
  } catch (error) {
    throw fileError(error, base);
  }
}

/** Returns the events of the demo club, dated relative to `now` and local to `timeZone`. */
export function demoEvents(now: Date, timeZone: string): EventDraft[] {
  return season.map((event, index) => draftOf(event, index, now, timeZone));
}

/** Returns an event of the season, dated relative to the day of `now`; `index` is its position. */
function draftOf(event: SeasonEvent, index: number, now: Date, timeZone: string): EventDraft {
  const clock = zoneNamed(timeZone);
  const { time } = event;
  const day = addDays(clock.dayOf(now), event.day);
  const start = clock.instantOf({ day, time });
  const planned = clock.instantOf({ day: addDays(day, -leadDays), time });
  const latest = now.getTime() - (30 * (season.length - index) + 7) * minuteMs;
  const { name, location, description, type, registrationOpen } = event;
  return {
    id: firstId + index,
    name,
    date: new Date(start).toISOString(),
    location,
    description,
    status: event.status ?? (start < now.getTime() ? 'completed' : 'active'),
    eventType: type,
    ...(registrationOpen !== undefined && { registrationOpen }),
    createdAt: new Date(Math.min(planned, latest)).toISOString(),
  };
}
