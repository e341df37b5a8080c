import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { openPosition } from '../../../server/club/follow.ts';
import { callCommand, startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestFolder } from '../../support/home.ts';
import { mountSmall } from '../../support/place.ts';
import { serveUpstream } from '../../support/upstream.ts';

/** Fills a disk apart from some bytes; returns a function that frees the space. */
function fill(folder: string, free = 0): () => void {
  const path = join(folder, 'ballast');
  const file = openSync(path, 'w');
  for (let size = 64 * 1024; size >= 1; size /= 2) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
  closeSync(file);
  truncateSync(path, statSync(path).size - free);
  return () => rmSync(path);
}

const remount = (folder: string, access: 'ro' | 'rw') =>
  execFileSync('mount', ['-o', `remount,${access}`, folder], { stdio: 'pipe' });

const disks = [
  ['full', (folder: string) => fill(folder), /is full; free some space/],
  [
    'write-protected',
    (folder: string) => {
      remount(folder, 'ro');
      return () => void remount(folder, 'rw');
    },
    /is on a read-only disk/,
  ],
] as const;

const run = (home: Home, ...args: readonly string[]) =>
  callCommand(['--home', home.directory, ...args]);

/** Makes a club on a small disk. */
async function makeClub(context: TestContext): Promise<{ home: Home; key: string; disk: string }> {
  const disk = mountSmall(context, 4_096);
  const home = homeAt(join(disk.folder, 'home'));
  const { key } = await addMember(home, 'Chess', [makeEvent(1), makeEvent(2, { name: 'Final' })]);
  return { home, key, disk: disk.folder };
}

describe.each(disks)('a club on a %s disk', (_, protect, refusal) => {
  it('can be listed, checked and exported, and is not changed', async (context) => {
    const { home, disk } = await makeClub(context);
    const before = await run(home, 'export', '--user', 'Chess', '--format', 'json');
    protect(disk);
    expect((await run(home, 'user', 'list')).stdout).toContain('Chess');
    expect((await run(home, 'check')).status).toBe(0);
    expect(await run(home, 'export', '--user', 'Chess', '--format', 'json')).toEqual(before);
    const output = join(makeTestFolder(), 'events.csv');
    expect((await run(home, 'export', '--user', 'Chess', '--output', output)).status).toBe(0);
    const refused = await run(home, 'user', 'add', 'Rowing');
    // On a full disk, after the note that there is no daily backup.
    expect(refused.stderr.trim().split('\n').at(-1)).toMatch(refusal);
    expect(refused.status).toBe(1);
  });

  it('cannot be watched, for this reason', async (context) => {
    const { home, disk } = await makeClub(context);
    const free = protect(disk);
    const watch = () => run(home, 'watch', '--user', 'Chess');
    const first = await watch();
    free();
    // A position and its lock are there, but cannot be changed.
    const kept = await openPosition(home, { user: 'Chess', name: '' });
    kept.save('0.0');
    kept.close();
    protect(disk);
    for (const { status, stderr } of [first, await watch()]) {
      expect(stderr.trim().split('\n').at(-1)).toMatch(refusal);
      expect(status).toBe(1);
    }
  });

  it('is served and searched, with a notice, and is followed when the disk is usable', {
    tags: 'long',
  }, async (context) => {
    const { home, key, disk } = await makeClub(context);
    const free = protect(disk);
    const service = await startServe(['--port', '0', '--home', home.directory]);
    const names = async (query: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(`${service.firstLine}/v1/events?${query}`, { headers });
      const { events } = (await answer.json()) as { events: { name: string }[] };
      return events.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['Final', 'Event 1']);
    expect(await names('q=final')).toEqual(['Final']);
    await expect.poll(service.stderr).toMatch(/can be read and exported, but nothing can be saved/);
    free();
    const added = ['event', 'add', '--user', 'Chess', '--name', 'Gala', '--date', '2026-06-01'];
    expect((await run(home, ...added)).status).toBe(0);
    await expect.poll(() => names('q=gala')).toEqual(['Gala']);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

describe('a copy of an online service', () => {
  it('keeps its key when the disk is too full to remove the club', {
    tags: 'long',
  }, async (context) => {
    const events = Array.from({ length: 800 }, (_, index) => makeEvent(index + 1) as StoredEvent);
    const upstream = await serveUpstream({ events, hasLink: true });
    const disk = mountSmall(context, 8_192);
    const home = homeAt(join(disk.folder, 'home'));
    await addMember(home, 'Chess');
    const set = ['mirror', 'set', '--user', 'Chess', '--url', upstream.baseUrl];
    const connected = await callCommand(['--home', home.directory, ...set], upstream.key);
    expect(connected).toMatchObject({ status: 0, stderr: '' });
    for (let free = 0; ; free += 65_536) {
      const release = fill(disk.folder, free);
      const { status, stderr } = await run(home, 'user', 'remove', 'Chess');
      release();
      if (status === 0) break;
      expect(stderr.trim().split('\n').at(-1)).toMatch(/is full; free some space/);
      expect((await run(home, 'mirror', 'sync')).stdout).toBe('Chess: nothing new.\n');
    }
    // The next start of a service would remove it, too.
    await addMember(home, 'Rowing');
    expect((await run(home, 'user', 'remove', 'Rowing')).status).toBe(0);
    expect(existsSync(home.upstreamKeys)).toBe(false);
  });
});
