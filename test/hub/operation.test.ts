import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Home, homeAt } from '../../server/base/home.ts';
import { callCommand, type Serving, spawnCommand, startServe } from '../support/command.ts';
import {
  addEvents,
  addMember,
  makeEvent,
  makeFolder,
  makeTestFolder,
  makeTestHome,
  removeFolder,
} from '../support/home.ts';
import {
  forgetRecord,
  performHub,
  pointToRecord,
  pushClub,
  pushClubs,
  readHead,
  readNumber,
  startNode,
} from '../support/hub.ts';
import { choose } from '../support/long.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { createPostgres, type Postgres } from '../support/postgres.ts';
import { printFigure } from '../support/print.ts';
import { serveLink } from '../support/proxy.ts';
import { createRandom } from '../support/random.ts';
import { fetchWithKey } from '../support/service.ts';

const folder = makeFolder();
const stops: (() => Promise<void>)[] = [];
let record: Postgres;
/** The home of a small club, and of one with many events. */
let home: Home;
let userId: number;
let key: string;
let big: Home;
let bigUser: number;

const manyEvents = choose(100_000, 5_000);

const makeEvents = (count: number, name = 'Event') =>
  Array.from({ length: count }, (_, at) => makeEvent(at + 1, { name: `${name} ${at}` }));

beforeAll(async () => {
  if (lacking('a PostgreSQL') !== undefined) return;
  record = await createPostgres();
  stops.push(() => record.remove());
  await record.start();
  pointToRecord(record);
  home = homeAt(`${folder}/home`);
  ({ userId } = await addMember(home, 'Chess', makeEvents(5)));
  big = homeAt(`${folder}/big`);
  ({ userId: bigUser } = await addMember(big, 'Big', makeEvents(10)));
  await performHub(home, 'hub init');
  await pushClub(home, 'Chess');
  await pushClub(big, 'Big');
  ({ key } = await performHub(home, 'hub key create', { user: 'Chess' }));
});

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  forgetRecord();
  removeFolder(folder);
});

beforeEach((context) => requirePlace(context, 'a PostgreSQL', 'signals'));

const at = ({ directory }: Home) => ['--home', directory];

/** Starts a command of the hub in a process of its own. */
function startHub(...args: readonly string[]) {
  const child = spawnCommand(['hub', ...args], { env: record.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close').then(([status]) => status as number | null);
  return { child, closed, stdout: () => stdout, stderr: () => stderr };
}

/** Starts `serve --hub` in a process of its own, and waits until it is ready. */
async function serveHub(env = record.env, ...more: readonly string[]) {
  const node = homeAt(makeTestFolder());
  const args = ['--hub', '--port', '0', ...at(node), ...more];
  const serving = await startServe(args, undefined, { env });
  const { port } = new URL(serving.firstLine);
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status;
  await expect.poll(ready).toBe(200);
  return { ...serving, home: node, port: Number(port) };
}

/** Asks again and again. Returns a function that ends it, and returns the numbers of answers by status. */
function askOften(ask: () => Promise<Response>) {
  let isOver = false;
  const statuses: Record<string, number> = {};
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now();
      const { status } = await ask();
      statuses[status] = (statuses[status] ?? 0) + 1;
      longest = Math.max(longest, Math.round(performance.now() - asked));
      await delay(100);
    }
  })();
  const end = async () => {
    isOver = true;
    await asking;
    return { statuses, longest };
  };
  // Before the service ends.
  onTestFinished(async () => void (await end()));
  return end;
}

describe('while a push stands still', () => {
  /** The work of the server for pushes of other processes. */
  const watchPushes = () =>
    record.query<{ state: string; query: string }>(
      `SELECT state, left(regexp_replace(query, '\\s+', ' ', 'g'), 40) AS query
        FROM pg_stat_activity WHERE application_name = 'club-events'`,
    );

  async function timed(name: string, work: () => Promise<unknown>): Promise<string> {
    const begun = performance.now();
    await work();
    return `${name} ${Math.round(performance.now() - begun)} ms`;
  }

  it('keys are created and revoked, and other clubs pushed', async () => {
    const random = createRandom(3);
    const push = ['push', '--user', 'Big', ...at(big)];
    const change = (name: string) => addEvents(big, bigUser, makeEvents(manyEvents, name));
    const connected = () => expect.poll(watchPushes).not.toEqual([]);
    // As long as it works for the record.
    await change('First');
    const first = startHub(...push);
    await connected();
    const begun = performance.now();
    expect(await first.closed, first.stderr()).toBe(0);
    const length = performance.now() - begun;

    let stood = 0;
    for (let turn = 0; stood < choose(8, 2); turn += 1) {
      await change(`Turn ${turn}`);
      const { child, closed, stderr } = startHub(...push);
      await connected();
      const moment = random(Math.round(length));
      await delay(moment);
      child.kill('SIGSTOP');
      const [work] = await watchPushes();
      if (child.exitCode === null && work !== undefined) {
        stood += 1;
        const user = random(2) === 0 ? 'Chess' : 'Big';
        const { id } = await performHub(home, 'hub key create', { user });
        const revoked = await timed('revocation', async () =>
          expect(await performHub(home, 'hub key revoke', { id })).toEqual({ id, revoked: true }),
        );
        const created = await timed('new key', () => performHub(home, 'hub key create', { user }));
        await addEvents(home, userId, [makeEvent(1, { name: `Turn ${turn}` })]);
        const pushed = await timed('push', async () =>
          expect(await pushClub(home, 'Chess')).toMatchObject({ changed: [{ id: 1 }] }),
        );
        expect(child.exitCode).toBeNull();
        printFigure(
          `${moment} ms, ${work.state} in "${work.query}": ${revoked}, ${created}, ${pushed}`,
        );
        // Also longer than the server bears.
        const isOpen = async () =>
          (await watchPushes()).some(({ state }) => state.startsWith('idle in transaction'));
        if (choose(true, false)) await expect.poll(isOpen).toBe(false);
      }
      child.kill('SIGCONT');
      const status = await closed;
      if (status === 0) expect(stderr()).toBe('');
      else {
        expect([status, stderr()]).toEqual([1, expect.stringMatching(/^The record [^\n]+\.\n$/)]);
        printFigure(stderr().trim());
      }
    }
    // Nothing is lost, and all events are those of the home.
    expect(await pushClub(big, 'Big')).toMatchObject({ conflict: null });
    expect(await pushClub(big, 'Big')).toMatchObject({ number: null, conflict: null });
  });
});

it('a node is ready and answers while a large push arrives', async () => {
  const node = await serveHub();
  for (const name of ['New', 'Changed']) {
    await addEvents(big, bigUser, makeEvents(manyEvents, name));
    const endReady = askOften(() => fetch(`http://127.0.0.1:${node.port}/ready`));
    const endAsking = askOften(() => fetchWithKey(node, '/v1/events?limit=1', key));
    const begun = performance.now();
    const { closed, stderr } = startHub('push', '--user', 'Big', ...at(big));
    expect(await closed, stderr()).toBe(0);
    const pushed = Math.round(performance.now() - begun);
    await expect.poll(() => readNumber(node.home)).toBe(await readHead(record));
    const followed = Math.round(performance.now() - begun);
    const [ready, asked] = [await endReady(), await endAsking()];
    printFigure(
      `${name}: ${manyEvents} events pushed in ${pushed} ms, on the node after ${followed} ms; /ready ${JSON.stringify(ready)}, requests ${JSON.stringify(asked)}`,
    );
    expect([Object.keys(ready.statuses), Object.keys(asked.statuses)]).toEqual([['200'], ['200']]);
  }
});

describe('a connection that stands still in a copy', { tags: 'long' }, () => {
  const behind = ({ port }: { readonly port: number }) => ({ ...record.env, PGPORT: `${port}` });

  it('is replaced by the node, which answers all requests', async () => {
    const link = await serveLink(record.port);
    const node = await serveHub(behind(link));
    await addEvents(big, bigUser, makeEvents(30_000, 'Stands'));
    const endAsking = askOften(() => fetchWithKey(node, '/v1/events?limit=1', key));
    link.freezeAfter(1_000_000);
    const { number } = await pushClub(big, 'Big');
    await expect.poll(link.frozen).toBe(1);
    link.heal();
    const begun = performance.now();
    await expect.poll(() => readNumber(node.home)).toBe(number);
    const answers = await endAsking();
    printFigure(
      `followed ${Math.round(performance.now() - begun)} ms after the connection stood still; requests ${JSON.stringify(answers)}`,
    );
    expect(Object.keys(answers.statuses)).toEqual(['200']);
    expect(node.stderr()).toContain('cannot be reached');
  });

  it('of a record that forgot lets no key open that is revoked meanwhile', async () => {
    await addEvents(big, bigUser, makeEvents(30_000, 'Kept'));
    await pushClub(big, 'Big');
    const { key: ofBig } = await performHub(home, 'hub key create', { user: 'Big' });
    const { id, key: revoked } = await performHub(home, 'hub key create', { user: 'Chess' });
    await record.stop();
    await record.save();
    await record.start();
    await addEvents(big, bigUser, makeEvents(30_000, 'Lost'));
    await pushClub(big, 'Big');
    const link = await serveLink(record.port);
    const node = await serveHub(behind(link));
    await record.stop();
    await record.restore();
    link.freezeAfter(1_000_000);
    await record.start();
    await expect.poll(link.frozen).toBe(1);
    // It gets the number of the lost push.
    await performHub(home, 'hub key revoke', { id });
    await expect
      .poll(async () => (await fetchWithKey(node, '/v1/events/1', revoked)).status)
      .toBe(401);
    const { event } = await (await fetchWithKey(node, '/v1/events/1', ofBig)).json();
    expect(event.name).toBe('Lost 0');
  });
});

describe('the metrics of a node', () => {
  type Family = { readonly help: string; type: string; readonly samples: Map<string, number> };

  /** Parses the text format of Prometheus (version 0.0.4); each line must belong to its family. */
  function parseMetrics(text: string): Map<string, Family> {
    expect(text.endsWith('\n')).toBe(true);
    const families = new Map<string, Family>();
    let name = '';
    for (const line of text.trimEnd().split('\n')) {
      const [, kind = '', of = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
      const family = families.get(name);
      if (kind === 'HELP') {
        expect([line, families.has(of)]).toEqual([line, false]);
        families.set(of, { help: rest, type: '', samples: new Map() });
        name = of;
      } else if (kind === 'TYPE') {
        expect([of, family?.type]).toEqual([name, '']);
        expect(rest).toMatch(/^(gauge|counter)$/);
        expect(name.endsWith('_total')).toBe(rest === 'counter');
        if (family !== undefined) family.type = rest;
      } else {
        const [, own, labels = '', value = ''] =
          /^([a-z_]+)(?:\{([a-z]+="[^"\\]*")\})? (\d+(?:\.\d+)?)$/.exec(line) ?? [];
        expect([line, own]).toEqual([line, name]);
        expect(family?.type).not.toBe('');
        expect([line, family?.samples.has(labels)]).toEqual([line, false]);
        family?.samples.set(labels, Number(value));
      }
    }
    return families;
  }

  it('are those of the documents, and change with pushes and requests', async () => {
    const node = await serveHub(record.env, '--metrics', '127.0.0.1:0');
    const [, url = ''] = /^Metrics: (\S+)$/m.exec(node.stderr()) ?? [];
    expect(Number(new URL(url).port)).not.toBe(node.port);
    const read = async () => {
      const answer = await fetch(url);
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4;/);
      return parseMetrics(await answer.text());
    };
    const before = await read();
    const page = readFileSync(
      join(import.meta.dirname, '../../server/hub/on-several-machines.md'),
      'utf8',
    );
    const named = [...page.matchAll(/club_events_(?!push|node\b(?!_))\w+/g)].map(([name]) => name);
    const documented = named.filter((name) => page.includes(`| \`${name}\` |`));
    expect(documented.length).toBeGreaterThan(0);
    expect([...before.keys()]).toEqual(expect.arrayContaining(documented));
    expect([...before.values()].map(({ type }) => type)).not.toContain('');

    const sample = (families: Map<string, Family>, name: string, labels = '') =>
      families.get(`club_events_${name}`)?.samples.get(labels) ?? 0;
    await addEvents(home, userId, [makeEvent(2, { name: 'Counted' })]);
    const { number } = await pushClub(home, 'Chess');
    await expect.poll(async () => sample(await read(), 'node_number')).toBe(number);
    expect((await fetchWithKey(node, '/v1/events', key)).status).toBe(200);
    expect((await fetchWithKey(node, '/v1/events', 'unknown')).status).toBe(401);
    const after = await read();
    const grown = (name: string, labels: string) =>
      sample(after, name, labels) - sample(before, name, labels);
    expect(sample(before, 'node_number')).toBeLessThan(number ?? 0);
    expect([
      grown('answers_total', 'status="200"'),
      grown('answers_total', 'status="401"'),
      grown('club_reads_total', 'club="1"'),
      sample(after, 'node_ready'),
      sample(after, 'node_clubs_not_copied'),
      sample(after, 'record_timeline'),
    ]).toEqual([1, 1, 1, 1, 0, 1]);
  });

  it('are all that their port answers, and the port of /v1 has none', async () => {
    const node = await serveHub(record.env, '--metrics', '127.0.0.1:0');
    const [, url = ''] = /^Metrics: (\S+)$/m.exec(node.stderr()) ?? [];
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const path of ['/', '/metrics/', '/v1/events', '/ready', '/health'])
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 404]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect([method, (await fetch(url, { method })).status]).toEqual([method, 404]);
    expect((await fetchWithKey(node, '/metrics', key)).status).toBe(404);
    const refused = await callCommand(['serve', '--metrics', '127.0.0.1:0', ...at(makeTestHome())]);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      '--metrics belongs to a node of a hub; add --hub.\n',
    ]);
  });
});

describe('hub push --every', () => {
  const nameOf = async (club: string) => {
    const rows = await record.query<{ name: string }>(`SELECT events.name FROM club_events.events
      JOIN club_events.clubs ON clubs.id = club WHERE clubs.name = '${club}' AND events.id = 1`);
    return rows[0]?.name;
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('pushes later changes until %s', async (signal) => {
    const own = makeTestHome();
    const club = `Until ${signal}`;
    const member = await addMember(own, club, [makeEvent(1)]);
    const pushing = startHub('push', '--all', '--keys', '--every', '1s', ...at(own));
    await expect.poll(() => nameOf(club), { message: pushing.stderr() }).toBe('Event 1');
    await addEvents(own, member.userId, [makeEvent(1, { name: 'Later' })]);
    await expect.poll(() => nameOf(club)).toBe('Later');
    pushing.child.kill(signal);
    expect([await pushing.closed, pushing.stderr()]).toEqual([0, '']);
    expect(pushing.stdout()).toMatch(/^1 club pushed to 127\.0\.0\.1:\d+, 0 unchanged\.$/m);
  });

  it('goes on after a club that was refused, and after a record that was away', async () => {
    const own = makeTestHome();
    await addMember(own, 'Chess', [makeEvent(1)]);
    const { userId: other } = await addMember(own, 'Persistent', [makeEvent(1)]);
    const pushing = startHub('push', '--all', '--every', '1s', ...at(own));
    await expect.poll(pushing.stdout).toMatch(/Chess .* refused: foreign$/m);
    await addEvents(own, other, [makeEvent(1, { name: 'Later' })]);
    await expect.poll(() => nameOf('Persistent')).toBe('Later');
    await record.stop();
    await expect.poll(pushing.stderr).toContain('cannot be reached');
    await addEvents(own, other, [makeEvent(1, { name: 'Last' })]);
    await record.start();
    await expect.poll(() => nameOf('Persistent')).toBe('Last');
    pushing.child.kill('SIGTERM');
    expect(await pushing.closed).toBe(0);
  });

  it.each(['soon', '', '30', '0s', '1.5s', '25h', '-1s'])('refuses the time "%s"', async (time) => {
    const args = ['hub', 'push', '--all', `--every=${time}`, ...at(home)];
    const { status, stdout, stderr } = await callCommand(args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`--every: "${time}" is not a time from 1s to 24h, such as 30s or 5m.\n`);
  });
});

describe('a record that was changed by hand', () => {
  it.each([
    ['digest', `UPDATE club_events.clubs SET event_digest = repeat('0', 64)`],
    ['number', 'UPDATE club_events.clubs SET event_count = event_count + 1'],
  ])('has its %s mended by a push of all clubs', async (_, damage) => {
    expect(await pushClubs(home)).toMatchObject({ clubs: expect.any(Array) });
    expect(await pushClubs(home)).toMatchObject({ clubs: [], unchanged: 1 });
    const [sound] = await record.query(`SELECT event_count, event_digest FROM club_events.clubs
      WHERE name = 'Chess'`);
    // Who changes the one has perhaps changed the other.
    await record.query(`${damage} WHERE name = 'Chess';
      UPDATE club_events.events SET name = 'By hand' FROM club_events.clubs
        WHERE club = clubs.id AND clubs.name = 'Chess' AND events.id = 3`);
    const late = await startNode();
    await expect.poll(() => late.warnings).toContain('hub_club_stuck');
    expect(await pushClubs(home)).toMatchObject({
      clubs: [{ user: 'Chess', changed: 1, conflict: null }],
    });
    expect(
      await record.query(`SELECT event_count, event_digest FROM club_events.clubs
        WHERE name = 'Chess'`),
    ).toEqual([sound]);
    const status = async () => (await late.get('/v1/events/3', key)).status;
    await expect.poll(status).toBe(200);
    expect(await pushClubs(home)).toMatchObject({ clubs: [], unchanged: 1 });
  });

  it('has its rows mended by a push of the club', async () => {
    await record.query(`DELETE FROM club_events.events USING club_events.clubs
      WHERE club = clubs.id AND clubs.name = 'Chess' AND events.id = 4`);
    const late = await startNode();
    await expect.poll(() => late.warnings).toContain('hub_club_stuck');
    expect(await pushClub(home, 'Chess')).toMatchObject({ added: [{ id: 4 }], changed: [] });
    const status = async () => (await late.get('/v1/events/4', key)).status;
    await expect.poll(status).toBe(200);
    expect(await pushClub(home, 'Chess')).toMatchObject({ number: null });
  });
});

describe('two servers', () => {
  let replica: Postgres;

  beforeAll(async () => {
    if (record === undefined) return;
    await record.stop();
    replica = await record.createReplica();
    stops.push(() => replica.remove());
    await record.start();
    await replica.start();
    pointToRecord(record, replica);
  });

  /** Freezes all processes of a server for the running test. */
  async function freeze(server: Postgres): Promise<() => void> {
    const rows = await server.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
    const pids = [server.pid(), ...rows.map(({ pid }) => pid)];
    // The one that has answered has ended.
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids) {
        try {
          process.kill(pid, name);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ESRCH' });
        }
      }
    };
    onTestFinished(() => signal('SIGCONT'));
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }

  it('of which one is frozen are both listed by "hub status", which fails', async () => {
    const command = ['hub', 'status', ...at(home)];
    const inOrder = async () => (await callCommand(command)).status;
    for (const [frozen, other, role] of [
      [replica, record, 'primary'],
      [record, replica, 'replica'],
    ] as const) {
      await expect.poll(inOrder).toBe(0);
      const thaw = await freeze(frozen);
      const { status, stdout, stderr } = await callCommand(command);
      expect([status, stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${frozen.port} +does not answer`, 'm')),
      ]);
      expect(stdout).toMatch(new RegExp(`^127\\.0\\.0\\.1:${other.port} +${role}`, 'm'));
      expect(stderr).toContain(`127.0.0.1:${frozen.port} cannot be reached`);
      thaw();
    }
  });

  it('have a lower timeline after a restore, which a person accepts once', async () => {
    const node = homeAt(`${folder}/node`);
    const other = homeAt(`${folder}/two-clubs`);
    const { userId: rower } = await addMember(other, 'Rowing', [makeEvent(1)]);
    await addMember(other, 'Skiing', [makeEvent(1)]);
    await pushClubs(other);
    const number = await readHead(record);
    await expect.poll(() => readHead(replica)).toBe(number);
    await record.stop();
    await replica.promote();
    const serve = async (...more: readonly string[]): Promise<Serving & { port: number }> => {
      const args = ['--hub', '--port', '0', ...at(node), ...more];
      const env = { ...record.env, PGPORT: process.env['PGPORT'] ?? '' };
      const serving = await startServe(args, undefined, { env });
      return { ...serving, port: Number(new URL(serving.firstLine).port) };
    };
    const readyOf = async ({ port }: { port: number }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/ready`);
      return [answer.status, ((await answer.json()) as { number?: number }).number];
    };
    pointToRecord(replica);
    const later = await serve();
    await addEvents(other, rower, [makeEvent(1, { name: 'Lost' })]);
    const lost = await pushClubs(other);
    expect(lost).toMatchObject({ clubs: [{ user: 'Rowing', number: number + 1 }] });
    await expect.poll(() => readyOf(later)).toEqual([200, number + 1]);
    await later.end('SIGTERM');
    await replica.stop();

    // As a restore of a backup into a new server: an earlier state, with the first timeline.
    await record.start();
    pointToRecord(record);
    const refusing = await serve();
    await expect.poll(refusing.stderr).toContain('accept this one with --accept-record');
    expect(readNumber(node)).toBe(number + 1);
    expect((await fetchWithKey(refusing, '/v1/events', key)).status).toBe(200);
    await refusing.end('SIGTERM');
    const accepting = await serve('--accept-record');
    await expect.poll(() => readyOf(accepting)).toEqual([200, number]);
    await accepting.end('SIGTERM');
    // For good.
    const following = await serve();
    await expect.poll(() => readyOf(following)).toEqual([200, number]);

    const push = (...more: readonly string[]) =>
      callCommand(['hub', 'push', '--all', ...at(other), ...more]);
    const refused = await push();
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('accept this one with --accept-record');
    const creation = performHub(other, 'hub key create', { user: 'Rowing' });
    await expect(creation).rejects.toMatchObject({ code: 'hub_record_older' });
    const accepted = await push('--accept-record');
    expect([accepted.status, accepted.stdout]).toEqual([
      1,
      expect.stringMatching(/, 1 unchanged\.[\s\S]*^Rowing .* refused: lost$/m),
    ]);
    // Also before a person has decided about the lost push.
    expect((await push()).stdout).toBe(accepted.stdout);
    const { revision } = await pushClub(other, 'Rowing');
    expect(await pushClub(other, 'Rowing', { onto: revision })).toMatchObject({ conflict: null });
    expect(await push()).toMatchObject({ status: 0, stderr: '' });
    await expect.poll(() => readyOf(following)).toEqual([200, number + 1]);
  });
});
