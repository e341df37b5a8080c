import { join } from 'node:path';
import { eachEvent } from '../../db/event-list.ts';
import type { EventDraft, StoredEvent } from '../../db/model.ts';
import { prepareUserReads } from '../../db/users.ts';
import { type ActionName, type ActionResult, catalogue } from '../../server/actions/catalogue.ts';
import type { Home } from '../../server/base/home.ts';
import { type ActionTools, thisMachine } from '../../server/club/tools.ts';
import { withReader } from '../../server/store/store.ts';
import { addMember, makeTestFolder, makeTestHome } from './home.ts';
import { withUser } from './mirror.ts';

/** A computer of a club, whose clock only the test moves. */
export type Laptop = {
  readonly home: Home;
  /** A key for scripts on this computer. */
  readonly key: string;
  readonly clock: { now: number };
  readonly tools: ActionTools;
  /** The codes of the warnings so far. */
  readonly warnings: string[];
  /** Performs an action on the club `Rovers`. */
  perform<Name extends ActionName>(name: Name, args?: object): Promise<ActionResult<Name>>;
  stored(): Promise<Map<number, StoredEvent>>;
};

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** Creates a computer with a club of these events. */
export async function openLaptop(
  events: readonly EventDraft[] = [],
  now = Date.parse('2026-11-19T08:00:00.000Z'),
): Promise<Laptop> {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Rovers', events);
  return laptopAt(home, key, now);
}

/** A computer with the data directory of a club. */
export function laptopAt(home: Home, key: string, now: number): Laptop {
  const clock = { now };
  const warnings: string[] = [];
  const tools: ActionTools = {
    ...thisMachine,
    home,
    now: () => new Date(clock.now),
    systemTimeZone: () => 'Europe/Berlin',
    write: async () => undefined,
    onProgress: () => undefined,
    warn: ({ code }) => void warnings.push(code),
  };
  return {
    home,
    key,
    clock,
    tools,
    warnings,
    async perform(name, args = {}) {
      return (await catalogue[name].perform(await withUser(name, 'Rovers', args), tools)) as never;
    },
    stored: () =>
      withReader(home, (db) => {
        const [user] = prepareUserReads(db).all();
        const list = [...eachEvent(db, user?.id ?? 0)].map(({ sourceKey: _, ...event }) => event);
        return new Map(list.map((event) => [event.id, event]));
      }),
  };
}

/** Two computers of a club: the first keeps a file in a folder that both see up to date. */
export async function openTwoLaptops(events: readonly EventDraft[] = []) {
  const first = await openLaptop(events);
  const second = await openLaptop();
  const file = join(makeTestFolder(), 'rovers.json');
  await first.perform('publish add', { output: file });
  await second.perform('mirror set', { file });
  /** Both programs run for some minutes: the first writes its file, then the second reads it. */
  const pass = async (minutes = 5): Promise<void> => {
    first.clock.now += minutes * minute;
    second.clock.now += minutes * minute;
    await first.perform('publish tick');
    await second.perform('mirror tick', { isWake: false, minutes: 15, missed: [] });
  };
  const status = async () => {
    const [found] = (await second.perform('mirror status')).mirrors;
    if (found === undefined) throw new Error('The second computer has no file.');
    return found;
  };
  return { first, second, file, pass, status };
}
