import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { digestOf } from '../../db/event-hash.ts';
import { eachEvent } from '../../db/event-list.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { withReader } from '../../server/store/store.ts';
import { startServe } from '../support/command.ts';
import { addEvents, addMember, makeEvent, makeFolder, removeFolder } from '../support/home.ts';
import {
  forgetRecord,
  performHub,
  pointToRecord,
  pushClub,
  readHead,
  readNumber,
  spawnPush,
  startNode,
  type TestNode,
} from '../support/hub.ts';
import { requirePlace } from '../support/place.ts';
import { createPostgres, type Postgres } from '../support/postgres.ts';
import { createRandom } from '../support/random.ts';
import { fetchWithKey } from '../support/service.ts';

/** The number of pushes; a hurried person may choose fewer. */
const pushes = Number(process.env['HUB_PUSHES'] ?? 1_000);

/** Rounds with a failover, every second one of which loses a push. */
const failovers = 4;

const folder = makeFolder();
const stops: (() => unknown)[] = [];

beforeEach((context) => requirePlace(context, 'a PostgreSQL', 'signals'));
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  forgetRecord();
});
afterAll(() => removeFolder(folder));

async function startRecord(): Promise<Postgres> {
  const record = await createPostgres();
  stops.push(() => record.remove());
  await record.start();
  pointToRecord(record);
  return record;
}

type Club = {
  readonly home: Home;
  readonly name: string;
  readonly userId: number;
  key: string;
};

const digestIn = ({ home, userId }: Club) =>
  withReader(home, (db) => digestOf(eachEvent(db, userId)));

/** Checks that each answer is one state: its events have its digest, and its revision one digest. */
function createChecker() {
  const digests = new Map<string, string>();
  let answers = 0;
  return {
    digests,
    count: () => answers,
    check(revision: string | null, digest: string | null, events: Parameters<typeof digestOf>[0]) {
      answers += 1;
      const own = `sha256=${digestOf(events)}`;
      expect(digest).toBe(own);
      const before = digests.get(revision ?? '') ?? own;
      expect(before, `revision ${revision}`).toBe(own);
      digests.set(revision ?? '', own);
    },
  };
}

type List = { readonly events: Parameters<typeof digestOf>[0] };

async function readOnce(
  ports: readonly (number | undefined)[],
  clubs: readonly Club[],
  checker: ReturnType<typeof createChecker>,
): Promise<void> {
  for (const port of ports) {
    for (const { key } of clubs) {
      // A killed node refuses connections, and one that was just started is filled.
      const answer =
        port === undefined
          ? undefined
          : await fetchWithKey({ port }, '/v1/events', key).catch(() => undefined);
      if (answer?.status !== 200) continue;
      const { headers } = answer;
      const body = await answer.json().catch(() => undefined);
      if (body === undefined) continue;
      const { events } = body as List;
      checker.check(headers.get('Events-Revision'), headers.get('Events-Digest'), events);
    }
  }
}

it('loses no acknowledged push to kills of nodes, pushers and the server', async () => {
  const record = await startRecord();
  const random = createRandom(32);
  const machines: Club[] = [];
  for (const number of [1, 2, 3]) {
    const home = homeAt(`${folder}/machine${number}`);
    // The third club has three homes, which have to replace each other's pushes.
    for (const name of [`Club${number}`, 'Shared']) {
      const { userId } = await addMember(home, name, [makeEvent(number), makeEvent(100)]);
      machines.push({ home, name, userId, key: '' });
    }
  }
  await performHub((machines[0] as Club).home, 'hub init');
  const acknowledged: { readonly id: string; readonly number: number }[] = [];
  /** All states that a club has ever had in a home. */
  const states = new Set<string>();

  async function push(club: Club): Promise<void> {
    const { home, name: user } = club;
    let result = await pushClub(home, user);
    if (result.conflict !== null) {
      expect(user).toBe('Shared');
      result = await pushClub(home, user, { onto: result.revision });
    }
    if (result.number === null || result.conflict !== null) return;
    acknowledged.push({ number: result.number, id: result.revision.split('.')[0] ?? '' });
  }
  for (const club of machines) {
    states.add(`sha256=${await digestIn(club)}`);
    await push(club);
  }
  for (const club of machines) {
    ({ key: club.key } = await performHub(club.home, 'hub key create', { user: club.name }));
  }

  const nodes: { home: Home; child?: Awaited<ReturnType<typeof startServe>> }[] = [
    { home: homeAt(`${folder}/node1`) },
    { home: homeAt(`${folder}/node2`) },
  ];
  const start = async (node: (typeof nodes)[number]) => {
    const args = ['--hub', '--port', '0', '--home', node.home.directory];
    node.child = await startServe(args, (stop) => void stops.push(stop), { env: record.env });
  };
  for (const node of nodes) await start(node);
  const portOf = ({ child }: (typeof nodes)[number]) =>
    child === undefined ? undefined : Number(new URL(child.firstLine).port);

  const checker = createChecker();
  let isOver = false;
  const highest = [0, 0];
  const reading = (async () => {
    while (!isOver) {
      await readOnce(nodes.map(portOf), machines, checker);
      for (const [index, { home }] of nodes.entries()) {
        const number = readNumber(home) ?? 0;
        expect(number).toBeGreaterThanOrEqual(highest[index] ?? 0);
        highest[index] = number;
      }
      await delay(20);
    }
  })();

  const kills = { node: 0, pusher: 0, server: 0 };
  for (let turn = 0; turn < pushes; turn += 1) {
    const club = machines[random(machines.length)] as Club;
    const id = 1 + random(60);
    await addEvents(club.home, club.userId, [makeEvent(id, { name: `Change ${turn}` })]);
    states.add(`sha256=${await digestIn(club)}`);
    const chance = random(40);
    if (chance === 0) {
      kills.pusher += 1;
      const pusher = spawnPush(club.home, club.name);
      // A push may have ended before it is killed.
      const exit = once(pusher, 'exit');
      await delay(random(1_200));
      pusher.kill('SIGKILL');
      await exit;
    } else if (chance === 1) {
      kills.server += 1;
      const pushing = push(club).catch(() => undefined);
      await delay(random(20));
      await record.stop('immediate');
      await pushing;
      await record.start();
    } else if (chance === 2) {
      kills.node += 1;
      const node = nodes[random(2)] as (typeof nodes)[number];
      const pushing = push(club);
      await delay(random(100));
      await node.child?.end('SIGKILL');
      await pushing;
      await start(node);
    } else await push(club);
  }
  // What a killed push has left.
  for (const club of machines) if (club.name !== 'Shared') await push(club);
  const head = await readHead(record);
  for (const { home } of nodes) await expect.poll(() => readNumber(home)).toBe(head);
  isOver = true;
  await reading;

  const log = await record.query<{ number: string; id: string }>('SELECT * FROM club_events.log');
  const numbers = new Map(log.map(({ id, number }) => [id, Number(number)]));
  expect(log).toHaveLength(head);
  const lost = acknowledged.filter(({ id, number }) => numbers.get(id) !== number);
  expect(lost).toEqual([]);
  for (const digest of checker.digests.values()) expect(states).toContain(digest);
  for (const club of machines.filter(({ name }) => name !== 'Shared')) {
    for (const node of nodes) {
      const answer = await fetchWithKey({ port: portOf(node) ?? 0 }, '/v1/events', club.key);
      expect(answer.headers.get('Events-Digest')).toBe(`sha256=${await digestIn(club)}`);
    }
  }
  process.stderr.write(
    `${acknowledged.length} acknowledged pushes, ${checker.count()} answers, kills: ${JSON.stringify(kills)}\n`,
  );
});

it('follows a failover, and both sides report a lost push', async () => {
  let primary = await startRecord();
  const home = homeAt(`${folder}/failing`);
  const member = await addMember(home, 'Chess', [makeEvent(1)]);
  const club: Club = { home, name: 'Chess', userId: member.userId, key: '' };
  await performHub(home, 'hub init');
  const push = (args: object = {}) => pushClub(home, 'Chess', args);
  await push();
  ({ key: club.key } = await performHub(home, 'hub key create', { user: 'Chess' }));
  const atEnd = (stop: () => Promise<void>) => void stops.push(stop);
  const nodes: TestNode[] = [];
  for (const name of ['left', 'right']) {
    nodes.push(await startNode({ home: homeAt(`${folder}/${name}`), atEnd }));
  }
  const checker = createChecker();
  let isOver = false;
  const reading = (async () => {
    const ports = nodes.map(({ port }) => port);
    while (!isOver) {
      await readOnce(ports, [club], checker);
      await delay(5);
    }
  })();
  const settled = async (server: Postgres) => {
    const number = await readHead(server);
    for (const node of nodes) await expect.poll(() => node.number()).toBe(number);
    return number;
  };

  const delays: number[] = [];
  let next = 2;
  for (let round = 0; round < failovers; round += 1) {
    await primary.stop();
    const replica = await primary.createReplica();
    stops.push(() => replica.remove());
    await primary.start();
    await replica.start();
    pointToRecord(primary, replica);
    await addEvents(home, club.userId, [makeEvent(next++)]);
    const kept = await push();
    expect(kept.conflict).toBeNull();
    const number = await settled(primary);
    await expect.poll(() => readHead(replica)).toBe(number);
    const isLossy = round % 2 === 1;
    // Only the primary, which fails then, has the next push.
    if (isLossy) await replica.stop();
    await addEvents(home, club.userId, [makeEvent(next++, { name: 'Last' })]);
    const last = await push();
    await settled(primary);
    if (!isLossy) await expect.poll(() => readHead(replica)).toBe(number + 1);
    for (const { warnings } of nodes) warnings.splice(0);

    await primary.stop('immediate');
    if (isLossy) await replica.start();
    await replica.promote();
    const promoted = performance.now();
    const isFollowing = async (node: TestNode) =>
      node.number() === (isLossy ? number : number + 1) &&
      (await fetchWithKey(node, '/v1/events', club.key)).headers.get('Data-As-Of') === null;
    for (const node of nodes) await expect.poll(() => isFollowing(node)).toBe(true);
    delays.push(performance.now() - promoted);

    for (const { warnings } of nodes) {
      expect(warnings.includes('hub_record_forgot'), String(warnings)).toBe(isLossy);
    }
    const again = await push();
    expect(again.conflict).toBe(isLossy ? 'lost' : null);
    if (isLossy) {
      for (const node of nodes) {
        const since = `/v1/events?since=${last.revision}`;
        expect((await fetchWithKey(node, since, club.key)).status).toBe(410);
      }
      const replaced = await push({ onto: again.revision });
      // The same number with another id.
      expect(replaced.number).toBe(last.number);
    }
    await settled(replica);
    await primary.remove();
    primary = replica;
    pointToRecord(primary);
  }
  isOver = true;
  await reading;
  const sorted = delays.toSorted((one, other) => one - other).map(Math.round);
  process.stderr.write(
    `${failovers} failovers, ${checker.count()} answers; nodes followed after ${sorted[Math.floor(sorted.length / 2)]} ms, at most ${sorted.at(-1)} ms\n`,
  );
});
