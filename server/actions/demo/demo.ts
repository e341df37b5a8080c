import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import type { EventDraft } from '../../../db/model.ts';
import { beginEventImport } from '../../../db/write/event-import.ts';
import { fileError } from '../../errors.ts';
import { homeAt } from '../../home.ts';
import { withWriter } from '../../store.ts';
import { createKey } from '../keys.ts';
import type { ActionTools } from '../tools.ts';
import { addUser } from '../users.ts';
import { type SeasonEvent, season } from './season.ts';

export const demoClub = 'Harbour Runners';

/** How long before an event the club enters it, in days; what is far off was entered this month. */
const leadDays = 45;

const firstId = 101;

/** The n-th event of the season as it stands on the day of `now`. */
function draftOf(event: SeasonEvent, turn: number, now: Date, timeZone: string): EventDraft {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const day = today.toPlainDate().add({ days: event.day });
  const start = day.toZonedDateTime({ timeZone, plainTime: event.time });
  const { epochMilliseconds } = start;
  const planned = start.subtract({ days: leadDays }).epochMilliseconds;
  const latest = today.subtract({ minutes: 30 * (season.length - turn) + 7 }).epochMilliseconds;
  const { name, location, description, type, registrationOpen } = event;
  return {
    id: firstId + turn,
    name,
    date: new Date(epochMilliseconds).toISOString(),
    location,
    description,
    status: event.status ?? (epochMilliseconds < now.getTime() ? 'completed' : 'active'),
    eventType: type,
    ...(registrationOpen !== undefined && { registrationOpen }),
    createdAt: new Date(Math.min(planned, latest)).toISOString(),
  };
}

/** The events of the demo club on the day of `now`, with local times of `timeZone`. */
export function demoEvents(now: Date, timeZone: string): EventDraft[] {
  return season.map((event, turn) => draftOf(event, turn, now, timeZone));
}

export const AddDemo = z.strictObject({});

/** Adds the demo club to the user's own data; it can be removed like any other. */
export async function addDemo(
  _: z.infer<typeof AddDemo>,
  tools: ActionTools,
): Promise<{ id: number; name: string }> {
  const user = await addUser({ name: demoClub }, tools);
  await addDemoEvents(user.id, tools);
  return user;
}

function addDemoEvents(userId: number, { home, now, systemTimeZone }: ActionTools): Promise<void> {
  const moment = now();
  return withWriter(home, (db) => {
    const batch = beginEventImport(db, { userId, now: moment.toISOString(), source: 'demo' });
    for (const draft of demoEvents(moment, systemTimeZone())) batch.apply(draft);
    batch.commit();
  });
}

export type Demo = {
  /** The demo club's own data directory. */
  readonly directory: string;
  /** A key to its events. */
  readonly key: string;
  /** Removes the directory. */
  remove(): void;
};

function makeDirectory(): string {
  const base = join(tmpdir(), 'club-events-demo-');
  try {
    return mkdtempSync(base);
  } catch (error) {
    throw fileError(error, base);
  }
}

/**
 * Makes the demo club in a directory of its own, away from the user's data. It is made anew at each
 * start, because its season is around today and its key can be shown only once.
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
