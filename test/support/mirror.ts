import { onTestFinished, vi } from 'vitest';
import type { z } from 'zod';
import { eachEvent } from '../../db/event-list.ts';
import type { StoredEvent } from '../../db/model.ts';
import { type ActionName, type ActionResult, catalogue } from '../../server/actions/catalogue.ts';
import type { Home } from '../../server/base/home.ts';
import { type ActionTools, thisMachine } from '../../server/club/tools.ts';
import { withReader } from '../../server/store/store.ts';
import { conferencesNow } from './conferences.ts';
import { addMember, makeTestHome } from './home.ts';
import { serveUpstream, type TestUpstream, type UpstreamOptions } from './upstream.ts';

/** A club that copies an online service, and the clock of both. */
export type TestMirror = {
  readonly upstream: TestUpstream;
  readonly home: Home;
  /** The time of both, in ms; it runs, and a test can set it. */
  readonly time: { offset: number; now(): number };
  /** The error of the local clock, in ms. */
  readonly local: { error: number };
  readonly connection: { readonly url: string; readonly key: string };
  readonly tools: ActionTools;
  /** Performs an action on the club, as the window or the command line does. */
  perform<Name extends ActionName>(name: Name, args?: object): Promise<ActionResult<Name>>;
  /** Syncs as the running service does, `minutes` later. */
  syncAfter(minutes: number): Promise<void>;
  stored(): Promise<Map<number, StoredEvent>>;
};

/** Adds a user to the arguments of an action that needs one. */
export async function withUser(name: ActionName, user: string, args: object): Promise<object> {
  const { user: own }: { readonly user?: z.ZodType } = (await catalogue[name].schema()).shape;
  const isNeeded = own !== undefined && !own.safeParse(undefined).success;
  return isNeeded ? { user, ...args } : args;
}

/** Starts an online service and a data directory with an empty club, for the running test. */
export async function openMirror(options: UpstreamOptions = {}): Promise<TestMirror> {
  const started = Date.now();
  const time = {
    offset: Date.parse(conferencesNow) - started,
    now: () => Date.now() + time.offset,
  };
  const local = { error: 0 };
  const upstream = await serveUpstream({ now: time.now, ...options });
  const home = makeTestHome();
  const { userId } = await addMember(home, 'Chess');
  const tools: ActionTools = {
    ...thisMachine,
    now: () => new Date(time.now() + local.error),
    home,
    write: async () => undefined,
    onProgress: () => undefined,
  };
  return {
    upstream,
    home,
    time,
    local,
    tools,
    connection: { url: upstream.baseUrl, key: upstream.key },
    perform: async (name, args = {}) =>
      (await catalogue[name].perform(await withUser(name, 'Chess', args), tools)) as never,
    async syncAfter(minutes) {
      time.offset += minutes * 60_000;
      await catalogue['mirror tick'].perform({ isWake: false, minutes: 15, missed: [] }, tools);
    },
    stored: () =>
      withReader(home, (db) => {
        const events = [...eachEvent(db, userId)].map(({ sourceKey: _, ...event }) => event);
        return new Map(events.map((event) => [event.id, event]));
      }),
  };
}

/** Lets the time between requests of this process pass faster, for the running test. */
export function passTime(factor: number): void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() * factor);
  onTestFinished(() => spy.mockRestore());
}
