import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readUpstreamKey,
  removeUpstreamKey,
  storeUpstreamKey,
} from '../../../../server/actions/mirror/key-store.ts';
import { type Home, prepareHome } from '../../../../server/home.ts';
import { makeTestHome } from '../../../support/home.ts';
import { expectMode, findUnprivileged, requirePlace } from '../../../support/place.ts';

function makeHome(): Home {
  const home = makeTestHome();
  prepareHome(home);
  return home;
}

describe('the file of upstream keys', () => {
  it('keeps the last key of each source', () => {
    const home = makeHome();
    expect(readUpstreamKey(home, 1)).toBeUndefined();
    storeUpstreamKey(home, 1, 'first');
    storeUpstreamKey(home, 2, 'other');
    storeUpstreamKey(home, 1, 'second');
    expect(readUpstreamKey(home, 1)).toBe('second');
    expect(readUpstreamKey(home, 2)).toBe('other');
  });

  it('goes with the last key', () => {
    const home = makeHome();
    storeUpstreamKey(home, 1, 'first');
    storeUpstreamKey(home, 2, 'other');
    removeUpstreamKey(home, 1);
    expect(readUpstreamKey(home, 1)).toBeUndefined();
    expect(readUpstreamKey(home, 2)).toBe('other');
    removeUpstreamKey(home, 2);
    expect(readdirSync(home.directory)).toEqual([]);
    removeUpstreamKey(home, 2);
  });

  it('has the mode 0600, whatever the mask of the process', (context) => {
    requirePlace(context, 'file modes');
    const home = makeHome();
    const mask = process.umask(0);
    try {
      storeUpstreamKey(home, 1, 'first');
    } finally {
      process.umask(mask);
    }
    expectMode(home.upstreamKeys, 0o600);
  });

  it('is refused if other accounts may read it, and stays as it is', (context) => {
    requirePlace(context, 'file modes');
    const home = makeHome();
    storeUpstreamKey(home, 1, 'secret');
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      chmodSync(home.upstreamKeys, mode);
      const refusal = expect.objectContaining({ code: 'upstream_keys_open' });
      expect(() => readUpstreamKey(home, 1)).toThrow(refusal);
      expect(() => storeUpstreamKey(home, 1, 'more')).toThrow(refusal);
      expect(() => removeUpstreamKey(home, 1)).toThrow(refusal);
    }
    chmodSync(home.upstreamKeys, 0o600);
    expect(readUpstreamKey(home, 1)).toBe('secret');
  });

  it.each(['', '{', '["secret"]', '{"1":["secret"]}', '{"one":"secret"}'])(
    'is refused when it contains %j, without quoting a key',
    (text) => {
      const home = makeHome();
      writeFileSync(home.upstreamKeys, text, { mode: 0o600 });
      let refusal: unknown;
      try {
        readUpstreamKey(home, 1);
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toMatchObject({ code: 'upstream_keys_damaged' });
      expect((refusal as Error).cause).toBeUndefined();
      expect(String((refusal as Error).stack)).not.toContain('secret');
    },
  );

  it('cannot be read by another account', (context) => {
    requirePlace(context, 'another account');
    const home = makeHome();
    storeUpstreamKey(home, 1, 'secret');
    const { uid, env } = findUnprivileged(context) as { uid: number; env: Record<string, string> };
    // The folder alone does not protect it.
    chmodSync(home.directory, 0o755);
    chmodSync(join(home.directory, '..'), 0o755);
    const module = join(import.meta.dirname, '../../../../server/actions/mirror/key-store.ts');
    const script = `
        const { readUpstreamKey } = await import(${JSON.stringify(module)});
        try { console.log(readUpstreamKey(${JSON.stringify(home)}, 1)); }
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
