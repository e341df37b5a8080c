import { hash } from 'node:crypto';
import {
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareUserReads } from '../../../db/users.ts';
import { homeAt } from '../../../server/base/home.ts';
import { withReader } from '../../../server/store/store.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { type Laptop, laptopAt, minute } from '../../support/second-laptop.ts';
import { filesBeside, openProposing, proposingOn, writeFirstVersion } from './proposing.ts';

type Content = {
  readonly proposals: readonly { readonly id: string }[];
  readonly number: number;
};

const contentOf = (path = ''): Content => JSON.parse(readFileSync(path, 'utf8'));
const idsIn = (path?: string) => contentOf(path).proposals.map(({ id }) => id);

/** A computer with a copy of the data directory, on the same machine. */
function copyOf({ home, key, clock }: Laptop): Laptop {
  const directory = join(makeTestFolder(), 'home');
  cpSync(home.directory, directory, { recursive: true });
  return laptopAt(homeAt(directory), key, clock.now);
}

describe('the file of proposals', () => {
  it('has what the database has after a restore, an end of the copy and an end of the club', async () => {
    const { second, move, send, files, review } = await openProposing();
    const before = (await second.perform('backup')).name;
    const one = await move(1, '2026-11-21T14:30');
    const two = await move(2, '2026-12-07T18:30');
    await send();
    const sent = (await second.perform('backup')).name;
    await second.perform('proposal withdraw', { proposal: one });
    expect(idsIn(files()[0])).toEqual([two]);
    await second.perform('restore', { name: sent });
    expect(idsIn(files()[0]).toSorted()).toEqual([one, two].toSorted());
    await second.perform('restore', { name: before });
    expect(files()).toEqual([]);
    await second.perform('restore', { name: sent });
    expect(await review()).toHaveLength(2);
    await second.perform('mirror remove');
    expect(files()).toEqual([]);
    await second.perform('restore', { name: sent });
    expect(files()).toHaveLength(1);
    await second.perform('user remove', { name: 'Rovers' });
    expect(files()).toEqual([]);
  });

  it('is removed later if its folder was away at the end of the copy', async () => {
    const { second, file, move, send, files, settle } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    const [folder, away] = [dirname(file), join(makeTestFolder(), 'away')];
    renameSync(folder, away);
    await second.perform('user remove', { name: 'Rovers' });
    expect(second.warnings).toEqual([]);
    renameSync(away, folder);
    await settle();
    expect(files()).toEqual([]);
  });

  it('is written again after a sync program cut it, emptied it or brought an old one', async () => {
    const { second, move, send, files, settle, review } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    const old = readFileSync(path);
    second.clock.now += minute;
    await move(2, '2026-12-07T18:30');
    await send();
    const whole = readFileSync(path);
    for (const bytes of [old, Buffer.of(), Buffer.alloc(400), whole.subarray(0, 200)]) {
      writeFileSync(path, bytes);
      await settle();
      expect(readFileSync(path)).toEqual(whole);
      expect(await review()).toHaveLength(2);
    }
    // A damage that leaves inode, size and time is found within the hour.
    utimesSync(path, 1_800_000_000, 1_800_000_000);
    await settle();
    writeFileSync(path, Buffer.alloc(whole.length));
    utimesSync(path, 1_800_000_000, 1_800_000_000);
    second.clock.now += 61 * minute;
    await settle();
    expect(readFileSync(path)).toEqual(whole);
  });

  it('replaces no link, and follows none: the reason is listed until it is gone', async (context) => {
    requirePlace(context, 'symbolic links');
    const { second, move, send, files, settle, states } = await openProposing();
    await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    const precious = join(makeTestFolder(), 'precious.txt');
    writeFileSync(precious, 'mine');
    rmSync(path);
    symlinkSync(precious, path);
    await move(2, '2026-12-07T18:30');
    await expect(send()).rejects.toMatchObject({ code: 'place_not_a_file', values: { path } });
    await settle();
    expect(second.warnings).toEqual(['place_not_a_file']);
    expect((await second.perform('proposal list')).failure).toMatchObject({
      code: 'place_not_a_file',
    });
    expect((await states()).toSorted()).toEqual(['sent', 'waiting']);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    rmSync(path);
    await settle();
    expect(await states()).toEqual(['sent', 'sent']);
    expect((await second.perform('proposal list')).failure).toBeNull();
    expect(idsIn(path)).toHaveLength(2);
  });

  it('is not written through a folder that leads elsewhere since, unless a person sends', async (context) => {
    requirePlace(context, 'symbolic links');
    const { first, second, file, move, send, settle } = await openProposing();
    const [link, other] = [join(makeTestFolder(), 'link'), makeTestFolder()];
    symlinkSync(dirname(file), link);
    await second.perform('mirror remove');
    await second.perform('mirror set', { file: join(link, 'rovers.json') });
    await move(1, '2026-11-21T14:30');
    await send();
    rmSync(link);
    symlinkSync(other, link);
    writeFileSync(join(other, 'rovers.json'), readFileSync(file));
    await settle();
    expect(second.warnings).toEqual(['place_folder_moved']);
    expect(filesBeside(join(other, 'rovers.json'))).toEqual([]);
    await send();
    expect(filesBeside(join(other, 'rovers.json'))).toHaveLength(1);
    await first.perform('publish remove', { id: 1 });
  });

  it('keeps its name when the computer gets another, and replaces those of the first version', async () => {
    const { second, file, move, send, files, review, withdraw, settle } = await openProposing();
    const one = await move(1, '2026-11-21T14:30');
    const two = await move(2, '2026-12-07T18:30');
    await send();
    const [path = ''] = files();
    expect(path).not.toContain(hostname());
    const uidBase = await withReader(second.home, (db) => prepareUserReads(db).uidBase(1));
    // The name of the first version had the digest of the computer's name.
    const former = [hostname(), 'toms-mac.fritz.box'].map(
      (name) => `${file}.proposals-${hash('sha256', `${uidBase}\n${name}`).slice(0, 8)}.json`,
    );
    for (const each of former) writeFirstVersion(each, readFileSync(path));
    // An update of the program finds these files only.
    rmSync(path);
    rmSync(second.home.outside, { recursive: true });
    await settle();
    expect(await review()).toHaveLength(2);
    await withdraw(one);
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    for (const each of former) expect(idsIn(each)).toEqual([two]);
    // None has it any more.
    for (const each of former) rmSync(each);
    await settle();
    expect(files()).toHaveLength(1);
    expect((await review()).map(({ id }) => id)).toEqual([two]);
    await withdraw(two);
    expect(files()).toEqual([]);
  });

  it('has what the database has after programs that send, withdraw and look at the same time', async () => {
    const { second, move, send, files, withdraw, settle } = await openProposing();
    const ids = [await move(1, '2026-11-21T14:30'), await move(2, '2026-12-07T18:30')];
    await send();
    const three = await move(3, '2026-11-24T18:30');
    await Promise.all([settle(), send(), withdraw(ids[0] ?? ''), settle(), send()]);
    expect(idsIn(files()[0]).toSorted()).toEqual([ids[1], three].toSorted());
    const { proposals } = await second.perform('proposal list');
    expect(proposals.map(({ state }) => state).toSorted()).toEqual(['sent', 'sent', 'withdrawn']);
  });

  it('loses its conflict copies, and leaves the files of others alone', async () => {
    const { second, file, move, send, files, settle, openThird } = await openProposing();
    const third = await openThird();
    await third.move(2, '2026-12-07T18:30');
    await third.send('Ann');
    const others = files();
    await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files().filter((each) => !others.includes(each));
    const stem = path.slice(0, -'.json'.length);
    cpSync(path, `${stem} (conflicted copy 2026-11-19).json`);
    writeFileSync(`${stem}.sync-conflict-1.json`, 'nonsense');
    writeFileSync(`${file}.proposals-notes.json`, 'of somebody else');
    await settle();
    expect(files().toSorted()).toEqual(
      [path, ...others, `${file}.proposals-notes.json`].toSorted(),
    );
    expect(second.warnings).toEqual([]);
  });

  it('is one of each home: a copy of the data writes another one, and a moved home the same', async () => {
    const { second, file, move, send, files, review, settle } = await openProposing();
    const one = await move(1, '2026-11-21T14:30');
    await send();
    const [path = ''] = files();
    const bytes = readFileSync(path);
    const copy = copyOf(second);
    const copied = proposingOn(copy);
    await copied.settle();
    expect(files()).toEqual([path]);
    expect(readFileSync(path)).toEqual(bytes);
    const two = await copied.move(2, '2026-12-07T18:30');
    await copied.send('Ann');
    const [own = ''] = files().filter((each) => each !== path);
    expect(idsIn(own)).toEqual([two]);
    await settle();
    expect(idsIn(path)).toEqual([one]);
    expect(await review()).toHaveLength(2);
    // The first home is gone with its file, and with it its proposal.
    rmSync(path);
    await copied.settle();
    expect(idsIn(own).toSorted()).toEqual([one, two].toSorted());
    await copied.withdraw(one);
    expect((await review()).map(({ id }) => id)).toEqual([two]);

    const moved = homeAt(join(makeTestFolder(), 'moved'));
    renameSync(copy.home.directory, moved.directory);
    await proposingOn(laptopAt(moved, copy.key, copy.clock.now)).withdraw(two);
    expect(filesBeside(file)).toEqual([]);
  });
});
