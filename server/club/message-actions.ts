import { z } from 'zod';
import type { Writer } from '../../db/open.ts';
import { Told } from '../../db/stored-json.ts';
import { readTold, storeTold, type ToldState } from '../../db/told-states.ts';
import { withReader, withWriter } from '../store/store.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName } from './user-actions.ts';

export const ReadTold = z.strictObject({ user: UserName });

/** Returns what the members of a club were told; null before the first message. */
export function readToldState(
  { user }: z.output<typeof ReadTold>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ user: string; told: ToldState | null }> {
  return withReader(home, (db) => ({ user, told: readTold(db, requireUser(db, user)) ?? null }));
}

/** The most events that a club can have. */
const maxEvents = 1_000_000;

const State = z.strictObject({
  at: z.iso.datetime(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .nullable(),
  events: z.array(Told.strict()).max(maxEvents),
});

export const StoreTold = z.strictObject({ user: UserName, told: State.nullable() });

/** Stores what the members of a club were told, as the page showed it; null forgets it. */
export function storeToldState(
  { user, told }: z.output<typeof StoreTold>,
  tools: ActionTools,
): Promise<{ user: string }> {
  const store = (db: Writer) => {
    storeTold(db, requireUser(db, user), told ?? undefined);
    return { user };
  };
  return withWriter(tools.home, store, tools);
}
