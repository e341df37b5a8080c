import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MirrorSource } from '../../../db/mirror.ts';
import { type Home, prepareHome } from '../../../server/base/home.ts';
import { privateTemporary } from '../../../server/store/private-file.ts';
import { withReader } from '../../../server/store/store.ts';
import {
  findUpstreamKey,
  removeUpstreamKey,
  storeUpstreamKey,
  tidyUpstreamKeys,
} from '../../../server/store/upstream-keys.ts';
import { addMember, makeTestHome } from '../../support/home.ts';
import { expectMode, findUnprivileged, requirePlace } from '../../support/place.ts';

function makeHome(): Home {
  const home = makeTestHome();
  prepareHome(home);
  return home;
}

const url = 'https://events.example/';

const sourceOf = (id: number, more: Partial<MirrorSource> = {}): MirrorSource => ({
  id,
  userId: 1,
  user: 'Chess',
  zone: 'Europe/Berlin',
  kind: 'service',
  baseUrl: url,
  keyStore: 'file',
  paused: null,
  ...more,
});

const store = (home: Home, id: number, key: string) => storeUpstreamKey(home, id, { url, key });
const find = (home: Home, source: MirrorSource) => {
  const key = findUpstreamKey(source, { home });
  return typeof key === 'object' ? key.key : key;
};
const read = (home: Home, id: number) => find(home, sourceOf(id));

describe('the file of upstream keys', () => {
  it('keeps the last key of each source', () => {
    const home = makeHome();
    expect(read(home, 1)).toBe('missing');
    store(home, 1, 'first');
    store(home, 2, 'other');
    store(home, 1, 'second');
    expect(read(home, 1)).toBe('second');
    expect(read(home, 2)).toBe('other');
  });

  it('goes with the last key', () => {
    const home = makeHome();
    store(home, 1, 'first');
    store(home, 2, 'other');
    removeUpstreamKey(home, 1);
    expect(read(home, 1)).toBe('missing');
    expect(read(home, 2)).toBe('other');
    removeUpstreamKey(home, 2);
    expect(readdirSync(home.directory)).toEqual([]);
    removeUpstreamKey(home, 2);
  });

  it('has no copy that a killed writer left, after the next writer or service', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const leave = () => writeFileSync(privateTemporary(home.upstreamKeys), '{"1":{"key":"secret"');
    leave();
    store(home, 1, 'first');
    expect(existsSync(privateTemporary(home.upstreamKeys))).toBe(false);
    removeUpstreamKey(home, 1);
    leave();
    await withReader(home, (db) => tidyUpstreamKeys(home, db));
    expect(existsSync(privateTemporary(home.upstreamKeys))).toBe(false);
    expect(existsSync(home.upstreamKeys)).toBe(false);
  });

  it('has the mode 0600, whatever the mask of the process', (context) => {
    requirePlace(context, 'file modes');
    const home = makeHome();
    const mask = process.umask(0);
    try {
      store(home, 1, 'first');
    } finally {
      process.umask(mask);
    }
    expectMode(home.upstreamKeys, 0o600);
  });

  it('is refused if other accounts may read it, and stays as it is', (context) => {
    requirePlace(context, 'file modes');
    const home = makeHome();
    store(home, 1, 'secret');
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      chmodSync(home.upstreamKeys, mode);
      const refusal = expect.objectContaining({ code: 'upstream_keys_open' });
      expect(() => read(home, 1)).toThrow(refusal);
      expect(() => store(home, 1, 'more')).toThrow(refusal);
      expect(() => removeUpstreamKey(home, 1)).toThrow(refusal);
    }
    chmodSync(home.upstreamKeys, 0o600);
    expect(read(home, 1)).toBe('secret');
  });

  it('belongs to one address, and to none for a key of an earlier version after a restore', () => {
    const home = makeHome();
    const moved = { baseUrl: 'https://elsewhere.example/' };
    store(home, 1, 'secret');
    expect(find(home, sourceOf(1))).toBe('secret');
    expect(find(home, sourceOf(1, moved))).toBe('foreign');
    expect(find(home, sourceOf(2))).toBe('missing');
    writeFileSync(home.upstreamKeys, '{"1":"secret"}', { mode: 0o600 });
    expect(find(home, sourceOf(1))).toBe('secret');
    expect(find(home, sourceOf(1, { paused: 'restored' }))).toBe('foreign');
  });

  it('is not read for a source whose key the desktop keeps, for one address too', () => {
    const home = makeHome();
    store(home, 1, 'in the file');
    const kept = { url, key: 'secret' };
    const upstreamKeys = new Map([[1, kept]]);
    const moved = sourceOf(1, { keyStore: 'system', baseUrl: 'https://elsewhere.example/' });
    expect(findUpstreamKey(sourceOf(1, { keyStore: 'system' }), { home, upstreamKeys })).toEqual(
      kept,
    );
    expect(findUpstreamKey(moved, { home, upstreamKeys })).toBe('foreign');
    expect(findUpstreamKey(moved, { home })).toBe('elsewhere');
  });

  it.each([
    '',
    '{',
    '["secret"]',
    '{"1":["secret"]}',
    '{"1":{"key":"secret"}}',
    '{"one":"secret"}',
  ])('is refused when it contains %j, without quoting a key', (text) => {
    const home = makeHome();
    writeFileSync(home.upstreamKeys, text, { mode: 0o600 });
    let refusal: unknown;
    try {
      read(home, 1);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'upstream_keys_damaged' });
    expect((refusal as Error).cause).toBeUndefined();
    expect(String((refusal as Error).stack)).not.toContain('secret');
  });

  it('cannot be read by another account', { tags: 'long' }, (context) => {
    requirePlace(context, 'another account');
    const home = makeHome();
    store(home, 1, 'secret');
    const { uid, env } = findUnprivileged(context) as { uid: number; env: Record<string, string> };
    // The folder alone does not protect it.
    chmodSync(home.directory, 0o755);
    chmodSync(join(home.directory, '..'), 0o755);
    const module = join(import.meta.dirname, '../../../server/store/upstream-keys.ts');
    const script = `
        const { findUpstreamKey } = await import(${JSON.stringify(module)});
        const [source, tools] = ${JSON.stringify([sourceOf(1), { home }])};
        try { console.log(findUpstreamKey(source, tools).key); }
        catch (error) { console.log(error.code); }`;
    const run = () =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        uid,
        gid: uid,
        env,
        encoding: 'utf8',
      }).trim();
    expect(run()).toBe('file_forbidden');
    // Its own file is read.
    chownSync(home.upstreamKeys, uid, uid);
    expect(run()).toBe('secret');
    expect(existsSync(home.upstreamKeys)).toBe(true);
  });
});
