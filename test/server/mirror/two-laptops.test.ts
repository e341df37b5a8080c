import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { acceptAll, type Events, type Made, undoChange } from '../../support/decisions.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';
import { day, minute, openLaptop } from '../../support/second-laptop.ts';

type Answers = ReadonlyMap<string, 'accepted' | 'refused'>;

/** A version of the file, and the events and answers of the club when it was written. */
type Version = {
  readonly bytes: Buffer;
  readonly events: Events;
  readonly answers: Answers;
  readonly epoch: string;
  readonly number: number;
};

const copyName = 'rovers.json';

const isOpen = ({ state }: { readonly state: string }) =>
  ['unsent', 'waiting', 'sent'].includes(state);

/**
 * Two computers whose programs start anew at each action, a sync program between their folders, and a
 * model of the events and of the answers that both must have.
 */
async function openModel(seed: number) {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const isOne = (outOf: number) => random(outOf) === 0;
  const first = await openLaptop(Array.from({ length: 20 }, (_, index) => makeEvent(index + 1)));
  const second = await openLaptop();
  const [here, there] = [makeTestFolder(), makeTestFolder()];
  const copyHere = join(here, copyName);
  const copyThere = join(there, copyName);

  /** The events of the first computer, and its answers. */
  let model: Events = await first.stored();
  let answers: Answers = new Map();
  const backups = new Map<string, { model: Events; answers: Answers }>();
  const versions: Version[] = [];
  const made = new Map<string, Made>();
  const withdrawn = new Set<string>();
  const unsentWhenWithdrawn = new Set<string>();
  /** Those that a later one for the same event may have replaced. */
  const replaced = new Set<string>();
  /** The answers that the second computer has read, with the epochs of their files. */
  const learned = new Map<string, { readonly state: string; readonly epoch: string }>();
  /** The file of proposals: its versions, and the one whose removal is still on its way. */
  const sent: Buffer[] = [];
  let ownName = '';
  let removed: Buffer | undefined;
  /** Undoes the last answers, in the model too. */
  let undoLast: (() => Promise<void>) | undefined;
  const seen = {
    late: 0,
    old: 0,
    epoch: 0,
    damaged: 0,
    conflicts: 0,
    answered: 0,
    returned: 0,
    waiting: 0,
  };

  /** Notes the file that the first computer has written, which has one of these states. */
  const noteVersion = (...states: readonly Events[]) => {
    const bytes = readFileSync(copyHere);
    if (versions.at(-1)?.bytes.equals(bytes)) return;
    const copy = readCopyBytes(bytes);
    const written = (copy?.events ?? []) as readonly StoredEvent[];
    const events = new Map(written.map((event) => [event.id, event]));
    expect(states).toContainEqual(events);
    const [epoch = '', number] = copy?.head.revision.split('.') ?? [];
    versions.push({ bytes, events, answers, epoch, number: Number(number) });
  };
  await first.perform('publish add', { output: copyHere });
  noteVersion(model);
  writeFileSync(copyThere, readFileSync(copyHere));
  await second.perform('mirror set', { file: copyThere });
  let taken = versions[0] as Version;
  let delivered = 0;

  const idIn = (events: Events) => pick([...events.keys()]);
  const unique = () => `Name ${random(1e9)}`;
  const tickFirst = async (): Promise<void> => {
    await first.perform('publish tick', { isWake: isOne(2) });
  };

  /** A person edits on the first computer, or two windows do at the same time. */
  const edit = async () => {
    first.clock.now += 1 + random(10 * minute);
    const before = model;
    const id = idIn(model);
    const changes = [{ name: unique() }, ...(isOne(3) ? [{ location: unique() }] : [])];
    const kind = model.size < 12 ? 'add' : pick(['add', 'edit', 'edit', 'remove']);
    if (kind === 'add') {
      const event = { name: unique(), date: '2026-12-24T19:00' };
      const { event: added } = await first.perform('event add', { event });
      model = new Map([...model, [added.id, added]]);
    } else if (kind === 'remove') {
      await first.perform('event remove', { id });
      model = new Map([...model].filter(([key]) => key !== id));
    } else {
      const all = changes.map((each) => first.perform('event edit', { id, changes: each }));
      await Promise.all([...all, ...(isOne(3) ? [tickFirst()] : [])]);
      const event = Object.assign({}, model.get(id), ...changes);
      model = new Map([...model, [id, event]]);
      const half = changes.map(
        (each) => new Map([...before, [id, { ...before.get(id), ...each }]]),
      );
      noteVersion(before, ...(half as Events[]), model);
    }
    expect(await first.stored()).toEqual(model);
  };
  const publish = async () => {
    first.clock.now += 1 + random(5 * minute);
    await tickFirst();
    noteVersion(model);
  };
  /** The sync program brings an old version back to the first computer, which writes its own again. */
  const revert = async () => {
    writeFileSync(copyHere, pick(versions).bytes);
    first.clock.now += day;
    await tickFirst();
    // It asks about a version that it does not remember.
    if (versions.some(({ bytes }) => bytes.equals(readFileSync(copyHere)))) {
      await first.perform('publish now', { replace: true });
    }
    noteVersion(model);
    expect(readFileSync(copyHere).equals(versions.at(-1)?.bytes ?? Buffer.of())).toBe(true);
  };
  const moveClock = async () => {
    first.clock.now += (random(24 * 60) - 60) * minute;
  };
  const backUp = async () => {
    first.clock.now += minute;
    const { name } = await first.perform('backup');
    if (name !== null) backups.set(name, { model, answers });
  };
  /** The revision goes back, and with it answers that the second computer may know. */
  const restore = async () => {
    const { backups: all } = await first.perform('backup list');
    const names = all.map(({ name }) => name).filter((name) => backups.has(name));
    if (names.length === 0) return;
    first.clock.now += minute;
    const name = pick(names);
    await first.perform('restore', { name });
    ({ model, answers } = backups.get(name) ?? { model, answers });
    undoLast = undefined;
    expect(await first.stored()).toEqual(model);
    await publish();
  };

  /** A person answers some proposals on the first computer, and may undo that at once. */
  const decide = async (percent: number) => {
    first.clock.now += 1 + random(minute);
    const { proposals, unreadable } = await first.perform('proposal review');
    // An old version is named as such, and nothing is read from it.
    const unexpected = unreadable.filter(({ problem }) => problem.code !== 'proposal_file_old');
    expect(unexpected).toEqual([]);
    for (const { id } of proposals) {
      expect(made.has(id)).toBe(true);
      expect(answers.has(id)).toBe(false);
    }
    const chosen = proposals.filter(() => random(100) < percent).map(({ id }) => id);
    if (chosen.length === 0) return;
    const given = chosen.map((proposal) => ({ proposal, accepted: isOne(2), anyway: true }));
    const own = join(here, ownName);
    const file = existsSync(own) ? readFileSync(own) : undefined;
    const before = model;
    const { batch } = await first.perform('proposal answer', { answers: given });
    seen.answered += chosen.length;
    if (!existsSync(own)) removed = file;
    const stored = await first.stored();
    const fresh = [...stored.values()].filter(({ id }) => !before.has(id));
    fresh.sort((a, b) => a.id - b.id);
    const accepted = given.filter((each) => each.accepted).map(({ proposal }) => proposal);
    const changes = accepted.map((id) => made.get(id) as Made);
    model = acceptAll(model, changes, fresh);
    expect(fresh).toEqual([]);
    expect(stored).toEqual(model);
    const results = new Map(answers);
    for (const each of given) results.set(each.proposal, each.accepted ? 'accepted' : 'refused');
    answers = results;
    const after = model;
    undoLast = async () => {
      if (batch === undefined) return;
      await first.perform('undo', { id: batch });
      model = undoChange(model, before, after);
      answers = new Map([...answers, ...accepted.map((id) => [id, 'refused'] as const)]);
    };
    if (isOne(4)) await undo();
  };
  /** A person undoes the last acceptances, unless one of their events has changed since. */
  const undo = async () => {
    const undoing = undoLast;
    undoLast = undefined;
    await undoing?.().catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'undo_conflict' });
    });
    expect(await first.stored()).toEqual(model);
  };

  const propose = async () => {
    second.clock.now += 1 + random(minute);
    const id = taken.events.size === 0 ? 0 : idIn(taken.events);
    const event = taken.events.get(id);
    const kind = event === undefined ? 'add' : pick(['add', 'change', 'change', 'remove'] as const);
    const values = kind === 'add' ? { name: unique() } : { location: unique() };
    const earlier = (await second.perform('proposal list')).proposals.filter(
      (each) => kind !== 'add' && each.event.id === id && isOpen(each),
    );
    for (const each of earlier) replaced.add(each.id);
    const perform = () =>
      kind === 'add'
        ? second.perform('proposal add', { event: { ...values, date: '2026-12-12T19:00' } })
        : kind === 'change'
          ? second.perform('proposal edit', { id, changes: values })
          : second.perform('proposal remove', { id });
    const result = await perform().catch((error: unknown) => {
      // A sync at the same time may have removed the event.
      expect(error).toMatchObject({ code: 'event_unknown' });
    });
    if (result === undefined) return;
    const { proposal } = result;
    expect(made.has(proposal.id)).toBe(false);
    made.set(proposal.id, {
      kind,
      event: kind === 'add' ? null : (event ?? null),
      values: kind === 'remove' ? {} : values,
    });
  };
  const noteSent = () => {
    ownName = readdirSync(there).find((name) => name.includes('.proposals-')) ?? ownName;
    const own = join(there, ownName);
    if (ownName !== '' && existsSync(own)) sent.push(readFileSync(own));
  };
  const send = async (isAway = false) => {
    const folder = isAway ? `${there}-away` : there;
    renameSync(there, folder);
    await second.perform('proposal send', { name: 'Tom' }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'proposal_none' });
    });
    renameSync(folder, there);
    seen.waiting += Number(isAway);
    noteSent();
  };
  const withdraw = async () => {
    const { proposals } = await second.perform('proposal list');
    const open = proposals.filter(isOpen);
    if (open.length === 0) return;
    const { id, state } = pick(open);
    await second.perform('proposal withdraw', { proposal: id });
    withdrawn.add(id);
    if (state !== 'sent') unsentWhenWithdrawn.add(id);
    noteSent();
  };
  /** The sync program brings a version of the proposals: the newest, an old one, or a second one. */
  const bringProposals = async (index = random(sent.length || 1)) => {
    const bytes = sent[index];
    if (bytes === undefined) return;
    const conflict = ownName.replace(/\.json$/, ` (conflicted copy ${random(3)}).json`);
    writeFileSync(join(here, isOne(4) ? conflict : ownName), bytes);
    if (index < sent.length - 1) seen.returned += 1;
  };
  /** It brings a removal, but not over a version that was written meanwhile. */
  const bringRemoval = async () => {
    const [own, other] = [join(there, ownName), join(here, ownName)];
    if (ownName === '') return;
    if (removed !== undefined && existsSync(own) && readFileSync(own).equals(removed)) rmSync(own);
    else if (removed === undefined && !existsSync(own)) rmSync(other, { force: true });
    removed = undefined;
  };

  /**
   * The second computer takes the answers of a version with its events. It keeps all others, unless
   * the first one has lost them by a restore.
   */
  const checkAnswers = async () => {
    const { epoch } = taken;
    for (const [id, state] of taken.answers) learned.set(id, { state, epoch });
    for (const [id, answer] of learned) if (answer.epoch !== epoch) learned.delete(id);
    const { proposals } = await second.perform('proposal list');
    for (const { id, state } of proposals) {
      const answer = learned.get(id)?.state;
      const states = answer === undefined ? ['unsent', 'waiting', 'sent'] : [answer];
      if (answer === 'accepted') states.push('acceptedAnyway');
      if (answer === undefined && (withdrawn.has(id) || replaced.has(id))) states.push('withdrawn');
      if (withdrawn.has(id)) expect(['withdrawn', 'acceptedAnyway']).toContain(state);
      expect(states).toContain(state);
    }
    const listed = new Set(proposals.map(({ id }) => id));
    const ended = (id: string) => withdrawn.has(id) || replaced.has(id);
    expect([...made.keys()].filter((id) => !listed.has(id) && !ended(id))).toEqual([]);
    expect([...listed].filter((id) => !made.has(id))).toEqual([]);
    // An acceptance is never out of sight.
    const accepted = [...learned].filter(([, { state }]) => state === 'accepted');
    const hidden = accepted.filter(([id]) => !listed.has(id) && withdrawn.has(id));
    expect(hidden.filter(([id]) => !unsentWhenWithdrawn.has(id))).toEqual([]);
  };
  /** The program of the second computer looks at the file, or its person does, who decides what waits. */
  const look = async (version: Version | undefined) => {
    second.clock.now += 5 * minute;
    if (isOne(3))
      await second.perform('mirror tick', { isWake: isOne(2), minutes: 15, missed: [] });
    else if (isOne(4)) {
      await Promise.all([second.perform('mirror sync'), propose(), send()]);
    } else await second.perform('mirror sync');
    const question = async () => (await second.perform('mirror status')).mirrors[0]?.question?.kind;
    const isCurrent = version !== undefined && version.epoch === versions.at(-1)?.epoch;
    const isKnown = version?.epoch === taken.epoch;
    if (isCurrent && !isKnown) {
      expect(await question()).toBe('reset');
      expect(await second.stored()).toEqual(taken.events);
      await second.perform('mirror sync', { acceptReset: true });
    }
    if ((await question()) === 'removals') {
      await second.perform('mirror sync', { confirmRemovals: true });
    }
    const isLater = isKnown && version.number >= taken.number;
    if (version !== undefined && (isKnown ? isLater : isCurrent)) taken = version;
    expect(await second.stored()).toEqual(taken.events);
    await checkAnswers();
    noteSent();
  };
  /** The sync program brings a version: the next ones late, or an old one again, or a part of one. */
  const deliver = async () => {
    const last = versions.length - 1;
    const later = delivered + random(last + 1 - delivered);
    const recent = Math.max(0, last - random(8));
    const index = isOne(8) ? random(last + 1) : isOne(4) ? recent : later;
    const version = versions[index] as Version;
    const isDamaged = isOne(10);
    const { bytes } = version;
    writeFileSync(copyThere, isDamaged ? bytes.subarray(0, random(bytes.length)) : bytes);
    if (isDamaged) seen.damaged += 1;
    else if (version.epoch !== taken.epoch) seen.epoch += 1;
    else if (version.number < taken.number) seen.old += 1;
    else if (index < last) seen.late += 1;
    if (!isDamaged) delivered = Math.max(delivered, index);
    await look(isDamaged ? undefined : version);
  };
  const conflict = async () => {
    const name = pick(['rovers (conflicted copy 2026-11-19).json', 'rovers.sync-conflict-1.json']);
    const path = join(pick([here, there]), name);
    if (isOne(2)) rmSync(path, { force: true });
    else writeFileSync(path, pick(versions).bytes);
    seen.conflicts += 1;
  };

  const often = [edit, publish, publish, deliver, deliver, propose, bringProposals];
  const sometimes = [
    edit,
    propose,
    () => send(isOne(3)),
    () => decide(40),
    () => decide(40),
    bringRemoval,
    undo,
  ];
  // Few restores, or hardly any version is older than another of the same data.
  const rarely = [
    backUp,
    restore,
    revert,
    moveClock,
    moveClock,
    conflict,
    conflict,
    withdraw,
    withdraw,
  ];
  return {
    seen,
    async step() {
      const kinds = [often, often, often, sometimes, sometimes, rarely];
      await pick(pick(kinds))();
    },
    /** Lets everything arrive, and compares both computers with the model. */
    async end() {
      // Twice: the first pass tells which answers a restore has lost.
      for (const _ of [1, 2]) {
        await send();
        await bringProposals(sent.length - 1);
        await decide(100);
        await publish();
        const newest = versions.at(-1) as Version;
        writeFileSync(copyThere, newest.bytes);
        second.clock.now += 5 * minute;
        await second.perform('mirror sync');
        await second.perform('mirror sync', { acceptReset: true, confirmRemovals: true });
        taken = newest;
        expect(await first.stored()).toEqual(model);
        expect(await second.stored()).toEqual(model);
        await checkAnswers();
      }
      const { proposals } = await second.perform('proposal list');
      expect(proposals.filter(isOpen)).toEqual([]);
      expect(readdirSync(there).filter((name) => name.includes('.proposals-'))).toEqual([]);
    },
  };
}

const steps = choose(300, 30, 1_000);

// Several runs, as each has a limited time.
it.each(Array.from({ length: choose(3, 1, 10) }, (_, run) => 20_261_118 + run))(
  `loses and doubles nothing over ${steps} random steps, seed %i`,
  async (seed) => {
    const { seen, step, end } = await openModel(seed);
    for (let count = 0; count < steps; count += 1) await step();
    await end();
    // A shorter run does not meet everything.
    expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(choose(0, 0, 1));
  },
);
