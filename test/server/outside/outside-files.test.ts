import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../../server/base/errors.ts';
import { callOutside, createOutsideWatch } from '../../../server/outside/outside-files.ts';
import { createFolderTarget } from '../../../server/outside/targets.ts';
import { makeTestFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { expectMode, requirePlace } from '../../support/place.ts';
import { printFigure } from '../../support/print.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The time after which a place of these tests counts as silent, in milliseconds. */
const silence = 1_500;

const addressOf = (path: string) => ({ folder: dirname(path), name: basename(path) });

describe('a file outside the data directory', () => {
  it('is read, written, copied, listed and removed', async () => {
    const folder = makeTestFolder();
    const place = { folder, name: 'a.json' };
    expect(await callOutside({}, 'read', place, 100)).toBeUndefined();
    const written = await callOutside({}, 'write', place, base64('text'), '', 0o022);
    expect(await callOutside({}, 'read', place, 100)).toEqual({
      found: written,
      bytes: base64('text'),
    });
    await expect(callOutside({}, 'read', place, 3)).rejects.toMatchObject({
      code: 'place_too_large',
    });
    const copy = { folder, name: 'b.json' };
    const from = join(folder, 'a.json');
    const copied = await callOutside({}, 'copy', copy, from, hash('sha256', 'text'));
    expect(await callOutside({}, 'digest', copy)).toEqual({
      found: copied,
      sha256: hash('sha256', 'text'),
    });
    // A damaged file does not replace a copy.
    const damaged = callOutside({}, 'copy', copy, from, hash('sha256', 'other'));
    await expect(damaged).rejects.toMatchObject({ code: 'backup_altered' });
    expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe('text');
    await callOutside({}, 'makeFolder', { folder, name: 'own' });
    expectMode(join(folder, 'own'), 0o700);
    rmdirSync(join(folder, 'own'));
    const names = await callOutside({}, 'list', { folder, name: '.json' });
    expect(names.map(({ name }) => name).toSorted()).toEqual(['a.json', 'b.json']);
    // Somebody else has changed it since it was found.
    writeFileSync(join(folder, 'a.json'), 'other');
    const { stamp } = written;
    const refused = { code: 'place_in_use' };
    await expect(callOutside({}, 'remove', place, stamp)).rejects.toMatchObject(refused);
    const write = callOutside({}, 'write', place, base64('text'), stamp, 0o022);
    await expect(write).rejects.toMatchObject(refused);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('other');
  });

  it('leaves no temporary file of a program that was killed long ago', async () => {
    const folder = makeTestFolder();
    const leftover = join(folder, '.club-events-0123456789abcdef.tmp');
    const fresh = join(folder, '.club-events-fedcba9876543210.tmp');
    for (const path of [leftover, fresh]) writeFileSync(path, '');
    utimesSync(leftover, 1, 1);
    await callOutside({}, 'write', { folder, name: 'a' }, '', '', 0o022);
    expect(readdirSync(folder).toSorted()).toEqual([basename(fresh), 'a']);
  });

  it('does not hold up another place when its own does not answer', async (context) => {
    requirePlace(context, 'named pipes');
    const folder = makeTestFolder();
    const pipe = join(makeTestFolder(), 'pipe');
    spawnSync('mkfifo', [pipe]);
    // Nobody writes into the pipe, so the copy waits as for a disk that hangs.
    const hung = callOutside({ timeout: silence }, 'copy', { folder, name: 'a' }, pipe, '');
    const silent = expect(hung).rejects.toMatchObject({
      code: 'place_silent',
      values: { path: folder },
    });
    let isWaiting = true;
    void silent.then(() => {
      isWaiting = false;
    });
    await callOutside({}, 'write', { folder: makeTestFolder(), name: 'a' }, '', '', 0o022);
    expect(isWaiting).toBe(true);
    await silent;
    // The next call does not wait again at once.
    await expect(callOutside({}, 'look', { folder, name: 'a' })).rejects.toMatchObject({
      code: 'place_silent',
    });
  });

  it('can be cancelled while its place does not answer', async (context) => {
    requirePlace(context, 'named pipes');
    const pipe = join(makeTestFolder(), 'pipe');
    spawnSync('mkfifo', [pipe]);
    let steps = 0;
    const onStep = () => {
      steps += 1;
      if (steps > 2) throw new Problem('cancelled');
    };
    const copy = callOutside({ onStep }, 'copy', { folder: makeTestFolder(), name: 'a' }, pipe, '');
    await expect(copy).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is the only thing that changes, whatever links another account puts in its way', async (context) => {
    requirePlace(context, 'symbolic links');
    const root = makeTestFolder();
    const shared = join(root, 'shared');
    const precious = makeTestFolder();
    const names = ['a.json', 'b.json', 'c.json'];
    mkdirSync(shared);
    for (const name of names) writeFileSync(join(precious, name), `precious ${name}`);
    const { real } = await callOutside({}, 'look', { folder: shared, name: 'a.json' });
    // Puts links to precious files and folders in the place of files and the folder, without a pause.
    const attack = `
      const { renameSync, rmSync, symlinkSync, mkdirSync, existsSync } = require('node:fs');
      const shared = ${JSON.stringify(shared)}, precious = ${JSON.stringify(precious)};
      const attempt = (use) => { try { use(); } catch {} };
      for (let i = 0; ; i += 1) {
        const name = ${JSON.stringify(names)}[i % 3];
        attempt(() => symlinkSync(precious + '/' + name, shared + '/link'));
        attempt(() => renameSync(shared + '/link', shared + '/' + name));
        if (i % 3 === 0) {
          attempt(() => renameSync(shared, shared + '-away'));
          attempt(() => symlinkSync(precious, shared));
          attempt(() => rmSync(shared));
          attempt(() => renameSync(shared + '-away', shared));
        }
        attempt(() => rmSync(shared + '/' + name));
      }`;
    const attacker = spawn(process.execPath, ['--eval', attack], { stdio: 'ignore' });
    onTestFinished(() => void attacker.kill('SIGKILL'));
    const runs = choose(1_000, 60);
    let done = 0;
    for (let run = 0; run < runs; run += 1) {
      const path = join(shared, names[run % 3] ?? '');
      const target = createFolderTarget(path, real, {});
      try {
        const found = await target.read();
        if (run % 4 === 3) {
          await callOutside({}, 'remove', { ...addressOf(path), real }, found?.tag ?? '');
        } else if (run % 4 === 2) {
          const from = join(precious, 'a.json');
          const digest = hash('sha256', readFileSync(from));
          await callOutside({}, 'copy', { ...addressOf(path), real }, from, digest);
        } else {
          await target.write(Buffer.from(`written ${run}`), found);
        }
        done += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
      }
    }
    attacker.kill('SIGKILL');
    printFigure(`${runs} writings beside an attacker: ${done} done, ${runs - done} refused`);
    expect(readdirSync(precious).toSorted()).toEqual(names);
    for (const name of names) {
      expect(readFileSync(join(precious, name), 'utf8')).toBe(`precious ${name}`);
    }
    expect(readdirSync(root).every((name) => name.startsWith('shared'))).toBe(true);
  });
});

describe('a watch of files outside', () => {
  it('reports each change of a file, of its folder and of nothing else', {
    tags: 'long',
  }, async () => {
    const root = makeTestFolder();
    const folder = join(root, 'shared');
    mkdirSync(folder);
    const path = join(folder, 'a.json');
    const watch = createOutsideWatch(() => undefined);
    onTestFinished(() => watch.stop());
    expect(watch.stampOf(path)).toBeUndefined();
    watch.follow([path]);
    await expect.poll(() => watch.stampOf(path)).toBe('');
    const { stamp } = await callOutside({}, 'write', addressOf(path), base64('a'), '', 0o022);
    await expect.poll(() => watch.stampOf(path)).toBe(stamp);
    writeFileSync(join(folder, 'b.json'), 'b');
    const next = await callOutside({}, 'write', addressOf(path), base64('b'), stamp, 0o022);
    expect(next.stamp).not.toBe(stamp);
    await expect.poll(() => watch.stampOf(path)).toBe(next.stamp);
    rmSync(path);
    await expect.poll(() => watch.stampOf(path)).toBe('');
    watch.follow([]);
    expect(watch.stampOf(path)).toBeUndefined();
    expect(existsSync(join(folder, 'b.json'))).toBe(true);
    renameSync(folder, `${folder} away`);
  });
});
