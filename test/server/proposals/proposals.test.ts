import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { seal } from '../../../server/copy/seal.ts';
import { callCommand } from '../../support/command.ts';
import { makeTestFolder } from '../../support/home.ts';
import { openMirror } from '../../support/mirror.ts';
import { openLaptop } from '../../support/second-laptop.ts';
import { openProposing } from './proposing.ts';

describe('proposals', () => {
  it('change nothing until they are accepted, as one change with one undo, and come back answered', async () => {
    const { first, second, file, pass, files, move, review, answer, states } =
      await openProposing();
    const before = await first.stored();
    const moved = await move(1, '2026-11-21T14:30');
    const { proposal: added } = await second.perform('proposal add', {
      event: { name: 'Evening', date: '2026-11-25T19:00', location: 'Clubhouse' },
    });
    const { proposal: removed } = await second.perform('proposal remove', { id: 2 });
    const { proposal: cancelled } = await second.perform('proposal cancel', {
      id: 3,
      reason: 'Ice',
    });
    expect(await second.stored()).toEqual(before);
    expect(files()).toEqual([]);
    expect(await states()).toEqual(['unsent', 'unsent', 'unsent', 'unsent']);

    await second.perform('proposal send', { name: 'Tom', note: 'City is late.' });
    expect(await states()).toEqual(['sent', 'sent', 'sent', 'sent']);
    expect(files()).toHaveLength(1);
    expect(await first.stored()).toEqual(before);
    const list = await review();
    expect(list).toHaveLength(4);
    expect(list.find(({ id }) => id === moved)).toMatchObject({
      ...{ kind: 'change', state: 'open', sender: 'Tom', note: 'City is late.' },
      sentAt: '2026-11-19T08:00:00.000Z',
      event: { id: 1, name: 'Rovers v City' },
      changes: [
        {
          field: 'date',
          before: '2026-11-21T13:00:00.000Z',
          after: '2026-11-21T13:30:00.000Z',
        },
      ],
      current: { date: '2026-11-21T13:00:00.000Z' },
    });

    const result = await answer([
      { proposal: moved, accepted: true },
      { proposal: added.id, accepted: true },
      { proposal: removed.id, accepted: false, reason: 'We need it.' },
    ]);
    expect(result).toMatchObject({ accepted: 2, refused: 1, open: 1 });
    expect(files()).toHaveLength(1);
    await pass();
    expect(await second.stored()).toEqual(await first.stored());
    expect((await second.stored()).get(1)?.date).toBe('2026-11-21T13:30:00.000Z');
    expect([...(await second.stored()).values()].map(({ name }) => name)).toContain('Evening');
    const { proposals } = await second.perform('proposal list');
    const byId = new Map(proposals.map((each) => [each.id, each]));
    expect(byId.get(moved)?.state).toBe('accepted');
    expect(byId.get(removed.id)).toMatchObject({ state: 'refused', reason: 'We need it.' });
    expect(byId.get(cancelled.id)?.state).toBe('sent');

    await first.perform('undo', { id: result.batch });
    expect(await first.stored()).toEqual(before);
    await pass();
    expect(await second.stored()).toEqual(before);
    expect((await states()).toSorted()).toEqual(['refused', 'refused', 'refused', 'sent']);
    await answer([], { acceptAll: true });
    expect((await first.stored()).get(3)).toMatchObject({
      status: 'cancelled',
      description: 'Ice',
    });
    expect(files()).toEqual([]);
    expect(await review()).toEqual([]);
    expect(readCopyBytes(readFileSync(file))?.head.answers).toHaveLength(3);
  });

  it('bring a refusal alone, although no event changed', async () => {
    const { move, send, answer, pass, states } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    const result = await answer([{ proposal: id, accepted: false }]);
    expect(result).not.toHaveProperty('batch');
    await pass();
    expect(await states()).toEqual(['refused']);
  });

  it('need a decision if both changed the same value', async () => {
    const { first, move, send, review, answer } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    await first.perform('event edit', { id: 1, changes: { date: '2026-11-21T13:30' } });
    expect((await review())[0]).toMatchObject({
      state: 'conflict',
      current: { date: '2026-11-21T12:30:00.000Z' },
    });
    expect(await answer([], { acceptAll: true })).toMatchObject({ accepted: 0, open: 1 });
    await expect(answer([{ proposal: id, accepted: true }])).rejects.toMatchObject({
      code: 'proposal_needs_decision',
    });
    expect((await first.stored()).get(1)?.date).toBe('2026-11-21T12:30:00.000Z');
    const [seen] = (await review()).map(({ current }) => current);
    await first.perform('event edit', { id: 1, changes: { date: '2026-11-21T12:00' } });
    const anyway = { proposal: id, accepted: true, anyway: true };
    await expect(answer([{ ...anyway, seen }])).rejects.toMatchObject({
      code: 'proposal_needs_decision',
    });
    await answer([{ ...anyway, seen: (await review())[0]?.current }]);
    expect((await first.stored()).get(1)?.date).toBe('2026-11-21T13:30:00.000Z');
  });

  it('need no decision if others of the same event changed other values', async () => {
    const { first, move, send, review } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    await first.perform('event edit', { id: 1, changes: { location: 'Hall' } });
    expect((await review())[0]?.state).toBe('open');
    await first.perform('event edit', { id: 1, changes: { date: '2026-11-21T14:30' } });
    expect((await review())[0]?.state).toBe('done');
  });

  it('need a decision between values of two computers, unless one is refused at once', async () => {
    const { first, move, send, review, answer, openThird } = await openProposing();
    const other = await openThird();
    const earlier = await move(1, '2026-11-21T14:30');
    const later = await other.move(1, '2026-11-21T15:00');
    await send();
    await other.send('Ann');
    expect((await review()).map(({ state }) => state)).toEqual(['conflict', 'conflict']);
    const both = [earlier, later].map((proposal) => ({ proposal, accepted: true }));
    await expect(answer(both)).rejects.toMatchObject({ code: 'proposal_needs_decision' });
    await answer([
      { proposal: earlier, accepted: false },
      { proposal: later, accepted: true },
    ]);
    expect((await first.stored()).get(1)?.date).toBe('2026-11-21T14:00:00.000Z');
  });

  it('say that their event is gone, and add it again only if a person wants that', async () => {
    const { first, second, move, send, review, answer } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await second.perform('proposal remove', { id: 2 });
    await send();
    await first.perform('event remove', { id: 1 });
    await first.perform('event remove', { id: 2 });
    expect((await review()).map(({ state }) => state).toSorted()).toEqual(['done', 'gone']);
    expect(await answer([], { acceptAll: true })).toMatchObject({ accepted: 1, open: 1 });
    expect((await first.stored()).size).toBe(1);
    await answer([{ proposal: id, accepted: true, anyway: true }]);
    const names = [...(await first.stored()).values()].map(({ name, date }) => `${name} ${date}`);
    expect(names).toContain('Rovers v City 2026-11-21T13:30:00.000Z');
  });

  it('keep their answers when an old version of the file comes back', async () => {
    const { file, pass, move, send, answer, states } = await openProposing();
    const old = readFileSync(file);
    const id = await move(1, '2026-11-21T14:30');
    await send();
    await answer([{ proposal: id, accepted: true }]);
    await pass();
    expect(await states()).toEqual(['accepted']);
    writeFileSync(file, old);
    await pass();
    expect(await states()).toEqual(['accepted']);
  });

  it('are not doubled by conflict copies, nor by a file that comes back after the answer', async () => {
    const { first, move, send, review, answer, files, status, pass } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    const stem = path.slice(0, -'.json'.length);
    copyFileSync(path, `${stem} (conflicted copy 2026-11-19).json`);
    copyFileSync(path, `${stem} (1).json`);
    await pass();
    expect((await status()).conflictCopies).toEqual([]);
    expect(await review()).toHaveLength(1);
    const old = readFileSync(path);
    expect(await answer([], { acceptAll: true })).toMatchObject({ accepted: 1, open: 0 });
    expect(files()).toEqual([]);
    writeFileSync(path, old);
    expect(await review()).toEqual([]);
    expect(
      (await first.perform('history')).history.filter(({ kind }) => kind === 'edit'),
    ).toHaveLength(1);
  });

  it('are not read from a file that is cut, changed or foreign', async () => {
    const { first, move, send, files, review, answer } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    const whole = readFileSync(path, 'utf8');
    const body = whole.slice(0, whole.lastIndexOf(',\n"sha256"'));
    const before = await first.stored();
    const damaged = [
      '',
      'nonsense',
      '[]',
      whole.slice(0, -1),
      whole.replace('14:', '15:').replace('13:30', '13:31'),
      seal(body.replace('"kind":"change"', '"kind":"remove"')),
      seal(body.replace('2026-11-21T13:30:00.000Z', '2026-13-21T13:30:00.000Z')),
    ];
    for (const text of damaged) {
      writeFileSync(path, text);
      const { proposals, unreadable } = await first.perform('proposal review');
      expect(proposals).toEqual([]);
      expect(unreadable).toMatchObject([{ path, problem: { code: 'proposal_file_damaged' } }]);
    }
    writeFileSync(path, seal(body.replace(/"club":"[^"]*"/, '"club":"another"')));
    const { unreadable } = await first.perform('proposal review');
    expect(unreadable).toMatchObject([{ problem: { code: 'proposal_file_other_club' } }]);
    await expect(answer([{ proposal: id, accepted: true }])).rejects.toMatchObject({
      code: 'proposal_unknown',
    });
    expect(existsSync(path)).toBe(true);
    expect(await first.stored()).toEqual(before);
    await send();
    expect(await review()).toHaveLength(1);
  });

  it('have one answer if two programs answer at the same time', async () => {
    const { first, move, send, answer } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    const results = await Promise.allSettled([
      answer([{ proposal: id, accepted: true }]),
      answer([{ proposal: id, accepted: false }]),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'proposal_answered' }),
    });
    const { history } = await first.perform('history');
    expect(history.filter(({ kind }) => kind === 'edit').length).toBeLessThan(2);
  });

  it('leave no file behind if they were sent again before the answer arrived', async () => {
    const { move, send, answer, files, pass, states } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    await answer([{ proposal: id, accepted: true }]);
    await send();
    expect(files()).toHaveLength(1);
    await pass();
    expect(await states()).toEqual(['accepted']);
    expect(files()).toEqual([]);
  });

  it('are written again if their file is lost before the answer', async () => {
    const { move, send, files, pass, answer, states } = await openProposing();
    const id = await move(1, '2026-11-21T14:30');
    await send();
    for (const path of files()) rmSync(path);
    await pass();
    expect(files()).toHaveLength(1);
    await answer([{ proposal: id, accepted: true }]);
    await pass();
    expect(await states()).toEqual(['accepted']);
    expect(files()).toEqual([]);
  });

  it('are withdrawn before and after the sending, and cleared afterwards', async () => {
    const { move, send, files, review, states, withdraw } = await openProposing();
    const [one, two] = [await move(1, '2026-11-21T14:30'), await move(2, '2026-12-07T18:30')];
    await withdraw(one);
    await send();
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    await withdraw(two);
    expect(files()).toEqual([]);
    expect(await states()).toEqual(['withdrawn']);
    await expect(send()).rejects.toMatchObject({ code: 'proposal_none' });
    await withdraw(two);
    expect(await states()).toEqual([]);
  });

  it('wait without their folder, and are sent once it is there, with those that were sent before', async () => {
    const { second, file, pass, move, send, states, review } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    second.clock.now += 1;
    const replaces = await move(2, '2026-12-07T18:30');
    const withdrawn = await move(3, '2026-11-24T18:30');
    const folder = dirname(file);
    const away = join(makeTestFolder(), 'away');
    renameSync(folder, away);
    expect(await send()).toMatchObject({ sent: 0 });
    expect((await states()).toSorted()).toEqual(['sent', 'waiting', 'waiting']);
    await second.perform('proposal withdraw', { proposal: withdrawn });
    await second.perform('proposal edit', { id: 2, changes: { name: 'Assembly' }, replaces });
    expect((await states()).toSorted()).toEqual(['sent', 'unsent']);
    expect(await second.perform('proposal send', { note: 'Both.' })).toMatchObject({ sent: 0 });
    const command = ['--home', second.home.directory, 'proposal', 'list', '--user', 'Rovers'];
    expect((await callCommand(command)).stdout).toContain('as soon as the folder of the file is');
    renameSync(away, folder);
    await pass();
    expect(await states()).toEqual(['sent', 'sent']);
    expect(await review()).toMatchObject([
      { event: { id: 1 }, sender: 'Tom' },
      { event: { id: 2 }, sender: 'Tom', note: 'Both.' },
    ]);
    await pass();
    expect(await review()).toHaveLength(2);
  });

  it('are refused for a club that is no copy, or one beside which nothing can be written', async () => {
    const { first, file } = await openProposing();
    const remove = (laptop: typeof first) => laptop.perform('proposal remove', { id: 1 });
    await expect(remove(first)).rejects.toMatchObject({ code: 'proposal_not_copy' });
    const page = join(dirname(file), 'season.html');
    await first.perform('export', { output: page, format: 'html' });
    const third = await openLaptop();
    await third.perform('mirror set', { file: page });
    await expect(remove(third)).rejects.toMatchObject({ code: 'proposal_no_folder' });
    const { perform, connection } = await openMirror();
    await perform('mirror set', connection);
    await expect(perform('proposal remove', { id: 1 })).rejects.toMatchObject({
      code: 'proposal_service',
    });
  });

  it('need a name once, and a change', async () => {
    const { second, move } = await openProposing();
    await expect(move(1, '2026-11-21T14:00')).rejects.toMatchObject({ code: 'proposal_unchanged' });
    await move(1, '2026-11-21T14:30');
    await expect(second.perform('proposal send')).rejects.toMatchObject({
      code: 'proposal_name_invalid',
    });
    await second.perform('proposal send', { name: 'Tom' });
    expect((await second.perform('proposal send')).sent).toBe(1);
  });

  it('go the whole way on the command line', async () => {
    const { first, second, pass, file } = await openProposing();
    const run = async (home: string, ...args: readonly string[]) =>
      callCommand(['proposal', ...args, '--user', 'Rovers', '--home', home], '', {
        zone: 'Europe/Berlin',
      });
    const [here, there] = [first.home.directory, second.home.directory];
    const proposed = await run(there, 'edit', '1', '--date', '2026-11-21T14:30');
    expect(proposed.stdout).toMatch(/not sent yet: .* Rovers v City \(1\), .* → .*14:30/);
    await run(there, 'cancel', '2');
    expect((await run(there, 'send', '--name', 'Tom')).stdout).toContain('Sent, not answered yet');
    const review = await run(here, 'review');
    expect(review.stdout).toContain('From Tom');
    const [, id = ''] = /^([0-9a-f]{12}) {2}Meeting/m.exec(review.stdout) ?? [];
    const reason = 'The hall is free.';
    const answered = await run(here, 'answer', '--accept-all', '--refuse', id, '--reason', reason);
    expect(answered.stdout).toMatch(/^Accepted 1, refused 1\. "club-events undo \d+" undoes this/);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    await pass();
    expect((await run(there, 'list')).stdout).toMatch(
      /accepted[\s\S]*refused: "The hall is free\."/,
    );
    expect((await run(here, 'answer')).status).toBe(2);
    expect((await run(here, 'remove', '1')).stderr).toContain('not a copy of another computer');
    rmSync(file);
  });
});
