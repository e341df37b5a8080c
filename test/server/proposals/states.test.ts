import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../db/open.ts';
import {
  insertProposal,
  type OwnProposal,
  readProposals,
  updateProposal,
} from '../../../db/proposals.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { callCommand } from '../../support/command.ts';
import { makeEvent } from '../../support/home.ts';
import { day, type Laptop, minute, openLaptop } from '../../support/second-laptop.ts';
import { openProposing, writeFirstVersion } from './proposing.ts';

const list = async (laptop: Laptop) => (await laptop.perform('proposal list')).proposals;

/** Stores many proposals at once, of which the first ones have an answer. */
function storeMany(laptop: Laptop, club: string, counts: { answered: number; open: number }) {
  const { answered, open } = counts;
  const madeAt = laptop.tools.now().toISOString();
  const store = (db: Parameters<Parameters<typeof withWriter>[1]>[0]) => {
    for (let index = 0; index < answered + open; index += 1) {
      const proposal: OwnProposal = {
        ...{ id: index.toString(16).padStart(12, '0'), kind: 'add', event: null, replaces: [] },
        values: { name: `Event ${index}`, date: '2026-12-01T18:00:00.000Z' },
        ...{ club, clubName: 'Rovers', revision: 'A.1', madeAt, sentAt: madeAt },
        ...{ sender: 'Tom', note: null, withdrawnAt: null, closedAt: madeAt },
        answer: { accepted: true, reason: '', epoch: null },
      };
      insertProposal(db, 1, proposal);
      if (index < answered) updateProposal(db, proposal);
    }
  };
  return withWriter(laptop.home, (db) => inTransaction(db, () => store(db)));
}

const clubOf = (laptop: Laptop) =>
  withReader(laptop.home, (db) => readProposals(db, 1)[0]?.club ?? '');

describe('a proposal', () => {
  it('stays listed as withdrawn until a later copy has no answer', async () => {
    const { first, second, move, send, withdraw, states, publish } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    second.clock.now += minute;
    await withdraw(id);
    await second.perform('mirror sync');
    expect(await states()).toEqual(['withdrawn']);
    first.clock.now += 2 * minute;
    await first.perform('event edit', { id: 2, changes: { name: 'Assembly' } });
    await publish();
    expect(await states()).toEqual([]);
  });

  it('that was withdrawn too late is listed as accepted all the same', async () => {
    const { first, second, move, send, withdraw, answer, states, publish } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    const { batch } = await answer([{ proposal: id, accepted: true }]);
    await withdraw(id);
    expect(await states()).toEqual(['withdrawn']);
    await publish();
    expect(await states()).toEqual(['acceptedAnyway']);
    const command = ['--home', second.home.directory, 'proposal', 'list', '--user', 'Rovers'];
    expect((await callCommand(command)).stdout).toContain('withdrawn, but accepted all the same');
    await first.perform('undo', { id: batch });
    await publish();
    expect(await states()).toEqual([]);
  });

  it('is open again when the first computer has lost its answer by a restore', {
    tags: 'long',
  }, async () => {
    const { first, second, move, send, answer, states, publish, review } = await openProposing();
    const before = (await first.perform('backup')).name;
    const [one, two] = [await move(1, '2026-11-21T14:30'), await move(2, '2026-12-07T18:30')];
    await send();
    await answer([
      { proposal: one, accepted: true },
      { proposal: two, accepted: false },
    ]);
    await publish();
    expect((await states()).toSorted()).toEqual(['accepted', 'refused']);
    await first.perform('restore', { name: before });
    await first.perform('publish now');
    await second.perform('mirror sync', { acceptReset: true });
    expect(await states()).toEqual(['sent', 'sent']);
    expect(await review()).toHaveLength(2);
    await answer([{ proposal: one, accepted: true }], { acceptAll: true });
    await publish();
    expect(await states()).toEqual(['accepted', 'accepted']);
  });

  it('that lost its answer is not open again if a later one has replaced it', async () => {
    const { first, second, move, send, answer, states, publish, review, files } =
      await openProposing();
    const before = (await first.perform('backup')).name;
    const one = await move(1, '2026-11-21T14:30');
    await send();
    const two = await move(1, '2026-11-21T15:30');
    await answer([{ proposal: one, accepted: false }]);
    await publish();
    await send();
    expect((await states()).toSorted()).toEqual(['refused', 'sent']);
    await first.perform('restore', { name: before });
    await first.perform('publish now');
    await second.perform('mirror sync', { acceptReset: true });
    expect((await list(second)).map(({ id }) => id)).toEqual([two]);
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    expect(readFileSync(files()[0] ?? '', 'utf8')).not.toContain(`"id":"${one}"`);
  });

  it('learns its answer although a restore here made it unsent again', async () => {
    const { second, move, send, answer, states, publish } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    const before = (await second.perform('backup')).name;
    await send();
    await answer([{ proposal: id, accepted: false, reason: 'No hall' }]);
    await second.perform('restore', { name: before });
    expect(await states()).toEqual(['unsent']);
    await publish();
    expect(await states()).toEqual(['refused']);
  });

  it('replaces an earlier one for the same event, also after the sending', async () => {
    const { first, second, file, move, send, review, states, files, withdraw, answer, publish } =
      await openProposing();
    const one = await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    await second.perform('proposal edit', { id: 1, changes: { name: 'Rovers v Town' } });
    const {
      proposal: { id: later },
    } = await second.perform('proposal edit', { id: 1, changes: { location: 'Hall' } });
    expect((await states()).toSorted()).toEqual(['sent', 'unsent']);
    expect((await review()).map(({ id }) => id)).toEqual([one]);
    const bytes = readFileSync(path);
    second.clock.now += minute;
    await send();
    expect(await states()).toEqual(['sent']);
    // An old version that a sync program brings back is no rival.
    writeFirstVersion(`${file}.proposals-older.json`, bytes);
    const [reviewed, ...others] = await review();
    expect(others).toEqual([]);
    expect(reviewed).toMatchObject({ id: later, state: 'open' });
    expect(reviewed?.changes.map(({ field }) => field).toSorted()).toEqual([
      'date',
      'location',
      'name',
    ]);
    rmSync(`${file}.proposals-older.json`);

    // A removal replaces changes, and a change a removal.
    await second.perform('proposal remove', { id: 1 });
    await send();
    expect(await review()).toMatchObject([{ kind: 'remove', state: 'open' }]);
    const back = await move(1, '2026-11-21T15:00');
    await send();
    expect(await review()).toMatchObject([{ id: back, changes: [{ field: 'date' }] }]);
    // One that was not sent gives way to the earlier one.
    const unsent = await move(1, '2026-11-21T16:00');
    await withdraw(unsent);
    await answer([{ proposal: back, accepted: true }]);
    await publish();
    expect(await states()).toEqual(['accepted']);
    expect((await first.stored()).get(1)?.date).toBe('2026-11-21T14:00:00.000Z');
  });

  it('that takes values of an earlier one with it needs a decision if they changed since', async () => {
    const { first, second, move, send, review, publish } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    await first.perform('event edit', { id: 1, changes: { date: '2026-11-21T15:00' } });
    await publish();
    await second.perform('proposal edit', { id: 1, changes: { name: 'Rovers v Town' } });
    await send();
    expect(await review()).toMatchObject([
      {
        state: 'conflict',
        changes: [
          { field: 'name', before: 'Rovers v City' },
          { field: 'date', before: '2026-11-21T13:00:00.000Z' },
        ],
      },
    ]);
  });

  it('whose values are set back has nothing to propose', async () => {
    const { second, move } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await second.perform('proposal edit', { id: 1, changes: { name: 'Rovers v Town' } });
    const { proposal } = await second.perform('proposal edit', {
      id: 1,
      changes: { date: '2026-11-21T14:00' },
    });
    expect(proposal.changes.map(({ field }) => field)).toEqual(['name']);
    await expect(
      second.perform('proposal edit', { id: 1, changes: { name: 'Rovers v City' } }),
    ).rejects.toMatchObject({ code: 'proposal_unchanged' });
  });

  it('for one club is not sent to another that has the same file', async () => {
    const { second, file, move, send, files, withdraw, answer, publish } = await openProposing();
    const accepted = await move(2, '2026-12-07T18:30');
    await send();
    await answer([{ proposal: accepted, accepted: true }]);
    await publish();
    await second.perform('proposal add', {
      event: { name: 'Evening', date: '2026-11-25T19:00' },
    });
    const sent = await move(1, '2026-11-21T14:30');
    await send();
    const other = await openLaptop([makeEvent(1, { name: 'Other' })]);
    await other.perform('publish add', { output: file, replace: true });
    await second.perform('mirror sync');
    await second.perform('mirror sync', { acceptReset: true, confirmRemovals: true });
    expect(files()).toEqual([]);
    expect((await list(second)).map(({ otherClub }) => otherClub)).toEqual(
      Array.from({ length: 3 }, () => 'Rovers'),
    );
    // The other club has another history, which says nothing about it.
    expect((await list(second)).find(({ id }) => id === accepted)?.state).toBe('accepted');
    await move(1, '2026-12-24T19:00');
    await send();
    expect((await other.perform('proposal review')).proposals).toMatchObject([
      { event: { name: 'Other' } },
    ]);
    const command = ['--home', second.home.directory, 'proposal', 'list', '--user', 'Rovers'];
    expect((await callCommand(command)).stdout).toContain('for "Rovers", not for this club');
    await withdraw(sent);
    expect(await list(second)).toHaveLength(3);
  });

  it('that was accepted is listed, also if it was withdrawn while the file was of another club', async () => {
    const { first, second, file, move, send, withdraw, answer, states } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    await answer([{ proposal: id, accepted: true }]);
    const other = await openLaptop([makeEvent(1, { name: 'Other' })]);
    await other.perform('publish add', { output: file, replace: true });
    const accept = { acceptReset: true, confirmRemovals: true };
    await second.perform('mirror sync', accept);
    await withdraw(id);
    expect(await states()).toEqual([]);
    await first.perform('publish now', { replace: true });
    await second.perform('mirror sync', accept);
    expect(await states()).toEqual(['acceptedAnyway']);
  });

  it('with an answer counts in no limit, and is forgotten after three months', async () => {
    const { second, move, states, send, answer, publish } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    await answer([{ proposal: id, accepted: false }]);
    await publish();
    await storeMany(second, await clubOf(second), { answered: 1_000, open: 0 });
    await move(2, '2026-12-07T18:30');
    await send();
    expect((await states()).filter((state) => state === 'sent')).toHaveLength(1);
    second.clock.now += 89 * day;
    await second.perform('mirror sync');
    expect(await states()).toHaveLength(1_002);
    second.clock.now += 2 * day;
    await second.perform('mirror sync');
    expect(await states()).toEqual(['sent']);
  });

  it('is refused if its file would have too many, or be too large', { tags: 'long' }, async () => {
    const { second, move, send } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await storeMany(second, await clubOf(second), { answered: 0, open: 999 });
    await expect(move(2, '2026-12-07T18:30')).rejects.toMatchObject({ code: 'proposal_too_many' });
    await second.perform('proposal withdraw', { proposal: id });
    const description = 'x'.repeat(199_000);
    const add = () =>
      second.perform('proposal add', {
        event: { name: 'Long', date: '2026-11-25T19:00', description },
      });
    await second.perform('proposal withdraw', { proposal: '0'.repeat(12) });
    for (let count = 1; count < 25; count += 1) {
      await second.perform('proposal withdraw', {
        proposal: count.toString(16).padStart(12, '0'),
      });
    }
    for (let count = 0; count < 24; count += 1) await add();
    await expect(add()).rejects.toMatchObject({ code: 'proposal_file_full' });
    // Words to the other person make it larger.
    await expect(
      second.perform('proposal send', { name: 'Tom', note: 'y'.repeat(1_000) }),
    ).rejects.toMatchObject({ code: 'proposal_file_full' });
    expect((await send()).sent).toBe(999 - 24 + 23);
  });

  it('suffers no harm from a clock that was ahead', async () => {
    const { first, second, move, send, withdraw, states, publish, files } = await openProposing();
    const now = second.clock.now;
    second.clock.now = Date.parse('2099-01-01T00:00:00.000Z');
    const id = await move(1, '2026-11-21T14:30');
    await send();
    await withdraw(id);
    second.clock.now = now + minute;
    await move(2, '2026-12-07T18:30');
    await send();
    expect((await first.perform('proposal review')).proposals).toHaveLength(1);
    await second.perform('mirror sync');
    first.clock.now += 5 * minute;
    await first.perform('event edit', { id: 3, changes: { name: 'Pictures' } });
    await publish();
    expect(await states()).toEqual(['sent']);
    expect(files()).toHaveLength(1);
  });
});
