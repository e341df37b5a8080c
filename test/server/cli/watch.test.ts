import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock } from '../../../db/lock.ts';
import { prepareEventsState } from '../../../db/users.ts';
import type { Home } from '../../../server/base/home.ts';
import { openPosition } from '../../../server/club/follow.ts';
import { withReader } from '../../../server/store/store.ts';
import { callCommand } from '../../support/command.ts';
import {
  addEvents,
  addMember,
  makeEvent,
  makeTestFolder,
  makeTestHome,
} from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { expectMode, requirePlace } from '../../support/place.ts';

const cli = join(import.meta.dirname, '../../../server/cli/club-events.js');

/** Starts `watch` for the running test; `lines` returns the objects on stdout so far. */
function startWatch({ directory }: Home, ...args: readonly string[]) {
  const user = args.includes('--user') ? [] : ['--user', 'Chess'];
  const words = [cli, '--home', directory, 'watch', ...user, ...args];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    lines: () =>
      stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    stderr: () => stderr,
    isReady: () => expect.poll(() => stderr).toContain('Watching the events of Chess'),
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      const [status] = await ended;
      return status as number | null;
    },
  };
}

/** Waits until a watch that has just started has stored its first position. */
const untilPosition = ({ watches }: Home) =>
  expect
    .poll(() => existsSync(watches) && readdirSync(watches).some((name) => name.endsWith('.json')))
    .toBe(true);

async function makeClub() {
  const home = makeTestHome();
  const { userId } = await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  const change = (id: number, more = {}) => addEvents(home, userId, [makeEvent(id, more)]);
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  return { home, userId, change, call };
}

const idsOf = (lines: readonly { event?: { id: number }; id?: number }[]) =>
  lines.map(({ event, id }) => event?.id ?? id);

describe('watch', () => {
  it('prints changes in order, and goes on where it stopped', async (context) => {
    requirePlace(context, 'signals');
    const { home, change, call } = await makeClub();
    const first = startWatch(home);
    await untilPosition(home);
    await change(2, { name: 'Moved' });
    await change(3);
    await call('event', 'remove', '1', '--user', 'Chess');
    await expect.poll(first.lines).toHaveLength(3);
    const [moved, added, removed] = first.lines();
    expect(moved).toMatchObject({ kind: 'changed', event: { id: 2, name: 'Moved' } });
    expect(added).toMatchObject({ kind: 'changed', event: { id: 3 } });
    expect(removed).toEqual({ kind: 'removed', revision: expect.any(String), id: 1 });
    expect(await first.end()).toBe(0);
    for (const name of readdirSync(home.watches)) expectMode(join(home.watches, name), 0o600);

    await change(4);
    const second = startWatch(home);
    await expect.poll(second.lines).toHaveLength(1);
    await change(5);
    await expect.poll(() => idsOf(second.lines())).toEqual([4, 5]);
    expect(await second.end('SIGINT')).toBe(0);
    expect(second.stderr()).toBe('Watching the events of Chess; Ctrl+C ends it.\n');
  });

  it('prints a reset and the whole list after a restore', { tags: 'long' }, async (context) => {
    requirePlace(context, 'signals');
    const { home, change, call } = await makeClub();
    const { stdout } = await call('--json', 'backup');
    const running = startWatch(home);
    await untilPosition(home);
    await change(3);
    await expect.poll(running.lines).toHaveLength(1);
    const restored = await call('restore', JSON.parse(stdout).name);
    expect(restored.status).toBe(0);
    await expect.poll(running.lines).toHaveLength(4);
    expect(running.lines().slice(1)).toMatchObject([
      { kind: 'reset' },
      { kind: 'changed', event: { id: 1 } },
      { kind: 'changed', event: { id: 2 } },
    ]);
    await change(4);
    await expect.poll(running.lines).toHaveLength(5);
    await running.end();
  });

  it('goes on when its club is renamed, and keeps its position', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'signals');
    const { home, change, call } = await makeClub();
    const running = startWatch(home);
    await untilPosition(home);
    await call('user', 'rename', 'Chess', 'Chess 1950');
    await change(3);
    await expect.poll(() => idsOf(running.lines())).toEqual([3]);
    expect(await running.end()).toBe(0);
    await change(4);
    const next = startWatch(home, '--user', 'Chess 1950');
    await expect.poll(() => idsOf(next.lines())).toEqual([4]);
    expect(await next.end()).toBe(0);
    await call('user', 'rename', 'Chess 1950', 'Chess');
    await change(5);
    const last = startWatch(home);
    await expect.poll(() => idsOf(last.lines())).toEqual([5]);
  });

  it('prints a reset for a club that was removed and added again', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'signals');
    const { home, call } = await makeClub();
    const first = startWatch(home);
    await untilPosition(home);
    await first.end();
    await call('user', 'remove', 'Chess');
    await call('user', 'add', 'Chess');
    await call('event', 'add', '--user', 'Chess', '--name', 'Blitz', '--date', '2027-05-01T14:00');
    const second = startWatch(home);
    await expect.poll(second.lines).toHaveLength(2);
    expect(second.lines()).toMatchObject([{ kind: 'reset' }, { event: { name: 'Blitz' } }]);
    await second.end();
    await call('event', 'cancel', '1', '--user', 'Chess');
    const third = startWatch(home);
    await expect.poll(third.lines).toMatchObject([{ event: { status: 'cancelled' } }]);
  });

  it('repeats the whole list when its position cannot be read', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'signals');
    const { home } = await makeClub();
    const first = startWatch(home);
    await untilPosition(home);
    await first.end('SIGKILL');
    const [name = ''] = readdirSync(home.watches).filter((each) => each.endsWith('.json'));
    writeFileSync(join(home.watches, name), '\0\0\0');
    const second = startWatch(home);
    await expect.poll(second.lines).toHaveLength(3);
    expect(second.lines()[0]).toMatchObject({ kind: 'reset' });
  });

  it('refuses a second one with the same position, but not another', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'signals');
    const { home, call } = await makeClub();
    const first = startWatch(home);
    await untilPosition(home);
    const same = await call('--json', 'watch', '--user', 'Chess');
    expect(same.status).toBe(1);
    expect(JSON.parse(same.stdout).error.code).toBe('watch_running');
    await startWatch(home, '--name', 'other').isReady();
    await first.end();
  });

  it.each([
    [['--user', 'Nobody'], 1, 'user_unknown'],
    [['--user', 'Chess', 'argument'], 2, 'watch_arguments_alone'],
    [['--user', 'Chess', '--exec', 'no-such-program'], 1, 'watch_command_unknown'],
    [[], 2, 'usage_wrong'],
  ] as const)('with %j ends with status %d and %s', async (args, status, code) => {
    const { home, call } = await makeClub();
    const ended = await call('--json', 'watch', ...args);
    expect(ended.status).toBe(status);
    expect(existsSync(home.watches)).toBe(false);
    expect(JSON.parse(ended.stdout).error.code).toBe(code);
  });
});

it('a position belongs to one program at a time', async () => {
  const { home } = await makeClub();
  const open = (name: string) => openPosition(home, { user: 'Chess', name });
  const kept = await open('mine');
  await expect(open('mine')).rejects.toThrow(/^watch_running /);
  (await open('other')).close();
  kept.close();
  (await open('mine')).close();
});

describe('a position of an earlier version, which has the name of the club', () => {
  const consumer = { user: 'Chess', name: 'python3 react.py' };

  /** Stores a position as the earlier version did. */
  async function makeEarlier() {
    const made = await makeClub();
    const { home, userId } = made;
    const { revision } = await withReader(home, (db) => prepareEventsState(db)(userId));
    const path = join(home.watches, hash('sha256', JSON.stringify(consumer)).slice(0, 16));
    mkdirSync(home.watches);
    writeFileSync(`${path}.json`, `${JSON.stringify({ ...consumer, position: revision })}\n`);
    const open = async (user: string, name = consumer.name) => {
      const kept = await openPosition(home, { user, name });
      onTestFinished(kept.close);
      return kept;
    };
    return { ...made, path, revision, open };
  }

  it('is taken over once', async () => {
    const { home, revision, open } = await makeEarlier();
    expect((await open('Chess', 'another program')).position).toBeUndefined();
    const kept = await open('Chess');
    expect(kept.position).toBe(revision);
    kept.save('later');
    kept.close();
    expect((await open('Chess')).position).toBe('later');
    expect(readdirSync(home.watches).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });

  it('is found by a former name of the club', async () => {
    const { revision, call, open } = await makeEarlier();
    await call('user', 'rename', 'Chess', 'Chess 1950');
    await call('user', 'rename', 'Chess 1950', 'Chess 2000');
    expect((await open('Chess 2000')).position).toBe(revision);
  });

  it('stays with the club that has the name now', async () => {
    const { revision, call, open } = await makeEarlier();
    await call('user', 'rename', 'Chess', 'Chess 1950');
    await call('user', 'add', 'Chess');
    expect((await open('Chess 1950')).position).toBeUndefined();
    expect((await open('Chess')).position).toBe(revision);
  });

  it('is not taken from a program of the earlier version that still runs', async () => {
    const { home, path, open } = await makeEarlier();
    const release = acquireLock(`${path}.lock`);
    await expect(open('Chess')).rejects.toThrow(/^watch_running /);
    release?.();
    await open('Chess');
    const names = readdirSync(home.watches).map((name) => name.replace(/\..*/, ''));
    expect(new Set(names)).not.toContain(basename(path));
  });
});

describe('watch --exec', () => {
  /** Writes a script that adds its input to a log, with its arguments as they came. */
  function writeScript(body: string) {
    const folder = makeTestFolder();
    const script = join(folder, 'react.sh');
    const log = join(folder, 'log');
    writeFileSync(script, `cd '${folder}'\n${body}\n`);
    const entries = () => {
      const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
      return text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line));
    };
    return { script, folder, log, entries };
  }

  it('gives each change to the command, whose arguments no shell reads', async (context) => {
    requirePlace(context, 'a Unix shell', 'signals');
    const { home, change } = await makeClub();
    const { script, log, entries } = writeScript('cat >> log; echo "$1" "$2" >> log');
    const running = startWatch(home, '--exec', 'sh', '--', script, '--odd', '$(touch x) "y"');
    await untilPosition(home);
    await change(3);
    await change(4);
    await expect.poll(() => idsOf(entries())).toEqual([3, 4]);
    expect(readFileSync(log, 'utf8')).toContain('\n--odd $(touch x) "y"\n');
    expect(await running.end()).toBe(0);
    expect(running.lines()).toEqual([]);
  });

  it('repeats a failed command before the next change', async (context) => {
    requirePlace(context, 'a Unix shell', 'signals');
    const { home, change } = await makeClub();
    const { script, entries } = writeScript(
      'cat >> log; if test -e failed; then exit 0; fi; touch failed; exit 3',
    );
    const running = startWatch(home, '--exec', 'sh', script);
    await untilPosition(home);
    await change(3);
    await change(4);
    await expect.poll(() => idsOf(entries())).toEqual([3, 3, 4]);
    expect(running.stderr()).toContain(
      'sh ended with status 3; it gets the same change again in 1 s.',
    );
  });

  it('gives a change again that its command had not taken when it ended', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'a Unix shell', 'signals');
    const { home, change } = await makeClub();
    const { script, entries } = writeScript('cat >> log; exit 3');
    const running = startWatch(home, '--name', 'mine', '--exec', 'sh', '--', script);
    await untilPosition(home);
    await change(3);
    await expect.poll(entries).not.toEqual([]);
    await running.end();
    const again = startWatch(home, '--name', 'mine');
    await expect.poll(() => idsOf(again.lines())).toEqual([3]);
  });

  it('ends when the command cannot be started any more, and keeps the change', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'a Unix shell', 'signals');
    const { home, change } = await makeClub();
    const folder = join(makeTestFolder(), 'folder');
    const program = join(folder, 'react.sh');
    mkdirSync(folder);
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const running = startWatch(home, '--exec', program, '--name', 'mine');
    await untilPosition(home);
    rmSync(folder, { recursive: true });
    // Node.js throws this error, and emits that of a missing program.
    writeFileSync(folder, '');
    await change(3);
    await expect.poll(running.stderr).toContain(`${program} cannot be started (spawn ENOTDIR)`);
    const again = startWatch(home, '--name', 'mine');
    await expect.poll(() => idsOf(again.lines())).toEqual([3]);
  });

  it('loses no change and keeps the order through kills of both', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'a Unix shell', 'signals');
    const [count, kills] = choose([1_000, 20], [40, 2]);
    const { home, change } = await makeClub();
    const { script, folder, entries } = writeScript('echo $$ > pid; cat >> log');
    const args = ['--exec', 'sh', script];
    let running = startWatch(home, ...args);
    await untilPosition(home);
    const writing = (async () => {
      for (let id = 10; id < 10 + count; id += 1) await change(id);
    })();
    for (let kill = 1; kill <= kills; kill += 1) {
      const reached = Math.floor((count * kill) / (kills + 2));
      await expect.poll(() => new Set(idsOf(entries())).size).toBeGreaterThan(reached);
      if (kill % 2 === 0) {
        // Between the end of one command and the start of the next, there is none to kill.
        const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
        try {
          if (pid > 0) process.kill(pid, 'SIGKILL');
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
        }
      } else {
        await running.end('SIGKILL');
        running = startWatch(home, ...args);
      }
    }
    await writing;
    const all = Array.from({ length: count }, (_, at) => at + 10);
    await expect.poll(() => [...new Set(idsOf(entries()))]).toEqual(all);
    await delay(50);
    expect(entries().every(({ kind }) => kind === 'changed')).toBe(true);
  });
});
