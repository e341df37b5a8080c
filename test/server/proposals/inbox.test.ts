import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { seal } from '../../../server/copy/seal.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { makeEvent } from '../../support/home.ts';
import { findUnprivileged } from '../../support/place.ts';
import { day, minute, openTwoLaptops } from '../../support/second-laptop.ts';
import { openProposing } from './proposing.ts';

/** Writes a file with proposals that differs in some members. */
function rewrite(path: string, change: (content: Record<string, unknown>) => object): void {
  const { sha256: _, ...content } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, seal(JSON.stringify({ ...content, ...change(content) }).slice(0, -1)));
}

describe('the first computer', () => {
  it('names a file of a newer version and one that is too large, and ignores unknown members', async () => {
    const { move, send, files, review, problems } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    const whole = readFileSync(path);
    rewrite(path, () => ({ version: 3 }));
    expect(await problems()).toEqual(['proposal_file_newer']);
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(5_000_000, ' ')]));
    expect(await problems()).toEqual(['proposal_file_too_large']);
    writeFileSync(path, whole);
    rewrite(path, ({ proposals }) => ({
      mood: 'good',
      proposals: (proposals as object[]).map((each) => ({ ...each, urgency: 3 })),
    }));
    expect(await problems()).toEqual([]);
    expect(await review()).toHaveLength(1);
  });

  it('finds a file whose name has another form of umlauts or case', async () => {
    const { first, second, file } = await openTwoLaptops([makeEvent(1)]);
    const output = join(dirname(file), 'Füchse.json');
    await first.perform('publish add', { output });
    await second.perform('mirror remove');
    await second.perform('mirror set', { file: output });
    await second.perform('proposal edit', { id: 1, changes: { name: 'Other' } });
    await second.perform('proposal send', { name: 'Tom' });
    const [name = ''] = readdirSync(dirname(file)).filter((each) => each.includes('.proposals-'));
    for (const other of [name.normalize('NFD'), name.replace('Füchse', 'FÜCHSE')]) {
      const path = join(dirname(file), other);
      renameSync(join(dirname(file), name), path);
      expect((await first.perform('proposal review')).proposals).toHaveLength(1);
      writeFileSync(path, 'nonsense');
      expect((await first.perform('proposal review')).unreadable).toMatchObject([
        { path, problem: { code: 'proposal_file_damaged' } },
      ]);
      renameSync(path, join(dirname(file), name));
      await second.perform('proposal settle');
    }
  });

  it('finds a file among many of others, and says how many it did not read', async () => {
    const { first, file, second, move, send, review, problems } = await openProposing();
    const place = (index: number) => `${file}.proposals-${String(index).padStart(2, '0')}.json`;
    await move(1, '2026-11-21T14:30');
    await send();
    const [own = ''] = readdirSync(dirname(file)).filter((name) => name.includes('.proposals-'));
    for (let index = 0; index < 9; index += 1) writeFileSync(place(index), 'nonsense');
    expect(await review()).toHaveLength(1);
    expect(await problems()).toHaveLength(9);
    for (let index = 0; index < 60; index += 1) writeFileSync(place(index), 'nonsense');
    const { unreadable, proposals } = await first.perform('proposal review');
    expect(proposals).toHaveLength(1);
    expect(unreadable).toHaveLength(11);
    expect(unreadable.at(-1)?.problem).toMatchObject({
      code: 'proposal_files_left',
      values: { folder: dirname(file), count: 50 },
    });
    const copies = readFileSync(join(dirname(file), own));
    for (let index = 0; index < 60; index += 1) writeFileSync(place(index), copies);
    expect((await first.perform('proposal review')).unreadable).toMatchObject([
      { problem: { code: 'proposal_files_left', values: { count: 11 } } },
    ]);
    // The newest one is read, whatever its name.
    const later = await move(2, '2026-12-07T18:30');
    await send();
    expect((await review()).map(({ id }) => id)).toContain(later);
    expect(second.warnings).toEqual([]);
  });

  it('waits for the new version of a file if an old one comes back', async () => {
    const { second, move, send, files, withdraw, review, problems } = await openProposing();
    const [one, two] = [await move(1, '2026-11-21T14:30'), await move(2, '2026-12-07T18:30')];
    await send();
    const [path = ''] = files();
    const old = readFileSync(path);
    second.clock.now += minute;
    await withdraw(one);
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    const newest = readFileSync(path);
    writeFileSync(path, old);
    expect(await review()).toEqual([]);
    expect(await problems()).toEqual(['proposal_file_old']);
    writeFileSync(path, newest);
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    // A conflict copy of an old version is nothing to wait for.
    writeFileSync(path.replace(/\.json$/, ' (conflicted copy).json'), old);
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    expect(await problems()).toEqual([]);
    // A number of the far future would keep the next ones out.
    rewrite(path, () => ({ number: Number.MAX_SAFE_INTEGER }));
    expect(await review()).toHaveLength(1);
    writeFileSync(path, newest);
    expect(await problems()).toEqual([]);
  });

  it('asks before it cancels or removes an event that changed since', async () => {
    const { first, second, send, review, answer } = await openProposing();
    await second.perform('proposal cancel', { id: 1 });
    await second.perform('proposal remove', { id: 2 });
    await second.perform('proposal cancel', { id: 3 });
    await send();
    const later = { date: '2026-12-12T10:00', name: 'Home match: City' };
    await first.perform('event edit', { id: 1, changes: later });
    await first.perform('event edit', { id: 2, changes: { location: 'Hall' } });
    await first.perform('event edit', { id: 3, changes: { description: 'Bring pictures' } });
    const states = new Map((await review()).map(({ event, state }) => [event.id, state]));
    expect(Object.fromEntries(states)).toEqual({ 1: 'conflict', 2: 'conflict', 3: 'conflict' });
    const [cancelled] = (await review()).filter(({ event }) => event.id === 1);
    expect(cancelled?.event).toMatchObject({ name: 'Home match: City' });
    expect(cancelled?.since).toMatchObject([
      { field: 'name', after: 'Home match: City' },
      { field: 'date', after: '2026-12-12T09:00:00.000Z' },
    ]);
    const command = ['--home', first.home.directory, 'proposal', 'review', '--user', 'Rovers'];
    expect((await callCommand(command)).stdout).toMatch(/Tom saw: name ".+"; date /);
    await first.perform('event edit', { id: 3, changes: { description: null } });
    expect(await answer([], { acceptAll: true })).toMatchObject({ accepted: 1, open: 2 });
    const stored = await first.stored();
    expect([1, 2, 3].map((id) => stored.get(id)?.status)).toEqual([
      'active',
      'active',
      'cancelled',
    ]);
  });

  it('keeps a proposal away from another event that has the id now', async () => {
    const { first, second, move, send, files, review, answer } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await second.perform('proposal remove', { id: 2 });
    await send();
    type Content = { readonly proposals: readonly { readonly event: object }[] };
    // As after a restore, which gives an id a second time.
    const createdAt = '2025-01-01T00:00:00.000Z';
    rewrite(files()[0] ?? '', (content) => ({
      proposals: (content as Content).proposals.map((each) => ({
        ...each,
        event: { ...each.event, createdAt },
      })),
    }));
    const states = (await review()).map(({ event, state }) => [event.id, state]);
    expect(Object.fromEntries(states)).toEqual({ 1: 'gone', 2: 'done' });
    const before = await first.stored();
    expect(await answer([], { acceptAll: true })).toMatchObject({ accepted: 1, open: 1 });
    expect(await first.stored()).toEqual(before);
  });

  it('makes a backup before it accepts many removals at once', async () => {
    const { first, second } = await openTwoLaptops(
      Array.from({ length: 20 }, (_, index) => makeEvent(index + 1)),
    );
    for (let id = 1; id <= 12; id += 1) await second.perform('proposal remove', { id });
    await second.perform('proposal send', { name: 'Tom' });
    const before = (await first.perform('backup list')).backups.length;
    await first.perform('proposal answer', { acceptAll: true });
    const { backups } = await first.perform('backup list');
    expect(backups).toHaveLength(before + 1);
    expect(backups[0]).toMatchObject({ reason: 'removal', counts: { events: 20 } });
  });

  it('forgets its answers after a year, and writes each new one into the copy', async () => {
    const { first, second, file, move, send, answer, states, publish } = await openProposing();
    const refuse = async (date: string) => {
      const proposal = await move(1, date);
      await send();
      await answer([{ proposal, accepted: false }]);
      await publish();
      return proposal;
    };
    const answered = () =>
      readCopyBytes(readFileSync(file))
        ?.head.answers?.map(({ id }) => id)
        .toSorted();
    const old = await refuse('2026-11-21T14:30');
    first.clock.now += 366 * day;
    second.clock.now += 366 * day;
    // With as many answers as before, the file would not be written again.
    const next = await refuse('2026-11-21T15:00');
    expect(answered()).toEqual([old, next].toSorted());
    expect(await states()).toContain('refused');
    const [one, two] = [await move(1, '2026-11-21T15:30'), await move(2, '2026-12-07T18:30')];
    await send();
    await answer([one, two].map((proposal) => ({ proposal, accepted: false })));
    await publish();
    expect(answered()).toEqual([next, one, two].toSorted());
  });

  it('keeps the answers if the answered file cannot be removed', {
    tags: 'long',
  }, async (context) => {
    const account = findUnprivileged(context);
    const { first, second, file, move, send, states } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    const { directory } = first.home;
    const give = (path: string) => account.uid && chownSync(path, account.uid, account.uid);
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
      give(join(directory, name));
    }
    for (const path of [directory, dirname(directory)]) give(path);
    chmodSync(dirname(file), 0o555);
    const args = ['--home', directory, 'proposal', 'answer', '--user', 'Rovers', '--accept-all'];
    const { status, stdout, stderr } = await runCommand(args, account);
    expect(stderr).toContain(basename(file));
    expect(stdout).toContain('Accepted 1');
    expect(status).toBe(0);
    chmodSync(dirname(file), 0o755);
    await first.perform('publish now');
    await second.perform('mirror sync');
    expect(await states()).toEqual(['accepted']);
  });
});
