import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachEvent } from '../../db/event-list.ts';
import { readSources } from '../../db/mirror.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Home } from '../../server/base/home.ts';
import { privateTemporary } from '../../server/store/private-file.ts';
import { withReader } from '../../server/store/store.ts';
import { callCommand } from '../support/command.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { requirePlace } from '../support/place.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';
import {
  buildShim,
  chooseKill,
  commandLine,
  type Fault,
  faultText,
  type Operation,
  readOperations,
  runWithShim,
  type ShimSettings,
} from '../support/shim.ts';
import { serveUpstream, type TestUpstream } from '../support/upstream.ts';

const count = 150;

/** Returns all events as the upstream has them in a version. */
function eventsOf(version: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    const date = new Date(Date.UTC(2099, 0, 1) + index * 60_000).toISOString();
    return makeEvent(index + 1, { createdAt, date, name: `Version ${version}` }) as StoredEvent;
  });
}

function setVersion({ events }: TestUpstream, version: number): void {
  for (const event of eventsOf(version)) events.set(event.id, event);
}

/**
 * Returns the versions of a club's events. Throws if it is damaged or the key is elsewhere than in
 * its file, or in `temporary`.
 */
async function readVersions(
  home: Home,
  userId: number,
  key: string,
  temporary?: string,
): Promise<Set<string>> {
  const events = await withReader(home, (db) => [...eachEvent(db, userId)]);
  expect([0, count]).toContain(events.length);
  const files = readdirSync(home.directory, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    if (![home.upstreamKeys, temporary].includes(path))
      expect(readFileSync(path).includes(key), path).toBe(false);
  }
  return new Set(events.map(({ name }) => name));
}

const kills = choose(100, 12, 500);

/** A third of the kills is during the first sync. */
const isFirstSync = (version: number) => version % 3 === 0;

it(`has old or new events after each of ${kills} kills in a sync`, async (context) => {
  if (choose(false, true)) context.skip('takes a minute or more; see "npm run test:faults"');
  requirePlace(context, 'file operations that fail');
  const library = buildShim(makeTestFolder());
  const key = 'a-key-that-is-nowhere-else';
  const upstream = await serveUpstream({ events: eventsOf(0), keys: [key], hasEtag: true });
  const random = createRandom(19);
  const found = { killed: 0, ended: 0, old: 0, new: 0, connected: 0 };
  const set = ['mirror', 'set', '--user', 'Chess', '--url', upstream.baseUrl];
  const sync = ['mirror', 'sync', '--user', 'Chess'];
  let home = makeTestHome();
  let userId = 0;
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args], key);
  const isConnected = async () => (await withReader(home, readSources)).length > 0;

  async function openClub(): Promise<void> {
    home = makeTestHome();
    ({ userId } = await addMember(home, 'Chess'));
  }

  function run(args: readonly string[], more: Partial<ShimSettings>) {
    const settings = { library, folder: join(home.directory, '..'), ...more };
    return runWithShim(commandLine(home.directory, args), settings, { input: key });
  }

  /** Returns what a whole run of a command does to files. */
  async function record(args: readonly string[], version: number): Promise<readonly Operation[]> {
    setVersion(upstream, version);
    const log = join(makeTestFolder(), 'log');
    expect(await run(args, { log })).toMatchObject({ status: 0, stderr: '' });
    return readOperations(log);
  }

  await openClub();
  const operations = { set: await record(set, 0), sync: await record(sync, 1) };
  /** Chooses a kill of the first sync: half of them while it stores the key. */
  function chooseKillOfSet(): Fault {
    const storing = operations.set.flatMap(({ path, to }, index) =>
      `${path} ${to}`.includes('upstream-keys') ? [index + 1] : [],
    );
    const at = storing[random(storing.length)] as number;
    return random(2) === 0 ? { at, kind: 'kill' } : chooseKill(operations.set, random);
  }

  await openClub();
  expect(await call(...set)).toMatchObject({ status: 0 });
  for (let version = 2; version < kills + 2; version += 1) {
    const isNew = isFirstSync(version);
    if (isNew) await openClub();
    setVersion(upstream, version);
    const before = isNew ? [] : [`Version ${version - 1}`];
    const fault = isNew ? chooseKillOfSet() : chooseKill(operations.sync, random);
    const { signal } = await run(isNew ? set : sync, { fault });
    found[signal === 'SIGKILL' ? 'killed' : 'ended'] += 1;
    const temporary = privateTemporary(home.upstreamKeys);
    const versions = await readVersions(home, userId, key, temporary);
    const isOld = versions.has(before[0] ?? '') || versions.size === 0;
    const title = `version ${version}, ${faultText(fault)}`;
    expect([...versions], title).toEqual(isOld ? before : [`Version ${version}`]);
    found[isOld ? 'old' : 'new'] += 1;
    expect(await call('check'), title).toMatchObject({ status: 0 });
    // Goes on as a person would.
    if (!(await isConnected())) expect(await call(...set), title).toMatchObject({ status: 0 });
    else if (isNew) found.connected += 1;
    expect(await call(...sync), title).toMatchObject({ status: 0, stderr: '' });
    expect([...(await readVersions(home, userId, key))]).toEqual([`Version ${version}`]);
  }
  printFigure(`${kills} kills in syncs: ${JSON.stringify(found)}; 0 mixtures, 0 damaged`);
  expect(found.killed).toBeGreaterThan(kills * 0.7);
  expect(Math.min(found.old, found.new)).toBeGreaterThan(0);
});
