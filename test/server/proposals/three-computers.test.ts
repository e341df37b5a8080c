import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { readFollowedClub } from '../../../db/proposals.ts';
import { prepareUserReads } from '../../../db/users.ts';
import { explain } from '../../../server/base/errors.ts';
import { readSealed } from '../../../server/copy/seal.ts';
import { withReader } from '../../../server/store/store.ts';
import { acceptAll, type Events, type Made, undoChange } from '../../support/decisions.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { requirePlace } from '../../support/place.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { day, type Laptop, minute, openLaptop } from '../../support/second-laptop.ts';
import { isForeign, openSharedFolder } from './messes.ts';

type Answers = ReadonlyMap<string, 'accepted' | 'refused'>;

/** The state that a restore on a computer that follows a file brings back. */
type FollowerState = {
  /** The name of the club. */
  readonly user: string;
  /** The name of the followed file. */
  readonly follows: string;
  readonly made: ReadonlySet<string>;
  /** Those that need not be listed: withdrawn, replaced or cleared. */
  readonly ended: ReadonlySet<string>;
  /** Those of them that need not be listed after an acceptance: never sent, or cleared after it. */
  readonly cleared: ReadonlySet<string>;
};

type Follower = {
  readonly laptop: Laptop;
  readonly person: string;
  readonly backups: Map<string, FollowerState>;
  state: FollowerState;
};

/** Problems with which an action may end, after the messes in the folder or other actions. */
const expected: readonly string[] = [
  'proposal_none',
  'place_not_a_file',
  'proposal_unchanged',
  'proposal_needs_decision',
  'undo_conflict',
  'mirror_exists',
  'sync_file_damaged',
  'sync_file_missing',
  'sync_file_moved',
  'sync_file_unreadable',
  'event_unknown',
];

const fileNames = ['Füchse.json', 'Saison 2027.json', 'Öffentlich.json'] as const;

/**
 * Three computers whose programs start again for each action, and a model of the events and answers of
 * the first one and of the proposals of the others.
 */
async function openModel(seed: number, withLinks: boolean) {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const isOne = (outOf: number) => random(outOf) === 0;
  const shared = openSharedFolder(random, { withLinks });
  const seen = { made: 0, answered: 0, accepted: 0, undone: 0, withdrawn: 0 };
  const acceptedAnyway = new Set<string>();
  const done: Record<string, number> = {};
  const refusals: Record<string, number> = {};

  let time = Date.parse('2026-11-19T08:00:00.000Z');
  const skews = new Map<Laptop, number>();
  const pass = (ms: number) => {
    time += ms;
    for (const [laptop, skew] of skews) laptop.clock.now = time + skew;
  };
  const open = async (events?: Parameters<typeof openLaptop>[0]) => {
    const laptop = await openLaptop(events);
    // The same ids in each run of a seed.
    Object.assign(laptop.tools, { randomInt: createRandom(random(2 ** 31)) });
    skews.set(laptop, 0);
    return laptop;
  };
  /** Waits for an action, and returns undefined if an expected problem ended it. */
  const attempt = async <T>(action: Promise<T>): Promise<T | undefined> => {
    try {
      return await action;
    } catch (error) {
      const code = explain(error)?.code;
      if (code === undefined || !expected.includes(code)) throw error;
      refusals[code] = (refusals[code] ?? 0) + 1;
      return undefined;
    }
  };

  const events = Array.from({ length: 20 }, (_, index) => makeEvent(index + 1));
  const first = await open(events);
  const uidBase = await withReader(first.home, (db) => prepareUserReads(db).uidBase(1));
  let live: string = fileNames[0];
  await first.perform('publish add', { output: shared.pathOf(live) });
  shared.note();
  /** The events of the first computer, and its answers. */
  let model: Events = await first.stored();
  let answers: Answers = new Map();
  const backups = new Map<string, { model: Events; answers: Answers }>();
  /** All proposals of both, by their ids. */
  const made = new Map<string, Made>();
  /** The names of events that were gone and that a proposal has added again, perhaps twice. */
  const again = new Set<string>();
  /** Undoes the last acceptances, in the model too. */
  let undoLast: (() => Promise<void>) | undefined;

  const openFollower = async (person: string): Promise<Follower> => {
    const laptop = await open();
    await laptop.perform('mirror set', { file: shared.pathOf(live) });
    const none: ReadonlySet<string> = new Set();
    const state = { user: 'Rovers', follows: live, made: none, ended: none, cleared: none };
    return { laptop, person, backups: new Map(), state };
  };
  const followers = [await openFollower('Tom'), await openFollower('Änne')];
  const perform = <Name extends Parameters<Laptop['perform']>[0]>(
    { laptop, state: { user } }: Follower,
    name: Name,
    args: object = {},
  ) => laptop.perform(name, { user, ...args });
  /** Performs an action that has no user. */
  const run = ({ laptop }: Follower, name: 'proposal settle' | 'mirror tick', args: object = {}) =>
    laptop.perform(name, args);
  const isAtHome = ({ laptop }: Follower) =>
    withReader(laptop.home, (db) => readFollowedClub(db, 1)?.club === uidBase);
  const listOf = async (follower: Follower) => (await perform(follower, 'proposal list')).proposals;

  const unique = () => `Name ${random(1e9)}`;
  const idIn = (all: Events) => pick([...all.keys()]);

  const edit = async () => {
    const id = idIn(model);
    const kind = model.size < 12 ? 'add' : pick(['add', 'edit', 'edit', 'cancel', 'remove']);
    if (kind === 'add') {
      const event = { name: unique(), date: '2026-12-24T19:00' };
      const { event: added } = await first.perform('event add', { event });
      model = new Map([...model, [added.id, added]]);
    } else if (kind === 'remove') {
      await first.perform('event remove', { id });
      model = new Map([...model].filter(([key]) => key !== id));
    } else {
      const changes = kind === 'cancel' ? { status: 'cancelled' } : { [pick(fields)]: unique() };
      await first.perform('event edit', { id, changes });
      model = new Map([...model, [id, { ...model.get(id), ...changes } as StoredEvent]]);
    }
  };
  const tick = async () => {
    await first.perform('publish tick', { isWake: isOne(2), isDue: isOne(3) });
  };

  /** Stores answers in the model, and how to undo them. */
  const noteAnswers = async (
    accepted: readonly string[],
    refused: readonly string[],
    batch: number | undefined,
  ) => {
    const before = model;
    const stored = await first.stored();
    const fresh = [...stored.values()].filter(({ id }) => !before.has(id));
    fresh.sort((a, b) => a.id - b.id);
    const taken = accepted.map((id) => made.get(id) as Made);
    const added = new Set(taken.map(({ event, values }) => event === null && values.name));
    for (const { name } of fresh) if (!added.has(name)) again.add(name);
    model = acceptAll(model, taken, fresh);
    expect(fresh).toEqual([]);
    answers = new Map([
      ...answers,
      ...accepted.map((id) => [id, 'accepted'] as const),
      ...refused.map((id) => [id, 'refused'] as const),
    ]);
    seen.answered += accepted.length + refused.length;
    seen.accepted += accepted.length;
    const after = model;
    undoLast = async () => {
      if (batch === undefined) return;
      await first.perform('undo', { id: batch });
      model = undoChange(model, before, after);
      answers = new Map([...answers, ...accepted.map((id) => [id, 'refused'] as const)]);
      seen.undone += accepted.length;
    };
  };
  const review = async () => {
    const { proposals } = await first.perform('proposal review');
    for (const { id } of proposals) {
      expect(made.has(id)).toBe(true);
      expect(answers.has(id)).toBe(false);
    }
    return proposals;
  };
  const decide = async () => {
    const proposals = await review();
    if (isOne(4)) {
      const { batch } = await first.perform('proposal answer', { answers: [], acceptAll: true });
      const safe = proposals.filter(({ state }) => state === 'open' || state === 'done');
      const accepted = safe.map(({ id }) => id);
      await noteAnswers(accepted, [], batch);
    } else {
      const given = proposals
        .filter(() => isOne(2))
        .map(({ id }) => ({ proposal: id, accepted: isOne(2), anyway: !isOne(4) }));
      if (given.length === 0) return;
      const result = await attempt(first.perform('proposal answer', { answers: given }));
      if (result === undefined) return;
      const idsWith = (accepted: boolean) =>
        given.filter((each) => each.accepted === accepted).map(({ proposal }) => proposal);
      await noteAnswers(idsWith(true), idsWith(false), result.batch);
    }
    if (isOne(4)) await undo();
  };
  const undo = async () => {
    const undoing = undoLast;
    undoLast = undefined;
    await attempt(undoing?.() ?? Promise.resolve());
  };
  const backUp = async () => {
    const { name } = await first.perform('backup');
    if (name !== null) backups.set(name, { model, answers });
  };
  const restore = async () => {
    const { backups: all } = await first.perform('backup list');
    const names = all.map(({ name }) => name).filter((name) => backups.has(name));
    if (names.length === 0) return;
    const name = pick(names);
    await first.perform('restore', { name });
    ({ model, answers } = backups.get(name) ?? { model, answers });
    undoLast = undefined;
    if (isOne(2)) await tick();
    if (isOne(2)) for (const each of followers) await acceptReset(each);
  };
  const acceptReset = async (follower: Follower) => {
    if (follower.state.follows !== live) return;
    await perform(follower, 'mirror sync', { acceptReset: true, confirmRemovals: true });
  };
  const move = async () => {
    const areAtHome = await Promise.all(followers.map(isAtHome));
    if (!areAtHome.every(Boolean)) return;
    shared.removeLinks();
    const next = pick(fileNames.filter((name) => name !== live));
    await first.perform('publish change', { id: 1, output: shared.pathOf(next), replace: true });
    live = next;
  };

  const other = await open(
    events.slice(0, 8).map((each) => ({ ...each, name: `Their ${each.name}` })),
  );
  const becomeForeign = async () => {
    shared.removeLinks();
    const output = shared.pathOf(live);
    const { id } = await other.perform('publish add', { output, replace: true });
    await other.perform('publish remove', { id });
    if (isOne(2)) await acceptReset(pick(followers));
  };
  const comeBack = async () => {
    await first.perform('publish now', { replace: true });
    if (isOne(2)) for (const each of followers) await acceptReset(each);
  };

  const propose = async (follower: Follower) => {
    const { state } = follower;
    const stored = await follower.laptop.stored();
    const id = stored.size === 0 ? 0 : idIn(stored);
    const event = stored.get(id) ?? null;
    const kind =
      event === null ? 'add' : pick(['add', 'edit', 'edit', 'cancel', 'remove'] as const);
    const before = await listOf(follower);
    const request =
      kind === 'add'
        ? { event: { name: unique(), date: '2026-12-12T19:00' } }
        : kind === 'edit'
          ? { id, changes: { [pick(fields)]: unique() } }
          : { id };
    const result = await attempt(perform(follower, `proposal ${kind}`, request));
    if (result === undefined) return;
    const { proposal } = result;
    expect(made.has(proposal.id)).toBe(false);
    const values = proposal.changes.map(({ field, after }) => [field, after]);
    made.set(proposal.id, {
      kind: proposal.kind,
      event: kind === 'add' ? null : event,
      values: Object.fromEntries(values),
    });
    seen.made += 1;
    const earlier = before.filter((each) => kind !== 'add' && each.event.id === id);
    const isUnsent = (each: (typeof before)[number]) => ['unsent', 'waiting'].includes(each.state);
    follower.state = {
      ...state,
      made: new Set([...state.made, proposal.id]),
      ended: new Set([...state.ended, ...earlier.map((each) => each.id)]),
      cleared: new Set([...state.cleared, ...earlier.filter(isUnsent).map((each) => each.id)]),
    };
  };
  const send = async (follower: Follower) => {
    await attempt(perform(follower, 'proposal send', { name: follower.person }));
  };
  const withdraw = async (follower: Follower, onlySent = false) => {
    const listed = await listOf(follower);
    const all = listed.filter(({ state }) => !onlySent || state === 'sent');
    if (all.length === 0) return;
    const { id, state } = pick(all);
    await perform(follower, 'proposal withdraw', { proposal: id });
    seen.withdrawn += Number(state === 'sent');
    const { ended, cleared } = follower.state;
    follower.state = {
      ...follower.state,
      ended: new Set([...ended, id]),
      cleared: ['sent', 'withdrawn'].includes(state) ? cleared : new Set([...cleared, id]),
    };
  };
  const withdrawSent = (follower: Follower) => withdraw(follower, true);
  const sync = async (follower: Follower) => {
    const look = { isWake: isOne(2), isChanged: isOne(2), minutes: 15, missed: [] };
    const kind = pick(['tick', 'tick', 'sync', 'reset']);
    if (kind === 'tick') await run(follower, 'mirror tick', look);
    else if (kind === 'sync') await perform(follower, 'mirror sync');
    else await acceptReset(follower);
  };
  const settle = (follower: Follower) => run(follower, 'proposal settle');
  const follow = async (follower: Follower) => {
    const { state } = follower;
    if (state.follows === live) return;
    const result = await attempt(perform(follower, 'mirror set', { file: shared.pathOf(live) }));
    if (result !== undefined) follower.state = { ...state, follows: live };
  };
  const backUpFollower = async (follower: Follower) => {
    if (!(await isAtHome(follower))) return;
    const { name } = await follower.laptop.perform('backup');
    if (name !== null) follower.backups.set(name, follower.state);
  };
  const restoreFollower = async (follower: Follower) => {
    const { backups: all } = await follower.laptop.perform('backup list');
    const names = all.map(({ name }) => name).filter((name) => follower.backups.has(name));
    if (names.length === 0) return;
    const name = pick(names);
    await follower.laptop.perform('restore', { name });
    follower.state = follower.backups.get(name) ?? follower.state;
  };
  const rename = async (follower: Follower) => {
    const newName = unique();
    // The name comes from the file.
    const renaming = follower.laptop.perform('user rename', { name: follower.state.user, newName });
    await expect(renaming).rejects.toMatchObject({ code: 'user_mirrored' });
  };
  const moveClock = async () => {
    const laptop = pick([...skews.keys()]);
    skews.set(laptop, isOne(3) ? 0 : random(2 * day) - day);
  };
  const proposeAndSend = async (follower: Follower) => {
    for (let left = random(3); left > 0; left -= 1) await propose(follower);
    await send(follower);
  };
  const mess = async () => shared.mess();
  /** The services of all computers look at the folder at the same time. */
  const lookTogether = async () => {
    const look = { isWake: false, isChanged: true, minutes: 15, missed: [] };
    await Promise.all([
      tick(),
      ...followers.flatMap((each) => [run(each, 'mirror tick', look), settle(each)]),
    ]);
  };

  const on = (use: (follower: Follower) => Promise<unknown>) => () => use(pick(followers));
  const looks = {
    ...{ edit, tick, lookTogether, decide },
    ...{ sync: on(sync), settle: on(settle) },
  };
  const proposing = { propose: on(propose), send: on(proposeAndSend) };
  const sometimes = {
    ...{ undo, moveClock, decide, follow: on(follow), sync: on(sync) },
    withdrawSent: on(withdrawSent),
  };
  const rarely = {
    ...{ backUp, restore, move, becomeForeign, comeBack },
    ...{ backUpFollower: on(backUpFollower), restoreFollower: on(restoreFollower) },
    ...{ rename: on(rename), withdraw: on(withdraw) },
  };
  const kinds = [looks, looks, looks, proposing, proposing, { mess }, { mess }, sometimes, rarely];

  /** The ids in the files with proposals for the club. */
  const idsInFiles = () => {
    const names = shared.files().filter((name) => name.includes('.proposals-'));
    return names
      .map((name) => readSealed(readFileSync(shared.pathOf(name), 'utf8')))
      .filter((content) => (content as { club?: string } | undefined)?.club === uidBase)
      .flatMap((content) => (content as { proposals: { id: string }[] }).proposals)
      .map(({ id }) => id);
  };
  /** Compares what each computer says with the files, the events and the model. */
  const check = async () => {
    shared.check();
    const stored = await first.stored();
    expect(stored).toEqual(model);
    const names = [...stored.values()].map(({ name }) => name).filter((name) => !again.has(name));
    expect(new Set(names).size).toBe(names.length);
    const sent: string[] = [];
    for (const follower of followers) {
      expect(await follower.laptop.stored()).toEqual(model);
      const all = (await listOf(follower)).filter(({ otherClub }) => otherClub === null);
      const states = new Map((await listOf(follower)).map(({ id, state }) => [id, state]));
      sent.push(...all.filter(({ state }) => state === 'sent').map(({ id }) => id));
      const { made: own, ended, cleared } = follower.state;
      // None is lost, and none has come back.
      expect([...own].filter((id) => !states.has(id) && !ended.has(id))).toEqual([]);
      expect([...states.keys()].filter((id) => !own.has(id))).toEqual([]);
      for (const { id, state } of all) {
        const answer = answers.get(id);
        const open = ['unsent', 'sent', ...(ended.has(id) ? ['withdrawn'] : [])];
        const accepted = ['accepted', ...(ended.has(id) ? ['acceptedAnyway'] : [])];
        const allowed = { accepted, refused: ['refused'], open }[answer ?? 'open'];
        expect(allowed, id).toContain(state);
        if (state === 'acceptedAnyway') acceptedAnyway.add(id);
      }
      // An acceptance is never out of sight.
      const accepted = [...own].filter((id) => answers.get(id) === 'accepted');
      expect(accepted.filter((id) => !states.has(id) && !cleared.has(id))).toEqual([]);
    }
    expect(idsInFiles().toSorted()).toEqual(sent.toSorted());
    expect((await review()).map(({ id }) => id).toSorted()).toEqual(sent.toSorted());
    const { unreadable } = await first.perform('proposal review');
    expect(unreadable.filter(({ path }) => !isForeign(path))).toEqual([]);
  };

  return {
    figures: () => ({
      proposals: { ...seen, acceptedAnyway: acceptedAnyway.size },
      steps: done,
      messes: shared.counts,
      refusals,
    }),
    async step() {
      pass(1 + random(10 * minute));
      const steps = pick(kinds);
      const [name, use] = pick(Object.entries<() => Promise<unknown>>(steps));
      await use();
      done[name] = (done[name] ?? 0) + 1;
      expect(await first.stored()).toEqual(model);
      shared.note();
    },
    /** After some last messes, persons end what waits for them, and all programs look twice. */
    async rest() {
      for (const name of shared.files()) {
        if (isOne(2)) shared.mess(name);
        else shared.mess(name, pick(['empty', 'zero', 'cut', 'old']));
      }
      shared.removeLinks();
      for (const _ of [1, 2]) {
        pass(61 * minute);
        await tick();
        const { files } = await first.perform('publish list');
        if (files.some(({ state }) => state === 'failed')) await comeBack();
        for (const follower of followers) {
          await follow(follower);
          await acceptReset(follower);
          await settle(follower);
        }
        shared.note();
      }
      await check();
    },
  };
}

const fields = ['name', 'location', 'description'] as const;

const steps = choose(300, 60, 1_000);
const seeds = Array.from({ length: choose(4, 1, 10) }, (_, index) => 20_261_128 + index);

it.for(seeds)(
  `says at rest what the files have, over ${steps} random steps, seed %i`,
  { tags: 'long' },
  async (seed, context) => {
    // Half of the runs, so that systems without links have some.
    const withLinks = seed % 2 === 0;
    if (withLinks) requirePlace(context, 'symbolic links');
    const { step, rest, figures } = await openModel(seed, withLinks);
    for (let count = 1; count <= steps; count += 1) {
      await step();
      if (count % choose(40, 20) === 0) await rest();
    }
    const all = figures();
    // A shorter run does not meet everything.
    expect(Math.min(...Object.values(all.messes))).toBeGreaterThanOrEqual(choose(0, 0, 1));
    printFigure(`Three computers: ${JSON.stringify(all)}`);
  },
);
