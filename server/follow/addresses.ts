import { z } from 'zod';
import type { FollowedCalendar } from '../../db/calendars.ts';
import { problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { withLock } from '../base/lock.ts';
import type { ActionTools } from '../club/tools.ts';
import type { MessageValues, ProblemCode } from '../messages/message.ts';
import { readOutsideState, writeOutsideState } from '../outside/state-file.ts';
import { readPrivateFile, writePrivateFile } from '../store/private-file.ts';
import { firstSchedule, type Schedule } from './schedule.ts';

/** The last failure of a calendar. */
export type FollowFailure = {
  readonly code: ProblemCode;
  readonly values: MessageValues;
  /** The time of the first failure in a row, as a timestamp. */
  readonly since: string;
};

/** The requests for a calendar, and why the last one failed; null if it did not. */
export type FollowState = Schedule & {
  readonly failure: FollowFailure | null;
  /** The club of its calendar: a restored database may give its number to another one. */
  readonly club?: string | undefined;
};

const Time = z.number().nullable();
const States = z.record(
  z.string(),
  z.object({
    nextAt: z.number(),
    triedAt: Time,
    goodAt: Time,
    asked: z.number(),
    pauses: z.number(),
    absentSince: Time,
    club: z.string().optional(),
    failure: z
      .object({ code: z.string(), values: z.record(z.string(), z.any()), since: z.string() })
      .nullable(),
  }),
);

const stateFile = 'calendars.json';

/** Reads the states by the ids of the calendars. */
export function readFollowStates(home: Home): Readonly<Record<string, FollowState>> {
  return (readOutsideState(home, stateFile, States) ?? {}) as Record<string, FollowState>;
}

/** The state of a calendar that was not read yet. */
export const newState: FollowState = { ...firstSchedule, failure: null };

/** Returns the state of a calendar; with a club, only if it is that of the club. */
export function stateOf(
  states: Readonly<Record<string, FollowState>>,
  id: number,
  club?: string,
): FollowState {
  const state = states[id] ?? newState;
  return club === undefined || state.club === club ? state : newState;
}

/** Stores the state of a calendar, or removes it. Call it under the lock of the addresses. */
export function storeFollowState(home: Home, id: number, state: FollowState | undefined): void {
  const { [id]: _, ...others } = readFollowStates(home);
  writeOutsideState(home, stateFile, state ? { ...others, [id]: state } : others);
}

/** An address with the club of its calendar: a restored database may give its number to another one. */
const AddressRecord = z.record(
  z.string(),
  z.strictObject({ address: z.string(), club: z.string() }),
);

export type Addresses = Readonly<z.infer<typeof AddressRecord>>;

/** Reads the addresses by the ids of their calendars. Throws a problem for a file that others may read. */
export function readAddresses(home: Home): Addresses {
  const text = readPrivateFile(home.calendarAddresses, 'follow_addresses_open');
  if (text === undefined) return {};
  try {
    return AddressRecord.parse(JSON.parse(text));
  } catch {
    // Without the cause, which could quote an address.
    throw problem('follow_addresses_damaged', { path: home.calendarAddresses });
  }
}

/** Returns the address of a calendar; undefined if this computer does not have it. */
export function addressIn(
  addresses: Addresses,
  { id, memory }: Pick<FollowedCalendar, 'id' | 'memory'>,
  club: string,
): string | undefined {
  const stored = addresses[id];
  return stored?.club === club ? stored.address : memory.address;
}

/** Stores the address of a calendar, or removes it. Call it under the lock. */
export function storeAddress(
  home: Home,
  id: number,
  stored: { readonly address: string; readonly club: string } | undefined,
): void {
  const { [id]: before, ...others } = readAddresses(home);
  if (stored === undefined && before === undefined) return;
  writePrivateFile(home.calendarAddresses, stored ? { ...others, [id]: stored } : others);
}

/** Forgets the addresses and the states of calendars that are gone, as with their club. */
export async function tidyAddresses(
  home: Home,
  readIds: () => Promise<readonly number[]>,
): Promise<void> {
  const findGone = async () => {
    const ids = new Set(await readIds());
    const stored = [...Object.keys(readAddresses(home)), ...Object.keys(readFollowStates(home))];
    return stored.map(Number).filter((id) => !ids.has(id));
  };
  if ((await findGone()).length === 0) return;
  // Once more, as another program may have added a calendar.
  await withCalendars({ home, onWait: undefined }, async () => {
    for (const id of await findGone()) {
      storeAddress(home, id, undefined);
      storeFollowState(home, id, undefined);
    }
  });
}

/** Runs `use` while no other program reads or changes calendars. Throws `follow_busy` after a minute. */
export async function withCalendars<T>(
  { home, onWait }: Pick<ActionTools, 'home' | 'onWait'>,
  use: () => Promise<T>,
): Promise<T> {
  const done = await withLock(home.calendarLock, { waits: true, onWait }, use);
  if (done === undefined) throw problem('follow_busy');
  return done.result;
}
